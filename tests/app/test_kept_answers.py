"""Answers of earlier runs: found again where nothing changed that they depend on, and nowhere else."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from probatum.app.cache import CACHE_FILE
from tests.cli.command import Commands, Ended, commands_beside_a_cache

# Nothing of it is measured at this level, so that it is fast; wrong answers are refuted all the same.
QUICK = ("--level", "quick")
ONE = b"def f(x: int) -> int:\n    '''\n    >>> f(2)\n    4\n    '''\n    return x * 2\n"
TWO = ONE + b"\n\ndef g(x: int) -> int:\n    '''\n    >>> g(2)\n    6\n    '''\n    return x * 3\n"


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    return commands_beside_a_cache(tmp_path, monkeypatch, capsys)


def told(ended: Ended) -> dict[str, tuple[str, str]]:
    """Return status and constraint of each function that a run answered."""
    document = json.loads(ended.stdout)
    parts = document.get("functions", {"": document})
    verdicts = {name: each["verdict"] for name, each in parts.items()}
    return {name: (each["status"], str(each["developer_fields"]["constraint_id"])) for name, each in verdicts.items()}


def both(commands: Commands, *arguments: str) -> dict[str, tuple[str, str]]:
    """Return what a run says that may use the cache; the same must be said without one."""
    kept = told(commands.run("verify", *arguments, *QUICK, "--json"))
    assert kept == told(commands.run("verify", *arguments, *QUICK, "--json", "--no-cache"))
    return kept


def test_a_damaged_or_missing_cache_changes_no_verdict(commands: Commands, tmp_path: Path) -> None:
    Path("m.py").write_bytes(TWO.replace(b"x * 3", b"x * 4"))
    expected = both(commands, "m.py")
    assert [status for status, _ in expected.values()] == ["UNVERIFIABLE"] * 2
    (tmp_path / "cache" / CACHE_FILE).write_bytes(os.urandom(5000))
    assert told(commands.run("verify", "m.py", *QUICK, "--json")) == expected
    (tmp_path / "cache").chmod(0o777)
    assert told(commands.run("verify", "m.py", *QUICK, "--json")) == expected


def _later(path: Path, content: bytes) -> None:
    path.write_bytes(content)


EDITS: dict[str, Callable[[Path], None]] = {
    "another function is wrong": lambda each: _later(each, TWO.replace(b"x * 3", b"x * 4")),
    "a function is gone": lambda each: _later(each, ONE),
    "the module cannot be read": lambda each: _later(each, TWO + b"def h(:\n"),
    "the module raises": lambda each: _later(each, TWO + b"raise ValueError\n"),
    "a function that is left out keeps the module from being read": lambda each: _later(
        each, TWO + b"def h():  # probatum: ignore[later]\n    nonlocal missing\n"
    ),
    "lines above": lambda each: _later(each, b"import math\n\n\n" + TWO),
    "other ends of lines": lambda each: _later(each, TWO.replace(b"\n", b"\r\n")),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_after_an_edit_the_verdicts_are_those_without_a_cache(edit: Callable[[Path], None], commands: Commands) -> None:
    Path("m.py").write_bytes(TWO)
    commands.run("verify", "m.py", *QUICK)
    edit(Path("m.py"))
    answered = both(commands, "m.py")
    # And again, when all of it is kept.
    assert told(commands.run("verify", "m.py", *QUICK, "--json")) == answered


def test_a_file_that_is_edited_while_it_is_verified_is_verified_again(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    from probatum.app.service import Service

    path = Path("m.py")
    path.write_bytes(ONE)
    verify = Service.verify

    def verify_and_edit(*given: object, **named: object) -> object:
        path.write_bytes(ONE.replace(b"x * 2", b"x * 5"))
        return verify(*given, **named)  # type: ignore[arg-type]  # as they came

    with monkeypatch.context() as patched:
        patched.setattr(Service, "verify", verify_and_edit)
        before = told(commands.run("verify", "m.py", *QUICK, "--json"))
    after = both(commands, "m.py")
    assert before != after


def _entries(cache: Path) -> dict[bytes, dict[str, object]]:
    database = sqlite3.connect(cache / CACHE_FILE)
    rows = {
        key: json.loads(zlib.decompress(each)) for key, each in database.execute("SELECT key, content FROM answers")
    }
    database.close()
    return rows


def _written(cache: Path, entries: dict[bytes, bytes]) -> None:
    database = sqlite3.connect(cache / CACHE_FILE)
    with database:
        rows = [(zlib.compress(content), key) for key, content in entries.items()]
        database.executemany("UPDATE answers SET content = ? WHERE key = ?", rows)
    database.close()


GARBAGE: dict[str, Callable[[dict[str, object]], object]] = {
    "nothing": lambda _: None,
    "a list": lambda _: [1, 2],
    "an empty object": lambda _: {},
    "deep": lambda _: json.loads('{"answer":' * 90 + "1" + "}" * 90),
    "an answer of nothing": lambda told: {**told, "answer": {}, "answers": [{}]},
    "a part of nothing": lambda told: _changed(told, parts=[], is_part=True),
    "no page": lambda told: _changed(told, sheet={}),
    "no document": lambda told: _changed(told, document="["),
    "findings of another form": lambda told: _changed(told, findings=[{"severity": "none"}]),
    "no name": lambda told: _changed(told, name=7),
    "lines of another form": lambda told: {**told, "lines": [[1]], "read_from": {"m.py": 7}},
    "verified without a proof": lambda told: _changed(
        told, verdict={"status": "VERIFIED", "agent_message": "It holds.", "developer_fields": {}}
    ),
    "a proof that nobody kept": lambda told: _changed(
        told,
        verdict={
            "status": "VERIFIED",
            "agent_message": "It holds.",
            "developer_fields": {},
            "proof_ref": f"sha256:{'0' * 64}",
        },
    ),
}


def _changed(told: dict[str, object], **fields: object) -> dict[str, object]:
    found = dict(told)
    if isinstance(answer := told.get("answer"), dict):
        found["answer"] = {**answer, **fields, "parts": fields.get("parts", [])}
    if isinstance(answers := told.get("answers"), list):
        found["answers"] = [{**each, **fields} for each in answers]
    return found


@pytest.mark.parametrize("forge", GARBAGE.values(), ids=GARBAGE)
def test_what_no_answer_was_written_as_is_as_if_it_was_never_kept(
    forge: Callable[[dict[str, object]], object], commands: Commands, tmp_path: Path
) -> None:
    Path("m.py").write_bytes(ONE.replace(b"x * 2", b"x * 3"))
    expected = commands.run("verify", "m.py", *QUICK)
    entries = _entries(tmp_path / "cache")
    assert len(entries) >= 2
    _written(tmp_path / "cache", {key: json.dumps(forge(each)).encode() for key, each in entries.items()})
    again = commands.run("verify", "m.py", *QUICK)
    assert (again.code, again.stdout, again.stderr) == (expected.code, expected.stdout, expected.stderr)


def test_another_build_answers_anew(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    Path("m.py").write_bytes(ONE)
    expected = told(commands.run("verify", "m.py", *QUICK, "--json"))
    before = len(_entries(tmp_path / "cache"))
    monkeypatch.setattr("probatum.app.checking.build", lambda: b"another")
    assert told(commands.run("verify", "m.py", *QUICK, "--json")) == expected
    assert len(_entries(tmp_path / "cache")) == 2 * before


def test_without_a_home_nothing_is_kept(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PROBATUM_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    Path("m.py").write_bytes(ONE)
    assert [status for status, _ in both(commands, "m.py").values()] == ["UNVERIFIABLE"]
    assert not list((tmp_path / "cache").iterdir())
