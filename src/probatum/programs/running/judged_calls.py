"""Judging one call by the readings of one record: which of them it breaks.

Where a `raises` clause holds, its exception is due and no other reading says anything. Refuses to blame a program for a
clause that has no truth value, or for a process of clauses that was lost: such a reading says nothing of the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from probatum.core.errors import UsageError
from probatum.core.limits import JobLimits
from probatum.programs.readings.values import ReadingKind
from probatum.programs.running.binding import argument_places, bound_values
from probatum.programs.running.checks import DirectCall, ReadCall, pasteable
from probatum.programs.running.reading_judge import AFTER, BORDER, INPUT, JUDGE, RESULT, ReadingJudge
from probatum.sandbox import Lost, LostReason, Raised, Reply, Returned, Sandbox

LIMITS = JobLimits(cpu_seconds=60, wall_seconds=10.0)
"""Of the process of clauses: it serves many calls; what one call may cost is counted."""

_LONGEST = 10_000
Truth = bool | None
"""Whether a clause holds; None where it gives no truth value."""


@dataclass(frozen=True, slots=True)
class Due:
    """What the readings of one record demand of one call, from its arguments alone."""

    is_legal: Truth
    """Whether the requirements hold; None where one of them gives no truth value."""
    raises: tuple[int, ...]
    """The places of the clauses whose exception is due."""
    is_settled: bool
    """Whether every `raises` clause gave a truth value."""


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
    found.update(
        (place, each if isinstance(each, bool) else None) for place, each in zip(asked, told.value, strict=True)
    )
    return found


def due(judge: ReadingJudge, call: DirectCall, sandbox: Sandbox) -> Due | Lost:
    """Return what is demanded of a call before it is made."""
    required, raising = judge.of_kind(ReadingKind.REQUIRES), judge.of_kind(ReadingKind.RAISES)
    found = truths(judge, call, None, (*required, *raising), sandbox)
    if isinstance(found, Lost):
        return found
    legal = [found[place] for place in required]
    return Due(
        False if False in legal else None if None in legal else True,
        tuple(place for place in raising if found[place]),
        all(found[place] is not None for place in raising),
    )


def judged_reply(action: ReadCall, reply: Reply, sandbox: Sandbox) -> Reply:
    """Return the ids of the wanted readings that what came of a call breaks; the reply itself where it was lost."""
    if isinstance(reply, Lost):
        return reply
    judge = action.judge
    wanted = [place for place, each in enumerate(judge.clauses) if each.id in action.wanted]
    raising = [place for place in wanted if judge.clauses[place].kind is ReadingKind.RAISES]
    if raising:
        names = {judge.clauses[place].reading.exception for place in raising}
        broken = () if any(raises(reply, name) for name in names) else tuple(raising)
    elif isinstance(reply, Raised):
        broken = tuple(wanted)
    else:
        found = truths(judge, action.call, reply, wanted, sandbox)
        if isinstance(found, Lost):
            return found
        # What held for the program had a truth value; where it has none now, the result is not of its kind.
        broken = tuple(place for place in wanted if found[place] is not True)
    value = tuple(judge.clauses[place].id for place in broken)
    return Returned(value, reply.arguments, reply.keyword_arguments, reply.output, reply.denied)


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
    given[RESULT] = reply.value
    named: Mapping[str, object] = dict(reply.keyword_arguments)
    for name, place in argument_places(judge.parameters, call).items():
        after = named.get(place) if isinstance(place, str) else reply.arguments[place]
        given[name + AFTER] = after
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
