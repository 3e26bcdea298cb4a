"""Sentences about arguments and exceptions as conditions, by table: what is read, and what is left alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Literal

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


OF_ELEMENTS: Mapping[tuple[Literal["all", "any"], str], str] = {
    ("any", "xs[i] < 0"): "any(each_ < 0 for each_ in xs)",
    ("any", "len(xs) == 0 or xs[i] < 0"): "(len(xs) == 0) or any(each_ < 0 for each_ in xs)",
    ("any", "n > 1 and xs[i] < 0"): "any(n > 1 and each_ < 0 for each_ in xs)",
    ("all", "n >= 1 and xs[i] >= 0"): "(n >= 1) and all(each_ >= 0 for each_ in xs)",
    ("all", "n == 0 or xs[i] >= 0"): "all(n == 0 or each_ >= 0 for each_ in xs)",
}


@pytest.mark.parametrize(("of_elements", "text"), OF_ELEMENTS)
def test_only_what_speaks_of_an_element_is_asked_of_elements(of_elements: Literal["all", "any"], text: str) -> None:
    assert python_condition(text, SCOPE, of_elements) == OF_ELEMENTS[of_elements, text]


def test_an_exception_is_due_where_one_element_is_wrong() -> None:
    [due] = read("Raises:\n    ValueError: if xs[i] < 0", header=TYPED).raises
    assert due.condition == "any(each_ < 0 for each_ in xs)"


DEMANDS: Mapping[str, list[str]] = {
    "n must be positive.": ["n > 0"],
    "`n` must be a positive integer.": ["n > 0"],
    "n must be > 10.": ["n > 10"],
    "Note that n must be None or a positive integer.": ["n is None or n > 0"],
    "n must be one of 'a', 'b' or 'c'.": ["n in ('a', 'b', 'c')"],
    'n should be either "a" or "b".': ["n in ('a', 'b')"],
    "Constraints:\n    1 <= n <= 10^5\n    1 <= xs.length <= 9\n    0 <= xs[i] <= 9\n    k must be positive": [
        "1 <= n <= 10 ** 5",
        "1 <= len(xs) <= 9",
        "all((0 <= each_ <= 9 for each_ in xs))",
        "k > 0",
    ],
    "- 1 <= n <= 10": ["1 <= n <= 10"],
    "Args:\n    n: The count. n must be positive.": ["n > 0"],
    "Args:\n    k: The place. 0 <= k < len(xs).": ["0 <= k < len(xs)"],
    "Args:\n    n: between 0 and 100 (inclusive)": ["0 <= n <= 100"],
    "Args:\n    k: The place. Must be between 0 and n.": ["0 <= k <= n"],
    "Args:\n    k: The place (between 0 and n, inclusive).": ["0 <= k <= n"],
    ":param n: 'a' or 'b'": ["n in ('a', 'b')"],
    ':param n: Mode: "a", "b", or "c".': ["n in ('a', 'b', 'c')"],
    "Args:\n    n: The mode. One of 'a', 'b'.": ["n in ('a', 'b')"],
    # Conditional, open, about the result, an illustration, or about something else.
    "n must be positive if k is odd.": [],
    "If k is odd, n must be positive.": [],
    "With three arguments:\n\n- n must be positive": [],
    "n must be positive or even.": [],
    "m must be positive.": [],
    "The result must be positive.": [],
    "Return True if n is positive.": [],
    "Check that n > 0.": [],
    "See assert_less(n < k).": [],
    "Args:\n    n: between 0 and 1 (exclusive)": [],
    "Args:\n    n: between 0 and m": [],
    "Args:\n    n: e.g.: 'a', 'b'": [],
    "Args:\n    n: the mode (such as 'a', 'b')": [],
    "Args:\n    n: Mode or None: 'a', 'b'": [],
    "Args:\n    n: 'a', 'b' or a path": [],
    "Args:\n    n: A pair.\n        - The second one: 'a' or 'b'": [],
    "Args:\n    n: currently 'local', 'remote'": [],
}


def _normal(expression: str) -> str:
    return ast.unparse(ast.parse(expression, mode="eval"))


@pytest.mark.parametrize("document", DEMANDS)
def test_demands(document: str) -> None:
    found = read(document, TYPED).preconditions
    assert [_normal(each.expression) for each in found] == [_normal(each) for each in DEMANDS[document]]


RAISED: Mapping[str, list[tuple[str, str | None]]] = {
    "Raises ValueError if n < 0.": [("ValueError", "n < 0")],
    "Raise a `ValueError` if the moon is full.": [("ValueError", None)],
    "Raises IndexError for an empty list.": [("IndexError", None)],
    "Raises :class:`OSError` on failure.": [("OSError", None)],
    "A ValueError is raised if n < 0.": [("ValueError", "n < 0")],
    "Raises:\n    KeyError: If n not in xs.": [("KeyError", "n not in xs")],
    "Raises:\n    ValueError: If n is negative or k is zero.": [("ValueError", "n < 0"), ("ValueError", "k == 0")],
    "Raises\n------\nTypeError\n    If `not isinstance(n, int)`.": [("TypeError", "not isinstance(n, int)")],
    ":raises ValueError: when n < 0": [("ValueError", "n < 0")],
    # Of something else than the call, or left open.
    "Raise GeneratorExit inside the generator.": [],
    "If the path given to the closure is no folder, OSError is raised.": [],
    "If true, errors raise a ValueError.": [],
    "Never raises ValueError if n < 0.": [],
    "Returns None instead of raising ValueError.": [],
    "A thing is raised if n < 0.": [],
}


@pytest.mark.parametrize("document", RAISED)
def test_exceptions(document: str) -> None:
    assert [(each.type_name, each.condition) for each in read(document, TYPED).raises] == RAISED[document]


OF_ONE_EXCEPTION: Mapping[str, list[str | None]] = {
    "If `n` is negative, if `xs` is empty, or if both are None": ["n < 0", "len(xs) == 0", None],
    "If n is negative or larger than k": ["n < 0", "n > k"],
    "If ``n`` is less than one or the moon is full": ["n < 1", None],
    "If n is not between 1 and 9.": ["not (1 <= n <= 9)"],
    "If n is outside of the range 1 to 9 (inclusive)": ["not 1 <= n <= 9"],
    "If n is greater than or equal to k.": ["n >= k"],
    "If n is not positive": ["not n > 0"],
    "Raised if n is zero.": ["n == 0"],
    "If xs is longer than k items": ["len(xs) > k"],
    "If xs is shorter than two items": ["len(xs) < 2"],
    "If n is after k": ["n > k"],
    "If the limit is before n": ["k < n"],
    "If the limit is earlier than xs": [None],
    "If n is not an int": ["not isinstance(n, int)"],
    "If n < 0, or if the limit is None": ["n < 0", "k is None"],
    "If the given limit is negative. Zero is fine.": ["k < 0"],
    # What may restrict a clause leaves it open.
    "If n is negative. Only in strict mode.": [None],
    "If n is negative unless k is zero": [None],
    "If n is negative, in strict mode or for lists": [None],
    "If n is negative and k is huge": [None],
    "If n is not an int or a float": [None],
    "If n is negative or k is zero and xs is huge": [None],
    "If none of k, xs or n is None": [None],
    "If a number is negative": [None],
    "If the count is negative": [None],
    "If the size of xs is zero": [None],
    "If m is negative": [None],
    "If n is negative on Windows": [None],
}


@pytest.mark.parametrize("words", OF_ONE_EXCEPTION)
def test_the_cases_of_one_exception(words: str) -> None:
    entries = "Args:\n    n: One.\n    xs: The counts, a count each.\n    k: The limit of it."
    wanted = [None if each is None else _normal(each) for each in OF_ONE_EXCEPTION[words]]
    found = [each.condition for each in read(f"{entries}\n\nRaises:\n    KeyError: {words}", TYPED).raises]
    assert [None if each is None else _normal(each) for each in found] == wanted


def test_every_case_has_its_own_place() -> None:
    words = "KeyError: If n is negative,\n            or if m is empty."
    source = f'def f(n, m):\n    """Do it.\n\n    Raises:\n        {words}\n    """\n'
    first, second = extract_module(source).functions[0].raises
    assert (first.text, first.span.line) == ("If n is negative", 5)
    assert (second.text, second.span.line) == ("if m is empty.", 6)


def test_a_noun_of_two_parameters_names_none() -> None:
    document = (
        "Args:\n    n: The price in euro.\n    k: The price in yen.\n\nRaises:\n    KeyError: If the price is negative."
    )
    assert [each.condition for each in read(document, TYPED).raises] == [None]


def test_a_parameter_that_may_be_left_out_may_be_none() -> None:
    [clause] = read("n must be positive.", "def f(n=None):").preconditions
    assert clause.expression == "n is None or (n > 0)"


def test_contradicting_bounds_do_not_count() -> None:
    function = read("n must be positive.\n\nn must be < 0.", "def f(n):")
    assert function.preconditions == ()
    assert [each.reason for each in function.unreadable] == ["contradicts line 5", "contradicts line 3"]


def test_a_clause_has_its_place_and_source() -> None:
    written = "n: The count (between 0 \\\n            and 9). Or so."
    source = f'def f(n):\n    """Do it.\n\n    Args:\n        {written}\n    """\n'
    [clause] = extract_module(source).functions[0].preconditions
    assert (clause.id, clause.source, clause.span.line, clause.span.column) == ("r1", "docstring", 5, 11)
    assert clause.text == "The count (between 0 \\\n            and 9)."


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
