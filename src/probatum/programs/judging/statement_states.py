"""What vouches for every statement of a function's documentation, from the checks that were run.

Refuses to let a clause vouch that never met its condition, and a reading that no planted fault breaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from probatum.programs.parsing.expressions import names_in
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord, StatementOutcome
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS
from probatum.programs.source import module_or_none
from probatum.programs.specification import FunctionSpec, RaisesError, Span, StatementState
from probatum.programs.statements.judged import (
    UNCHANGED,
    CountedQuote,
    Evidence,
    JudgedStatement,
    contains,
    judged_statements,
)
from probatum.programs.statements.words import names_behaviour, only_explains, shows_in_results
from probatum.readings.coverage import Quote
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing


def with_statements(
    record: FunctionRecord, function: FunctionSpec, readings: Sequence[ReadingRecord]
) -> FunctionRecord:
    """Return the record with the state of every statement."""
    judged = judged_statements(function, _evidence(record, function, readings))
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
        for each in judged
    )
    return replace(record, statements=tuple(rows), unread=tuple(_still_unread(record, function, judged)))


def _still_unread(record: FunctionRecord, function: FunctionSpec, judged: Sequence[JudgedStatement]) -> Iterator[str]:
    """Yield what was not understood, but for exceptions whose words something else checks."""

    def is_checked(place: Span) -> bool:
        states = {each.state for each in judged if contains(place, each.statement.span)}
        return states == {StatementState.CHECKED}

    settled = tuple(f"line {each.span.line}: {each.text} (" for each in function.raises if is_checked(each.span))
    return (each for each in record.unread if not each.startswith(settled))


def _evidence(record: FunctionRecord, function: FunctionSpec, readings: Sequence[ReadingRecord]) -> Evidence:
    held = {check.id for check in record.checks if check.state is CheckState.HOLDS}
    stated = {
        check.id.partition(".")[0]
        for check in record.checks
        if check.kind in {CheckKind.PROPERTY, CheckKind.RAISES} and check.state is CheckState.HOLDS
    }
    unchanged = {UNCHANGED} if function.unchanged and record.generated_inputs else set()
    return Evidence(
        held=frozenset(held),
        checked=frozenset(stated | unchanged),
        raised=frozenset(_raised(record.checks, function)),
        agrees=bool(record.references),
        left_out=frozenset(name for each in record.references for name in each.left_out),
        quotes=tuple(_quotes(record, function, readings)),
    )


def _raised(checks: Sequence[CheckRecord], function: FunctionSpec) -> Iterator[str]:
    """Yield the documented exceptions that an example or a generated call ended in."""
    claims = {each.id: each.type_name for each in function.raises}
    shown = {
        each.id: each.expectation.type_name for each in function.examples if isinstance(each.expectation, RaisesError)
    }
    for check in checks:
        if check.state is CheckState.HOLDS:
            name = shown.get(check.id) or claims.get(check.id.partition(".")[0])
            yield from (name,) if name else ()


def _quotes(
    record: FunctionRecord, function: FunctionSpec, readings: Sequence[ReadingRecord]
) -> Iterator[CountedQuote]:
    met = {each.id: each.noticed for each in record.readings if each.met}
    agreeing = {each.reader for each in record.references}
    parameters = frozenset(each.name for each in function.parameters)
    for place, record_of_reader in enumerate(readings):
        for reading in record_of_reader.readings:
            name = record_of_reader.id_of(reading)
            tree = module_or_none(reading.clause)
            used = (parameters | {function.qualname}) & names_in(tree) if tree is not None else frozenset()
            state = _worth(reading, bool(met.get(name)), parameters)
            if (
                state is StatementState.UNCHECKED
                and record_of_reader.reader in agreeing
                and _explains(reading, name in met)
            ):
                # A reference that agrees on every call was written from these words too.
                state = StatementState.DEFINITION
            is_unmet = reading.kind in SPEAKS_OF_RESULTS and bool(reading.clause) and name not in met
            yield CountedQuote(Quote(name, reading.statement, f"reader {place}"), state, frozenset(used), is_unmet)


def _explains(reading: Reading, is_met: bool) -> bool:
    """Tell whether a reader who wrote a reference accounts for words in it, though no fault breaks the reading."""
    if reading.kind is ReadingKind.NARRATIVE:
        return only_explains(reading.statement)
    return reading.kind is ReadingKind.RESULT and is_met and shows_in_results(reading.statement)


def _worth(reading: Reading, is_noticing: bool, parameters: frozenset[str]) -> StatementState:
    if reading.kind is ReadingKind.NARRATIVE:
        counts = reading.standing is Standing.ACCEPTED or not names_behaviour(reading.statement, parameters)
        return StatementState.NARRATIVE if counts else StatementState.UNCHECKED
    if not reading.clause:
        return StatementState.UNCHECKED
    if reading.kind is ReadingKind.REQUIRES:
        return StatementState.DEFINITION
    return StatementState.CHECKED if is_noticing else StatementState.UNCHECKED
