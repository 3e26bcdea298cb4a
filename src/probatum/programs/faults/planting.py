"""The ground in which faults are planted: the text of a file, its target functions as concrete syntax, and edits.

A fault is a splice of the file's own text, so everything else stays byte for byte as it was.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import libcst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from probatum.core.errors import NotAttemptedError
from probatum.programs.faults.targets import Target, targets_at, targets_of
from probatum.programs.record import DATA_PROBE, PROBE
from probatum.programs.source import UNPARSABLE, Source

# Every kind of mutant with its meaning; docs/reference/mutants.md shows each by examples.
FAULT_KINDS: Mapping[str, str] = {
    "comparison": "A comparison says the opposite.",
    "boundary": "A comparison, a slice, a range or a count begins or ends one place off.",
    "boolean": "`and` and `or` are exchanged.",
    "condition": "A condition is negated.",
    "condition_removed": "One side of a condition, or the filter of a comprehension, is left out.",
    "guard_removed": "A check that raises, returns or goes on is left out.",
    "branch_removed": "A branch is never taken.",
    "early_return": "The result is returned after the first turn of a loop.",
    "arithmetic": "Another operator is used, or a sign is left out.",
    "operand_removed": "One side of an operation is left out.",
    "constant": "A number, a text or a truth value is another one.",
    "item_removed": "One item, one character of a set of characters, or one insertion of an f-string is left out.",
    "call": "Another function of the same family is called, or sorting goes the other way.",
    "call_removed": "A call is left out and its argument used as it is, or sorting loses its key.",
    "argument_swap": "Two arguments of a call are exchanged.",
    "iteration": "A loop passes over the first or the last item.",
    "loop_exit": "`break` and `continue` are exchanged.",
    "statement_removed": "A whole statement is left out.",
    "return": "Nothing is returned or yielded in place of a result.",
    "exception": "Another exception is raised, or one is no longer caught.",
}
Root = libcst.SimpleStatementLine | libcst.BaseCompoundStatement
Ranges = Mapping[libcst.CSTNode, CodeRange]
_LINE_END = re.compile(r"\r\n|\r|\n")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Mutant:
    """The file with one planted fault; ``line`` and ``column`` are those of the original file.

    ``sentence`` completes "no check notices if …", for a probe "only inputs written in the specification reach …".
    """

    id: str
    operator: str
    line: int
    column: int
    sentence: str
    source: bytes
    # True where only a natural limit (empty, missing, -1 to 2) reaches the place: that no other input notices the
    # fault is then no sign of looking examples up.
    serves_boundary: bool = False
    module: str = ""
    """The key of the sibling module that ``source`` is a copy of; empty for the program itself."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters ``start`` to ``end`` (exclusive) of the file by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault that could be planted: the edits and the words for it."""

    edits: tuple[Edit, ...]
    operator: str
    line: int
    column: int
    sentence: str
    # First line of the statement that it is in: what "spread evenly over the lines" counts by.
    place: int
    # Which target function it is in, so that only this one is compiled again.
    target: int
    serves_boundary: bool = False

    def __post_init__(self) -> None:
        if self.operator not in FAULT_KINDS and self.operator not in {PROBE, DATA_PROBE}:
            raise ValueError(f"{self.operator!r} is not a documented kind of fault")


@dataclass(frozen=True, slots=True)
class Plot:
    """One target: its syntax, where its nodes lie, and how to compile it alone."""

    index: int
    target: Target
    root: Root
    ranges: Ranges
    # Add this to a line number of the syntax tree to get the line of the file.
    line_shift: int


