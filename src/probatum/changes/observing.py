"""Observes a change: what differs, how the tests end on both versions, and whether they would notice faults.

The data goes one way: trees → differences → the two own runs → the tests that run something changed → the crossed runs
and one in another order → faults → record. Everything that runs, runs in the sandbox; nothing here decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from probatum.changes.calls import CallComparison, callable_units, kept_calls, watched_function, without_repetitions
from probatum.changes.claims.facts import facts_of, ruled
from probatum.changes.claims.reading import ChangeClaim
from probatum.changes.claims.tools import results_of, tools_claimed
from probatum.changes.classes_of_files import FileRole, role_of
from probatum.changes.documented.looking import documented
from probatum.changes.noticing import Noticing, run_at_import
from probatum.changes.project import ProjectSetup
from probatum.changes.record import ChangeRecord
from probatum.changes.special_cases import special_cases
from probatum.changes.suite import PASSED, CompiledSource, RunOfTests, Suite
from probatum.changes.syntax.definitions import ChangedUnit, Differences, differences_of
from probatum.changes.syntax.file_syntax import UnitKind
from probatum.changes.table import FourRuns, RowStanding, TableRow, without_parameters
from probatum.changes.tampering import means_added
from probatum.changes.unjudged import changed_paths, unjudged, watched_paths
from probatum.changes.versions.trees import ChangeTrees, Tree, TreeFile
from probatum.changes.weakened.rules import weakened_checks
from probatum.core.events import Event, Listener

_SIDE_OF_TESTS: Final = frozenset({FileRole.TEST, FileRole.SUPPORT, FileRole.CHECKS})
_AT_ONCE: Final = 2
_OTHER_SEED: Final = 1
_OPEN: Final = frozenset({"late", "lost"})
_PASSING: Final = frozenset({RowStanding.FLAKY, RowStanding.LACKING, RowStanding.UNKNOWN})
_SHOWING: Final = frozenset({RowStanding.WITNESS, RowStanding.EXPECTATION})


@dataclass(frozen=True, slots=True)
class ObservedChange:
    """The record, and beside it what only people read."""

    record: ChangeRecord
    differences: Differences
    said: Mapping[str, str]
    """By test: what it said where it failed on the head."""

    @property
    def is_lasting(self) -> bool:
        """Whether another run would observe the same: everything came to its end."""
        ends = [each.end for each in self.record.faults]
        ends += [each.undone.end for each in self.record.units if each.undone is not None]
        standings = {row.standing for row in self.record.rows}
        if any(each.lost for each in self.record.compared):
            return False
        return not self.record.troubles and _OPEN.isdisjoint(ends) and standings.isdisjoint(_PASSING)


def observe_change(
    trees: ChangeTrees, project: ProjectSetup, claims: Sequence[Sequence[ChangeClaim]], listener: Listener
) -> ObservedChange:
    """Observe everything about a change, and what is so of the claims that are made of it.

    Raises NotAttemptedError: no sandbox, no pytest in the project's Python, or syntax of a later Python than this one.
    """
    base, head = trees.base.contents, trees.head.contents
    listener(Event("stage", "Reading the change"))
    differences = differences_of(base, head)
    with ThreadPoolExecutor(_AT_ONCE) as threads, ThreadPoolExecutor(1) as aside:
        # What the text alone tells, while the tests run.
        weakened, means = aside.submit(weakened_checks, base, head), aside.submit(means_added, base, head)
        observing = _Observing(trees, project, differences, threads, listener)
        runs = observing.own_runs()
        differences = observing.differences
        rows = observing.rows(runs)
        listener(Event("stage", "Undoing parts of the change, and planting faults on its lines"))
        flaky = {row.id for row in rows if row.standing is RowStanding.FLAKY}
        showing = frozenset(row.id for row in rows if row.standing is RowStanding.WITNESS or row.is_edited)
        counting = observing.told - flaky
        calls = observing.calls(runs)
        on_base = calls.on_base()
        shown = threads.submit(
            documented, trees, differences.units, project.python, listener, differences.documentation
        )
        noticed = Noticing(observing.head, runs.head_on_head, counting, showing, threads, calls).of(
            differences, base, head
        )
        listener(Event("stage", "Comparing calls on both versions"))
        of_change = {row.id for row in rows if row.standing in _SHOWING}
        compared, changed = calls.of(on_base.result().outcomes, noticed.outcomes, of_change)
    told = [row for row in rows if _is_told(row, observing.told)]
    record = ChangeRecord(
        trees.base.digest,
        trees.head.digest,
        tuple(told),
        len(rows) - len(told),
        noticed.units,
        noticed.faults,
        compared,
        changed,
        weakened.result(),
        means.result(),
        special_cases(differences.units, head),
        unjudged(trees, differences, runs.base_on_base, runs.head_on_head),
        ruled(claims, facts_of(trees, differences, runs, noticed.units, compared, observing.clean(claims)))
        if any(claims)
        else (),
        (*_troubles(runs), *noticed.troubles),
        _uncollected(runs),
        _not_judged(differences, trees),
        sum(end.outcome == PASSED for end in runs.head_on_head.ends.values()),
        _inert(differences),
        shown.result(),
    )
    said = {test: end.said for test, end in runs.head_on_head.ends.items() if end.said}
    return ObservedChange(record, differences, {**runs.head_on_head.uncollected, **said})


def _is_told(row: TableRow, affected: frozenset[str]) -> bool:
    return row.id in affected or row.is_edited or row.base_on_base != row.head_on_head


class _Observing:
    """What the steps share."""

    def __init__(
        self,
        trees: ChangeTrees,
        project: ProjectSetup,
        differences: Differences,
        threads: ThreadPoolExecutor,
        listener: Listener,
    ) -> None:
        self._differences = differences
        self._threads = threads
        self._listener = listener
        self.base, self.head = Suite(project, trees.base.files), Suite(project, trees.head.files)
        self._trees, self._project = trees, project
        # Sources by their names that hold tests, as a configuration may say.
        self._tests_by_use: frozenset[str] = frozenset()
        self._compiled: Mapping[tuple[str, bytes], CompiledSource] = {}
        self.told: frozenset[str] = frozenset()
        self._compared: tuple[ChangedUnit, ...] = ()

    def own_runs(self) -> FourRuns:
        """Run the tests of each version on its own sources."""
        self._listener(Event("stage", "Running the tests of both versions"))
        places = [[each.base, each.head] for each in self._differences.units]
        then, now = (
            ({place.path for place in side if place} for side in zip(*places, strict=True)) if places else ((), ())
        )
        watched = watched_paths(self._trees)
        self._compared = callable_units(self._differences.units)
        before = [watched_function(each.base) for each in self._compared if each.base]
        after = [watched_function(each.head) for each in self._compared if each.head]
        base = self._threads.submit(self.base.run, traced=sorted({*then, *watched}), recorded=before)
        head = self._threads.submit(self.head.run, traced=sorted({*now, *watched}), recorded=after)
        runs = FourRuns(base.result(), head.result())
        # Every further run takes the code of sources as it was before anything of them ran.
        self._compiled = {**_compiled(self.base, runs.base_on_base), **_compiled(self.head, runs.head_on_head)}
        self.base, self.head = (replace(each, compiled=self._compiled) for each in (self.base, self.head))
        held = runs.base_on_base.files | runs.head_on_head.files
        self._tests_by_use = frozenset(path for path in held if role_of(path) is FileRole.SOURCE)
        kept = (each for each in self._differences.units if not self._tests_by_use & _paths_of(each))
        self._differences = replace(self._differences, units=tuple(kept))
        return runs

    @property
    def differences(self) -> Differences:
        """What differs, without the units of files that hold tests."""
        return self._differences

    def rows(self, runs: FourRuns) -> tuple[TableRow, ...]:
        """Run again what runs something changed, in both other ways and in another order, and return the table."""
        self._listener(Event("stage", "Running the tests that run what changed, on the other version too"))
        base, head = runs.base_on_base, runs.head_on_head
        affected = {*self._affected(base, is_head=False), *self._affected(head, is_head=True)}
        edited = self._edited([*base.planned, *head.planned])
        changed = {name for name in (*base.planned, *head.planned) if without_parameters(name) in edited}
        changed |= set(base.planned) ^ set(head.planned)
        every = {*base.planned, *head.planned} if self._project.takes_all_tests else set[str]()
        self.told = frozenset(affected | changed | every)
        crossed: Future[RunOfTests] | None = None
        back: Future[RunOfTests] | None = None
        of_tests = [path for path in changed_paths(self._trees) if self._is_of_tests(path)]
        if of_tests:
            on_head = Suite(self._project, self._mixed(self._trees.head, self._trees.base), self._compiled)
            on_base = Suite(self._project, self._mixed(self._trees.base, self._trees.head), self._compiled)
            then = [name for name in base.planned if name in self.told and base.outcome(name) == PASSED]
            now = [name for name in head.planned if name in self.told and head.outcome(name) == PASSED]
            crossed = self._threads.submit(on_head.run, wanted=then) if then else None
            back = self._threads.submit(on_base.run, wanted=now) if now else None
        # What failed is run again as well: by chance, it refutes nothing.
        ended = {PASSED, "failed", "error"}
        repeated = [name for name in head.planned if name in self.told and head.outcome(name) in ended]
        again = (
            self._threads.submit(self.head.run, wanted=repeated, hash_seed=_OTHER_SEED, is_reversed=True)
            if repeated
            else None
        )
        found = FourRuns(base, head, *(each.result() if each else None for each in (crossed, back, again)))
        return found.rows(frozenset(edited), self.told, self._running(head), self._modules())

    def calls(self, runs: FourRuns) -> CallComparison:
        """Return the calls of changed functions that passing tests made on their own version, with variations."""
        names = [each.name for each in self._compared]
        found = [
            *kept_calls(runs.base_on_base, names, "b", self.told),
            *kept_calls(runs.head_on_head, names, "h", self.told),
        ]
        kept = {each.name for each in self._differences.units}
        calls = without_repetitions(each for each in found if each.unit in kept)
        return CallComparison(self.base, self.head, self._compared, calls, self._threads)

    def clean(self, claims: Sequence[Sequence[ChangeClaim]]) -> tuple[dict[str, bool], dict[str, bool]]:
        """Return by tool whether the base and the head are clean, for the tools that claims speak of."""
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            return results_of(tools_claimed(claims), self.base, self.head, threads)

    def _modules(self) -> frozenset[str]:
        """Return every name that a module or package of the head has."""
        paths = (path.removesuffix(".py") for path in self.head.files if path.endswith(".py"))
        return frozenset(part for path in paths for part in path.split("/"))

    def _running(self, head: RunOfTests) -> dict[str, tuple[str, ...]]:
        ranges = [
            (unit.name, unit.head.path, frozenset(range(unit.head.first_line, unit.head.last_line + 1)))
            for unit in self._differences.units
            if unit.head is not None and unit.of is UnitKind.FUNCTION
        ]
        found = {
            test: tuple(name for name, path, lines in ranges if not lines.isdisjoint(end.lines.get(path, ())))
            for test, end in head.ends.items()
        }
        return {test: names for test, names in found.items() if names}

    def _affected(self, run: RunOfTests, *, is_head: bool) -> Iterable[str]:
        places = [unit.head if is_head else unit.base for unit in self._differences.units]
        ranges: dict[str, set[int]] = {}
        suite = self.head if is_head else self.base
        is_everywhere = bool(self._differences.data)
        for unit, place in zip(self._differences.units, places, strict=True):
            if place is not None and unit.of is UnitKind.FUNCTION:
                ranges.setdefault(place.path, set()).update(range(place.first_line, place.last_line + 1))
                # Such as a decorator that a file of tests uses: what it made is in every test.
                importing = run_at_import(run, suite, place.path)
                is_everywhere = is_everywhere or not importing.isdisjoint(ranges[place.path])
            is_everywhere = is_everywhere or unit.of is not UnitKind.FUNCTION
        for name, end in run.ends.items():
            if is_everywhere or any(not ranges[path].isdisjoint(end.lines.get(path, ())) for path in ranges):
                yield name

    def _edited(self, names: Sequence[str]) -> set[str]:
        tests = self._differences.tests
        found = {*tests.edited, *tests.added}
        whole = bool(self._differences.support or self._differences.checks)
        changed = {*tests.shared, *(self._tests_by_use & changed_paths(self._trees))}
        found |= {without_parameters(name) for name in names if whole or name.partition("::")[0] in changed}
        return found

    def _is_of_tests(self, path: str) -> bool:
        return role_of(path) in _SIDE_OF_TESTS or path in self._tests_by_use

    def _mixed(self, sources: Tree, tests: Tree) -> dict[str, TreeFile]:
        """Return a tree with the sources of one version, and the tests with their data and configuration of another."""
        mixed = {path: each for path, each in sources.files.items() if not self._is_of_tests(path)}
        return mixed | {path: each for path, each in tests.files.items() if self._is_of_tests(path)}


def _inert(differences: Differences) -> tuple[str, ...]:
    """Return of which sources nothing that runs differs; nothing where another import may run something."""
    layout = (path for path in differences.layout if role_of(path) is FileRole.SOURCE)
    found = (*layout, *differences.documentation, *differences.annotations, *differences.metadata)
    return () if differences.imports else found


def _compiled(suite: Suite, run: RunOfTests) -> dict[tuple[str, bytes], CompiledSource]:
    return {(path, suite.files[path].content): code for path, code in run.compiled.items() if path in suite.files}


def _paths_of(unit: ChangedUnit) -> set[str]:
    return {place.path for place in (unit.base, unit.head) if place is not None}


def _troubles(runs: FourRuns) -> tuple[str, ...]:
    named = (("the base", runs.base_on_base), ("the head", runs.head_on_head), ("the head, once more", runs.again))
    return tuple(f"{name}: {run.trouble}" for name, run in named if run is not None and run.trouble)


def _uncollected(runs: FourRuns) -> tuple[str, ...]:
    """Return a sentence for each file that cannot be collected on either version, with the last line that was said."""
    both = runs.head_on_head.uncollected.keys() & runs.base_on_base.uncollected.keys()
    said = {path: (runs.head_on_head.uncollected[path].strip() or "?").splitlines()[-1] for path in sorted(both)}
    return tuple(
        f"{path or 'the suite'} cannot be collected: {text.removeprefix('E').strip()}" for path, text in said.items()
    )


def _not_judged(differences: Differences, trees: ChangeTrees) -> tuple[str, ...]:
    unreadable = (each.path for each in differences.unreadable)
    left_out = {*trees.base.left_out} ^ {*trees.head.left_out}
    return tuple(
        sorted(
            {
                *differences.others,
                *differences.data,
                *differences.dependencies,
                # What is known of checks to be weaker is told; what else differs in them is not judged.
                *differences.checks,
                *unreadable,
                *(path for path, _ in left_out),
            }
        )
    )
