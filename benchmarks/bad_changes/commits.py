"""A real commit, and the runs of its tests that variants are made from; each is run once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.bad_changes.trials import Files, Scratch, Trial
from probatum.changes.syntax.definitions import ChangedUnit, differences_of


@dataclass(slots=True)
class RealCommit:
    """A commit that changes sources and tests, laid out in a scratch clone, with runs of its tests."""

    scratch: Scratch
    sha: str
    sources: Sequence[str]
    tests: Sequence[str]
    every_test: Sequence[str]
    """The files of tests that are run in trials: those of the commit, or all of them where they are quick."""
    on_head: Trial
    _kept: dict[str, Trial] = field(default_factory=dict)

    @property
    def parent(self) -> str:
        """Its parent."""
        return f"{self.sha}~1"

    def before(self, path: str) -> bytes | None:
        """Return a file of the parent."""
        return self.scratch.read(self.parent, path)

    def after(self, path: str) -> bytes | None:
        """Return a file of the commit."""
        return self.scratch.read(self.sha, path)

    def old_sources(self) -> dict[str, bytes | None]:
        """Return the sources of the parent."""
        return {path: self.before(path) for path in self.sources}

    def old_tests(self) -> dict[str, bytes | None]:
        """Return the tests of the parent."""
        return {path: self.before(path) for path in self.tests}

    def on_base(self) -> Trial:
        """Return a run of the tests of the parent on its sources."""
        return self._once("base", lambda: self.trial({**self.old_sources(), **self.old_tests()}))

    def tests_on_base(self) -> Trial:
        """Return a run of the tests of the commit on the sources of the parent."""
        return self._once("tests", lambda: self.trial(self.old_sources()))

    def units(self) -> tuple[ChangedUnit, ...]:
        """Return what differs in the sources."""
        old = {path: content for path in self.sources if (content := self.before(path)) is not None}
        new = {path: content for path in self.sources if (content := self.after(path)) is not None}
        return differences_of(old, new).units

    def trial(self, files: Files) -> Trial:
        """Run the tests with these files."""
        return self.scratch.trial(files, self.every_test)

    def _once(self, name: str, run: Callable[[], Trial]) -> Trial:
        if name not in self._kept:
            self._kept[name] = run()
        return self._kept[name]

    def contradicts(self, files: Files) -> bool:
        """Tell whether a test of the parent that passed there fails with these sources."""
        trial = self.trial({**files, **self.old_tests()})
        return bool(self.on_base().passing() & trial.failing().keys())
