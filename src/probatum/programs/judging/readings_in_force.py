"""Which readings of a program a policy counts today, which are proposed, and which have lapsed.

Where the documentation is not any more what a reading quotes, it has lapsed. Refuses to hand on a reading whose code is
not in the subset: it is told instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probatum.programs.judging.readings_not_asked import not_asked
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec
from probatum.programs.statements.documented import documents_of
from probatum.readings.documented import Documents
from probatum.readings.lapses import Lapse, current
from probatum.readings.notebook import read_notebook
from probatum.readings.policies import Counted, counted_by
from probatum.readings.subset import refusals
from probatum.readings.values import ReadingRecord


@dataclass(frozen=True, slots=True)
class AskedReadings:
    """The readings about one function that can be asked, and sentences about those that count and cannot."""

    counting: tuple[ReadingRecord, ...]
    proposed: tuple[ReadingRecord, ...]
    outside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadingsInForce:
    """The readings of one program under one policy."""

    counted: Counted
    lapsed: tuple[Lapse, ...]
    """Those that would count if their words were still there."""
    documents: Documents

    def about(self, name: str) -> AskedReadings:
        """Return the readings about a function, or about a class and its methods."""
        own = self.counted.about(name)
        counting, outside = _in_subset(own.records, self.documents)
        proposed, _ = _in_subset(own.proposals, self.documents)
        return AskedReadings(counting, proposed, outside)

    @property
    def statements(self) -> dict[str, tuple[str, str]]:
        """The function and the words of every reading that counts, by its id."""
        records = self.counted.records
        return {r.id_of(each): (r.function, " ".join(each.statement.split())) for r in records for each in r.readings}


def readings_in_force(
    read: Source, units: Sequence[FunctionSpec], records: Sequence[ReadingRecord], policy: str
) -> ReadingsInForce:
    """Return which of these readings count for a program under a policy; ``units`` are what of it is judged."""
    # The words of a contract can be read as well as the program's own.
    documents = documents_of(read.module, units)
    told, gone = current(records, documents)
    # A record tells of what would count alone: no other reading is in the proof.
    would_count = counted_by(policy, records).records
    ids = {record.id_of(each) for record in would_count for each in record.readings}
    return ReadingsInForce(counted_by(policy, told), tuple(each for each in gone if each.id in ids), documents)


def noted_in(notebook: bytes, read: Source, units: Sequence[FunctionSpec], policy: str) -> ReadingsInForce:
    """Return what counts of the bytes of a readings file, nothing where they are empty; raises as `read_notebook`."""
    return readings_in_force(read, units, read_notebook(notebook), policy)


def _in_subset(
    records: Sequence[ReadingRecord], documents: Documents
) -> tuple[tuple[ReadingRecord, ...], tuple[str, ...]]:
    """Return records without the readings whose code is not in the subset, and sentences about these: it is not run."""
    kept, told = list[ReadingRecord](), list[str]()
    for record in records:
        documented = documents.about(record.function)
        reasons = refusals(record, documented) if documented is not None else [""] * len(record.readings)
        pairs = list(zip(record.readings, reasons, strict=True))
        told += [not_asked(record.id_of(reading), reading, reason) for reading, reason in pairs if reason]
        kept.append(replace(record, readings=tuple(reading for reading, reason in pairs if not reason)))
    return tuple(each for each in kept if each.readings), tuple(told)
