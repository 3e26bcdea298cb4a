"""What a person reads about a verified program, as a sheet: the clauses, the counterexample, what was not checked.

Refuses to decide or to soften: every line restates a record or a decision. Of examples to add the value is left open:
what the program answers today may be wrong, and would be confirmed rather than thought about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probatum.core.canonical import JsonValue
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.messages import counted
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.kinds.program.next_step import ABOUT_WORDS, NextStep
from probatum.programs.decide import too_few_faults
from probatum.programs.judging.suggestions import Suggested
from probatum.programs.parsing.not_counted import not_counted
from probatum.programs.record import (
    CheckKind,
    CheckRecord,
    CheckState,
    FunctionRecord,
    MutantState,
    ReadingOutcome,
    plainest,
)
from probatum.programs.result import recommendations
from probatum.programs.source import Source
from probatum.programs.specification import StatementState
from probatum.programs.units import CONTRACT

# Kinds of checks of which one clause has many, one for each input.
CLAUSES_OVER_INPUTS = frozenset({CheckKind.PROPERTY, CheckKind.DIFFERENTIAL})

_BY_WHOM = {
    CheckKind.LAW: "law",
    CheckKind.DIFFERENTIAL: "earlier version",
    **dict.fromkeys((CheckKind.RETURN_TYPE, CheckKind.ARGUMENT), "declared"),
}
_MARKS = dict.fromkeys(CheckState, Mark.UNDECIDED) | {
    CheckState.HOLDS: Mark.HOLDS,
    CheckState.FAILS: Mark.FAILS,
}
MOST_LINES = 25
TITLE = "Examples to add to the docstring"
NOT_CHECKED = "What was not checked"
NOT_ACCEPTED = "Acceptances that do not count"
_NOTHING_MORE = "no generated input kills another mutant"
_MOST_ASIDE = "less than half of the mutants differ on some input: too few to tell how strong the checks are"
_BARS_ALONE = "one such mutant keeps VERIFIED away, whatever share is killed"
_NOT_MEASURED = "none yet: mutants run once all checks hold, from level standard on"


def function_sheet(
    subject: str, verdict: DiagnosticResult, record: FunctionRecord, repeat: str, step: NextStep | None
) -> Sheet:
    """Return the sheet of one function: what keeps VERIFIED away comes first; ``step`` is what gets it decided."""
    statements = statements_section([record] if step is not None or record.strength_measured else [])
    constraint = verdict.developer_fields.get("constraint_id")
    not_checked, strength = (_not_checked(record),), (_strength(record), _changed(record))
    if constraint in ABOUT_WORDS:
        reasons = (*statements, *strength, *not_checked)
    elif step is None or constraint == "program.weak_checks":
        reasons = (*strength, *statements, *not_checked)
    else:
        reasons = (*not_checked, *strength, *statements)
    shown = (_clauses(record), _readings(record), _laws(record))
    sections = (_isolation(verdict), _counterexample(record), *shown, *reasons)
    advice = () if step is not None else recommendations(record)
    return Sheet(
        subject=f"{subject}::{record.qualname}",
        verdict=verdict,
        headline=_count_not_asked(record) or verdict.agent_message,
        sections=tuple(sorted((each for each in sections if each.entries), key=_is_quiet)),
        repeat=repeat,
        next_step=step.told if step is not None else next(iter(advice), ""),
        next_command=step.command if step is not None else "",
        most_lines=MOST_LINES,
    )


def _is_quiet(section: Section) -> bool:
    return not any(entry.mark in {Mark.FAILS, Mark.UNDECIDED} for entry in section.entries)


def _count_not_asked(record: FunctionRecord) -> str:
    count = len(record.not_asked)
    return f"{counted(count, 'reading was', 'readings were')} not asked." if count else ""


def _isolation(verdict: DiagnosticResult) -> Section:
    entry = Entry(Mark.UNDECIDED, "none: the program ran as you, and could have influenced every result")
    return Section("Isolation", (entry,) if "isolation" in verdict.developer_fields else ())


def _counterexample(record: FunctionRecord) -> Section:
    failing = [check for check in record.checks if check.state is CheckState.FAILS]
    if not failing:
        return Section("Counterexample", ())
    first = plainest(failing)
    place = f" in line {first.line}" if first.kind is CheckKind.READING and first.line else ""
    detail = (first.note, f"{_BY_WHOM.get(first.kind, 'documented')}{place}: {first.text}")
    entry = Entry(Mark.FAILS, first.reproduction, first.line or None, tuple(each for each in detail if each))
    return Section("Counterexample", (entry,), whole=True)


def _clauses(record: FunctionRecord) -> Section:
    shown_elsewhere = {*CLAUSES_OVER_INPUTS, CheckKind.LAW, CheckKind.READING}
    entries = [_clause(check) for check in record.checks if check.kind not in shown_elsewhere]
    over_inputs: dict[str, list[CheckRecord]] = {}
    for check in record.checks:
        if check.kind in CLAUSES_OVER_INPUTS:
            statement = check.kind.value if check.kind is CheckKind.DIFFERENTIAL else check.id.partition(".")[0]
            over_inputs.setdefault(statement, []).append(check)
    entries += [_clause_over_inputs(checks) for checks in over_inputs.values()]
    return Section("What the documentation says", tuple(entries))


def _readings(record: FunctionRecord) -> Section:
    """Show each reading in one line, and below it what it was read as and what it would notice."""
    failing = {check.text: check for check in record.checks if check.kind is CheckKind.READING and check.note}
    entries = [_reading(each) for each in record.readings if each.statement not in failing]
    entries += [_clause(check) for check in failing.values()]
    entries += [Entry(Mark.UNDECIDED, each) for each in record.disputed]
    return Section("How the documentation is read", tuple(entries))


def _reading(outcome: ReadingOutcome) -> Entry:
    vouched = f"accepted by {outcome.accepted_by}" if outcome.accepted_by else "accepted by nobody"
    by = f"read by {outcome.reader}, {vouched}" if outcome.reader else vouched
    if not outcome.said:
        return Entry(Mark.NOTE, outcome.statement, detail=(by,))
    held = f"holds on {counted(outcome.met, 'call')}; kills {counted(outcome.noticed, 'mutant')}"
    mark = Mark.HOLDS if outcome.met and outcome.noticed and not outcome.flag else Mark.UNDECIDED
    flag = (f"may say too little: {outcome.flag}; accept or reject {outcome.id}",) if outcome.flag else ()
    return Entry(mark, outcome.statement, detail=(*outcome.said.splitlines(), held, by, *flag))


def _laws(record: FunctionRecord) -> Section:
    entries = tuple(_clause(check) for check in record.checks if check.kind is CheckKind.LAW)
    return Section("What Python asks of such objects", entries)


def _clause_over_inputs(checks: Sequence[CheckRecord]) -> Entry:
    """Show one statement about all calls in one line, with the worst that was seen."""
    held = sum(check.state is CheckState.HOLDS for check in checks)
    worst = next((check for check in checks if check.state is not CheckState.HOLDS), checks[0])
    held_on = f"held on {held} of {counted(len(checks), 'input')}"
    detail = (worst.note, held_on) if worst.note else (held_on,)
    return Entry(_MARKS[worst.state], worst.text, worst.line or None, detail)


def _clause(check: CheckRecord) -> Entry:
    return Entry(_MARKS[check.state], check.text, check.line or None, (check.note,) if check.note else ())


def _strength(record: FunctionRecord) -> Section:
    if not record.strength_measured:
        return Section("Strength of the checks", ())
    owners = sorted({m.settled_by for m in record.mutants if m.settled_by})
    settled = sum(bool(m.settled_by) for m in record.mutants)
    aside = len(record.mutants) - record.planted - settled
    tail = f"; {aside} ignored (no input tells {'it' if aside == 1 else 'them'} apart)" if aside else ""
    tail += f"; {settled} killed by the checks of {' and '.join(owners)}" if settled else ""
    total = f"{record.noticed} of {counted(record.planted, 'mutant')} killed{tail}"
    survivors = record.survivors
    alone = [mutant for mutant in record.mutants if mutant.state is MutantState.ONLY_DOCUMENTED]
    few = too_few_faults(record) or (_MOST_ASIDE if record.is_mostly_unmeasured else "")
    entries = [Entry(Mark.UNDECIDED if few else Mark.NOTE, total, detail=(few,) if few else ())]
    for mutant in survivors:
        detail = (_BARS_ALONE,) if mutant in record.idle[:1] else ()
        entries.append(Entry(Mark.UNDECIDED, f"survives: {mutant.sentence}", detail=detail))
    if alone:
        differ = counted(len(alone), "mutant differs", "mutants differ")
        entries.append(Entry(Mark.NOTE, f"{differ} on documented inputs alone, which does not count as killed"))
    return Section("Strength of the checks", tuple(entries))


def _changed(record: FunctionRecord) -> Section:
    """Show what changed since the earlier version as questions, and never as faults."""
    asked = [
        Entry(Mark.UNDECIDED, each.call, None, (f"gave {each.before}", f"gives {each.now}", "is that meant?"))
        for each in record.questions
    ]
    asked += [Entry(Mark.UNDECIDED, each, None, ("is that meant?",)) for each in record.narrowed]
    compared = Entry(Mark.NOTE, f"{counted(record.compared, 'input was', 'inputs were')} compared")
    return Section("What changed since the earlier version", (*asked, compared) if record.compared else tuple(asked))


def statements_section(records: Sequence[FunctionRecord]) -> tuple[Section, ...]:
    """Return every statement with its state, open ones first: what vouches for it, or that nothing does."""
    statements = [each for record in records for each in record.statements]
    entries = [
        Entry(
            Mark.UNDECIDED if each.state is StatementState.OPEN else Mark.HOLDS,
            each.text if each.state is StatementState.OPEN else f"{each.state.value}: {each.text}",
            each.line if each.source != CONTRACT else None,
            (each.reason,) if each.reason else (),
        )
        for each in sorted(statements, key=lambda each: each.state is not StatementState.OPEN)
    ]
    return (Section("Statements of the documentation", tuple(entries)),) if entries else ()


def _not_checked(record: FunctionRecord) -> Section:
    reasons = (record.not_judged,) if record.not_judged else ()
    found = (*record.unexpected, *record.wrong_uses, *record.special_cases)
    open_ones = (*reasons, *record.unmet, *found, *record.flaky, *record.doubtful)
    entries = [Entry(Mark.UNDECIDED, sentence) for sentence in open_ones]
    entries += [Entry(Mark.UNDECIDED, sentence) for sentence in (*record.unread, *record.not_asked)]
    if record.unmeasured:
        entries.append(Entry(Mark.UNDECIDED, f"strength was not measured: {record.unmeasured}"))
    entries += [Entry(Mark.NOTE, sentence) for sentence in record.unreached]
    entries += [Entry(Mark.NOTE, sentence) for sentence in record.suspicions]
    return Section(NOT_CHECKED, tuple(entries))


def with_not_counted(sheet: Sheet, source: Source) -> Sheet:
    """Return the sheet with a line that names the text of the file that is no documentation of a function or class."""
    line = not_counted(source.text, source.tree)
    entries = (Entry(Mark.NOTE, line),) if line else ()
    if not any(each.title == NOT_CHECKED for each in sheet.sections):
        return replace(sheet, sections=(*sheet.sections, Section(NOT_CHECKED, entries))) if entries else sheet
    told = (
        replace(each, entries=(*each.entries, *entries)) if each.title == NOT_CHECKED else each
        for each in sheet.sections
    )
    return replace(sheet, sections=tuple(told))


def with_acceptances(sheet: Sheet, sentences: Sequence[str]) -> Sheet:
    """Return the sheet with the acceptances of readings that do not count first, each with its reason."""
    entries = tuple(Entry(Mark.UNDECIDED, each) for each in sentences)
    return replace(sheet, sections=(Section(NOT_ACCEPTED, entries), *sheet.sections)) if entries else sheet


def with_suggestions(sheet: Sheet, suggested: Suggested) -> Sheet:
    """Return the sheet with a section of examples to add, before all else."""
    if not suggested.examples:
        sentence = _NOTHING_MORE if suggested.measured else _NOT_MEASURED
        return replace(sheet, sections=(*sheet.sections, Section(TITLE, (Entry(Mark.NOTE, sentence),))))
    # Each is open until somebody has written its result.
    entries = [Entry(Mark.UNDECIDED, each.example, detail=(_named(each.notices),)) for each in suggested.examples]
    total = f"together they kill {suggested.covered} of the {suggested.faults} surviving mutants"
    return replace(sheet, sections=(Section(TITLE, (*entries, Entry(Mark.NOTE, total))), *sheet.sections))


def _named(notices: tuple[str, ...]) -> str:
    return f"kills {counted(len(notices), 'mutant')}{', such as' if len(notices) > 1 else ''}: {notices[0]}"


def suggestions_json(suggested: Suggested) -> JsonValue:
    """Return the examples as JSON."""
    return {
        "examples": [{"example": each.example, "notices": list(each.notices)} for each in suggested.examples],
        "covered": suggested.covered,
        "not_noticed": suggested.faults,
        "measured": suggested.measured,
    }
