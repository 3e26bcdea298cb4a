"""Which proposals may say less than their words: `read` gives the reason, and ``--accept --all`` leaves them out.

What code alone shows is always asked, the rest by running the functions that proposals are about. Refuses to take
silence for an answer: what could not be tried, as the program fails its checks or is not judged, is doubted too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.events import ignore
from probatum.kinds.program.observed import VerifiedFunction, VerifiedProgram
from probatum.kinds.program.request import ProgramRequest
from probatum.kinds.program.workbench import ProgramWorkbench
from probatum.programs.decide import ProgramPolicy
from probatum.programs.judging.reading_texts import flags_in_code
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS
from probatum.programs.source import Source
from probatum.programs.units import units_of
from probatum.readings.policies import PROPOSED
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing

_Proposal = tuple[ReadingRecord, Reading]
_TRIED: Final = SPEAKS_OF_RESULTS | {ReadingKind.REQUIRES}
"""Of these, running the program shows more than their code."""


def doubts_of(
    own: Sequence[ReadingRecord], source: Source, request: ProgramRequest, bench: ProgramWorkbench
) -> Mapping[str, str]:
    """Return by the id of each proposal among some records why it may say less than its words.

    The request has all readings of the program, as those may speak where these do not.
    """
    proposals = [(record, each) for record in own for each in record.readings if each.standing is Standing.PROPOSED]
    asked = [(record, each) for record, each in proposals if each.kind in _TRIED]
    tried = dict(_tried(asked, source, request, bench)) if asked else {}
    found = tried | {name: why for record, _ in proposals for name, why in _in_code(record, source, request).items()}
    names = (record.id_of(each) for record, each in proposals)
    return {name: found[name] for name in names if found.get(name)}


def _in_code(record: ReadingRecord, source: Source, request: ProgramRequest) -> Mapping[str, str]:
    units = units_of(source.module, request.function, request.contract)
    specs = (*units, *source.module.functions, *(each.spec for each in source.module.bound))
    found = next((each for each in specs if record.is_about(each.qualname)), None)
    return {} if found is None else flags_in_code(FunctionQuestion(source, found, ProgramPolicy(), readings=(record,)))


def _tried(
    asked: Sequence[_Proposal], source: Source, request: ProgramRequest, bench: ProgramWorkbench
) -> Iterator[tuple[str, str]]:
    """Yield the id of each proposal with its flag, or with why it could not be tried."""
    units = units_of(source.module, request.function, request.contract)
    parts = [(unit.qualname, each.qualname) for unit in units for each in (unit, *unit.declared)]
    # A class without code may be judged by itself.
    only = {each for part in parts if any(record.is_about(part[1]) for record, _ in asked) for each in part}
    judged, why = list[VerifiedFunction](), "it is not judged with its file."
    try:
        found = bench.observe(replace(request, readings_policy=PROPOSED), ignore, only=only) if only else None
    except (BudgetError, NotAttemptedError) as error:
        why = error.sentence
    else:
        if isinstance(found, VerifiedProgram):
            judged = list(found.parts)
        elif found is not None:
            why = found.decide().agent_message
    for record, reading in asked:
        name = record.id_of(reading)
        part = next((each for each in judged if record.is_about(each.name)), None)
        flag, not_tried = ("", why) if part is None else _found(part, name)
        yield name, flag or (not_tried and f"it could not be tried: {not_tried}")


def _found(part: VerifiedFunction, name: str) -> tuple[str, str]:
    """Return the flag of a reading, by its id, and a sentence why it could not be tried."""
    record = part.record
    if not record.strength_measured:
        return "", part.decide().agent_message
    not_asked = next((each for each in (*record.unread, *record.not_asked) if name in each), "")
    flags = [each.flag for each in record.readings if each.id == name]
    return (flags[0], not_asked) if flags else ("", not_asked or "it does not count.")
