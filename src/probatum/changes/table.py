"""One table of the tests: the base's and the head's, each on both versions of the sources.

| standing | what happened |
|---|---|
| kept | passed before, passes now |
| witness | passes now, and fails on the base's sources |
| silent | new, and passes on the base's sources too: it says nothing about the change |
| regression | passed before and is not edited, or fails in both versions: now it fails |
| expectation | was edited or taken away: the old version fails on the new sources |
| broken | new or edited, and fails on the sources that it comes with |
| removed | passed before, and is not there any more; the new sources would still pass it |
| switched_off | passed before and is skipped or marked to fail now; or is new and is so |
| flaky | passes or fails by chance, by order or by hash seed |
| failing | failed before as it does now: it says nothing |
| idle | neither passes nor fails before and now |
| lacking | fails now since the place where it runs lacks something: a package, a command, the network |
| unknown | did not end in its time, or was not reported |
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from probatum.changes.suite import FAILING, PASSED, RunOfTests

_DENIED: Final = (
    *("Network is unreachable", "Temporary failure in name resolution", "Name or service not known"),
    *("Read-only file system", "Operation not permitted"),
)
_MODULE: Final = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_COMMAND: Final = re.compile(r"FileNotFoundError: \[Errno 2\] No such file or directory: '([^'/]+)'")
_UNCOLLECTED: Final = "uncollected"
_OFF: Final = frozenset({"skipped", "xfailed"})
_UNREPORTED: Final = "unreported"
_UNKNOWN: Final = frozenset({"late", _UNREPORTED})


class RowStanding(StrEnum):
    """What a test says about a change."""

    KEPT = "kept"
    WITNESS = "witness"
    SILENT = "silent"
    REGRESSION = "regression"
    EXPECTATION = "expectation"
    BROKEN = "broken"
    REMOVED = "removed"
    SWITCHED_OFF = "switched_off"
    FLAKY = "flaky"
    FAILING = "failing"
    IDLE = "idle"
    LACKING = "lacking"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One test: how it ended in each run, empty where it was not run or is not there."""

    id: str
    is_edited: bool
    base_on_base: str = ""
    base_on_head: str = ""
    head_on_head: str = ""
    head_on_base: str = ""
    again: str = ""
    """The head's test on the head's sources once more, in another order and with another hash seed."""
    runs: tuple[str, ...] = ()
    """Which changed functions of the head it runs, by name."""
    lacks: str = ""
    """What the head's test fails for on the head's sources and what the place lacks; empty for any other end."""

    @property
    def standing(self) -> RowStanding:
        """What the test says, from how it ended alone."""
        if self.again and (self.again == PASSED) != (self.head_on_head == PASSED):
            return RowStanding.FLAKY
        if not self.head_on_head:
            return self._of_gone()
        if self.head_on_head in _UNKNOWN:
            return RowStanding.UNKNOWN
        standing = self._of_both() if self.base_on_base else self._of_new()
        is_bad = standing in {RowStanding.REGRESSION, RowStanding.BROKEN}
        return RowStanding.LACKING if is_bad and self.lacks else standing

    def _of_gone(self) -> RowStanding:
        if self.base_on_base != PASSED:
            return RowStanding.IDLE
        # A case with other parameters has another name: what it expected is what changed.
        return RowStanding.EXPECTATION if self.base_on_head in FAILING else RowStanding.REMOVED

    def _of_new(self) -> RowStanding:
        if self.head_on_head in _OFF:
            return RowStanding.SWITCHED_OFF
        if self.head_on_head != PASSED:
            return RowStanding.BROKEN
        return RowStanding.SILENT if self.head_on_base == PASSED else RowStanding.WITNESS

    def _of_both(self) -> RowStanding:
        before, now = self.base_on_base, self.head_on_head
        if before == PASSED:
            if now == PASSED:
                return self._of_passing()
            if now in _OFF:
                return RowStanding.SWITCHED_OFF
            is_spared = self.is_edited and self.base_on_head == PASSED
            return RowStanding.BROKEN if is_spared else RowStanding.REGRESSION
        if now == PASSED:
            mended = before in FAILING and self.head_on_base != PASSED
            return RowStanding.WITNESS if mended or self.head_on_base in FAILING else RowStanding.SILENT
        return RowStanding.FAILING if before in FAILING and now in FAILING else RowStanding.IDLE

    def _of_passing(self) -> RowStanding:
        if self.base_on_head and self.base_on_head != PASSED:
            return RowStanding.EXPECTATION
        return RowStanding.WITNESS if self.head_on_base in FAILING else RowStanding.KEPT


