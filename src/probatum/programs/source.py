"""One program under judgement: its bytes, its text, its syntax, what it specifies.

It is made once, where the program is read (`programs.loading`), and handed on. Nothing changes its tree.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from dataclasses import dataclass

from probatum.programs.specification import ModuleSpec
from probatum.sandbox import Program

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `parsed` raises for text that is not Python, or that is nested too deeply."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A program that was read. Two of them are the same only as one object, so that what is kept by it is found."""

    program: Program
    encoding: str
    text: str
    tree: ast.Module
    module: ModuleSpec


def decoded(content: bytes) -> tuple[str, str]:
    """Return the encoding and the text of a Python file; raises `SyntaxError`, `ValueError` or `LookupError`."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    return encoding, content.decode(encoding)


def encoded(source: Source, text: str) -> bytes:
    """Return the bytes of a changed program; a change must not alter the encoding of the file."""
    return text.encode(source.encoding, "backslashreplace")


def expression_of(text: str) -> ast.expr | None:
    """Return the syntax of one expression, None where the text is not one."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except UNPARSABLE:
        return None


def module_or_none(text: str) -> ast.Module | None:
    """Return the syntax of some statements, None where the text is not Python."""
    try:
        return ast.parse(text)
    except UNPARSABLE:
        return None


def normal(expression: str) -> str:
    """Return an expression as Python writes it, so that two that differ in white space alone are equal."""
    tree = expression_of(expression)
    try:
        # A number of too many digits is read in base 16 and cannot be written in base 10.
        return expression if tree is None else ast.unparse(tree)
    except UNPARSABLE:
        return expression


def parsed(text: str | bytes) -> ast.Module:
    """Return the syntax of a text without the warnings that Python has for it; raises what `UNPARSABLE` lists."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, "program")
