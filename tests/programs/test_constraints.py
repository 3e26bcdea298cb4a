"""Sentences about arguments and exceptions as conditions, by table: what is read, and what is left alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.programs.extract import extract_contract, extract_module
from probatum.programs.reading.documents import plain_document
from probatum.programs.reading.literals import parse_expression
from probatum.programs.requirements.conditions import condition_of
from probatum.programs.requirements.phrases import Scope
from tests.programs.reading import read

TYPED = "def f(n: int, k: int, xs: list[int]):"
UNTYPED = Scope(("a", "b"))
SCOPE = Scope(("n", "k", "xs"), {"n": "int", "k": "int", "xs": "list[int]"})

CONDITIONS: Mapping[str, str | None] = {
    "n is negative": "n < 0",
    "the list is empty": "len(xs) == 0",
    "`k` is not between 1 and n": "not (1 <= k <= n)",
    "n > 10": "n > 10",
    "`n < 0`": "n < 0",
    "n = 0": "n == 0",
    "n is 0": "n == 0",
    "n is zero or k is zero": "n == 0 or k == 0",
    "n or k is zero": "n == 0 or k == 0",
    "either n or k is negative": "n < 0 or k < 0",
    "n and k are odd": "n % 2 == 1 and k % 2 == 1",
    "n is less than 0 or greater than 10": "n < 0 or n > 10",
    "n < 1 or not an integer": "n < 1 or not isinstance(n, int)",
    "n is not an int": "not isinstance(n, int)",
    "xs is not a list or a tuple": "not isinstance(xs, (list, tuple))",
    "not 0 <= k < len(xs)": "not 0 <= k < len(xs)",
    "k is greater than the length of xs": "k > len(xs)",
    "k exceeds len(xs)": "k > len(xs)",
    "xs is None or empty": "xs is None or len(xs) == 0",
    "n is not in xs": "not (n in xs)",
    "n is not one of 1, 2 or 3": "not (n in (1, 2, 3))",
    "xs has fewer than 2 elements": "len(xs) < 2",
    "xs contains duplicates": "len(xs) != len(set(xs))",
    "any element of xs is negative": "any(each_ < 0 for each_ in xs)",
    "n is not in the range [0, 10)": "not (0 <= n < 10)",
    "n is less than or equal to zero": "n <= 0",
    # What follows can be read in two ways, or not at all.
    "n is odd and k is even or negative": None,
    "n is not 1 or 2": None,
    "n is not positive and even": None,
    "the string is invalid": None,
    "it is broken": None,
    "xs does not contain k": None,
    "n is neither odd": None,
    "m is negative": None,
    "n": None,
    "": None,
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions(text: str) -> None:
    assert condition_of(text, SCOPE) == CONDITIONS[text]


LENGTHS: Mapping[str, str | None] = {
    "the lengths differ": "len(a) != len(b)",
    "a and b have different lengths": "len(a) != len(b)",
    "the lengths of a and b do not match": "len(a) != len(b)",
    "both lists have the same length": "len(a) == len(b)",
    "a or b is None": "a is None or b is None",
    "the list is empty": None,
}


@pytest.mark.parametrize("text", LENGTHS)
def test_conditions_on_two_arguments(text: str) -> None:
    assert condition_of(text, UNTYPED) == LENGTHS[text]


DEMANDS: Mapping[str, list[str]] = {
    "n must be positive.": ["n > 0"],
    "Here `k` should be at most n.": [],
    "`k` should be at most n.": ["k <= n"],
    "n cannot be negative.": ["not (n < 0)"],
    "xs must not be empty.": ["not (len(xs) == 0)"],
    "xs must be sorted in ascending order.": ["list(xs) == sorted(xs)"],
    "xs must contain at least 2 elements.": ["len(xs) >= 2"],
    "xs must contain only positive integers.": ["all((each_ > 0 for each_ in xs))"],
    "All elements of xs must be distinct.": ["len(xs) == len(set(xs))"],
    "n must be in the range 1 to 10.": ["1 <= n <= 10"],
    "n must be in range(1, 10).": ["1 <= n < 10"],
    "n must be divisible by 3.": ["n % 3 == 0"],
    "The list is guaranteed to be non-empty.": ["len(xs) > 0"],
    "Assume that n is positive.": ["n > 0"],
    "You can assume n > 1 and n is not too large.": ["n > 1"],
    "It is guaranteed that 1 <= k <= n.": ["1 <= k <= n"],
    "Given a non-empty list of integers xs, do it.": ["len(xs) > 0"],
    "Given a positive integer n and a non-negative integer k, do it.": ["n > 0", "k >= 0"],
    "Given two positive integers n and k, do it.": ["n > 0", "k > 0"],
    "Takes a list of positive integers and adds them.": ["all((each_ > 0 for each_ in xs))"],
    "Return the sum of a positive integer n.": ["n > 0"],
    "Return the n-th prime (n >= 1).": ["n >= 1"],
    "Constraints:\n    1 <= n <= 10^5\n    1 <= xs.length <= 9\n    0 <= xs[i] <= 9": [
        "1 <= n <= 10 ** 5",
        "1 <= len(xs) <= 9",
        "all((0 <= each_ <= 9 for each_ in xs))",
    ],
    "Args:\n    n: Positive.": ["n > 0"],
    "Args:\n    n: Not negative.": ["n >= 0"],
    "Args:\n    n (int): The count, must be at least 1.": ["n >= 1"],
    "Args:\n    n (positive int): The count.": ["n > 0"],
    "Args:\n    n: The count (> 0).": ["n > 0"],
    "Args:\n    k: The place. 0 <= k < len(xs).": ["0 <= k < len(xs)"],
    "Args:\n    xs: Non-empty list of scores.": ["len(xs) > 0"],
    "Args:\n    n: between 0 and 100 (inclusive)": ["0 <= n <= 100"],
    "Args:\n    n: a float between 0 and 1 (exclusive)": ["0 < n < 1"],
    ":param n: one of 1, 2, 3": ["n in (1, 2, 3)"],
    ":type n: non-negative int": ["n >= 0"],
    "Parameters\n----------\nn : {'a', 'b'}\n    The mode.": ["n in ('a', 'b')"],
    "Args:\n    n: Positive, or None for all.": ["n is None or n > 0"],
    "Args:\n    n: The limit; at least 1, or None.": ["n is None or n >= 1"],
    "Args:\n    xs: Each between -1 and 1.": ["all(-1 <= each_ <= 1 for each_ in xs)"],
    "Args:\n    xs: Weights, each positive.": ["all(each_ > 0 for each_ in xs)"],
    "Args:\n    xs: Every value must be at least 0.": ["all(each_ >= 0 for each_ in xs)"],
    # Conditional, open, about the result, a case, a default, or about something else.
    "n must be positive if k is odd.": [],
    "If k is odd, n must be positive.": [],
    "Given a positive integer or zero, do it.": [],
    "Given an empty list, return 0.": [],
    "Input: n = 7, k = 6": [],
    "Sorts the given list of integers in ascending order.": [],
    "Return the list sorted in ascending order.": [],
    "Return True if n is positive.": [],
    "Check that n > 0.": [],
    "The list should be sorted.": [],
    "The result must be positive.": [],
    "See assert_less(n < k).": [],
    "Args:\n    n: Positive, or 0.": [],
    "Args:\n    n: positive, or None or zero": [],
    "Args:\n    xs: Each of them is rare.": [],
    "Args:\n    n: Each positive.": [],
    "Args:\n    n: the mode (default: 0)": [],
    "Args:\n    xs: An empty list to fill.": [],
    "Args:\n    n: currently 'local', 'remote'": [],
    "Args:\n    xs: positive": [],
}


def _normal(expression: str) -> str:
    return ast.unparse(ast.parse(expression, mode="eval"))


@pytest.mark.parametrize("document", DEMANDS)
def test_demands(document: str) -> None:
    found = read(document, TYPED).preconditions
    assert [_normal(each.expression) for each in found] == [_normal(each) for each in DEMANDS[document]]


RAISED: Mapping[str, list[tuple[str, str | None]]] = {
    "Raises ValueError if n < 0.": [("ValueError", "n < 0")],
    "A ValueError is raised when n is negative.": [("ValueError", "n < 0")],
    "If n is negative, a ValueError is raised.": [("ValueError", "n < 0")],
    "Raises a `ValueError` unless n is positive.": [("ValueError", "not (n > 0)")],
    "Raises IndexError for an empty list.": [("IndexError", "len(xs) == 0")],
    "Raises ValueError if the moon is full.": [("ValueError", None)],
    "Raises ValueError.": [("ValueError", None)],
    "Raises:\n    KeyError: If n is not in xs.": [("KeyError", "not (n in xs)")],
    "Raises:\n    ValueError: If n is negative or k is zero.": [("ValueError", "n < 0 or k == 0")],
    "Raises\n------\nTypeError\n    If `n` is not an int.": [("TypeError", "not isinstance(n, int)")],
    ":raises ValueError: if n is negative": [("ValueError", "n < 0")],
    "Never raises ValueError.": [],
    "Returns None instead of raising ValueError.": [],
    "If n is odd, and k is even, ValueError is raised.": [("ValueError", None)],
    "A thing is raised if n < 0.": [],
}


@pytest.mark.parametrize("document", RAISED)
def test_exceptions(document: str) -> None:
    assert [(each.type_name, each.condition) for each in read(document, TYPED).raises] == RAISED[document]


def test_a_parameter_that_may_be_left_out_may_be_none() -> None:
    [clause] = read("Args:\n    n: Positive.", "def f(n=None):").preconditions
    assert clause.expression == "n is None or (n > 0)"


def test_contradicting_bounds_do_not_count() -> None:
    function = read("n must be positive.\n\nn must be less than 0.", "def f(n):")
    assert function.preconditions == ()
    assert [each.reason for each in function.unreadable] == ["contradicts line 5", "contradicts line 3"]


def test_a_clause_has_its_place_and_source() -> None:
    written = "n: The count, \\\n            must be positive. Or so."
    source = f'def f(n):\n    """Do it.\n\n    Args:\n        {written}\n    """\n'
    [clause] = extract_module(source).functions[0].preconditions
    assert (clause.id, clause.source, clause.span.line, clause.span.column) == ("r1", "docstring", 5, 11)
    assert clause.text == "The count, \\\n            must be positive."


def test_a_contract_states_conditions_too() -> None:
    function = extract_module("def f(n):\n    return n\n").functions[0]
    added = extract_contract("n must be positive. Raises ValueError if n > 9.\n>>> f(1)\n1", function)
    assert [(each.expression, each.source) for each in added.preconditions] == [("n > 0", "contract")]
    assert [(each.condition, each.source) for each in added.raises] == [("n > 9", "contract")]
    assert [each.source for each in added.examples] == ["contract"]


VOCABULARY = (
    "n k xs must be should is not positive negative empty a an the list of integers between 0 and 10 or , . ( ) < <= "
    "`n` `n < 0` if when Raises ValueError : Args Returns at least one 'a' in range [ ] unless length sorted pre post "
    "__return__ -> >>> f(1) 1e9 10^9 ** - + % Given Assume that all elements"
)
WORDS = st.lists(st.sampled_from([*VOCABULARY.split(), "\n", "\n    ", "\n\n"]), max_size=40).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.one_of(WORDS, st.text(max_size=200)))
def test_any_text_gives_readable_expressions_at_places_of_the_document(text: str) -> None:
    function = extract_module("def f(n: int, k, xs: list): ...").functions[0]
    added = extract_contract(text, function)
    lines = plain_document(text).source
    expressions = [each.expression for each in (*added.preconditions, *added.properties)]
    expressions += [each.condition for each in added.raises if each.condition is not None]
    for expression in expressions:
        parse_expression(expression)
    for clause in (*added.preconditions, *added.properties, *added.raises):
        span = clause.span
        begin, end = lines.offset(span.line, 0) + span.column, lines.offset(span.end_line, 0) + span.end_column
        assert 0 <= begin < end <= len(text)
        assert text[begin:end] == clause.text


LONG: Mapping[str, str] = {
    "demands": "n must be positive. ",
    "headings": "Args:\n",
    "bullets": "- n > 0\n",
    "fields": ":param n: x\n",
    "contract": "pre:\n",
    "open bracket": "(n > 0 ",
    "connectives": "n is negative or ",
    "exceptions": "Raises ValueError if n < 0. ",
}


@pytest.mark.parametrize("name", LONG)
def test_long_documents_are_read_to_their_end(name: str) -> None:
    piece = LONG[name]
    function = read(piece * (60_000 // len(piece)), "def f(n):")
    assert function.qualname == "f"
    assert len(function.preconditions) + len(function.raises) <= 800
