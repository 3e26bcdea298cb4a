"""Judging one call by the readings of one record: which of them it breaks.

Where a `raises` clause holds, its exception is due and no other reading says anything. Refuses to blame a program for a
clause that has no truth value, or for a process of clauses that was lost: such a reading says nothing of the call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from probatum.core.errors import UsageError
from probatum.core.limits import JobLimits
from probatum.programs.readings.values import ReadingKind
from probatum.programs.running.binding import argument_places, bound_values
from probatum.programs.running.checks import DirectCall, ReadCall, pasteable
from probatum.programs.running.reading_judge import AFTER, BORDER, INPUT, JUDGE, RECORD, REFERENCE, RESULT, ReadingJudge
from probatum.sandbox import Declared, Derived, Lost, LostReason, Raised, Reply, Returned, Sandbox

LIMITS = JobLimits(cpu_seconds=60, wall_seconds=10.0)
"""Of the process of clauses: it serves many calls; what one call may cost is counted."""

_LONGEST = 10_000
_FEWEST_EXCLUDED = 3
_REMADE: Mapping[type, Callable[[list[object]], object]] = {kind: kind for kind in (list, tuple, set, frozenset, deque)}
_SCALARS = frozenset({int, float, str, bytes, bool, complex, type(None)})
Truth = bool | None
"""Whether a clause holds; None where it gives no truth value."""


@dataclass(frozen=True, slots=True)
class CallDemand:
    """What the requirements and the `raises` readings of one record give for one call, from its arguments alone."""

    requires: Mapping[int, Truth]
    raises: Mapping[int, Truth]

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
        """Whether the call is legal and certain to have no exception due."""
        return self.is_legal and all(each is False for each in self.raises.values())


def excused_by(demands: Iterable[CallDemand]) -> frozenset[tuple[int, int]]:
    """Return the pairs of a `raises` reading and a requirement that excludes every call the exception is due for.

    What the documentation says an exception is raised for is no matter of requirements.
    """
    met: dict[tuple[int, int], list[Truth]] = {}
    for each in demands:
        for raising, holds in each.raises.items():
            for required, truth in each.requires.items() if holds else ():
                met.setdefault((raising, required), []).append(truth)
    return frozenset(pair for pair, seen in met.items() if len(seen) >= _FEWEST_EXCLUDED and set(seen) == {False})


def truths(
    judge: ReadingJudge, call: DirectCall, reply: Reply | None, places: Sequence[int], sandbox: Sandbox
) -> dict[int, Truth] | Lost:
    """Return what the clauses at these places give for a call and what came of it."""
    given = _given(judge, call, reply)
    asked = [place for place in places if given.keys() >= set(judge.clauses[place].needs)]
    if not asked:
        return dict.fromkeys(places)
    needed = {name for place in asked for name in judge.clauses[place].needs}
    told = _ask(judge, JUDGE, ({name: given[name] for name in sorted(needed)}, asked), sandbox)
    if not isinstance(told, Returned) or not isinstance(told.value, list) or len(told.value) != len(asked):
        return told if isinstance(told, Lost) else Lost(LostReason.PROTOCOL, "the clauses gave no answer")
    found: dict[int, Truth] = dict.fromkeys(places)
    for place, each in zip(asked, told.value, strict=True):
        found[place] = each if isinstance(each, bool) else None
    return found


def without_truth(
    judge: ReadingJudge, call: DirectCall, reply: Returned, places: Sequence[int], sandbox: Sandbox
) -> tuple[int, ...]:
    """Return those of the clauses at these places that could be asked about a call and gave no truth value."""
    given = _given(judge, call, reply)
    asked = [place for place in places if given.keys() >= set(judge.clauses[place].needs)]
    found = truths(judge, call, reply, asked, sandbox)
    return () if isinstance(found, Lost) else tuple(place for place in asked if found[place] is None)


def demand_of(judge: ReadingJudge, call: DirectCall, sandbox: Sandbox) -> CallDemand:
    """Return what is demanded of a call before it is made."""
    required, raising = judge.of_kind(ReadingKind.REQUIRES), judge.of_kind(ReadingKind.RAISES)
    found = truths(judge, call, None, (*required, *raising), sandbox)
    told: Mapping[int, Truth] = {} if isinstance(found, Lost) else found
    return CallDemand({place: told.get(place) for place in required}, {place: told.get(place) for place in raising})


def judged_reply(action: ReadCall, reply: Reply, sandbox: Sandbox) -> Reply:
    """Return the ids of the wanted readings that what came of a call breaks.

    It is the reply itself where that was lost, or ended in an exception that no reading asks for.
    """
    if isinstance(reply, Lost):
        return reply
    judge = action.judge
    wanted = [place for place, each in enumerate(judge.clauses) if each.id in action.wanted]
    raising = [place for place in wanted if judge.clauses[place].kind is ReadingKind.RAISES]
    if raising:
        names = {judge.clauses[place].reading.exception for place in raising}
        broken = () if any(raises(reply, name) for name in names) else tuple(raising)
    elif isinstance(reply, Raised):
        # No result that could be judged: no reading in particular is broken.
        return reply
    else:
        found = truths(judge, action.call, reply, wanted, sandbox)
        if isinstance(found, Lost):
            return found
        # What held for the program had a truth value; where it has none now, the result is not of its kind.
        broken = tuple(place for place in wanted if found[place] is not True)
    value = tuple(judge.clauses[place].id for place in broken)
    return Returned(value, reply.arguments, reply.keyword_arguments, reply.output, reply.denied)


def agrees(judge: ReadingJudge, call: DirectCall, reply: Returned, sandbox: Sandbox) -> Truth:
    """Return whether the reader's reference answers as the program did; None where it gives no answer.

    It gets what the call itself passes: what is left out has the default that the reader wrote.
    """
    args, named = [carried(each) for each in call.args], {name: carried(value) for name, value in call.kwargs}
    told = _ask(judge, REFERENCE, (args, named, carried(reply.value)), sandbox)
    return told.value if isinstance(told, Returned) and isinstance(told.value, bool) else None


def raises(reply: Reply, name: str) -> bool:
    """True where a call raised an exception of this name, or of a class below it."""
    last = name.rpartition(".")[2]
    return isinstance(reply, Raised) and any(
        each.rpartition(".")[2] == last for each in (reply.type_name, *reply.bases)
    )


def input_at(judge: ReadingJudge, index: int, sandbox: Sandbox) -> tuple[object, ...] | None:
    """Return the values of one of the reader's inputs; None where it is no tuple of plain values."""
    told = _ask(judge, INPUT, (index,), sandbox)
    return told.value if isinstance(told, Returned) and type(told.value) is tuple else None


