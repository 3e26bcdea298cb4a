"""The calls of a function that its document shows, wherever they stand: alone, in an expression, in a session.

Generated calls are put in the places of documented ones: a function that returns a function shows nothing when it is
called alone; what the document does with the result does. Refuses calls whose arguments depend on what a session bound
before: such a call means nothing outside of it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from probatum.programs.parsing.expressions import free_names
from probatum.programs.running.checks import (
    Action,
    ClerkExpression,
    DirectCall,
    PlannedCheck,
    Statements,
    call_of,
    pasteable,
)
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
        for node, around in _shown_in(check.action, name):
            inside += 1
            is_argument = isinstance(around, ast.Call) and around.func is not node
            as_objects += isinstance(around, ast.Call | ast.Attribute | ast.Assign) and not is_argument
            call = call_of(node, {name})
            if call is not None and _is_independent(call, known):
                calls.append(call)
    return ShownCalls(tuple(calls), stand_alone, not stand_alone and inside > 0 and as_objects == inside)


def _texts(action: Action) -> tuple[str, ...]:
    if isinstance(action, ClerkExpression):
        return (action.expression,)
    return (*action.setup, action.expression) if isinstance(action, Statements) else ()


def _shown_in(action: Action, name: str) -> Iterator[tuple[ast.Call, ast.AST]]:
    for text in _texts(action):
        yield from _calls_of(module_or_none(text), name)


def _calls_of(tree: ast.Module | None, name: str) -> Iterator[tuple[ast.Call, ast.AST]]:
    """Yield the calls of a function, each with the node that it stands in."""
    for around in ast.walk(tree) if tree is not None else ():
        for node in ast.iter_child_nodes(around):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
                yield node, around


def _is_independent(call: DirectCall, known: Collection[str]) -> bool:
    values = (*call.args, *(value for _, value in call.kwargs))
    sources = [value.text for value in values if isinstance(value, SourceArgument)]
    return all(free_names(ast.parse(text, mode="eval")) <= _BUILTINS.union(known) for text in sources)


def framed_calls(planned: Sequence[PlannedCheck], calls: Sequence[DirectCall]) -> tuple[Action, ...]:
    """Return, for each call in turn, an example with this call in the place of one of the same function."""
    name = calls[0].target if calls else ""
    frames = [(check.action, place) for check in planned for place, _ in enumerate(_shown_in(check.action, name))]
    if not frames:
        return ()
    found: dict[str, Action] = {}
    for number, call in enumerate(calls):
        action, place = frames[number % len(frames)]
        changed = _with_call(action, place, call)
        found.setdefault(pasteable(changed), changed)
    return tuple(found.values())


def _with_call(action: Action, place: int, call: DirectCall) -> Action:
    replacement = ast.parse(pasteable(call), mode="eval").body
    texts: list[str] = []
    seen = 0
    for text in _texts(action):
        tree = module_or_none(text)
        inside = [node for node, _ in _calls_of(tree, call.target)]
        is_here = tree is not None and seen <= place < seen + len(inside)
        if is_here and isinstance(replacement, ast.Call):
            node = inside[place - seen]
            node.args, node.keywords = replacement.args, replacement.keywords
        texts.append(ast.unparse(tree) if tree is not None and is_here else text)
        seen += len(inside)
    if isinstance(action, ClerkExpression):
        return ClerkExpression(texts[0], action.names) if call.is_plain else Statements((), texts[0])
    if isinstance(action, Statements):
        return Statements(tuple(texts[:-1]), texts[-1], action.asks)
    return call
