"""The calls of a function that its document shows, wherever they stand: alone, in an expression, in a session.

Refuses calls whose arguments depend on what a session bound before: such a call means nothing outside of it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from probatum.programs.reading.expressions import free_names
from probatum.programs.running.checks import Action, ClerkExpression, DirectCall, PlannedCheck, Statements, call_of
from probatum.programs.source import module_or_none
from probatum.sandbox import SourceArgument

_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class ShownCalls:
    """The documented calls of one function."""

    calls: tuple[DirectCall, ...] = ()
    stand_alone: int = 0
    used_as_objects: bool = False
    """True where every result is called, read from or kept in a session: alone such a call shows nothing."""


def shown_calls(name: str, planned: Sequence[PlannedCheck], known: Collection[str]) -> ShownCalls:
    """Return the calls of the function ``name`` in its examples; ``known`` are the names that its module binds."""
    calls: list[DirectCall] = []
    stand_alone = inside = as_objects = 0
    for check in planned:
        if isinstance(check.action, DirectCall):
            if check.action.target == name:
                calls.append(check.action)
                stand_alone += 1
            continue
        for tree in _trees(check.action):
            for node, around in _calls_of(tree, name):
                inside += 1
                as_objects += isinstance(around, ast.Call | ast.Attribute | ast.Assign) and not _is_argument(
                    node, around
                )
                call = call_of(node, {name})
                if call is not None and _is_independent(call, known):
                    calls.append(call)
    return ShownCalls(tuple(calls), stand_alone, not stand_alone and inside > 0 and as_objects == inside)


def _trees(action: Action) -> Iterator[ast.AST]:
    texts: tuple[str, ...] = ()
    if isinstance(action, ClerkExpression):
        texts = (action.expression,)
    elif isinstance(action, Statements):
        texts = (*action.setup, action.expression)
    for text in texts:
        if (tree := module_or_none(text)) is not None:
            yield tree


def _calls_of(tree: ast.AST, name: str) -> Iterator[tuple[ast.Call, ast.AST]]:
    for around in ast.walk(tree):
        for node in ast.iter_child_nodes(around):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
                yield node, around


def _is_argument(node: ast.expr, around: ast.AST) -> bool:
    return isinstance(around, ast.Call) and around.func is not node


def _is_independent(call: DirectCall, known: Collection[str]) -> bool:
    values = (*call.args, *(value for _, value in call.kwargs))
    sources = [value.text for value in values if isinstance(value, SourceArgument)]
    return all(free_names(ast.parse(text, mode="eval")) <= _BUILTINS.union(known) for text in sources)
