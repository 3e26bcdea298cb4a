"""What a value is told as, where two versions of a program are compared: alike exactly where nothing differs."""

from __future__ import annotations

import collections
import datetime
import enum
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from probatum.sandbox.inside.tree_described import described, shown, shown_call


class _Point:
    def __init__(self, x: object) -> None:
        self.x = x


class _Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x: object) -> None:
        self.x = x


@dataclass
class _Pair:
    one: int
    two: int


class _Color(enum.Enum):
    RED = 1
    BLUE = 2


class _List(list[int]):
    pass


class _Hostile:
    def __init__(self) -> None:
        self.x = 1

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("no attribute")

    __hash__ = None  # type: ignore[assignment]  # as a class can


def _cycle() -> list[object]:
    made: list[object] = [1]
    made.append(made)
    return made


_DIFFERENT: list[tuple[Callable[[], object], Callable[[], object]]] = [
    (lambda: 1, lambda: True),
    (lambda: 1, lambda: 1.0),
    (lambda: 0.0, lambda: -0.0),
    (lambda: "a", lambda: b"a"),
    (lambda: [1, 2], lambda: (1, 2)),
    (lambda: [1, 2], lambda: [2, 1]),
    (lambda: {"a": 1, "b": 2}, lambda: {"b": 2, "a": 1}),
    (lambda: {1}, lambda: {2}),
    (lambda: {1}, lambda: frozenset({1})),
    (lambda: _Point(1), lambda: _Point(2)),
    (lambda: _Slotted(1), lambda: _Slotted(2)),
    (lambda: _Pair(1, 2), lambda: _Pair(2, 1)),
    (lambda: _Color.RED, lambda: _Color.BLUE),
    (lambda: _List([1]), lambda: [1]),
    (lambda: ValueError("a"), lambda: ValueError("b")),
    (lambda: ValueError("a"), lambda: TypeError("a")),
    (lambda: datetime.date(2020, 1, 1), lambda: datetime.date(2020, 1, 2)),
    (lambda: collections.deque([1]), lambda: collections.deque([2])),
    (lambda: re.match("a+", "aa"), lambda: re.match("a", "aa")),
    (lambda: None, lambda: ...),
    (lambda: 10**5000, lambda: 10**5000 + 1),
    (lambda: len, lambda: max),
]


@pytest.mark.parametrize(("one", "other"), _DIFFERENT)
def test_what_differs_is_told_otherwise(one: Callable[[], object], other: Callable[[], object]) -> None:
    assert described(one()) == described(one())
    assert described(other()) == described(other())
    assert described(one()) != described(other())


_ANY: dict[str, Callable[[], object]] = {
    "object": object,
    "hostile": _Hostile,
    "cycle": _cycle,
    "surrogate": lambda: "\ud800",
    "not a number": lambda: float("nan"),
    "function": lambda: shown,
    "module": lambda: re,
    "deep": lambda: [[[[[[[[[[1]]]]]]]]]],
    "range": lambda: range(10**9),
}


@pytest.mark.parametrize("name", _ANY)
def test_everything_has_a_description_that_json_can_hold(name: str) -> None:
    told = described(_ANY[name]())
    assert json.loads(json.dumps(told)) == told
    assert len(shown(_ANY[name]())) <= 160


def test_a_set_is_told_without_its_order() -> None:
    words = [f"word{number}" for number in range(50)]
    backwards = dict.fromkeys(words[::-1])
    assert described(set(words)) == described(set(backwards))


def test_what_is_large_is_cut() -> None:
    assert len(json.dumps(described([[each] * 50 for each in range(1000)]))) < 100_000


def test_addresses_are_not_told() -> None:
    assert "0x" not in shown(object()) + shown(_Point(1)) + json.dumps(described([object(), _Point(lambda: 1)]))


def test_a_call_is_shown_as_it_is_written() -> None:
    assert shown_call("f", (1, "a"), {"key": None}) == "f(1, 'a', key=None)"
    assert shown_call("f", (_Hostile(),), {}) == "f(<_Hostile>)"
    assert len(shown_call("f", tuple(["x" * 500] * 50), {})) <= 320


class _Keeping:
    def __init__(self, items: list[int], **others: object) -> None:
        self._items = items
        vars(self).update(others)


def test_a_container_that_is_met_again_is_not_one_that_is_equal() -> None:
    held = [1, 2]
    assert described(held, [held]) != described(list(held), [held])
    assert described([held, held]) != described([held, list(held)])
    assert described(held, _Keeping(held)) != described(list(held), _Keeping(held))
    assert described((1, 2), "ab", (1, 2)) == described((1, 2), "ab", (1, int("2")))


def test_what_only_a_private_attribute_holds_is_its_own_affair() -> None:
    held = [1, 2]
    assert described(_Keeping(held), held) == described(_Keeping(list(held)), held)
    [[_, _, fields]] = described(_Keeping(held, public=held, _copy=held))
    assert fields["public"] == described(held)[0]
