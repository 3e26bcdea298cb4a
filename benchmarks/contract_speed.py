"""Prints what checking a contract costs on this machine, against bare jsonschema-rs in the same run.

Usage: python benchmarks/contract_speed.py. The value is an object of about one kilobyte that satisfies its schema.
Asserts nothing: durations are for people, ratios compare across machines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from time import process_time

import jsonschema_rs

from probatum.app.kinds import built_in_kinds
from probatum.app.service import Service
from probatum.contracts.reading import read_output
from probatum.contracts.specification import ContractSpec
from probatum.contracts.verifiers import ContractSchemaVerifier, JsonObjectVerifier
from probatum.core.canonical import JsonValue
from probatum.core.digest import digest_of
from probatum.kinds.output.request import OutputRequest
from probatum.proof.stores import MemoryStore
from probatum.readers.json_schema.schema import compiled

PERSON: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 100},
        "born": {"type": "string", "format": "date"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "maxItems": 20},
    },
    "required": ["name", "born", "score", "tags"],
    "additionalProperties": False,
}
SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "people": {"type": "array", "items": PERSON, "minItems": 1}},
    "required": ["id", "people"],
    "additionalProperties": False,
}
VALUE: dict[str, object] = {
    "id": 7,
    "people": [
        {
            "name": f"Somebody with the number {number}",
            "born": f"1990-02-0{number + 1}",
            "score": number / 9,
            "tags": ["first", "second", "third", "fourth"],
        }
        for number in range(7)
    ],
}
ROUNDS = 60
EACH = 100


class NoStore(MemoryStore):
    """Keeps nothing and knows what a store would answer, so that the verdict alone is timed."""

    def __init__(self) -> None:
        super().__init__()
        self._references: dict[bytes, str] = {}

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Return the digests of these contents, each computed once."""
        return [self._references.get(each) or self._reference(each) for each in contents]

    def _reference(self, content: bytes) -> str:
        self._references[content] = digest_of(content)
        return self._references[content]


def best(action: Callable[[], object]) -> float:
    """Return the processor time of one call in microseconds, in the quietest of some rounds."""
    durations = []
    for _ in range(ROUNDS):
        started = process_time()
        for _ in range(EACH):
            action()
        durations.append((process_time() - started) / EACH)
    return min(durations) * 1e6


def main() -> None:
    """Print one line for each cost."""
    content = json.dumps(VALUE).encode()
    bare = jsonschema_rs.validator_for(SCHEMA, validate_formats=True)
    ready = compiled(SCHEMA)
    spec = ContractSpec("speed", output_schema=SCHEMA)
    schema_verifier, object_verifier = ContractSchemaVerifier(), JsonObjectVerifier()
    context = {"contract": spec, "input_given": False, "is_json": True}
    request = OutputRequest(content, "speed.json", spec)
    kind = built_in_kinds()["output"]
    service, storeless = Service(MemoryStore()), Service(NoStore())
    assert service.verify(kind, request).verdict.is_verified
    print(f"the value has {len(content)} bytes")
    costs: dict[str, Callable[[], object]] = {
        "bare jsonschema-rs, is_valid": lambda: bare.is_valid(VALUE),
        "CompiledSchema.findings": lambda: ready.findings(VALUE),
        "compiled(...).findings, schema looked up": lambda: compiled(spec.output_schema).findings(VALUE),
        "json.loads": lambda: json.loads(content),
        "read_output": lambda: read_output(content),
        "json.object": lambda: object_verifier.verify(None, VALUE, context),
        "contract.schema": lambda: schema_verifier.verify(None, VALUE, context),
        "the whole verdict, without its store": lambda: storeless.verify(kind, request),
        "the whole verdict, store in memory": lambda: service.verify(kind, request),
    }
    base = 0.0
    for name, action in costs.items():
        took = best(action)
        base = base or took
        print(f"{name:<42} {took:8.2f} us {took / base:8.2f} x")


if __name__ == "__main__":
    main()
