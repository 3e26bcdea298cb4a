"""Running the documented examples of a function, each under both hash seeds.

A failure is asked once more alone in a fresh process. It is in doubt where the standard library agrees with the
program, and where the example only shows nothing after a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probatum.core.canonical import JsonValue
from probatum.programs.examples.contract_code import DECLARED
from probatum.programs.examples.disowned import DISOWNED
from probatum.programs.judging.blame import excuse
from probatum.programs.judging.doctest_reference import passes_doctest
from probatum.programs.parsing.literals import read_value
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.running.checks import (
    Action,
    Asks,
    ClerkExpression,
    PlannedCheck,
    Statements,
    steps_of,
)
from probatum.programs.running.compare import (
    Agreement,
    Comparison,
    agree,
    compare,
    describe,
    state_as_answered,
    state_of,
)
from probatum.programs.running.endless import find_repetition
from probatum.programs.running.execute import Benches, Pair, run_actions, run_twice
from probatum.programs.running.other_ways import compares, in_session, other_ways
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import check_record
from probatum.programs.running.screening import WORK_PER_CHECK, affordable
from probatum.programs.running.stability import steadied
from probatum.programs.running.twins import sides_with_program
from probatum.programs.specification import NOTHING_SHOWN, ReprIs, ValueIs
from probatum.readings.syntax import NotReadableError
from probatum.sandbox import Lost, LostReason, Reply, Returned

_MAY_BE_ELSEWHERE = "the contract speaks of {} and the program does not define it; it may be there where it is used"
_PASSES_DOCTEST = "doctest passes it: what it shows was understood otherwise here"
MOST_WATCHED = 2
"""How many examples that ran out of their budget are tried again with watched loops."""


@dataclass(frozen=True, slots=True)
class CheckRun:
    """The checks as they were asked in the end, with their records and the program's replies, in the same order."""

    planned: tuple[PlannedCheck, ...]
    records: tuple[CheckRecord, ...]
    replies: tuple[Reply, ...]


def run_checks(question: FunctionQuestion, planned: Sequence[PlannedCheck], benches: Benches) -> CheckRun:
    """Run the documented examples under both hash seeds, and every failure once more alone in a fresh process."""
    answered = list(
        zip(planned, _affordable_replies(question, [each.action for each in planned], benches), strict=True)
    )
    answered = [_asked_otherwise(question, check, pair, benches) for check, pair in answered]
    # Its author ran it after the whole session; what holds then holds.
    answered = [_if_it_holds(question, in_session(check), check, pair, benches) for check, pair in answered]
    records = []
    patience = MOST_WATCHED
    for check, pair in answered:
        comparison = compare(check.example.expectation, pair.first)
        replies = [pair.first, pair.second]
        states = {state_of(check, reply) for reply in replies}
        if states == {CheckState.FAILS}:
            replies += run_actions(benches.first, question.program, [check.action])
            states.add(state_of(check, replies[-1]))
            comparison = _unless_it_holds_inside(question, check, comparison, benches)
            states = {comparison.state} if states == {CheckState.FAILS} else states
        reply = pair.first
        if states == {CheckState.FAILS, CheckState.UNDECIDED}:
            # What the sandbox lacks may be kept from an earlier call, which alone tells of it.
            reply = next(each for each in replies if state_of(check, each) is CheckState.UNDECIDED)
            comparison = compare(check.example.expectation, reply)
            states = {comparison.state}
        record = _in_doubt(check, check_record(check, comparison, reply, stable=len(states) == 1), reply)
        if record.state is CheckState.FAILS and (reason := excuse(question, check, pair.first, benches)):
            record = replace(record, state=CheckState.UNDECIDED, note=reason)
        elif record.state is CheckState.FAILS and passes_doctest(question, check, benches):
            record = replace(record, state=CheckState.UNDECIDED, note=_PASSES_DOCTEST)
        if patience and isinstance(pair.first, Lost) and pair.first.reason is LostReason.CPU:
            patience -= 1
            record = _never_ending(question, check, record, benches)
        records.append(record)
    checks = tuple(check for check, _ in answered)
    steady = steadied(question.source, checks, records, benches)
    return CheckRun(checks, steady, tuple(pair.first for _, pair in answered))


def _asked_otherwise(
    question: FunctionQuestion, check: PlannedCheck, pair: Pair, benches: Benches
) -> tuple[PlannedCheck, Pair]:
    state = state_as_answered(check, pair.first)
    if isinstance(check.action, ClerkExpression) and state is CheckState.FAILS:
        # Where the program's objects are, a condition cannot see the content of what comes from a subclass.
        steps = steps_of(check.example, check.example.setup)
        way = replace(check, action=steps) if steps.asks is Asks.SIDES else None
        return _if_it_holds(question, way, check, pair, benches)
    # What no way decides stays as it was; whether another text is wrong, the object itself has to say.
    is_other_text = isinstance(check.action, Statements) and check.action.asks is Asks.TEXT
    open_state = CheckState.FAILS if is_other_text else CheckState.UNDECIDED
    if not (is_other_text or _is_unreadable(check, pair.first)) or state is not open_state:
        return check, pair
    contradiction: tuple[PlannedCheck, Pair] | None = None
    for way in other_ways(check):
        [asked] = run_twice(benches, question.program, [way.action])
        is_contradicted = compares(check.example) and state_of(way, asked.first) is CheckState.FAILS
        if is_other_text:
            return way, asked
        if state_of(way, asked.first) is CheckState.HOLDS or is_contradicted:
            return way, asked
        if _shows_another_value(check, way, asked.first):
            contradiction = way, asked
    return contradiction or (check, pair)


