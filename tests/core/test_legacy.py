"""Answers of earlier engines become verdicts that establish nothing, or are refused."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.diagnostics import DiagnosticResult, DiagnosticStatus
from tests.core.strategies import JSON

UNVERIFIABLE = {
    "correction needed": {"is_correct": False, "status": "CORRECTION_NEEDED", "calculated_value": 3},
    "inconclusive": {"status": "INCONCLUSIVE"},
    "not equivalent": {"status": "NOT_EQUIVALENT"},
    "disproven": {"status": "DISPROVEN", "counterexample": {"x": -1}},
    "nothing": {},
    "false": {"is_correct": False},
    "zero": {"is_correct": 0},
    "false with an empty error": {"is_correct": False, "error": ""},
    "a status that fails closed beside a claim of success": {"status": "INCONCLUSIVE", "is_correct": True},
}
BLOCKED = {
    "error": {"status": "ERROR", "error": "division by zero"},
    "syntax error": {"status": "SYNTAX_ERROR"},
    "blocked": {"status": "BLOCKED"},
    "false with an error": {"is_correct": False, "error": "no parser"},
    "zero with an error": {"is_correct": 0, "error": "no parser"},
    "an error alone": {"error": "no parser"},
}
REFUSED = {
    "verified": {"status": "VERIFIED", "is_correct": True},
    "verified as our own status": {"status": DiagnosticStatus.VERIFIED},
    "true": {"is_correct": True},
    "one": {"is_correct": 1},
    "two": {"is_correct": 2},
    "one as float": {"is_correct": 1.0},
    "text": {"is_correct": "false"},
    "unknown correctness": {"is_correct": None},
    "list": {"is_correct": []},
    "lower case": {"status": "verified"},
    "unknown status": {"status": "MOSTLY"},
    "no status": {"status": None},
    "status list": {"status": ["ERROR"]},
    "not an object": [("status", "ERROR")],
}


@pytest.mark.parametrize("name", UNVERIFIABLE)
def test_unverifiable(name: str):
    result = DiagnosticResult.from_legacy_dict(UNVERIFIABLE[name], engine="math")
    assert (result.status, result.proof_ref, result.outcome) == (DiagnosticStatus.UNVERIFIABLE, None, "undecided")


@pytest.mark.parametrize("name", BLOCKED)
def test_blocked(name: str):
    result = DiagnosticResult.from_legacy_dict(BLOCKED[name], engine="math")
    assert (result.status, result.proof_ref, result.outcome) == (DiagnosticStatus.BLOCKED, None, "not_attempted")


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    with pytest.raises(ValueError):
        DiagnosticResult.from_legacy_dict(REFUSED[name], engine="math")


@pytest.mark.parametrize("engine", ["", " ", None, 5])
def test_the_engine_needs_a_name(engine: object):
    with pytest.raises(ValueError, match="engine"):
        DiagnosticResult.from_legacy_dict({}, engine=engine)


def test_what_the_engine_said_stays_with_the_developer():
    said = {"status": "ERROR", "error": "rule 7 matched /secret/", "value": Decimal("0.7"), "raw": object()}
    result = DiagnosticResult.from_legacy_dict(said, engine="math")
    assert result.agent_message == "An earlier engine could not attempt the verification."
    assert result.developer_fields["engine"] == "math"
    assert result.developer_fields["legacy"] == {
        "status": "ERROR",
        "error": "rule 7 matched /secret/",
        "value": {"$decimal": "0.7"},
        "raw": {"$object": "object"},
    }


@given(st.dictionaries(st.sampled_from(["status", "is_correct", "error", "message"]), JSON))
def test_whatever_an_engine_answers_is_never_verified_and_never_quoted(said: dict[str, object]):
    try:
        result = DiagnosticResult.from_legacy_dict(said, engine="any")
    except ValueError:
        return
    assert result.is_fail_closed
    assert result.agent_message.startswith("An earlier engine could not ")
