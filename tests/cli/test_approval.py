"""`probatum verify --gate … --approve-at X`: gates before the verdict, and nothing is approved but what passes all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import programs
from tests.cli.command import Commands
from tests.cli.folders import right, warm, words, write, wrong

HOLDING = programs.HOLDING.decode()
OPEN = programs.OPEN.decode()
UNUSED = f"import os\n{HOLDING}"
IGNORED = f"{HOLDING}\n\n{wrong('g', comment='  # probatum: ignore[later]')}"


@pytest.fixture(autouse=True)
def _warm(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(monkeypatch, tmp_path_factory)


@pytest.mark.parametrize(
    ("sources", "options", "code", "told"),
    [
        ([HOLDING], ["--approve-at", "0.5"], 0, "APPROVED   VERIFIED with confidence "),
        ([HOLDING], ["--approve-at", "1", "--fail-on", "refuted"], 3, "NEEDS REVIEW  its confidence 0."),
        ([HOLDING, OPEN], ["--approve-at", "0.5", "--fail-on", "refuted"], 3, "NEEDS REVIEW  b.py::net_price: the "),
        ([HOLDING, right("f")], ["--approve-at", "0.5", "-x"], 0, "APPROVED   all are VERIFIED with confidence 0."),
        ([wrong("f")], ["--approve-at", "0.5", "-x"], 1, "NEEDS REVIEW  the verdict is UNVERIFIABLE\n"),
        ([IGNORED], ["--approve-at", "0.5"], 3, "NEEDS REVIEW  a.py::g is ignored by its author\n"),
        ([UNUSED], ["--approve-at", "0.5", "--gate", "lint"], 1, "NEEDS REVIEW  the gates end at a.py\n"),
        ([UNUSED, wrong("f")], ["--gate", "lint"], 1, "FAILED     a.py: lint: ruff: 1 error\n           1:8: `os` "),
        ([HOLDING], ["--gate", "syntax,lint,import,semantic", "--approve-at", "0.5"], 0, "PASSED     a.py: import: "),
        (["def f(:\n"], ["--gate", "syntax,lint"], 1, "FAILED     a.py: syntax: "),
        (["import nowhere\n"], ["--gate", "import"], 4, "BLOCKED    a.py: import: "),
    ],
)
def test_nothing_is_approved_but_what_is_verified_with_enough_confidence(
    sources: list[str], options: list[str], code: int, told: str, commands: Commands, tmp_path: Path
) -> None:
    write(tmp_path, dict(zip(("a.py", "b.py"), sources, strict=False)))
    ended = commands.run("verify", *("a.py", "b.py")[: len(sources)], *options, "-j", "1")
    assert told in ended.stdout
    assert ended.code == code, ended.stderr


def test_a_gate_ends_one_file_and_the_others_are_verified(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": UNUSED, "b.py": HOLDING})
    ended = commands.run("verify", "a.py", "b.py", "--gate", "lint", "-j", "1")
    assert (ended.code, words(ended).get("b.py::net_price")) == (1, "VERIFIED")
    told = json.loads(commands.run("verify", "a.py", "b.py", "--gate", "lint", "--json", "-j", "1").stdout)
    assert list(told["files"]) == ["b.py"]
    assert [each["state"] for each in (*told["gates"]["a.py"], *told["gates"]["b.py"])] == ["failed", "passed"]


@pytest.mark.parametrize("layer", ["agent", "developer"])
def test_an_agent_learns_the_answer_alone(layer: str, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": HOLDING})
    options = ("a.py", "--gate", "syntax", "--approve-at", "0.5", "--layer", layer)
    told, page = json.loads(commands.run("verify", *options, "--json").stdout), commands.run("verify", *options).stdout
    assert told["approval"]["approved"] is True
    assert told["verdict"]["status"] == "VERIFIED"
    gate, reached = told["gates"]["a.py"][0], set(told["approval"])
    assert set(gate) == ({"gate", "state"} if layer == "agent" else {"gate", "state", "message", "errors"})
    assert reached == ({"approved"} if layer == "agent" else {"approved", "confidence", "at", "reason"})
    assert ("confidence" in page) == (layer != "agent")


def test_where_nothing_changed_nothing_is_approved(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "X = 1\n"})
    ended = commands.run("verify", ".", "--exclude", "a.py", "--force-exclude", "--approve-at", "0.5")
    assert (ended.code, ended.stdout.endswith("NEEDS REVIEW  nothing was verified\n")) == (3, True)


def test_a_report_for_programs_tells_gates_and_approval_beside(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": UNUSED})
    ended = commands.run("verify", "a.py", "--gate", "lint", "--approve-at", "0.5", "--output-format", "junit")
    assert (ended.code, ended.stdout.startswith("<?xml")) == (1, True)
    assert "FAILED a.py: lint: ruff: 1 error\n1:8: `os` imported" in ended.stderr
    assert ended.stderr.endswith("NEEDS REVIEW the gates end at a.py\n")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--approve-at", "0.4"], "approval.bar"),
        (["--approve-at", "nan"], "approval.bar"),
        (["--gate", "lin"], "gate.unknown"),
        (["--gate", "lint,"], "gate.unknown"),
    ],
)
def test_what_is_asked_wrongly_is_refused(options: list[str], code: str, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": HOLDING})
    ended = commands.run("verify", "a.py", *options)
    assert (ended.code, f"error[{code}]" in ended.stderr, ended.stdout) == (2, True, "")


def test_gates_need_a_file(commands: Commands) -> None:
    ended = commands.run("verify", "-", "--gate", "lint", stdin=HOLDING.encode())
    assert (ended.code, "error[path.stdin]" in ended.stderr) == (2, True)
