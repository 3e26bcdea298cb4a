"""Whole command lines and what a person sees: exit code, standard output, standard error.

To accept changed screens, run with PROBATUM_UPDATE_SNAPSHOTS=1 and review the difference of the files.
"""

from __future__ import annotations

import os
import re
import shlex
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
MANY = b"\n\n".join((TWO, programs.WEAK, programs.WORDS))
MANY_UNDECIDED = b"\n\n".join((programs.HOLDING, programs.WEAK, programs.WORDS, programs.NO_SPECIFICATION))
RIGHT = b'{"yes": true, "confidence": 0.9, "reason": "It rains."}'
WRONG = b'{"yes": "true", "confidence": 90, "reason": "It rains.", "note": "x"}'
GATE = ["--contract", "llm_boolean_gate"]
SCHEMA = ["--contract", "a.schema.json"]
A = {"a.schema.json": b'{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}'}
REQUEST = b'{"id": "a", "kind": "program", "source": ""}\n'

ERROR = b'{"error": {"code": "path.missing", "sentence": "There is no file.", "hint": ""}, "exit_code": 2}'
UNVERIFIABLE = (
    b'{"verdict": {"status": "UNVERIFIABLE", "agent_message": "f does not do what its documentation says.",'
    b' "developer_fields": {"constraint_id": "program.counterexample", "outcome": "refuted"}, "proof_ref": null}}'
)
MADE_UP = (
    b'{"status": "VERIFIED", "agent_message": "All is well.", "developer_fields": {}, "proof_ref": "sha256:'
    + b"0" * 64
    + b'"}'
)

READ = {"app.py": programs.READ, "app.readings.toml": programs.READINGS}
ANSWER = (
    b'{"function": "fee", "statements": [{"text": "Up to 100 it is a flat fee of 2.", "kind": "result",'
    b' "clause": "amount > 100 or result == 2", "confidence": 0.9}], "inputs": ["(50,)", "(100,)"]}'
)
KNOWN = (
    b'{"function": "fee", "reader": "m", "statements":'
    b' [{"text": "Return the fee of a transfer.", "kind": "result", "clause": "result >= 2"}]}'
)
BAD_ANSWER = (
    b'[{"function": "fees", "statements": []}, {"function": "fee"}, {"function": "fee", "statements": ['
    b'{"text": "It is free.", "kind": "result", "clause": "result == 0"},'
    b'{"text": "Return the fee of a transfer.", "kind": "result", "clause": "open(result)"},'
    b'{"text": "Return the fee of a transfer.", "kind": "result", "clause": ""},'
    b'{"text": "Up to 100 it is a flat fee of 2.", "kind": "result", "clause": "result == 2"}]}]'
)
REPLAY = b"\n".join(ANSWER.replace(b"{", b'{"id": "%d", ' % number, 1) for number in (1, 2))

