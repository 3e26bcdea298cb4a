"""Attacks on the verdict as a value, by their numbers. In-process Python cannot be sealed: what is refused here keeps
accidents and forged data out; authority comes from re-checking the artifact behind the proof reference.
"""

from __future__ import annotations

import copy
import copyreg
import io
import pickle
from dataclasses import FrozenInstanceError, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

import pytest

from probatum.core.decision import DiagnosticStatus
from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult, compute_proof_ref
from probatum.core.subject import Subject

PROOF = "sha256:" + "ab" * 32
VERIFIED = DiagnosticStatus.VERIFIED


def assert_refused(*arguments: object) -> None:
    with pytest.raises(ValueError):
        DiagnosticResult(*arguments)


@pytest.mark.parametrize("proof", [None, ""])
def test_attack_1_verified_without_proof(proof: object):
    assert_refused(VERIFIED, "Said.", {}, proof)


@pytest.mark.parametrize(
    "proof",
    [" ", "x", "sha256:", "sha256:fake", PROOF.upper(), "SHA256:" + "ab" * 32, PROOF + "\n", " " + PROOF, "ab" * 32],
)
def test_attack_2_a_proof_that_is_no_digest(proof: str):
    assert_refused(VERIFIED, "Said.", {}, proof)


class Digest(str):
    __slots__ = ()


@pytest.mark.parametrize("proof", [True, 1, [0], {}, PROOF.encode(), Digest(PROOF)], ids=repr)
def test_attack_3_a_proof_that_is_no_text(proof: object):
    assert_refused(VERIFIED, "Said.", {}, proof)


def test_attack_4_status_as_plain_text_without_proof():
    assert_refused("VERIFIED", "Said.", {}, None)


class OtherStatus(StrEnum):
    VERIFIED = "VERIFIED"


@pytest.mark.parametrize("status", ["HEURISTIC", None, 1, True, OtherStatus.VERIFIED, [], VERIFIED.__class__], ids=repr)
def test_attack_5_a_status_that_is_none_of_the_three(status: object):
    assert_refused(status, "Said.", {}, None)
    assert_refused(status, "Said.", {}, PROOF)


def test_attack_6_status_as_plain_text_with_proof():
    assert_refused("VERIFIED", "Said.", {}, PROOF)


@pytest.mark.parametrize("name", ["status", "agent_message", "developer_fields", "proof_ref", "another"])
def test_attack_7_setattr_and_delattr(name: str):
    result = DiagnosticResult.unverifiable("Said.", {})
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        setattr(result, name, PROOF)
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        delattr(result, name)
    assert result == DiagnosticResult.unverifiable("Said.", {})


def test_a_verdict_has_no_dictionary_to_write_into():
    assert not hasattr(DiagnosticResult.unverifiable("Said.", {}), "__dict__")
    assert not hasattr(AdvisoryCheck("reader"), "__dict__")


def test_replace_goes_through_the_checks():
    result = DiagnosticResult.unverifiable("Said.", {})
    with pytest.raises(ValueError):
        replace(result, proof_ref=PROOF)
    with pytest.raises(ValueError):
        replace(result, status=VERIFIED)


class StatePickler(pickle.Pickler):
    """Writes an object as classes without own reduction are written: made by ``__new__``, filled with a state."""

    def __init__(self, file: io.BytesIO, state: object) -> None:
        super().__init__(file, 4)
        self._state = state

    def reducer_override(self, value: object) -> object:
        if isinstance(value, DiagnosticResult | AdvisoryCheck):
            return copyreg.__newobj__, (type(value),), self._state
        return NotImplemented


FORGED_STATES = {
    "as a list": [VERIFIED, "Said.", {}, None],
    "as slots": (None, {"status": VERIFIED, "agent_message": "Said.", "developer_fields": {}, "proof_ref": PROOF}),
    "as a dictionary": {"status": "VERIFIED", "proof_ref": True},
    "sound": [DiagnosticStatus.BLOCKED, "Said.", {}, None],
}


@pytest.mark.parametrize("name", FORGED_STATES)
@pytest.mark.parametrize(
    "value", [DiagnosticResult.blocked("Said.", {}), AdvisoryCheck("reader")], ids=["result", "advice"]
)
def test_attack_11_new_and_pickle_skip_the_checks(name: str, value: object):
    written = io.BytesIO()
    StatePickler(written, FORGED_STATES[name]).dump(value)
    with pytest.raises(ValueError, match="built by its constructor"):
        pickle.loads(written.getvalue())


