"""The published schema and the parser refuse the same documents, but for what a schema cannot say."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probatum.app.proofs import artifact_schema
from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome, decide
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError
from probatum.proof.artifact import KIND, Described, parse_artifact, part
from probatum.proof.stores import MemoryStore
from tests.house.sources import ROOT
from tests.laws.programs import SOUND, asked
from tests.proof.sample import sample_artifact
from tests.services import ProgramRequest, Service

SCHEMA = json.loads(artifact_schema())
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)
SECOND_OPINION = jsonschema.Draft202012Validator(SCHEMA)


def is_parsed(document: object) -> bool:
    try:
        parse_artifact(canonical_bytes(document))
    except IntegrityError:
        return False
    return True


def parser_alone_refuses(document: dict[str, object]) -> bool:
    """What a schema of one document cannot say: an id taken twice, and a constraint that is not told alike."""
    ids = [verifier["id"] for verifier in document["verifiers"]]
    decision = document["decision"]
    return len(set(ids)) < len(ids) or decision["developer_fields"]["constraint_id"] != decision["constraint_id"]


def test_the_document_and_the_package_ship_the_same_schema() -> None:
    assert (ROOT / "docs" / "reference" / "proof-artifact-v1.schema.json").read_text(
        encoding="utf-8"
    ) == artifact_schema()


def test_it_is_a_schema_of_2020_12() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def objects(schema: object) -> Iterator[dict[str, object]]:
    """Every object that the schema describes."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for value in schema:
            yield from objects(value)


def test_every_key_is_described_and_no_object_is_open_by_accident() -> None:
    found = list(objects(SCHEMA))
    assert len(found) == 8
    entries = [(key, entry) for each in found for key, entry in each["properties"].items()]
    assert {key for key, _ in entries} >= {"format", "media_type", "developer_fields", "$part", "version", "seed"}
    assert [key for key, entry in entries if not entry.get("description", "").endswith(".")] == []
    loose = [each for each in found if each.get("additionalProperties") is not False]
    assert [each["required"] for each in loose] == [["outcome", "constraint_id"]]
    assert all(set(each["required"]) == set(each["properties"]) for each in found if each not in loose)


def test_the_schema_and_the_parser_know_the_same_kinds_and_outcomes() -> None:
    assert SCHEMA["properties"]["kind"]["pattern"] == f"^{KIND.pattern}$"
    assert set(SCHEMA["properties"]["decision"]["properties"]["outcome"]["enum"]) == set(Outcome)


def test_white_space_is_what_the_parser_takes_for_it() -> None:
    spaces = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    others = [chr(code) for code in range(0x11000) if not chr(code).isspace() and not 0xD800 <= code < 0xE000]
    for library in (jsonschema_rs, jsonschema):
        text = library.Draft202012Validator(SCHEMA["$defs"]["text"])
        assert not any(text.is_valid(sign) for sign in spaces)
        assert not text.is_valid("".join(spaces))
        assert all(text.is_valid(sign) for sign in (others if library is jsonschema_rs else others[:0x300]))


SAMPLES = {
    "a program": {},
    "no assumption": {"assumptions": []},
    "parts in contract and observations": {
        "contract": Described("code", {"text": None, "further": [part(digest_of(b"1"))]}),
        "observations": [part(digest_of(b"2")), {"deep": [{"er": part(digest_of(b"3"))}]}],
    },
    "a policy that only looks like a part": {"policy": Described("p", {"$part": 1, "more": 2})},
    "values that imitate tags": {"observations": [{"value": {"$$part": "sha256:x"}}]},
    "a negative seed": {"seed": -(2**53) + 1},
    **{f"kind {kind}": {"kind": kind} for kind in ("program", "output", "audit", "judge", "claim", "of-a.package_9")},
    **{
        f"outcome {outcome}": {"decision": decide(outcome, "verifier.fault", {}, {"advisory_checks": [], "a": [1]})}
        for outcome in Outcome
    },
}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_the_parser_accepts_is_valid(name: str) -> None:
    document = sample_artifact(**SAMPLES[name])
    assert is_parsed(document)
    VALIDATOR.validate(document)


def artifacts_in(store: MemoryStore) -> list[object]:
    return [json.loads(content) for content in store._contents.values() if b'"probatum/proof-artifact/' in content]


