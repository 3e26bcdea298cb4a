"""`probatum claim` as a whole command: exit codes for whatever comes, files, and the gate."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.command import Commands


@dataclass(frozen=True)
class Line:
    """One command line, how it ends, and the error's code or the verdict's constraint."""

    code: int
    named: str
    arguments: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""


CASES = {
    "true": Line(0, "math.holds", ("math", "2 × 3 = 6")),
    "false": Line(1, "math.fails", ("math", "2 × 3 = 7")),
    "undecided": Line(3, "math.domain_needed", ("math", "listen = silent")),
    "empty": Line(4, "math.no_claim", ("math", "")),
    "no claim": Line(4, "math.no_claim", ("math", "2 + 2")),
    "a minus first": Line(0, "math.holds", ("math", "--", "-1 + 1 = 0")),
    "a minus first, like an option": Line(2, "command.usage", ("math", "-1 + 1 = 0")),
    "from a file": Line(0, "math.holds", ("math", "@claim.txt"), {"claim.txt": b"1/2 = 0.5\n"}),
    "from standard input": Line(0, "math.holds", ("math", "-"), stdin=b"1/2 = 0.5"),
    "an input from a file": Line(
        0, "logic.holds", ("logic", "q", "--declare", "@names", "--premise", "q"), {"names": b"q: bool"}
    ),
    "no file": Line(2, "path.missing", ("math", "@claim.txt")),
    "a file that is no text": Line(4, "engine.invalid", ("math", "@claim.txt"), {"claim.txt": b"\xff\xfe1 = 1"}),
    "an unknown engine": Line(2, "engine.engine", ("maths", "1 = 1")),
    "what it does not take": Line(2, "engine.input", ("math", "1 = 1", "--premise", "p")),
    "an engine that there was": Line(2, "engine.engine", ("rules", "Tom is cold.")),
    "a sentence": Line(4, "reasoning.syntax", ("reasoning", "5 + 3 = 8, so the answer is 8.")),
    "another sentence": Line(4, "dates.syntax", ("dates", "2024-01-31 is a Wednesday")),
    "no statement": Line(2, "command.usage", ("math",)),
    "nothing": Line(2, "command.usage", ()),
    "enormous": Line(3, "engine.too_large", ("math", "@claim.txt"), {"claim.txt": b"1 = 1" * 10_000}),
    "a power tower": Line(3, "engine.out_of_budget", ("math", "9^9^9^9^9 = 1")),
}


@pytest.mark.parametrize("line", CASES.values(), ids=CASES.keys())
def test_a_command_line(commands: Commands, tmp_path: Path, line: Line) -> None:
    for name, content in line.files.items():
        (tmp_path / name).write_bytes(content)
    ended = commands.run("claim", "--json", *line.arguments, stdin=line.stdin)
    document = json.loads(ended.stdout)
    told = document.get("error", {}).get("code") or document["verdict"]["developer_fields"]["constraint_id"]
    assert (ended.code, told) == (line.code, line.named)


def gate(commands: Commands, tmp_path: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit code of the gate, and what the step that failed says."""
    (tmp_path / "statement.txt").write_text("q")
    ended = commands.run(
        "gate", "verdict.json", "--subject", "statement.txt", "--recheck", "--replay", "--json", *arguments
    )
    failed = [step["detail"] for step in json.loads(ended.stdout)["steps"] if step["holds"] is False]
    return ended.code, failed[0] if failed else ""


def test_a_gate_asks_what_was_given_with_a_claim(commands: Commands, tmp_path: Path) -> None:
    ended = commands.run("claim", "logic", "q", "--declare", "p, q: bool", "--premise", "p and q", "--json")
    (tmp_path / "verdict.json").write_text(ended.stdout)
    claim = {"engine": "logic", "statement": "q", "declare": ["p, q: bool"], "premise": ["p and q"]}
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    (tmp_path / "other.json").write_text(json.dumps({**claim, "premise": ["p"]}))
    code, detail = gate(commands, tmp_path)
    assert code == 1
    assert "--claim FILE" in detail
    code, detail = gate(commands, tmp_path, "--claim", "other.json")
    assert code == 1
    assert "another claim" in detail
    assert gate(commands, tmp_path, "--claim", "claim.json") == (0, "")


def test_a_claim_that_a_gate_demands_keeps_every_digit(commands: Commands, tmp_path: Path) -> None:
    ended = commands.run("claim", "logic", "q", "--declare", "q: bool", "--premise", "q", "--json")
    (tmp_path / "verdict.json").write_text(ended.stdout)
    (tmp_path / "claim.json").write_bytes(
        b'{"engine": "logic", "statement": "q", "declare": 0.12345678901234567890123, "premise": ["q"]}'
    )
    ended = commands.run(
        "gate", "verdict.json", "--subject", "claim.json", "--recheck", "--claim", "claim.json", "--json"
    )
    assert ended.code == 2
    assert json.loads(ended.stdout)["error"]["code"] == "request.invalid"
