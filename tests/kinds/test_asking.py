"""What a reader is told: documentation, signatures and types, and nothing of how a program does it."""

from __future__ import annotations

import ast
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from probatum.core.canonical import JsonValue
from probatum.core.errors import UsageError
from probatum.kinds.program.asking import bare_source, card_of, types_of
from probatum.programs.loading import read_source
from probatum.programs.source import Source
from probatum.programs.units import readable_units
from probatum.sandbox import Program
from tests.programs.test_documentation import PLACES, WORDS

SHOP = '''"""A shop."""
import enum
from dataclasses import dataclass

__all__ = ["total", "Basket"]
Price = int | float
_RATE = 3
_Hidden = dict[str, int]


class Kind(enum.Enum):
    """What is sold."""

    FOOD = "food"
    BOOK = _RATE

    def label(self) -> str:
        return "a label"


@dataclass
class Line:
    """One line."""

    kind: Kind
    price: Price = 0
    notes: _Hidden = None
    check = lambda self: "in a lambda"


@print
def total(lines: list[Line], rate: float = _RATE, *, rounded: bool = True) -> Price:
    """Return the sum of all prices.

    >>> total([])
    0
    """
    # A comment.
    found = _summed(lines)
    return found


def _summed(lines):
    """A private text."""
    return sum(line.price for line in lines)


class Basket:
    """A basket with things."""

    limit = 17

    def __init__(self, size: int) -> None:
        """Make one of a size."""
        self._things = [size]

    def __len__(self) -> int:
        """Tell how many things there are."""
        return len(self._things)

    def _inner(self) -> str:
        """A private method."""


if True:
    def late(n: int) -> int:
        """Return n."""
        return n
'''
NAMES = ("_RATE", "_Hidden", "_summed", "_things", "_inner")


def _source(text: str) -> Source:
    read = read_source(Program(text.encode()))
    assert isinstance(read, Source)
    return read


def _cards(source: Source, name: str | None = None) -> dict[str, dict[str, JsonValue]]:
    cards = {each.qualname: card_of(each, source, ()) for each in readable_units(source.module, name)}
    return {name: card for name, card in cards.items() if card}


def _told(text: str, name: str | None = None) -> str:
    source = _source(text)
    return json.dumps([_cards(source, name), types_of(source, readable_units(source.module, name))])


def test_what_is_told() -> None:
    source = _source(SHOP)
    [card] = _cards(source, "total").values()
    assert card["sig"] == "total(lines: list[Line], rate: float = ..., *, rounded: bool = True) -> Price"
    assert list(card["say"].values()) == ["Return the sum of all prices."]  # type: ignore[union-attr]  # an object
    assert card["examples"] == [">>> total([])\n0"]
    assert types_of(source, readable_units(source.module, "total"))["types"] == [
        'class Kind(enum.Enum):\n    """What is sold."""\n    FOOD = \'food\'\n    BOOK = ...',
        '@dataclass\nclass Line:\n    """One line."""\n    kind: Kind\n    price: Price = 0\n    notes: ... = None\n'
        "    check = ...",
        "Price = int | float",
    ]


def test_a_class_is_told_with_its_public_methods() -> None:
    told = _told(SHOP, "Basket")
    assert "__len__() -> int" in told
    assert "Tell how many things" in told
    assert "private" not in told


def test_everything_public_that_is_documented() -> None:
    assert list(_cards(_source(SHOP))) == ["Kind", "total", "Basket", "late", "Line"]


@pytest.mark.parametrize("name", ["nothing", "Basket.nothing"])
def test_what_is_not_there_is_named(name: str) -> None:
    with pytest.raises(UsageError):
        _cards(_source(SHOP), name)


@pytest.mark.parametrize("place", PLACES)
def test_every_word_of_documentation_is_told_wherever_it_is_written(place: str) -> None:
    text, name = PLACES[place]
    [card] = _cards(_source(text), name).values()
    assert any(WORDS in each for each in card["say"].values())  # type: ignore[operator, union-attr]  # texts


BODIES = (
    "return None",
    "raise NotImplementedError",
    "# A comment.\nyield 1",
    'secret = "secret"\nassert secret\nreturn secret',
    "def inner():\n    '''An inner text.'''\nreturn inner",
)


class _OtherBodies(ast.NodeTransformer):
    def __init__(self, body: str) -> None:
        self._body = body

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        documented = [node.body[0]] if ast.get_docstring(node) is not None else []
        return ast.FunctionDef(
            node.name, node.args, [*documented, *ast.parse(self._body).body], node.decorator_list, node.returns
        )


@given(some.sampled_from(BODIES), some.sampled_from(NAMES), some.sampled_from(["_q", "_very_long_name"]))
def test_no_body_and_no_private_name_changes_a_byte(body: str, name: str, other: str) -> None:
    changed = ast.unparse(ast.fix_missing_locations(_OtherBodies(body).visit(ast.parse(SHOP))))
    changed = re.sub(rf"\b{name}\b", other, changed)
    assert _told(changed) == _told(SHOP)


def test_the_bare_source_of_the_standard_library_has_no_body() -> None:
    for module in (ast, json, re):
        with open(module.__file__, encoding="utf-8") as file:
            bare = ast.parse(bare_source(file.read()))
        for node in ast.walk(bare):
            if isinstance(node, ast.FunctionDef):
                assert len(node.body) == 1
                assert isinstance(node.body[0], ast.Expr)