def _if_it_holds(
    question: FunctionQuestion, way: PlannedCheck | None, check: PlannedCheck, pair: Pair, benches: Benches
) -> tuple[PlannedCheck, Pair]:
    # Another way to ask what failed counts where it holds.
    if way is None or state_as_answered(check, pair.first) is not CheckState.FAILS:
        return check, pair
    [asked] = run_twice(benches, question.program, [way.action])
    return (way, asked) if state_of(way, asked.first) is CheckState.HOLDS else (check, pair)


def _shows_another_value(check: PlannedCheck, way: PlannedCheck, reply: Reply) -> bool:
    # A class that inherits from `dict`, say, may be shown as another plain value.
    expected = check.example.expectation
    if not isinstance(way.example.expectation, ReprIs) or not isinstance(expected, ValueIs):
        return False
    if check.example.notation != "doctest" or not isinstance(reply, Returned) or not isinstance(reply.value, str):
        return False
    try:
        shown = read_value(reply.value)
    except NotReadableError:
        return False
    return type(shown) is type(expected.value) and agree(expected.value, shown) is Agreement.DIFFERENT


def _unless_it_holds_inside(
    question: FunctionQuestion, check: PlannedCheck, failing: Comparison, benches: Benches
) -> Comparison:
    # What holds in the program's own process failed only because its results travel as copies.
    if not isinstance(check.action, ClerkExpression):
        return failing
    inside = Statements(check.example.setup, check.example.expression)
    [reply] = run_actions(benches.first, question.program, [inside])
    if state_of(check, reply) is not CheckState.HOLDS:
        return failing
    note = "it holds in the program's own process and not where its results arrive as copies"
    return Comparison(CheckState.UNDECIDED, failing.observed, note)


def _is_unreadable(check: PlannedCheck, reply: Reply) -> bool:
    # Such a reply says little only because a value could not travel.
    if isinstance(reply, Lost):
        return reply.reason is LostReason.ARGUMENTS
    expected = check.example.expectation
    if not isinstance(reply, Returned) or not isinstance(expected, ValueIs):
        return False
    return agree(expected.value, reply.value) is Agreement.UNKNOWN


def _never_ending(
    question: FunctionQuestion, check: PlannedCheck, record: CheckRecord, benches: Benches
) -> CheckRecord:
    # Running out of a budget proves nothing; a loop that repeats its state does.
    found = find_repetition(question.source, check.action, benches)
    if found is None or not isinstance(record.observed, dict):
        return record
    observed: dict[str, JsonValue] = {**record.observed, "repeats": {"line": found.line, "state": found.state}}
    note = (
        f"never ends: the loop on line {found.line} comes back to where it was ({found.state or 'no value steers it'})"
    )
    return replace(record, state=CheckState.FAILS, observed=observed, note=note)


def _affordable_replies(question: FunctionQuestion, actions: Sequence[Action], benches: Benches) -> list[Pair]:
    kept = affordable(question, actions, WORK_PER_CHECK, benches)
    asked = sorted(kept)
    answers = run_twice(benches, question.program, [actions[index] for index in asked])
    given = dict(zip(asked, answers, strict=True))
    too_heavy = Lost(LostReason.CPU, f"more than {WORK_PER_CHECK} counted steps, or more than its process may use")
    return [given.get(index, Pair(too_heavy, too_heavy)) for index in range(len(actions))]


def _in_doubt(check: PlannedCheck, record: CheckRecord, reply: Reply) -> CheckRecord:
    # The standard library contradicts the example, or the example shows nothing.
    expectation = check.example.expectation
    if record.state is CheckState.FAILS and check.example.notation == DISOWNED:
        return replace(record, state=CheckState.UNDECIDED, note="the document marks it as wrong or outdated")
    if record.state is CheckState.FAILS and check.example.notation == DECLARED:
        name = check.example.expression.removeprefix("callable").strip("()")
        return replace(record, state=CheckState.DOUBTFUL, note=_MAY_BE_ELSEWHERE.format(name))
    if record.state is not CheckState.FAILS or not isinstance(expectation, ValueIs):
        return record
    if check.example.notation == NOTHING_SHOWN:
        return replace(record, state=CheckState.DOUBTFUL, note="nothing is shown after it; the output may be left out")
    if not isinstance(reply, Returned):
        return record
    if not sides_with_program(check.action, expectation.value, reply.value):
        return record
    note = f"Python's own function of this name gives {describe(reply)} as well"
    return replace(record, state=CheckState.DOUBTFUL, note=note)
