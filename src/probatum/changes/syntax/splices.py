"""Stretches of the text of one version put into another one, with the indentation and the line ends of the place.

Refuses to decide whether the outcome is Python: whoever puts them in parses it.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import CodeType

from probatum.changes.syntax.compared_syntax import hunks_of
from probatum.changes.syntax.file_syntax import (
    Bearing,
    FileSyntax,
    FileText,
    SyntaxItem,
    UnitKind,
    UnitSyntax,
    file_syntax,
    is_compared,
)
from probatum.programs.source import parsed

_NO_CODE_FOR_TYPES = frozenset({"Protocol", "TypedDict"})


@dataclass(frozen=True, slots=True)
class Splice:
    """What comes in the place of a stretch of text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """Splices that undo one change, the lines of the base that they bring back, and the lines of the head it is at.

    With ``is_removal`` the head has nothing in their place. ``rows`` is what the syntax of the unit has to be
    afterwards, None where that is not known in advance.
    """

    splices: tuple[Splice, ...]
    base_lines: tuple[tuple[int, int], ...]
    line: int
    last_line: int
    rows: tuple[object, ...] | None = None
    is_removal: bool = False
    # What is so then, where no other sentence says it.
    told: str = ""


class SourceVersion:
    """One version of a Python file with its text and its syntax."""

    def __init__(self, path: str, content: bytes) -> None:
        """Read a file that is known to be Python."""
        file = file_syntax(path, content)
        assert isinstance(file, FileSyntax)
        self.file, self.text = file, FileText(content)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of the file."""
        return parsed(self.text.text)

    @cached_property
    def string_lines(self) -> frozenset[int]:
        """The lines that begin inside a string, whose indentation is part of it."""
        strings = (
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.JoinedStr)
            or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
        )
        lines = (range(node.lineno + 1, (node.end_lineno or node.lineno) + 1) for node in strings)
        return frozenset(line for each in lines for line in each)

    @cached_property
    def _uses(self) -> list[tuple[int, str]]:
        """The names and attributes that are used, by their lines."""
        walked = (node for node in ast.walk(self.tree) if isinstance(node, ast.Name | ast.Attribute))
        return sorted((node.lineno, node.id if isinstance(node, ast.Name) else node.attr) for node in walked)

    @cached_property
    def names_looked_up(self) -> dict[str, set[str]]:
        """For each function, the names that it and what is in it take from outside; attributes among them."""
        return names_looked_up(self.tree)

    def used(self, first_line: int, last_line: int) -> frozenset[str]:
        """Return the names and attributes that are used between two lines."""
        start, end = bisect_left(self._uses, (first_line, "")), bisect_left(self._uses, (last_line + 1, ""))
        return frozenset(name for _, name in self._uses[start:end])

    def margin(self, start: int) -> str:
        """Return the white space that the line of a place begins with."""
        text = self.text.text[self.text.starts[self.text.line(start) - 1] : start]
        return text[: len(text) - len(text.lstrip(" \t\f"))]

    def taken(self, start: int, end: int, margin: str, newline: str, own_margin: str | None = None) -> str:
        """Return a stretch of the text, its further lines moved to another margin."""
        own = self.margin(start) if own_margin is None else own_margin
        first, last = self.text.line(start), self.text.line(end)
        bounds = [start, *self.text.starts[first:last], end]
        lines = [self.text.text[a:b] for a, b in pairwise(bounds)]
        for index, line in enumerate(lines[1:], start=1):
            if first + index not in self.string_lines and line.startswith(own) and line.strip():
                lines[index] = margin + line.removeprefix(own)
            elif index == len(lines) - 1 and not line.strip():
                # The margin of what comes next.
                lines[index] = margin + line.removeprefix(own)
        return "".join(line.rstrip("\r\n") + newline if line.endswith(("\r", "\n")) else line for line in lines)


def names_looked_up(tree: ast.Module) -> dict[str, set[str]]:
    """Return for each function the names that its code looks up, global names and attributes; raises as `compile`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pending = [compile(tree, "undone", "exec", dont_inherit=True)]
    found: dict[str, set[str]] = {}
    while pending:
        code = pending.pop()
        found.setdefault(code.co_qualname.partition(".<locals>")[0], set()).update(code.co_names)
        pending += [each for each in code.co_consts if isinstance(each, CodeType)]
    return found


