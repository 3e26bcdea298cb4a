"""Whole command lines and what a person sees: exit code, standard output, standard error.

To accept changed screens, run with PROBATUM_UPDATE_SNAPSHOTS=1 and review the difference of the files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli import programs
from tests.cli.command import Commands

SNAPSHOTS = Path(__file__).parent / "snapshots"


@dataclass(frozen=True)
class Case:
    """One command line, the files it finds and what it is given on standard input."""

    arguments: list[str]
    code: int
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""


def one_file(content: bytes, code: int, *arguments: str) -> Case:
    return Case(["verify", "app.py", *arguments], code, {"app.py": content})


TWO = programs.HOLDING + b"\n\n" + programs.WRONG
REQUEST = b'{"id": "a", "kind": "program", "source": ""}\n'

CASES = {
    # what a verdict looks like
    "verified": one_file(programs.HOLDING, 0),
    "refuted": one_file(programs.WRONG, 1),
    "undecided_weak": one_file(programs.WEAK, 3),
    "two_functions": one_file(TWO, 1),
    "one_of_two": Case(["verify", "app.py::net_price"], 0, {"app.py": TWO}),
    "a_folder": Case(["verify", "shop"], 1, {"shop/a.py": programs.HOLDING, "shop/sub/b.py": programs.WRONG}),
    "standard_input": Case(["verify", "-"], 1, stdin=programs.WRONG),
    "quick": one_file(programs.WRONG, 1, "--level", "quick"),
    "agent_layer": one_file(programs.WRONG, 1, "--layer", "agent"),
    "agent_layer_json": one_file(programs.WRONG, 1, "--layer", "agent", "--json"),
    "agent_layer_json_two": one_file(TWO, 1, "--layer", "agent", "--json"),
    "agent_layer_events": one_file(programs.WRONG, 1, "--layer", "agent", "--events"),
    "tests_saved": one_file(programs.HOLDING, 0, "--save-tests", "--layer", "developer"),
    # what cannot be read
    "missing_file": Case(["verify", "ap.py"], 2, {"app.py": programs.HOLDING}),
    "missing_file_json": Case(["verify", "ap.py", "--json"], 2),
    "missing_file_events": Case(["verify", "ap.py", "--events"], 2),
    "missing_name": Case(["verify", "app.py::net_prize"], 2, {"app.py": programs.HOLDING}),
    "name_in_folder": Case(["verify", "shop::f"], 2, {"shop/a.py": programs.HOLDING}),
    "empty_folder": Case(["verify", "shop"], 2, {"shop/notes.txt": b""}),
    "empty_file": one_file(b"", 3),
    "no_specification": one_file(programs.NO_SPECIFICATION, 3),
    "too_large": one_file(b"#" * 5_000_000, 3),
    "binary": one_file(programs.NOT_PYTHON, 4),
    "wrong_encoding": one_file(programs.LATIN_1, 4),
    # what does not run
    "syntax_error": one_file(programs.SYNTAX_ERROR, 1),
    "raises_at_import": one_file(programs.RAISES, 1),
    "exits_at_import": one_file(programs.EXITS, 1),
    "loops_at_import": one_file(programs.LOOPS, 3),
    "missing_package": one_file(programs.MISSING_PACKAGE, 4),
    "hostile_text": one_file(programs.HOSTILE_TEXT, 1),
    # wrong usage
    "no_arguments": Case([], 2),
    "no_such_command": Case(["verfy"], 2),
    "no_such_option": one_file(b"", 2, "--levle", "quick"),
    "no_such_level": one_file(b"", 2, "--level", "quik"),
    "no_such_layer": one_file(b"", 2, "--layer", "agents"),
    "strength_out_of_range": one_file(b"", 2, "--min-strength", "1.5"),
    "strength_is_no_number": one_file(b"", 2, "--min-strength", "much"),
    "no_path": Case(["verify"], 2),
    "contract_missing": one_file(b"", 2, "--contract", "@no.txt"),
    "contract_for_a_folder": Case(["verify", "shop", "--contract", "x"], 2, {"shop/a.py": b""}),
    "store_of_unknown_kind": one_file(b"", 2, "--store", "proofs.txt"),
    "tests_not_ours": Case(
        ["verify", "app.py", "--save-tests"],
        2,
        {"app.py": programs.HOLDING, "tests/generated/test_app.py": b"# mine\n"},
    ),
    # the other commands
    "version": Case(["--version"], 0),
    "proof_unknown": Case(["proof", "show", f"sha256:{'0' * 64}"], 1),
    "proof_no_digest": Case(["proof", "show", "sha256:12"], 1),
    "recheck_unknown": Case(["proof", "recheck", f"sha256:{'0' * 64}"], 1),
    "proof_alone": Case(["proof"], 2),
    "batch_duplicate": Case(["batch", "in.jsonl", "out.jsonl"], 2, {"in.jsonl": REQUEST * 2}),
    "batch_malformed": Case(["batch", "in.jsonl", "out.jsonl"], 2, {"in.jsonl": REQUEST + b"{\n"}),
    "batch_missing": Case(["batch", "in.jsonl", "out.jsonl", "--json"], 2),
    "bench_unknown": Case(["bench", "humaneval", "--data", "x.jsonl"], 2),
    "bench_without_data": Case(["bench", "humanevalfix"], 2),
    "bench_missing_data": Case(["bench", "humanevalfix", "--data", "x.jsonl"], 2),
}


@pytest.mark.parametrize("name", CASES)
def test_screen(name: str, commands: Commands, tmp_path: Path) -> None:
    case = CASES[name]
    for path, content in case.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    screen = commands.run(*case.arguments, stdin=case.stdin).screen(case.arguments)
    assert screen.splitlines()[1] == f"exit code {case.code}"
    assert "Traceback" not in screen
    snapshot = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("PROBATUM_UPDATE_SNAPSHOTS") == "1":
        snapshot.write_text(screen)
    assert screen == snapshot.read_text()


def test_every_snapshot_has_its_case() -> None:
    assert {path.stem for path in SNAPSHOTS.glob("*.txt")} == set(CASES)
