"""What differs between two versions of a repository, read by syntax: units of the source, tests, and what is beside.

Pure: both trees are given as files. A reformatted file, a comment or another order of imports is no difference of
syntax. Refuses to guess: a function is moved only where the same syntax is found elsewhere, and a Python file that
cannot be read is listed as such and not compared. Units are those of source files; tests have a table of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from probatum.changes.classes_of_files import FileRole, is_data, role_of
from probatum.changes.syntax.changed_tests import DifferencesOfTests, differences_of_tests
from probatum.changes.syntax.compared_syntax import (
    FilePair,
    UnitPair,
    behaviour_of,
    file_pair,
    lines_of_items,
    moved_units,
    unmatched_items,
)
from probatum.changes.syntax.file_syntax import FileSyntax, SyntaxItem, UnitKind, UnitSyntax, file_syntax

# So much of the functions of a file has to be found again in another one for the file to be the same, renamed.
_ALIKE: Final = 0.5
# Imports that run nothing of the program, and that annotations are written with.
_FOR_ANNOTATIONS: Final = re.compile(r" = (typing|typing_extensions|collections\.abc|__future__)(:|$)")


class UnitChange(StrEnum):
    """What became of a unit."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """Where a unit is; the ``qualname`` of a module is empty, lines begin with the decorators."""

    path: str
    qualname: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class ChangedUnit:
    """A unit of a source file that is not the same in both versions.

    ``changed_lines`` are the lines in the head of statements that are new or different, ``base_lines`` those in the
    base that are gone or replaced; docstrings, comments, annotations and imports are in neither. ``name`` is the path
    and the qualified name, and tells a second definition of that name by ``#2``; a module's is its path.
    """

    kind: UnitChange
    of: UnitKind
    name: str
    base: UnitPlace | None
    head: UnitPlace | None
    changed_lines: tuple[int, ...]
    base_lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A Python file that cannot be read as syntax in one of the versions."""

    path: str
    in_head: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Differences:
    """All that differs between two versions, every changed path in at least one place.

    ``annotations``, ``documentation``, ``imports`` and ``metadata`` name units in which nothing else differs; files in
    ``layout`` have other layout and comments alone, ``data`` those that are not judged but lie in a package, and
    ``others`` the rest of what is not judged. ``api`` are sentences on public functions and classes that are gone or
    take other parameters.
    """

    units: tuple[ChangedUnit, ...]
    annotations: tuple[str, ...]
    documentation: tuple[str, ...]
    imports: tuple[str, ...]
    metadata: tuple[str, ...]
    layout: tuple[str, ...]
    tests: DifferencesOfTests
    support: tuple[str, ...]
    checks: tuple[str, ...]
    dependencies: tuple[str, ...]
    data: tuple[str, ...]
    others: tuple[str, ...]
    unreadable: tuple[UnreadableFile, ...]
    renamed_files: tuple[tuple[str, str], ...]
    api: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _PlacedUnit:
    """A unit of one version with its file."""

    file: FileSyntax
    unit: UnitSyntax

    @property
    def place(self) -> UnitPlace:
        return UnitPlace(self.file.path, self.unit.qualname, self.unit.first_line, self.unit.last_line)

    @property
    def name(self) -> str:
        path, unit = self.file.path, self.unit
        again = f"#{unit.ordinal}" if unit.ordinal > 1 else ""
        return f"{path}::{unit.qualname}{again}" if unit.qualname else path

    @property
    def is_public(self) -> bool:
        words = [*self.file.path.removesuffix(".py").split("/"), *self.unit.qualname.split(".")]
        return all(not word.startswith("_") or (word.startswith("__") and word.endswith("__")) for word in words)


Names = tuple[str, ...]
_Pair = tuple[_PlacedUnit | None, _PlacedUnit | None]


