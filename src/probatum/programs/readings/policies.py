"""Which readings count: those that somebody accepted, unless a policy says otherwise.

Refuses a policy that nobody defined, and a consensus of fewer than two readers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from probatum.core.errors import UsageError
from probatum.programs.readings.values import Reading, ReadingRecord, Standing

ACCEPTED, PROPOSED, NONE = "accepted", "proposed", "none"
_CONSENSUS = re.compile(r"consensus:([2-9]|1[0-9])")
FORMS = "accepted|consensus:N|proposed|none"


@dataclass(frozen=True, slots=True)
class Counted:
    """The readings that a policy counts, and those that are only proposed under it."""

    records: tuple[ReadingRecord, ...] = ()
    proposals: tuple[ReadingRecord, ...] = ()

    def about(self, function: str) -> Counted:
        """Return those about one function."""
        own = ([each for each in some if each.function == function] for some in (self.records, self.proposals))
        return Counted(*map(tuple, own))


def require_policy(name: str) -> str:
    """Return the name of a policy; raises UsageError for what is none."""
    if name in {ACCEPTED, PROPOSED, NONE} or _CONSENSUS.fullmatch(name):
        return name
    sentence = f"--readings-policy takes {FORMS}, got {name!r}."
    raise UsageError("readings.policy", sentence, "consensus:2 asks for two readers who agree.")


def readers_needed(policy: str) -> int:
    """Return how many readers have to agree under a policy; 0 where it asks for no consensus."""
    found = _CONSENSUS.fullmatch(policy)
    return int(found[1]) if found else 0


def counted_by(policy: str, records: Sequence[ReadingRecord]) -> Counted:
    """Part records into what counts under a policy and what is only proposed; rejected readings are in neither."""
    if policy == NONE:
        return Counted()
    accepted = _only(records, {Standing.ACCEPTED})
    if policy == ACCEPTED:
        return Counted(accepted, _only(records, {Standing.PROPOSED}))
    return Counted(_only(records, {Standing.ACCEPTED, Standing.PROPOSED}))


def _only(records: Sequence[ReadingRecord], standings: set[Standing]) -> tuple[ReadingRecord, ...]:
    def kept(each: Reading) -> bool:
        return each.standing in standings

    found = (replace(record, readings=tuple(filter(kept, record.readings))) for record in records)
    return tuple(record for record in found if record.readings)
