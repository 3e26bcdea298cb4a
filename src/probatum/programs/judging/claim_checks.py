"""Running the checks of what a specification states about all calls, and shrinking what fails.

A violated property refutes only after the smallest violating call repeated it alone, under both hash seeds. Refuses to
count a check whose condition has no truth value or whose call was lost: such a clause is reported as not checked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from probatum.programs.inputs.generate import CallSource
from probatum.programs.judging.claims import StatedClauses, property_checks
from probatum.programs.judging.enforced import broken_where_enforced, is_false, smallest_breaking
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.running.checks import Action, DirectCall, JudgedCall, PlannedCheck, pasteable
from probatum.programs.running.compare import compare, describe, state_of
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_actions
from probatum.programs.running.generated import Legality, anything
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import check_record
from probatum.programs.running.stability import confirmed
from probatum.sandbox import Raised, Reply, Returned


@dataclass(frozen=True, slots=True)
class ClaimRun:
    """The records of stated clauses, the checks that held, and sentences about clauses that nothing could check."""

    records: tuple[CheckRecord, ...] = ()
    held: tuple[PlannedCheck, ...] = ()
    unchecked: tuple[str, ...] = ()
    not_met: tuple[str, ...] = ()
    """Ids of preconditions, see `StatedClauses.not_met`."""


def check_claims(
    question: FunctionQuestion,
    stated: StatedClauses,
    answered: Sequence[tuple[Action, Reply]],
    source: CallSource | None,
    benches: Benches,
    legal: Legality = anything,
    foremost: Collection[str] = (),
) -> ClaimRun:
    """Check every stated property on ``answered`` calls; one that is not ``legal`` is no reason to refute.

    The ``foremost`` calls, given as Python, are among those that it is checked on.
    """
    planned = property_checks(stated, answered, most=question.policy.stated_inputs, foremost=foremost)
    replies = run_actions(benches.first, question.program, [check.action for check in planned])
    records: list[CheckRecord] = []
    held: list[PlannedCheck] = []
    failed: set[str] = set()
    for check, reply in zip(planned, replies, strict=True):
        comparison = compare(check.example.expectation, reply)
        clause = check.example.id.partition(".")[0]
        # Nothing follows where the condition itself raised.
        if not isinstance(reply, Returned) or clause in failed:
            continue
        if comparison.state is CheckState.HOLDS:
            records.append(check_record(check, comparison, reply))
            held.append(check)
        elif comparison.state is CheckState.FAILS:
            if isinstance(check.action, DirectCall) and not legal([check.action]):
                continue
            failed.add(clause)
            records.append(_confirmed(question, check, stated, source, benches))
    broken = broken_where_enforced(question, stated, answered, source, benches)
    records += [record for record in broken if record.id.partition(".")[0] not in failed]
    return ClaimRun(tuple(records), tuple(held), _unchecked(stated, records), stated.not_met)


def _unchecked(stated: StatedClauses, records: Sequence[CheckRecord]) -> tuple[str, ...]:
    checked = {record.id.partition(".")[0] for record in records}
    clauses = [each.clause for each in stated.properties if each.clause.id not in checked]
    return tuple(
        f"line {each.span.line}: {each.text} (no input was found that shows whether it holds)" for each in clauses
    )


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