def border_calls(judge: ReadingJudge, calls: Sequence[DirectCall], sandbox: Sandbox) -> tuple[DirectCall, ...]:
    """Return calls like these with one argument at, below and above what some clause compares it with."""
    found: dict[str, DirectCall] = {}
    for call in calls:
        given = _given(judge, call, None)
        asked = [index for index, each in enumerate(judge.borders) if given.keys() >= {*each.needs, each.parameter}]
        needed = {name for index in asked for name in judge.borders[index].needs}
        told = _ask(judge, BORDER, ({name: given[name] for name in sorted(needed)}, asked), sandbox) if asked else None
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
    given = dict(values or {})
    if not isinstance(reply, Returned):
        return given
    given[RESULT] = carried(reply.value)
    named: Mapping[str, object] = dict(reply.keyword_arguments)
    for name, place in argument_places(judge.parameters, call).items():
        after = named.get(place) if isinstance(place, str) else reply.arguments[place]
        given[name + AFTER] = carried(after)
    return given


def _ask(judge: ReadingJudge, target: str, args: Sequence[object], sandbox: Sandbox) -> Reply:
    for _ in range(2):
        with sandbox.warm(judge.program, LIMITS) as process:
            if not isinstance(process.loaded, Returned):
                return process.loaded if isinstance(process.loaded, Lost) else Lost(LostReason.ARGUMENTS, "no clauses")
            try:
                reply = process.call(target, args)
            except UsageError as error:
                return Lost(LostReason.ARGUMENTS, error.sentence)
        # It served others before: a fresh one has its whole budget for this call.
        if not process.is_gone:
            return reply
    return reply


def carried(value: object) -> object:
    """Return a value with marked tuples for the program's own objects, which the process of clauses makes anew."""
    kind = type(value)
    if isinstance(value, Derived):
        return carried(value.content) if not isinstance(value.body, Declared) else _marked(value.body, value.content)
    if isinstance(value, Declared):
        return _marked(value, None)
    if kind in _REMADE and isinstance(value, Iterable) and not _is_plain(value):
        return _REMADE[kind]([carried(each) for each in value])
    if isinstance(value, dict) and not _is_plain(value):
        return {carried(key): carried(item) for key, item in value.items()}
    return value


def _is_plain(value: Iterable[object]) -> bool:
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return all(type(each) in _SCALARS for each in parts)


def _marked(value: Declared, content: object) -> tuple[object, ...]:
    fields = tuple((name, carried(field)) for name, field in value.fields)
    return (RECORD, value.type_name.rpartition(".")[2], fields, None if content is None else carried(content))
