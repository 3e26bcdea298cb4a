"""Would the tests notice? Parts of a change are undone, and faults planted on its lines, one at a time.

Each is tried against the tests that run its line. A part of a change that nothing notices when it is undone has no
witness. Refuses to take what was not run, or not to its end, for noticed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from probatum.changes.definitions import ChangedUnit, Differences
from probatum.changes.file_syntax import UnitKind
from probatum.changes.planting import MOST_FAULTS, faults_on
from probatum.changes.record import Planted, UnitEvidence
from probatum.changes.suite import PASSED, FaultEnd, RunOfTests, Suite
from probatum.changes.undoing import Undoing, undoings_of
from probatum.programs.source import UNPARSABLE, parsed
from probatum.sandbox.suites import PlantedFault

MOST_TESTS: Final = 200
"""So many tests at most are run for one fault, those that run least first."""
MOST_OUTSIDE: Final = 12
"""So many faults at most are planted in code outside of functions, since all is imported anew for each."""
_AT_ONCE: Final = 2
_Sources = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class _Entry:
    """One file of the head with something wrong in it."""

    path: str
    line: int
    sentence: str
    source: bytes
    # Lines of which a test has to run one, and those of the function around; no lines where everything could notice.
    lines: frozenset[int]
    around: frozenset[int]

    def planted(self, number: int, end: FaultEnd) -> Planted:
        return Planted(f"p{number}", self.path, self.line, self.sentence, end.end, end.by)


@dataclass(frozen=True, slots=True)
class Noticing:
    """The tests of the head that pass, and where they run with faults."""

    suite: Suite
    run: RunOfTests
    counting: frozenset[str]
    """Tests that may notice something: those that run what changed, and end alike each time."""
    showing: frozenset[str]
    """Those of them that show the change: they fail on the base, are new or edited."""
    threads: ThreadPoolExecutor

    def of(
        self, differences: Differences, base: _Sources, head: _Sources
    ) -> tuple[tuple[UnitEvidence, ...], tuple[Planted, ...], tuple[str, ...]]:
        """Return what became of undoing each unit, of faults on its lines, and what could not be tried."""
        undoings, left = undoings_of(differences, base, head)
        faults, troubles = _faults(differences.units, head)
        told = self._tried([*map(_undone, undoings), *faults])
        undone: dict[str, Planted] = {}
        parts: list[Planted] = []
        for each, one in zip(undoings, told, strict=False):
            is_of_function = each.unit.of is UnitKind.FUNCTION
            if is_of_function and each.id != each.unit.name:
                parts.append(one)
            # Statements outside of functions stand for themselves: each of them has to be noticed.
            elif each.unit.name not in undone or undone[each.unit.name].is_noticed:
                undone[each.unit.name] = one
        units = tuple(_evidence(each, undone.get(each.name)) for each in differences.units)
        troubles += [f"the change to {name} cannot be undone by itself" for name in left]
        return units, (*parts, *told[len(undoings) :]), tuple(troubles)

    def _tried(self, entries: Sequence[_Entry]) -> list[Planted]:
        ends = self.run.ends
        passing = [name for name in self.counting if ends.get(name) and ends[name].outcome == PASSED]
        # What shows the change first, then what runs least.
        ordered = sorted(
            passing, key=lambda name: (name not in self.showing, sum(map(len, ends[name].lines.values())), name)
        )
        tests = [self._noticing(entry, ordered) for entry in entries]
        importing = {entry.path: self._run_at_import(entry.path) for entry in entries}
        asked = [
            PlantedFault(
                str(at),
                entry.path,
                entry.source,
                names,
                not entry.around or not entry.lines.isdisjoint(importing[entry.path]),
            )
            for at, (entry, names) in enumerate(zip(entries, tests, strict=True))
            if names
        ]
        shares = [self.threads.submit(self.suite.faults, asked[start::_AT_ONCE]) for start in range(_AT_ONCE)]
        found = {each.id: each for run in (share.result() for share in shares) if run.is_sound for each in run.ends}
        unrun, lost = FaultEnd("", "unrun"), FaultEnd("", "lost")
        return [
            entry.planted(at + 1, found.get(str(at), lost) if names else unrun)
            for at, (entry, names) in enumerate(zip(entries, tests, strict=True))
        ]

    def _run_at_import(self, path: str) -> frozenset[int]:
        """Return the lines in bodies of functions that run while the tests are collected."""
        ran = self.run.at_import.get(path, frozenset[int]())
        try:
            tree = parsed(self.suite.files[path].content)
        except UNPARSABLE:
            return ran
        functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
        bodies = {line for each in functions for line in range(each.body[0].lineno, (each.end_lineno or 0) + 1)}
        return ran & bodies

    def _noticing(self, entry: _Entry, ordered: Sequence[str]) -> tuple[str, ...]:
        """Return the tests that run the lines of an entry; where none does, those that run the function around."""
        if not entry.around:
            return tuple(ordered[:MOST_TESTS])
        for lines in (entry.lines, entry.around):
            found = [each for each in ordered if not lines.isdisjoint(self.run.ends[each].lines.get(entry.path, ()))]
            if found:
                return tuple(found[:MOST_TESTS])
        return ()


def _undone(undoing: Undoing) -> _Entry:
    around = _range(undoing.unit)
    return _Entry(undoing.path, undoing.line, undoing.sentence, undoing.source, around, around)


def _range(unit: ChangedUnit) -> frozenset[int]:
    if unit.head is None or unit.of is not UnitKind.FUNCTION:
        return frozenset()
    return frozenset(range(unit.head.first_line, unit.head.last_line + 1))


def _faults(units: Sequence[ChangedUnit], head: _Sources) -> tuple[list[_Entry], list[str]]:
    """Return the faults on the changed lines, and a sentence for each file in which none can be planted."""
    by_path: dict[str, list[ChangedUnit]] = {}
    for unit in units:
        if unit.head is not None and unit.changed_lines:
            by_path.setdefault(unit.head.path, []).append(unit)
    found: list[_Entry] = []
    troubles: list[str] = []
    for path, inside in by_path.items():
        try:
            found += _faults_in(path, head[path], inside, MOST_FAULTS - len(found))
        except ValueError as error:
            troubles.append(f"no fault can be planted in {path}: {error}")
    return found, troubles


def _faults_in(path: str, content: bytes, units: Sequence[ChangedUnit], limit: int) -> Iterator[_Entry]:
    inside = {line for unit in units if unit.of is UnitKind.FUNCTION for line in unit.changed_lines}
    outside = {line for unit in units for line in unit.changed_lines} - inside
    mutants = faults_on(content, sorted(inside), limit)
    mutants += faults_on(content, sorted(outside), min(MOST_OUTSIDE, limit - len(mutants)))
    for mutant in sorted(mutants, key=lambda each: (each.line, each.column)):
        around = next((each for unit in units if mutant.line in (each := _range(unit))), frozenset[int]())
        yield _Entry(path, mutant.line, mutant.sentence, mutant.source, frozenset({mutant.line}), around)


def _evidence(unit: ChangedUnit, undone: Planted | None) -> UnitEvidence:
    place = unit.head or unit.base
    return UnitEvidence(
        unit.name, unit.kind.value, place.path if place else "", place.first_line if place else 0, undone
    )
