"""Derivations as data: a list of steps, each a claim of its own."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import thaw
from probatum.exact import check, decide
from tests.exact.claims import (
    ANSWERS,
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

LOGIC = {"engine": "logic", "statement": "q", "given": {"declare": ["p, q: bool"], "premise": ["p -> q", "p"]}}
UNITS = {"engine": "units", "statement": "3 km == 3000 m"}
PROVED_STEPS = {
    "one equation": ["5 + 3 = 8"],
    "equations": ["48/2 = 24", "48 + 24 = 72"],
    "a chain": ["2 + 2 = 4 = 8/2"],
    "rounded": ["10/3 ~= 3.33"],
    "claims of several engines": ["5 + 3 = 8", UNITS, LOGIC],
    "an equation as a claim": [{"engine": "math", "statement": "x + x = 2*x", "given": {"declare": ["x: real"]}}],
}
WRONG_STEPS = {
    "a sum": ["5 + 3 = 9"],
    "the second of two": ["5 + 3 = 8", "8 * 2 = 15"],
    "another engine's": ["5 + 3 = 8", {"engine": "units", "statement": "1 km == 100 m"}],
    "an open one before it": ["x = 10", "31^2 = 19^2 + 601"],
}
OPEN_STEPS = {
    "an unknown": ["2*x = 10"],
    "no relation": ["5 + 3"],
    "words": ["Tom has 5 + 3 = 8 apples."],
    "an ambiguous unit": ["5 + 3 = 8", {"engine": "units", "statement": "1 ton == 1000 kg"}],
    "what does not follow": [{"engine": "logic", "statement": "p", "given": {"declare": ["p: bool"]}}],
}
UNREAD = {
    "an empty list": "[]",
    "nothing": "",
    "prose": "5 + 3 = 8",
    "prose in brackets": r"\[3 + 4 = 9\] \[-2 = 7\]",
    "a comparison in words": "31^2 is 600 greater than 19^2",
    "an object": '{"engine": "math", "statement": "1 = 1"}',
    "a number": "[5]",
    "a step of no engine": '[{"statement": "1 = 1"}]',
    "a step of an unknown engine": '[{"engine": "oracle", "statement": "1 = 1"}]',
    "a step with something else": '[{"engine": "math", "statement": "1 = 1", "because": "so"}]',
    "a step that is given what it does not take": '[{"engine": "math", "statement": "1 = 1", "given": {"code": ""}}]',
    "a list in the list": '[["1 = 1"]]',
}


@pytest.mark.parametrize("steps", PROVED_STEPS.values(), ids=PROVED_STEPS)
def test_steps_that_hold_are_proved(steps: list[object]) -> None:
    assert outcome_of("reasoning", json.dumps(steps)) == (PROVED, "reasoning.every_step_derived")
    require_every_digit_counts(claim_of("reasoning", json.dumps(steps)))


@pytest.mark.parametrize("steps", WRONG_STEPS.values(), ids=WRONG_STEPS)
def test_a_wrong_step_refutes_and_is_named(steps: list[object]) -> None:
    ruling = ruled("reasoning", json.dumps(steps))
    assert (ruling.outcome, ruling.constraint) == (REFUTED, "reasoning.step_wrong")
    assert ruling.evidence["number"] == len(steps)


@pytest.mark.parametrize("steps", OPEN_STEPS.values(), ids=OPEN_STEPS)
def test_an_open_step_leaves_the_derivation_open(steps: list[object]) -> None:
    assert outcome_of("reasoning", json.dumps(steps)) == (UNDECIDED, "reasoning.step_open")


@pytest.mark.parametrize("statement", UNREAD.values(), ids=UNREAD)
def test_what_is_not_a_list_of_steps_is_blocked_with_a_hint(statement: str) -> None:
    assert outcome_of("reasoning", statement) == (BLOCKED, "reasoning.syntax")
    with pytest.raises(NotAttemptedError) as caught:
        decide(claim_of("reasoning", statement))
    assert '["3 + 4 = 7"' in caught.value.hint


def test_derivations_about_derivations_are_refused() -> None:
    for nested in ({"engine": "reasoning", "statement": '["1 = 1"]'}, {"engine": "consensus", "statement": "all"}):
        assert outcome_of("reasoning", json.dumps(["1 = 1", nested])) == (BLOCKED, "consensus.nested")


def test_a_certificate_serves_no_other_derivation() -> None:
    certificate = thaw(ruled("reasoning", '["5 + 3 = 8", "1 = 1"]').evidence)
    for other in ('["5 + 3 = 8"]', '["5 + 3 = 9", "1 = 1"]', '["1 = 1", "5 + 3 = 8"]'):
        with pytest.raises(ValueError):
            check(claim_of("reasoning", other), certificate)  # type: ignore[arg-type]  # JSON


def test_every_step_is_printed_with_its_engine() -> None:
    stated = ruled("reasoning", json.dumps(["5 + 3 = 8", UNITS])).stated
    assert stated.startswith("(1) math: ")
    assert stated.endswith("; (2) units: 3 km == 3000 m")


@given(st.text(max_size=60))
def test_no_text_is_proved(text: str) -> None:
    assert outcome_of("reasoning", text)[0] is BLOCKED


@given(st.lists(st.sampled_from(["1 = 1", "1 = 2", "x", "", 5, UNITS, {"engine": "math"}]), max_size=4))
def test_no_list_crashes(steps: list[object]) -> None:
    assert outcome_of("reasoning", json.dumps(steps))[0] in ANSWERS
