"""Every reader of what strangers wrote, with the form of input that it takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from probatum.app.request_lines import identify
from probatum.contracts.loading import contract_in
from probatum.contracts.reading import read_output
from probatum.core.canonical import canonical_bytes, parse_canonical, parse_json
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.json_text import read_json
from probatum.core.tagged import tagged, untagged
from probatum.programs.loading import read_source
from probatum.programs.rejudge import decide_again
from probatum.programs.running.compare import compare, observation, show
from probatum.programs.specification import ValueIs
from probatum.proof.artifact import parse_artifact
from probatum.proof.base64_text import encoded
from probatum.proof.bundle import parse_bundle
from probatum.proof.checkpoint import read_checkpoint
from probatum.proof.envelope import Envelope
from probatum.proof.ledger_entry import require_about
from probatum.proof.token_form import unverified
from probatum.proof.token_keys import read_key_set
from probatum.sandbox import Program, Reply, Returned
from probatum.sandbox.jobs import reply_of
from probatum.sandbox.wire import parse
from tests.attacks import hostile_shapes as shapes

Read = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader, and the forms of what it reads."""

    read: Read
    forms: tuple[Mapping[str, shapes.Shape], ...]
    copies: int = 1
    """How many texts of the size that it is given it reads, one after the other."""
    most_memory: int = 40
    """How many times its size it may need, where its input has a limit of its own that is small."""


def _inside(document: Mapping[str, object], place: str, read: Read) -> Read:
    """Return a reader of the document around a value, made canonical as far as that is possible."""
    head, tail = canonical_bytes({**document, place: "HERE"}).split(b'"HERE"')

    def made(content: bytes) -> object:
        return read(head + content + tail)

    return made


_DIGEST: Final = digest_of(b"x")
_DECISION: Final = {
    "agent_message": "It is verified.",
    "constraint_id": "program.verified",
    "developer_fields": {"constraint_id": "program.verified", "outcome": "tested"},
    "outcome": "tested",
    "status": "VERIFIED",
}
_ARTIFACT: Final[Mapping[str, object]] = {
    "format": "probatum/proof-artifact/v1",
    "kind": "program",
    "claim": "It holds.",
    "subject": {"digest": _DIGEST, "media_type": "text/x-python", "name": "a.py"},
    "contract": {"digest": _DIGEST, "kind": "a", "content": {}},
    "assumptions": [],
    "policy": {"id": "a", "digest": _DIGEST, "content": {}},
    "verifiers": [{"id": "a", "version": "1"}],
    "seed": 0,
    "decision": _DECISION,
    "observations": [{}],
}
_VERDICT: Final[Mapping[str, object]] = {
    "status": "UNVERIFIABLE",
    "agent_message": "Nothing was decided about it.",
    "developer_fields": {"constraint_id": "a.b", "outcome": "undecided"},
    "proof_ref": None,
}


def _verdict(content: bytes) -> object:
    return DiagnosticResult.from_dict(parse_json(content))


@cache
def _plain_verdict() -> DiagnosticResult:
    return DiagnosticResult.from_dict(dict(_VERDICT))


def _recheck(content: bytes) -> object:
    """Judge a recorded value against itself, as a re-check does."""
    form = parse_json(content)
    value = untagged(form)
    return compare(ValueIs(value, ""), reply_to(untagged(form)))


def reply_to(value: object) -> Reply:
    """Return the reply that has this value."""
    return Returned(value)


def _nearly(content: bytes) -> object:
    """Judge a recorded value against one whose floats are nearly the same."""
    form = parse_json(content)
    other = parse_json(re.sub(rb"000p", b"001p", content))
    return compare(ValueIs(untagged(form), ""), reply_to(untagged(other)))


def _frame(content: bytes) -> Reply:
    return reply_of(parse(b'["ok",' + content + b',[],[],"",[]]', 208))


def _judged(content: bytes) -> object:
    reply = _frame(content)
    value = getattr(reply, "value", None)
    show(value)
    return observation(reply), compare(ValueIs(0, ""), reply), value == value


def _record(content: bytes) -> object:
    return decide_again(parse_json(content), {})


