"""Running the checks of what a specification states about all calls, and shrinking what fails.

A violated property refutes only after the smallest violating call repeated it alone, under both hash seeds. Refuses to
count a check whose condition has no truth value or whose call was lost: such a clause is reported as not checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from probatum.programs.inputs.fingerprints import fingerprint
from probatum.programs.inputs.generate import CallSource
from probatum.programs.judging.border_calls import border_calls
from probatum.programs.judging.claims import StatedClauses, property_checks
from probatum.programs.judging.enforced import broken_where_enforced, is_false, smallest_breaking
from probatum.programs.judging.exception_checks import is_another_exception, may_be_a_fixed_result, raises_checks
from probatum.programs.record import CheckKind, CheckRecord, CheckState
from probatum.programs.running.checks import Action, DirectCall, JudgedCall, PlannedCheck, pasteable
from probatum.programs.running.compare import compare, describe, state_of
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_actions
from probatum.programs.running.generated import Legality, anything, unlike_calls
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import check_record
from probatum.programs.running.screening import WORK_PER_INPUT, affordable
from probatum.programs.running.stability import confirmed
from probatum.programs.specification import FunctionSpec, Property, RaisesClaim, RaisesError
from probatum.sandbox import Raised, Reply, Returned


@dataclass(frozen=True, slots=True)
class ClaimRun:
    """The records of stated clauses, the checks that held, and sentences about clauses that nothing could check."""

    records: tuple[CheckRecord, ...] = ()
    held: tuple[PlannedCheck, ...] = ()
    replies: tuple[Reply, ...] = ()
    """What the program answered to the checks that held, in their order."""
    unchecked: tuple[str, ...] = ()


def check_claims(
    question: FunctionQuestion,
    stated: StatedClauses,
    answered: Sequence[tuple[Action, Reply]],
    shown: Sequence[DirectCall],
    source: CallSource | None,
    benches: Benches,
    legal: Legality = anything,
) -> ClaimRun:
    """Check every stated property and exception on ``answered`` calls and on further ones from ``source``.

    ``shown`` are the documented calls, wherever they stand. A call that is not ``legal`` is no reason to refute.
    """
    most = question.policy.stated_inputs
    planned = property_checks(stated, answered, most=most)
    if any(each.applies is not None for each in stated.raises):
        usual = [*shown, *(action for action, _ in answered if isinstance(action, DirectCall))]
        calls = (*border_calls(stated, returning(question.function, answered)), *unlike_calls(question, source))
        light = affordable(question, calls, WORK_PER_INPUT, benches)
        tried = [call for index, call in enumerate(calls) if index in light]
        planned += raises_checks(stated, tried, usual, most=most)
    replies = run_actions(benches.first, question.program, [check.action for check in planned])
    calm = returning(question.function, answered)
    records: list[CheckRecord] = []
    held: list[tuple[PlannedCheck, Reply]] = []
    failed: set[str] = set()
    for check, reply in zip(planned, replies, strict=True):
        comparison = compare(check.example.expectation, reply)
        clause = check.example.id.partition(".")[0]
        if not _says_something(check, reply, question.function) or clause in failed:
            continue
        if _may_have_another_reason(check, reply, comparison.state, stated, calm):
            continue
        if comparison.state is CheckState.HOLDS:
            records.append(check_record(check, comparison, reply))
            held.append((check, reply))
        elif comparison.state is CheckState.FAILS:
            if check.kind is CheckKind.RAISES and may_be_a_fixed_result(question.function, reply):
                continue
            if isinstance(check.action, DirectCall) and not legal([check.action]):
                continue
            failed.add(clause)
            records.append(_confirmed(question, check, stated, source, benches))
    broken = broken_where_enforced(question, stated, answered, source, benches)
    records += [record for record in broken if record.id.partition(".")[0] not in failed]
    checks, answers = tuple(check for check, _ in held), tuple(answer for _, answer in held)
    return ClaimRun(tuple(records), checks, answers, _unchecked(stated, records, planned, question.function))


def returning(function: FunctionSpec, answered: Sequence[tuple[Action, Reply]]) -> tuple[DirectCall, ...]:
    """Return the plain calls of the function that gave a result."""
    return tuple(
        action
        for action, reply in answered
        if isinstance(action, DirectCall) and action.target == function.qualname and action.is_plain
        if isinstance(reply, Returned)
    )


def _says_something(check: PlannedCheck, reply: Reply, function: FunctionSpec) -> bool:
    # Nothing follows where the condition itself raised, or another documented exception came.
    if check.kind is CheckKind.PROPERTY:
        return isinstance(reply, Returned)
    due = check.example.expectation
    return isinstance(reply, Returned | Raised) and not (
        isinstance(due, RaisesError)
        and is_another_exception(function, reply, due.type_name)
        and compare(due, reply).state is CheckState.FAILS
    )


def _may_have_another_reason(
    check: PlannedCheck, reply: Reply, state: CheckState, stated: StatedClauses, calm: Sequence[DirectCall]
) -> bool:
    """Tell whether an exception that is not the documented one may be due to other arguments than the condition's.

    It is not where the same other arguments gave a result.
    """
    if check.kind is not CheckKind.RAISES or state is not CheckState.FAILS or not isinstance(reply, Raised):
        return False
    due = next(each.applies for each in stated.raises if each.clause.id == check.example.id.partition(".")[0])
    if due is None or not isinstance(check.action, DirectCall):
        return False
    others = _others(stated, check.action, due.parameters)
    return all(_others(stated, call, due.parameters) != others for call in calm)


def _others(stated: StatedClauses, call: DirectCall, left_out: frozenset[str]) -> str:
    values = stated.values(call) or {}
    return fingerprint(({name: value for name, value in values.items() if name not in left_out},))


def _unchecked(
    stated: StatedClauses, records: Sequence[CheckRecord], planned: Sequence[PlannedCheck], function: FunctionSpec
) -> tuple[str, ...]:
    asked = {check.example.id.partition(".")[0] for check in planned}
    shown = {each.expectation.type_name for each in function.examples if isinstance(each.expectation, RaisesError)}
    named = [each.clause.type_name for each in stated.raises]
    by_example = {name for name in shown if named.count(name) == 1}
    checked = {record.id.partition(".")[0] for record in records}
    unread = {each.clause.id for each in stated.raises if each.applies is None}
    return tuple(
        f"line {clause.span.line}: {clause.text} ({_why_unchecked(clause, clause.id in unread, clause.id in asked)})"
        for clause in stated.clauses
        if clause.id not in checked and not (isinstance(clause, RaisesClaim) and clause.type_name in by_example)
    )


def _why_unchecked(clause: Property | RaisesClaim, is_unread: bool, is_asked: bool) -> str:
    if is_unread:
        return "it was not understood when this is due"
    if isinstance(clause, Property):
        return "no input was found that shows whether it holds"
    if is_asked:
        return f"wherever {clause.condition}, something else that is documented may be due"
    return f"no input was found for which {clause.condition}"


def _confirmed(
    question: FunctionQuestion, check: PlannedCheck, stated: StatedClauses, source: CallSource | None, benches: Benches
) -> CheckRecord:
    run = partial(run_actions, benches.first, question.program)
    clause = next((each for each in stated.properties if each.clause.id == check.example.id.partition(".")[0]), None)
    if isinstance(check.action, JudgedCall) and clause is not None:
        smallest = smallest_breaking(
            stated, clause, check.action, source, lambda due: is_false(run([due], MUTANT_LIMITS)[0]), question
        )
        check = replace(check, action=smallest, example=replace(check.example, expression=pasteable(smallest)))
    record, _ = confirmed(question, check, benches, lambda reply: state_of(check, reply) is CheckState.FAILS)
    if record.state is not CheckState.FAILS or not isinstance(check.action, JudgedCall):
        return record
    shown = run([check.action.call])[0]
    gives = describe(shown) if isinstance(shown, Raised) else f"gives {describe(shown)}"
    return replace(record, note=f"{pasteable(check.action.call)} {gives}")