def differences_of(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Differences:
    """Return what differs between two versions of a repository, given as the files of each by path."""
    changed = sorted(path for path in base.keys() | head.keys() if base.get(path) != head.get(path))
    old, new, unreadable = dict[str, FileSyntax](), dict[str, FileSyntax](), list[UnreadableFile]()
    for path in filter(_is_compared, changed):
        for in_head, tree, read in ((False, base, old), (True, head, new)):
            if path in tree:
                file = file_syntax(path, tree[path])
                if isinstance(file, FileSyntax):
                    read[path] = file
                else:
                    unreadable.append(UnreadableFile(path, in_head, file))
    renamed = _renamed_files(base, head, old, new)
    # What cannot be read in the head is not gone.
    done = {path for path, _ in renamed} | {each.path for each in unreadable if each.in_head}
    origin = {after: before for before, after in renamed}
    pairs = [file_pair(old.get(origin.get(path, path)), new.get(path)) for path in changed if path not in done]
    pairs = [pair for pair in pairs if pair.path]
    layout = {pair.path for pair in pairs if pair.base and pair.head and all(map(_only_layout, pair.units))}
    source = _with_moves(pair for pair in pairs if role_of(pair.path) is FileRole.SOURCE)
    folders = {path.rpartition("/")[0] for path in {*base, *head} if path.endswith("/__init__.py")}
    packages = frozenset({*folders, "src"})

    def of_role(role: FileRole) -> list[str]:
        return [path for path in changed if role_of(path) is role and path not in layout]

    other, tests = of_role(FileRole.OTHER), [pair for pair in pairs if role_of(pair.path) is FileRole.TEST]
    return Differences(
        _changed_units(source, frozenset(renamed)), *_nothing_else(source), tuple(sorted(layout)),
        differences_of_tests(tests),
        tuple(of_role(FileRole.SUPPORT)), tuple(of_role(FileRole.CHECKS)), tuple(of_role(FileRole.DEPENDENCIES)),
        tuple(path for path in other if is_data(path, packages)),
        tuple(path for path in other if not is_data(path, packages)),
        tuple(unreadable), tuple(renamed), _api(source, new),
    )  # fmt: skip


def _is_compared(path: str) -> bool:
    return path.endswith(".py") and role_of(path) in {FileRole.SOURCE, FileRole.TEST, FileRole.SUPPORT}


def _renamed_files(
    base: Mapping[str, bytes], head: Mapping[str, bytes], old: Mapping[str, FileSyntax], new: Mapping[str, FileSyntax]
) -> list[tuple[str, str]]:
    """Return which files that are gone are which new ones: by their bytes, then by their syntax, then by half of it."""
    gone, added = sorted(base.keys() - head.keys()), sorted(head.keys() - base.keys())
    found = dict[str, str]()
    taken = set[str]()

    def pair(before: str, after: str) -> None:
        if before not in found and after not in taken and role_of(before) is role_of(after):
            found[before] = after
            taken.add(after)

    alike: dict[object, list[str]] = {}
    for path in added:
        shape = new[path].shape if path in new and len(new[path].shape) > 1 else None
        for key in (head[path], shape, *_functions(new.get(path))):
            alike.setdefault(key, []).append(path)
    for path in gone:
        for after in alike.get(base[path], []) if base[path].strip() else []:
            pair(path, after)
    for path in gone:
        for after in alike.get(old[path].shape, []) if path in old else []:
            pair(path, after)
    for path in gone:
        functions = _functions(old.get(path))
        shared = Counter(after for each in functions for after in alike.get(each, [])[:5])
        for after, count in shared.most_common(1):
            if count > _ALIKE * max(len(functions), len(_functions(new[after]))):
                pair(path, after)
    return sorted(found.items())


def _functions(file: FileSyntax | None) -> list[tuple[str, bytes]]:
    return [(unit.qualname, unit.shape) for unit in file.units if unit.kind is UnitKind.FUNCTION] if file else []


def _only_layout(pair: UnitPair) -> bool:
    base, head = pair
    return base is not None and head is not None and base.shape == head.shape and not _beside(base, head)


def _with_moves(pairs: Iterable[FilePair]) -> list[_Pair]:
    """Return the units of files by file and line, and those that are gone in one file and new elsewhere as one pair."""
    placed: list[_Pair] = []
    for file in pairs:
        for base, head in file.units:
            before = _PlacedUnit(file.base, base) if file.base and base else None
            placed.append((before, _PlacedUnit(file.head, head) if file.head and head else None))
    gone = [(index, base) for index, (base, head) in enumerate(placed) if base and not head]
    new = [(index, head) for index, (base, head) in enumerate(placed) if head and not base]
    moves = moved_units([base.unit for _, base in gone], [head.unit for _, head in new])
    left_out = {gone[index][0] for index in moves}
    origin = {new[after][0]: gone[before][1] for before, after in moves.items()}
    return [(origin.get(index, pair[0]), pair[1]) for index, pair in enumerate(placed) if index not in left_out]


def _changed_units(pairs: Iterable[_Pair], renamed: frozenset[tuple[str, str]]) -> tuple[ChangedUnit, ...]:
    units = []
    for base, head in pairs:
        here = head or base
        assert here is not None
        if base and head and base.unit.shape == head.unit.shape:
            paths = (base.file.path, head.file.path)
            same_file = paths[0] == paths[1] or paths in renamed
            if same_file and base.unit.qualname == head.unit.qualname:
                continue
            kind, before, after = UnitChange.MOVED, list[SyntaxItem](), list[SyntaxItem]()
        elif base and head:
            kind, (before, after) = UnitChange.CHANGED, unmatched_items(base.unit, head.unit)
        else:
            kind = UnitChange.ADDED if head else UnitChange.REMOVED
            before, after = behaviour_of(base.unit) if base else [], behaviour_of(head.unit) if head else []
        if before or after or kind is UnitChange.MOVED:
            places = (base.place if base else None, head.place if head else None)
            lines = (lines_of_items(after), lines_of_items(before))
            units.append(ChangedUnit(kind, here.unit.kind, here.name, *places, *lines))
    return tuple(units)


def _nothing_else(pairs: Iterable[_Pair]) -> tuple[Names, Names, Names, Names]:
    """Return the units that differ in annotations, documentation, imports and metadata, but in no more."""
    found: dict[str, list[str]] = {name: [] for name in ("annotations", "documentation", "imports", "metadata")}
    for base, head in pairs:
        here = head or base
        assert here is not None
        if base.unit.shape != head.unit.shape if base and head else behaviour_of(here.unit):
            continue
        for name in _beside(base.unit if base else None, head.unit if head else None):
            found[name].append(here.name)
    annotations, documentation, imports, metadata = (tuple(names) for names in found.values())
    return annotations, documentation, imports, metadata


def _beside(base: UnitSyntax | None, head: UnitSyntax | None) -> set[str]:
    """Return what differs beside behaviour in two versions of a unit."""
    kinds = {
        kind
        for kind in ("annotations", "documentation", "metadata")
        if getattr(base, kind, ()) != getattr(head, kind, ())
    }
    if differing := {*getattr(base, "imports", ())} ^ {*getattr(head, "imports", ())}:
        kinds.add("annotations" if all(map(_FOR_ANNOTATIONS.search, differing)) else "imports")
    return kinds


def _api(pairs: Iterable[_Pair], new: Mapping[str, FileSyntax]) -> tuple[str, ...]:
    """Return a sentence for each public function or class that is gone or takes other parameters."""
    found, gone, scopes = list[str](), set[tuple[str, str]](), dict[tuple[str, str], frozenset[str]]()
    for base, head in sorted(pairs, key=lambda pair: pair[0].name if pair[0] else ""):
        if base is None or not base.is_public or base.unit.kind is UnitKind.MODULE:
            continue
        path, qualname = base.file.path, base.unit.qualname
        scope, _, own = qualname.rpartition(".")
        if head and (head.file.path, head.unit.qualname) == (path, qualname):
            if base.unit.signature != head.unit.signature:
                found.append(f"`{base.name}` takes {head.unit.signature} instead of {base.unit.signature}")
            continue
        if (path, scope) not in scopes:
            scopes[path, scope] = new[path].scope(scope) if path in new else frozenset()
        if own not in scopes[path, scope]:
            # What is gone with its class is said of the class.
            if (path, scope) not in gone:
                found.append(f"`{base.name}` is " + (f"moved to `{head.name}`" if head else "removed"))
            gone.add((path, qualname))
    return tuple(found)