@dataclass(frozen=True, slots=True)
class FourRuns:
    """The runs that a table is made of; those that were not needed are None."""

    base_on_base: RunOfTests
    head_on_head: RunOfTests
    base_on_head: RunOfTests | None = None
    head_on_base: RunOfTests | None = None
    again: RunOfTests | None = None

    def rows(
        self,
        edited: frozenset[str],
        affected: frozenset[str],
        running: Mapping[str, tuple[str, ...]],
        modules: frozenset[str],
    ) -> tuple[TableRow, ...]:
        """Return one row for each test, in the order of the head, then those that are gone.

        ``edited`` names tests without their parameters; only tests that are ``affected`` were run again; ``running``
        says which changed functions a test runs, ``modules`` which names of modules the tree itself has. A file of the
        head that cannot be collected, and has no test in the base, has a row of its own.
        """
        then, now = frozenset(self.base_on_base.planned), frozenset(self.head_on_head.planned)
        files = {name.partition("::")[0] for name in then}
        lost = [path for path in self.head_on_head.uncollected if path not in files]
        names = dict.fromkeys((*self.head_on_head.planned, *self.base_on_base.planned, *lost))
        rows = (
            self._row(name, name in then, name in now, without_parameters(name) in edited, name in affected)
            for name in names
        )
        return tuple(
            replace(row, runs=running.get(row.id, ()), lacks=lacking(self.head_on_head, row.id, modules))
            for row in rows
        )

    def _row(self, name: str, was_planned: bool, is_planned: bool, is_edited: bool, is_affected: bool) -> TableRow:
        base, head = self.base_on_base.outcome(name), self.head_on_head.outcome(name)
        base = (base or _UNREPORTED) if was_planned else base if base == _UNCOLLECTED and "::" not in name else ""
        head = head or (_UNREPORTED if is_planned else "")
        if not is_affected:
            return TableRow(name, is_edited, base, "", head)
        others = (
            self.base_on_head if base else None,
            self.head_on_base if head else None,
            self.again if head else None,
        )
        crossed, back, again = (_outcome(run, name) for run in others)
        return TableRow(name, is_edited, base, crossed, head, back, again)


def _outcome(run: RunOfTests | None, name: str) -> str:
    if run is None:
        return ""
    # What was asked for and is not there cannot be collected on these sources.
    return run.outcome(name) or _UNCOLLECTED


def without_parameters(test: str) -> str:
    """Return the name of a test without the parameters of one of its cases."""
    return test.partition("[")[0]


def lacking(run: RunOfTests, test: str, modules: frozenset[str]) -> str:
    """Return what the place lacks that a test fails for: a package, a command, a right; empty where it is not that."""
    end = run.ends.get(test)
    if end is not None and end.outcome not in FAILING:
        return ""
    said = end.said if end is not None else run.uncollected.get(test.partition("::")[0], "")
    missing = _MODULE.findall(said)
    if missing and missing[-1].partition(".")[0] not in modules:
        return f"no module named {missing[-1]!r}"
    if (command := _COMMAND.findall(said)) and "_execute_child" in said:
        return f"no command {command[-1]!r}"
    denied = [each for each in _DENIED if each in said]
    return denied[0] if denied else ""


def counts(rows: tuple[TableRow, ...]) -> Mapping[RowStanding, int]:
    """Return how many tests stand in which way."""
    found = dict.fromkeys(RowStanding, 0)
    for row in rows:
        found[row.standing] += 1
    return found
