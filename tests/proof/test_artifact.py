"""The artifact: what is built can be parsed, and nothing else can."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError
from probatum.core.subject import Subject
from probatum.proof import artifact as module
from probatum.proof.artifact import Described, parse_artifact, part
from tests.proof.sample import SUBJECT, VERIFIERS, decision_on, observed, sample_artifact, sample_bytes

ARCHITECTURE_KEYS = {
    "format", "kind", "claim", "subject", "contract", "assumptions", "policy", "verifiers", "seed", "decision",
    "observations",
}  # fmt: skip


def test_the_document_has_the_entries_of_version_1():
    document = sample_artifact()
    assert document.keys() == ARCHITECTURE_KEYS
    assert document["format"] == "probatum/proof-artifact/v1"
    assert document["subject"] == {"digest": SUBJECT.digest, "media_type": "text/x-python", "name": "add.py::add"}
    assert document["decision"].keys() == {"status", "outcome", "constraint_id", "agent_message", "developer_fields"}


def test_parsing_gives_back_what_was_built():
    document = sample_artifact()
    parsed = parse_artifact(canonical_bytes(document))
    assert parsed.document == document
    assert parsed.decision == document["decision"]
    assert parsed.verifiers == VERIFIERS
    assert parsed.subject_digest == SUBJECT.digest


def test_digests_are_those_of_the_contents():
    document = sample_artifact()
    for name in ("policy", "contract"):
        assert document[name]["digest"] == digest_of(canonical_bytes(document[name]["content"]))


def test_the_verdict_refers_to_the_very_bytes_that_a_store_keeps():
    document = sample_artifact()
    decision = decision_on(observed((1, 2, 3), (4, 5, 9)))
    verdict = DiagnosticResult.verified(decision.agent_message, decision.developer_fields(), document)
    assert verdict.proof_ref == digest_of(canonical_bytes(document))


def test_advice_stays_outside():
    advised = decide(
        Outcome.TESTED,
        "program.tested",
        {"name": "add", "checks": 2, "noticed": 3, "planted": 4},
        {"executed_checks": 2, "advisory_checks": [AdvisoryCheck("review")]},
    )
    assert sample_bytes(decision=advised) == sample_bytes()


def test_the_same_input_gives_the_same_bytes():
    assert sample_bytes() == sample_bytes()


def test_two_subjects_with_the_same_evidence_have_different_proofs():
    assert sample_bytes() != sample_bytes(subject=Subject(SUBJECT.content + b"#", "text/x-python", SUBJECT.name))


def test_two_claims_on_the_same_evidence_have_different_proofs():
    assert sample_bytes() != sample_bytes(claim="add does not add.")


def test_parts_are_found_in_order_and_once():
    first, second = digest_of(b"1"), digest_of(b"2")
    observations = [{"log": part(second)}, {"deep": [{"er": part(first)}, part(second)]}]
    assert parse_artifact(sample_bytes(observations=observations)).parts == (second, first)


def without(key: str) -> dict[str, object]:
    return {name: value for name, value in sample_artifact().items() if name != key}


def within(place: str, **changes: object) -> dict[str, object]:
    document = sample_artifact()
    entry = {key: value for key, value in {**document[place], **changes}.items() if value is not without}
    return {**document, place: entry}


def replaced(**changes: object) -> dict[str, object]:
    return {**sample_artifact(), **changes}


MALFORMED = {
    "a list": [],
    "nothing": {},
    "unknown key": replaced(duration_ms=3),
    "other format": replaced(format="probatum/proof-artifact/v0"),
    "format is a list": replaced(format=["probatum/proof-artifact/v1"]),
    "a kind that is not a name": replaced(kind="Hope!"),
    "kind is an object": replaced(kind={}),
    "empty claim": replaced(claim=" "),
    "claim is a number": replaced(claim=1),
    "subject is text": replaced(subject="add.py"),
    "subject with a short digest": within("subject", digest="sha256:00"),
    "subject without name": within("subject", name=without),
    "subject with content": within("subject", content="x"),
    "contract digest in upper case": within("contract", digest="sha256:" + "A" * 64),
    "contract without content": within("contract", content=without),
    "policy without id": within("policy", id=without),
    "policy id empty": within("policy", id=""),
    "assumptions is text": replaced(assumptions="none"),
    "an assumption is a number": replaced(assumptions=[1]),
    "no verifiers": replaced(verifiers=[]),
    "a verifier is text": replaced(verifiers=["sums"]),
    "a verifier without version": replaced(verifiers=[{"id": "sums"}]),
    "a verifier twice": replaced(verifiers=[{"id": "sums", "version": "1"}, {"id": "sums", "version": "2"}]),
    "seed is true": replaced(seed=True),
    "seed is text": replaced(seed="0"),
    "seed is half": replaced(seed=0.5),
    "no observations": replaced(observations=[]),
    "observations is an object": replaced(observations={"a": 1}),
    "an observation is text": replaced(observations=["seen"]),
    "a part that is no digest": replaced(observations=[{"$part": "sha256:00"}]),
    "a part with company": replaced(observations=[{"$part": digest_of(b""), "size": 0}]),
    "unknown outcome": within("decision", outcome="certain"),
    "status that does not go with the outcome": within("decision", status="BLOCKED"),
    "status is null": within("decision", status=None),
    "decision with a proof": within("decision", proof_ref=digest_of(b"")),
    "decision with advice": within("decision", developer_fields={"advisory_checks": []}),
    "fields with another outcome": within("decision", developer_fields={"outcome": "proved"}),
    **{f"without {key}": without(key) for key in sorted(ARCHITECTURE_KEYS)},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_artifact_is_refused(name: str):
    with pytest.raises(IntegrityError) as caught:
        parse_artifact(canonical_bytes(MALFORMED[name]))
    assert caught.value.code == "artifact.malformed"


LATER = {
    "the next": replaced(format="probatum/proof-artifact/v2"),
    "much later": replaced(format="probatum/proof-artifact/v120"),
    "with keys of its own": {"format": "probatum/proof-artifact/v3", "evidence": []},
    "with a key more": replaced(format="probatum/proof-artifact/v2", verdicts=[]),
}


@pytest.mark.parametrize("name", LATER)
def test_a_later_version_has_an_error_of_its_own(name: str):
    with pytest.raises(IntegrityError, match="this probatum reads version 1") as caught:
        parse_artifact(canonical_bytes(LATER[name]))
    assert caught.value.code == "artifact.newer_version"
    assert "newer probatum" in caught.value.hint


FORMATS_OF_NOBODY = ["v0", "v1.1", "v02", "v-2", "v2 ", "v2\n", "v", "v\u0662", "v" + "9" * 7, "V2", "v2/v2"]


@pytest.mark.parametrize("version", FORMATS_OF_NOBODY)
def test_a_format_that_no_version_has_is_malformed(version: str):
    with pytest.raises(IntegrityError) as caught:
        parse_artifact(canonical_bytes(replaced(format=f"probatum/proof-artifact/{version}")))
    assert caught.value.code == "artifact.malformed"


WHOLE = sample_bytes()
NOT_CANONICAL = {
    "empty": b"",
    "text": b"proof",
    "latin-1": '{"a":"\u00e9"}'.encode("latin-1"),
    "trailing newline": WHOLE + b"\n",
    "byte order mark": b"\xef\xbb\xbf" + WHOLE,
    "indented": json.dumps(sample_artifact(), sort_keys=True, indent=1).encode(),
    "other key order": json.dumps(sample_artifact(), separators=(",", ":")).encode(),
    "escaped letter": WHOLE.replace(b"integers only", b"\\u0069ntegers only"),
    "duplicate key": WHOLE.replace(b'"seed":0', b'"seed":0,"seed":0'),
    "number spelt as a float": WHOLE.replace(b'"seed":0', b'"seed":0.0'),
    "negative zero": WHOLE.replace(b'"seed":0', b'"seed":-0'),
    "NaN": WHOLE.replace(b'"seed":0', b'"seed":NaN'),
    "infinite": WHOLE.replace(b'"seed":0', b'"seed":1e999'),
    "an integer that no JSON number holds": WHOLE.replace(b'"seed":0', b'"seed":9007199254740993'),
    "an integer of 10,000 digits": WHOLE.replace(b'"seed":0', b'"seed":1' + b"0" * 10_000),
    "lone surrogate": WHOLE.replace(b"integers only", b"\\ud800"),
    "nested 100,000 deep": b"[" * 100_000 + b"]" * 100_000,
    "nested 101 deep": b"[" * 101 + b"]" * 101,
    "two documents": WHOLE + WHOLE,
    "cut short": WHOLE[:-1],
}


@pytest.mark.parametrize("name", NOT_CANONICAL)
def test_bytes_that_are_not_canonical_are_refused(name: str):
    with pytest.raises(IntegrityError) as caught:
        parse_artifact(NOT_CANONICAL[name])
    assert caught.value.code == "artifact.not_canonical"


def test_an_oversized_artifact_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_ARTIFACT_BYTES", len(WHOLE) - 1)
    with pytest.raises(IntegrityError) as caught:
        parse_artifact(WHOLE)
    assert caught.value.code == "artifact.too_large"
    with pytest.raises(IntegrityError):
        sample_artifact()


NOT_BUILT = {
    "a float that is no number": {"observations": [{"a": float("nan")}]},
    "a tuple": {"policy": Described("p", (1, 2))},
    "an integer beyond 2^53": {"contract": Described("c", 2**60)},
    "a huge seed": {"seed": 2**60},
    "too deep": {"observations": [{"a": json.loads("[" * 120 + "]" * 120)}]},
}


@pytest.mark.parametrize("name", NOT_BUILT)
def test_what_has_no_canonical_form_is_not_built(name: str):
    with pytest.raises(ValueError, match=r"^\$|^policy|^contract"):
        sample_artifact(**NOT_BUILT[name])


def test_an_artifact_of_nothing_is_not_built():
    with pytest.raises(IntegrityError, match="nothing is not success"):
        sample_artifact(observations=[])
    with pytest.raises(IntegrityError, match="nothing is not success"):
        sample_artifact(verifiers=[])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=500) | st.text(max_size=500).map(str.encode))
def test_any_bytes_give_an_artifact_or_a_named_error(content: bytes):
    with pytest.raises(IntegrityError):
        parse_artifact(content)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc$", max_size=3), inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(JSON, st.lists(st.dictionaries(st.sampled_from("abc"), JSON, max_size=3), min_size=1, max_size=3))
def test_whatever_is_built_is_parsed_to_the_same_bytes(content: object, observations: list[dict[str, object]]):
    built = sample_bytes(policy=Described("p", content), observations=observations)
    assert canonical_bytes(parse_artifact(built).document) == built
