"""Where examples are inserted: what was inserted is read as an example, and the text stays the program that it was."""

from __future__ import annotations

import ast
import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.language_server.places import definitions_in, found_again, lines_of, places_of

DOCSTRINGS = (
    '"""One."""',
    'r"""One.\n\n    >>> f(1)\n    2\n    """',
    '"""\n    One.\n\n    Two."""',
    '"""One. Ünd 😀"""',
    "'''One.\n\n    >>> f(1)\n    2'''",
    '"""One.\n    """; x = "after"',
    '"""' + '"""',
)
EXAMPLES = (">>> f(3)\n?", ">>> x = 3\n>>> f(x,\n...   2)\n?", ">>> f('a\\n')\n?")


@pytest.mark.parametrize("docstring", DOCSTRINGS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_inserted_example_is_one_more_example(docstring: str, example: str) -> None:
    source = f"class C:\n\n  @staticmethod\n  def f(x):\n    {docstring}\n    return x\n"
    found = definitions_in(source)["C.f"]
    assert found.first == 2
    assert found.docstring is not None
    inserted = found.docstring.with_example(example)
    assert inserted is not None
    lines = source.splitlines(keepends=True)
    number, column = found.first + found.docstring.line, found.docstring.column
    lines[number] = lines[number][:column] + inserted + lines[number][column:]
    before, after = (_examples(each) for each in (source, "".join(lines)))
    added = doctest.DocTestParser().get_examples(f"{example}\n")
    assert [(each.source, each.want) for each in after] == [(each.source, each.want) for each in (*before, *added)]


def _examples(source: str) -> list[doctest.Example]:
    method = ast.parse(source).body[0].body[0]  # type: ignore[attr-defined]  # a class
    return doctest.DocTestParser().get_examples(ast.get_docstring(method) or "")


def test_an_example_that_would_end_the_docstring_is_not_inserted() -> None:
    found = definitions_in('def f(x):\n    """One."""\n')["f"].docstring
    assert found is not None
    assert found.with_example('>>> f("""x""")\n?') is None


@pytest.mark.parametrize("source", ['def f():\n    "One."\n', "def f(x):\n    return x\n", "def f(:\n", "x = '\0'\n"])
def test_what_has_no_place_for_an_example_has_none(source: str) -> None:
    assert all(each.docstring is None for each in definitions_in(source).values())


@given(st.text(st.sampled_from("a\n\r\f\x1c\u2028 "), max_size=30))
def test_lines_are_those_of_python(text: str) -> None:
    source = f"x = '''{text}'''\ny = 1\n"
    assert lines_of(source)[ast.parse(source).body[1].lineno - 1] == "y = 1"


def test_of_several_places_with_the_same_lines_the_nearest_is_the_one() -> None:
    source = "def f():\n    pass\n"
    found = definitions_in(source)["f"]
    lines = lines_of("#\n" + source + "#\n" * 5 + source)
    again = found_again(found, places_of(lines), lines)
    assert again is not None
    assert again.first == 1
    assert found_again(found, {}, []) is None
