"""Values at the border of a condition, on both sides of it: a limit and its neighbours, lengths around it, constants.

Read off the condition's own comparisons with constants and between parameters, elements of a parameter included.
Nothing is evaluated. Refuses lengths that no test needs, and values that are not plain.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

LONGEST = 5_000
_LARGEST = 2**53
_SIZED = (str, bytes, list, tuple)


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a comparison is about: a parameter, its length, or its elements."""

    name: str
    part: str = ""


def border_values(condition: str, values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield parameters with a value each that lies at a border of the condition, the other ``values`` being kept."""
    tree = ast.parse(condition.strip(), mode="eval")
    elements = {
        each.target.id: each.iter.id
        for each in ast.walk(tree)
        if isinstance(each, ast.comprehension) and isinstance(each.target, ast.Name) and isinstance(each.iter, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            pairs = list(pairwise([node.left, *node.comparators]))
            for left, right in [*pairs, *((right, left) for left, right in pairs)]:
                subject = _subject(left, elements)
                if subject is not None and subject.name in values:
                    for limit in _limits(right, values):
                        yield from ((subject.name, each) for each in _around(values[subject.name], subject.part, limit))
        elif isinstance(node, ast.Name) and isinstance(values.get(node.id), _SIZED):
            yield node.id, _of_length(values[node.id], 0)


def _subject(node: ast.expr, elements: Mapping[str, str]) -> _Subject | None:
    match node:
        case ast.Name(id=name) if name in elements:
            return _Subject(elements[name], "element")
        case ast.Name(id=name):
            return _Subject(name)
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            return _Subject(name, "length")
    return None


def _limits(node: ast.expr, values: Mapping[str, object]) -> Iterator[object]:
    match node:
        case ast.Constant(value=value):
            yield value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            yield -value
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            for item in items:
                yield from _limits(item, values)
        case ast.Name(id=name) if name in values:
            yield values[name]
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if isinstance(values.get(name), _SIZED):
            yield _length(values[name])


def _around(value: object, part: str, limit: object) -> Iterator[object]:
    if part == "length":
        if isinstance(limit, int) and not isinstance(limit, bool):
            lengths = (each for each in (limit - 1, limit, limit + 1) if 0 <= each <= LONGEST)
            yield from (made for each in lengths if (made := _of_length(value, each)) is not None)
    elif part == "element":
        if isinstance(value, list | tuple) and value:
            yield from (type(value)([*value[:-1], each]) for each in _neighbours(value[-1], limit))
    else:
        yield from _neighbours(value, limit)


def _neighbours(value: object, limit: object) -> Iterator[object]:
    if isinstance(limit, bool | None):
        yield limit
    elif isinstance(limit, int | float):
        if isinstance(limit, int) and not isinstance(value, float):
            yield from (limit - 1, limit, limit + 1)
        elif math.isfinite(limit) and abs(limit) <= _LARGEST:
            near = float(limit)
            yield from (near - 1, math.nextafter(near, -math.inf), near, math.nextafter(near, math.inf), near + 1)
    elif isinstance(limit, str):
        yield from (limit, limit + "x", limit[:-1])


def _length(value: object) -> int:
    return len(value) if isinstance(value, _SIZED) else 0


def _of_length(value: object, length: int) -> object:
    if not isinstance(value, _SIZED):
        return None
    if isinstance(value, str):
        return ((value or "a") * length)[:length]
    if isinstance(value, bytes):
        return ((value or b"a") * length)[:length]
    if not value and length:
        return None
    return (value * length)[:length]
