"""Verifying one function of a program: plan, run, compare, measure, and return what was observed.

Each stage sends an event when it begins. `programs.decide` makes the decision.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.events import Event, Listener
from probatum.programs.established import Established
from probatum.programs.examples.mined_tests import GIVEN_TESTS
from probatum.programs.faults.unplanted import unplanted_places
from probatum.programs.inputs.generate import accepts
from probatum.programs.judging.claim_checks import ClaimRun, check_claims
from probatum.programs.judging.claims import documented_calls, read_stated
from probatum.programs.judging.documented_checks import run_checks
from probatum.programs.judging.law_checks import check_laws
from probatum.programs.judging.mistakes import is_documented, unexpected_exception
from probatum.programs.judging.novelty import without_repetitions
from probatum.programs.judging.reaching import measured, reached, recalls_documented
from probatum.programs.judging.reading_checks import ReadingRun, check_generated, check_readings
from probatum.programs.judging.reading_choice import chosen
from probatum.programs.judging.reading_values import named_calls
from probatum.programs.judging.readings_not_asked import with_not_asked
from probatum.programs.judging.reference_agreement import reference_outcomes
from probatum.programs.judging.statement_states import with_statements
from probatum.programs.judging.strength import yardstick
from probatum.programs.judging.typed_calls import held_against_types
from probatum.programs.judging.unused_inputs import unused_inputs
from probatum.programs.judging.whole_domain import WholeDomain, whole_domain
from probatum.programs.proved import with_established
from probatum.programs.record import (
    OWN_INPUT,
    CheckKind,
    CheckRecord,
    CheckState,
    FunctionRecord,
    is_lost,
)
from probatum.programs.running.checks import (
    STEP_BEFORE_FAILED,
    Action,
    DirectCall,
    PlannedCheck,
    pasteable,
    plan_checks,
)
from probatum.programs.running.compare import describe, lacking
from probatum.programs.running.execute import Benches
from probatum.programs.running.generated import Generated, generate
from probatum.programs.running.given_tests import GivenRun, SharedRuns
from probatum.programs.running.in_environments import with_environments
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import type_claim
from probatum.programs.running.stability import watched
from probatum.programs.specification import FunctionSpec, ReturnClaim, Unread
from probatum.sandbox import Raised, Reply, Returned, refused

MAX_SUSPICIONS = 3
_PLANTING = "probatum.programs.faults.mutants"


def verify_function(
    question: FunctionQuestion, benches: Benches, listener: Listener, run_tests: Callable[[], GivenRun] = GivenRun
) -> FunctionRecord:
    """Observe everything that the policy asks about one function; ``run_tests`` runs the given tests of its program."""
    shown = _shown(question, benches, listener, run_tests)
    record, read = shown.record, ReadingRun()
    if question.function.not_judged:
        record = replace(record, not_judged=question.function.not_judged)
    elif _may_go_on(record):
        question = with_environments(question, benches)
        choice = chosen(question, benches)
        question = choice.question
        unread = (*record.unread, *choice.left_out)
        record = replace(record, unread=unread, tried=choice.tried, refused=choice.refused)
        record, read = _observed(question, replace(shown, record=record), benches, listener)
        if choice.open is not None and not any(check.state is CheckState.FAILS for check in record.checks):
            record = replace(record, disputed=_disputed(choice.open, benches))
    return with_statements(with_not_asked(record, question.counted, read), question.function, question.counted)


def _disputed(question: FunctionQuestion, benches: Benches) -> tuple[str, ...]:
    """Hold the program against what is only proposed; nothing but a contradiction is ever told."""
    run = check_readings(question, plan_checks(question.function, question.module), benches)
    broken = [check for check in run.records if check.state is CheckState.FAILS]
    return tuple(
        f"either the program or the proposed reading of {check.text!r} is wrong: {check.reproduction} {check.note}"
        for check in broken[:MAX_SUSPICIONS]
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """What came of everything that was asked before readings and generated inputs."""

    record: FunctionRecord
    planned: Sequence[PlannedCheck]
    replies: Sequence[Reply]
    given: GivenRun


def _shown(
    question: FunctionQuestion, benches: Benches, listener: Listener, run_tests: Callable[[], GivenRun]
) -> _Shown:
    function, name = question.function, question.function.qualname
    planned = plan_checks(function, question.module)
    listener(Event("tests_generated", f"{name}: {len(planned)} documented examples", {"count": len(planned)}))
    listener(Event("test_execution", f"{name}: running the examples"))
    planned += question.further
    run = run_checks(question, planned, benches)
    planned, checks, replies = run.planned, run.records, run.replies
    given = run_tests()
    checks = _as_whole_tests(planned, checks, given)
    record = _describe(question, (*checks, *_claims(question, planned, checks, replies), *given.records))
    record = replace(record, unread=(*record.unread, *given.aside))
    return _Shown(record, planned, replies, given)


def _observed(
    question: FunctionQuestion, shown: _Shown, benches: Benches, listener: Listener
) -> tuple[FunctionRecord, ReadingRun]:
    read = check_readings(question, shown.planned, benches)
    record = replace(shown.record, checks=(*shown.record.checks, *read.records))
    if _may_go_on(record):
        record = _read_and_more(question, replace(shown, record=record), read, benches, listener)
    return record, read


def _read_and_more(
    question: FunctionQuestion, shown: _Shown, read: ReadingRun, benches: Benches, listener: Listener
) -> FunctionRecord:
    record, planned, replies, given = shown.record, shown.planned, shown.replies, shown.given
    if question.policy.level != "quick":
        _begin_to_load_planting()
    laws = check_laws(question, planned, benches)
    record = replace(record, suspicions=laws.suspicions)
    if any(check.state is CheckState.FAILS for check in laws.records):
        return replace(record, checks=(*record.checks, *laws.records))
    record = held_against_types(record, question, planned, read, benches)
    if any(check.state is CheckState.FAILS for check in record.checks):
        return record
    if not (record.checks or question.function.properties or question.function.raises):
        return record
    record = replace(record, checks=(*record.checks, *laws.records))
    generated, claims, established = _beyond_examples(question, planned, replies, given, read, laws.inputs, benches)
    further = check_generated(question, read, generated, benches)
    record = replace(
        record,
        checks=(*record.checks, *claims.records, *further.records),
        unread=(*record.unread, *claims.unchecked),
        not_met=claims.not_met,
    )
    record = with_established(record, established)
    if question.policy.level == "quick" or any(check.state is CheckState.FAILS for check in record.checks):
        return record
    news = without_repetitions(generated, planned, question.program, benches)
    record = _with_generated(record, question, news, benches)
    # Where no fault may be planted, nothing is to be measured.
    if not (record.checks and question.policy.mutants):
        return record
    listener(Event("analysis", f"{record.qualname}: planting faults", {"generated": len(generated.actions)}))
    if any(check.state is not CheckState.HOLDS for check in record.checks):
        # What would be found could be the doing of a step that is no part of the program.
        return record
    record = watched(record, question.source, [check.action for check in planned], generated, benches)
    # What notices a fault first is named: inputs that the program never saw tell more than documented ones.
    by_owner = {
        is_own: [e for e in read.held if e.example.id.startswith(OWN_INPUT) is is_own] for is_own in (True, False)
    }
    holding = (*by_owner[True], *planned, *claims.held, *laws.held, *by_owner[False], *further.held)
    read = read.joined(further)
    return _with_strength(record, question, holding, _with_derived(news, read), read, benches)


def _begin_to_load_planting() -> None:
    # It is large and loads while the program runs elsewhere; what is refuted never needs it.
    if _PLANTING not in sys.modules:
        threading.Thread(target=_load_planting, daemon=True).start()


def _load_planting() -> None:
    # Where it does not load, whoever needs it says so.
    with suppress(Exception):
        import_module(_PLANTING)


def _may_go_on(record: FunctionRecord) -> bool:
    # The examples have settled the matter, or running more would only cost more.
    settled = {CheckState.FAILS, CheckState.FLAKY}
    return not any(check.state in settled or is_lost(check) for check in record.checks)


def _beyond_examples(
    question: FunctionQuestion,
    planned: Sequence[PlannedCheck],
    replies: Sequence[Reply],
    given: GivenRun,
    read: ReadingRun,
    further: Sequence[Action],
    benches: Benches,
) -> tuple[Generated, ClaimRun, tuple[Established, ...]]:
    with Predicates(benches.first, question.program) as predicates:
        stated = read_stated(question.function, question.module, planned, predicates)
        generated, whole = Generated(), WholeDomain()
        if question.policy.level != "quick":
            restricted = read.restriction(stated, benches.first)
            whole = whole_domain(question, planned, stated, read, benches)
            further = (*whole.calls, *further)
            generated = generate(question, planned, (*given.calls, *read.calls), benches, restricted, further)
        own = {pasteable(each.call) for each in documented_calls(question.function, planned)}
        answered = [
            (check.action, reply)
            for check, reply in zip(planned, replies, strict=True)
            if pasteable(check.action) in own
        ]
        meant = Generated() if generated.is_probed else generated
        answered += zip(meant.actions, meant.replies, strict=True)
        required = partial(read.legal, sandbox=benches.first)
        foremost = frozenset(map(pasteable, whole.calls))
        claims = check_claims(question, stated, answered, meant.calls, benches, required, foremost)
    return generated, replace(claims, unchecked=(*stated.misread, *claims.unchecked)), whole.established


def _with_derived(generated: Generated, read: ReadingRun) -> Generated:
    """Add the calls with a value that a reading and the words that it reads both name: the one input for those."""
    derived = list(named_calls(check.action for check in read.held))
    return replace(
        generated,
        actions=(*generated.actions, *(action for action, _ in derived)),
        replies=(*generated.replies, *(reply for _, reply in derived)),
    )


def _as_whole_tests(
    planned: Sequence[PlannedCheck], checks: Sequence[CheckRecord], given: GivenRun
) -> tuple[CheckRecord, ...]:
    """Leave open the pairs from given tests that fail where none of the tests does: they stand in them for more."""
    if any(test.state is CheckState.FAILS for test in given.records):
        return tuple(checks)
    note = "no given test fails, and this is a part of one"
    return tuple(
        replace(check, state=CheckState.UNDECIDED, note=note)
        if due.example.source == GIVEN_TESTS and check.state is CheckState.FAILS
        else check
        for due, check in zip(planned, checks, strict=True)
    )


def _claims(
    question: FunctionQuestion, planned: Sequence[PlannedCheck], checks: Sequence[CheckRecord], replies: Sequence[Reply]
) -> list[CheckRecord]:
    function = question.function
    claims: list[CheckRecord] = []
    for check, record, reply in zip(planned, checks, replies, strict=True):
        if not isinstance(check.action, DirectCall) or check.action.target != function.qualname:
            continue
        if not isinstance(reply, Returned) or record.state is not CheckState.HOLDS:
            continue
        if function.result_type and not _may_be(function.result_type, reply):
            note = f"the declared type is {function.result_type.annotation}, the example shows {describe(reply)}"
            claims.append(type_claim(check.action, reply, function, CheckState.DOUBTFUL, note))
    return claims


def _may_be(declared: ReturnClaim, reply: Returned) -> bool:
    """Whether a value may be of the declared type; of a generator, only what it yields is known."""
    return reply.is_drained or accepts(declared.annotation, reply.value) is not False


def _with_generated(
    record: FunctionRecord, question: FunctionQuestion, generated: Generated, benches: Benches
) -> FunctionRecord:
    function = question.function
    suspicions = list(record.suspicions)
    claims: list[CheckRecord] = []
    meant = Generated() if generated.is_probed else generated
    for action, reply in zip(meant.actions, meant.replies, strict=True):
        if isinstance(reply, Raised) and not is_documented(reply, function) and _is_its_own(action, reply, function):
            suspicions.append(f"{pasteable(action)} {describe(reply)}, which its documentation does not mention")
        if not isinstance(reply, Returned) or not isinstance(action, DirectCall):
            continue
        if function.result_type and not _may_be(function.result_type, reply) and not claims:
            note = (
                f"the declared type is {function.result_type.annotation}, {pasteable(action)} gives {describe(reply)}"
            )
            claims.append(type_claim(action, reply, function, CheckState.DOUBTFUL, note))
    mistaken = unexpected_exception(question, meant, benches)
    return replace(
        record,
        checks=(*record.checks, *claims),
        unexpected=record.unexpected or ((mistaken,) if mistaken else ()),
        generated_inputs=len(generated.actions),
        inputs_missing=not generated.actions and takes_inputs(question, record) and not _is_tried_by_reader(record),
        suspicions=tuple(suspicions[:MAX_SUSPICIONS]),
    )


def _is_its_own(action: Action, reply: Raised, function: FunctionSpec) -> bool:
    # What an earlier step, another function or a function given as an argument raises says nothing about this one.
    if isinstance(action, DirectCall):
        return action.is_plain and action.target.partition(".")[0] == function.qualname.partition(".")[0]
    names_it = function.kind == "class" or f"{function.qualname}(" in getattr(action, "expression", "")
    return names_it and STEP_BEFORE_FAILED not in reply.bases


def _is_tried_by_reader(record: FunctionRecord) -> bool:
    """Whether a reading holds on calls or in a session that the program's file does not show."""
    held = [each for each in record.checks if each.kind is CheckKind.READING and each.state is CheckState.HOLDS]
    return any(each.id.startswith(OWN_INPUT) or "." not in each.id for each in held)


