"""Formal claims of readings, proved by the engines of exact claims."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from probatum.core.canonical import JsonValue
from probatum.core.frozen import frozen_dict, thaw
from probatum.exact import ExactClaim, decide
from probatum.readings.claims import claim_records
from probatum.readings.formal import ClaimProof
from probatum.readings.grounding import grounding
from probatum.readings.paths import CitableSource


def _prove(engine: str, statement: str, given: Mapping[str, JsonValue]) -> ClaimProof:
    ruling = decide(ExactClaim(engine, statement, frozen_dict(given)))
    return ClaimProof(ruling.outcome.value, ruling.detail, thaw(ruling.evidence))  # type: ignore[arg-type]  # JSON


CASES = {
    "a sum": ("12 and 30 make 42", "math", "12 + 30 = 42", "", ""),
    "a false sum": ("12 and 30 make 43", "math", "12 + 30 = 43", "", "claim_refuted"),
    "a percentage": ("20 % of 50 is 10", "math", "20/100 * 50 = 10", "", ""),
    "a tautology": ("20 of 50", "math", "20 + 50 = 50 + 20", "", "claim_says_nothing"),
    "no engine": ("12 and 30 make 42", "maths", "12 + 30 = 42", "", "claim_not_read"),
    "no statement": ("12 and 30 make 42", "math", "12 and 30 make 42", "", "claim_not_read"),
    "a conversion": ("It is 5 km long.", "units", "5 km = 5000 m", "5000 m of road", ""),
    "a false conversion": ("It is 6 km long.", "units", "6 km = 5000 m", "5000 m of road", "claim_refuted"),
    "a conversion of nothing": ("It is 5 km long.", "units", "5 km = 5000 m", "", "claim_adds_values"),
}


@pytest.mark.parametrize("row", CASES.values(), ids=CASES)
def test_formal_claims(row: tuple[str, str, str, str, str]) -> None:
    passage, engine, statement, quote, code = row
    claim = {"passage": passage, "engine": engine, "statement": statement}
    cited = {"source": "doc", "quote": quote} if quote else {}
    records = claim_records({"reader": "model-1", "claims": [{**claim, **cited}]})
    found = grounding(passage, [CitableSource("doc", quote)], records, _prove, "proposed")
    assert [each.refusal.code for each in found.refused] == ([code] if code else [])