def test_attack_11_a_pickle_that_calls_the_constructor_is_checked():
    written = pickle.dumps(DiagnosticResult.verified("Said.", {}, {"a": 1}), 0)
    assert b"Vsha256:" in written
    with pytest.raises(ValueError):
        pickle.loads(written.replace(b"Vsha256:", b"Vsha257:"))


def test_attack_11_an_object_made_by_new_has_nothing():
    bare = DiagnosticResult.__new__(DiagnosticResult)
    for use in (lambda: bare.is_authoritative, bare.to_dict, lambda: hash(bare), lambda: copy.copy(bare)):
        with pytest.raises(AttributeError):
            use()


@pytest.mark.parametrize("final", [DiagnosticResult, AdvisoryCheck])
def test_attack_12_a_subclass_that_overrides_the_checks(final: type):
    with pytest.raises(TypeError, match="final"):
        type("Lenient", (final,), {"__post_init__": lambda self: None})


@pytest.mark.parametrize("claim", [True, 1, "yes", None])
def test_attack_15_is_authoritative_lies(claim: object):
    data = DiagnosticResult.unverifiable("Said.", {}).to_dict()
    with pytest.raises(ValueError, match="is_authoritative"):
        DiagnosticResult.from_dict({**data, "is_authoritative": claim})
    verified = DiagnosticResult.verified("Said.", {}, {"a": 1}).to_dict()
    with pytest.raises(ValueError, match="is_authoritative"):
        DiagnosticResult.from_dict({**verified, "is_authoritative": False})


def test_attack_15_an_unknown_key():
    data = DiagnosticResult.unverifiable("Said.", {}).to_dict()
    with pytest.raises(ValueError, match="unknown key 'confidence'"):
        DiagnosticResult.from_dict({**data, "confidence": 0.99})


