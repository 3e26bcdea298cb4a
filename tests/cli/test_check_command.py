"""`probatum check` as a whole command: exit codes for whatever comes, its formats, and streams of outputs."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import pytest

from probatum.app import asking, sources
from tests.cli.command import Commands

GOOD = b'{"yes": true, "confidence": 0.9, "reason": "ok"}'
BAD = b'{"yes": "true", "confidence": 9, "reason": "ok"}'
GATE = ("--contract", "llm_boolean_gate")
OBJECT = b'{"type": "object"}'
SELF_REFERENTIAL = b'{"$ref": "#"}'


@dataclass(frozen=True)
class Bad:
    """One command line that finds something wrong, and how it ends."""

    code: int
    named: str
    """The error's code, or the verdict's constraint."""
    arguments: tuple[str, ...] = ("out.json", *GATE)
    files: Mapping[str, bytes | Callable[[], bytes]] = field(default_factory=lambda: {"out.json": GOOD})
    stdin: bytes = b""


def by(contract: bytes, code: int, named: str, output: bytes = b"{}") -> Bad:
    return Bad(code, named, ("out.json", "--contract", "c.json"), {"out.json": output, "c.json": contract})


def of(output: bytes | Callable[[], bytes], code: int, named: str) -> Bad:
    return Bad(code, named, files={"out.json": output})


CASES = {
    # wrong usage: 2
    "no output": Bad(2, "path.missing", ("ou.json", *GATE)),
    "a folder": Bad(2, "path.not_a_file", ("folder", *GATE), {"folder/x": b""}),
    "a device": Bad(2, "path.not_a_file", ("/dev/zero", *GATE)),
    "a file in a file": Bad(2, "path.missing", ("out.json/x", *GATE)),
    "an empty path": Bad(2, "path.empty", ("", *GATE)),
    "a path that is no path": Bad(2, "path.missing", ("a\0b", *GATE)),
    "no input": Bad(2, "path.missing", ("out.json", *GATE, "--input", "in.json")),
    "an input that is a folder": Bad(2, "path.not_a_file", ("out.json", *GATE, "--input", ".")),
    "both from standard input": Bad(2, "path.twice", ("-", *GATE, "--input", "-")),
    "no contract": Bad(2, "command.usage", ("out.json",)),
    "an empty contract": Bad(2, "contract.unknown", ("out.json", "--contract", "")),
    "an unknown contract": Bad(2, "contract.unknown", ("out.json", "--contract", "llm_bolean_gate")),
    "an unknown version": Bad(2, "contract.unknown", ("out.json", "--contract", "llm_boolean_gate:v99")),
    "an empty version": Bad(2, "contract.unknown", ("out.json", "--contract", "llm_boolean_gate:")),
    "a contract that climbs": Bad(2, "path.missing", ("out.json", "--contract", "../../etc")),
    "a version that climbs": Bad(2, "path.missing", ("out.json", "--contract", "llm_boolean_gate:../v1")),
    "a contract of two dots": Bad(2, "contract.unknown", ("out.json", "--contract", "..")),
    "a contract file that is not there": Bad(2, "path.missing", ("out.json", "--contract", "c.json")),
    "a folder without a contract": Bad(2, "contract.unknown", ("out.json", "--contract", "./")),
    "an unknown format": Bad(2, "format.unknown", ("out.json", *GATE, "--format", "junti")),
    "two formats": Bad(2, "format.twice", ("out.json", *GATE, "--format", "sarif", "--json")),
    "a format for lines": Bad(2, "format.lines", ("out.json", *GATE, "--format", "junit", "--lines")),
    "an entry for each of one": Bad(2, "ledger.each", ("out.json", *GATE, "--ledger-each")),
    "an unknown layer": Bad(2, "layer.unknown", ("out.json", *GATE, "--layer", "agents")),
    "a stream without outputs": Bad(2, "lines.none", ("out.json", *GATE, "--lines"), {"out.json": b""}),
    # refuted: 1
    "wrong": of(BAD, 1, "contract.violated"),
    "prose": of(b"I cannot answer that.", 1, "contract.not_json"),
    "nothing": of(b"", 1, "contract.not_json"),
    "half of it": of(GOOD[:-1], 1, "contract.not_json"),
    "two values": of(GOOD + GOOD, 1, "contract.ambiguous"),
    "bytes that are no text": of(b"\xff\x00", 1, "contract.not_json"),
    "NaN": of(GOOD.replace(b"0.9", b"NaN"), 1, "contract.not_json"),
    "10,000 nested arrays": of(b"[" * 10_000 + b"]" * 10_000, 1, "contract.violated"),
    # undecided: 3
    "50 MB and more": of(lambda: b'"' + b"a" * (50 * 1024 * 1024) + b'"', 3, "contract.too_large"),
    "20,000 nested arrays": of(b"[" * 20_000 + b"]" * 20_000, 3, "contract.too_large"),
    "a number that no float holds": of(b"[1.0000000000000001]", 3, "json.number_out_of_range"),
    "a contract that asks for nothing": by(b"{}", 3, "contract.nothing_enforced"),
    "a contract of words alone": Bad(
        3, "contract.nothing_enforced", ("out.json", "--contract", "./"), {"out.json": GOOD, "contract.md": b"# Task\n"}
    ),
    "an input that breaks the contract": Bad(
        3,
        "contract.input_violated",
        ("out.json", *GATE, "--input", "in.json"),
        {"out.json": GOOD, "in.json": b"{}"},
    ),
    # could not be attempted: 4
    "an input that is not JSON": Bad(
        4,
        "contract.input_invalid",
        ("out.json", *GATE, "--input", "in.json"),
        {"out.json": GOOD, "in.json": b"facts"},
    ),
    "a contract that is not JSON": by(b"{", 4, "contract.invalid"),
    "a contract with a key twice": by(b'{"type": "object", "type": "array"}', 4, "contract.invalid"),
    "a contract of an unknown format": by(b'{"contract_spec_format": 9}', 4, "contract.invalid"),
    "a contract with an unknown key": by(b'{"contract_spec_format": 2, "outputs": {}}', 4, "contract.invalid"),
    "a contract beyond the budget": by(b" " * 2_000_000 + b"{}", 3, "file.too_large"),
    "an invalid schema": by(b'{"type": "objekt"}', 4, "contract.schema_invalid"),
    "a schema that is a list": by(b"[]", 4, "contract.invalid"),
    "a remote schema": by(b'{"$ref": "https://example.com/x.json"}', 4, "contract.schema_remote"),
    "a schema that is a file": by(b'{"$ref": "file:///etc/passwd"}', 4, "contract.schema_remote"),
    # verified: 0
    "right": of(GOOD, 0, "contract.satisfied"),
    "from standard input": Bad(0, "contract.satisfied", ("-", *GATE), {}, GOOD),
    "duplicate keys": of(b'{"yes": 1, "yes": true, "confidence": 0, "reason": ""}', 0, "contract.satisfied"),
    "a schema of its own": by(OBJECT, 0, "contract.satisfied"),
    "a name that begins with a dash": Bad(
        0, "contract.satisfied", (*GATE, "--", "-x.json"), {"-x.json": GOOD}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_how_it_ends(commands: Commands, name: str):
    case = CASES[name]
    for path, content in case.files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(content() if callable(content) else content)
    words = case.arguments
    twice = "--json" in words or "--format" in words or "--lines" in words
    ended = commands.run("check", *([] if twice else ["--json"]), *words, stdin=case.stdin)
    assert ended.code == case.code, ended
    assert "Traceback" not in ended.stdout + ended.stderr
    if twice:
        assert f"error[{case.named}]" in ended.stderr
        return
    document = json.loads(ended.stdout)
    named = (
        document["error"]["code"] if "error" in document else document["verdict"]["developer_fields"]["constraint_id"]
    )
    assert named == case.named, document


def test_a_schema_that_is_only_itself_ends(commands: Commands):
    Path("out.json").write_bytes(b"{}")
    Path("c.json").write_bytes(SELF_REFERENTIAL)
    assert commands.run("check", "out.json", "--contract", "c.json").code in {3, 4}


def test_a_pipe_is_not_waited_for(commands: Commands, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "PATIENCE_SECONDS", 0.01)
    os.mkfifo("pipe")
    assert commands.run("check", "pipe", *GATE).code == 2


def test_an_output_that_may_not_be_read(commands: Commands):
    Path("out.json").write_bytes(GOOD)
    Path("out.json").chmod(0)
    if os.access("out.json", os.R_OK):
        pytest.skip("whoever runs this may read everything")
    assert commands.run("check", "out.json", *GATE).code == 4


def test_a_known_id_comes_before_a_file_of_that_name(commands: Commands):
    Path("out.json").write_bytes(GOOD)
    Path("llm_boolean_gate").mkdir()
    Path("llm_boolean_gate/contract.json").write_bytes(b'{"contract_spec_format": 2}')
    assert commands.run("check", "out.json", *GATE).code == 0


def test_a_folder_of_another_name_is_a_contract(commands: Commands):
    Path("out.json").write_bytes(b"{}")
    Path("mine").mkdir()
    rules = {"contract_spec_format": 2, "output_schema": {"type": "object"}}
    Path("mine/contract.json").write_text(json.dumps(rules))
    assert commands.run("check", "out.json", "--contract", "mine").code == 0


@pytest.mark.parametrize(("content", "code"), [(GOOD, 0), (BAD, 1), (b"", 1)])
@pytest.mark.parametrize("form", ["text", "json", "junit", "sarif", "html", "markdown"])
def test_every_format_ends_alike(commands: Commands, content: bytes, code: int, form: str):
    Path("out.json").write_bytes(content)
    ended = commands.run("check", "out.json", *GATE, "--format", form)
    assert ended.code == code
    assert ended.stderr == ""
    if form == "junit":
        assert ElementTree.fromstring(ended.stdout.encode()).get("failures") == str(code)
    elif form in {"json", "sarif"}:
        json.loads(ended.stdout)
    else:
        assert ended.stdout.count("REFUTED" if code else "VERIFIED") == (2 if form == "html" else 1)


def test_a_verdict_is_recorded_kept_and_can_be_checked_again(commands: Commands):
    Path("out.json").write_bytes(GOOD)
    Path("in.json").write_bytes(b'{"facts": "a", "question": "b"}')
    ended = commands.run("check", "out.json", *GATE, "--input", "in.json", "--json", "--ledger", "l.sqlite")
    Path("verdict.json").write_text(ended.stdout)
    reference = json.loads(ended.stdout)["verdict"]["proof_ref"]
    assert commands.run("proof", "recheck", reference, "--replay").code == 0
    gate = ("gate", "verdict.json", *GATE, "--input", "in.json")
    assert commands.run(*gate, "--subject", "out.json", "--require", "proved", "--replay").code == 0
    assert commands.run(*gate, "--subject", "in.json").code == 1
    [entry] = [
        json.loads(line) for line in commands.run("ledger", "export", "--ledger", "l.sqlite").stdout.splitlines()
    ]
    assert (entry["name"], entry["proof_ref"]) == ("out.json", reference)


@pytest.mark.parametrize("contract", [b"{}", b"{", b'{"type": 1}'])
def test_what_was_not_verified_is_recorded_too(commands: Commands, contract: bytes):
    Path("out.json").write_bytes(GOOD)
    Path("c.json").write_bytes(contract)
    commands.run("check", "out.json", "--contract", "c.json", "--ledger", "l.sqlite")
    assert len(commands.run("ledger", "export", "--ledger", "l.sqlite").stdout.splitlines()) == 1


def test_events_end_with_the_document(commands: Commands):
    Path("out.json").write_bytes(GOOD)
    ended = commands.run("check", "out.json", *GATE, "--events")
    stages = [json.loads(line)["stage"] for line in ended.stdout.splitlines()]
    assert stages == ["start", "verifier", "verifier", "verdict", "complete"]


# streams


def lines_of(ended: object) -> list[dict[str, object]]:
    return [json.loads(line) for line in ended.stdout.splitlines()]  # type: ignore[attr-defined]  # a command's end


def test_every_line_is_answered_and_the_weakest_counts(commands: Commands):
    ended = commands.run("check", "-", *GATE, "--lines", stdin=b"\n".join([GOOD, b"", BAD, b"no", GOOD]))
    assert ended.code == 1
    told = [(line["line"], line["verdict"]["developer_fields"]["constraint_id"]) for line in lines_of(ended)]
    satisfied = "contract.satisfied"
    nothing = "contract.not_json"
    assert told == [(1, satisfied), (2, nothing), (3, "contract.violated"), (4, nothing), (5, satisfied)]
    assert "5 lines: 2 VERIFIED (proved), 3 REFUTED (refuted)" in ended.stderr


@pytest.mark.parametrize("group", [1, 2, 1000])
def test_groups_make_no_difference(commands: Commands, monkeypatch: pytest.MonkeyPatch, group: int):
    monkeypatch.setattr(asking, "GROUP_LINES", group)
    ended = commands.run("check", "-", *GATE, "--lines", stdin=GOOD + b"\r\n" + GOOD + b" \n" + GOOD)
    references = [line["verdict"]["proof_ref"] for line in lines_of(ended)]
    assert ended.code == 0
    assert all(commands.run("proof", "recheck", reference, "--replay").code == 0 for reference in references)


def test_a_line_beyond_the_budget_is_undecided_and_the_next_is_read(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patched:
        patched.setattr(asking, "MAX_LINE", 100)
        patched.setattr(asking, "_CHUNK", 10)
        ended = commands.run("check", "-", *GATE, "--lines", stdin=GOOD + b"\n" + b"[" * 1000 + b"\n" + GOOD)
    assert [line["line"] for line in lines_of(ended)] == [1, 2, 3]
    long = b'"' + b"a" * 50 * 1024 * 1024 + b'"'
    ended = commands.run("check", "-", *GATE, "--lines", stdin=long + b"\n" + GOOD)
    assert [line["verdict"]["developer_fields"]["outcome"] for line in lines_of(ended)] == ["undecided", "proved"]


def test_one_entry_for_all_or_one_for_each(commands: Commands):
    stream = b"\n".join([GOOD, BAD, GOOD])
    commands.run("check", "-", *GATE, "--lines", "--ledger", "all.sqlite", stdin=stream)
    commands.run("check", "-", *GATE, "--lines", "--ledger", "each.sqlite", "--ledger-each", stdin=stream)
    [whole] = lines_of(commands.run("ledger", "export", "--ledger", "all.sqlite"))
    assert (whole["outcome"], whole["outcomes"], whole["name"]) == ("refuted", {"proved": 2, "refuted": 1}, "-")
    each = lines_of(commands.run("ledger", "export", "--ledger", "each.sqlite"))
    assert [(entry["name"], entry["outcome"]) for entry in each] == [
        ("-:1", "proved"),
        ("-:2", "refuted"),
        ("-:3", "proved"),
    ]
    assert commands.run("ledger", "audit", "--ledger", "all.sqlite").code == 0


def test_an_unusable_contract_is_an_answer_for_every_line(commands: Commands):
    Path("c.json").write_bytes(b"{")
    ended = commands.run("check", "-", "--contract", "c.json", "--lines", stdin=GOOD + b"\n" + GOOD)
    assert ended.code == 4
    assert [line["verdict"]["status"] for line in lines_of(ended)] == ["BLOCKED", "BLOCKED"]


def test_no_answer_is_given_whose_proof_cannot_be_kept(commands: Commands):
    Path("store").write_bytes(b"no store")
    ended = commands.run("check", "-", *GATE, "--lines", "--store", "store/s.sqlite", stdin=GOOD)
    assert ended.code == 4
    assert ended.stdout == ""


def test_the_agent_sees_the_sentence_alone(commands: Commands):
    ended = commands.run("check", "-", *GATE, "--lines", "--layer", "agent", stdin=BAD)
    assert lines_of(ended) == [
        {"line": 1, "verdict": {"status": "UNVERIFIABLE", "agent_message": "The output does not satisfy its contract."}}
    ]


def test_memory_does_not_grow_with_the_stream(commands: Commands, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(asking, "GROUP_LINES", 20)

    def peak(count: int) -> int:
        Path("many.jsonl").write_bytes((BAD + b"\n") * count)
        tracemalloc.start()
        try:
            commands.run("check", "many.jsonl", *GATE, "--lines", "--layer", "agent")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(20)
    assert peak(600) < peak(100) + 300_000


def test_a_proof_keeps_the_schemas_that_its_contract_refers_to(commands: Commands, tmp_path: Path):
    folder = tmp_path / "person" / "v1"
    (folder / "schemas").mkdir(parents=True)
    rules = {"contract_spec_format": 2, "output_schema": {"items": {"$ref": "https://example.com/whole.json"}}}
    (folder / "contract.json").write_text(json.dumps({**rules, "verification_policy": {"level": "schema"}}))
    whole = {"$id": "https://example.com/whole.json", "type": "integer"}
    (folder / "schemas" / "whole.json").write_text(json.dumps(whole))
    good = commands.run("check", "-", "--contract", str(folder), "--json", stdin=b"[1, 2]")
    assert good.code == 0, good
    assert commands.run("check", "-", "--contract", str(folder), "--json", stdin=b'[1, "2"]').code == 1
    (folder / "schemas" / "whole.json").unlink()
    reference = json.loads(good.stdout)["verdict"]["proof_ref"]
    assert commands.run("proof", "recheck", reference, "--replay").code == 0
