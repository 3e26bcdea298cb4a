"""The earlier version of a program as a source of expected values.

Its answers to generated inputs become checks like documented examples. Refuses inputs on which the earlier version
raised or was lost: those show no behaviour worth keeping.
"""

from __future__ import annotations

from collections.abc import Iterable

from probatum.core.tagged import NotPlainDataError, tagged
from probatum.programs.record import CheckKind
from probatum.programs.running.checks import Action, PlannedCheck, pasteable
from probatum.programs.running.compare import show
from probatum.programs.specification import Example, FunctionSpec, Origin, ValueIs
from probatum.sandbox import Reply, Returned

EARLIER_VERSION = "earlier version"


def differential_checks(function: FunctionSpec, answered: Iterable[tuple[Action, Reply]]) -> tuple[PlannedCheck, ...]:
    """Return a check for every input to which the earlier version steadily gave a plain result."""
    checks = []
    for number, (action, reply) in enumerate(answered, 1):
        if not isinstance(reply, Returned) or not _is_plain(reply.value):
            continue
        call, value = pasteable(action), show(reply.value)
        example = Example(
            id=f"v{number}",
            expression=call,
            expectation=ValueIs(reply.value, value),
            span=function.span,
            text=f"{call} gave {value}",
            notation=EARLIER_VERSION,
            source=EARLIER_VERSION,
            origin=Origin.GROUND_TRUTH,
            confidence=0.9,
        )
        checks.append(PlannedCheck(example, action, kind=CheckKind.DIFFERENTIAL))
    return tuple(checks)


def _is_plain(value: object) -> bool:
    try:
        tagged(value)
    except NotPlainDataError:
        return False
    return True