def _untag(content: bytes) -> object:
    return untagged(parse_json(content))


def _tag(content: bytes) -> object:
    return tagged(_untag(content))


def _bundled(content: bytes) -> object:
    document = {
        "attestations": [],
        "contents": {digest_of(content): encoded(content)},
        "format": "probatum/bundle/v1",
        "keys": [],
        "verdict": {**_VERDICT, "is_authoritative": False},
    }
    return parse_bundle(canonical_bytes(document))


def _entry(content: bytes) -> object:
    return require_about(content, _plain_verdict(), _DIGEST)


def _schema(content: bytes) -> object:
    return contract_in(content, Path("schema.json"))


def _keyword(keyword: str) -> Read:
    def made(content: bytes) -> object:
        return _schema(b'{"type":"object","%s":%s}' % (keyword.encode(), content))

    return made


def _token(content: bytes) -> object:
    return unverified(content.decode("utf-8", "replace"))


def _python(content: bytes) -> object:
    return read_source(Program(content))


_ANY: Final = (shapes.JSON, shapes.BROKEN)
READERS: Final[Mapping[str, Reader]] = {
    "json": Reader(read_json, _ANY),
    "plain json": Reader(parse_json, _ANY),
    "canonical json": Reader(parse_canonical, _ANY),
    "an output": Reader(read_output, _ANY),
    "a request line": Reader(lambda content: identify(content, 1, "requests"), _ANY),
    "an output in a request": Reader(lambda c: identify(b'{"id":"a","output":' + c + b"}", 1, "requests"), _ANY),
    "a tagged value": Reader(_untag, (shapes.TAGGED, shapes.JSON)),
    # Nothing larger than a reply is ever written.
    "a value that is written": Reader(_tag, (shapes.TAGGED, shapes.JSON), most_memory=60),
    "a value judged again": Reader(_recheck, (shapes.TAGGED,), copies=2),
    "a value nearly alike": Reader(_nearly, (shapes.TAGGED,), copies=2),
    "a reply": Reader(_frame, (shapes.WIRE, shapes.JSON)),
    "a reply that is judged": Reader(_judged, (shapes.WIRE,)),
    "an artifact's observations": Reader(_inside(_ARTIFACT, "observations", parse_artifact), (shapes.JSON,)),
    "an artifact's claim": Reader(_inside(_ARTIFACT, "claim", parse_artifact), (shapes.JSON,)),
    "an artifact's assumptions": Reader(_inside(_ARTIFACT, "assumptions", parse_artifact), (shapes.JSON,)),
    "an artifact's verifiers": Reader(_inside(_ARTIFACT, "verifiers", parse_artifact), (shapes.JSON,)),
    "records": Reader(_record, (shapes.JSON,)),
    "a verdict": Reader(_verdict, (shapes.JSON,)),
    "a verdict's fields": Reader(_inside(_VERDICT, "developer_fields", _verdict), (shapes.JSON,)),
    "a verdict's message": Reader(_inside(_VERDICT, "agent_message", _verdict), (shapes.JSON,)),
    "a bundle": Reader(_bundled, (shapes.JSON,)),
    "an envelope": Reader(lambda content: Envelope.from_dict(read_json(content)), (shapes.JSON,)),
    "a ledger entry": Reader(_entry, (shapes.JSON,)),
    "a key set": Reader(read_key_set, _ANY),
    "a checkpoint": Reader(read_checkpoint, _ANY),
    "a token": Reader(_token, _ANY),
    "a schema": Reader(_schema, (shapes.JSON,)),
    "a schema's values": Reader(_keyword("enum"), (shapes.JSON,)),
    "a schema's properties": Reader(_keyword("properties"), (shapes.JSON,)),
    "a schema's definitions": Reader(_keyword("$defs"), (shapes.JSON,)),
    "a schema's pattern": Reader(_keyword("pattern"), (shapes.JSON,)),
    "a schema's required keys": Reader(_keyword("required"), (shapes.JSON,)),
    "a schema's branches": Reader(_keyword("anyOf"), (shapes.JSON,)),
    "a program": Reader(_python, (shapes.PYTHON,), most_memory=300),
}
