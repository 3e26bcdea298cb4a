"""The one evaluator of clauses that somebody gave: it asks a process of them, and takes back an outcome for each.

The process is sandboxed and holds `ReadingJudge.program` alone. An outcome is that a clause holds, that it does not, or
why it has no truth value. Refuses to count a lost process, or an answer of another form, as any of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from probatum.core.errors import UsageError
from probatum.core.limits import JobLimits
from probatum.programs.running.reading_judge import ASK, JUDGE, RECORD, ReadingJudge
from probatum.sandbox import Declared, Derived, Handle, Lost, LostReason, NotPlain, Reply, Returned, Sandbox

Outcome = bool | str
"""Whether a clause holds; a text says why it has no truth value."""
Row = tuple[Mapping[str, object], Sequence[int]]
"""Values by name, and the places of the clauses that are asked about them."""

_MOST_AT_ONCE = 256
_ALONE = 5.0
"""Seconds for one question, once many together came to no end."""
_MOST_EXHAUSTED = 2
_BUDGETS = frozenset({LostReason.CPU, LostReason.WALL, LostReason.MEMORY})
_NO_ANSWER = Lost(LostReason.PROTOCOL, "the clauses gave no answer")
_CONTAINERS = (list, tuple, set, frozenset, deque, dict)
_SCALARS = frozenset({int, float, str, bytes, bool, complex, type(None)})


def outcomes(judge: ReadingJudge, rows: Sequence[Row], sandbox: Sandbox) -> list[Sequence[Outcome] | Lost]:
    """Return for each row what its clauses give for its values."""
    replies = ask(judge, JUDGE, rows, sandbox)
    return [_outcomes(reply, len(asked)) for reply, (_, asked) in zip(replies, rows, strict=True)]


def _outcomes(reply: Reply, count: int) -> Sequence[Outcome] | Lost:
    if not isinstance(reply, Returned) or not isinstance(reply.value, list) or len(reply.value) != count:
        return reply if isinstance(reply, Lost) else _NO_ANSWER
    return [each if isinstance(each, bool | str) else "" for each in reply.value]


def ask(judge: ReadingJudge, name: str, rows: Sequence[Sequence[object]], sandbox: Sandbox) -> list[Reply]:
    """Ask the clauses many questions in few messages; a message that is lost is asked again, question by question.

    Clauses that use up the budget of a process again and again are not asked any more.
    """
    replies: list[Reply] = []
    for start in range(0, len(rows), _MOST_AT_ONCE):
        some = rows[start : start + _MOST_AT_ONCE]
        told = _asked(judge, name, some, sandbox)
        if told is None:
            told = [each for row in some for each in _asked(judge, name, [row], sandbox) or [_NO_ANSWER]]
        replies += told
    return replies


def _asked(judge: ReadingJudge, name: str, rows: Sequence[Sequence[object]], sandbox: Sandbox) -> list[Reply] | None:
    if len(judge.exhausted) >= _MOST_EXHAUSTED:
        return [judge.exhausted[-1]] * len(rows)
    is_alone = len(rows) == 1
    limits = replace(judge.limits, wall_seconds=min(judge.limits.wall_seconds, _ALONE)) if is_alone else judge.limits
    reply = _message(judge, (name, list(rows)), sandbox, limits)
    if is_alone and isinstance(reply, Lost) and reply.reason in _BUDGETS:
        judge.exhausted.append(reply)
    if isinstance(reply, Returned) and isinstance(reply.value, list) and len(reply.value) == len(rows):
        return [Returned(each[0]) if isinstance(each, list) and len(each) == 1 else _NO_ANSWER for each in reply.value]
    return [reply] if is_alone else None


def _message(judge: ReadingJudge, args: Sequence[object], sandbox: Sandbox, limits: JobLimits) -> Reply:
    for _ in range(2):
        with sandbox.warm(judge.program, limits) as process:
            if not isinstance(process.loaded, Returned):
                return process.loaded if isinstance(process.loaded, Lost) else Lost(LostReason.ARGUMENTS, "no clauses")
            try:
                reply = process.call(ASK, args)
            except UsageError as error:
                return Lost(LostReason.ARGUMENTS, error.sentence)
        # It served others before: a fresh one has its whole budget for this call.
        if not process.is_gone:
            return reply
    return reply


class StaysBehindError(ValueError):
    """A value holds an object that stays in the program's process: in another one its number is another object's."""


def carried(value: object, made: dict[int, object] | None = None) -> object:
    """Return a value with marked tuples for the program's own objects, which the process of clauses makes anew.

    ``made`` has what was returned for other values, by their ids: what is one object there is one here. Raises
    StaysBehindError.
    """
    known = {} if made is None else made
    if type(value) in _SCALARS:
        return value
    if id(value) not in known:
        known[id(value)] = _carried(value, known)
    return known[id(value)]


def _carried(value: object, known: dict[int, object]) -> object:
    if isinstance(value, Handle | NotPlain):
        raise StaysBehindError
    if isinstance(value, Derived):
        body = value.body
        return carried(value.content, known) if not isinstance(body, Declared) else _marked(body, value.content, known)
    if isinstance(value, Declared):
        return _marked(value, None, known)
    if not isinstance(value, _CONTAINERS) or _is_plain(value):
        return value
    if isinstance(value, tuple | set | frozenset):
        return type(value)([carried(each, known) for each in value])
    # What may hold itself is there before its parts are.
    made: object = deque(maxlen=value.maxlen) if isinstance(value, deque) else type(value)()
    known[id(value)] = made
    if isinstance(value, dict) and isinstance(made, dict):
        made.update({carried(key, known): carried(item, known) for key, item in value.items()})
    elif isinstance(made, list | deque):
        made.extend(carried(each, known) for each in value)
    return made


def loses_its_class(value: object, seen: set[int] | None = None) -> bool:
    """Tell whether a value, or a part of it, is carried as the built-in value that its foreign class derives from."""
    seen = set() if seen is None else seen
    if isinstance(value, Derived):
        return not isinstance(value.body, Declared) or loses_its_class(value.body, seen)
    if isinstance(value, Declared):
        return any(loses_its_class(field, seen) for _, field in value.fields)
    if not isinstance(value, _CONTAINERS) or id(value) in seen or _is_plain(value):
        return False
    seen.add(id(value))
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return any(loses_its_class(part, seen) for part in parts)


def _is_plain(value: Iterable[object]) -> bool:
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return all(type(each) in _SCALARS for each in parts)


def _marked(value: Declared, content: object, known: dict[int, object]) -> tuple[object, ...]:
    fields = tuple((name, carried(field, known)) for name, field in value.fields)
    return (RECORD, value.type_name.rpartition(".")[2], fields, None if content is None else carried(content, known))
