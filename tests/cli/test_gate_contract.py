"""What the gate asks of a verdict about an output: the contract that the reader names, and no other."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from probatum.app import sources
from tests.cli import programs
from tests.cli.command import Commands

DEMANDS = "what was judged, and by what, is what is required"
STRONG = {"type": "object", "required": ["total"], "properties": {"total": {"type": "integer", "minimum": 0}}}
WEAK = {"type": "object", "required": ["total"]}
SUBJECT = ("--subject", "out.json")
EVIL = b'"""A helper.\n\n```json\n{"total": 3}\n```\n"""\nimport os\n'


def written_contract(path: Path, schema: object, **more: object) -> None:
    path.write_text(json.dumps({"contract_spec_format": 2, "task_id": "order", "output_schema": schema, **more}))


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "out.json").write_bytes(b'{"total": 3}')
    (tmp_path / "in.json").write_bytes(b'{"question": "How many?"}')
    (tmp_path / "other.json").write_bytes(b'{"question": "How often?"}')
    written_contract(tmp_path / "strong.json", STRONG)
    written_contract(tmp_path / "weak.json", WEAK)


def judged(commands: Commands, tmp_path: Path, contract: str, *more: str, subject: str = "out.json") -> None:
    ended = commands.run("check", subject, "--contract", contract, "--json", *more)
    assert ended.code == 0
    (tmp_path / "verdict.json").write_text(ended.stdout)


def asked(commands: Commands, *arguments: str, subject: tuple[str, str] = SUBJECT) -> tuple[int, str, str]:
    """Return the exit code, the title of the step that failed and what it says."""
    ended = commands.run("gate", "verdict.json", *subject, "--recheck", "--replay", *arguments, "--json")
    document = json.loads(ended.stdout)
    assert document["admitted"] is (ended.code == 0)
    failed = [step for step in document["steps"] if step["holds"] is False]
    return (ended.code, failed[0]["title"], failed[0]["detail"]) if failed else (ended.code, "", "")


def test_an_output_is_admitted_for_the_contract_that_it_was_judged_by(commands: Commands, tmp_path: Path) -> None:
    judged(commands, tmp_path, "strong.json")
    assert asked(commands, "--contract", "strong.json", "--require", "proved") == (0, "", "")


def test_a_weaker_contract_of_the_same_name_and_version_is_refused(commands: Commands, tmp_path: Path) -> None:
    judged(commands, tmp_path, "weak.json")
    code, title, detail = asked(commands, "--contract", "strong.json")
    assert (code, title) == (1, DEMANDS)
    assert "is demanded" in detail


def test_an_output_is_refused_where_no_contract_is_demanded(commands: Commands, tmp_path: Path) -> None:
    judged(commands, tmp_path, "strong.json")
    code, title, detail = asked(commands)
    assert (code, title) == (1, DEMANDS)
    assert "--contract" in detail


def test_a_program_cannot_be_passed_off_as_an_output(commands: Commands, tmp_path: Path) -> None:
    """A program may hold JSON that satisfies a contract of its author; that says nothing about the program."""
    (tmp_path / "evil.py").write_bytes(EVIL)
    judged(commands, tmp_path, "weak.json", subject="evil.py")
    assert asked(commands, subject=("--subject", "evil.py"))[:2] == (1, DEMANDS)


def test_a_program_is_refused_where_an_output_is_demanded(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(programs.HOLDING)
    (tmp_path / "verdict.json").write_text(commands.run("verify", "app.py", "--json").stdout)
    app = ("--subject", "app.py")
    assert asked(commands, subject=app)[0] == 0
    code, title, detail = asked(commands, "--contract", "strong.json", subject=app)
    assert (code, title) == (1, DEMANDS)
    assert "it was verified without a contract; what --contract names is demanded" in detail
    assert "--input cannot be demanded" in asked(commands, "--input", "in.json", subject=app)[2]


def test_an_output_is_admitted_for_the_input_that_it_was_judged_with(commands: Commands, tmp_path: Path) -> None:
    demanded = ("--contract", "strong.json")
    judged(commands, tmp_path, "strong.json", "--input", "in.json")
    code, title, detail = asked(commands, *demanded)
    assert (code, title) == (1, DEMANDS)
    assert "an input of somebody's choice: name yours with --input" in detail
    assert asked(commands, *demanded, "--input", "in.json")[0] == 0
    assert asked(commands, *demanded, "--input", "other.json")[:2] == (1, DEMANDS)
    judged(commands, tmp_path, "strong.json")
    code, title, detail = asked(commands, *demanded, "--input", "in.json")
    assert (code, title) == (1, DEMANDS)
    assert "without an input" in detail


def test_a_bundle_is_asked_for_its_contract_too(commands: Commands, tmp_path: Path) -> None:
    judged(commands, tmp_path, "weak.json")
    reference = json.loads((tmp_path / "verdict.json").read_text())["verdict"]["proof_ref"]
    assert commands.run("proof", "export", reference, "--out", "verdict.json").code == 0
    assert asked(commands, "--contract", "weak.json")[0] == 0
    assert asked(commands, "--contract", "strong.json")[:2] == (1, DEMANDS)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--contract", "nobody_knows"), 2, "nobody_knows"),
        (("--contract", "missing.json"), 2, "missing.json"),
        (("--contract", "list.json"), 4, "got list"),
        (("--contract", "deep.json"), 4, "nested"),
        (("--contract", ""), 2, "empty"),
        (("--input", "in.json"), 2, "--contract"),
        (("--contract", "strong.json", "--input", "missing.json"), 2, "missing.json"),
    ],
)
def test_a_demand_that_cannot_be_used_ends_as_the_check_does(
    commands: Commands, tmp_path: Path, arguments: tuple[str, ...], code: int, told: str
) -> None:
    schema: object = True
    for _ in range(50):
        schema = {"properties": {"a": schema}}
    written_contract(tmp_path / "deep.json", schema)
    (tmp_path / "list.json").write_bytes(b"[1]")
    judged(commands, tmp_path, "strong.json")
    ended = commands.run("gate", "verdict.json", *SUBJECT, *arguments)
    assert ended.code == code
    assert told in ended.stderr


@pytest.mark.parametrize("arguments", [("pipe", *SUBJECT), ("verdict.json", "--subject", "pipe")])
def test_a_pipe_that_nobody_writes_into_is_not_waited_for(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sources, "PATIENCE_SECONDS", 0.01)
    judged(commands, tmp_path, "strong.json")
    os.mkfifo(tmp_path / "pipe")
    assert commands.run("gate", *arguments, "--contract", "strong.json").code == 2


def test_a_pipe_is_no_store_and_no_ledger(commands: Commands, tmp_path: Path) -> None:
    judged(commands, tmp_path, "strong.json")
    os.mkfifo(tmp_path / "pipe.sqlite")
    gate = ("gate", "verdict.json", *SUBJECT, "--contract", "strong.json")
    assert commands.run(*gate, "--store", "pipe.sqlite").code == 1
    for option in ("--store", "--ledger"):
        ended = commands.run("check", "out.json", "--contract", "strong.json", option, "pipe.sqlite")
        assert (ended.code, f"not a {option[2:]} of probatum" in ended.stdout) == (4, True)
    assert commands.run("ledger", "audit", "--ledger", "pipe.sqlite").code == 2


def test_a_path_that_none_can_be_is_wrong_usage(commands: Commands) -> None:
    assert commands.run("proof", "recheck", "a\0b").code == 2


def test_the_input_may_come_from_standard_input(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text("{}")
    judged(commands, tmp_path, "strong.json", "--input", "in.json")
    gate = ("gate", "verdict.json", *SUBJECT, "--contract", "strong.json", "--input", "-")
    assert commands.run(*gate, stdin=b"{}").code == 0
    assert commands.run(*gate, stdin=b"[]").code == 1
