"""The plan of one run: for each slot of the policy, in order, the verifier that answers it, or none.

Derived purely from policy and registry. Refuses to leave a slot out: one without a verifier stays, to fail.
"""

from __future__ import annotations

from dataclasses import dataclass

from probatum.verification.policy import Slot, VerificationPolicy
from probatum.verification.registry import VerifierRegistry
from probatum.verification.verifier import Verifier, VerifierDescription, description_of


@dataclass(frozen=True, slots=True)
class PlannedSlot:
    """One slot with what will answer it."""

    slot: Slot
    verifier: Verifier | None
    description: VerifierDescription | None
    is_bounded: bool = False
    hint: str = ""
    """For an unknown id: the nearest known one."""

    @property
    def verifier_id(self) -> str:
        """The id that the policy names."""
        return self.slot.verifier_id


@dataclass(frozen=True, slots=True)
class Plan:
    """Every slot of a policy, in order."""

    policy: VerificationPolicy
    slots: tuple[PlannedSlot, ...]


def plan(policy: VerificationPolicy, registry: VerifierRegistry) -> Plan:
    """Return what will run."""
    return Plan(policy, tuple(_planned(slot, registry) for slot in policy.slots))


def _planned(slot: Slot, registry: VerifierRegistry) -> PlannedSlot:
    verifier = registry.get(slot.verifier_id)
    if verifier is None:
        return PlannedSlot(slot, None, None, hint=registry.hint_for(slot.verifier_id))
    described = description_of(verifier, slot.verifier_id)
    return PlannedSlot(slot, verifier, described, registry.is_bounded(slot.verifier_id))