@dataclass(frozen=True, slots=True)
class Ground:
    """One file made ready for planting."""

    source: Source
    # The function under test; the plots are this one and what it calls. Empty where the plots were chosen by lines.
    qualname: str
    line_starts: tuple[int, ...]
    plots: tuple[Plot, ...]
    future_flags: int

    def offset(self, line: int, column: int) -> int:
        """Return the character offset of a 1-based line and a 0-based column."""
        return self.line_starts[line - 1] + column

    def span(self, plot: Plot, node: libcst.CSTNode) -> tuple[int, int]:
        """Return the character offsets of a node, its own parentheses left out."""
        where = plot.ranges[node]
        return (
            self.offset(where.start.line + plot.line_shift, where.start.column),
            self.offset(where.end.line + plot.line_shift, where.end.column),
        )

    def text(self, plot: Plot, node: libcst.CSTNode) -> str:
        """Return the source text of a node, its own parentheses left out."""
        start, end = self.span(plot, node)
        return self.source.text[start:end]

    def apply(self, edits: Iterable[Edit]) -> str:
        """Return the whole file with the edits made; of two at one place the first given comes first."""
        pieces: list[str] = []
        at = 0
        for edit in sorted(edits, key=lambda each: each.start):
            pieces.append(self.source.text[at : edit.start])
            pieces.append(edit.text)
            at = edit.end
        return "".join([*pieces, self.source.text[at:]])

    def compiles(self, fault: Mutation) -> bool:
        """Tell whether the function with the fault planted is still Python."""
        plot = self.plots[fault.target]
        start = self.line_starts[plot.target.first_line - 1]
        end = self._end_of_line(plot.target.last_line)
        if any(edit.start < start or edit.end > end for edit in fault.edits):
            return _is_python(self.apply(fault.edits), self.future_flags)
        size = end - start + sum(len(edit.text) - (edit.end - edit.start) for edit in fault.edits)
        snippet = self.apply(fault.edits)[start : start + size]
        return _is_python(_nested(snippet, plot.target), self.future_flags)

    def _end_of_line(self, line: int) -> int:
        return self.line_starts[line] if line < len(self.line_starts) else len(self.source.text)


@lru_cache(maxsize=4)
def grounds_of(source: Source, qualname: str) -> Ground:
    """Read the functions that ``qualname`` reaches as concrete syntax; raises as `plan_mutants` does."""
    return _ground(source, qualname, targets_of(source.tree, qualname))


@lru_cache(maxsize=4)
def grounds_at(source: Source, lines: frozenset[int]) -> Ground:
    """Read the functions and constants on these lines as concrete syntax; raises as `plan_mutants_at` does."""
    return _ground(source, "", targets_at(source.tree, lines))


def _ground(source: Source, qualname: str, targets: Iterable[Target]) -> Ground:
    starts = (0, *(match.end() for match in _LINE_END.finditer(source.text)))
    plots: list[Plot] = []
    for target in targets:
        concrete = _concrete(source, starts, target)
        if concrete is not None:
            shift = target.first_line - (2 if target.column else 1)
            plots.append(Plot(len(plots), target, *concrete, shift))
    return Ground(source, qualname, starts, tuple(plots), _future_flags(source.tree))


def shorten(text: str) -> str:
    """Return source text on one line, cut to a length that fits into a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


@lru_cache(maxsize=64)
def _concrete(source: Source, starts: tuple[int, ...], target: Target) -> tuple[Root, Ranges] | None:
    # A constant that shares its lines with other code cannot be read alone.
    start = starts[target.first_line - 1]
    end = starts[target.last_line] if target.last_line < len(starts) else len(source.text)
    snippet = _nested(source.text[start:end], target)
    try:
        module = libcst.parse_module(snippet)
        ranges = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    except (libcst.ParserSyntaxError, RecursionError) as error:
        if target.is_constant:
            return None
        raise _unsupported(f"{target.qualname} cannot be read as concrete syntax") from error
    body: libcst.CSTNode = module.body[0]
    if isinstance(body, libcst.ClassDef):
        body = body.body.body[0]
    if target.is_constant:
        if len(module.body) == 1 and isinstance(body, libcst.SimpleStatementLine | libcst.BaseCompoundStatement):
            return body, ranges
        return None
    if not isinstance(body, libcst.FunctionDef):
        raise _unsupported(f"{target.qualname} is not a function where it was expected")
    return body, ranges


def _nested(snippet: str, target: Target) -> str:
    return "class Holder:\n" + snippet if target.column else snippet


def _is_python(text: str, flags: int) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "mutant", "exec", flags=flags, dont_inherit=True)
    except UNPARSABLE:
        return False
    return True


def _future_flags(tree: ast.Module) -> int:
    import __future__

    names = [
        alias.name
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        for alias in statement.names
    ]
    flags = 0
    for name in names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


def _unsupported(reason: str) -> NotAttemptedError:
    return NotAttemptedError("program.unsupported_syntax", f"The file cannot be read for planting faults: {reason}.")
