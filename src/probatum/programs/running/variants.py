"""Neighbours of documented sessions: the same steps with other literals, and the same without some of the steps.

A literal becomes one like it, or another one of the same type from the sessions. Names, keywords and structure stay:
every variant parses. A step is left out only where it binds no name that a later one could need.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from probatum.programs.parsing.literals import executed_by, executing
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.running.checks import Action, ClerkExpression, DirectCall, Statements, pasteable
from probatum.programs.source import UNPARSABLE, module_or_none, normal

MAX_TEXT = 40
_PART = re.compile(r"[0-9]+|[^\W\d_]+")
_FEWEST_PARTS = 2
_SHARE_OF_KNOWN_WORDS = 0.25
_SHARE_OF_EMPTY = 0.06
# Types of literals that become others from the sessions; a truth value has but two.
_MIXED: tuple[type, ...] = (str, int, float)


class _Perturb(ast.NodeTransformer):
    def __init__(self, chooser: random.Random, rate: float, words: Mapping[type, Sequence[object]]) -> None:
        self._chooser = chooser
        self._rate = rate
        self._words = words
        self._keeps_to_words = chooser.random() < _SHARE_OF_KNOWN_WORDS
        # Texts of a session are often names: in half of the variants the same text becomes the same other text, and the
        # same word or number in texts the same other one.
        self._renames = chooser.random() < 0.5
        self._renamed: dict[str, ast.expr] = {}
        self._parts: dict[str, str] = {}
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
        words = self._words.get(type(node.value), ())
        if words and (self._keeps_to_words or self._chooser.random() < _SHARE_OF_KNOWN_WORDS):
            value = self._chooser.choice(words)
        else:
            value = self._neighbour(node.value)
        if value is None or value == node.value:
            return node
        self.changed = True
        return ast.copy_location(_literal(value), node)

    def _neighbour(self, value: object) -> bool | int | float | str | None:
        if not self._renames or not isinstance(value, str) or len(_PART.findall(value)) < _FEWEST_PARTS:
            return _neighbour(value, self._chooser)
        return _PART.sub(lambda found: self._other_part(found[0]), value) if len(value) <= MAX_TEXT else None

    def _other_part(self, part: str) -> str:
        if part not in self._parts:
            is_kept, other = self._chooser.random() < 0.5, _neighbour_part(part, self._chooser)
            self._parts[part] = part if is_kept else other
        return self._parts[part]

    def visit_List(self, node: ast.List) -> ast.expr:
        return ast.List([], node.ctx) if self._empties(node) else self._inside(node)

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        return ast.Dict([], []) if self._empties(node) else self._inside(node)

    def _empties(self, node: ast.List | ast.Dict) -> bool:
        if isinstance(getattr(node, "ctx", None), ast.Store) or self._chooser.random() >= _SHARE_OF_EMPTY:
            return False
        if not list(ast.iter_child_nodes(node)) or not _is_literal(node):
            return False
        self.changed = True
        return True

    def _inside(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node


def _literal(value: object) -> ast.expr:
    return ast.parse(value_text(value), mode="eval").body


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (*UNPARSABLE, TypeError):
        return False
    return True


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


def _neighbour_part(part: str, chooser: random.Random) -> str:
    return str(int(part) + chooser.randint(1, 9)) if part.isdecimal() else _neighbour_text(part, chooser)


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


def session_variants(
    actions: Sequence[Action], *, count: int, seed: int, is_shorter: bool = False
) -> tuple[Action, ...]:
    """Return up to ``count`` distinct actions that differ from the given ones in their literals alone.

    Where ``is_shorter`` is true, they lack steps too: that is how an object comes into other states.
    """
    chooser = random.Random(seed)  # noqa: S311  # chooses test inputs, keeps no secret
    known = {pasteable(action) for action in actions}
    found: list[Action] = []
    sessions = [action for action in actions if not _is_fixed(action)]
    words = _words_of(sessions)
    if is_shorter:
        sessions = [each for each in sessions if isinstance(each, Statements) and any(map(only_acts, each.setup))]
    for _ in range(count * 4 if sessions else 0):
        if len(found) >= count:
            break
        session = chooser.choice(sessions)
        for variant in _variant(_shorter(session, chooser) if is_shorter else session, chooser, words):
            text = pasteable(variant)
            if text not in known:
                known.add(text)
                found.append(variant)
    return tuple(found)


def _is_fixed(action: Action) -> bool:
    # A plain call has better sources of inputs.
    return isinstance(action, DirectCall) and action.is_plain


def _words_of(sessions: Sequence[Action]) -> Mapping[type, Sequence[object]]:
    found: dict[type, dict[object, None]] = {}
    for session in sessions:
        for node in ast.walk(module_or_none(pasteable(session)) or ast.Module([], [])):
            if isinstance(node, ast.Constant) and type(node.value) in _MIXED:
                found.setdefault(type(node.value), {})[node.value] = None
    return {kind: tuple(values) for kind, values in found.items() if len(values) > 1}


def _variant(action: Action, chooser: random.Random, words: Mapping[type, Sequence[object]]) -> Iterator[Action]:
    perturb = _Perturb(chooser, chooser.choice((0.3, 0.6, 1.0)), words)
    if isinstance(action, Statements):
        pairs = [(_rewritten(step, perturb), step) for step in action.setup]
        # Where no step leaves a name for the next, one that stays as it is shows nothing new.
        is_sequel = not all(map(only_acts, action.setup))
        setup = tuple(step for step, old in pairs if is_sequel or step != normal(old))
        steps = executed_by(action.expression)
        if steps is None:
            expression = _rewritten(action.expression, perturb)
        else:
            expression = executing(_rewritten(steps, perturb))
        if perturb.changed:
            yield Statements(setup, expression, action.asks)
    elif isinstance(action, ClerkExpression):
        expression = _rewritten(action.expression, perturb)
        if perturb.changed:
            yield ClerkExpression(expression, action.names)
    else:
        expression = _rewritten(pasteable(action), perturb)
        if perturb.changed:
            yield Statements((), expression)


def _shorter(session: Action, chooser: random.Random) -> Action:
    if not isinstance(session, Statements):
        return session
    setup = tuple(step for step in session.setup if not only_acts(step) or chooser.random() < 0.5)
    return replace(session, setup=setup)


def only_acts(step: str) -> bool:
    """Tell whether a step binds no name: it is a call or another expression."""
    tree = module_or_none(step)
    return tree is not None and all(isinstance(each, ast.Expr) for each in tree.body)


def _rewritten(source: str, perturb: _Perturb) -> str:
    tree = module_or_none(source)
    return source if tree is None else ast.unparse(ast.fix_missing_locations(perturb.visit(tree)))
