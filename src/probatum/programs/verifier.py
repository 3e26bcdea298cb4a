"""Verifying one function of a program: plan, run, compare, measure, and hand back what was observed.

The stages are those of the requirement (read, generate, execute, analyse); each tells an event when it begins. The
record that comes out is all that a decision may stand on. Refuses to decide: that is `programs.decide`, purely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probatum.core.canonical import JsonValue, NotPlainDataError, tagged
from probatum.core.events import Event, Listener
from probatum.core.limits import JobLimits
from probatum.programs.checks import Action, DirectCall, PlannedCheck, inputs_form, pasteable, plan_checks
from probatum.programs.compare import Comparison, compare, describe, expected_form, observation
from probatum.programs.decide import ProgramPolicy
from probatum.programs.differential import EARLIER_VERSION, differential_checks
from probatum.programs.execute import Benches, Pair, outcome_key, run_actions, run_twice
from probatum.programs.generate import CallSource, accepts, argument_strategy, input_pool
from probatum.programs.given_tests import GivenRun, run_given_tests
from probatum.programs.mutants import branch_probes, plan_mutants
from probatum.programs.record import CheckRecord, CheckState, FunctionRecord
from probatum.programs.screening import MUTANT_LIMITS, WORK_PER_CHECK, WORK_PER_INPUT, affordable
from probatum.programs.shrinking import smallest_failing
from probatum.programs.specification import FunctionSpec, ModuleSpec, Origin, ValueIs
from probatum.programs.strength import GivenFile, measure, reach_of, yardstick
from probatum.programs.twins import sides_with_program
from probatum.programs.unplanted import unplanted_places
from probatum.programs.variants import session_variants
from probatum.sandbox import Lost, LostReason, Program, Raised, Reply, Returned

PROGRAM_LIMITS = JobLimits(cpu_seconds=3, wall_seconds=10.0)
MAX_SUSPICIONS = 3


@dataclass(frozen=True, slots=True)
class Question:
    """One function to verify: the program that holds it, what it is specified to do, and under which policy."""

    program: Program
    source: str
    module: ModuleSpec
    function: FunctionSpec
    policy: ProgramPolicy
    earlier: Program | None = None
    tests: bytes | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """Generated inputs with the program's own answers to them."""

    actions: tuple[Action, ...] = ()
    replies: tuple[Reply, ...] = ()
    keys: tuple[bytes, ...] = ()
    flaky: tuple[str, ...] = ()
    calls: CallSource | None = None
    """Where more such calls come from, for shrinking."""


def verify_function(question: Question, benches: Benches, listener: Listener) -> FunctionRecord:
    """Observe everything that the policy asks about one function."""
    name = question.function.qualname
    planned = plan_checks(question.function, question.module)
    listener(Event("tests_generated", f"{name}: {len(planned)} documented examples", {"count": len(planned)}))
    listener(Event("test_execution", f"{name}: running the examples"))
    if question.earlier is not None:
        planned += _earlier_behaviour(question, planned, question.earlier, benches)
        if not any(check.kind == "differential" for check in planned):
            return _describe(question, (_nothing_to_compare(question.function),))
    checks, replies = run_checks(question, planned, benches)
    given = _given_tests(question, benches)
    record = _describe(question, (*checks, *_claims(question, planned, checks, replies), *given.records))
    if not record.checks or any(check.state is not CheckState.HOLDS for check in record.checks):
        return record
    if question.policy.level == "quick":
        return record
    generated = generate(question, planned, given.calls, benches)
    listener(Event("analysis", f"{name}: planting faults", {"generated": len(generated.actions)}))
    record = _with_generated(record, question, generated, benches)
    return _with_strength(record, question, planned, generated, benches)


def _given_tests(question: Question, benches: Benches) -> GivenRun:
    if question.tests is None:
        return GivenRun()
    return run_given_tests(question.program, question.tests, question.module.defined, benches, PROGRAM_LIMITS)


