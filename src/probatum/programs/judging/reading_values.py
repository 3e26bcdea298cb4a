"""Calls with a value that the documentation names: what its words say of that value, no other input can show.

Where a reading compares an argument with a literal, and the words that it reads have that literal too, what follows is
a rule, even where an example shows the same call. Refuses a value that stands in the clause alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from probatum.programs.running.binding import bound_values
from probatum.programs.running.checks import Action, DirectCall, ReadCall
from probatum.sandbox import Returned


def named_calls(actions: Iterable[Action]) -> Iterator[tuple[DirectCall, Returned]]:
    """Yield the calls that pass such a value, with the program's answers to them, which hold."""
    for action in actions:
        if isinstance(action, ReadCall) and isinstance(action.answer, Returned) and _names_an_argument(action):
            yield action.call, action.answer


def _names_an_argument(action: ReadCall) -> bool:
    given = bound_values(action.judge.parameters, action.call) or {}
    clauses = [each for each in action.judge.clauses if each.id in action.wanted]
    return any(
        name in given and given[name] == value and type(given[name]) is type(value) and _stands_in(str(value), said)
        for said, code in ((each.reading.statement, each.code) for each in clauses)
        for name, value in _compared(code)
    )


def _stands_in(value: str, words: str) -> bool:
    return bool(value) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", words) is not None


@lru_cache(maxsize=256)
def _compared(code: str) -> tuple[tuple[str, object], ...]:
    """Return every name that an expression compares with a literal, or finds among literals, with each of them."""
    return tuple(_comparisons(ast.parse(code, mode="eval")))


def _comparisons(tree: ast.Expression) -> Iterator[tuple[str, object]]:
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value)]):
                yield name, value
            case ast.Compare(left=ast.Constant(value), ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Name(id=name)]):
                yield name, value
            case ast.Compare(
                left=ast.Name(id=name),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Tuple(elts=found) | ast.List(elts=found) | ast.Set(elts=found)],
            ):
                yield from ((name, each.value) for each in found if isinstance(each, ast.Constant))
