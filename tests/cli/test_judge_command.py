"""`probatum judge` as a whole command: exit codes for whatever comes, sources, and the gate."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.advisors.stub import PATH, asked, completion
from tests.cli.command import Commands
from tests.local_server import Place

SCHEMA = {"type": "object", "required": ["a"]}
SOUND = {"output": {"a": 1}, "validation_types": ["schema"], "expected_schema": SCHEMA}
CLAIMS = {"output": {"opened": 1932}, "validation_types": ["facts"]}
BRIDGE = '{"opened": 1932}'


def written(**fields: object) -> bytes:
    return json.dumps(fields).encode()


@dataclass(frozen=True)
class Line:
    """One request, how the command ends, and the error's code or the verdict's constraint."""

    code: int
    named: str
    request: bytes
    arguments: tuple[str, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)


CASES = {
    "sound": Line(0, "judge.accepted", written(**SOUND)),
    "with id and kind": Line(0, "judge.accepted", written(**SOUND, id="1", kind="judge")),
    "broken": Line(1, "judge.refuted", written(**{**SOUND, "output": {}})),
    "a schema of nothing": Line(3, "judge.schema_open", written(**{**SOUND, "expected_schema": {}})),
    "quality alone": Line(3, "judge.nothing_decided", written(output="Good.", validation_types=["quality"])),
    "a matter of taste": Line(
        3, "judge.criteria_open", written(output="x", validation_types=["criteria"], acceptance_criteria=["It is good"])
    ),
    "no layer": Line(2, "ValidationError", written(output=1, validation_types=[])),
    "no schema": Line(2, "ValidationError", written(output=1, validation_types=["schema"])),
    "an invalid schema": Line(2, "judge.schema_invalid", written(**{**SOUND, "expected_schema": {"type": "strng"}})),
    "an unknown field": Line(2, "ValidationError", written(**SOUND, criteria=[])),
    "not JSON": Line(4, "judge.unreadable", b"{"),
    "no object": Line(4, "judge.unreadable", b"[]"),
    "a key twice": Line(4, "judge.unreadable", b'{"output": 1, "output": 2}'),
    "a number that no float keeps": Line(
        3,
        "json.number_out_of_range",
        b'{"output": 0.1000000000000000055, "validation_types": ["schema"], "expected_schema": {"const": 0.1}}',
    ),
    "a number beyond all floats": Line(
        3, "json.number_out_of_range", b'{"output": 1e400, "validation_types": ["schema"], "expected_schema": {}}'
    ),
    "not UTF-8": Line(4, "judge.unreadable", b"\xff"),
    "a source file": Line(
        0, "judge.accepted", written(**CLAIMS), ("--source", "bridge.json"), {"bridge.json": BRIDGE.encode()}
    ),
    "a source folder": Line(
        0,
        "judge.accepted",
        written(**CLAIMS),
        ("--source", "texts"),
        {"texts/bridge.json": BRIDGE.encode(), "texts/photo.png": b"\x89PNG\xff", "texts/.hidden": b'{"opened": 1933}'},
    ),
    "a page as a source": Line(
        3,
        "judge.claims_open",
        written(**CLAIMS),
        ("--source", "bridge.html"),
        {"bridge.html": b"<p>The bridge was <b>opened</b> in 1932.</p><p hidden>The bridge was opened in 1999.</p>"},
    ),
    "prose that stands in a source": Line(
        3,
        "judge.claims_open",
        written(output="It opened in 1932.", validation_types=["facts"]),
        ("--source", "bridge.txt"),
        {"bridge.txt": b"It opened in 1932. However, none of this happened."},
    ),
    "no source file": Line(2, "path.missing", written(**CLAIMS), ("--source", "none.txt")),
    "a folder without text": Line(2, "source.none", written(**CLAIMS), ("--source", "texts"), {"texts/a.png": b"\xff"}),
    "a source that is no text": Line(
        4, "judge.unreadable", written(**CLAIMS), ("--source", "photo.png"), {"photo.png": b"\x89PNG\xff"}
    ),
    "an address that is not allowed": Line(
        3, "judge.claims_open", written(**CLAIMS, trusted_sources=["https://example.org/bridge"])
    ),
    "a file as an address": Line(3, "judge.claims_open", written(**CLAIMS, trusted_sources=["file:///etc/hostname"])),
}


@pytest.mark.parametrize("line", CASES.values(), ids=CASES.keys())
def test_a_command_line(commands: Commands, tmp_path: Path, line: Line) -> None:
    for name, content in {"request.json": line.request, **line.files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_bytes(content)
    ended = commands.run("judge", "--json", "request.json", *line.arguments)
    document = json.loads(ended.stdout)
    told = document.get("error", {}).get("code") or document["verdict"]["developer_fields"]["constraint_id"]
    assert (ended.code, told) == (line.code, line.named)


@pytest.mark.parametrize("criterion", ["Tests are included", "Performance is O(n log n) or better"])
def test_a_criterion_in_words_says_what_to_write_instead(commands: Commands, tmp_path: Path, criterion: str) -> None:
    asked = written(output="x", validation_types=["criteria"], acceptance_criteria=[criterion])
    (tmp_path / "request.json").write_bytes(asked)
    ended = commands.run("judge", "request.json")
    assert ended.code == 3
    assert "'tests: pass'" in ended.stdout
    assert "docs/reference/judge-criteria.md" in ended.stdout


def gate(commands: Commands, *arguments: str) -> tuple[int, str]:
    """Return the exit code of the gate, and what the step that failed says."""
    ended = commands.run(
        "gate", "verdict.json", "--subject", "output.json", "--recheck", "--replay", "--json", *arguments
    )
    failed = [step["detail"] for step in json.loads(ended.stdout)["steps"] if step["holds"] is False]
    return ended.code, failed[0] if failed else ""


def test_a_gate_demands_the_request(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "request.json").write_bytes(written(**SOUND))
    (tmp_path / "other.json").write_bytes(written(**{**SOUND, "expected_schema": {"type": "object"}}))
    (tmp_path / "output.json").write_text('{"a":1}')
    (tmp_path / "verdict.json").write_text(commands.run("judge", "request.json", "--json").stdout)
    assert gate(commands)[0] == 1
    assert "--request FILE" in gate(commands)[1]
    code, detail = gate(commands, "--request", "other.json")
    assert (code, "another request" in detail) == (1, True)
    assert gate(commands, "--request", "request.json") == (0, "")
    (tmp_path / "output.json").write_text('{"a":2}')
    assert gate(commands, "--request", "request.json")[0] == 1


def test_a_configured_model_reads_and_the_gate_takes_what_evidence_decided(commands: Commands, tmp_path: Path) -> None:
    claim = {"passage": "Revenue rose.", "source": "report", "quote": "revenue rose"}
    sources = [{"name": "report", "text": "In 2025 revenue rose."}]
    request = {"output": "Revenue rose.", "validation_types": ["facts"], "trusted_sources": sources}
    (tmp_path / "request.json").write_bytes(written(**request))
    place = Place()
    try:
        place.answers[PATH] = completion(json.dumps({"claims": [claim]}))
        table = f'[tool.probatum.models.small]\nurl = "{place.origin}/v1"\nmodel = "small-1"\n'
        (tmp_path / "pyproject.toml").write_text(table, encoding="utf-8")
        assert commands.run("judge", "request.json", "--json").code == 3
        shown = commands.run("judge", "request.json", "--with", "small", "--dry-run")
        assert (shown.code, asked(place)) == (3, []), "what is not judged is no pass"
        ended = commands.run("judge", "request.json", "--with", "small", "--json")
        # The reply is no opinion, so that what was first is repeated with that reply before a reading is asked for.
        first, _, second = asked(place)
        told = json.loads(shown.stdout)["requests"]
        assert [(each["model"], each["body"]) for each in told] == [("small", first), ("small", second)]
        (tmp_path / "sound.json").write_bytes(written(**SOUND))
        (tmp_path / "output.json").write_text('{"a":1}')
        (tmp_path / "verdict.json").write_text(commands.run("judge", "sound.json", "--with", "small", "--json").stdout)
        assert gate(commands, "--request", "sound.json") == (0, "")
    finally:
        place.close()
    document = json.loads(ended.stdout)
    assert (ended.code, document["models"][0]["claims"]) == (3, [claim])
    assert document["result"]["metadata"]["model"] == "small-1"


NOTHING_SENT = {
    "no model is named": ("It is good", ()),
    "nothing is open": ("count: words <= 9", ("--with", "far")),
}


@pytest.mark.parametrize(("criterion", "options"), NOTHING_SENT.values(), ids=NOTHING_SENT)
def test_a_dry_run_shows_that_nothing_is_sent(
    commands: Commands, tmp_path: Path, criterion: str, options: tuple[str, ...]
) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.probatum.models.far]\nurl = "https://far.example"\nmodel = "far-1"\n'
    )
    asked_for = written(output="x", validation_types=["criteria"], acceptance_criteria=[criterion])
    (tmp_path / "request.json").write_bytes(asked_for)
    ended = commands.run("judge", "request.json", "--json", "--dry-run", *options)
    assert (ended.code, json.loads(ended.stdout)) == (3, {"requests": []})


def test_a_dry_run_of_a_model_that_is_not_configured_is_refused(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "request.json").write_bytes(written(**SOUND))
    ended = commands.run("judge", "request.json", "--json", "--with", "far", "--dry-run")
    assert (ended.code, json.loads(ended.stdout)["error"]["code"]) == (2, "models.unknown")
