"""The decision that follows from the results of a run, purely.

| what the slots say                                               | outcome         |
|------------------------------------------------------------------|-----------------|
| a mandatory one fails by the subject's fault                     | refuted         |
| a mandatory one fails by the verifier's or environment's fault   | not_attempted   |
| a mandatory one is skipped, or too few of a group pass           | undecided       |
| a mandatory one could not have failed, or there is none          | undecided       |
| every mandatory one passes, all of them able to prove            | proved          |
| every mandatory one passes                                       | tested          |

A warning passes. An optional slot decides nothing, unless a group counts it. Refuses results that do not fit the
policy slot by slot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from probatum.core.decision import Decision, Outcome, decide
from probatum.verification.policy import AtLeast, VerificationPolicy
from probatum.verification.results import Fault, VerificationResult, VerificationStatus

_PASSES: Final = (VerificationStatus.PASS, VerificationStatus.WARN)
MAX_TOLD: Final = 50


def decide_results(
    policy: VerificationPolicy,
    results: Sequence[VerificationResult],
    best: Mapping[str, Outcome],
) -> Decision:
    """Return the decision on one result for each slot of the policy, in order; raises ValueError for any others.

    ``best`` is the most that each verifier can establish, by id: ``tested`` for one that is not named.
    """
    if [result.verifier_id for result in results] != [slot.verifier_id for slot in policy.slots]:
        raise ValueError("the results are not those of the policy's slots")
    mandatory = [result for slot, result in zip(policy.slots, results, strict=True) if slot.is_mandatory]
    outcome, constraint = _outcome(policy, mandatory, results, best)
    return decide(outcome, constraint, fields=_fields(results))


def _outcome(
    policy: VerificationPolicy,
    mandatory: Sequence[VerificationResult],
    results: Sequence[VerificationResult],
    best: Mapping[str, Outcome],
) -> tuple[Outcome, str]:
    failed = [result for result in mandatory if result.status is VerificationStatus.FAIL]
    if any(result.fault is Fault.SUBJECT for result in failed):
        return Outcome.REFUTED, "contract.violated"
    if failed:
        return Outcome.NOT_ATTEMPTED, "contract.verifier_failed"
    if any(result.status is VerificationStatus.SKIPPED for result in mandatory):
        return Outcome.UNDECIDED, "contract.check_skipped"
    if any(len(_passed(group, results)) < group.count for group in policy.at_least):
        return Outcome.UNDECIDED, "contract.too_few_passed"
    counted = [one for group in policy.at_least for said in _passed(group, results) for one in said]
    relied_on = [*mandatory, *counted]
    if not relied_on or not all(result.could_have_failed for result in relied_on):
        return Outcome.UNDECIDED, "contract.nothing_enforced"
    proved = all(best.get(result.verifier_id, Outcome.TESTED) is Outcome.PROVED for result in relied_on)
    return (Outcome.PROVED, "contract.satisfied") if proved else (Outcome.TESTED, "contract.checks_passed")


def _passed(group: AtLeast, results: Sequence[VerificationResult]) -> list[list[VerificationResult]]:
    """Return what each verifier of a group said that passes in all of its slots; one that runs twice counts once."""
    of_each = [[one for one in results if one.verifier_id == each] for each in dict.fromkeys(group.verifier_ids)]
    return [said for said in of_each if said and all(one.status in _PASSES and one.could_have_failed for one in said)]


def _fields(results: Sequence[VerificationResult]) -> dict[str, object]:
    slots = []
    for result in results:
        told: dict[str, object] = {"fault": None if result.fault is None else result.fault.value}
        told |= {"errors": list(result.errors[:MAX_TOLD]), "warnings": list(result.warnings[:MAX_TOLD])}
        named = {"verifier_id": result.verifier_id, "status": result.status.value}
        slots.append(named | {key: value for key, value in told.items() if value})
    return {"verifiers": slots}
