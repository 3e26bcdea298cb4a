"""Observes one program for the product: what `programs.observing` gives, with the request that asked for it.

Refuses to observe in any way of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from probatum.core.events import Listener
from probatum.kinds.program.levels import policy_of
from probatum.kinds.program.observed import VerifiedFunction, VerifiedProgram, program_not_judged
from probatum.kinds.program.proof import program_of
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.observing import AskedProgram, NotObserved, observed_functions, open_program
from probatum.programs.running.execute import Benches
from probatum.sandbox import Environment
from probatum.verification.observed import Observed
from probatum.workers.watchdog import progress


def observe_program(
    request: ProgramRequest,
    python: Environment,
    open_benches: Callable[[], Benches],
    listener: Listener,
    *,
    only: Collection[str] | None = None,
) -> Observed:
    """Return everything that was observed of one program; raises as `Workbench.observe`.

    ``open_benches`` gives the sandboxes, and is called only for a program that can be read. Of several functions that
    are asked about, ``only`` these are observed.
    """
    opened = open_program(_asked(request), python, open_benches, listener, only)
    if isinstance(opened, NotObserved):
        return program_not_judged(request, opened.decision, opened.units)
    parts = tuple(
        VerifiedFunction(
            request,
            opened.policy,
            python,
            opened.read,
            each.function,
            each.record,
            each.duration_ms,
            each.suggested,
            each.is_alone,
            each.not_counted,
            each.proposed,
        )
        for each in observed_functions(opened, listener, progress)
    )
    return VerifiedProgram(request, opened.policy, python, opened.read, parts)


def _asked(request: ProgramRequest) -> AskedProgram:
    return AskedProgram(
        program_of(request),
        policy_of(request),
        request.function,
        request.contract,
        request.tests,
        request.against,
        request.readings,
        request.not_counted,
        request.left_out,
        request.without,
        request.suggest,
        request.tree,
    )
