"""What vouches for every statement of a function's documentation, from the checks that were run.

Refuses to let a condition vouch that no call met, and a reading that no planted fault breaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from probatum.programs.record import CheckKind, CheckState, FunctionRecord, StatementOutcome
from probatum.programs.specification import FunctionSpec
from probatum.programs.statements.consumed import with_consumed
from probatum.programs.statements.judged import CountedQuote, Evidence, judged_statements
from probatum.readings.coverage import quotes_of
from probatum.readings.values import Reading, ReadingKind, ReadingRecord


def with_statements(
    record: FunctionRecord, function: FunctionSpec, readings: Sequence[ReadingRecord]
) -> FunctionRecord:
    """Return the record with the state of every statement."""
    met = (c for c in record.checks if c.kind is CheckKind.PROPERTY and c.state is CheckState.HOLDS)
    checked = frozenset(check.id.partition(".")[0] for check in met)
    evidence = Evidence(checked, tuple(_quotes(record, readings)), frozenset(record.not_met))
    rows = (
        StatementOutcome(
            each.statement.id,
            each.statement.text,
            each.statement.kind,
            each.statement.source,
            each.statement.span.line,
            each.state,
            each.by,
            each.reason,
        )
        for each in judged_statements(with_consumed(function, {"": function.parameters}), evidence)
    )
    return replace(record, statements=tuple(rows))


def _quotes(record: FunctionRecord, readings: Sequence[ReadingRecord]) -> Iterator[CountedQuote]:
    met = {each.id: each.noticed for each in record.readings if each.met}
    agreeing = {each.reader for each in record.references}
    for record_of_reader in readings:
        for reading, quote in quotes_of(record_of_reader, record.qualname):
            counts = _counts(reading, met.get(quote.id), agrees=record_of_reader.reader in agreeing)
            yield CountedQuote(quote, counts)


def _counts(reading: Reading, noticed: int | None, *, agrees: bool) -> bool:
    """Tell whether a reading vouches for the words that it quotes; ``noticed`` is None where no call met its clause.

    Of a reader whose reference the program always answers like, what it reads about results is in the reference too.
    """
    if reading.kind is ReadingKind.NARRATIVE:
        return True
    if not reading.clause:
        return False
    if reading.kind is ReadingKind.REQUIRES or noticed:
        return True
    return agrees and reading.kind is ReadingKind.RESULT and noticed is not None
