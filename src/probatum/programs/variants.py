"""Neighbours of documented sessions: the same steps with other literals.

Where an example is not a plain call (a class used over several steps, a function given another function), inputs
cannot be drawn from parameter types. Changing the numbers and texts that the document writes gives inputs of the same
shape. Refuses to touch names, keywords or structure: every variant parses and has the same steps.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence

from probatum.programs.checks import Action, ClerkExpression, DirectCall, Statements, pasteable

MAX_TEXT = 40


class _Perturb(ast.NodeTransformer):
    def __init__(self, chooser: random.Random, rate: float) -> None:
        self._chooser = chooser
        self._rate = rate
        # Texts of a session are often names: in half of the variants the same text becomes the same other text.
        self._renames = chooser.random() < 0.5
        self._renamed: dict[str, ast.expr] = {}
        self.changed = False

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not self._renames or not isinstance(node.value, str):
            return self._changed(node)
        if node.value not in self._renamed:
            self._renamed[node.value] = self._changed(node)
        return self._renamed[node.value]

    def _changed(self, node: ast.Constant) -> ast.expr:
        if self._chooser.random() >= self._rate:
            return node
        value = _neighbour(node.value, self._chooser)
        if value is None or value == node.value:
            return node
        self.changed = True
        return ast.copy_location(ast.Constant(value), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node


def _neighbour(value: object, chooser: random.Random) -> bool | int | float | str | None:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chooser.choice((-2, -1, 1, 2, 3, 10)) if chooser.random() < 0.8 else chooser.randint(-20, 100)
    if isinstance(value, float):
        return value + chooser.choice((-1.0, 0.5, 1.0, 2.5))
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return _neighbour_text(value, chooser)
    return None


def _neighbour_text(text: str, chooser: random.Random) -> str:
    if not text:
        return chooser.choice(("a", "b", "x1"))
    position = chooser.randrange(len(text))
    letter = chooser.choice(text + "abcxyz")
    kind = chooser.randrange(4)
    if kind == 0:
        return text[:position] + letter + text[position + 1 :]
    if kind == 1:
        return text[:position] + text[position + 1 :]
    if kind == 2:
        return text[:position] + letter + text[position:]
    return text[::-1]


def session_variants(actions: Sequence[Action], *, count: int, seed: int) -> tuple[Action, ...]:
    """Return up to ``count`` distinct actions that differ from the given ones in their literals alone."""
    chooser = random.Random(seed)  # noqa: S311  # chooses test inputs, keeps no secret
    known = {pasteable(action) for action in actions}
    found: list[Action] = []
    sessions = [action for action in actions if not (isinstance(action, DirectCall) and action.is_plain)]
    for _ in range(count * 4 if sessions else 0):
        if len(found) >= count:
            break
        for variant in _variant(chooser.choice(sessions), chooser):
            text = pasteable(variant)
            if text not in known:
                known.add(text)
                found.append(variant)
    return tuple(found)


def _variant(action: Action, chooser: random.Random) -> Iterator[Action]:
    perturb = _Perturb(chooser, chooser.choice((0.3, 0.6, 1.0)))
    if isinstance(action, Statements):
        setup = tuple(_rewritten(step, perturb) for step in action.setup)
        expression = _rewritten(action.expression, perturb)
        if perturb.changed:
            yield Statements(setup, expression, action.show_repr)
    elif isinstance(action, ClerkExpression):
        expression = _rewritten(action.expression, perturb)
        if perturb.changed:
            yield ClerkExpression(expression, action.names)
    else:
        expression = _rewritten(pasteable(action), perturb)
        if perturb.changed:
            yield Statements((), expression)


def _rewritten(source: str, perturb: _Perturb) -> str:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    return ast.unparse(ast.fix_missing_locations(perturb.visit(tree)))
