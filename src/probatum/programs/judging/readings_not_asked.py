"""Which readings that count nothing was asked about, and why: an accepted reading is never lost without a word.

A requirement and a narrative reading ask nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.record import CheckKind, FunctionRecord
from probatum.readings.values import Reading, ReadingKind, ReadingRecord

_SETTLED = "what was checked before had settled the matter"
_ASK_NOTHING = frozenset({ReadingKind.REQUIRES, ReadingKind.NARRATIVE})


def with_not_asked(record: FunctionRecord, readings: Sequence[ReadingRecord], run: ReadingRun) -> FunctionRecord:
    """Return the record with a sentence for each reading that no check is about."""
    asked = set(_asked(record))
    why = dict(run.not_asked)
    rows = (
        not_asked(each.id_of(reading), reading, why.get(each.id_of(reading), _SETTLED))
        for each in readings
        for reading in each.readings
        if reading.kind not in _ASK_NOTHING and reading.clause and each.id_of(reading) not in asked
    )
    return replace(record, not_asked=(*record.not_asked, *dict.fromkeys(rows)))


def not_asked(name: str, reading: Reading, reason: str) -> str:
    """Return the sentence about one reading."""
    return f"the reading {name} of {' '.join(reading.statement.split())!r} was not asked: {reason}"


def _asked(record: FunctionRecord) -> Iterator[str]:
    """Yield the ids of the readings that the checks of a record are about."""
    for check in record.checks:
        if check.kind is CheckKind.READING:
            yield check.id
            wanted = check.inputs.get("readings") if isinstance(check.inputs, dict) else None
            yield from (str(each) for each in wanted) if isinstance(wanted, list) else ()
