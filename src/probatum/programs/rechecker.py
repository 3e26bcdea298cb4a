"""Deciding again from a stored program artifact, and running its recorded inputs again.

Refuses an artifact whose observations are not records of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision
from probatum.core.shape import Shape, shown
from probatum.programs.decide import ProgramPolicy, decide_program
from probatum.programs.judging.claims import StatedClauses, read_stated
from probatum.programs.judging.laws import Law, is_due, laws_of
from probatum.programs.judging.strength import is_at_limit
from probatum.programs.loading import read_source
from probatum.programs.neighbours import owner_at
from probatum.programs.record import CheckKind, CheckRecord, FunctionRecord, MutantRecord
from probatum.programs.rejudge import require_consistent, require_within
from probatum.programs.running.checks import (
    Action,
    ClerkExpression,
    DirectCall,
    JudgedCall,
    PlannedCheck,
    Statements,
    in_session,
    inputs_form,
    other_ways,
    plan_checks,
    value_of_input,
)
from probatum.programs.running.compare import expected_form, observation
from probatum.programs.running.execute import Benches, run_actions
from probatum.programs.running.given_tests import outcomes_of
from probatum.programs.running.predicates import Predicates, judged
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec, ModuleSpec
from probatum.programs.units import units_of
from probatum.sandbox import Program

if TYPE_CHECKING:
    from probatum.programs.faults.planting import Mutant


def records_of(observations: object) -> tuple[FunctionRecord, ...]:
    """Read the records of an artifact; raises ValueError where they are not records."""
    rows = Shape(observations, "observations").items(least=1)
    return tuple(FunctionRecord.from_json(row.raw_object(), row.place) for row in rows)


def decide_again(observations: object, policy: object) -> Decision:
    """Derive the decision from recorded observations and the recorded policy; raises ValueError where they are none."""
    records = records_of(observations)
    demanded = ProgramPolicy.from_json(policy)
    for record in records:
        require_consistent(record)
        require_within(record, demanded)
    return decide_program(records, demanded)


def replay_records(
    program: Program,
    observations: object,
    tests: bytes | None,
    benches: Benches,
    *,
    contract: str | None,
    policy: ProgramPolicy,
) -> tuple[str, ...]:
    """Read, plan and run everything that is recorded again; return a sentence for each thing that differs.

    Raises `ValueError` for malformed inputs, and for records of given tests where the tests are not there.
    """
    source, differences = read_source(program), list[str]()
    if isinstance(source, Decision):
        return ("the subject cannot be read as a program",)
    for record in records_of(observations):
        differences += _replan(source, record, benches, contract, policy, tests)
        differences += _replay_tests(source, record, tests, benches)
        checks = [check for check in record.checks if check.kind is not CheckKind.TEST]
        actions = [_action(check.inputs) for check in checks]
        replies = run_actions(benches.first, program, actions)
        for check, reply in zip(checks, replies, strict=True):
            seen = observation(reply)
            if seen != check.observed:
                differences.append(f"{record.qualname}, {check.text}: recorded {check.observed}, now {seen}")
    return tuple(differences)


def _replan(
    read: Source,
    record: FunctionRecord,
    benches: Benches,
    contract: str | None,
    policy: ProgramPolicy,
    tests: bytes | None,
) -> list[str]:
    name = read.program.module_name
    public = units_of(read.module, None, contract, tests, name)
    [unit] = [each for each in public if each.qualname == record.qualname] or units_of(
        read.module, record.qualname, contract, tests, name
    )
    differences = []
    checks = plan_checks(unit, read.module)
    recorded = [check for check in record.checks if check.kind is CheckKind.EXAMPLE]
    if len(recorded) != len(checks) or not all(map(_is_way_of, recorded, checks)):
        differences.append(f"{record.qualname}: the recorded checks are not those that the subject documents")
    differences += _replan_claims(read.program, record, unit, read.module, checks, benches)
    laws = {law.id: law for law in laws_of(read.tree, unit)}
    strange = [c.id for c in record.checks if c.kind is CheckKind.LAW and not _is_law(c, laws, unit.qualname)]
    differences += [f"{record.qualname}, check {each}: the subject is under no such law" for each in strange]
    if record.strength_measured:
        from probatum.programs.faults.mutants import plan_mutants  # Deferred: only planting needs concrete syntax.

        faults = plan_mutants(read, record.qualname, limit=policy.mutants, seed=policy.seed)
        limits = {check.example.id for check in checks if is_at_limit(check)}
        if len(faults) != len(record.mutants) or not all(map(partial(_is_fault, limits), record.mutants, faults)):
            differences.append(f"{record.qualname}: the planted faults are not those of subject and seed")
        settled = [fault for fault in record.mutants if fault.settled_by]
        if any(owner_at(read, record.qualname, each.line) != each.settled_by for each in settled):
            differences.append(f"{record.qualname}: a fault is said to lie in another definition and does not")
    return differences


def _is_fault(limits: Collection[str], recorded: MutantRecord, due: Mutant) -> bool:
    # `limits` are the examples that show natural limits alone.
    is_limited = due.serves_boundary or (recorded.at_limit and recorded.noticed_by in limits)
    return (recorded.id, recorded.operator, recorded.line, recorded.sentence, recorded.at_limit) == (
        due.id,
        due.operator,
        due.line,
        due.sentence,
        is_limited,
    )


def _is_way_of(recorded: CheckRecord, due: PlannedCheck) -> bool:
    """True where a recorded check asks what a documented example says, in one of the ways in which that is done."""
    session = in_session(due)
    ways = (due, *other_ways(due)) if session is None else (due, session, *other_ways(due))
    return any(
        (recorded.id, recorded.inputs, recorded.expected)
        == (way.example.id, inputs_form(way.action), expected_form(way.example.expectation))
        for way in ways
    )


def _replan_claims(
    program: Program,
    record: FunctionRecord,
    unit: FunctionSpec,
    module: ModuleSpec,
    checks: Sequence[PlannedCheck],
    benches: Benches,
) -> list[str]:
    with Predicates(benches.first, program) as predicates:
        stated = read_stated(unit, module, checks, predicates)
    strange = [
        c.id for c in record.checks if c.kind in {CheckKind.PROPERTY, CheckKind.RAISES} and not _is_due(c, stated)
    ]
    differences = [f"{record.qualname}, check {each}: the subject states nothing like it" for each in strange]
    checked = {c.id.partition(".")[0] for c in record.checks}
    for clause in stated.clauses:
        if clause.id not in checked and not any(clause.text in sentence for sentence in record.unread):
            differences.append(f"{record.qualname}: {clause.text} was neither checked nor reported as unchecked")
    return differences


def _is_law(check: CheckRecord, laws: Mapping[str, Law], owner: str) -> bool:
    law = laws.get(check.id.partition(":")[2])
    return law is not None and check.expected == {"value": True} and is_due(law, _action(check.inputs), owner)


def _is_due(check: CheckRecord, stated: StatedClauses) -> bool:
    action = _action(check.inputs)
    clause_id = check.id.partition(".")[0]
    if isinstance(action, JudgedCall):
        due = (each.holds for each in stated.properties if each.clause.id == clause_id)
        return check.expected == {"value": True} and any(
            judged(predicate, stated.parameters, action.call) == action for predicate in due
        )
    named = (each.clause for each in stated.raises if each.clause.id == clause_id and each.applies is not None)
    return any(check.expected == {"raises": clause.type_name} for clause in named)


def _replay_tests(source: Source, record: FunctionRecord, tests: bytes | None, benches: Benches) -> list[str]:
    given = [check for check in record.checks if check.kind is CheckKind.TEST]
    if not given:
        return []
    if tests is None:
        raise ValueError("the given tests are not kept, so they cannot be run again")
    names = source.module.defined
    outcomes = {test.name: test.outcome for test in outcomes_of(benches.first, source.program, tests, names)}
    return [
        f"{record.qualname}, test {check.text}: recorded {check.observed}, now {outcomes.get(check.text)}"
        for check in given
        if check.observed != {"outcome": outcomes.get(check.text)}
    ]


def _action(form: JsonValue) -> Action:
    shape = Shape(form, "inputs")
    reader = _READERS.get(shape.text("form"))
    if reader is None:
        shape.refuse(f"unknown form of recorded inputs: {shown(shape.raw('form'))}", "form")
    return reader(shape)


def _named(pairs: Iterator[Shape]) -> tuple[tuple[str, object], ...]:
    return tuple((each.text(0), value_of_input(each.raw(1))) for each in pairs)


def _call(form: Shape) -> DirectCall:
    args = tuple(value_of_input(value) for value in form.raw_list("args"))
    return DirectCall(form.text("target"), args, _named(form.items("kwargs")))


def _clerk(form: Shape) -> Action:
    return ClerkExpression(form.text("expression"), form.texts("names"))


def _judged(form: Shape) -> Action:
    return JudgedCall(
        _call(form),
        form.text("condition"),
        _named(form.items("given")),
        tuple((each.text(0), _place(each)) for each in form.items("after")),
        form.texts("functions"),
    )


def _place(pair: Shape) -> int | str:
    return pair.whole(1) if type(pair.raw(1)) is int else pair.text(1)


def _statements(form: Shape) -> Action:
    return Statements(form.texts("setup"), form.text("expression"), form.flag("show_repr"))


_READERS: Mapping[str, Callable[[Shape], Action]] = {
    "call": _call,
    "clerk": _clerk,
    "judged": _judged,
    "statements": _statements,
}
