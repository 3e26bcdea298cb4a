"""Sections of documents in every style: what is said of which parameter, and of which exception."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from probatum.programs.parsing.documents import plain_document
from probatum.programs.parsing.section_parts import TextRange, sentence_ranges
from probatum.programs.parsing.sections import Sections, read_sections

Row = tuple[str, str]


def spoken(text: str, part: TextRange) -> str:
    return " ".join(part.of(text).split())


@dataclass(frozen=True)
class Case:
    text: str
    parameters: list[Row] = field(default_factory=list)
    raises: list[tuple[str, str]] = field(default_factory=list)
    requires: list[str] = field(default_factory=list)


CASES: Mapping[str, Case] = {
    "google": Case(
        "Sum.\n\nArgs:\n    n (int, optional): The count.\n        At least 1.\n    xs: The list.\n\nReturns:\n"
        "    int: The sum.\n\nRaises:\n    ValueError: If n < 0.\n",
        [("n", "The count. At least 1."), ("xs", "The list.")],
        [("ValueError", "If n < 0.")],
    ),
    "google in a docstring": Case("Sum.\n\n    Args:\n        n: The count.\n    ", [("n", "The count.")]),
    "google with dashes": Case(
        "Parameters:\n  - n - the count\n  * xs -- the list", [("n", "the count"), ("xs", "the list")]
    ),
    "google unindented": Case("Args:\nn: the count\nxs: the list\n\nMore.", [("n", "the count"), ("xs", "the list")]),
    "several names": Case("Args:\n    n, xs: both", [("n", "both"), ("xs", "both")]),
    "foreign names": Case("Args:\n    other: the count"),
    "starred": Case("Args:\n    *xs: the list", [("xs", "the list")]),
    "called like a section": Case(
        "Parameters\n----------\nn : int\n    The count.\nargs : tuple\n    The rest.",
        [("n", "The count."), ("args", "The rest.")],
    ),
    "starred and escaped": Case(":param \\*\\*xs: the list", [("xs", "the list")]),
    "numpy": Case(
        "Sum.\n\nParameters\n----------\nn : int, optional\n    The count.\nxs : {'a', 'b'}\n\nReturns\n"
        "-------\ntotal : int\n"
        "    The sum.\n\nRaises\n------\nValueError\n    If `n` is negative.\n\nNotes\n-----\nMore.\n",
        [("n", "The count."), ("xs", "")],
        [("ValueError", "If `n` is negative.")],
    ),
    "sphinx": Case(
        "Sum.\n\n:param int n: the count,\n    at least 1\n:param xs: the list\n:type xs: list[int]\n"
        ":returns: the sum\n:rtype: int\n"
        ":raises ValueError: if n is negative\n",
        [("n", "the count, at least 1"), ("xs", "the list")],
        [("ValueError", "if n is negative")],
    ),
    "epydoc": Case(
        "@param n: the count\n@raise ValueError: if n is 0",
        [("n", "the count")],
        [("ValueError", "if n is 0")],
    ),
    "inline": Case("Returns: the sum\nRaises: ValueError if n < 0.", [], [("ValueError", "if n < 0.")]),
    "several exceptions": Case(
        "Raises:\n    ValueError, TypeError: If n is bad.",
        [],
        [("ValueError", "If n is bad."), ("TypeError", "If n is bad.")],
    ),
    "exception in a role": Case("Raises:\n    :exc:`~m.OwnError`: never", [], [("OwnError", "never")]),
    "constraints": Case("Constraints:\n    1 <= n <= 9\n    * n is odd", requires=["1 <= n <= 9", "* n is odd"]),
    "constraints unindented": Case("Constraints:\n1 <= n\n\nMore.", requires=["1 <= n"]),
    "prose about arguments": Case("The arguments: n is the count."),
}


def sections(text: str) -> Sections:
    return read_sections(plain_document(text), ("n", "xs", "args"))


@pytest.mark.parametrize("name", CASES)
def test_sections(name: str) -> None:
    case = CASES[name]
    found = sections(case.text)

    def words(part: TextRange | None) -> str | None:
        return None if part is None else spoken(case.text, part)

    assert [(each.name, words(each.text)) for each in found.parameters] == case.parameters
    assert [(each.type_name, words(each.text)) for each in found.raises] == case.raises
    assert [words(each) for each in found.requires] == case.requires


def test_running_text_leaves_out_sections_and_sessions() -> None:
    text = "Sum it.\nAll.\n\nArgs:\n    n: the count\n\nReturns:\n    the sum\n\n- one\n- two\n\n>>> f(1)\n1\n\nLast."
    assert [spoken(text, each) for each in sections(text).running] == ["Sum it. All.", "- one", "- two", "Last."]


def test_sentences_end_at_full_stops_and_not_at_abbreviations() -> None:
    text = "Must be odd, e.g. 3. Raises X. New one"
    [whole] = sections(text).running
    assert [spoken(text, each) for each in sentence_ranges(text, whole)] == [
        "Must be odd, e.g. 3.",
        "Raises X.",
        "New one",
    ]
