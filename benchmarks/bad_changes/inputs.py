"""Inputs near given ones, to show that two versions of a function differ: written out as Python, the same each time."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeVar

_MOST = 400
_Row = TypeVar("_Row", str, bytes, list[object], tuple[object, ...])


def variations(calls: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return calls in which one argument is another one, each argument written as Python; the given ones come first."""
    found: dict[tuple[str, ...], None] = dict.fromkeys(tuple(each) for each in calls)
    others = {each for call in calls for each in call}
    for call in calls:
        for index, written in enumerate(call):
            value: object = ast.literal_eval(written)
            near = [repr(each) for each in _near(value)]
            near += sorted(each for each in others if type(ast.literal_eval(each)) is type(value))[:10]
            for each in near:
                found.setdefault((*call[:index], each, *call[index + 1 :]))
    return [list(each) for each in found][:_MOST]


def _parts(value: _Row) -> Iterator[_Row]:
    yield from (value + value[-1:], value[1:], value[:-1], value[::-1], value + value, value[:0], value[:1])


def _near(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, -value, value * 2 + 3, 10 * value)
        case float():
            yield from (value + 1, -value, value * 1.5)
        case str() if value:
            yield from _parts(value)
            yield from (value.swapcase(), f" {value}", f"{value}-", f"0{value}", f"x{value}", f"{value}.9")
        case bytes() if value:
            yield from _parts(value)
        case list() if value:
            yield from _parts(value)
        case tuple() if value:
            yield from _parts(value)
        case dict() if value:
            yield dict(list(value.items())[1:])
        case None:
            yield from (0, "")
        case _:
            return
