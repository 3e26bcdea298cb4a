"""What a decision about a program rests on, by what its checks and statements are written in. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from probatum.core.decision import Outcome
from probatum.programs.record import CheckState, FunctionRecord, StatementOutcome
from probatum.programs.specification import DecidedBy, Origin, StatementState


def decided_by(record: FunctionRecord, outcome: Outcome) -> tuple[DecidedBy, ...]:
    """Return what refutes: what the first failing check rests on; what verifies: what all checks and statements do.

    Of what is undecided, nothing.
    """
    if outcome is Outcome.REFUTED:
        failing = (each for each in record.checks if each.state is CheckState.FAILS)
        return tuple(each.decided_by for each in failing if each.origin is not Origin.MODEL)[:1]
    if outcome not in {Outcome.TESTED, Outcome.PROVED}:
        return ()
    holding = {each.decided_by for each in record.checks if each.state is CheckState.HOLDS}
    return tuple(sorted(holding.union(*(_bases(record, each) for each in record.statements))))


def _bases(record: FunctionRecord, statement: StatementOutcome) -> Iterator[DecidedBy]:
    if statement.state is StatementState.UNCHECKED:
        return
    readings = {each.id for each in record.readings}
    if not statement.by or statement.state is StatementState.SHOWN:
        yield DecidedBy.WORD_RULE
    for name in statement.by:
        if name in readings:
            yield DecidedBy.READING
        elif name == "signature":
            yield DecidedBy.TYPE
        elif name[:1] == "s" and name[1:2].isdigit():
            yield DecidedBy.WORD_RULE
        else:
            clauses = {each.decided_by for each in record.checks if each.id.partition(".")[0] == name}
            yield from clauses or {DecidedBy.WORD_RULE}
