"""Statements in one spelling read as what they were, and every engine of numbers tells its own."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from importlib import import_module

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.exact.numbers.expressions import Number, read_expression
from probatum.exact.numbers.writing import statement_text
from tests.exact.claims import claim_of
from tests.exact.generated.catalogue import FAMILIES, claims
from tests.exact.test_algebra import FALSE, OPEN, TRUE
from tests.exact.test_arithmetic import FALSE as FALSE_NUMBERS
from tests.exact.test_arithmetic import TRUE as TRUE_NUMBERS

_OF_MATH = tuple(family for family in FAMILIES if family.engine in ("math", "stats", "finance"))
_MADE = [each.statement for each in claims(11, 30 * len(_OF_MATH), _OF_MATH) if not each.statement.startswith("mode")]
STATEMENTS = [*TRUE_NUMBERS, *FALSE_NUMBERS, *(each[0] for each in TRUE + FALSE), *(each[1] for each in OPEN), *_MADE]
STATED = [
    (
        "math",
        "(x+1)^2=x^2+2*x+1",
        {"declare": ["x: positive real"]},
        "for all x: real, x > 0: (x + 1)^2 = x^2 + 2 * x + 1",
    ),
    ("math", "15% of 80 = $12", {}, "15% * 80 = 12 USD"),
    ("math", "x>1 and y>1 -> x*y>1", {}, "x > 1 and y > 1 -> x * y > 1"),
    ("math", "123456 ≈ 1.2e5", {}, "123456 ~= 12e4"),
    ("stats", "mean(data)==2.50", {"data": [1]}, "mean(data) = 2.50"),
    ("stats", "mode != 3", {"data": [1]}, "mode != 3"),
    ("finance", "change(80,100)=25%", {}, "change(80, 100) = 25%"),
    ("linear", "the determinant of A is -2", {"matrix": [[1]]}, "determinant(A) = -2"),
    ("linear", "not invertible", {"matrix": [[1]]}, "A is not invertible"),
    ("linear", "eigenvalues are [3, 2]", {"matrix": [[1]]}, "eigenvalues = [3, 2]"),
    ("sql", "select NAME from t;", {"schema": "CREATE TABLE t (name TEXT)"}, "SELECT NAME FROM t"),
]
_MODULES = {"math": "algebra", "stats": "statistics"}


def _shape(node: object) -> object:
    """Return a tree without the places where its nodes stand; of a number, what it says and how it is rounded."""
    if isinstance(node, tuple):
        return tuple(map(_shape, node))
    if isinstance(node, Number):
        return node.value, node.currency, node.places
    if is_dataclass(node):
        return type(node).__name__, *(_shape(getattr(node, each.name)) for each in fields(node) if each.name != "start")
    return node


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_is_written_reads_as_the_same_tree(statement: str) -> None:
    try:
        node = read_expression(statement.partition(":")[2] or statement, "math.syntax")
    except NotAttemptedError:
        return
    assert _shape(read_expression(statement_text(node), "math.syntax")) == _shape(node)


@pytest.mark.parametrize(("engine", "statement", "given", "text"), STATED)
def test_a_statement_is_told_in_one_spelling(engine: str, statement: str, given: dict[str, object], text: str) -> None:
    module = import_module(f"probatum.exact.{_MODULES.get(engine, engine)}.engine")
    assert module.stated(claim_of(engine, statement, **given)) == text
