"""Whether a documented expression asks an object that the document makes itself, by calling its class.

``stack.is_empty()``, ``"a" in box``, ``Version("1") == Version("1.0")`` and the text of ``Stack([1])`` ask a method of
such an object, as a plain call asks a function. What a function returned says nothing by itself: in
``account.balance() == 3`` an object that equals everything would pass.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.signatures import bound_by
from probatum.programs.source import expression_of, module_or_none
from probatum.programs.specification import Example, ReprIs, ValueIs

_CONTAINS = (ast.In, ast.NotIn)
_IDENTITY = (ast.Is, ast.IsNot)
Bound = Mapping[str, ast.expr | None]


def asking_objects(examples: Sequence[Example], classes: AbstractSet[str]) -> Mapping[str, bool]:
    """Return the ids of the examples that ask an object of one of these classes, and which of them can carry a verdict.

    A truth value cannot where the document shows one of the two alone: a program that always says it would pass.
    """
    asking = {
        example.id: example.expectation
        for example in examples
        if isinstance(example.expectation, ReprIs)
        or (isinstance(example.expectation, ValueIs) and isinstance(example.expectation.value, bool))
        if _asks_an_object(example, classes)
    }
    truths = {each.value for each in asking.values() if isinstance(each, ValueIs)}
    return {name: isinstance(each, ReprIs) or truths == {True, False} for name, each in asking.items()}


def _asks_an_object(example: Example, classes: AbstractSet[str]) -> bool:
    tree = expression_of(example.expression)
    before = module_or_none("\n".join(example.setup))
    if tree is None or before is None:
        return False
    bound = _bound_by(before.body)
    own = frozenset(classes - bound.keys())
    if isinstance(example.expectation, ReprIs):
        return _holds_objects(tree, bound, own)
    if isinstance(tree, ast.Compare):
        return len(tree.ops) == 1 and _compares(tree.left, tree.ops[0], tree.comparators[0], bound, own)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute):
        asked = tree.func.value
        return _is_object(asked, bound, own) or (isinstance(asked, ast.Name) and asked.id in own)
    return isinstance(tree, ast.Attribute | ast.Subscript) and _is_object(tree.value, bound, own)


def _compares(left: ast.expr, operator: ast.cmpop, right: ast.expr, bound: Bound, own: frozenset[str]) -> bool:
    if isinstance(operator, _IDENTITY):
        return False
    if isinstance(operator, _CONTAINS):
        return _is_object(right, bound, own)
    sides = (left, right)
    of_objects = [_is_object(side, bound, own) for side in sides]
    return any(of_objects) and all(
        is_object or isinstance(side, ast.Constant) for side, is_object in zip(sides, of_objects, strict=True)
    )


def _holds_objects(node: ast.expr, bound: Bound, own: frozenset[str]) -> bool:
    """Tell whether a value is such an object, or some of them in a list or tuple, also sorted by Python."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Call(func=ast.Name(id="sorted"), args=parts):
            return bool(parts) and all(_holds_objects(part, bound, own) for part in parts)
        case _:
            return _is_object(node, bound, own)


def _is_object(node: ast.expr, bound: Bound, own: frozenset[str]) -> bool:
    made = bound.get(node.id) if isinstance(node, ast.Name) else node
    return isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id in own


def _bound_by(steps: Sequence[ast.stmt]) -> dict[str, ast.expr | None]:
    # None stands for a name of which more than one plain assignment decides.
    bound: dict[str, ast.expr | None] = {}
    for step in steps:
        plain = step.targets[0] if isinstance(step, ast.Assign) and len(step.targets) == 1 else None
        for name in {each for node in ast.walk(step) for each in bound_by(node)} | names_in(step, ast.Del):
            bound[name] = None
        if isinstance(step, ast.Assign) and isinstance(plain, ast.Name):
            bound[plain.id] = step.value
    return bound
