"""What a decision about a program rests on, by what its checks and statements are written in. Pure."""

from __future__ import annotations

from probatum.core.decision import Outcome
from probatum.programs.record import CheckState, FunctionRecord
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
    quoted = any(each.state is StatementState.QUOTED for each in record.statements)
    return tuple(sorted(holding | ({DecidedBy.READING} if quoted else set())))
