"""Where things stand in a text: its lines, its functions and classes by qualified name, and the ends of docstrings.

Lines end as Python and the Language Server Protocol have it. Refuses to place an example where it would not be read as
one: in a docstring of a single pair of quotes, or one that the example would end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from probatum.core.limits import require_shallow

_ENDS: Final = re.compile(r"\r\n|\r|\n")
_QUOTES: Final = ('"""', "'''")
_PROMPT: Final = ">>>"
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Docstring:
    """Where the text of a docstring ends, lines counted from the first one of its definition."""

    line: int
    column: int
    indent: str
    quotes: str
    is_raw: bool
    ends_alone: bool
    """Whether nothing but white space stands before its closing quotes."""
    follows_example: bool
    """Whether an example stands last in it."""

    def with_example(self, example: str) -> str | None:
        """Return what to insert for an example; None where it would not be read as one."""
        written = example if self.is_raw else example.replace("\\", "\\\\")
        if self.quotes in written:
            return None
        lines = [self.indent + line for line in written.splitlines()]
        if not self.follows_example:
            lines.insert(0, "")
        if self.ends_alone:
            # The closing quotes keep the indentation that stands before them.
            return "\n".join([*lines, ""])
        return "\n".join(["", *lines, self.indent])


@dataclass(frozen=True, slots=True)
class DefinedPlace:
    """A function or class as it stands in a text; ``first`` is its first line, counted from 0."""

    first: int
    lines: tuple[str, ...]
    docstring: Docstring | None = None

    @property
    def last(self) -> int:
        """Its last line."""
        return self.first + len(self.lines) - 1

    def moved(self, by: int) -> DefinedPlace:
        """Return it so many lines further down."""
        return replace(self, first=self.first + by)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without their ends."""
    return _ENDS.split(text)


def definitions_in(text: str) -> Mapping[str, DefinedPlace]:
    """Return the functions and classes of a text by qualified name, of several the last; none if it is not Python."""
    try:
        tree = require_shallow(ast.parse(text), len(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    lines = lines_of(text)
    return {name: _definition(node, lines) for name, node in _defined(tree, "")}


def _defined(parent: ast.AST, prefix: str) -> Iterator[tuple[str, Defined]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, Defined):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _defined(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.stmt):
            yield from _defined(node, prefix)


def _definition(node: Defined, lines: Sequence[str]) -> DefinedPlace:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
    own = tuple(lines[first : node.end_lineno])
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str()) as constant):
            return DefinedPlace(first, own, _docstring(constant, own, first))
    return DefinedPlace(first, own)


def _docstring(node: ast.Constant, lines: Sequence[str], first: int) -> Docstring | None:
    begin, end = node.lineno - 1 - first, (node.end_lineno or node.lineno) - 1 - first
    opened = lines[begin].encode()[node.col_offset :].decode()
    prefix = opened[: len(opened) - len(opened.lstrip("rRuU"))]
    quotes = opened[len(prefix) :][:3]
    upto = lines[end].encode()[: node.end_col_offset].decode()
    if quotes not in _QUOTES or not upto.endswith(quotes):
        return None
    before = upto[:-3]
    alone = end > begin and not before.strip()
    body = [*lines[begin:end], *([] if alone else [before])]
    return Docstring(
        end,
        0 if alone else len(before),
        re.match(r"[ \t]*", lines[begin])[0],  # type: ignore[index]  # it matches every line
        quotes,
        "r" in prefix.lower(),
        alone,
        _ends_with_example(body),
    )


def _ends_with_example(lines: Sequence[str]) -> bool:
    for line in reversed(lines):
        if not line.strip():
            return False
        if line.lstrip(" \t\"'rRuU").startswith(_PROMPT):
            return True
    return False


def found_again(
    definition: DefinedPlace, places: Mapping[str, Sequence[int]], lines: Sequence[str]
) -> DefinedPlace | None:
    """Return where the same lines stand in another text, the nearest of several; None where they do not.

    ``places`` has the numbers of the lines with each text.
    """
    size = len(definition.lines)
    starts = [
        start for start in places.get(definition.lines[0], ()) if tuple(lines[start : start + size]) == definition.lines
    ]
    if not starts:
        return None
    return definition.moved(min(starts, key=lambda each: abs(each - definition.first)) - definition.first)


def places_of(lines: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Return the numbers of the lines with each text."""
    found = dict[str, list[int]]()
    for number, line in enumerate(lines):
        found.setdefault(line, []).append(number)
    return found
