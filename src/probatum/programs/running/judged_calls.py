"""Judging one call by the readings of one record: which of them it breaks.

Where a `raises` clause holds, its exception is due and no other reading says anything. Refuses to blame a program for a
clause that has no truth value, or for a process of clauses that was lost: such a reading says nothing of the call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import product

from probatum.core.tagged import NotPlainDataError, tagged
from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.parsing.expressions import free_names
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.running.binding import argument_places, bound_values, misfit
from probatum.programs.running.checks import DirectCall, ReadCall, pasteable
from probatum.programs.running.evaluator import Outcome, StaysBehindError, ask, carried, loses_its_class, outcomes
from probatum.programs.running.reading_judge import (
    AFTER,
    BORDER,
    INPUT,
    REFERENCE,
    RESULT,
    JudgedClause,
    ReadingJudge,
    Truth,
)
from probatum.programs.source import expression_of
from probatum.readings.values import ReadingKind
from probatum.sandbox import Lost, Raised, Reply, Returned, Sandbox, SourceArgument

_LONGEST = 10_000
_FEWEST_EXCLUDED = 3
_AWAY = object()
"""Stands for a value that cannot be given to the process of clauses: what needs it has no truth value there."""


@dataclass(frozen=True, slots=True)
class ClauseQuestion:
    """What clauses are asked about: a call, and what came of it, None before it is made."""

    call: DirectCall
    reply: Reply | None
    places: Sequence[int]
    """Of the clauses."""


@dataclass(frozen=True, slots=True)
class CallDemand:
    """What requirements and `raises` readings give for one call, from its arguments alone.

    Requirements are those of the function, whoever wrote them: those of other records are at places after a record's
    own. Exceptions are due by the readings of the record itself.
    """

    requires: Mapping[int, Truth]
    raises: Mapping[int, Truth]
    misfit: str = ""
    """How the call contradicts a declared type; empty where it does not as far as can be told."""
    raises_elsewhere: tuple[Truth, ...] = ()
    """What the `raises` readings of other records give."""

    def held_to(self, misfit: str, judge: ReadingJudge) -> CallDemand:
        """Return the same of a call that contradicts the signature: only what speaks of types is due there."""
        if not misfit:
            return self
        raising = {each: truth if judge.clauses[each].is_about_types else False for each, truth in self.raises.items()}
        return replace(self, misfit=misfit, raises=raising)

    def pairs(self) -> Iterator[tuple[tuple[int, int], Truth, Truth]]:
        """Yield every pair of a `raises` reading and a requirement, by their places, with what both give."""
        for (raising, holds), (required, truth) in product(self.raises.items(), self.requires.items()):
            yield (raising, required), holds, truth

    @property
    def is_legal(self) -> bool:
        """Whether every requirement is known to hold."""
        return all(each is True for each in self.requires.values())

    def due(self, excused: Collection[tuple[int, int]] = ()) -> tuple[int, ...]:
        """Return the places of the readings whose exception is due.

        ``excused`` are pairs of a `raises` reading and a requirement that does not count against it.
        """
        broken = [place for place, each in self.requires.items() if each is not True]
        return tuple(
            place
            for place, holds in self.raises.items()
            if holds and all((place, each) in excused and self.requires[each] is False for each in broken)
        )

    @property
    def asks_for_a_result(self) -> bool:
        """Whether the call is legal, of the declared types, and certain to have no exception due."""
        raising = (*self.raises.values(), *self.raises_elsewhere)
        return self.is_legal and not self.misfit and all(each is False for each in raising)


def excused_by(demands: Sequence[CallDemand]) -> frozenset[tuple[int, int]]:
    """Return the pairs of a `raises` reading and a requirement that excludes every call the exception is due for.

    What the documentation says an exception is raised for is no matter of requirements.
    """
    return _always(
        ((pair, truth) for each in demands for pair, holds, truth in each.pairs() if holds is True), said=False
    )


def doubted_by(demands: Sequence[CallDemand]) -> frozenset[tuple[int, int]]:
    """Return the pairs of a `raises` reading and a requirement where the exception is due for all that it excludes.

    They may speak of the same calls; for a call such as an empty one that may also be chance.
    """
    return _always(
        ((pair, holds) for each in demands for pair, holds, truth in each.pairs() if truth is False), said=True
    )


def _always(found: Iterable[tuple[tuple[int, int], Truth]], *, said: bool) -> frozenset[tuple[int, int]]:
    seen: dict[tuple[int, int], list[Truth]] = {}
    for pair, truth in found:
        seen.setdefault(pair, []).append(truth)
    return frozenset(pair for pair, told in seen.items() if len(told) >= _FEWEST_EXCLUDED and set(told) == {said})


def truths(
    judge: ReadingJudge, questions: Sequence[ClauseQuestion], sandbox: Sandbox
) -> list[Mapping[int, Truth] | Lost]:
    """Return for each question what those of its clauses give that can be asked about such a reply."""
    rows: list[tuple[dict[str, object], list[int]]] = []
    silent: list[Mapping[int, Truth]] = []
    for each in questions:
        given = _given(judge, each.call, each.reply)
        asked = [place for place in each.places if given.keys() >= set(judge.clauses[place].needs)]
        away = [place for place in asked if any(given[name] is _AWAY for name in judge.clauses[place].needs)]
        asked = [place for place in asked if place not in away]
        needed = {name for place in asked for name in judge.clauses[place].needs}
        rows.append(({name: given[name] for name in sorted(needed)}, asked))
        silent.append(dict.fromkeys(away))
    told = iter(outcomes(judge, [row for row in rows if row[1]], sandbox))
    found = [_truths(next(told), asked) if asked else {} for _, asked in rows]
    for index, (each, row) in enumerate(zip(questions, found, strict=True)):
        if not isinstance(row, Lost) and False in row.values() and _loses_a_class(each.reply):
            # The clause may ask for the class, which the value does not have there.
            found[index] = {place: truth or None for place, truth in row.items()}
    return [each if isinstance(each, Lost) else {**each, **none} for each, none in zip(found, silent, strict=True)]


def _loses_a_class(reply: Reply | None) -> bool:
    if not isinstance(reply, Returned):
        return False
    return any(map(loses_its_class, (reply.value, *reply.arguments, *(value for _, value in reply.keyword_arguments))))


def _truths(found: Sequence[Outcome] | Lost, asked: Sequence[int]) -> Mapping[int, Truth] | Lost:
    if isinstance(found, Lost):
        return found
    return {place: each if isinstance(each, bool) else None for place, each in zip(asked, found, strict=True)}


def demands(
    judge: ReadingJudge, calls: Sequence[DirectCall], sandbox: Sandbox, others: Sequence[ReadingJudge] = ()
) -> list[CallDemand]:
    """Return what is demanded of each call before it is made; ``others`` are of further records about the function."""
    own = _of_arguments(judge, calls, sandbox)
    found = [
        CallDemand(requires, raising).held_to(misfit(judge.parameters, call), judge)
        for call, (requires, raising) in zip(calls, own, strict=True)
    ]
    after = len(judge.clauses)
    for other in others:
        for index, (requires, raising) in enumerate(_of_arguments(other, calls, sandbox)):
            more = {after + place: truth for place, truth in requires.items()}
            known = (*found[index].raises_elsewhere, *raising.values())
            found[index] = replace(found[index], requires={**found[index].requires, **more}, raises_elsewhere=known)
        after += len(other.clauses)
    return found


def _of_arguments(
    judge: ReadingJudge, calls: Sequence[DirectCall], sandbox: Sandbox
) -> list[tuple[Mapping[int, Truth], Mapping[int, Truth]]]:
    """Return what the requirements of a record give for each call, and what its `raises` readings do."""
    kinds = [judge.of_kind(each) for each in (ReadingKind.REQUIRES, ReadingKind.RAISES)]
    questions = [ClauseQuestion(call, None, (*kinds[0], *kinds[1])) for call in calls]
    asked = truths(judge, questions, sandbox) if any(kinds) else [{}] * len(calls)
    found: list[Mapping[int, Truth]] = [{} if isinstance(each, Lost) else each for each in asked]
    required, raising = ([{place: each.get(place) for place in places} for each in found] for places in kinds)
    return list(zip(required, raising, strict=True))


def legal_calls(judge: ReadingJudge, calls: Sequence[DirectCall], sandbox: Sandbox) -> list[DirectCall]:
    """Return the calls for which every requirement is known to hold."""
    required = judge.of_kind(ReadingKind.REQUIRES)
    told = truths(judge, [ClauseQuestion(call, None, required) for call in calls], sandbox)
    return [
        call
        for call, found in zip(calls, told, strict=True)
        if not isinstance(found, Lost) and all(found.get(place) is True for place in required)
    ]


def judged_replies(actions: Sequence[ReadCall], replies: Sequence[Reply], sandbox: Sandbox) -> list[Reply]:
    """Ask the clauses about what came of calls; return for each what `judged_by` makes of it."""
    found: dict[int, Mapping[int, Truth] | Lost] = {}
    waiting = [
        index
        for index, (action, reply) in enumerate(zip(actions, replies, strict=True))
        if isinstance(reply, Returned) and not _asks_for_an_exception(action)
    ]
    for judge in {id(each.judge): each.judge for each in actions}.values():
        mine = [index for index in waiting if actions[index].judge is judge]
        known = [index for index in mine if _is_answer(actions[index], replies[index])]
        found |= {index: dict.fromkeys(_wanted(actions[index]), True) for index in known}
        asked = [index for index in mine if index not in found]
        questions = [
            ClauseQuestion(actions[index].call, replies[index], tuple(_wanted(actions[index]))) for index in asked
        ]
        found |= zip(asked, truths(judge, questions, sandbox), strict=True)
    judged = enumerate(zip(actions, replies, strict=True))
    return [judged_by(action, reply, found.get(index, {})) for index, (action, reply) in judged]


def _wanted(action: ReadCall) -> dict[int, JudgedClause]:
    return {place: each for place, each in enumerate(action.judge.clauses) if each.id in action.wanted}


def judged_by(action: ReadCall, reply: Reply, found: Mapping[int, Truth] | Lost) -> Reply:
    """Return the ids of the wanted readings that what came of a call breaks, from what the clauses gave for it.

    It is the reply itself where that was lost, or ended in an exception that no reading asks for.
    """
    if isinstance(reply, Lost):
        return reply
    clauses = _wanted(action)
    if _asks_for_an_exception(action):
        raising = {place: each for place, each in clauses.items() if each.kind is ReadingKind.RAISES}
        is_met = any(raises(reply, each.reading.exception) for each in raising.values())
        broken = [] if is_met else list(raising)
    elif isinstance(reply, Raised):
        # No result that could be judged: no reading in particular is broken.
        return reply
    elif isinstance(found, Lost):
        return found
    else:
        # What held for the program had a truth value; where it has none now, the result is not of its kind.
        broken = [place for place in clauses if found.get(place) is not True]
    value = tuple(dict.fromkeys(clauses[place].id for place in broken))
    if isinstance(reply, Returned):
        return replace(reply, value=value)
    return Returned(value, output=reply.output, denied=reply.denied)


def _asks_for_an_exception(action: ReadCall) -> bool:
    return any(each.kind is ReadingKind.RAISES for each in action.judge.clauses if each.id in action.wanted)


def _is_answer(action: ReadCall, reply: Reply) -> bool:
    """Tell whether a reply has all that clauses are given of the one that is known to break nothing."""
    if not isinstance(reply, Returned) or not isinstance(action.answer, Returned):
        return False
    seen, known = ((each.value, each.arguments, each.keyword_arguments) for each in (reply, action.answer))
    try:
        # Equal values can be of two types.
        return seen == known and value_text(seen) == value_text(known)
    except RecursionError:
        # What holds itself is equal to nothing else.
        return False


def agreement(judge: ReadingJudge, answers: Sequence[tuple[DirectCall, Returned]], sandbox: Sandbox) -> list[Truth]:
    """Return for each call whether the reader's reference answers as the program did; None where it gives no answer.

    It gets what the call itself passes: what is left out has the default that the reader wrote.
    """
    rows = [_row(call, reply) for call, reply in answers]
    told = iter(ask(judge, REFERENCE, [row for row in rows if row is not None], sandbox))
    replies = [None if row is None else next(told) for row in rows]
    return [each.value if isinstance(each, Returned) and isinstance(each.value, bool) else None for each in replies]


def _row(call: DirectCall, reply: Returned) -> tuple[object, ...] | None:
    try:
        named = {name: carried(each) for name, each in call.kwargs}
        return [carried(each) for each in call.args], named, carried(reply.value)
    except StaysBehindError:
        return None


def raises(reply: Reply, name: str) -> bool:
    """True where a call raised an exception of this name, or of a class below it."""
    last = name.rpartition(".")[2]
    return isinstance(reply, Raised) and any(
        each.rpartition(".")[2] == last for each in (reply.type_name, *reply.bases)
    )


def inputs_of(judge: ReadingJudge, sandbox: Sandbox) -> list[tuple[object, ...] | None]:
    """Return the values of each of the reader's inputs; None where one is no tuple of plain values."""
    told = ask(judge, INPUT, [(index,) for index in range(len(judge.record.inputs))], sandbox)
    return [_plain_tuple(each.value) if isinstance(each, Returned) else None for each in told]


