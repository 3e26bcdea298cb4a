"""Claim readings: which claims of an output rest on a reading that counts under the policy of the request.

The one place that speaks to `probatum.readings`: it hands over text, parsed sources and a prover, and takes back which
stretches of the text are spoken for, by whom, and what was refused. Refuses readings where there are none to try them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.frozen import thaw
from probatum.judge.facts.sources import ComparedSource
from probatum.judge.request import INVALID, ValidationRequest

if TYPE_CHECKING:
    from probatum.exact.claim import Ruling
    from probatum.readings.grounding import GroundedClaim, RefusedClaim

Exact = Callable[[str, str], "Ruling"]
"""Decides a statement of an exact engine; raises a ProbatumError where it cannot."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """What the readings of one text come to; ``proposed`` counts grounded readings that the policy does not count."""

    policy: str = ""
    words: tuple[GroundedClaim, ...] = ()
    """Grounded readings that count."""
    refused: tuple[RefusedClaim, ...] = ()
    proposed: int = 0

    def of(self, text: str, start: int, end: int) -> tuple[GroundedClaim, ...]:
        """Return the readings that together speak for every word between two places; none where one is left out."""
        inside = [each for each in self.words if each.span[0] < end and start < each.span[1]]
        spoken = {place for each in inside for place in range(max(start, each.span[0]), min(end, each.span[1]))}
        is_whole = all(place in spoken or not text[place].isalnum() for place in range(start, end))
        return tuple(inside) if inside and is_whole else ()


NOT_READ: Final = ReadText()


def read_text(
    request: ValidationRequest, text: str, sources: Sequence[ComparedSource], exact: Exact | None
) -> ReadText:
    """Return what the readings of a request say of a text; raises UsageError where they cannot be read."""
    if not request.readings:
        return NOT_READ
    from probatum.readings.claims import claim_records
    from probatum.readings.formal import ClaimProof
    from probatum.readings.grounding import grounding
    from probatum.readings.paths import CitableSource, CitableTable

    def prove(engine: str, statement: str) -> ClaimProof:
        if exact is None:
            sentence = f"Judge has no engine {engine}."
            raise NotAttemptedError("judge.no_engines", sentence, "Use judge_output, or Judge(CriteriaTools(exact=…)).")
        ruling = exact(engine, statement)
        evidence: JsonValue = thaw(ruling.evidence)  # type: ignore[assignment]  # evidence is JSON
        return ClaimProof(ruling.outcome.value, ruling.detail, evidence)

    def citable(source: ComparedSource) -> CitableSource:
        table = source.table
        tables = (CitableTable(table.header, table.rows),) if table is not None else ()
        cells = table.text if table is not None else ""
        return CitableSource(source.name, source.text, source.data, tables, cells)  # type: ignore[arg-type]  # JSON

    try:
        records = claim_records(thaw(request.readings))
    except ValueError as error:
        raise UsageError(INVALID, f"{error}.", details={"field": "readings"}) from error
    found = grounding(text, [citable(each) for each in sources], records, prove, request.readings_policy)
    words = tuple(each for each in found.grounded if each.counts)
    return ReadText(found.policy, words, found.refused, len(found.grounded) - len(words))
