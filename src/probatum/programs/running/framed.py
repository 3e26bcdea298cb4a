"""Generated calls in the places of documented ones: the same session around another call.

A function that returns a function shows nothing when it is called alone; what the document does with the result does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from probatum.programs.running.checks import Action, ClerkExpression, DirectCall, PlannedCheck, Statements, pasteable
from probatum.programs.source import module_or_none


def framed_calls(planned: Sequence[PlannedCheck], calls: Sequence[DirectCall]) -> tuple[Action, ...]:
    """Return, for each call in turn, an example with this call in the place of one of the same function."""
    frames = [
        (check.action, place)
        for check in planned
        for place in range(sum(1 for call in calls[:1] for _ in _places(check.action, call.target)))
    ]
    if not frames:
        return ()
    found: dict[str, Action] = {}
    for number, call in enumerate(calls):
        action, place = frames[number % len(frames)]
        changed = _with_call(action, place, call)
        found.setdefault(pasteable(changed), changed)
    return tuple(found.values())


def _texts(action: Action) -> tuple[str, ...]:
    if isinstance(action, ClerkExpression):
        return (action.expression,)
    return (*action.setup, action.expression) if isinstance(action, Statements) else ()


def _places(action: Action, name: str) -> Iterator[ast.Call]:
    for text in _texts(action):
        yield from _calls_in(module_or_none(text), name)


def _calls_in(tree: ast.AST | None, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
            yield node


def _with_call(action: Action, place: int, call: DirectCall) -> Action:
    replacement = ast.parse(pasteable(call), mode="eval").body
    texts: list[str] = []
    seen = 0
    for text in _texts(action):
        tree = module_or_none(text)
        inside = list(_calls_in(tree, call.target))
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
