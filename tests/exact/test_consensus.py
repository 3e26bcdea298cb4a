"""Several claims together: the weakest decides."""

from __future__ import annotations

import json

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.exact import decide
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

ALL = "all claims hold"
SUM = {"engine": "math", "statement": "0.1 + 0.2 = 0.3"}
STEP = {"engine": "units", "statement": "3 km == 3000 m"}
VALID = {"engine": "schema", "statement": "valid", "given": {"document": "1", "schema": '{"type": "integer"}'}}
FALSE = {"engine": "math", "statement": "2 + 2 = 5"}
OPEN = {"engine": "units", "statement": "1 ton == 1000 kg"}
UNREAD = {"engine": "math", "statement": "hello"}


@pytest.mark.parametrize("claims", [[SUM, STEP], [SUM, VALID, STEP], [SUM, {"engine": "math", "statement": "1 < 2"}]])
def test_two_distinct_proved_claims_are_proved(claims: list[object]) -> None:
    assert ruled("consensus", ALL, claims=claims).constraint == "consensus.agreed"
    assert ruled("consensus", f" {ALL} ", claims=json.dumps(claims)).outcome is PROVED
    require_every_digit_counts(claim_of("consensus", ALL, claims=claims))


def test_one_false_claim_refutes_even_beside_an_open_one() -> None:
    ruling = ruled("consensus", ALL, claims=[UNREAD, OPEN, FALSE])
    assert (ruling.outcome, ruling.evidence["number"]) == (REFUTED, 3)


@pytest.mark.parametrize("weak", [OPEN, UNREAD])
def test_one_open_or_unread_claim_leaves_all_open(weak: object) -> None:
    assert outcome_of("consensus", ALL, claims=[SUM, STEP, weak]) == (UNDECIDED, "consensus.open")


@pytest.mark.parametrize("again", [SUM, {"engine": "math", "statement": " 0.1+0.2  =  0.3"}])
def test_a_claim_and_its_double_are_one(again: object) -> None:
    assert outcome_of("consensus", ALL, claims=[SUM, again]) == (UNDECIDED, "consensus.too_few")
    assert outcome_of("consensus", ALL, claims=[SUM]) == (UNDECIDED, "consensus.too_few")


def test_claims_about_claims_are_refused() -> None:
    nested = {"engine": "consensus", "statement": ALL, "given": {"claims": "[]"}}
    derivation = {"engine": "reasoning", "statement": '["1 = 1"]'}
    for member in (nested, derivation):
        assert outcome_of("consensus", ALL, claims=[SUM, member]) == (BLOCKED, "consensus.nested")


@pytest.mark.parametrize(
    ("statement", "claims"),
    [
        ("", [SUM, STEP]),
        ("not all claims hold", [SUM, STEP]),
        ("all claims hold or not", [SUM, STEP]),
        ("both claims hold", [SUM, STEP]),
        (ALL, []),
        (ALL, "no JSON"),
        (ALL, {"a": 1}),
        (ALL, [SUM, 5]),
        (ALL, [SUM, {"engine": "math"}]),
        (ALL, [SUM, {**STEP, "extra": 1}]),
        (ALL, [SUM, {"engine": "oracle", "statement": "x"}]),
        (ALL, [SUM, {"engine": "math", "statement": "1 = 1", "given": {"nosuch": "x"}}]),
        (ALL, [SUM] * 101),
    ],
)
def test_what_is_no_list_of_claims_is_refused(statement: str, claims: object) -> None:
    with pytest.raises(NotAttemptedError):
        decide(claim_of("consensus", statement, claims=claims))