def spliced(text: str, splices: Sequence[Splice]) -> str:
    """Return a text with some stretches replaced; of several at one place, the first given comes first."""
    parts, behind = list[str](), 0
    for each in sorted(splices, key=lambda splice: splice.start):
        parts += [text[behind : each.start], each.text]
        behind = each.end
    return "".join(parts) + text[behind:]


def unit_rows(unit: UnitSyntax) -> list[tuple[int, str, bytes]]:
    """Return the statements of a unit with their depths and blocks: what is the same has the same meaning."""
    return [(item.depth, item.slot, item.key) for item in unit.items]


def function_repair(old: SourceVersion, before: UnitSyntax, new: SourceVersion, after: UnitSyntax) -> Repair:
    """Return how a function becomes what it was."""
    text = old.taken(before.start, before.end, new.margin(after.start), new.text.newline)
    lines = (before.first_line, before.last_line)
    rows = tuple(unit_rows(before))
    return Repair((Splice(after.start, after.end, text),), (lines,), after.first_line, after.last_line, rows)


def emptied_function(after: UnitSyntax) -> Repair | None:
    """Return how an added function raises instead of what it does; None where it does nothing itself."""
    if after.is_stub or "abstractmethod" in after.decorators:
        return None
    body = "raise NotImplementedError" + ("; yield" if after.is_generator else "")
    return Repair((Splice(after.body, after.end, body),), (), after.first_line, after.last_line)


def hunk_repairs(old: SourceVersion, before: UnitSyntax, new: SourceVersion, after: UnitSyntax) -> Iterator[Repair]:
    """Yield how each stretch of changed statements in a function becomes what it was, where there are several."""
    rows, wanted = unit_rows(after), unit_rows(before)
    hunks = hunks_of([item.key for item in before.items], [item.key for item in after.items])
    for a, b, c, d in hunks if len(hunks) > 1 else []:
        told = [*before.items[a:b], *after.items[c:d]]
        if not any(item.bearing is Bearing.BEHAVIOUR for item in told):
            continue
        start, end = _between(before, a, b)
        place, place_end = _between(after, c, d)
        text = old.taken(start, end, new.margin(after.start), new.text.newline, old.margin(before.start))
        lines = tuple((item.first_line, item.last_line) for item in before.items[a:b])
        at = after.items[c:d] or after.items[max(0, c - 1) : c + 1]
        expected = (*rows[:c], *wanted[a:b], *rows[d:])
        yield Repair((Splice(place, place_end, text),), lines, at[0].first_line, at[-1].last_line, expected, c == d)


def _between(unit: UnitSyntax, first: int, last: int) -> tuple[int, int]:
    """Return the stretch of text from the end of the item before some items to the beginning of the one behind them."""
    start = unit.items[first - 1].inner if first else unit.start
    return start, unit.items[last].start if last < len(unit.items) else unit.end


@dataclass(frozen=True, slots=True)
class _BodyStatement:
    """A whole statement of the body of a class or a module."""

    item: SyntaxItem
    key: tuple[object, ...]
    defines: bool


def _body(unit: UnitSyntax) -> list[_BodyStatement]:
    starts = [index for index, item in enumerate(unit.items) if item.depth == 1]
    found = []
    for first, last in zip(starts, [*starts[1:], len(unit.items)], strict=False):
        inner = [item for item in unit.items[first:last] if is_compared(item)]
        key = tuple((item.depth, item.slot, item.key) for item in inner)
        defines = any(item.bearing is Bearing.DEFINITION for item in inner)
        found.append(_BodyStatement(unit.items[first], key, defines))
    return found


def emptied_class(new: SourceVersion, after: UnitSyntax) -> Repair | None:
    """Return how an added class loses its bases, its decorators and its statements; None where it has none."""
    own = [each for each in _body(after) if each.item.bearing is Bearing.BEHAVIOUR and not each.defines]
    if _NO_CODE_FOR_TYPES.intersection(after.bases) or not (own or after.bases or after.decorators):
        return None
    below = new.text.line(after.body) > after.items[0].first_line
    gap = new.text.newline + new.margin(after.body) if below else " "
    header = Splice(after.start, after.body, f"class {after.qualname.rpartition('.')[2]}:{gap}")
    splices = (header, *(Splice(each.item.start, each.item.end, "pass") for each in own))
    return Repair(splices, (), after.first_line, after.last_line)


