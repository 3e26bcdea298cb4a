"""Running a plan: each verifier in turn, on its own copy, under one budget, told as events.

Whatever a verifier does, there is one result for each slot and the others still run. Refuses to run anything that the
registry does not know, and to go on when it was cancelled: what did not run is skipped, which is not a pass.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from probatum.core.events import Event, Listener, ignore
from probatum.verification.executors import Question, ThreadExecutor, VerifierExecutor, checked_answer
from probatum.verification.plan import Plan, PlannedSlot, plan
from probatum.verification.policy import policy_of
from probatum.verification.registry import VerifierRegistry, default_registry
from probatum.verification.results import Fault, VerificationResult, VerificationStatus, broken, timed
from probatum.verification.verifier import Verifier


class Contract(Protocol):
    """What a run reads of a contract; the verifiers get the whole of it."""

    @property
    def verification_policy(self) -> Mapping[str, object] | None:
        """Which verifiers the contract asks for."""


@dataclass(frozen=True, slots=True)
class RunBudget:
    """How long a run and each verifier in it may take, in seconds."""

    whole: float = 300.0
    each: float = 60.0

    def __post_init__(self) -> None:
        if not (self.whole > 0 and self.each > 0):
            raise ValueError("a budget is a positive time")


_USUAL: Final = RunBudget()
_IN_THREADS: Final = ThreadExecutor()


def run_plan(
    planned: Plan,
    input_obj: object,
    output_obj: object,
    context: Mapping[str, object],
    *,
    executor: VerifierExecutor | None = None,
    budget: RunBudget | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
    listener: Listener = ignore,
) -> list[VerificationResult]:
    """Return one result for each slot of the plan, in order; never raises for what a verifier does."""
    limits = budget or _USUAL
    executor = executor or _IN_THREADS
    end = time.monotonic() + limits.whole
    results = []
    for number, slot in enumerate(planned.slots, start=1):
        remaining = end - time.monotonic()
        if is_cancelled():
            summary = "The run was cancelled before this verifier."
            skipped = VerificationStatus.SKIPPED
            result = VerificationResult(skipped, slot.verifier_id, summary, could_have_failed=False)
        elif remaining <= 0:
            result = broken(slot.verifier_id, "The run ran out of time before this verifier.", fault=Fault.ENVIRONMENT)
        else:
            result = _asked(slot, (input_obj, output_obj, context), executor, min(limits.each, remaining))
        if listener is not ignore:
            listener(Event("verifier", slot.verifier_id, {"slot": number, "status": result.status.value}))
        results.append(result)
    return results


def _asked(
    slot: PlannedSlot,
    judged: tuple[object, object, Mapping[str, object]],
    executor: VerifierExecutor,
    seconds: float,
) -> VerificationResult:
    verifier_id = slot.verifier_id
    if slot.verifier is None:
        return broken(verifier_id, f"No verifier is registered as {verifier_id[:80]!r}. {slot.hint}".rstrip())
    started = time.monotonic()
    if slot.is_bounded:
        # A verifier of ours changes nothing and keeps its own budget: no copy, no thread.
        result = _answered_here(slot.verifier, verifier_id, judged)
    else:
        result = _answered_there(executor, Question(slot.verifier, verifier_id, *judged), seconds)
    return timed(result, time.monotonic() - started)


def _answered_here(
    verifier: Verifier, verifier_id: str, judged: tuple[object, object, Mapping[str, object]]
) -> VerificationResult:
    try:
        given = verifier.verify(judged[0], judged[1], context=judged[2])
    except Exception as error:  # noqa: BLE001  law 3: a broken verifier is not a broken subject
        return broken(verifier_id, "The verifier raised.", f"{type(error).__name__}: {error}"[:300])
    return checked_answer(given, verifier_id)


def _answered_there(executor: VerifierExecutor, question: Question, seconds: float) -> VerificationResult:
    try:
        return checked_answer(executor.ask(question, seconds), question.verifier_id)
    except Exception as error:  # noqa: BLE001  law 3: what breaks between us and a verifier says nothing of the subject
        detail = f"{type(error).__name__}: {error}"[:300]
        return broken(question.verifier_id, "The verifier could not be asked.", detail, Fault.ENVIRONMENT)


def verify_task_result(
    spec: Contract,
    input_obj: object,
    output_obj: object,
    context: Mapping[str, object] | None = None,
    registry: VerifierRegistry | None = None,
) -> list[VerificationResult]:
    """Return one result for each verifier that a contract asks for, in its order.

    Its ``verification_policy`` names them, else ``json.object`` and ``contract.schema`` run, from the registry or the
    default one. Each gets the context, with the contract as ``contract``; ``output_obj`` is None without an answer.
    """
    policy = policy_of(getattr(spec, "verification_policy", None))
    planned = plan(policy, default_registry() if registry is None else registry)
    return run_plan(planned, input_obj, output_obj, {**(context or {}), "contract": spec})
