"""`probatum read --answer`: whatever the file holds, a code and a sentence, and no readings file half written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Commands

SHOP = b'''
def fee(amount, rate):
    """Return the amount times the rate."""
    return amount * rate
'''
TWO = b'''
def first(n: int) -> int:
    """Return n."""
    return n


def second(n: int) -> int:
    """Return n plus one."""
    return n + 1
'''
COMMANDS: dict[str, tuple[bytes, int, str]] = {
    # What is answered, the exit code, and what is said.
    "5 MB": (b'{"shop.py::fee": {"s1": "' + b"x" * 5_000_000 + b'"}}', 3, "file.too_large"),
    "a list": (b"[]", 2, "answers.wrong"),
    "no JSON": (b"{nope", 2, "answers.not_json"),
    "nothing": (b"", 2, "answers.not_json"),
    "no text": (b"\xff", 2, "answers.not_json"),
    "nested too deep": (b"[" * 100_000 + b"]" * 100_000, 2, "answers.not_json"),
    "a key twice": (b'{"a::b": {}, "a::b": {}}', 2, "answers.not_json"),
    "an infinite number": (b'{"a::b": Infinity}', 2, "answers.not_json"),
    "a file that is gone": (b'{"gone.py::fee": {}}', 3, "missing"),
}


@pytest.mark.parametrize(("content", "code", "said"), COMMANDS.values(), ids=COMMANDS)
def test_an_answer_on_the_command_line_is_refused_by_name(
    content: bytes, code: int, said: str, commands: Commands, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_bytes(SHOP)
    ended = commands.run("read", "--answer", "-", stdin=content)
    assert ended.code == code, ended
    assert said in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "shop.readings.toml").exists()


def test_of_two_files_one_readings_file_cannot_be_written(commands: Commands, tmp_path: Path) -> None:
    """What was added to the other one is told."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shop.py").write_bytes(SHOP)
    (tmp_path / "b" / "shop.readings.toml").mkdir()
    answer = b'{"a/shop.py::fee": {"SENTENCE": "-"}, "b/shop.py::fee": {"SENTENCE": "-"}}'
    cards = json.loads(commands.run("read", "a/shop.py", "--ask").stdout)
    [sentence] = cards["a/shop.py::fee"]["say"]
    ended = commands.run("read", "--answer", "-", stdin=answer.replace(b"SENTENCE", sentence.encode()))
    told = json.loads(ended.stdout)
    assert told["a/shop.py::fee"]["added"] == 1
    assert told["b/shop.py::fee"]["why"] == "not_read"
    assert (tmp_path / "a" / "shop.readings.toml").is_file()


def test_inputs_are_counted_for_the_card_that_has_them(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(TWO)
    asked = json.loads(commands.run("read", "app.py", "--ask").stdout)
    answers = {key: dict.fromkeys(card["say"], "-") for key, card in asked.items() if "::" in key}
    answers["app.py::first"] = {**answers["app.py::first"], "inputs": ["(1,)", "(2,)"]}
    told = json.loads(commands.run("read", "--answer", "-", stdin=json.dumps(answers).encode()).stdout)
    assert {key: brief.get("inputs") for key, brief in told.items()} == {"app.py::first": 2, "app.py::second": None}
