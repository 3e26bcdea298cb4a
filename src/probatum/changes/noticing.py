"""Would the tests notice? Parts of a change are undone, and faults planted on its lines, one at a time.

Each is tried against the tests that run its line. A part of a change that nothing notices when it is undone has no
witness. Refuses to take what was not run, or not to its end, for noticed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from probatum.changes.calls import CallComparison, CallOutcome
from probatum.changes.planting import MOST_FAULTS, dull_lines, faults_on
from probatum.changes.record import ALIKE, Planted, UnitEvidence
from probatum.changes.suite import PASSED, FaultEnd, RunOfTests, Suite
from probatum.changes.syntax.definitions import ChangedUnit, Differences
from probatum.changes.syntax.file_syntax import UnitKind
from probatum.changes.syntax.node_syntax import tree_of
from probatum.changes.syntax.undoing import Undoing, undoings_of
from probatum.programs.source import UNPARSABLE, parsed
from probatum.sandbox.suites import PlantedFault

MOST_TESTS: Final = 200
"""So many tests at most are run for one fault, those that run least first."""
MOST_CALLS: Final = 200
"""So many calls at most are made with a fault in a function of which no call is known."""
MOST_OUTSIDE: Final = 12
"""So many faults at most are planted in code outside of functions, since all is imported anew for each."""
_AT_ONCE: Final = 2
_FEW_TESTS: Final = 200
_NEUTRAL: Final = "text of "
_SIMPLE: Final = (ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Raise, ast.Delete, ast.Assert, ast.Expr)
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

    # The unit that it is in.
    unit: str
    # Where it is in the head, for a part of the change that is put back.
    part: frozenset[int] | None = None

    def planted(self, number: int, end: FaultEnd) -> Planted:
        return Planted(f"p{number}", self.path, self.line, self.sentence, end.end, end.by)


@dataclass(frozen=True, slots=True)
class Noticed:
    """What came of it."""

    units: tuple[UnitEvidence, ...]
    faults: tuple[Planted, ...]
    troubles: tuple[str, ...]
    """What could not be tried."""
    outcomes: Mapping[str, CallOutcome]
    """What calls come to on the head, by their ids."""


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
    calls: CallComparison
    """Calls of changed functions, which are tried where no test notices."""

    def of(self, differences: Differences, base: _Sources, head: _Sources) -> Noticed:
        """Return what became of undoing each unit, of faults on its lines, and of calls on the head."""
        undoings, left = undoings_of(differences, base, head)
        faults, troubles = _faults(differences.units, head)
        entries = [*map(_undone, undoings), *faults]
        told, pinned = self._tried(entries)
        told, outcomes = self._with_calls(entries, told)
        undone: dict[str, Planted] = {}
        parts: list[Planted] = []
        for each, one in zip(undoings, told, strict=False):
            is_of_function = each.unit.of is UnitKind.FUNCTION
            if is_of_function and each.id != each.unit.name:
                parts.append(replace(one, is_part=True, unit=each.unit.name))
            # Statements outside of functions stand for themselves: each of them has to be noticed.
            elif each.unit.name not in undone or undone[each.unit.name].is_noticed:
                undone[each.unit.name] = one
        units = tuple(_evidence(each, undone.get(each.name)) for each in differences.units)
        troubles += [f"the change to {name} cannot be undone by itself" for name in left]
        troubles += [f"the tests fail on any other text of {path}, so that noticing says nothing" for path in pinned]
        faulty = (*parts, *self._unrun(differences.units, head), *told[len(undoings) :])
        return Noticed(units, faulty, tuple(troubles), outcomes)

    def _unrun(self, units: Sequence[ChangedUnit], head: _Sources) -> Iterator[Planted]:
        """Yield the changed statements in functions that no test runs, as left out and not noticed."""
        ran: dict[str, set[int]] = {}
        for lines in (self.run.at_import, *(end.lines for end in self.run.ends.values())):
            for path, numbers in lines.items():
                ran.setdefault(path, set()).update(numbers)
        for unit in units:
            if unit.head is not None and unit.of is UnitKind.FUNCTION and unit.changed_lines:
                path, changed = unit.head.path, set(unit.changed_lines) & _range(unit)
                for line in sorted(_statements(head[path]) & changed - ran.get(path, set())):
                    yield Planted(f"l{line}", path, line, f"line {line} is left out", "unrun", is_part=True)

    def _tried(self, entries: Sequence[_Entry]) -> tuple[list[Planted], list[str]]:
        """Return what became of each entry, and the files of which any other text is noticed."""
        ends = self.run.ends
        passing = [name for name in self.counting if ends.get(name) and ends[name].outcome == PASSED]
        # What shows the change first, then what runs least.
        ordered = sorted(
            passing, key=lambda name: (name not in self.showing, sum(map(len, ends[name].lines.values())), name)
        )
        importing = {entry.path: run_at_import(self.run, self.suite, entry.path) for entry in entries}
        tests = [self._noticing(entry, ordered, importing[entry.path]) for entry in entries]
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
        asked += self._neutral(asked)
        # To start pytest takes longer than some tests do.
        parts = _AT_ONCE if sum(len(each.tests) for each in asked) > _FEW_TESTS else 1
        shares = [self.threads.submit(self.suite.faults, asked[start::parts]) for start in range(parts)]
        found = {each.id: each for run in (share.result() for share in shares) if run.is_sound for each in run.ends}
        neutral = {each[len(_NEUTRAL) :]: end for each, end in found.items() if each.startswith(_NEUTRAL)}
        pinned = sorted(path for path, end in neutral.items() if end.end != "survived")
        unrun, lost = FaultEnd("", "unrun"), FaultEnd("", "lost")
        told = [
            entry.planted(at + 1, found.get(str(at), lost) if names else unrun)
            for at, (entry, names) in enumerate(zip(entries, tests, strict=True))
        ]
        return told, pinned

    def _with_calls(
        self, entries: Sequence[_Entry], told: Sequence[Planted]
    ) -> tuple[list[Planted], Mapping[str, CallOutcome]]:
        """Return the same with what calls say where no test notices: a call that differs, or that a part is alike."""
        calls = self.calls.calls
        some = tuple(each.id for each in calls)[:MOST_CALLS]
        own: dict[str, tuple[str, ...]] = {}
        for each in calls:
            own[each.unit] = (*own.get(each.unit, ()), each.id)
        left = [
            PlantedFault(str(at), entry.path, entry.source, (), False, own.get(entry.unit, some))
            for at, (entry, one) in enumerate(zip(entries, told, strict=True))
            if one.end == "survived" and entry.around
        ]
        on_head = self.calls.on_head(left)
        ends = {int(each.id): each for each in on_head.faults}
        shown = {each.id: each.shown for each in calls}
        found = [
            replace(one, call=shown.get(ends[at].by, "")) if at in ends and ends[at].end == "noticed" else one
            for at, one in enumerate(told)
        ]
        same = {at for at, end in ends.items() if end.end == "survived" and int(end.said) > 0}
        faults = [(each, one) for each, one in zip(entries, found, strict=True) if each.part is None]
        for at, entry in enumerate(entries):
            # What other functions are called with says nothing of this one.
            if at in same and entry.part and entry.unit in own:
                on_lines = [one for fault, one in faults if fault.path == entry.path and fault.lines <= entry.part]
                if on_lines and all(one.is_noticed or one.call for one in on_lines):
                    found[at] = replace(found[at], end=ALIKE)
        return found, on_head.outcomes

    def _neutral(self, asked: Sequence[PlantedFault]) -> list[PlantedFault]:
        """Return each file with nothing but a comment added: who notices that, looks at its text."""
        found = []
        for path in dict.fromkeys(each.path for each in asked):
            own = [each for each in asked if each.path == path]
            tests = tuple(dict.fromkeys(name for each in own for name in each.tests))
            content = self.suite.files[path].content + b"\n# nothing else\n"
            importing = any(each.is_run_at_import for each in own)
            found.append(PlantedFault(f"{_NEUTRAL}{path}", path, content, tests, importing))
        return found

    def _noticing(self, entry: _Entry, ordered: Sequence[str], importing: frozenset[int]) -> tuple[str, ...]:
        """Return the tests that run the lines of an entry; where none does, those that run the function around.

        What runs while the tests are collected, such as a decorator in a file of tests, each of them may notice.
        """
        if not entry.around:
            return tuple(ordered[:MOST_TESTS])
        for lines in (entry.lines, entry.around):
            found = [each for each in ordered if not lines.isdisjoint(self.run.ends[each].lines.get(entry.path, ()))]
            if not lines.isdisjoint(importing):
                found = list(dict.fromkeys((*found, *ordered)))
            if found:
                return tuple(found[:MOST_TESTS])
        return ()


def run_at_import(run: RunOfTests, suite: Suite, path: str) -> frozenset[int]:
    """Return the lines in bodies of functions that run while the tests are collected."""
    ran, tree = run.at_import.get(path, frozenset[int]()), tree_of(suite.files[path].content)
    if tree is None:
        return ran
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    bodies = {line for each in functions for line in range(each.body[0].lineno, (each.end_lineno or 0) + 1)}
    return ran & bodies


def _statements(content: bytes) -> set[int]:
    """Return the lines on which simple statements begin, texts and logging aside."""
    try:
        tree = parsed(content)
    except UNPARSABLE:
        return set()
    simple = (each for each in ast.walk(tree) if isinstance(each, _SIMPLE))
    return {
        each.lineno for each in simple if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    } - dull_lines(tree)


def _undone(undoing: Undoing) -> _Entry:
    around = _range(undoing.unit)
    part = frozenset(range(undoing.line, undoing.last_line + 1)) & around
    return _Entry(undoing.path, undoing.line, undoing.sentence, undoing.source, around, around, undoing.unit.name, part)


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
        unit = next((each for each in units if mutant.line in _range(each)), None)
        around, name = (_range(unit), unit.name) if unit else (frozenset[int](), "")
        yield _Entry(path, mutant.line, mutant.sentence, mutant.source, frozenset({mutant.line}), around, name)


def _evidence(unit: ChangedUnit, undone: Planted | None) -> UnitEvidence:
    place = unit.head or unit.base
    path, line = (place.path, place.first_line) if place else ("", 0)
    return UnitEvidence(unit.name, unit.kind.value, path, line, undone, unit.of.value)
