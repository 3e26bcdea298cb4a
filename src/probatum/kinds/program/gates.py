"""The gates before the verdict about a program: `probatum verify --gate lint,type`.

The last gate is the verdict itself. Refuses a gate that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from probatum.core.command import Given
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError, nearest
from probatum.core.sheet import Entry, Mark
from probatum.kinds.program.proof import program_of
from probatum.kinds.program.request import ProgramRequest
from probatum.kinds.program.workbench import ProgramWorkbench
from probatum.programs.cascade import gates_before
from probatum.programs.gates import STATE_OF, GateStepResult, GateType, StepState
from probatum.verification.files import Gated
from probatum.verification.observed import Refusal

_MARK: Final = {
    StepState.PASSED: Mark.HOLDS,
    StepState.FAILED: Mark.FAILS,
    StepState.SKIPPED: Mark.NOTE,
    StepState.UNDECIDED: Mark.UNDECIDED,
    StepState.BLOCKED: Mark.UNDECIDED,
}
_OUTCOME: Final = {STATE_OF[each]: each for each in Outcome}


def gates_named(given: Given) -> frozenset[GateType]:
    """Return the gates that are named; raises UsageError for an unknown one."""
    known = {each.value: each for each in GateType}
    names = [name.strip() for text in given.texts("gate") for name in text.split(",")]
    for name in names:
        if name not in known:
            hint = nearest(name, known) or f"There are {', '.join(known)}."
            raise UsageError("gate.unknown", f"There is no gate {name[:40]!r}.", hint)
    return frozenset(known[name] for name in names)


def gated(
    name: str,
    request: ProgramRequest | Refusal,
    gates: Collection[GateType],
    open_bench: Callable[[], ProgramWorkbench],
) -> Gated:
    """Return what these gates say of a program; of one that cannot be read, what is said instead of a verdict."""
    if isinstance(request, Refusal):
        # Its verdict says it.
        return Gated(name, (), ())
    ran = gates_before(gates, program_of(request), request.name, lambda: open_bench().open_benches())
    steps = [step for each in ran for step in each.steps]
    ended = next((step for step, gate in zip(steps, ran, strict=True) if not gate.may_go_on), None)
    outcome = None if ended is None else _OUTCOME[ended.state]
    entries = tuple(_entry(request.name, step) for step in steps)
    return Gated(name, entries, tuple(step.to_dict() for step in steps), outcome)


def _entry(name: str, step: GateStepResult) -> Entry:
    detail = tuple(
        f"{each.line}:{each.column or 1}: {each.message}" if each.line else each.message for each in step.errors
    )
    return Entry(_MARK[step.state], f"{name}: {step.step}: {step.message}", None, detail, step.state.value.upper())
