"""What of a file is reached: registered functions, setters, stubs, and the sessions that given tests show."""

from __future__ import annotations

import ast

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.faults.targets import targets_of
from probatum.programs.parsing.literals import executing
from probatum.programs.running.checks import Statements
from probatum.programs.running.tested_sessions import sessions_of_tests
from probatum.programs.running.variants import session_variants
from probatum.programs.units import units_of

DISPATCHED = """
from functools import singledispatch

@singledispatch
def text(value):
    return str(value)

@text.register
def _(value: bool):
    return "yes"

@text.register(list)
def _(value):
    return ",".join(map(text, value))

@text.register
def number(value: int):
    return hex(value)
"""
PRICED = """
class Item:
    @property
    def price(self):
        return self._price

    @price.setter
    def price(self, value):
        self._price = value
"""

SHADOWED = """
if True:
    def other(n):
        return n + rate
    rate = 3
    n = 5

def twice(n, by=n):
    return n * 2

def thrice(n, by=rate):
    return n * 3

def plain(n):
    return [n for _ in range(2)]
"""


@pytest.mark.parametrize(
    ("source", "name", "lines"),
    [
        (DISPATCHED, "text", [4, 8, 12, 16]),
        (PRICED, "Item", [3, 7]),
        (SHADOWED, "plain", [14]),
        (SHADOWED, "twice", [2, 8]),
        (SHADOWED, "thrice", [2, 11]),
    ],
    ids=["singledispatch", "setter", "a parameter", "a default of the name", "a default"],
)
def test_what_contributes_to_a_name_is_reached(source: str, name: str, lines: list[int]) -> None:
    assert [target.first_line for target in targets_of(ast.parse(source), name)] == lines


@pytest.mark.parametrize(
    ("declaration", "is_judged"),
    [
        ("class Shape(Protocol):\n    def area(self) -> float: ...", False),
        ("class Shape(ABC):\n    @abstractmethod\n    def area(self):\n        raise NotImplementedError", False),
        ("class Shape(ABC):\n    def area(self):\n        return 0", True),
        ("class Shape:\n    def area(self):\n        raise NotImplementedError", True),
    ],
    ids=["protocol", "abstract", "abstract with code", "plain class"],
)
def test_stubs_of_a_protocol_are_no_unit(declaration: str, is_judged: bool) -> None:
    units = units_of(extract_module(declaration + "\n"), None, None)
    assert [unit.qualname for unit in units] == (["Shape"] if is_judged else [])


TESTS = b"""
import pytest
from artifact import Basket

@pytest.fixture
def basket():
    return Basket({"apple": 20})

@pytest.mark.parametrize("count", [1, 2])
def test_adding(basket, count):
    basket.add("apple", count)
    assert basket.total() == 20 * count

def test_unknown():
    with pytest.raises(KeyError):
        Basket({}).add("car")

def test_with_a_stranger(monkeypatch):
    assert Basket({}).total() == 0
"""


def test_sessions_of_tests_hold_steps_and_no_expectation() -> None:
    made = "basket = Basket({'apple': 20})"
    assert sessions_of_tests(TESTS, ("Basket",)) == (
        Statements((made, "basket.add('apple', 1)"), "basket.total()"),
        Statements((made, "basket.add('apple', 2)"), "basket.total()"),
        Statements((), executing("Basket({}).add('car')")),
    )


def test_variants_take_words_of_the_session_and_empty_literals() -> None:
    session = Statements(("s = Series([3, 1, 2])", "s.name('first')", "s.name('other')"), "s.median")
    steps = [step for variant in session_variants([session], count=100, seed=0) for step in variant.setup]
    assert "s = Series([])" in steps
    assert "s.name('other')" in steps