def _earlier_behaviour(
    question: Question, planned: Sequence[PlannedCheck], earlier: Program, benches: Benches
) -> tuple[PlannedCheck, ...]:
    policy = replace(question.policy, seed=question.policy.seed + 1)
    actions = _pool(replace(question, policy=policy), planned, ())
    return differential_checks(question.function, actions, run_twice(benches, earlier, actions, PROGRAM_LIMITS))


def _nothing_to_compare(function: FunctionSpec) -> CheckRecord:
    return CheckRecord(
        id="v0",
        kind="differential",
        origin=Origin.GROUND_TRUTH,
        line=0,
        text="the earlier version's behaviour",
        inputs={"form": "none"},
        expected={},
        observed={},
        state=CheckState.UNDECIDED,
        note=f"the earlier version of {function.qualname} gave no result to compare with",
    )


def run_checks(
    question: Question, planned: Sequence[PlannedCheck], benches: Benches
) -> tuple[tuple[CheckRecord, ...], tuple[Reply, ...]]:
    """Run the documented examples under both hash seeds, and every failure once more alone in a fresh process."""
    actions = [check.action for check in planned]
    pairs = _affordable_replies(question, actions, benches)
    records = []
    for check, pair in zip(planned, pairs, strict=True):
        comparison = compare(check.example.expectation, pair.first)
        states = {comparison.state, compare(check.example.expectation, pair.second).state}
        if states == {CheckState.FAILS}:
            alone = run_actions(benches.first, question.program, [check.action], PROGRAM_LIMITS)
            states.add(compare(check.example.expectation, alone[0]).state)
        records.append(
            _in_doubt(check, _check_record(check, comparison, pair.first, stable=len(states) == 1), pair.first)
        )
    return tuple(records), tuple(pair.first for pair in pairs)


def _affordable_replies(question: Question, actions: Sequence[Action], benches: Benches) -> list[Pair]:
    """Run the actions that are within the budget of counted work; the others have no answer."""
    kept = affordable(benches.first, question.program, question.function, actions, WORK_PER_CHECK, MUTANT_LIMITS)
    asked = sorted(kept)
    answers = run_twice(benches, question.program, [actions[index] for index in asked], PROGRAM_LIMITS)
    given = dict(zip(asked, answers, strict=True))
    too_heavy = Lost(LostReason.CPU, f"more than {WORK_PER_CHECK} counted steps, or more than its process may use")
    return [given.get(index, Pair(too_heavy, too_heavy)) for index in range(len(actions))]


def _in_doubt(check: PlannedCheck, record: CheckRecord, reply: Reply) -> CheckRecord:
    """Take the force out of a failing example that the standard library contradicts as the program does."""
    expectation = check.example.expectation
    if record.state is not CheckState.FAILS or not isinstance(expectation, ValueIs) or not isinstance(reply, Returned):
        return record
    if not sides_with_program(check.action, expectation.value, reply.value):
        return record
    note = f"Python's own function of this name gives {describe(reply)} as well"
    return replace(record, state=CheckState.DOUBTFUL, note=note)


def _check_record(check: PlannedCheck, comparison: Comparison, reply: Reply, *, stable: bool) -> CheckRecord:
    example = check.example
    state, note = comparison.state, comparison.note
    if not stable:
        state, note = CheckState.FLAKY, "the result changes with the hash seed, the order of calls or from run to run"
    return CheckRecord(
        id=example.id,
        kind=check.kind,
        origin=example.origin,
        line=example.span.line if example.source not in {"contract", EARLIER_VERSION} else 0,
        text=example.text,
        inputs=inputs_form(check.action),
        expected=expected_form(example.expectation),
        observed=observation(reply),
        state=state,
        note=note or (f"got {comparison.observed}" if state is CheckState.FAILS else ""),
        reproduction=pasteable(check.action),
        forge_resistant=check.forge_resistant,
    )


