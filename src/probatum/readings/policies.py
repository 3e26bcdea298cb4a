"""Which readings count: those that somebody accepted, unless a policy says otherwise.

Nobody accepts what they proposed. Refuses a policy that nobody defined.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import category

from probatum.core.errors import UsageError, nearest
from probatum.core.outside import folded
from probatum.readings.values import Reading, ReadingRecord, Standing

ACCEPTED, PROPOSED, NONE = "accepted", "proposed", "none"
POLICIES = (ACCEPTED, "consensus:2", PROPOSED, NONE)
FORMS = "accepted|consensus:N|proposed|none"
_CONSENSUS = re.compile(r"consensus:([2-9])")


@dataclass(frozen=True, slots=True)
class Counted:
    """The readings that a policy counts, and those that are only proposed under it."""

    records: tuple[ReadingRecord, ...] = ()
    proposals: tuple[ReadingRecord, ...] = ()

    def about(self, function: str) -> Counted:
        """Return those about one function, or about a class and its methods."""
        own = ([each for each in some if each.is_about(function)] for some in (self.records, self.proposals))
        return Counted(*map(tuple, own))


def is_policy(name: str) -> bool:
    """Tell whether a policy has this name."""
    return name in POLICIES or readers_needed(name) > 0


def readers_needed(policy: str) -> int:
    """Return how many readers have to agree under a policy, 2 to 9; 0 where agreement makes no difference."""
    found = _CONSENSUS.fullmatch(policy)
    return int(found[1]) if found else 0


def require_policy(name: str) -> str:
    """Return the name of a policy; raises UsageError for anything else."""
    if is_policy(name):
        return name
    raise UsageError("readings.policy", f"A readings policy is {FORMS}, got {name!r}.", nearest(name, POLICIES))


def standings_of(policy: str) -> frozenset[Standing]:
    """Return the standings that may count under a policy."""
    if policy == NONE:
        return frozenset()
    return frozenset({Standing.ACCEPTED} if policy == ACCEPTED else {Standing.ACCEPTED, Standing.PROPOSED})


def reader_key(name: str) -> str:
    """Return by what readers are told apart: case, width, white space, punctuation and unseen signs do not count."""
    return " ".join("".join(" " if category(sign)[0] in "PSZ" else sign for sign in folded(name)).split())


def standing_for(reader: str, standing: Standing, by: str) -> Standing:
    """Return the standing of a reading: one that its own reader accepts is still proposed."""
    is_own = standing is Standing.ACCEPTED and reader_key(by) == reader_key(reader)
    return Standing.PROPOSED if is_own else standing


def counted_by(policy: str, records: Sequence[ReadingRecord]) -> Counted:
    """Part records into what may count under a policy and what is only proposed; rejected readings are in neither.

    On what readers agree is found by running the program, see `programs.judging.reading_choice`.
    """
    counted = tuple(_only(records, standings_of(policy)))
    if policy == ACCEPTED:
        return Counted(counted, tuple(_only(records, {Standing.PROPOSED})))
    return Counted(tuple(map(_without_reference, counted)) if readers_needed(policy) else counted)


def _without_reference(record: ReadingRecord) -> ReadingRecord:
    """Drop what one reader alone vouches for; where all was accepted, somebody else does too."""
    is_accepted = all(_standing(record, each) is Standing.ACCEPTED for each in record.readings)
    return record if is_accepted else replace(record, reference="")


def _only(records: Sequence[ReadingRecord], standings: Collection[Standing]) -> Iterator[ReadingRecord]:
    for record in records:
        readings = tuple(each for each in record.readings if _standing(record, each) in standings)
        # Nobody accepts a reference by itself: it counts with all that its reader wrote.
        reference = record.reference if readings == record.readings else ""
        if readings:
            yield replace(record, readings=readings, reference=reference)


def _standing(record: ReadingRecord, reading: Reading) -> Standing:
    return standing_for(record.reader, reading.standing, reading.by)
