"""What is known about every legal input of a function: all of them were run, or every path was confirmed.

All calls that the annotations allow are made where they are few, and each is held against every clause. Else CrossHair
searches: what it finds are inputs to try, and what it confirms counts for programs of whole numbers and truth values
alone. Refuses to say anything of a function where one input, one clause or one exception is left open.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from probatum.programs.decide import Level
from probatum.programs.established import Established, EstablishedBy
from probatum.programs.inputs.finite import every_call
from probatum.programs.judging.claims import StatedClauses, documented_calls
from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.running.checks import DirectCall, PlannedCheck, pasteable
from probatum.programs.running.closed_files import why_not_closed, why_not_modelled
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import Benches, outcome_key, run_actions, run_twice
from probatum.programs.running.judged_calls import ClauseQuestion, demands, raises, truths
from probatum.programs.running.predicates import Predicate
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, JudgedClause, ReadingJudge
from probatum.programs.running.symbolic import SearchedTerms, has_crosshair, search
from probatum.programs.source import module_or_none
from probatum.readings.values import ReadingKind
from probatum.sandbox import Lost, Returned, refused


@dataclass(frozen=True, slots=True)
class WholeDomain:
    """What was found out about all inputs of one function."""

    calls: tuple[DirectCall, ...] = ()
    """Inputs to try beside the generated ones: all of them, or those that CrossHair found."""
    established: tuple[Established, ...] = ()


def whole_domain(
    question: FunctionQuestion,
    planned: Sequence[PlannedCheck],
    stated: StatedClauses,
    run: ReadingRun,
    benches: Benches,
) -> WholeDomain:
    """Make every call of a small domain, or search symbolically where that is asked for and possible."""
    function, level = question.function, question.policy.level
    if level == Level.QUICK or function.kind not in {"function", "staticmethod"}:
        return WholeDomain()
    documented = {pasteable(each.call) for each in documented_calls(function, planned)}
    own = [each for each in run.judges if each.record.function == function.qualname]
    told = [terms for terms in (_of_contract(stated), *map(_of_readings, own)) if terms.all]
    due = {name for terms in told for name, _ in terms.raises}
    # What Python may leave out is due at times.
    is_open = "AssertionError" in due or bool(stated.misread or question.silent or question.program.siblings)
    is_open = is_open or not stated.requirements_are_read or function.definitions is not None
    every = tuple(
        DirectCall(function.qualname, each.args, each.kwargs) for each in every_call(function, question.source.tree)
    )
    if every and len(every) <= question.policy.generated_inputs:
        is_open = is_open or len(own) < len(run.judges) or not _is_closed(question, told)
        found = () if is_open else _enumerated(question, every, documented, stated, own, benches)
        # Where every input is known, what documented ones show is no luck.
        calls = run.restriction(stated, benches.first)(every)
        calls = [each for each in calls if found or pasteable(each) not in documented]
    elif level == Level.THOROUGH and has_crosshair(benches.first.python):
        announced = named_exceptions(function) - due
        broken, confirmed = search(question.source, function, told, announced, benches.first)
        calls = run.restriction(stated, benches.first)(broken)
        calls = [call for call in calls if pasteable(call) not in documented]
        # What the documentation announces may be due by what nobody read; a capital alone is no exception.
        is_open = is_open or bool(broken) or any(isinstance(getattr(builtins, each, None), type) for each in announced)
        found = () if is_open else _confirmed(question, told, confirmed)
    else:
        return WholeDomain()
    return WholeDomain(tuple(calls), found)


def _of_contract(stated: StatedClauses) -> SearchedTerms:
    clauses = tuple((each.clause.id, each.holds) for each in stated.properties)
    return SearchedTerms(stated.preconditions, clauses=clauses)


def _of_readings(judge: ReadingJudge) -> SearchedTerms:
    of = {kind: [judge.clauses[place] for place in judge.of_kind(kind)] for kind in ReadingKind}
    return SearchedTerms(
        tuple(map(_asked, of[ReadingKind.REQUIRES])),
        tuple((each.reading.exception.rpartition(".")[2], _asked(each)) for each in of[ReadingKind.RAISES]),
        tuple((each.id, _asked(each)) for kind in SPEAKS_OF_RESULTS for each in of[kind]),
        judge.record.helpers,
    )


def _asked(clause: JudgedClause) -> Predicate:
    head = f"*, {', '.join(clause.needs)}" if clause.needs else ""
    return Predicate(f"lambda {head}: ({clause.code})", clause.needs, ())


def _raising_ids(question: FunctionQuestion) -> Iterator[str]:
    for record in question.counted:
        if record.function == question.function.qualname:
            yield from (record.id_of(each) for each in record.readings if each.kind is ReadingKind.RAISES)


def _confirmed(
    question: FunctionQuestion, told: Sequence[SearchedTerms], confirmed: Collection[str]
) -> tuple[Established, ...]:
    """Return what CrossHair confirmed, as far as that counts: of all clauses or of none."""
    wanted = {id for terms in told for id, _ in terms.clauses}
    # Where no clause speaks of a result, nothing is known of it.
    if not wanted or wanted != confirmed or any(terms.helpers.strip() for terms in told):
        return ()
    if why_not_modelled(question.source.tree, question.function, [each.text for terms in told for each in terms.all]):
        return ()
    return (Established(EstablishedBy.CROSSHAIR, tuple(sorted({*wanted, *_raising_ids(question)}))),)


def _is_closed(question: FunctionQuestion, told: Sequence[SearchedTerms]) -> bool:
    conditions = [each.text for terms in told for each in terms.all]
    helpers = [module_or_none(terms.helpers) for terms in told]
    return not why_not_closed(question.source.tree, conditions) and not any(
        tree is None or why_not_closed(tree) for tree in helpers
    )


def _enumerated(
    question: FunctionQuestion,
    calls: Sequence[DirectCall],
    documented: Collection[str],
    stated: StatedClauses,
    judges: Sequence[ReadingJudge],
    benches: Benches,
) -> tuple[Established, ...]:
    """Return that every clause holds on every legal call, and that each is spoken of; nothing where one is open."""
    rows = [demands(judge, calls, benches.first) for judge in judges]
    kept: list[tuple[DirectCall, list[str]]] = []
    for place, call in enumerate(calls):
        asked = [(judge, row[place]) for judge, row in zip(judges, rows, strict=True)]
        legal = {stated.predicates.truth(each, stated.values(call) or {}) for each in stated.preconditions}
        legal |= {truth for _, each in asked for truth in each.requires.values()}
        due = [
            judge.clauses[at].reading.exception for judge, each in asked for at, is_due in each.raises.items() if is_due
        ]
        if None in legal or any(None in each.raises.values() for _, each in asked) or (due and False in legal):
            return ()
        kept += [] if False in legal else [(call, due)]
    answered: list[tuple[DirectCall, Returned]] = []
    pairs = run_twice(benches, question.program, [call for call, _ in kept], backwards=True)
    for (call, due), pair in zip(kept, pairs, strict=True):
        reply = pair.first
        if outcome_key(reply) != outcome_key(pair.second) or isinstance(reply, Lost) or refused(reply.denied):
            return ()
        if isinstance(reply, Returned) and not due:
            answered.append((call, reply))
        elif not any(raises(reply, name) for name in due):
            return ()
    clauses = _all_hold(question, judges, stated, answered, benches)
    is_spoken_of = bool(clauses) or all(pasteable(call) in documented for call, _ in answered)
    if clauses is None or not is_spoken_of or not kept:
        return ()
    ids = {*clauses, *_raising_ids(question)}
    return (Established(EstablishedBy.ENUMERATION, tuple(sorted(ids)), len(kept)),)


def _all_hold(
    question: FunctionQuestion,
    judges: Sequence[ReadingJudge],
    stated: StatedClauses,
    answered: Sequence[tuple[DirectCall, Returned]],
    benches: Benches,
) -> frozenset[str] | None:
    """Return the ids of the clauses about results, None where one does not certainly hold on one of the calls."""
    ids = {each.clause.id for each in stated.properties}
    for judge in judges:
        speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
        asked = [ClauseQuestion(call, reply, speaking) for call, reply in answered]
        for found in truths(judge, asked, benches.first) if speaking else ():
            if isinstance(found, Lost) or any(found.get(place) is not True for place in speaking):
                return None
        ids |= {judge.clauses[place].id for place in speaking}
    actions = [stated.held_against(each, call) for each in stated.properties for call, _ in answered]
    kept = [each for each in actions if each is not None]
    replies = run_actions(benches.first, question.program, kept)
    is_held = all(isinstance(each, Returned) and each.value is True for each in replies)
    return frozenset(ids) if is_held and len(kept) == len(actions) else None