def test_what_the_product_keeps_is_valid() -> None:
    store = MemoryStore()
    assert asked(SOUND, store).verdict.is_verified
    tests = b"from artifact import clamp\n\n\ndef test_middle():\n    assert clamp(4, 1, 9) == 4\n"
    source = b"from bounds import LOW\n" + SOUND
    request = ProgramRequest(
        source,
        "clamp.py",
        "clamp",
        contract="-100 <= value <= 1000\n\n>>> clamp(3, 3, 3)\n3\n",
        tests=tests,
        siblings=(("bounds", b"LOW = 1\n"),),
    )
    with Service(store) as service:
        assert service.verify_program(request).verdict.is_verified
    kept = artifacts_in(store)
    assert len(kept) == 2
    for document in kept:
        VALIDATOR.validate(document)


def places(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def at(document: object, path: tuple[object, ...]) -> object:
    for step in path:
        document = document[step]
    return document


OTHER = (
    st.sampled_from([None, True, False, 0, 1, -1, 0.5, 2.0**53, 1e300, "", " ", "\x1f\x85", "\ufeff", "x"])
    | st.sampled_from([[], [[]], {}, {"a": 1}, {"advisory_checks": []}])
    | st.sampled_from([digest_of(b""), digest_of(b"") + "\n", digest_of(b"").upper(), "sha256:00"])
    | st.sampled_from([{"$part": digest_of(b"")}, {"$part": digest_of(b""), "a": 1}, {"a": [{"$part": None}]}])
    | st.sampled_from([outcome.value for outcome in Outcome])
    | st.sampled_from(["VERIFIED", "UNVERIFIABLE", "BLOCKED", "program", "a kind", "program.tested", "verifier.fault"])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
)
KEYS = st.sampled_from(["$part", "advisory_checks", "proof_ref", "duration_ms", "content", "$$part", ""])


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, object]:
    """Draw a sound artifact with one to three things changed in it."""
    document = copy.deepcopy(sample_artifact(**SAMPLES[draw(st.sampled_from(sorted(SAMPLES)))]))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([place for place in places(document) if place]))
        held, target = at(document, path[:-1]), at(document, path)
        match draw(st.sampled_from(["replace", "remove", "add", "empty", "twice"])):
            case "replace":
                held[path[-1]] = copy.deepcopy(draw(OTHER))
            case "remove":
                del held[path[-1]]
            case "add" if isinstance(target, dict):
                target[draw(KEYS)] = copy.deepcopy(draw(OTHER))
            case "twice" if isinstance(target, list) and target:
                target.append(copy.deepcopy(target[0]))
            case "empty" if isinstance(target, list | dict):
                target.clear()
    return document


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_schema_and_parser_refuse_alike(document: dict[str, object]) -> None:
    is_valid = VALIDATOR.is_valid(document)
    assert SECOND_OPINION.is_valid(document) is is_valid
    if is_valid:
        assert is_parsed(document) is not parser_alone_refuses(document)
    else:
        assert not is_parsed(document)


def bent(place: tuple[object, ...], value: object) -> dict[str, object]:
    document = copy.deepcopy(sample_artifact())
    at(document, place[:-1])[place[-1]] = value
    return document


BY_THE_PARSER_ALONE = {
    "a verifier's id twice": bent(("verifiers",), [{"id": "a", "version": "1"}, {"id": "a", "version": "2"}]),
    "another constraint in the fields": bent(("decision", "developer_fields", "constraint_id"), "program.flaky"),
}


@pytest.mark.parametrize("name", BY_THE_PARSER_ALONE)
def test_what_only_the_parser_says(name: str) -> None:
    document = BY_THE_PARSER_ALONE[name]
    assert VALIDATOR.is_valid(document)
    assert not is_parsed(document)


def test_a_status_goes_with_its_outcome() -> None:
    for outcome in Outcome:
        for status in ("VERIFIED", "UNVERIFIABLE", "BLOCKED"):
            document = bent(("decision", "status"), status)
            document["decision"]["outcome"] = document["decision"]["developer_fields"]["outcome"] = outcome.value
            assert VALIDATOR.is_valid(document) is is_parsed(document)


def test_a_later_version_is_not_valid_under_this_schema() -> None:
    assert not VALIDATOR.is_valid({**sample_artifact(), "format": "probatum/proof-artifact/v2"})
