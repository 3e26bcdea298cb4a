"""Entries of the cache that claim VERIFIED for a wrong program: nothing crashes, and no gate admits it."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from probatum.app.cache import CACHE_FILE
from tests.cli import programs
from tests.cli.command import Commands, commands_beside_a_cache

RIGHT = programs.HOLDING
WRONG = RIGHT.replace(b"(100 + percent)", b"(100 - percent)")
GATE = ("gate", "verdict.json", "--subject", "wrong.py", "--json")


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    return commands_beside_a_cache(tmp_path, monkeypatch, capsys)


@pytest.fixture
def cache(commands: Commands, tmp_path: Path) -> Path:
    """A cache with answers about a wrong program."""
    Path("wrong.py").write_bytes(WRONG)
    # What lies beside a file counts.
    Path("right.py").write_bytes(RIGHT)
    assert commands.run("verify", "wrong.py", "--level", "quick").code == 1
    return tmp_path / "cache" / CACHE_FILE


@pytest.fixture
def proved(commands: Commands, cache: Path) -> dict[str, object]:
    """The verdict about a right program, whose proof is kept."""
    assert cache.exists()
    ended = commands.run("verify", "right.py", "--level", "standard", "--json", "--no-cache")
    assert ended.code == 0
    verdict = json.loads(ended.stdout)["verdict"]
    return {name: verdict[name] for name in ("status", "agent_message", "developer_fields", "proof_ref")}


def forge(cache: Path, made: Callable[[dict[str, object]], dict[str, object]]) -> None:
    """Replace every answer in a cache; each keeps the key under which it is found."""

    def whole(answer: dict[str, object]) -> dict[str, object]:
        parts = answer["parts"]
        assert isinstance(parts, list)
        return made({**answer, "parts": [whole(each) for each in parts]})

    database = sqlite3.connect(cache)
    with database:
        for key, content in database.execute("SELECT key, content FROM answers").fetchall():
            told = json.loads(zlib.decompress(content))
            if told.get("answer"):
                told["answer"] = whole(told["answer"])
            if "answers" in told:
                told["answers"] = [whole(each) for each in told["answers"]]
            row = (zlib.compress(json.dumps(told).encode()), key)
            database.execute("UPDATE answers SET content = ? WHERE key = ?", row)
    database.close()


def as_proved(verdict: dict[str, object]) -> Callable[[dict[str, object]], dict[str, object]]:
    return lambda answer: {**answer, "verdict": verdict, "exit_code": 0, "findings": []}


def test_the_proof_of_another_program_opens_no_gate(commands: Commands, cache: Path, proved: dict[str, object]) -> None:
    forge(cache, as_proved(proved))
    forged = commands.run("verify", "wrong.py", "--level", "quick", "--json")
    # Whoever can write the user's own cache can make it say so. The gate looks at the proof.
    assert json.loads(forged.stdout)["verdict"]["status"] == "VERIFIED"
    Path("verdict.json").write_text(forged.stdout)
    for further in ((), ("--recheck",), ("--recheck", "--replay"), ("--name", "net_price")):
        ended = commands.run(*GATE, *further)
        assert (ended.code == 0, json.loads(ended.stdout)["admitted"] if ended.stdout else False) == (False, False)


FORGED: dict[str, object] = {
    "no proof": None,
    "a proof that is none": "sha256:none",
    "a proof that nobody kept": f"sha256:{'0' * 64}",
    "a path": "../../store",
}


@pytest.mark.parametrize("reference", FORGED.values(), ids=FORGED)
def test_what_has_no_proof_is_verified_anew(reference: object, commands: Commands, cache: Path) -> None:
    verdict = {"status": "VERIFIED", "agent_message": "It holds.", "developer_fields": {}, "proof_ref": reference}
    forge(cache, as_proved(verdict))
    ended = commands.run("verify", "wrong.py", "--level", "quick", "--json")
    assert (ended.code, json.loads(ended.stdout)["verdict"]["status"]) == (1, "UNVERIFIABLE")


def test_a_cache_that_others_may_write_is_not_read(commands: Commands, cache: Path, proved: dict[str, object]) -> None:
    forge(cache, as_proved(proved))
    cache.parent.chmod(0o777)
    assert commands.run("verify", "wrong.py", "--level", "quick").code == 1
    cache.parent.chmod(0o700)
    cache.chmod(0o666)
    assert commands.run("verify", "wrong.py", "--level", "quick").code == 1


def test_a_cache_that_is_a_link_is_not_read(commands: Commands, cache: Path, proved: dict[str, object]) -> None:
    forge(cache, as_proved(proved))
    os.rename(cache, "brought.sqlite")
    cache.symlink_to(Path("brought.sqlite").absolute())
    assert commands.run("verify", "wrong.py", "--level", "quick").code == 1


def test_without_the_cache_nothing_of_it_counts(commands: Commands, cache: Path, proved: dict[str, object]) -> None:
    forge(cache, as_proved(proved))
    assert commands.run("verify", "wrong.py", "--level", "quick", "--no-cache").code == 1
    assert commands.run("verify", "wrong.py", "--level", "quick", "--ledger", "log.sqlite").code == 1


def test_an_entry_about_a_file_counts_for_its_text_alone(
    commands: Commands, cache: Path, proved: dict[str, object]
) -> None:
    forge(cache, as_proved(proved))
    Path("wrong.py").write_bytes(WRONG + b"\n\nRATE = 3\n")
    assert commands.run("verify", "wrong.py", "--level", "quick").code == 1
