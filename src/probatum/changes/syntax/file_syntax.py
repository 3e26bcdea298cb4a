"""One Python file as units of syntax: its functions, the bodies of its classes, and the module's own statements.

A unit is a row of simple statements and headers of compound ones, each as a digest of its syntax. Comments, layout,
quotes, parentheses, docstrings, imports and annotations are not in it; the last three are kept beside it. No syntax
tree is kept, so that thousands of files can be held. Refuses text that is not Python for the interpreter it runs in.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from probatum.changes.syntax.node_syntax import (
    BLOCKS,
    Definition,
    annotations_of,
    bound_names,
    digest_of,
    imported_names,
    is_generator,
    last_name,
    signature_of,
    written_syntax,
)
from probatum.core.errors import NotAttemptedError
from probatum.core.limits import MAX_COMPARED_DEPTH
from probatum.programs.newer_syntax import newer_syntax
from probatum.programs.source import UNPARSABLE, decoded, parsed

METADATA: Final = frozenset(
    {"__version__", "__version_info__", "__author__", "__email__", "__license__", "__copyright__", "__credits__"}
    | {"__maintainer__", "__status__", "__date__", "__title__", "__description__", "__url__", "__all__", "VERSION"}
)
"""Names that a module gives itself for people and tools."""
_TYPE_MAKERS: Final = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})
_TYPE_FORMS: Final = frozenset({"Union", "Optional", "Callable", "Literal", "Annotated"})
# What makes fields of the annotated names of a class; and what reads their types as well, by the endings of its name.
_FIELD_MAKERS: Final = frozenset({"dataclass", "NamedTuple", "TypedDict", "define", "frozen", "mutable", "s", "attrs"})
_TYPE_READERS: Final = ("Model", "Schema", "Settings", "Struct", "Base", "Document")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class UnitKind(StrEnum):
    """Whether a unit is a function, or what a class or a module has outside its functions."""

    FUNCTION = "function"
    CLASS = "class body"
    MODULE = "module"


class Bearing(StrEnum):
    """What a statement bears on: behaviour, or one of the things that are told apart from it."""

    BEHAVIOUR = "behaviour"
    IMPORT = "import"
    METADATA = "metadata"
    TYPING = "typing"
    DEFINITION = "definition"


@dataclass(frozen=True, slots=True)
class SyntaxItem:
    """A simple statement or the header of a compound one; ``parent`` is the index of the header that it is below.

    The text from ``start`` to ``inner`` is the statement or the header, ``end`` is where the whole statement ends.
    """

    bearing: Bearing
    key: bytes
    depth: int
    slot: str
    parent: int
    first_line: int
    last_line: int
    start: int
    inner: int
    end: int
    names: tuple[str, ...]
    calls: bool


@dataclass(frozen=True, slots=True)
class UnitSyntax:
    """A function, or a class or a module without its functions; ``ordinal`` counts units of one name in one file."""

    kind: UnitKind
    qualname: str
    ordinal: int
    first_line: int
    last_line: int
    start: int
    end: int
    # Where the body begins: of a class or a function behind its header, of a module at its first statement.
    body: int
    items: tuple[SyntaxItem, ...]
    shape: bytes
    documentation: tuple[str, ...]
    annotations: tuple[str, ...]
    imports: tuple[str, ...]
    metadata: tuple[bytes, ...]
    signature: str
    decorators: tuple[str, ...]
    bases: tuple[str, ...]
    is_generator: bool
    is_stub: bool

    @property
    def bound(self) -> frozenset[str]:
        """The names that the statements of the unit bind, definitions and imports included."""
        imported = {each.split(" = ")[0] for each in self.imports}
        return frozenset(imported.union(*(item.names for item in self.items)))


@dataclass(frozen=True, slots=True)
class FileSyntax:
    """A Python file that was read; ``loaded`` are the names that it uses."""

    path: str
    units: tuple[UnitSyntax, ...]
    loaded: frozenset[str]

    @property
    def shape(self) -> tuple[tuple[str, bytes], ...]:
        """What two files have in common that differ in layout, comments, docstrings and annotations alone."""
        return tuple((unit.qualname, unit.shape) for unit in self.units)

    def scope(self, qualname: str) -> frozenset[str]:
        """Return the names that are bound in the body of a class, or of the module for an empty name."""
        found = (unit.bound for unit in self.units if unit.qualname == qualname and unit.kind is not UnitKind.FUNCTION)
        return frozenset[str]().union(*found)


class FileText:
    """The text of a Python file with the places of its lines, as Python counts lines and columns."""

    def __init__(self, content: bytes) -> None:
        """Decode the file; raises `SyntaxError`, `ValueError` or `LookupError` where it cannot be."""
        self.encoding, self.text = decoded(content)
        ends = [match.end() for match in _LINE_END.finditer(self.text)]
        self.starts = (0, *ends)
        found = _LINE_END.search(self.text)
        self.newline = found[0] if found else "\n"

    def offset(self, line: int, column: int) -> int:
        """Return the index in the text of a line and of a column in bytes of UTF-8."""
        start = self.starts[line - 1]
        text = self.text[start : start + column]
        return start + (column if text.isascii() else len(text.encode()[:column].decode(errors="ignore")))

    def start(self, node: ast.AST) -> int:
        """Return where a statement, a handler or a case begins, decorators included."""
        if isinstance(node, ast.match_case):
            return self.text.rfind("case", 0, self.offset(node.pattern.lineno, node.pattern.col_offset))
        if isinstance(node, Definition) and node.decorator_list:
            first = node.decorator_list[0]
            return self.text.rfind("@", 0, self.offset(first.lineno, first.col_offset))
        assert isinstance(node, ast.stmt | ast.excepthandler)
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.AST) -> int:
        """Return where a statement, a handler or a case ends."""
        last = node.body[-1] if isinstance(node, ast.match_case) else node
        assert isinstance(last, ast.stmt | ast.excepthandler)
        return self.offset(last.end_lineno or last.lineno, last.end_col_offset or 0)

    def line(self, offset: int) -> int:
        """Return the number of the line of a place in the text."""
        return bisect_right(self.starts, offset)


def file_syntax(path: str, content: bytes) -> FileSyntax | str:
    """Return a Python file as units, or why it cannot be read.

    Raises NotAttemptedError for one that a later Python reads: what cannot be read here may well be right.
    """
    try:
        text = FileText(content)
    except (*UNPARSABLE, LookupError) as error:
        return str(error)
    try:
        tree = parsed(text.text, MAX_COMPARED_DEPTH)
        units = units_in(text, tree)
    except SyntaxError as error:
        if newer := newer_syntax(text.text):
            raise NotAttemptedError("change.needs_newer_python", f"{path}: {newer.sentence}.", newer.hint) from error
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error)
    except UNPARSABLE as error:
        return str(error) or "nested too deeply"
    loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return FileSyntax(path, units, frozenset(loaded))


@dataclass(frozen=True, slots=True)
class _Draft:
    """A unit that is being read."""

    node: ast.Module | Definition
    qualname: str
    items: list[SyntaxItem] = field(default_factory=list)
    documentation: list[str] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    metadata: list[bytes] = field(default_factory=list)

    @property
    def kind(self) -> UnitKind:
        if isinstance(self.node, ast.Module):
            return UnitKind.MODULE
        return UnitKind.CLASS if isinstance(self.node, ast.ClassDef) else UnitKind.FUNCTION


def units_in(text: FileText, tree: ast.Module, sought: str | None = None) -> tuple[UnitSyntax, ...]:
    """Return the units of a file, or only the one that is sought by its qualified name and those that it is in."""
    pending, units, counts = [_Draft(tree, "")], list[UnitSyntax](), dict[str, int]()
    while pending:
        draft = pending.pop()
        inner = _filled(draft, text)
        # A dot before the name of what is at the top would be no name.
        prefix = f"{draft.qualname}." if draft.qualname else ""
        names = [(node, prefix + node.name) for node in reversed(inner)]
        pending += [_Draft(node, name) for node, name in names if sought is None or f"{sought}.".startswith(f"{name}.")]
        counts[draft.qualname] = counts.get(draft.qualname, 0) + 1
        units.append(_finished(draft, text, counts[draft.qualname]))
    return tuple(units)


def _filled(draft: _Draft, text: FileText) -> list[Definition]:
    """Read the statements of a unit; return the functions and classes in it that are units themselves."""
    fields, inner = _fields_of(draft.node), list[Definition]()
    if not isinstance(draft.node, ast.Module):
        draft.items.append(_item(draft.node, text, Bearing.BEHAVIOUR, 0, "", -1, fields, is_unit=True))
        draft.annotations.extend(annotations_of(draft.node))
    root = len(draft.items) - 1
    stack: list[tuple[ast.AST, int, str, int]] = [(node, 1, "body", root) for node in reversed(draft.node.body)]
    while stack:
        node, depth, slot, parent = stack.pop()
        if _is_idle(node):
            draft.documentation.extend(_text(node))
            continue
        if isinstance(node, ast.If) and last_name(node.test) == "TYPE_CHECKING":
            draft.imports.extend([name for each in node.body for name in imported_names(each)])
            stack += [(each, depth, slot, parent) for each in reversed(node.orelse)]
            continue
        bearing = _bearing(node, draft.kind)
        draft.items.append(_item(node, text, bearing, depth, slot, parent, fields))
        if bearing is Bearing.DEFINITION:
            assert isinstance(node, Definition)
            inner.append(node)
            continue
        draft.annotations.extend(annotations_of(node))
        draft.imports.extend(imported_names(node))
        draft.metadata.extend([draft.items[-1].key] if bearing is Bearing.METADATA else [])
        if bearing is Bearing.TYPING:
            draft.annotations.append(draft.items[-1].key.hex())
            continue
        here = len(draft.items) - 1
        stack += reversed([(each, depth + 1, name, here) for name, each in _children(node)])
    return inner


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name in BLOCKS:
        for each in getattr(node, name, ()):
            yield name, each


def _bearing(node: ast.AST, kind: UnitKind) -> Bearing:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return Bearing.IMPORT
    if isinstance(node, Definition):
        if any(last_name(each) == "overload" for each in node.decorator_list):
            return Bearing.TYPING
        return Bearing.BEHAVIOUR if kind is UnitKind.FUNCTION else Bearing.DEFINITION
    typing = type(node).__name__ == "TypeAlias"
    if isinstance(node, ast.AnnAssign):
        typing = last_name(node.annotation) == "TypeAlias" or (node.value is None and kind is not UnitKind.CLASS)
    if kind is UnitKind.MODULE and not typing and isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        names, calls = bound_names(node), [each for each in ast.walk(node) if isinstance(each, ast.Call)]
        if names and METADATA.issuperset(names) and all(last_name(each) == "version" for each in calls):
            return Bearing.METADATA
        makers = {ast.Call: _TYPE_MAKERS, ast.Subscript: _TYPE_FORMS}.get(type(node.value), frozenset[str]())
        typing = node.value is not None and last_name(node.value) in makers
    if typing:
        return Bearing.TYPING
    return Bearing.BEHAVIOUR


def _item(
    node: ast.AST,
    text: FileText,
    bearing: Bearing,
    depth: int,
    slot: str,
    parent: int,
    fields: str,
    is_unit: bool = False,
) -> SyntaxItem:
    start, end = text.start(node), text.end(node)
    whole = bearing in {Bearing.DEFINITION, Bearing.TYPING}
    children = [] if whole else [each for _, each in _children(node)]
    inner = text.start(children[0]) if children else end
    first = text.line(start)
    lines = _LINE_END.split(text.text[start:inner])
    # Blank lines and comments between a header and its body are no part of its syntax.
    while children and len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    last = first + len(lines) - 1
    names = (node.name,) if isinstance(node, Definition) else bound_names(node)
    written = [names[0]] if bearing is Bearing.DEFINITION else written_syntax(node, fields, is_unit)
    calls = not {"Call", "Await"}.isdisjoint(written)
    names = () if is_unit else names
    return SyntaxItem(bearing, digest_of(written), depth, slot, parent, first, last, start, inner, end, names, calls)


def _finished(draft: _Draft, text: FileText, ordinal: int) -> UnitSyntax:
    node, items = draft.node, tuple(draft.items)
    counted = [each for each in items if is_compared(each)]
    shape = digest_of([f"{each.depth} {each.slot} {each.key.hex()}" for each in counted])
    function = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None
    start, end = (0, len(text.text)) if isinstance(node, ast.Module) else (text.start(node), text.end(node))
    is_stub = all(_is_idle(each) and not isinstance(each, ast.Pass) for each in node.body)
    decorators = () if isinstance(node, ast.Module) else tuple(map(last_name, node.decorator_list))
    return UnitSyntax(
        draft.kind, draft.qualname, ordinal, text.line(start), text.line(max(start, end - 1)), start, end,
        text.start(node.body[0]) if node.body else end, items, shape, tuple(draft.documentation),
        tuple(draft.annotations), tuple(sorted(draft.imports)), tuple(draft.metadata),
        signature_of(function) if function else "", decorators,
        tuple(map(last_name, node.bases)) if isinstance(node, ast.ClassDef) else (),
        function is not None and is_generator(function), is_stub,
    )  # fmt: skip


def is_compared(item: SyntaxItem) -> bool:
    """Return whether an item is part of what a unit does: definitions are where a condition decides about them."""
    return item.bearing is Bearing.BEHAVIOUR or (item.bearing is Bearing.DEFINITION and item.depth > 1)


def _fields_of(node: ast.AST) -> str:
    """Return what the annotations in the body of a class are for: nothing, ``names`` of fields, or also ``types``."""
    if not isinstance(node, ast.ClassDef):
        return ""
    names = [last_name(each) for each in (*node.bases, *node.decorator_list)]
    if any(name.endswith(_TYPE_READERS) for name in names):
        return "types"
    return "names" if _FIELD_MAKERS.intersection(names) else ""


def _is_idle(node: ast.AST) -> bool:
    """Return whether a statement does nothing: `pass`, `...`, a string that stands for itself."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _text(node: ast.AST) -> list[str]:
    value = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
    return [value] if isinstance(value, str) else []
