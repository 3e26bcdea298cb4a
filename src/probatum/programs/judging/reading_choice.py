"""Which readings count for one program: what is proposed is tried before, and does not count where it cannot be right.

What was accepted always counts; under ``consensus:N``, further what so many readers agree on. Refuses to hold a
proposal against a program, or to let it vouch for one, where the documentation itself speaks against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from probatum.programs.judging.reading_agreement import agreed_by
from probatum.programs.judging.reading_trials import tried
from probatum.programs.refused_readings import RefusedReading
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.readings.policies import readers_needed
from probatum.readings.refusals import Why, code_of
from probatum.readings.values import ReadingRecord, Standing


@dataclass(frozen=True, slots=True)
class Choice:
    """What counts, what does not, and why."""

    question: FunctionQuestion
    """With the readings that count."""
    open: FunctionQuestion | None = None
    """With those that are only proposed, None where there is none."""
    tried: int = 0
    """How many proposals were tried that would count."""
    left_out: tuple[str, ...] = ()
    """Sentences: the proposals that failed when they were tried and would have counted."""
    refused: tuple[RefusedReading, ...] = ()
    """The same by id and code."""


def chosen(question: FunctionQuestion, benches: Benches) -> Choice:
    """Try what is proposed, and return what counts under the policy of a question."""
    refused = _failed(question.readings, question, benches)
    failed = frozenset({**refused, **_failed(question.proposals, question, benches)})
    told = replace(question, silent=failed)
    needed = readers_needed(question.policy.readings)
    proposed = _ids(told.counted, Standing.PROPOSED) if needed else frozenset()
    if proposed:
        unsure = proposed - agreed_by(told, needed, benches)
        told = replace(told, silent=failed | unsure, proposals=question.readings if unsure else ())
    silent = failed | _ids(told.counted, *Standing)
    only_proposed = replace(told, readings=told.proposals, silent=silent) if told.proposals else None
    coded = (RefusedReading(name, reason.code) for name, reason in refused.items())
    asked = (each for record in question.readings for each in record.readings if each.clause.strip())
    count = sum(each.standing is Standing.PROPOSED for each in asked)
    return Choice(told, only_proposed, count, tuple(map(str, refused.values())), tuple(coded))


def _ids(records: Sequence[ReadingRecord], *standings: Standing) -> frozenset[str]:
    return frozenset(record.id_of(each) for record in records for each in record.readings if each.standing in standings)


def _failed(records: Sequence[ReadingRecord], question: FunctionQuestion, benches: Benches) -> Mapping[str, Why]:
    """Return the reason by the id of each proposal that cannot be right."""
    found = {}
    for record in records:
        if all(each.standing is Standing.ACCEPTED for each in record.readings):
            continue
        reasons = tried(question, record, benches, question.readings)
        for reading, reason in zip(record.readings, reasons, strict=True):
            if reason and reading.standing is Standing.PROPOSED:
                name = record.id_of(reading)
                sentence = f"the reading {name} of {reading.statement!r} does not count: {reason}"
                found[name] = Why(code_of(reason), sentence)
    return found
