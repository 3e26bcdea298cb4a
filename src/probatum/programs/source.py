"""One program under judgement: its bytes, its text, its syntax, what it specifies.

It is made once, where the program is read (`programs.loading`), and handed on. Nothing changes its tree.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from dataclasses import dataclass

from probatum.core.limits import (
    MAX_SOURCE_DEPTH,
    MAX_SOURCE_TOKENS,
    TOO_DEEP,
    ExtentError,
    require_few_collisions,
    require_shallow,
)
from probatum.programs.specification import ModuleSpec
from probatum.sandbox import Program

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `parsed` raises for text that is not Python, or that is too large or nested too deeply."""
# Possessive, and a text that never ends is one too: nothing is tried twice. Comments and plain texts make no syntax.
PLAIN_TEXTS = (
    r"'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3}|\Z)",
    r'"{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3}|\Z)',
    r"'(?:[^'\\\n]|\\.)*+'?",
    r'"(?:[^"\\\n]|\\.)*+"?',
)
_TOKEN = re.compile(
    rf"#[^\n]*+|\n|(?P<formatted>\b(?i:f|rf|fr))?+(?:{'|'.join(PLAIN_TEXTS)})|(?P<name>\w++)|[^\w\s]", re.DOTALL
)
_PART = re.compile(r"\w++|[^\w\s]")
# A shorter number is its own hash.
_LONG_NUMBER = 18
_NUMBER = re.compile(r"[1-9][0-9]{1,4000}|0[xX][0-9a-fA-F]+")


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
    text = content.decode(encoding)
    # Some codecs take very long, or lose what they read; a program could not be changed in one place.
    if text.encode(encoding, "backslashreplace") != content:
        raise SyntaxError(f"the encoding {encoding} does not keep the text")
    return encoding, text


def encoded(source: Source, text: str) -> bytes:
    """Return the bytes of a changed program; a change must not alter the encoding of the file."""
    return text.encode(source.encoding, "backslashreplace")


def expression_of(text: str) -> ast.expr | None:
    """Return the syntax of one expression, None where the text is not one."""
    try:
        return require_shallow(ast.parse(text.strip(), mode="eval"), len(text)).body
    except UNPARSABLE:
        return None


def module_or_none(text: str | bytes) -> ast.Module | None:
    """Return the syntax of some statements, None where the text is not Python."""
    try:
        return parsed(text)
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


def parsed(text: str | bytes, levels: int = MAX_SOURCE_DEPTH) -> ast.Module:
    """Return the syntax of a text without the warnings that Python has for it; raises what `UNPARSABLE` lists.

    A text of too many tokens is refused before it is parsed: its syntax would take up to two thousand times its size.
    One that is nested too deeply is refused behind that: each Python gives up at another depth.
    """
    require_few_tokens(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return require_shallow(ast.parse(text, "program"), len(text), levels)
        except RecursionError as error:
            raise ExtentError(TOO_DEEP.format(levels=levels)) from error


def require_few_tokens(text: str | bytes) -> None:
    """Raise ExtentError where a text has too many tokens, or numbers of one hash, to be parsed."""
    # A text has no more tokens than characters.
    if len(text) <= MAX_SOURCE_TOKENS:
        return
    count, numbers = 0, list[str]()
    for token in _TOKEN.finditer(text if isinstance(text, str) else text.decode("latin-1")):
        # An f-string is code; of other tokens a name alone may be a number.
        parts = _PART.findall(token[0]) if token["formatted"] else (token["name"] or "",)
        count += len(parts)
        if count > MAX_SOURCE_TOKENS:
            raise ExtentError(f"the source has more than {MAX_SOURCE_TOKENS:,} tokens")
        numbers += [each.replace("_", "") for each in parts if len(each) > _LONG_NUMBER and each[0].isdigit()]
    require_few_collisions([int(each, 0) for each in numbers if _NUMBER.fullmatch(each)])
