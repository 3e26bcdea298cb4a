"""What was found in one function, each with its place: for code scanners, editors and baselines.

Only a failing check is an error. Refuses to leave out what keeps a function undecided: an open statement of its
documentation and a surviving mutant are findings too.
"""

from __future__ import annotations

from collections.abc import Iterator

from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import frozen_dict
from probatum.programs.record import CheckState, FunctionRecord
from probatum.programs.units import CONTRACT

STATEMENT = "statement"
"""The evidence that says which statement a finding is about, in the words of whoever wrote it."""


def findings_of(record: FunctionRecord) -> tuple[Finding, ...]:
    """Return the findings of one function, errors first."""
    return tuple(_findings(record))


def _findings(record: FunctionRecord) -> Iterator[Finding]:
    for check in record.checks:
        if check.state is CheckState.FAILS:
            said = f"{check.reproduction}: {check.note}" if check.note else check.reproduction
            place = _place(record, check.line) if check.line else None
            told = frozen_dict({STATEMENT: check.text})
            yield Finding(Severity.ERROR, f"program.{check.kind}", said, place, f"documented: {check.text}", told)
    odd = (*record.unexpected, *record.wrong_uses, *record.special_cases)
    for each in (*odd, *record.flaky, *record.doubtful, *record.suspicions):
        yield Finding(Severity.WARNING, "program.worth_a_look", each, _place(record))
    for question in record.questions:
        said = f"{question.call} gave {question.before} and gives {question.now}: is that meant?"
        yield Finding(Severity.INFO, "program.difference_open", said, _place(record))
    for each in record.narrowed:
        yield Finding(Severity.INFO, "program.difference_open", f"{each}: is that meant?", _place(record))
    for statement in record.open_statements:
        told = frozen_dict({STATEMENT: statement.text})
        place = _place(record, 0 if statement.source == CONTRACT else statement.line)
        said = f"no check shows this statement: {statement.text}"
        yield Finding(Severity.INFO, "program.open_statement", said, place, statement.reason, told)
    for mutant in record.survivors:
        shown = f"a call that tells it apart: {mutant.told_apart_by}" if mutant.told_apart_by else ""
        said = f"no check kills this mutant: {mutant.sentence}"
        yield Finding(Severity.INFO, "program.survivor", said, _place(record, mutant.line), shown)


def _place(record: FunctionRecord, line: int = 0) -> Location:
    return Location(line or record.line, name=record.qualname)