CASES = {
    # what a verdict looks like
    "verified": one_file(programs.HOLDING, 0),
    "refuted": one_file(programs.WRONG, 1),
    "undecided_open": one_file(programs.OPEN, 3),
    "undecided_weak": one_file(programs.WEAK, 3),
    "suggest": one_file(programs.WEAK, 3, "--suggest"),
    "suggest_for_a_session": one_file(programs.WEAK_SESSION, 3, "--suggest"),
    "suggest_json": one_file(programs.WEAK, 3, "--suggest", "--json"),
    "suggest_nothing": one_file(programs.HOLDING, 0, "--suggest"),
    "suggest_for_what_fails": one_file(programs.WRONG, 1, "--suggest"),
    "two_functions": one_file(TWO, 1),
    "many_functions": one_file(MANY, 1),
    "many_undecided": one_file(MANY_UNDECIDED, 3),
    "undecided_quick": one_file(programs.HOLDING, 3, "--level", "quick"),
    "undecided_undocumented_error": one_file(programs.UNDOCUMENTED_ERROR, 3),
    "undecided_clock": one_file(programs.CLOCK, 3),
    "undecided_contradiction": one_file(programs.CONTRADICTION, 3),
    "undecided_contract": one_file(programs.HOLDING, 3, "--contract", "It is fast."),
    "undecided_without_examples": one_file(programs.WORDS, 3),
    "undecided_many_statements": one_file(programs.MANY_STATEMENTS, 3),
    "undecided_folder": Case(["verify", "shop"], 3, {"shop/a.py": programs.OPEN, "shop/b.py": programs.WEAK}),
    "undecided_two": one_file(programs.OPEN + b"\n\n" + programs.WEAK, 3),
    "refuted_often": one_file(programs.REFUTED_OFTEN, 1),
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
    "loops_with_words": one_file(programs.LOOPS.replace(b"    >>>", b"    Return it.\n\n    >>>"), 3),
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
    # structured output
    "claim_verified": Case(["claim", "math", "0.1 + 0.2 = 0.3"], 0),
    "claim_minus_first": Case(["claim", "logic", "--premise", "x > 1", "--declare", "x: int", "--", "-x < 0"], 0),
    "claim_refuted": Case(["claim", "math", "0.1 + 0.2 = 0.30000000000000004"], 1),
    "claim_refuted_json": Case(["claim", "math", "0.1 + 0.2 = 0.30000000000000004", "--json"], 1),
    "claim_no_claim": Case(["claim", "math", "listen"], 4),
    "claim_position": Case(["claim", "math", "1 = 2 +* 3"], 4),
    "claim_entailed": Case(["claim", "logic", "q", "--declare", "q: bool", "--premise", "not not q"], 0),
    "claim_counterexample": Case(["claim", "logic", "x > 4", "--declare", "x: int", "--premise", "x > 3"], 3),
    "claim_vacuous": Case(
        ["claim", "logic", "x = 42", "--declare", "x: int", "--premise", "x > 1", "--premise", "x < 0"], 3
    ),
    "claim_unknown_engine": Case(["claim", "maths", "1 = 1"], 2),
    "claim_unknown_input": Case(["claim", "math", "1 = 1", "--premise", "p"], 2),
    "check_verified": Case(["check", "o.json", *GATE], 0, {"o.json": RIGHT}),
    "check_refuted": Case(["check", "o.json", *GATE], 1, {"o.json": WRONG}),
    "check_refuted_json": Case(
        ["check", "o.json", *SCHEMA, "--layer", "developer", "--json"], 1, {**A, "o.json": b"{}"}
    ),
    "check_refuted_junit": Case(["check", "o.json", *GATE, "--format", "junit"], 1, {"o.json": WRONG}),
    "check_refuted_sarif": Case(["check", "o.json", *SCHEMA, "--format", "sarif"], 1, {**A, "o.json": b'{"a": "1"}'}),
    "check_agent_layer": Case(["check", "o.json", *GATE, "--layer", "agent"], 1, {"o.json": WRONG}),
    "check_fenced": Case(["check", "-", *GATE], 0, stdin=b"Sure!\n```json\n" + RIGHT + b"\n```\n"),
    "check_prose": Case(["check", "-", *GATE], 1, stdin=b"I cannot say.\n"),
    "check_two_values": Case(["check", "-", *GATE], 1, stdin=RIGHT + b"\n" + RIGHT),
    "check_wrong_input": Case(["check", "o.json", *GATE, "--input", "i.json"], 3, {"o.json": RIGHT, "i.json": b"{}"}),
    "check_input_not_json": Case(["check", "o.json", *GATE, "--input", "i.json"], 4, {"o.json": RIGHT, "i.json": b""}),
    "check_nothing_enforced": Case(["check", "o.json", *SCHEMA], 3, {"o.json": RIGHT, "a.schema.json": b"{}"}),
    "check_invalid_schema": Case(["check", "-", *SCHEMA], 4, {"a.schema.json": b'{"type": "objekt"}'}, RIGHT),
    "check_remote_schema": Case(
        ["check", "-", *SCHEMA], 4, {"a.schema.json": b'{"$ref": "https://a.example/"}'}, RIGHT
    ),
    "check_misspelt_keyword": Case(
        ["check", "-", *SCHEMA], 0, {"a.schema.json": b'{"type": "object", "requird": ["a"]}'}, RIGHT
    ),
    "check_hostile_text": Case(["check", "-", *SCHEMA], 1, A, '{"\x7f\u202e</a>": 1}'.encode()),
    "check_too_deep": Case(["check", "-", *GATE], 3, stdin=b"[" * 20_000 + b"]" * 20_000),
    "check_lines": Case(["check", "-", *GATE, "--lines", "--layer", "agent"], 1, stdin=RIGHT + b"\n" + WRONG),
    "check_lines_none": Case(["check", "-", *GATE, "--lines"], 2),
    "check_unknown_contract": Case(["check", "-", "--contract", "llm_bolean_gate"], 2),
    "check_unknown_version": Case(["check", "-", "--contract", "llm_boolean_gate:v9"], 2),
    "check_missing_file": Case(["check", "outptu.json", *GATE], 2, {"output.json": RIGHT}),
    "check_folder": Case(["check", ".", *GATE], 2),
    "check_without_contract": Case(["check", "-"], 2),
    "check_unknown_format": Case(["check", "-", *GATE, "--format", "junti"], 2),
    # readings
    "read_nothing": Case(["read", "app.py"], 0, {"app.py": programs.READ}),
    "read_listed": Case(["read", "app.py"], 0, READ),
    "read_listed_json": Case(["read", "app.py::fee", "--json"], 0, READ),
    "read_lapsed": Case(["read", "app.py"], 0, {**READ, "app.py": programs.READ.replace(b"a flat", b"no")}),
    "read_ask": Case(["read", "app.py", "--ask"], 0, {"app.py": programs.READ}),
    "read_added": Case(["read", "app.py", "--add", "-", "--reader", "m"], 0, {"app.py": programs.READ}, ANSWER),
    "read_added_again": Case(["read", "app.py", "--add", "-"], 0, READ, KNOWN),
    "read_refused": Case(["read", "app.py", "--add", "a.json"], 1, {"app.py": programs.READ, "a.json": BAD_ANSWER}),
    "read_refused_json": Case(["read", "app.py", "--add", "-", "--json"], 1, {"app.py": programs.READ}, BAD_ANSWER),
    "read_replay": Case(
        ["read", "app.py", "--with", "replay:old.jsonl", "--task", "2"],
        0,
        {"app.py": programs.READ, "old.jsonl": REPLAY},
    ),
    "read_accepted": Case(["read", "app.py", "--accept", "--by", "Ada"], 0, READ),
    "read_left_out": Case(
        ["read", "app.py", "--accept", "--all", "--by", "Ada"],
        3,
        {
            **READ,
            "app.py": programs.READ.replace(b"else amount", b"else 1 + amount").replace(
                b">>> fee(50)\n    2", b">>> fee(50)\n    3"
            ),
        },
    ),
    "read_rejected": Case(["read", "app.py", "--reject", "r32f075c4", "--by", "Ada"], 0, READ),
    "read_unsigned": Case(["read", "app.py", "--accept", "--all"], 2, READ),
    "read_unknown_id": Case(["read", "app.py", "--accept", "r0,r1", "--by", "Ada"], 2, READ),
    "read_two_things": Case(["read", "app.py", "--ask", "--accept"], 2, READ),
    "read_alone": Case(["read", "app.py", "--by", "Ada"], 2, READ),
    "read_two_files": Case(["read", "app.py", "b.py"], 2, READ),
    "read_folder": Case(["read", "."], 2, READ),
    "read_no_such_name": Case(["read", "app.py::fe"], 2, READ),
    "read_no_python": Case(["read", "app.py"], 4, {"app.py": programs.SYNTAX_ERROR}),
    "read_no_readings_file": Case(["read", "app.py"], 2, {**READ, "app.readings.toml": b"[[readings]]\nfnction = 1\n"}),
    "readings_in_a_folder": Case(["verify", "shop"], 4, {"shop/a.py": programs.HOLDING, "shop/a.readings.toml": b"x"}),
    "readings_missing": one_file(programs.HOLDING, 2, "--readings", "no.toml"),
    "read_no_json": Case(["read", "app.py", "--add", "-"], 2, {"app.py": programs.READ}, b"result == 1\n"),
    "read_no_reader": Case(["read", "app.py", "--with", "gpt"], 2, {"app.py": programs.READ}),
    "read_standard_input": Case(["read", "-"], 2, stdin=programs.READ),
    # the other commands
    "version": Case(["--version"], 0),
    "proof_unknown": Case(["proof", "show", f"sha256:{'0' * 64}"], 1),
    "proof_no_digest": Case(["proof", "show", "sha256:12"], 1),
    "recheck_unknown": Case(["proof", "recheck", f"sha256:{'0' * 64}"], 1),
    "proof_alone": Case(["proof"], 2),
    "gate_without_subject": Case(["gate", "verdict.json"], 2, {"verdict.json": b"{}"}),
    "gate_missing_verdict": Case(["gate", "no.json", "--subject", "app.py"], 2, {"app.py": b""}),
    "gate_no_verdict": Case(["gate", "v.json", "--subject", "app.py"], 1, {"app.py": b"", "v.json": b'{"a": 1}'}),
    "gate_no_json": Case(["gate", "v.json", "--subject", "app.py"], 1, {"app.py": b"", "v.json": b"VERIFIED"}),
    "gate_not_verified": Case(["gate", "v.json", "--subject", "app.py"], 1, {"app.py": b"", "v.json": UNVERIFIABLE}),
    "gate_made_up": Case(["gate", "v.json", "--subject", "app.py"], 1, {"app.py": b"", "v.json": MADE_UP}),
    "gate_made_up_json": Case(
        ["gate", "v.json", "--subject", "app.py", "--json"], 1, {"app.py": b"", "v.json": MADE_UP}
    ),
    "gate_error_document": Case(["gate", "v.json", "--subject", "app.py"], 1, {"app.py": b"", "v.json": ERROR}),
    "gate_unknown_assurance": Case(
        ["gate", "v.json", "--subject", "app.py", "--require", "prooved"], 2, {"app.py": b"", "v.json": MADE_UP}
    ),
    "gate_age_without_key": Case(
        ["gate", "v.json", "--subject", "app.py", "--max-age", "1h"], 2, {"app.py": b"", "v.json": MADE_UP}
    ),
    "gate_no_key": Case(
        ["gate", "v.json", "--subject", "app.py", "--trust", "app.py"], 2, {"app.py": b"", "v.json": MADE_UP}
    ),
    "key_none": Case(["key", "list"], 0),
    "key_unknown": Case(["key", "public", "release"], 2),
    "key_bad_name": Case(["key", "generate", "../release"], 2),
    "export_unknown": Case(["proof", "export", f"sha256:{'0' * 64}", "--out", "b.json"], 1),
    "export_unknown_key": Case(["proof", "export", f"sha256:{'0' * 64}", "--out", "b.json", "--sign", "me"], 2),
    "erase_unknown": Case(["proof", "erase", f"sha256:{'0' * 64}", "--yes"], 1),
    "erase_no_digest": Case(["proof", "erase", "recent.py", "--yes"], 1),
    "erase_two_extents": Case(["proof", "erase", f"sha256:{'0' * 64}", "--all", "--subject"], 2),
    "import_no_bundle": Case(["proof", "import", "b.json"], 1, {"b.json": b"{}"}),
    "import_missing": Case(["proof", "import", "b.json"], 2),
    "recheck_no_bundle": Case(["proof", "recheck", "b.json"], 1, {"b.json": b"{}"}),
    "recheck_missing": Case(["proof", "recheck", "b.json"], 2),
    "ledger_none": Case(["ledger", "head"], 2),
    "ledger_missing": Case(["ledger", "head", "--ledger", "log.sqlite"], 2),
    "ledger_missing_audit": Case(["ledger", "audit", "--ledger", "log.sqlite"], 2),
    "ledger_not_ours": Case(["ledger", "audit", "--ledger", "log.sqlite"], 1, {"log.sqlite": b"text"}),
    "ledger_folder": Case(["ledger", "head", "--ledger", "shop"], 2, {"shop/a.py": b""}),
    "ledger_format": Case(["ledger", "export", "--ledger", "log.sqlite", "--format", "cvs"], 2),
    "ledger_not_writable": one_file(programs.HOLDING, 4, "--ledger", "app.py"),
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


MOST_LINES = 25
# How a page begins: its word, then its subject; a line about a function says more.
HEADLINE = re.compile(r"(?m)^(?=(?:VERIFIED|REFUTED|UNDECIDED|BLOCKED)  \S(?:(?!: ).)*$)")
VERIFIED_SCREENS = sorted(
    path.stem for path in SNAPSHOTS.glob("*.txt") if re.search(r"(?m)^(VERIFIED|REFUTED|UNDECIDED)  ", path.read_text())
)


def pages_of(name: str) -> list[list[str]]:
    """Return the pages of a screen as lines, without the blank line that ends each."""
    shown = (SNAPSHOTS / f"{name}.txt").read_text().partition("--- stdout\n")[2].partition("--- stderr\n")[0]
    return [page.rstrip("\n").split("\n") for page in HEADLINE.split(shown) if HEADLINE.match(page)]


@pytest.mark.parametrize("name", VERIFIED_SCREENS)
def test_an_undecided_report_begins_with_the_command_that_gets_it_decided(name: str) -> None:
    for page in pages_of(name):
        if page[0].startswith("UNDECIDED") and len(page) > 2:
            first = page.index("") + 1
            assert page[first] == "Next"
            assert page[first + 1].startswith("  -      probatum ")
            assert page[first + 2].startswith("         ")


@pytest.mark.parametrize("name", [name for name in VERIFIED_SCREENS if CASES[name].arguments[0] == "verify"])
def test_the_report_of_a_function_is_short(name: str) -> None:
    assert max(map(len, pages_of(name)), default=0) <= MOST_LINES


ASKED = [
    "undecided_open",
    "undecided_weak",
    "undecided_without_examples",
    "undecided_quick",
    "many_undecided",
    "loops_with_words",
]


@pytest.mark.parametrize("name", ASKED)
def test_the_command_that_a_report_begins_with_runs(name: str, commands: Commands, tmp_path: Path) -> None:
    for path, content in CASES[name].files.items():
        (tmp_path / path).write_bytes(content)
    shown = (SNAPSHOTS / f"{name}.txt").read_text()
    step = re.search(r"(?m)^Next(?:: +|\n  -      )probatum (.+)$", shown)
    assert step
    words = shlex.split(step[1])
    ended = commands.run(*words)
    assert ended.code == (0 if words[0] == "read" or name == "undecided_quick" else 3)
    assert ended.stdout