def _plain_tuple(value: object) -> tuple[object, ...] | None:
    # A class or a function stands in another process: as source it means the program's own.
    try:
        return value if type(value) is tuple and tagged(value) is not None else None
    except NotPlainDataError:
        return None


def border_calls(judge: ReadingJudge, calls: Sequence[DirectCall], sandbox: Sandbox) -> tuple[DirectCall, ...]:
    """Return calls like these with one argument at, below and above what some clause compares it with."""
    rows: list[tuple[DirectCall, dict[str, object], list[int]]] = []
    for call in calls:
        given = _given(judge, call, None)
        asked = [index for index, each in enumerate(judge.borders) if given.keys() >= {*each.needs, each.parameter}]
        rows += [(call, given, asked)] if asked else []
    needed = [{name for index in asked for name in judge.borders[index].needs} for _, _, asked in rows]
    questions = [
        ({name: given[name] for name in sorted(names)}, asked)
        for (_, given, asked), names in zip(rows, needed, strict=True)
    ]
    found: dict[str, DirectCall] = {}
    for (call, given, asked), told in zip(rows, ask(judge, BORDER, questions, sandbox), strict=True):
        values = told.value if isinstance(told, Returned) and isinstance(told.value, list) else []
        for index, value in zip(asked, values, strict=False):
            border = judge.borders[index]
            for near in _near(given[border.parameter], value, is_length=border.is_length):
                made = _with_argument(judge, call, border.parameter, near)
                if made is not None:
                    found.setdefault(pasteable(made), made)
    return tuple(found.values())


