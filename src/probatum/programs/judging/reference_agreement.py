"""Whether the program answers as the readers' references do.

A reference never refutes, and is never a check: a reader wrote it as one function, without a statement that it could be
held against. Agreement carries what the main sentences say. Refuses to call it agreement where one answer differs, or
where fewer than three calls with two different results were compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.record import ReferenceOutcome
from probatum.programs.running.binding import argument_places
from probatum.programs.running.checks import DirectCall
from probatum.programs.running.judged_calls import agreement
from probatum.programs.running.reading_judge import ReadingJudge
from probatum.sandbox import Returned, Sandbox

FEWEST_CALLS, FEWEST_RESULTS = 3, 2


def reference_outcomes(run: ReadingRun, sandbox: Sandbox) -> tuple[ReferenceOutcome, ...]:
    """Return what the references that agree were compared on, one for each record that has such a one."""
    return tuple(_agreeing(run, sandbox))


def _agreeing(run: ReadingRun, sandbox: Sandbox) -> Iterator[ReferenceOutcome]:
    for judge in run.judges:
        answers = [(call, reply) for each, call, reply in run.answers if each is judge]
        if not judge.record.reference or not _tells(answers):
            continue
        if all(agreement(judge, answers, sandbox)):
            optional = (each.name for each in judge.parameters if each.default is not None)
            left_out = (name for name in optional if _tells(_leaving_out(name, judge, answers)))
            yield ReferenceOutcome(judge.record.reader, len(answers), tuple(left_out))


def _tells(answers: list[tuple[DirectCall, Returned]]) -> bool:
    return len(answers) >= FEWEST_CALLS and len({value_text(reply.value) for _, reply in answers}) >= FEWEST_RESULTS


def _leaving_out(
    name: str, judge: ReadingJudge, answers: list[tuple[DirectCall, Returned]]
) -> list[tuple[DirectCall, Returned]]:
    return [each for each in answers if name not in argument_places(judge.parameters, each[0])]
