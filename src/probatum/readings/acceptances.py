"""Whose acceptance of a reading counts: anybody's, what stands on a base, or what is signed.

An acceptance is about everything that the reading says and is judged with, so nothing of that can be exchanged under
it. Refuses to let the rest count as accepted: it is a proposal again, and told with the reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.readings.policies import standing_for
from probatum.readings.values import Reading, ReadingRecord, Standing, is_part

SELF: Final = "self"
FORMS: Final = "self|git:REV|key:FILE"
_FORMAT: Final = "probatum/acceptance/v1"
_RECORDED: Final = re.compile(r"self|git:[0-9a-f]{40}(?:[0-9a-f]{24})?|key:[0-9a-f]{64}(?:,[0-9a-f]{64})*")

Objection = Callable[[ReadingRecord, Reading], str]
"""Returns why the acceptance of a reading does not count; empty where it does."""


@dataclass(frozen=True, slots=True)
class NotCounted:
    """An acceptance that does not count, and why."""

    function: str
    sentence: str

    def is_about(self, name: str) -> bool:
        """Tell whether the reading is about what has this name, or about a member of that."""
        return is_part(self.function, name)


@dataclass(frozen=True, slots=True)
class GivenReadings:
    """Readings of which only those are accepted whose acceptance counts."""

    records: tuple[ReadingRecord, ...] = ()
    acceptance: str = SELF
    """As a policy records it: ``self``, ``git:`` with a commit, or ``key:`` with ids of keys."""
    not_counted: tuple[NotCounted, ...] = ()


def is_acceptance(recorded: str) -> bool:
    """Tell whether a policy can record this."""
    return _RECORDED.fullmatch(recorded) is not None


def content_of(record: ReadingRecord, reading: Reading) -> dict[str, JsonValue]:
    """Return everything that an acceptance is about; what is signed are its canonical bytes.

    A reference counts with all readings of its record, so it binds all of them.
    """
    beside = sorted((each.statement, each.kind.value, each.clause, each.exception) for each in record.readings)
    return {
        "format": _FORMAT,
        "function": record.function,
        "reader": record.reader,
        "signature": record.signature,
        "helpers": record.helpers,
        "reference": record.reference,
        "readings": [list[JsonValue](each) for each in beside] if record.reference else [],
        "inputs": list(record.inputs),
        "text": reading.statement,
        "kind": reading.kind.value,
        "clause": reading.clause,
        "exception": reading.exception,
        "digest": reading.digest,
        "by": reading.by,
        "on": reading.on,
    }


def unless_on(base: Iterable[ReadingRecord], name: str) -> Objection:
    """Return what objects to acceptances that are not on a base, ``name``; inputs may have been added since."""
    known = defaultdict[bytes, list[frozenset[str]]](list)
    for record in base:
        for reading in record.readings:
            if reading.standing is Standing.ACCEPTED:
                known[_without_inputs(record, reading)].append(frozenset(record.inputs))

    def objection(record: ReadingRecord, reading: Reading) -> str:
        inputs = frozenset(record.inputs)
        is_there = any(each <= inputs for each in known.get(_without_inputs(record, reading), ()))
        return "" if is_there else f"the readings file at {name} does not have it"

    return objection


def _without_inputs(record: ReadingRecord, reading: Reading) -> bytes:
    return canonical_bytes(content_of(replace(record, inputs=()), reading))


def counting(records: Sequence[ReadingRecord], acceptance: str, objection: Objection) -> GivenReadings:
    """Return readings with those as proposals whose acceptance does not count."""
    kept, told = list[ReadingRecord](), list[NotCounted]()
    for record in records:
        readings = list[Reading]()
        for reading in record.readings:
            why = _why_not(record, reading, objection)
            readings.append(reading.proposed() if why else reading)
            if why:
                said = f"the acceptance of the reading {record.id_of(reading)} by {reading.by} does not count: {why}"
                told.append(NotCounted(record.function, said))
        kept.append(replace(record, readings=tuple(readings)))
    return GivenReadings(tuple(kept), acceptance, tuple(told))


def _why_not(record: ReadingRecord, reading: Reading, objection: Objection) -> str:
    if reading.standing is not Standing.ACCEPTED:
        return ""
    if standing_for(record.reader, reading.standing, reading.by) is not Standing.ACCEPTED:
        return "nobody accepts what they proposed"
    return objection(record, reading)
