"""Law 2: readings that do not count change no VERIFIED, no refutation and no proof; they can withhold VERIFIED."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.proof.stores import MemoryStore
from probatum.readings.values import Reading, ReadingKind
from tests.programs.readers import GOOD, GUARD, NET, WRONG_NET, accepted, asked, record
from tests.services import Service

WORDS = ("Return the price without tax.", "If the rate is not a rate of this country.", "without tax")


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as opened:
        yield opened


LIMITS = st.sampled_from(("0", "0.5", "1", "gross", "gross / 2", "result", "rate"))
CLAUSES = st.builds(
    "{} {} {}".format,
    st.sampled_from(("result", "rate", "gross", "result * (1 + rate)")),
    st.sampled_from(("<", "<=", "==", "!=", ">")),
    LIMITS,
)


@cache
def without(service: Service, source: bytes) -> DiagnosticResult:
    """Return the verdict by the readings that count alone."""
    return service.verify_program(asked(source, record(*accepted(GOOD, GUARD)))).verdict


@st.composite
def proposals(draw: st.DrawFn) -> Reading:
    """Draw a reading that nobody accepted, sensible or not."""
    kind = draw(st.sampled_from(ReadingKind))
    if kind is ReadingKind.NARRATIVE:
        return Reading(draw(st.sampled_from(WORDS)), kind)
    clause = draw(CLAUSES)
    if kind is ReadingKind.SESSION:
        clause = f"gross, rate = 20.0, 0.5\nresult = net_price(gross, rate)\nassert {clause}"
    exception = "ValueError" if kind is ReadingKind.RAISES else ""
    return Reading(draw(st.sampled_from(WORDS)), kind, clause, exception, draw(st.floats(0, 1)))


@pytest.mark.parametrize("source", [NET, WRONG_NET], ids=["right", "wrong"])
@settings(max_examples=8, deadline=None)
@given(proposed=st.lists(proposals(), max_size=3, unique_by=lambda each: each.clause))
def test_they_change_no_verified_no_refutation_and_no_proof(service: Service, source: bytes, proposed: list[Reading]):
    counting = record(*accepted(GOOD, GUARD))
    other = replace(record(*proposed), reader="another")
    alone = without(service, source)
    beside = service.verify_program(asked(source, counting, *([other] if proposed else []))).verdict
    if alone.outcome == Outcome.REFUTED:
        assert beside.outcome == Outcome.REFUTED
    else:
        assert beside.outcome in {alone.outcome, Outcome.UNDECIDED}
        assert not beside.is_verified or beside.proof_ref == alone.proof_ref
