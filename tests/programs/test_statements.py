"""Documentation is cut into statements: every word of it stands in exactly one, or in a place that says nothing."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.programs.extract import extract_module
from probatum.programs.parsing.documents import plain_document
from probatum.programs.specification import NO_WORDS, FunctionSpec, Parameter, Statement
from probatum.programs.statements.cutting import statements_of
from probatum.programs.statements.marks import Surface
from probatum.programs.units import find_function, units_of

_PARAMETERS = (
    Parameter("n", "positional_or_keyword", "int"),
    Parameter("xs", "positional_or_keyword", "list[str]"),
    Parameter("key", "positional_or_keyword", "str | None", "None"),
)
_SIGNATURE = Surface(_PARAMETERS, "int")


@dataclass(frozen=True, slots=True)
class Case:
    """A document and what it is cut into, each as kind, entry and words."""

    text: str
    statements: list[tuple[str, str, str]] = field(default_factory=list)


CASES = {
    "plain": Case(
        "Sum the items. Nothing is rounded.\n\nAn empty list\ngives 0.",
        [
            ("summary", "", "Sum the items."),
            ("sentence", "", "Nothing is rounded."),
            ("sentence", "", "An empty list gives 0."),
        ],
    ),
    "google": Case(
        "Sum.\n\nArgs:\n    n (int): The count. Not\n        negative.\n    xs: Items.\n\n"
        "Returns:\n    int: The sum.\n\nRaises:\n    ValueError: If n < 0.",
        [
            ("summary", "", "Sum."),
            ("parameter", "n", "The count."),
            ("parameter", "n", "Not negative."),
            ("parameter", "xs", "Items."),
            ("result", "", "The sum."),
            ("raises", "ValueError", "If n < 0."),
        ],
    ),
    "numpy": Case(
        "Sum.\n\nParameters\n----------\nn : int\n    The count.\nxs : list of str, optional\n    Items.\n"
        "key : str, optional\n\nReturns\n-------\nint\n    The sum.\n\nRaises\n------\nValueError\n    If n < 0.",
        [
            ("summary", "", "Sum."),
            ("parameter", "n", "The count."),
            ("parameter", "xs", "optional"),
            ("parameter", "xs", "Items."),
            ("result", "", "The sum."),
            ("raises", "ValueError", "If n < 0."),
        ],
    ),
    "sphinx": Case(
        "Sum.\n\n:param int n: the count\n:param xs: items, and\n    more\n:type xs: set\n:returns: the sum\n"
        ":rtype: int\n:raises ValueError: if n < 0\n:ivar total: the total",
        [
            ("summary", "", "Sum."),
            ("parameter", "n", "the count"),
            ("parameter", "xs", "items, and more"),
            ("parameter", "xs", "set"),
            ("result", "", "the sum"),
            ("raises", "ValueError", "if n < 0"),
            ("sentence", "total", "ivar total:"),
            ("sentence", "total", "the total"),
        ],
    ),
    "epydoc": Case(
        "Sum.\n@param n: the count\n@return: the sum\n@raise ValueError: if n is 0",
        [
            ("summary", "", "Sum."),
            ("parameter", "n", "the count"),
            ("result", "", "the sum"),
            ("raises", "ValueError", "if n is 0"),
        ],
    ),
    "markdown": Case(
        "Sum.\n\n### Arguments\n\n- `n`: the count. At least 1.\n- other words\n\n### Result\n\nThe sum.\n\n"
        "**Raises** `ValueError` if n is 0.\n\n| Sign | Meaning |\n|------|---------|\n| `+`  | adds    |",
        [
            ("summary", "", "Sum."),
            ("sentence", "", "`n`: the count."),
            ("sentence", "", "At least 1."),
            ("sentence", "", "other words"),
            ("sentence", "", "The sum."),
            ("sentence", "", "**Raises** `ValueError` if n is 0."),
            ("sentence", "", "| Sign | Meaning |"),
            ("sentence", "", "| `+` | adds |"),
        ],
    ),
    "lists": Case(
        "Insert a sign before a letter\n\n- that follows a digit, or\n- that follows\n  a space.\n\n1. One.\n2) Two.",
        [
            ("summary", "", "Insert a sign before a letter"),
            ("sentence", "", "that follows a digit, or"),
            ("sentence", "", "that follows a space."),
            ("sentence", "", "One."),
            ("sentence", "", "Two."),
        ],
    ),
    "tables": Case(
        "T.\n\n=====  =======\nMode   Meaning\n=====  =======\n``r``  read\n``w``  write it\n=====  =======\n\n"
        "+---+-----+\n| a | b   |\n+===+=====+\n| 1 | one |\n+---+-----+",
        [
            ("summary", "", "T."),
            ("sentence", "", "Mode Meaning"),
            ("sentence", "", "``r`` read ``w`` write it"),
            ("sentence", "", "| a | b |"),
            ("sentence", "", "| 1 | one |"),
        ],
    ),
    "code": Case(
        "Use it so::\n\n    with f(n):\n        ...\n\nThen stop.\n\n```python\nf(1)\n```",
        [
            ("summary", "", "Use it so::"),
            ("sentence", "", "with f(n):"),
            ("sentence", "", "Then stop."),
            ("sentence", "", "f(1)"),
        ],
    ),
    "directives": Case(
        "Sum.\n\n.. versionadded:: 3.2\n   By hand.\n\n.. note::\n   Never 0.\n\nLast.",
        [
            ("summary", "", "Sum."),
            ("sentence", "", ".. versionadded:: 3.2 By hand."),
            ("sentence", "", ".. note:: Never 0."),
            ("sentence", "", "Last."),
        ],
    ),
    "see also": Case(
        "Sum.\n\nSee Also\n--------\nmean : The mean.\n\nNotes\n-----\nSlow.",
        [("summary", "", "Sum."), ("sentence", "", "mean : The mean."), ("sentence", "", "Slow.")],
    ),
    "unknown heading": Case(
        "Box.\n\nAttributes:\n    size (int): The size\n    name: The name.\n\nMore.",
        [("summary", "", "Box."), ("sentence", "", "size (int): The size name: The name."), ("sentence", "", "More.")],
    ),
    "constraints": Case(
        "Sum.\n\nConstraints:\n    * 1 <= n\n    * n is odd",
        [("summary", "", "Sum."), ("sentence", "", "1 <= n"), ("sentence", "", "n is odd")],
    ),
    "only a heading": Case("Args:\n    n: the count", [("parameter", "n", "the count")]),
    "nothing": Case(" \n\n ----- \n"),
}


def told(statements: tuple[Statement, ...]) -> list[tuple[str, str, str]]:
    return [(each.kind.value, each.about, each.text) for each in statements if each.kind not in NO_WORDS]


@pytest.mark.parametrize("name", CASES)
def test_documents(name: str) -> None:
    case = CASES[name]
    assert told(statements_of(plain_document(case.text), _SIGNATURE)) == case.statements


@pytest.mark.parametrize(
    "text",
    [
        "Cut at e.g. 3 or i.e. three, cf. four vs. five.",
        "Give 0.5 of a.b and 3.11 of it.",
        "Wait ... and go on.",
        "The sign ``. `` ends it and `a. B` as well.",
        'The word "stop. Then" is kept.',
        "See https://example.org/a.b?c=d. (And that.)",
        "It is (mostly, etc.) fine.",
    ],
)
def test_no_sentence_ends_inside(text: str) -> None:
    whole = text.removesuffix(" (And that.)")
    assert next(each.text for each in statements_of(plain_document(f"{text} Next one."), _SIGNATURE)) == whole


def spec(text: str, qualname: str = "f") -> FunctionSpec:
    return find_function(extract_module(text), qualname)


def test_examples_are_no_statements_and_words_beside_them_are() -> None:
    found = spec(
        '''
def f(n):
    """Double it.

    Never fails, so f(2) == 4, f(3) == 6.

    >>> m = 2  # two
    >>> f(m)  # twice
    4

    Examples
    f(5) == 10
    assert f(6) == 12  # because it doubles
    f(7) returns 14
    """
'''
    )
    assert len(found.examples) == 5
    assert told(found.statements) == [
        ("summary", "", "Double it."),
        ("sentence", "", "Never fails, so"),
        ("sentence", "", "# two"),
        ("sentence", "", "# twice"),
        ("sentence", "", "# because it doubles f(7) returns 14"),
    ]


def test_a_session_that_cannot_be_read_is_a_statement() -> None:
    found = spec('def f(n):\n    """Double it.\n\n    >>> f(2)\n    4\n    >>> f(3)\n    <a thing ...>\n    """\n')
    assert [each.text for each in found.words] == ["Double it.", ">>> f(3) <a thing ...>"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (">>> f(1)\nTraceback (most recent call last):\n    ...\nValueError: too small", ["too small"]),
        (">>> f(1)\nTraceback (most recent call last):\nValueError", []),
        (">>> f(1)\nValueError: too small", ["too small"]),
        (">>> f(1)  # doctest: +NORMALIZE_WHITESPACE\n2", []),
        (">>> f(1)  # doctest: +NORMALIZE_WHITESPACE as ever\n2", ["# doctest: +NORMALIZE_WHITESPACE as ever"]),
        (">>> f(1)  # => 2", []),
        (">>> f(1)\n2\n# or so", ["# or so"]),
    ],
)
def test_comments_and_messages_in_examples_are_words(text: str, words: list[str]) -> None:
    indented = text.replace("\n", "\n    ")
    found = spec(f'def f(n):\n    """\n    {indented}\n\n    >>> f(4)\n    8\n    """\n')
    assert [each.text for each in found.words] == words


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ("int", []),
        ("list of str or None", []),
        ("mapping of str to list of int", []),
        ("never.below.zero", ["never.below.zero"]),
        ("positive int", ["positive int"]),
        ("'never'", ["'never'"]),
        ("Never[int]", ["Never[int]"]),
    ],
)
def test_a_declared_type_is_code_where_it_is_understood(types: str, words: list[str]) -> None:
    text = f'def f(n):\n    """\n    Args:\n        n ({types}):\n\n    :rtype: {types}\n    """\n'
    assert [each.text for each in spec(text).words] == [*words, *words]


def test_statements_know_their_places_and_their_sources() -> None:
    text = 'def f(n):  # Not negative.\n    """Double\n    it.  Fast.\n    """\n'
    found = spec(text)
    assert [(each.id, each.text, each.source) for each in found.statements] == [
        ("s1", "Double it.", "docstring"),
        ("s2", "Fast.", "docstring"),
    ]
    lines = text.split("\n")
    first, second = (each.span for each in found.statements)
    assert (first.line, first.end_line) == (2, 3)
    assert lines[second.line - 1][second.column : second.end_column] == "Fast."


def test_a_class_has_the_statements_of_its_public_methods() -> None:
    text = '''
class Box:
    """A box."""

    def put(self, item):
        """Put it in."""

    def _hide(self):
        """Hide it."""

    def __len__(self):
        """Count."""
'''
    [unit] = units_of(extract_module(text), None, None)
    assert [(each.id, each.owner, each.text) for each in unit.statements] == [
        ("s1", "", "A box."),
        ("put.s1", "put", "Put it in."),
        ("__len__.s1", "__len__", "Count."),
    ]


@pytest.mark.parametrize(
    "contract",
    ["Never returns a negative number.", 'def f(n: int) -> int:\n    """Never returns a negative number."""\n'],
)
def test_a_contract_adds_its_statements(contract: str) -> None:
    [unit] = units_of(extract_module('def f(n):\n    """Double it."""\n    return n\n'), None, contract)
    assert [(each.id, each.source, each.text) for each in unit.statements] == [
        ("s1", "docstring", "Double it."),
        ("s2", "contract", "Never returns a negative number."),
    ]


_PARTS = st.sampled_from(
    [
        "Sum it. Then stop.",
        "Args:\n    n: The count. Odd.\n    other (int, optional): Words\n        that go on.",
        "Parameters\n----------\nn : int\n    The count.\n*rest\n    Others, e.g. three.",
        ":param n: the count\n:type n: str\n:returns: a sum",
        "Returns:\n    int: The sum\n    of all.",
        "Raises:\n    ValueError: If not.\n    nothing readable here",
        "- one item\n- two items:\n\n    deeper = words",
        "| a | b |\n|---|---|\n| 1 | one |",
        "```python\nx = 1\n\ny = 2\n```",
        "Title words\n-----------\nBelow it.",
        "Note:\n    Indented words.",
        "so::\n\n  code(1)\n\nafter",
        ".. deprecated:: 2\n   Use others.",
        "e.g. this vs. that ... and `a. b`",
    ]
)


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@given(st.lists(_PARTS, max_size=6), st.sampled_from(["\n\n", "\n"]))
def test_every_word_is_in_one_piece(parts: list[str], joint: str) -> None:
    text = joint.join(parts)
    found = statements_of(plain_document(text), _SIGNATURE)
    assert [word for each in found for word in words_of(each.text)] == words_of(text)


@given(st.text(alphabet="ab .:-|>`#*\n\t=1(", max_size=60))
def test_any_text_is_cut_without_loss_or_overlap(text: str) -> None:
    found = statements_of(plain_document(text), _SIGNATURE)
    spans = [((each.span.line, each.span.column), (each.span.end_line, each.span.end_column)) for each in found]
    assert all(begin < end for begin, end in spans)
    assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(spans))