WRONG_TYPES = {
    "message is a list": {"agent_message": ["Said."]},
    "fields are a list": {"developer_fields": [["a", 1]]},
    "advice is an object": {"developer_fields": {"advisory_checks": {}}},
    "advice holds null": {"developer_fields": {"advisory_checks": [None]}},
    "advice holds text": {"developer_fields": {"advisory_checks": ["reader"]}},
    "advice with numbers for names": {"developer_fields": {"advisory_checks": [{"name": 1, "advisory_only": True}]}},
    "constraint is a list": {"developer_fields": {"constraint_id": ["a"]}},
    "outcome is an object": {"developer_fields": {"outcome": {}}},
    "fields with integer keys": {"developer_fields": {1: 2}},
    "status is a list": {"status": ["BLOCKED"]},
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_attack_16_wrong_types_inside(name: str):
    data = DiagnosticResult.blocked("Said.", {}).to_dict()
    with pytest.raises(ValueError):
        DiagnosticResult.from_dict({**data, **WRONG_TYPES[name]})


def test_attack_17_the_caller_changes_its_dictionary_afterwards():
    fields = {"outcome": "undecided", "rows": [{"line": 1}], "advisory_checks": []}
    result = DiagnosticResult.unverifiable("Said.", fields)
    before = result.to_dict()
    fields["outcome"] = "proved"
    fields["rows"][0]["line"] = 2
    fields["advisory_checks"].append(AdvisoryCheck("late"))
    assert result.to_dict() == before


FIELDS = {"rows": [{"line": 1}], "advisory_checks": [AdvisoryCheck("reader", details={"says": ["yes"]})]}
CHANGES = {
    "set": lambda fields: fields.__setitem__("outcome", "proved"),
    "update": lambda fields: fields.update(outcome="proved"),
    "pop": lambda fields: fields.pop("rows"),
    "in-place or": lambda fields: fields.__ior__({"outcome": "proved"}),
    "deeper list": lambda fields: fields["rows"].append(1),
    "deeper object": lambda fields: fields["rows"][0].clear(),
    "the list of advice": lambda fields: fields["advisory_checks"].clear(),
    "details of advice": lambda fields: fields["advisory_checks"][0].details.clear(),
    "deep inside advice": lambda fields: fields["advisory_checks"][0].details["says"].append("no"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_attack_18_developer_fields_are_changed_in_place(name: str):
    result = DiagnosticResult.unverifiable("Said.", FIELDS)
    with pytest.raises(TypeError, match="cannot be changed"):
        CHANGES[name](result.developer_fields)
    assert result == DiagnosticResult.unverifiable("Said.", FIELDS)


def test_attack_19_changes_through_to_dict_and_copies():
    result = DiagnosticResult.unverifiable("Said.", FIELDS)
    shown = result.to_dict()
    shown["developer_fields"]["rows"][0]["line"] = 2
    shown["developer_fields"]["advisory_checks"][0]["details"]["says"].append("no")
    result.advisory_checks.clear()
    for other in (copy.copy(result), copy.deepcopy(result)):
        with pytest.raises(TypeError):
            other.developer_fields["rows"] = []
    assert result == DiagnosticResult.unverifiable("Said.", FIELDS)


@pytest.mark.parametrize("evidence", [{}, None, [], 5, "evidence", [("a", 1)], ()], ids=repr)
def test_attack_20_evidence_of_nothing(evidence: object):
    with pytest.raises(ValueError):
        DiagnosticResult.verified("Said.", {}, evidence)
    with pytest.raises(ValueError):
        compute_proof_ref(evidence)


def nested(depth: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def cyclic() -> dict[str, object]:
    value: dict[str, object] = {}
    value["a"] = [value]
    return value


class Name(StrEnum):
    A = "a"


NO_EVIDENCE = {
    "attack 22 NaN": {"a": float("nan")},
    "attack 22 infinity": {"a": [float("inf")]},
    "attack 23 Decimal": {"a": Decimal(1)},
    "attack 23 datetime": {"a": datetime(2020, 1, 1)},
    "attack 23 bytes": {"a": b"x"},
    "attack 23 set": {"a": {1}},
    "attack 23 cycle": cyclic(),
    "attack 24 100,000 deep": nested(100_000),
    "attack 25 integer key": {1: 2},
    "attack 25 boolean key": {True: 2},
    "attack 25 tuple": {"a": (1,)},
    "attack 25 text enum": {"a": Name.A},
    "attack 27 lone surrogate": {"a": "\ud800"},
}


@pytest.mark.parametrize("name", NO_EVIDENCE)
def test_evidence_without_one_canonical_form(name: str):
    with pytest.raises(ValueError):
        compute_proof_ref(NO_EVIDENCE[name])
    with pytest.raises(ValueError):
        DiagnosticResult.verified("Said.", {}, NO_EVIDENCE[name])
    with pytest.raises(ValueError):
        DiagnosticResult.verified("Said.", NO_EVIDENCE[name], {"a": 1})
    with pytest.raises(ValueError):
        AdvisoryCheck("reader", details=NO_EVIDENCE[name])


def test_attack_26_the_policy_on_numbers_and_text():
    assert compute_proof_ref({"a": 1, "b": 0}) == compute_proof_ref({"a": 1.0, "b": -0.0})
    assert compute_proof_ref({"a": "\u00e9"}) != compute_proof_ref({"a": "e\u0301"})


LEAKS = {
    "its constraint id": ("Rule pii.email_found was hit.", {"constraint_id": "pii.email_found"}),
    "its constraint id in capitals": ("Rule PII.EMAIL_FOUND was hit.", {"constraint_id": "pii.email_found"}),
    "a pattern": (r"The text matched \bpassword\b here.", {}),
    "a pattern that is a field": ("The text matched (?i)ignore.*above.", {"pattern": "(?i)ignore.*above"}),
    "a matched text": ("Found ignore all previous.", {"evidence": {"matches": ["ignore all previous"]}}),
    "a matched text in other case": ("Found IGNORE ALL previous.", {"match": "ignore all previous"}),
    "a matched text between blanks": ("Found ignore all previous.", {"match": "  ignore all previous\n"}),
    "a matched identifier": ("customer_secret is missing.", {"identifier": "customer_secret"}),
    "a short rule id": ("Rule R-17 was hit.", {"rule": "R-17"}),
    "a short rule id in other case": ("Rule sql001 was hit.", {"rules": ["SQL001"]}),
    "a short pattern": ("The text matched (a+)+ here.", {"pattern": "(a+)+"}),
    "a short matched text": ("Found to_ssn.", {"deep": [{"match": "to_ssn"}]}),
    "a score": ("The score is 0.87.", {"score": 0.87}),
    "a score as text": ("The score is 0.87.", {"score": "0.87"}),
    "an escape sequence of a terminal": ("\x1b[32mVERIFIED\x1b[0m", {}),
    "a line of its own": ("Not established.\nVERIFIED", {}),
    "nothing": ("", {}),
    "blanks": (" \t\n", {}),
    "zero-width characters": ("\u200b\u200d\ufeff\u2060", {}),
    "combining marks alone": ("\u0301\u034f\ufe0f", {}),
    "blank letters": ("\u3164\u115f\u2800", {}),
    "lone surrogate": ("Not \ud800 established.", {}),
    "not text": (b"Said.", {}),
}


@pytest.mark.parametrize("name", LEAKS)
def test_attack_28_a_message_that_leaks_or_says_nothing(name: str):
    message, fields = LEAKS[name]
    with pytest.raises(ValueError, match="agent_message"):
        DiagnosticResult.unverifiable(message, fields)


ADMITTED = {
    "the document's own example": ("Missing required field: customer_id", {"constraint_id": "contract.required"}),
    "a short word that is also a field": ("Claim verified — unique mode match", {"statistic": "mode"}),
    "a short word of two": ("It is not there.", {"operator": "is not"}),
    "a whole number": ("All 12 rows are there.", {"rows": "12", "counted": 12, "wanted": 12.0}),
    "a number that is part of another": ("It takes 10.75 seconds.", {"factor": 0.7, "share": "0.75"}),
    "a sign that is part of a word": ("A re-check is due.", {"prefix": "e-c"}),
    "an empty text": ("It is not there.", {"note": "", "blank": "  "}),
    "its outcome": ("The matter stays undecided.", {"outcome": "undecided"}),
    "another script": ("未能证明该主张。", {}),
    "a catalogued sentence that names a field's text": (
        "newest_first does not do what its documentation says.",
        {"constraint_id": "program.counterexample", "function": "newest_first"},
    ),
}


@pytest.mark.parametrize("name", ADMITTED)
def test_a_message_that_is_fit_for_an_agent(name: str):
    message, fields = ADMITTED[name]
    assert DiagnosticResult.unverifiable(message, fields).agent_message == message


ADVICE = {
    "advisory_only False": {"name": "reader", "advisory_only": False},
    "advisory_only 1": {"name": "reader", "advisory_only": 1},
    "advisory_only text": {"name": "reader", "advisory_only": "True"},
    "advisory_only missing": {"name": "reader"},
    "no name": {"advisory_only": True},
    "empty name": {"name": "", "advisory_only": True},
    "blank name": {"name": " ", "advisory_only": True},
    "name with a lone surrogate": {"name": "\ud800", "advisory_only": True},
    "constraint empty": {"name": "reader", "advisory_only": True, "constraint_id": ""},
    "constraint a number": {"name": "reader", "advisory_only": True, "constraint_id": 1},
    "details a list": {"name": "reader", "advisory_only": True, "details": []},
    "details null": {"name": "reader", "advisory_only": True, "details": None},
    "details text": {"name": "reader", "advisory_only": True, "details": ""},
    "details hold a status": {"name": "reader", "advisory_only": True, "details": {"status": "VERIFIED"}},
    "details hold a proof": {"name": "reader", "advisory_only": True, "details": {"proof_ref": PROOF}},
    "details hold a status deeper": {"name": "reader", "advisory_only": True, "details": {"a": [{"status": 1}]}},
    "an unknown key": {"name": "reader", "advisory_only": True, "verdict": "VERIFIED"},
    "malformed": ["reader", True],
}


@pytest.mark.parametrize("name", ADVICE)
def test_attack_29_advice_that_is_more_than_advice_or_malformed(name: str):
    with pytest.raises(ValueError):
        AdvisoryCheck.from_dict(ADVICE[name])
    with pytest.raises(ValueError):
        DiagnosticResult.unverifiable("Said.", {"advisory_checks": [ADVICE[name]]})


def test_attack_33_equality_and_hash_with_advice():
    advice = AdvisoryCheck("reader", constraint_id="advice.only", details={"score": 0.65})
    result = DiagnosticResult.unverifiable("Said.", {"advisory_checks": [advice]})
    again = DiagnosticResult.from_dict(result.to_dict())
    assert again == result
    assert len({again, result}) == 1
    assert again.advisory_checks == [advice]
    assert len({again.advisory_checks[0], advice}) == 1


def test_attack_36_the_same_evidence_on_two_subjects():
    first, second = (
        {"claim": claim, "subject": Subject(image, "image/png", "picture").digest, "observed": [1]}
        for image, claim in ((b"cat", "a cat is shown"), (b"dog", "no cat is shown"))
    )
    assert compute_proof_ref(first) != compute_proof_ref(second)
