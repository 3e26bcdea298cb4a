"""Which readings count for one program: what is proposed is tried before, and does not count where it cannot be right.

What was accepted always counts; under ``consensus:N``, further what so many readers agree on. Refuses to hold a
proposal against a program, or to let it vouch for one, where the documentation itself speaks against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from probatum.programs.judging.reading_agreement import agreed_by
from probatum.programs.judging.reading_trials import tried
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.readings.policies import readers_needed
from probatum.readings.values import ReadingRecord, Standing


@dataclass(frozen=True, slots=True)
class Choice:
    """What counts, what does not, and why."""

    question: FunctionQuestion
    """With the readings that count."""
    open: FunctionQuestion | None = None
    """With those that are only proposed, None where there is none."""
    left_out: tuple[str, ...] = ()
    """Sentences: the proposals that failed when they were tried and would have counted."""


def chosen(question: FunctionQuestion, benches: Benches) -> Choice:
    """Try what is proposed, and return what counts under the policy of a question."""
    left_out = _failed(question.readings, question, benches)
    failed = frozenset({**left_out, **_failed(question.proposals, question, benches)})
    told = replace(question, silent=failed)
    needed = readers_needed(question.policy.readings)
    proposed = _ids(told.counted, Standing.PROPOSED) if needed else frozenset()
    if proposed:
        unsure = proposed - agreed_by(told, needed, benches)
        told = replace(told, silent=failed | unsure, proposals=question.readings if unsure else ())
    silent = failed | _ids(told.counted, *Standing)
    only_proposed = replace(told, readings=told.proposals, silent=silent) if told.proposals else None
    return Choice(told, only_proposed, tuple(left_out.values()))


def _ids(records: Sequence[ReadingRecord], *standings: Standing) -> frozenset[str]:
    return frozenset(record.id_of(each) for record in records for each in record.readings if each.standing in standings)


def _failed(records: Sequence[ReadingRecord], question: FunctionQuestion, benches: Benches) -> Mapping[str, str]:
    """Return a sentence by the id of each proposal that cannot be right."""
    found = {}
    for record in records:
        if all(each.standing is Standing.ACCEPTED for each in record.readings):
            continue
        reasons = tried(question, record, benches, question.readings)
        for reading, reason in zip(record.readings, reasons, strict=True):
            if reason and reading.standing is Standing.PROPOSED:
                name = record.id_of(reading)
                found[name] = f"the reading {name} of {reading.statement!r} does not count: {reason}"
    return found
