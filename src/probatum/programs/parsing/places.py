"""Places besides the docstring where a file documents a function: strings at module level, ``__test__``, comments.

A string is about a function when it stands directly behind it or shows calls of it; comments are when they touch its
signature. Comments for machines, and everything that stands apart by a blank line, are left out.
"""

from __future__ import annotations

import ast
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probatum.programs.parsing.documents import Document, SourceText, docstring_of
from probatum.programs.parsing.signatures import Definition, arguments_of

COMMENT = "comment"
_CALLED = re.compile(r"(?<![\w.])([^\W\d]\w{0,80})\(")
FOR_MACHINES = re.compile(
    r"#(?:!|[ \t]*(?:type:|noqa|pylint:|mypy:|pragma|fmt:|ruff:|isort:|coding[:=]|-\*-|vim:|nosec))"
)
_MOST_LINES = 400
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class ModuleText:
    """A string at module level: its document, the names that it calls, and the definition that it stands behind."""

    document: Document
    called: frozenset[str]
    behind: str | None
    source: str
    """``module`` for a string that stands by itself, ``__test__`` for one of that dictionary."""


def module_texts(source: SourceText, tree: ast.Module) -> tuple[ModuleText, ...]:
    """Return the documenting strings of a module's top level, its docstring included."""
    found: list[ModuleText] = []
    before: ast.stmt | None = None
    for statement in tree.body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str()) as literal):
                behind = before.name if isinstance(before, _DEFINITIONS) else None
                found.append(_text(source, literal, behind, "module"))
            case ast.Assign(targets=[ast.Name(id="__test__")], value=ast.Dict(values=values)):
                strings = [each for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)]
                found.extend(_text(source, each, None, "__test__") for each in strings)
        before = statement
    return tuple(found)


def _text(source: SourceText, literal: ast.Constant, behind: str | None, kind: str) -> ModuleText:
    document = docstring_of(source, literal, str(literal.value))
    return ModuleText(document, frozenset(_CALLED.findall(document.text)), behind, kind)


def comments_about(source: SourceText, node: Definition) -> Document | None:
    """Return the comments above, beside and directly below the signature of a definition as one document."""
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    lines = [*_above(source, first), *_from_signature(source, node)]
    ranges = [part for part in (_comment_range(source, line) for line in lines) if part is not None]
    return _document(source, ranges) if ranges else None


def _above(source: SourceText, first: int) -> list[int]:
    lines: list[int] = []
    line = first - 1
    while line >= 1 and len(lines) < _MOST_LINES and source.line(line).lstrip().startswith("#"):
        lines.append(line)
        line -= 1
    return lines[::-1]


def _from_signature(source: SourceText, node: Definition) -> Iterator[int]:
    """Yield the signature's last line when a comment ends it, and the lines of comments directly below it."""
    body = node.body[0].lineno
    header_end = max([node.lineno, *(each.end_lineno or 0 for each in _header(node))])
    for line in range(header_end, min(body, header_end + _MOST_LINES)):
        text = source.line(line).strip()
        if line > header_end and not text.startswith("#") and text not in {")", "):"} and not text.startswith(") ->"):
            return
        yield line


def _header(node: Definition) -> list[ast.expr | ast.arg]:
    taken = arguments_of(node)
    parts = [*(argument for argument, _, _ in taken), *(default for *_, default in taken), node.returns]
    return [each for each in parts if each is not None]


def _comment_range(source: SourceText, line: int) -> tuple[int, int] | None:
    """Return where the words of a line's comment stand."""
    text = source.line(line)
    start = source.offset(line, 0)
    mark = text.find("#") if text.lstrip().startswith("#") else text.rfind("  #") + 2
    if mark < 0 or not text.startswith("#", mark) or FOR_MACHINES.match(text, mark):
        return None
    begin = mark + len(text[mark:]) - len(text[mark:].lstrip("#"))
    begin += text.startswith(" ", begin)
    return start + begin, start + len(text)


def _document(source: SourceText, ranges: Sequence[tuple[int, int]]) -> Document:
    text: list[str] = []
    begins, ends = array("q"), array("q")
    for begin, end in ranges:
        text.append(source.text[begin:end] + "\n")
        begins.extend(range(begin, end + 1))
        ends.extend(range(begin + 1, end + 1))
        ends.append(end)
    return Document("".join(text), source, ranges[0], begins, ends)