def _near(argument: object, border: object, *, is_length: bool) -> Iterable[object]:
    """Return arguments of the same kind at, below and above a border."""
    if isinstance(border, bool) or not isinstance(border, int | float | Decimal | Fraction):
        return ()
    if not is_length:
        is_number = isinstance(argument, int | float | Decimal | Fraction) and not isinstance(argument, bool)
        return (border - 1, border, border + 1) if is_number else ()
    if not isinstance(argument, str | bytes | list | tuple) or not isinstance(border, int) or border > _LONGEST:
        return ()
    wanted = [length for length in (border - 1, border, border + 1) if length >= 0]
    return [(argument * (length // len(argument) + 1))[:length] for length in wanted] if argument else ()


def _with_argument(judge: ReadingJudge, call: DirectCall, name: str, value: object) -> DirectCall | None:
    place = argument_places(judge.parameters, call).get(name)
    if isinstance(place, int):
        return replace(call, args=(*call.args[:place], value, *call.args[place + 1 :]))
    positional = [each.name for each in judge.parameters if each.kind == "positional_or_keyword"]
    is_next = len(call.args) < len(positional) and positional[len(call.args)] == name
    return replace(call, args=(*call.args, value)) if place is None and is_next else None


def _given(judge: ReadingJudge, call: DirectCall, reply: Reply | None) -> dict[str, object]:
    values = bound_values(judge.parameters, call)
    given = {name: each if can_be_made(each) else _AWAY for name, each in (values or {}).items()}
    if not isinstance(reply, Returned):
        return given
    # What the result shares with an argument stays shared: a clause may ask whether it does.
    made: dict[int, object] = {}
    given[RESULT] = _carried(reply.value, made)
    named: Mapping[str, object] = dict(reply.keyword_arguments)
    for name, place in argument_places(judge.parameters, call).items():
        after = named.get(place) if isinstance(place, str) else reply.arguments[place]
        given[name + AFTER] = _carried(after, made)
    return given


def can_be_made(value: object) -> bool:
    """Tell whether the process of clauses can make an argument: one that needs no name of the program."""
    if not isinstance(value, SourceArgument):
        return True
    tree = expression_of(value.text)
    return tree is not None and free_names(tree) <= BUILTIN_NAMES


def _carried(value: object, made: dict[int, object]) -> object:
    if isinstance(value, SourceArgument):
        # Its text says what it was before the call.
        return _AWAY
    try:
        return carried(value, made)
    except StaysBehindError:
        return _AWAY
