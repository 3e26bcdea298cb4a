"""Readings of a request: which claims of its output, and which criteria, rest on one that counts under its policy.

The one place that speaks to `probatum.readings`: it hands over text, parsed sources and what decides, and takes back
which stretches of the text are spoken for, by whom, and what was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import thaw
from probatum.core.messages import counted
from probatum.core.outside import shortened
from probatum.core.validation import IssueType
from probatum.exact.claim import Ruling
from probatum.judge.facts.sources import ComparedSource
from probatum.judge.layers import issue
from probatum.judge.request import INVALID, ValidationRequest
from probatum.readings.claims import ClaimRecord, claim_records
from probatum.readings.formal import ClaimProof, Prove
from probatum.readings.grounding import Grounding, criteria_grounding, grounding
from probatum.readings.paths import CitableSource, CitableTable

Exact = Callable[[str, str, Mapping[str, JsonValue]], Ruling]
"""Decides a statement of an exact engine with its inputs; raises a ProbatumError where it cannot."""
MOST_WARNINGS: Final = 100
_SHOWN: Final = 160


def claims_read(
    request: ValidationRequest, text: str, sources: Sequence[ComparedSource], exact: Exact | None
) -> Grounding:
    """Return what the claim readings of a request say of a text; raises UsageError where they cannot be read."""

    def prove(engine: str, statement: str, given: Mapping[str, JsonValue]) -> ClaimProof:
        if exact is None:
            sentence = f"Judge has no engine {engine}."
            raise NotAttemptedError("judge.no_engines", sentence, "Use judge_output, or Judge(CriteriaTools(exact=…)).")
        ruling = exact(engine, statement, given)
        return ClaimProof(ruling.outcome.value, ruling.detail)

    return grounding(text, tuple(map(_citable, sources)), _records(request), prove, request.readings_policy)


def criteria_read(request: ValidationRequest, criteria: str, decide: Prove) -> Grounding:
    """Return what the readings of its criteria say of these, as one text; raises UsageError as `claims_read` does."""
    return criteria_grounding(criteria, _records(request), decide, request.readings_policy)


def reading_issues(read: Grounding, kind: IssueType) -> Iterator[Finding]:
    """Yield a warning for each reading that is refused, and a note where grounded ones do not count."""
    for each in read.refused[:MOST_WARNINGS]:
        why, passage = each.refusal, each.claim.passage
        message = f"A reading of {_short(each.reader)} was refused ({why.code}): {_short(why.detail)}"
        message += f" Passage: '{_short(passage)}'"
        advice = f"Correct the reading; docs/reference/readings.md explains {why.code}."
        values = list(why.values)
        yield issue(Severity.WARNING, kind, message, suggestion=advice, values=values, code=why.code, passage=passage)
    if proposed := len(read.grounded) - len(read.counting):
        message = f"{counted(proposed, 'grounded reading')} not counted under the policy '{read.policy}'"
        advice = "Accept them in the request, or name another readings_policy."
        yield issue(Severity.INFO, kind, message, suggestion=advice)


def _records(request: ValidationRequest) -> tuple[ClaimRecord, ...]:
    try:
        return claim_records(thaw(request.readings)) if request.readings else ()
    except ValueError as error:
        raise UsageError(INVALID, f"{error}.", details={"field": "readings"}) from error


def _citable(source: ComparedSource) -> CitableSource:
    table = source.table
    tables = (CitableTable(table.header, table.rows),) if table is not None else ()
    cells = table.text if table is not None else ""
    return CitableSource(source.name, source.text, source.data, tables, cells)  # type: ignore[arg-type]  # JSON


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), _SHOWN)
