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
class GroundedWords:
    """A stretch of the text that a counting reading speaks for, and what was compared."""

    start: int
    end: int
    reader: str
    check: str
    source: str
    compared: tuple[tuple[str, str], ...] = ()
    """Each value of the passage with the one that it equals."""
    around: tuple[str, str] = ("", "")
    """The words before and after the quote, which may say that it is not so."""

    def document(self) -> dict[str, JsonValue]:
        """Return it as JSON; what is empty is left out."""
        row: dict[str, JsonValue] = {"reader": self.reader, "check": self.check, "source": self.source}
        row |= {"compared": [list(pair) for pair in self.compared]}
        row |= dict(zip(("before", "after"), self.around, strict=True))
        return {key: value for key, value in row.items() if value}

    @property
    def is_narrative(self) -> bool:
        """Whether the reader says that the words state nothing."""
        return self.check == "narrative"


@dataclass(frozen=True, slots=True)
class ReadText:
    """What the readings of one text come to; ``proposed`` counts grounded readings that the policy does not count."""

    policy: str = ""
    words: tuple[GroundedWords, ...] = ()
    refused: tuple[RefusedClaim, ...] = ()
    proposed: int = 0

    def of(self, text: str, start: int, end: int) -> tuple[GroundedWords, ...]:
        """Return the readings that together speak for every word between two places; none where one is left out."""
        inside = [each for each in self.words if each.start < end and start < each.end]
        spoken = {place for each in inside for place in range(max(start, each.start), min(end, each.end))}
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
    words = tuple(_words(each) for each in found.grounded if each.counts)
    return ReadText(found.policy, words, found.refused, len(found.grounded) - len(words))


def _words(each: GroundedClaim) -> GroundedWords:
    cited, claim = each.tried.cited, each.claim
    around = (cited.before, cited.after) if cited is not None else ("", "")
    return GroundedWords(*each.span, each.meaning_by, claim.check, claim.source, each.tried.compared, around)
