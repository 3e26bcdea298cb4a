"""Conditions that a document writes in Python, and the exceptions it names: what is read, and what is left alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.programs.extract import extract_contract, extract_module
from probatum.programs.parsing.documents import plain_document
from probatum.programs.requirements.written_conditions import Scope, python_condition
from probatum.readings.syntax import parse_expression
from tests.programs.parsing import read

TYPED = "def f(n: int, k: int, xs: list[int]):"
SCOPE = Scope(("n", "k", "xs"), frozenset({"helper"}))

CONDITIONS: Mapping[str, str | None] = {
    "n > 10": "n > 10",
    "n is 0": "n == 0",
    "n is None": "n is None",
    "n ≤ k": "n <= k",
    "n < 10^9": "n < 10 ** 9",
    "n ^ k == 0": None,
    "n^2 < 9": None,
    "xs.length > 0": "len(xs) > 0",
    "0 <= xs[i] <= 9": "all(0 <= each_ <= 9 for each_ in xs)",
    "not 0 <= k < len(xs)": "not 0 <= k < len(xs)",
    "n not in xs": "n not in xs",
    "not isinstance(n, int)": "not isinstance(n, int)",
    "helper(n) > 1": "helper(n) > 1",
    # Words, strangers, and what is no condition.
    "n is negative": None,
    "the list is empty": None,
    "m < 0": None,
    "stranger(n) > 1": None,
    "n.secret > 1": None,
    "n": None,
    "1 < 2": None,
    "": None,
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions(text: str) -> None:
    assert python_condition(text, SCOPE) == CONDITIONS[text]


OF_ELEMENTS: Mapping[str, str] = {
    "n >= 1 and xs[i] >= 0": "(n >= 1) and all(each_ >= 0 for each_ in xs)",
    "n == 0 or xs[i] >= 0": "all(n == 0 or each_ >= 0 for each_ in xs)",
}


@pytest.mark.parametrize("text", OF_ELEMENTS)
def test_only_what_speaks_of_an_element_is_asked_of_elements(text: str) -> None:
    assert python_condition(text, SCOPE) == OF_ELEMENTS[text]


DEMANDS: Mapping[str, list[str]] = {
    "Constraints:\n    1 <= n <= 10^5\n    1 <= xs.length <= 9\n    0 <= xs[i] <= 9\n    k must be positive": [
        "1 <= n <= 10 ** 5",
        "1 <= len(xs) <= 9",
        "all((0 <= each_ <= 9 for each_ in xs))",
    ],
    "- 1 <= n <= 10": ["1 <= n <= 10"],
    "Args:\n    k: The place. 0 <= k < len(xs).": ["0 <= k < len(xs)"],
    # In words, in a sentence, or about something else.
    "n must be positive.": [],
    "n must be > 10.": [],
    "n must be one of 'a', 'b' or 'c'.": [],
    "Args:\n    n: The count. n must be positive.": [],
    "Args:\n    n: between 0 and 100 (inclusive)": [],
    ":param n: 'a' or 'b'": [],
    "Return True if n is positive.": [],
    "Check that n > 0.": [],
    "See assert_less(n < k).": [],
    "1 <= m <= 10": [],
}


def _normal(expression: str) -> str:
    return ast.unparse(ast.parse(expression, mode="eval"))


@pytest.mark.parametrize("document", DEMANDS)
def test_demands(document: str) -> None:
    found = read(document, TYPED).preconditions
    assert [_normal(each.expression) for each in found] == [_normal(each) for each in DEMANDS[document]]


RAISED: Mapping[str, list[str]] = {
    "Raises:\n    KeyError: If n not in xs.": ["KeyError"],
    "Raises:\n    ValueError: If n is negative or k is zero.\n    OwnError": ["ValueError", "OwnError"],
    "Raises\n------\nTypeError\n    If `not isinstance(n, int)`.": ["TypeError"],
    ":raises ValueError: when n < 0": ["ValueError"],
    # In words alone, or no exception.
    "Raises ValueError if n < 0.": [],
    "A ValueError is raised if n < 0.": [],
    "Returns None instead of raising ValueError.": [],
    "Raises:\n    Nothing: ever": [],
}


@pytest.mark.parametrize("document", RAISED)
def test_exceptions_are_names(document: str) -> None:
    assert [each.type_name for each in read(document, TYPED).raises] == RAISED[document]


def test_a_parameter_that_may_be_left_out_may_be_none() -> None:
    [clause] = read("Requires:\n    n > 0", "def f(n=None):").preconditions
    assert clause.expression == "n is None or (n > 0)"


def test_contradicting_bounds_do_not_count() -> None:
    function = read("Requires:\n    n > 0\n    n < 0", "def f(n):")
    assert function.preconditions == ()
    assert [each.reason for each in function.unreadable] == ["contradicts line 5", "contradicts line 4"]


def test_a_clause_has_its_place_and_source() -> None:
    written = "n: The count. 0 <= n and \\\n            n <= 9."
    source = f'def f(n):\n    """Do it.\n\n    Args:\n        {written}\n    """\n'
    [clause] = extract_module(source).functions[0].preconditions
    assert (clause.id, clause.source, clause.span.line, clause.span.column) == ("r1", "docstring", 5, 22)
    assert clause.text == "0 <= n and \\\n            n <= 9."


def test_a_contract_states_conditions_too() -> None:
    function = extract_module("def f(n):\n    return n\n").functions[0]
    added = extract_contract("Requires:\n    n > 0\n\n:raises ValueError: for more than 9\n\n>>> f(1)\n1", function)
    assert [(each.expression, each.source) for each in added.preconditions] == [("n > 0", "contract")]
    assert [(each.type_name, each.source) for each in added.raises] == [("ValueError", "contract")]
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
