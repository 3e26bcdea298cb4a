"""What is known about every legal input of a function: all of them were run, or every path was confirmed.

All calls that the annotations allow are made where they are few, and each is held against every clause. Else CrossHair
searches: what it finds are inputs to try, and what it confirms counts for programs of whole numbers and truth values
alone. Refuses to say anything of a function where one input, one clause or one exception is left open.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from probatum.programs.decide import Level
from probatum.programs.established import Established, EstablishedBy
from probatum.programs.inputs.finite import every_call
from probatum.programs.judging.claims import StatedClauses, documented_calls
from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.running.checks import DirectCall, PlannedCheck, pasteable
from probatum.programs.running.closed_files import why_not_closed
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import Benches, outcome_key, run_actions, run_twice
from probatum.programs.running.judged_calls import ClauseQuestion, demands, raises, truths
from probatum.programs.running.predicates import Predicate
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, JudgedClause, ReadingJudge
from probatum.programs.running.symbolic import SearchedTerm, SearchedTerms, SymbolicSearch, has_crosshair, search
from probatum.programs.running.symbolic_subset import why_not_modelled
from probatum.readings.values import ReadingKind
from probatum.sandbox import Lost, Reply, Returned, refused


@dataclass(frozen=True, slots=True)
class WholeDomain:
    """What was found out about all inputs of one function."""

    calls: tuple[DirectCall, ...] = ()
    """Inputs to try beside the generated ones: all of them, or those that CrossHair found."""
    established: tuple[Established, ...] = ()
    foremost: frozenset[str] = frozenset()
    """Those among them that must not be left out, as Python."""


def whole_domain(
    question: FunctionQuestion,
    planned: Sequence[PlannedCheck],
    stated: StatedClauses,
    run: ReadingRun,
    benches: Benches,
) -> WholeDomain:
    """Make every call of a small domain, or search symbolically where that is asked for and possible."""
    function = question.function
    if question.policy.level == Level.QUICK or function.kind not in {"function", "staticmethod"}:
        return WholeDomain()
    documented = {pasteable(each.call) for each in documented_calls(function, planned)}
    drawn = every_call(function, question.source.tree)
    every = tuple(DirectCall(function.qualname, each.args, each.kwargs) for each in drawn)
    if every and len(every) <= question.policy.generated_inputs:
        found = _enumerated(question, every, documented, stated, run, benches)
        # Where every input is known, what documented ones show is no luck.
        legal = run.restriction(stated, benches.first)(every)
        calls = tuple(each for each in legal if found or pasteable(each) not in documented)
        return WholeDomain(calls, found, frozenset(map(pasteable, calls)))
    if question.policy.level != Level.THOROUGH or not has_crosshair(benches.first.python):
        return WholeDomain()
    told = [terms for terms in (_of_contract(stated), *map(_of_readings, _own(question, run))) if terms.all]
    due = {name.rpartition(".")[2] for terms in told for name, _ in terms.raises}
    announced = named_exceptions(function) - due
    searched = search(question.source, function, told, announced, benches.first)
    admitted = run.restriction(stated, benches.first)(searched.calls)
    calls = tuple(call for call in admitted if pasteable(call) not in documented)
    # What the documentation announces may be due by what nobody read; a capital alone is no exception.
    is_open = bool(searched.calls) or any(isinstance(getattr(builtins, each, None), type) for each in announced)
    established = () if is_open else _confirmed(question, told, stated, searched)
    return WholeDomain(calls, established, frozenset(map(pasteable, calls)))


def _own(question: FunctionQuestion, run: ReadingRun) -> list[ReadingJudge]:
    return [each for each in run.judges if each.record.function == question.function.qualname]


def _of_contract(stated: StatedClauses) -> SearchedTerms:
    requires = tuple(map(_term, stated.preconditions))
    return SearchedTerms(requires, clauses=tuple((each.clause.id, _term(each.holds)) for each in stated.properties))


def _term(predicate: Predicate) -> SearchedTerm:
    return SearchedTerm(predicate.text, predicate.names)


def _of_readings(judge: ReadingJudge) -> SearchedTerms:
    of = {kind: [judge.clauses[place] for place in judge.of_kind(kind)] for kind in ReadingKind}
    return SearchedTerms(
        tuple(map(_asked, of[ReadingKind.REQUIRES])),
        tuple((each.reading.exception.rpartition(".")[2], _asked(each)) for each in of[ReadingKind.RAISES]),
        tuple((each.id, _asked(each)) for kind in SPEAKS_OF_RESULTS for each in of[kind]),
        judge.record.helpers,
    )


def _asked(clause: JudgedClause) -> SearchedTerm:
    head = f"*, {', '.join(clause.needs)}" if clause.needs else ""
    return SearchedTerm(f"lambda {head}: ({clause.code})", clause.needs)


def _confirmed(
    question: FunctionQuestion, told: Sequence[SearchedTerms], stated: StatedClauses, searched: SymbolicSearch
) -> tuple[Established, ...]:
    """Return what CrossHair confirmed, as far as that counts: of all clauses or of none."""
    wanted = {id for terms in told for id, _ in terms.clauses} or {""}
    is_whole = stated.requirements_are_read and not stated.misread and not question.silent
    if wanted != searched.confirmed or not told or not is_whole or wanted == {""}:
        # Where no clause speaks of a result, nothing is known of it.
        return ()
    if any(terms.helpers.strip() for terms in told) or question.function.definitions is not None:
        return ()
    texts = [_condition(each.text) for terms in told for each in terms.all]
    if why_not_modelled(question.source.tree, question.function, texts) or question.program.siblings:
        return ()
    clauses = {*wanted, *_raising_ids(question)} - {""}
    return (Established(EstablishedBy.CROSSHAIR, tuple(sorted(clauses))),) if clauses else ()


def _raising_ids(question: FunctionQuestion) -> Iterator[str]:
    for record in question.counted:
        if record.function == question.function.qualname:
            yield from (record.id_of(each) for each in record.readings if each.kind is ReadingKind.RAISES)


def _condition(text: str) -> str:
    node = ast.parse(text, mode="eval").body
    return ast.unparse(node.body) if isinstance(node, ast.Lambda) else text


def _enumerated(
    question: FunctionQuestion,
    calls: Sequence[DirectCall],
    documented: Collection[str],
    stated: StatedClauses,
    run: ReadingRun,
    benches: Benches,
) -> tuple[Established, ...]:
    """Return that every clause holds on every legal call, and that each is spoken of; nothing where one is open."""
    judges = _own(question, run)
    if stated.misread or not stated.requirements_are_read or question.silent or len(judges) < len(run.judges):
        return ()
    if question.program.siblings or why_not_closed(question.source.tree):
        return ()
    told = [demands(judge, calls, benches.first) for judge in judges]
    legal = [
        [
            *(stated.predicates.truth(each, stated.values(call) or {}) for each in stated.preconditions),
            *(truth for row in told for truth in row[place].requires.values()),
        ]
        for place, call in enumerate(calls)
    ]
    due = [[row[place].raises for row in told] for place in range(len(calls))]
    kept = [place for place, truths_of in enumerate(legal) if all(truths_of)]
    excluded = [place for place, truths_of in enumerate(legal) if not all(truths_of)]
    if any(None in truths_of for truths_of in legal) or any(None in each.values() for row in due for each in row):
        return ()
    if any(any(each.values()) for place in excluded for each in due[place]) or not kept:
        return ()
    pairs = run_twice(benches, question.program, [calls[place] for place in kept], backwards=True)
    if any(outcome_key(each.first) != outcome_key(each.second) or _is_open(each.first) for each in pairs):
        return ()
    answered: list[tuple[DirectCall, Returned]] = []
    for place, pair in zip(kept, pairs, strict=True):
        names = [
            judge.clauses[each].reading.exception
            for judge, row in zip(judges, due[place], strict=True)
            for each, holds in row.items()
            if holds
        ]
        if isinstance(pair.first, Returned) and not names:
            answered.append((calls[place], pair.first))
        elif not any(raises(pair.first, name) for name in names):
            return ()
    clauses = _all_hold(question, judges, stated, answered, benches)
    is_spoken_of = bool(clauses) or all(pasteable(call) in documented for call, _ in answered)
    if clauses is None or not is_spoken_of:
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


def _is_open(reply: Reply) -> bool:
    return isinstance(reply, Lost) or bool(refused(reply.denied))