def _claims(
    question: Question, planned: Sequence[PlannedCheck], checks: Sequence[CheckRecord], replies: Sequence[Reply]
) -> list[CheckRecord]:
    """Check what signature and document claim beyond the examples, on the examples' own inputs."""
    function = question.function
    claims: list[CheckRecord] = []
    for check, record, reply in zip(planned, checks, replies, strict=True):
        if not isinstance(check.action, DirectCall) or check.action.target != function.qualname:
            continue
        if not isinstance(reply, Returned) or record.state is not CheckState.HOLDS:
            continue
        if function.returns and accepts(function.returns.annotation, reply.value) is False:
            note = f"the signature says {function.returns.annotation}, the example shows {describe(reply)}"
            claims.append(_claim("return_type", check.action, reply, function, CheckState.DOUBTFUL, note))
        if function.unchanged and changed_argument(check.action, reply):
            note = f"the document says: {function.unchanged.text}"
            claims.append(_claim("unchanged", check.action, reply, function, CheckState.FAILS, note))
    return claims


def _claim(
    kind: str, action: DirectCall, reply: Returned, function: FunctionSpec, state: CheckState, note: str
) -> CheckRecord:
    span = function.unchanged.span if kind == "unchanged" and function.unchanged else function.span
    text = f"-> {function.returns.annotation}" if kind == "return_type" and function.returns else note
    return CheckRecord(
        id=f"{kind}:{pasteable(action)[:80]}",
        kind=kind,
        origin=Origin.GROUND_TRUTH,
        line=span.line,
        text=text,
        inputs=inputs_form(action),
        expected={"claim": kind},
        observed=observation(reply),
        state=state,
        note=note,
        reproduction=pasteable(action),
    )


def changed_argument(action: DirectCall, reply: Reply) -> bool:
    """True when an argument is observably different after the call."""
    if not isinstance(reply, Returned) or not action.is_plain:
        return False
    before: list[JsonValue] = [tagged(value) for value in action.args]
    try:
        after: list[JsonValue] = [tagged(value) for value in reply.arguments]
    except NotPlainDataError:
        return True
    return len(after) == len(before) and after != before


def generate(
    question: Question, planned: Sequence[PlannedCheck], seen: Sequence[DirectCall], benches: Benches
) -> Generated:
    """Generate inputs near and beyond the documented ones and run the program on them under both hash seeds."""
    drawn = _pool(question, planned, seen)
    light = affordable(benches.first, question.program, question.function, drawn, WORK_PER_INPUT, MUTANT_LIMITS)
    actions = [action for index, action in enumerate(drawn) if index in light]
    pairs = run_twice(benches, question.program, actions, PROGRAM_LIMITS, backwards=True)
    kept: list[tuple[Action, Reply, bytes]] = []
    flaky: list[str] = []
    for action, pair in zip(actions, pairs, strict=True):
        if isinstance(pair.first, Lost) or isinstance(pair.second, Lost):
            continue
        key = outcome_key(pair.first)
        if key != outcome_key(pair.second):
            flaky.append(f"{pasteable(action)} gives {describe(pair.first)} or {describe(pair.second)}")
        else:
            kept.append((action, pair.first, key))
    return Generated(
        tuple(action for action, _, _ in kept),
        tuple(reply for _, reply, _ in kept),
        tuple(key for _, _, key in kept),
        tuple(flaky[:MAX_SUSPICIONS]),
        _calls_like(question, planned, seen),
    )


def _calls_like(question: Question, planned: Sequence[PlannedCheck], seen: Sequence[DirectCall]) -> CallSource | None:
    examples = [(call.args, dict(call.kwargs)) for call in _plain_calls(question, planned, seen)]
    return argument_strategy(question.function, examples, question.source)


def _plain_calls(question: Question, planned: Sequence[PlannedCheck], seen: Sequence[DirectCall]) -> list[DirectCall]:
    calls = [*(check.action for check in planned if isinstance(check.action, DirectCall)), *seen]
    return [call for call in calls if call.target == question.function.qualname and call.is_plain]


def _pool(question: Question, planned: Sequence[PlannedCheck], seen: Sequence[DirectCall]) -> tuple[Action, ...]:
    policy, name = question.policy, question.function.qualname
    plain = _plain_calls(question, planned, seen)
    documented = {pasteable(action) for action in (*(check.action for check in planned), *seen)}
    actions: list[Action] = []
    source = _calls_like(question, planned, seen)
    if source is not None:
        # Sessions show shapes that parameter types alone cannot; where there are any, they give half of the inputs.
        count = policy.generated_inputs if len(plain) == len(planned) + len(seen) else policy.generated_inputs // 2
        pool = input_pool(source, count=count, seed=policy.seed)
        actions = [DirectCall(name, call.args, call.kwargs) for call in pool]
    missing = policy.generated_inputs - len(actions)
    actions += session_variants([check.action for check in planned], count=missing, seed=policy.seed)
    return tuple(action for action in actions if pasteable(action) not in documented)


