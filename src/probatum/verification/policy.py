"""The policy: which verifiers run, in which order, and what their answers must be.

Every slot is mandatory or optional; groups ask for a number of passes among some of them. Refuses a policy without
any slot: nothing verified is not success.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import UsageError, nearest
from probatum.core.shape import Shape, json_of

DEFAULT_VERIFIERS: Final = ("json.object", "contract.schema")
LEVELS: Final[Mapping[str, tuple[str, ...]]] = {
    "none": DEFAULT_VERIFIERS,
    "schema": ("contract.schema",),
    "task_internal": DEFAULT_VERIFIERS,
    "full": DEFAULT_VERIFIERS,
}
"""What each level of a contract runs. ``none`` runs them for information: none of them is mandatory."""
_KEYS: Final = ("level", "verifier_ids", "optional_verifier_ids", "at_least")


@dataclass(frozen=True, slots=True)
class Slot:
    """One run of one verifier."""

    verifier_id: str
    is_mandatory: bool = True


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A number of passes that is asked for among some verifiers."""

    count: int
    verifier_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        known = len(set(self.verifier_ids))
        if type(self.count) is not int or not 1 <= self.count <= known:
            raise ValueError(f"at least {self.count!r} of {known} verifiers cannot be asked for")


@dataclass(frozen=True, slots=True)
class VerificationPolicy:
    """Which verifiers run, and what is asked of them."""

    slots: tuple[Slot, ...]
    at_least: tuple[AtLeast, ...] = ()

    def __post_init__(self) -> None:
        if not self.slots:
            raise ValueError("a policy needs a verifier: nothing verified is not success")
        known = {slot.verifier_id for slot in self.slots}
        for group in self.at_least:
            if missing := [each for each in group.verifier_ids if each not in known]:
                raise ValueError(f"{missing[0]!r} is counted but never run")

    def to_json(self) -> dict[str, object]:
        """Return the policy as JSON."""
        return {**json_of(self)}

    @classmethod
    def from_json(cls, data: object) -> VerificationPolicy:
        """Read a policy back; raises ValueError for anything that `to_json` does not write."""
        return Shape(data, "policy").into(cls)


def policy_of(stated: object) -> VerificationPolicy:
    """Return the policy that a contract's ``verification_policy`` states, leniently.

    ``verifier_ids`` counts where it is a non-empty list of texts; else the level's verifiers; else the default two.
    """
    data = stated if isinstance(stated, Mapping) else {}
    ids = _ids(data.get("verifier_ids"))
    level = data.get("level")
    chosen = ids or LEVELS.get(level if isinstance(level, str) else "", DEFAULT_VERIFIERS)
    is_mandatory = ids is not None or level != "none"
    optional = _ids(data.get("optional_verifier_ids")) or ()
    slots = (*(Slot(each, is_mandatory) for each in chosen), *(Slot(each, is_mandatory=False) for each in optional))
    return VerificationPolicy(slots, tuple(_groups(data.get("at_least"), slots)))


def _ids(value: object) -> tuple[str, ...] | None:
    if isinstance(value, list | tuple) and value and all(type(each) is str for each in value):
        return tuple(value)
    return None


def _groups(value: object, slots: Sequence[Slot]) -> list[AtLeast]:
    if value is None:
        return []
    rows = value if isinstance(value, list) else [value]
    known = [slot.verifier_id for slot in slots]
    groups = []
    for row in rows:
        ids = _ids(row.get("verifier_ids")) if isinstance(row, Mapping) else None
        count = row.get("count") if isinstance(row, Mapping) else None
        if ids is None or type(count) is not int or not 1 <= count <= len(set(ids)):
            sentence = "'at_least' needs a 'count' of 1 or more, and at least that many 'verifier_ids'."
            raise UsageError("policy.at_least", sentence)
        if unknown := [each for each in ids if each not in known]:
            sentence = f"'at_least' counts {unknown[0]!r}, which the policy never runs."
            raise UsageError("policy.at_least", sentence, nearest(unknown[0], known))
        groups.append(AtLeast(count, ids))
    return groups


def concerns(stated: object) -> list[str]:
    """Return what a contract's ``verification_policy`` states that counts for nothing, as sentences."""
    if not isinstance(stated, Mapping):
        return [] if stated is None else ["The verification policy is not an object; the default one is used."]
    told = [
        f"The verification policy has an unknown key {key!r}. {nearest(str(key), _KEYS)}".rstrip()
        for key in stated
        if key not in _KEYS
    ]
    level = stated.get("level")
    if level is not None and (not isinstance(level, str) or level not in LEVELS):
        told.append(f"The level {level!r} is unknown; known are {', '.join(LEVELS)}.")
    if "verifier_ids" in stated and _ids(stated["verifier_ids"]) is None:
        told.append("'verifier_ids' is not a list of texts with at least one; the default verifiers are used.")
    return told