def body_repairs(
    old: SourceVersion | None, before: UnitSyntax | None, new: SourceVersion, after: UnitSyntax
) -> Iterator[Repair]:
    """Yield how the header of a class, and each stretch of changed statements in a body, become what they were."""
    if old and before and after.kind is UnitKind.CLASS and before.items[0].key != after.items[0].key:
        text = old.taken(before.start, before.body, new.margin(after.start), new.text.newline)
        header, lines = after.items[0], (before.items[0].first_line, before.items[0].last_line)
        yield Repair((Splice(after.start, after.body, text),), (lines,), header.first_line, header.last_line)
    siblings, others = _body(before) if before else [], _body(after)
    parts, counterparts = _parts(siblings, others)
    for was, now in parts:
        if any(each.defines for each in (*was, *now)):
            continue
        if old and was and now and was[0].item.names == now[0].item.names:
            item = now[0].item
            text = old.taken(was[0].item.start, was[0].item.end, new.margin(item.start), new.text.newline)
            splices = [Splice(item.start, item.end, text)]
        else:
            gone = [each.item for each in was]
            splices = [_inserted(old, item, new, after, siblings, others, counterparts) for item in gone if old]
            splices += [Splice(each.item.start, each.item.end, "pass") for each in now]
        came = tuple((each.item.first_line, each.item.last_line) for each in was)
        at = now[0].item.first_line if now else new.text.line(splices[0].start)
        yield Repair(tuple(splices), came, at, now[-1].item.last_line if now else at, None, not now)


def _parts(
    siblings: Sequence[_BodyStatement], others: Sequence[_BodyStatement]
) -> tuple[list[tuple[list[_BodyStatement], list[_BodyStatement]]], dict[int, SyntaxItem]]:
    """Return what differs in two bodies, part by part, and what in the head is in the place of what in the base.

    Two statements that bind the same names are one part, so that a new name beside a changed one is not put in with it.
    """
    olds = [each for each in siblings if each.item.bearing is Bearing.BEHAVIOUR]
    news = [each for each in others if each.item.bearing is Bearing.BEHAVIOUR]
    definitions = {each.item.names: each.item for each in others if each.item.bearing is Bearing.DEFINITION}
    defined = [each.item for each in siblings if each.item.bearing is Bearing.DEFINITION]
    counterparts = {item.start: definitions[item.names] for item in defined if item.names in definitions}
    parts, behind = list[tuple[list[_BodyStatement], list[_BodyStatement]]](), (0, 0)
    hunks = hunks_of([each.key for each in olds], [each.key for each in news])
    for a, b, c, d in [*hunks, (len(olds), len(olds), len(news), len(news))]:
        same = zip(olds[behind[0] : a], news[behind[1] : c], strict=True)
        counterparts.update((was.item.start, now.item) for was, now in same)
        behind = (b, d)
        waiting, rest = olds[a:b], list[_BodyStatement]()
        for each in news[c:d]:
            twin = next((one for one in waiting if one.item.names == each.item.names), None)
            if twin:
                waiting.remove(twin)
                parts.append(([twin], [each]))
                counterparts[twin.item.start] = each.item
            else:
                rest.append(each)
        parts += [(waiting, rest)] if waiting or rest else []
    return parts, counterparts


def _inserted(
    old: SourceVersion,
    was: SyntaxItem,
    new: SourceVersion,
    after: UnitSyntax,
    siblings: Sequence[_BodyStatement],
    others: Sequence[_BodyStatement],
    counterparts: dict[int, SyntaxItem],
) -> Splice:
    """Return how a statement that is gone comes back: behind what was before it, for it may need the names of that."""
    newline = new.text.newline
    margin = new.margin(after.body) if after.kind is UnitKind.CLASS else ""
    taken = old.taken(was.start, was.end, margin, newline)
    earlier = [counterparts.get(each.item.start) for each in siblings if each.item.start < was.start]
    anchor = next((item for item in reversed(earlier) if item), None)
    counted = (Bearing.BEHAVIOUR, Bearing.DEFINITION)
    first = next((each.item for each in others if each.item.bearing in counted), None)
    if anchor is not None:
        return Splice(anchor.end, anchor.end, newline + margin + taken)
    if first is not None:
        return Splice(first.start, first.start, taken + newline + margin)
    end = after.end if after.kind is UnitKind.CLASS else len(new.text.text)
    return Splice(end, end, newline + margin + taken + ("" if after.kind is UnitKind.CLASS else newline))