def takes_inputs(question: FunctionQuestion, record: FunctionRecord) -> bool:
    """False only for a function without parameters whose documented calls pass none."""
    if question.function.kind != "function" or question.function.parameters:
        return True
    return any(not (isinstance(c.inputs, dict) and c.inputs.get("form") == "call") for c in record.checks)


def _with_strength(
    record: FunctionRecord,
    question: FunctionQuestion,
    planned: Sequence[PlannedCheck],
    generated: Generated,
    read: ReadingRun,
    benches: Benches,
) -> FunctionRecord:
    if record.flaky:
        return record
    # Deferred, see `_begin_to_load_planting`.
    from probatum.programs.faults.branch_probes import branch_probes
    from probatum.programs.faults.mutants import plan_mutants
    from probatum.programs.faults.siblings import hidden_in_siblings
    from probatum.programs.judging.reading_flags import silent_calls, voices, with_flags
    from probatum.programs.judging.reading_strength import few_calls, reading_outcomes

    given = read.sessions
    if question.tests is not None:
        given = (SharedRuns(benches.first, question.tests, question.module.defined, record.checks), *given)
    policy, name = question.policy, question.function.qualname
    try:
        mutants = plan_mutants(question.source, name, limit=policy.mutants, seed=policy.seed)
        probes = branch_probes(question.source, name)
        hidden = (*unplanted_places(question.source.tree, name), *hidden_in_siblings(question.source, name))
    except (BudgetError, NotAttemptedError) as error:
        return replace(record, unmeasured=error.sentence)
    rod = yardstick(benches.first, question.source, name, planned, given, generated.actions, generated.keys)
    if rod is None:
        return replace(record, unmeasured="its checks give other results when work is counted.")
    if missing := refused(sorted(rod.denied)):
        return replace(record, unmeasured=lacking(missing))
    reach, rod = reached(question, probes, rod, generated, benches)
    spoken, few = voices(question, read, benches.first), few_calls(read)
    found = measured(question, mutants, replace(rod, told=(*few, *silent_calls(spoken))), generated, benches)
    records, found, beyond = found.records, *found.parted(len(few))
    tried = [*zip(mutants, beyond, strict=True)]
    outcomes = reading_outcomes(question.counted, read, mutants, found, rod) if question.readings else ()
    records = (*records, *unused_inputs(question, generated, planned, tries_objects=bool(read.sessions)))
    alone = tuple(f"only inputs written in the specification reach {place}" for place in reach.documented)
    is_recalled = recalls_documented(question.source.tree, planned)
    return replace(
        record,
        strength_measured=True,
        mutants=records,
        readings=with_flags(outcomes, question, read, generated.calls, spoken, tried, benches),
        references=reference_outcomes(read, benches.first),
        inputs_missing=record.inputs_missing or bool(alone),
        special_cases=(*(alone if is_recalled else ()), *hidden),
        unreached=(
            *(() if is_recalled else alone),
            *(f"nothing that was run reaches {place}" for place in reach.nothing),
        ),
    )


def _describe(question: FunctionQuestion, checks: tuple[CheckRecord, ...]) -> FunctionRecord:
    function = question.function
    contradictions = tuple(row for row in function.unreadable if row.why is Unread.CONTRADICTED)
    unread = tuple(row for row in function.unreadable if row not in contradictions)
    return FunctionRecord(
        qualname=function.qualname,
        line=function.span.line,
        checks=checks,
        unread=tuple(f"line {row.span.line}: {row.text} ({row.reason})" for row in unread),
        documents_more=any(row.why is Unread.NOT_READ for row in unread),
        doubtful=tuple(f"line {row.span.line}: {row.text} {row.reason}" for row in contradictions),
    )