def _with_generated(
    record: FunctionRecord, question: Question, generated: Generated, benches: Benches
) -> FunctionRecord:
    function = question.function
    suspicions: list[str] = []
    claims: list[CheckRecord] = []
    for action, reply in zip(generated.actions, generated.replies, strict=True):
        if isinstance(reply, Raised):
            suspicions.append(f"{pasteable(action)} {describe(reply)}")
        if not isinstance(reply, Returned) or not isinstance(action, DirectCall):
            continue
        if function.returns and accepts(function.returns.annotation, reply.value) is False:
            suspicions.append(f"{pasteable(action)} returns {describe(reply)}, not {function.returns.annotation}")
        if function.unchanged and not claims and changed_argument(action, reply):
            note = f"the document says: {function.unchanged.text}"
            smallest = _smallest_changing(question, generated.calls, action, benches)
            shown = run_actions(benches.first, question.program, [smallest], PROGRAM_LIMITS)[0]
            if isinstance(shown, Returned):
                claims.append(_claim("unchanged", smallest, shown, function, CheckState.FAILS, note))
    return replace(
        record,
        checks=(*record.checks, *claims),
        generated_inputs=len(generated.actions),
        inputs_missing=not generated.actions and takes_inputs(question, record),
        flaky=generated.flaky,
        suspicions=tuple(suspicions[:MAX_SUSPICIONS]),
    )


def _smallest_changing(
    question: Question, source: CallSource | None, failing: DirectCall, benches: Benches
) -> DirectCall:
    """Shrink a call that changes its arguments."""

    def changes(call: DirectCall) -> bool:
        return changed_argument(call, run_actions(benches.first, question.program, [call], MUTANT_LIMITS)[0])

    return smallest_failing(source, failing, changes, seed=question.policy.seed)


def takes_inputs(question: Question, record: FunctionRecord) -> bool:
    """False only for a function without parameters whose documented calls pass none."""
    if question.function.kind != "function" or question.function.parameters:
        return True
    return any(not (isinstance(c.inputs, dict) and c.inputs.get("form") == "call") for c in record.checks)


def _with_strength(
    record: FunctionRecord,
    question: Question,
    planned: Sequence[PlannedCheck],
    generated: Generated,
    benches: Benches,
) -> FunctionRecord:
    if record.flaky or any(check.state is not CheckState.HOLDS for check in record.checks):
        return record
    given = None if question.tests is None else GivenFile(question.tests, question.module.defined)
    policy, name = question.policy, question.function.qualname
    rod = yardstick(benches.first, question.program, name, planned, given, generated.actions, generated.keys)
    if rod is None:
        return record
    mutants = plan_mutants(question.source, name, limit=policy.mutants, seed=policy.seed)
    reach = reach_of(branch_probes(question.source, name), rod)
    return replace(
        record,
        strength_measured=True,
        mutants=measure(mutants, rod),
        special_cases=(
            *(f"only inputs written in the specification reach {place}" for place in reach.documented),
            *unplanted_places(question.source, name),
        ),
        unreached=tuple(f"nothing that was run reaches {place}" for place in reach.nothing),
    )


def _describe(question: Question, checks: tuple[CheckRecord, ...]) -> FunctionRecord:
    function = question.function
    contradictions = tuple(row for row in function.unreadable if row.reason.startswith("contradicts"))
    return FunctionRecord(
        qualname=function.qualname,
        line=function.span.line,
        checks=checks,
        unread=tuple(
            f"line {row.span.line}: {row.text} ({row.reason})"
            for row in function.unreadable
            if row not in contradictions
        ),
        doubtful=tuple(f"line {row.span.line}: {row.text} {row.reason}" for row in contradictions),
    )
