"""Writes small programs around a document, and shows what was read from it in a form that tables can hold."""

from __future__ import annotations

from textwrap import indent

from probatum.programs.extract import extract_module
from probatum.programs.loading import read_source
from probatum.programs.source import Source
from probatum.programs.specification import Expectation, FunctionSpec, PrintsText, RaisesError, ReprIs, ValueIs
from probatum.sandbox import Program

RAISES, PRINTS, REPR = "raises", "prints", "repr"


def program(document: str, header: str = "def f(x):", body: str = "return x", before: str = "") -> str:
    """Return a module with one function that has this raw docstring."""
    return f'{before}{header}\n    r"""\n{indent(document, "    ")}\n    """\n    {body}\n'


def read(document: str, header: str = "def f(x):", body: str = "return x", before: str = "") -> FunctionSpec:
    """Return what is read from the document of the last function of a small module."""
    return extract_module(program(document, header, body, before)).functions[-1]


def source_of(text: str | bytes, siblings: tuple[tuple[str, bytes], ...] = ()) -> Source:
    """Return a program that can be read, as it is handed to everything that looks at it."""
    content = text if isinstance(text, bytes) else text.encode()
    read = read_source(Program(content, siblings=siblings))
    assert isinstance(read, Source)
    return read


def shown(expectation: Expectation) -> object:
    """Return a value as itself and any other expectation as a pair."""
    match expectation:
        case ValueIs(value=value):
            return value
        case RaisesError(type_name=name):
            return RAISES, name
        case PrintsText(text=text):
            return PRINTS, text
        case ReprIs(text=text):
            return REPR, text


def pairs(function: FunctionSpec) -> list[tuple[str, object]]:
    """Return the examples as pairs of an expression and what is expected."""
    return [(example.expression, shown(example.expectation)) for example in function.examples]
