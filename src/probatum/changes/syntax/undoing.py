"""The head with one change put back: for each unit of the source, and for each stretch of statements in it.

A test run on such a file tells whether any test notices the change. All bytes outside the change stay as they are. What
the old statements use and the head no longer defines is put back with them, since a missing name would be noticed
whatever the tests check. Refuses what does not compile or comes out as anything else than meant: those are listed.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.changes.syntax.definitions import ChangedUnit, Differences, UnitChange
from probatum.changes.syntax.file_syntax import FileSyntax, FileText, SyntaxItem, UnitKind, UnitSyntax, units_in
from probatum.changes.syntax.inner_parts import inner_parts, own_of
from probatum.changes.syntax.splices import (
    Repair,
    SourceVersion,
    Splice,
    body_repairs,
    emptied_class,
    emptied_function,
    function_repair,
    hunk_repairs,
    names_looked_up,
    spliced,
    unit_rows,
)
from probatum.programs.source import UNPARSABLE, parsed

_SHOWN: Final = 60
MOST_UNDOINGS: Final = 400
"""So many are made; the units beyond are listed as not undone."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """The head's file at ``path`` with one change undone; ``line`` to ``last_line`` is where the change is in the head,
    which has nothing there where the last line is the one before.

    ``id`` is the name of the unit, with `@` and a number where a part of its change is undone. ``sentence`` says what
    is different now.
    """

    id: str
    unit: ChangedUnit
    path: str
    source: bytes
    sentence: str
    line: int
    last_line: int


def undoings_of(
    differences: Differences, base: Mapping[str, bytes], head: Mapping[str, bytes]
) -> tuple[tuple[Undoing, ...], tuple[str, ...]]:
    """Return every change of the source undone by itself, and the names of the units that cannot be undone.

    An added function raises `NotImplementedError`; of an added class, what is outside its methods is left out. What is
    gone or only moved has nothing to undo.
    """
    made, left_out = list[Undoing](), list[str]()
    removed = (each.base for each in differences.units if each.kind in {UnitChange.REMOVED, UnitChange.MOVED})
    gone = frozenset((_module_name(place.path), place.qualname) for place in removed if place)
    old: SourceVersion | None = None
    new: SourceVersion | None = None
    for unit in differences.units:
        if unit.head is None or unit.kind is UnitChange.MOVED:
            continue
        if len(made) >= MOST_UNDOINGS:
            left_out.append(unit.name)
            continue
        # Units of one file follow one another.
        if new is None or new.file.path != unit.head.path:
            new = SourceVersion(unit.head.path, head[unit.head.path])
        if unit.base and (old is None or old.file.path != unit.base.path):
            old = SourceVersion(unit.base.path, base[unit.base.path])
        change = _Change(unit, old if unit.base else None, new, gone)
        repairs = change.repairs()
        tried = [each for number, repair in enumerate(repairs) if (each := change.undoing(repair, number))]
        undone = list({each.source: each for each in reversed(tried)}.values())[::-1]
        made += undone
        left_out += [unit.name] if repairs and not undone else []
    return tuple(made), tuple(left_out)


class _Change:
    """One changed unit with both versions of its file."""

    def __init__(
        self, unit: ChangedUnit, old: SourceVersion | None, new: SourceVersion, gone: frozenset[tuple[str, str]]
    ) -> None:
        self.unit, self.old, self.new, self.gone = unit, old, new, gone
        self.after = _unit_at(new.file, unit, in_head=True)
        self.before = _unit_at(old.file, unit, in_head=False) if old else None

    def repairs(self) -> list[Repair]:
        """Return the ways in which the change, and each part of it, can be undone."""
        old, before, new, after = self.old, self.before, self.new, self.after
        if after.kind is UnitKind.FUNCTION:
            if old and before:
                whole = function_repair(old, before, new, after)
                return [whole, *hunk_repairs(old, before, new, after), *self._inner_repairs()]
            emptied = emptied_function(after)
        elif after.kind is UnitKind.CLASS and before is None:
            emptied = emptied_class(new, after)
        else:
            return [*body_repairs(old, before, new, after), *self._inner_repairs()]
        return [emptied] if emptied else []

    def _inner_repairs(self) -> Iterator[Repair]:
        """Yield how each expression that differs in a statement becomes what it was, where there are several."""
        was = self.old and self.before and _node_at(self.old.tree, self.before)
        now = _node_at(self.new.tree, self.after)
        if not was or not now or type(was) is not type(now):
            return
        known = {*vars(builtins), *self.new.file.scope("")}
        for part in inner_parts(own_of(was), own_of(now), self.new.text, known):
            told = f"line {part.line} has {' '.join(part.text.split())[:_SHOWN]} again"
            splice = Splice(part.start, part.end, part.text)
            yield Repair((splice,), (), part.line, part.last_line, told=told)

    def undoing(self, repair: Repair, number: int) -> Undoing | None:
        """Return the file after a repair, None where it cannot be made or is not what it was meant to be."""
        back = self._brought_back(repair)
        if back is None:
            return None
        try:
            text = spliced(self.new.text.text, [*back, *repair.splices])
            source = text.encode(self.new.text.encoding)
            tree = parsed(text)
            looked_up = names_looked_up(tree)
            is_part = bool(number) and self.after.kind is UnitKind.FUNCTION
            known = self._looked_up() if is_part else set[str]()
        except (*UNPARSABLE, UnicodeEncodeError):
            return None
        # A variable that only the other part defines would be noticed whatever the tests check.
        if is_part and not looked_up.get(self.after.qualname, set()) <= known:
            return None
        if repair.rows is not None and not self._is_as_meant(source, tree, repair.rows):
            return None
        part = number + (self.after.kind is not UnitKind.FUNCTION and self.before is not None)
        part += self.after.kind is UnitKind.MODULE and self.before is None
        name = f"{self.unit.name}@{part}" if part else self.unit.name
        sentence, last = self._sentence(repair, bool(part)), repair.line - 1 if repair.is_removal else repair.last_line
        return Undoing(name, self.unit, self.new.file.path, source, sentence, repair.line, last)

    def _sentence(self, repair: Repair, is_part: bool) -> str:
        if repair.told:
            return repair.told
        named = f"`{self.unit.name.rpartition('::')[2]}`"
        if is_part and repair.is_removal:
            return f"{_lines_told(repair.base_lines[0][0], repair.base_lines[-1][1], 'base ')} back in {named}"
        if is_part:
            return f"the change at {_lines_told(repair.line, repair.last_line).rpartition(' ')[0]} of {named} is undone"
        if self.before is not None:
            return f"the change to {named} is undone"
        if self.after.kind is UnitKind.CLASS:
            return f"{named} has no bases, decorators and statements of its own"
        return f"{named} raises NotImplementedError"

    def _looked_up(self) -> set[str]:
        versions = (self.new, self.old) if self.old else (self.new,)
        return set[str]().union(*(each.names_looked_up.get(self.after.qualname, ()) for each in versions))

    def _is_as_meant(self, source: bytes, tree: ast.Module, rows: tuple[object, ...]) -> bool:
        sought = (self.after.kind, self.after.qualname, self.after.ordinal)
        units = units_in(FileText(source), tree, self.after.qualname)
        found = [unit for unit in units if (unit.kind, unit.qualname, unit.ordinal) == sought]
        return bool(found) and tuple(unit_rows(found[0])) == rows

    def _brought_back(self, repair: Repair) -> list[Splice] | None:
        """Return what of the base has to be defined again for its lines to run, None where that cannot be."""
        old, new = self.old, self.new
        if old is None:
            return []
        # What comes back itself is there.
        taken = {line for first, last in repair.base_lines for line in range(first, last + 1)}
        known, bindings = new.file.scope(""), _bindings(old.file).items()
        absent = {name: item for name, item in bindings if name not in known and item.first_line not in taken}
        scope = self.after.qualname.rpartition(".")[0] if self.after.kind is UnitKind.FUNCTION else ""
        methods = _methods(old.file, scope).items() if scope else ()
        lost = {name: unit for name, unit in methods if name not in new.file.scope(scope)}
        tops, inner, pending = dict[int, SyntaxItem](), dict[int, UnitSyntax](), list(repair.base_lines)
        while pending:
            used = old.used(*pending.pop())
            for name in sorted(used & absent.keys()):
                item = absent.pop(name)
                if not self.gone.isdisjoint(_origins(old.file.units[0], name)):
                    return None
                tops[item.start] = item
                pending.append((item.first_line, old.text.line(item.end)))
            for name in sorted(used & lost.keys()):
                unit = lost.pop(name)
                inner[unit.start] = unit
                pending.append((unit.first_line, unit.last_line))
        place = repair.splices[0].start
        around = [item.start for item in new.file.units[0].items if item.depth == 1 and item.start <= place <= item.end]
        newline, margin = new.text.newline, new.margin(self.after.start)
        above = "".join(old.taken(start, tops[start].end, "", newline) + newline for start in sorted(tops))
        below = [old.taken(start, inner[start].end, margin, newline) for start in sorted(inner)]
        back = [Splice(around[-1] if around else place, around[-1] if around else place, above)] if above else []
        return back + [Splice(self.after.end, self.after.end, newline + margin + each) for each in below]


def _node_at(tree: ast.Module, unit: UnitSyntax) -> ast.AST | None:
    name = unit.qualname.rpartition(".")[2]
    if not name:
        return tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == unit.first_line:
                return node
    return None


def _unit_at(file: FileSyntax, unit: ChangedUnit, in_head: bool) -> UnitSyntax:
    place = unit.head if in_head else unit.base
    assert place is not None
    sought = (unit.of, place.qualname, place.first_line)
    return next(each for each in file.units if (each.kind, each.qualname, each.first_line) == sought)


def _bindings(file: FileSyntax) -> dict[str, SyntaxItem]:
    """Return the names that a module binds, each with the first statement at its top that does."""
    found, tops = dict[str, SyntaxItem](), list[SyntaxItem]()
    for item in file.units[0].items:
        tops += [item] if item.depth == 1 else []
        for name in item.names:
            found.setdefault(name, tops[-1])
    return found


def _methods(file: FileSyntax, scope: str) -> dict[str, UnitSyntax]:
    names = ((unit.qualname.rpartition("."), unit) for unit in file.units if unit.kind is UnitKind.FUNCTION)
    return {parts[2]: unit for parts, unit in names if parts[0] == scope}


def _origins(module: UnitSyntax, name: str) -> Iterator[tuple[str, str]]:
    """Yield from where a module imports a name: the last part of the module's name, and the name there."""
    for bound, what in (each.split(" = ") for each in module.imports):
        if bound == name:
            origin, _, own = what.partition(":")
            yield origin.rpartition(".")[2], own


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]


def _lines_told(first: int, last: int, of: str = "") -> str:
    return f"{of}line {first} is" if first == last else f"{of}lines {first} to {last} are"
