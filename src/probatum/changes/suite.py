"""One run of a tree's tests, as the judge sees it: what was planned, how each test ended, which lines it ran.

A test that ends the process it runs in is told as that, and the others run without it. Refuses to take a run that did
not come to its end for a whole one.
"""

from __future__ import annotations

import base64
import io
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Final

from probatum.changes.project import ProjectSetup, first_of, options_of
from probatum.changes.versions.trees import TreeFile
from probatum.core.shape import Shape
from probatum.sandbox.suites import PlantedFault, SuiteOrder, SuiteRun, WatchedFunction, run_suite

PASSED: Final = "passed"
FAILING: Final = frozenset({"failed", "error", "ended_the_process", "uncollected"})
_MOST_RESTARTS: Final = 3
_LATE: Final = "late"
_OTHER_NAME: Final = "tests.py"


@dataclass(frozen=True, slots=True)
class EndOfTest:
    """How one test ended."""

    outcome: str
    """passed, failed, error, skipped, xfailed, xpassed; ended_the_process, late."""
    said: str = ""
    errors: tuple[str, ...] = ()
    """The class of the exception and its bases, by name."""
    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Which lines of the traced files ran, by path."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of a watched function, as a test made it or as a variation of that; ``given`` only the sandbox reads.

    ``near`` is the number of the call of the same function that it is a variation of, -1 for none.
    """

    function: int
    tests: tuple[str, ...]
    shown: str
    given: str
    near: int
    is_natural: bool
    """Whether all its arguments are natural limits: nothing, empty, -1 to 2."""


@dataclass(frozen=True, slots=True)
class CompiledSource:
    """The code of a source, and the path where Python or pytest looks for it; only the sandbox reads it."""

    path: str
    code: bytes


@dataclass(frozen=True, slots=True)
class RunOfTests:
    """What one run told."""

    ends: Mapping[str, EndOfTest]
    planned: tuple[str, ...]
    uncollected: Mapping[str, str]
    """Files that could not be collected, and why."""
    trouble: str = ""
    """Why the run is not whole; empty where it is."""
    at_import: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Which lines of the traced files ran while the tests were collected, by path."""
    examples: frozenset[str] = frozenset()
    """Those of the tests that are examples of documentation."""
    calls: tuple[RecordedCall, ...] = ()
    compiled: Mapping[str, CompiledSource] = field(default_factory=dict)
    """By path: the code of sources, as it was before anything of the tree ran."""

    @property
    def files(self) -> frozenset[str]:
        """The files that hold tests, examples aside."""
        return frozenset(test.partition("::")[0] for test in self.planned if test not in self.examples)

    @property
    def ran(self) -> frozenset[str]:
        """The traced files of which a line ran."""
        return frozenset(chain(self.at_import, *(end.lines for end in self.ends.values())))

    def outcome(self, test: str) -> str:
        """Return how a test ended; ``uncollected`` where its file could not be, empty where there is no such test."""
        if test in self.ends:
            return self.ends[test].outcome
        file = test.partition("::")[0]
        return "uncollected" if file in self.uncollected or "" in self.uncollected else ""


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of one tree."""

    project: ProjectSetup
    files: Mapping[str, TreeFile]
    compiled: Mapping[tuple[str, bytes], CompiledSource] = field(default_factory=dict)
    """By path and content: code that an earlier run made of sources."""

    def order(self) -> SuiteOrder:
        """Return the order to run all of them."""
        contents = {path: each.content for path, each in self.files.items() if not each.link}
        return SuiteOrder(
            self.project.python,
            self.project.root,
            _archive(self.files, self.compiled),
            options_of(self.project.root, contents),
            first=first_of(contents),
            has_network=self.project.has_network,
            patience=self.project.patience,
        )

    def run(
        self,
        *,
        wanted: Sequence[str] | None = None,
        traced: Sequence[str] = (),
        recorded: Sequence[WatchedFunction] = (),
        hash_seed: int = 0,
        is_reversed: bool = False,
    ) -> RunOfTests:
        """Run the tests, of all of them those in files called ``tests.py`` only where pytest finds no others.

        Raises NotAttemptedError as `run_suite` does.
        """
        order = replace(
            self.order(),
            traced=tuple(traced),
            recorded=tuple(recorded),
            hash_seed=hash_seed,
            is_reversed=is_reversed,
            wanted=_all(wanted),
            compiles=not self.compiled,
        )
        if wanted is not None:
            order = replace(order, options=(*order.options, *files_of(wanted, self.files)))
        found: dict[str, EndOfTest] = {}
        asked = frozenset(wanted or ())
        # Other programs that run tests find them there.
        named = [path for path in self.files if PurePosixPath(path).name == _OTHER_NAME and wanted is None]
        for _ in range(_MOST_RESTARTS + 1):
            told = _read(run_suite(order), self.project.root)
            if named and not told.planned and not told.uncollected:
                told = _read(run_suite(replace(order, options=(*order.options, *named))), self.project.root)
            found |= told.ends
            breaking = [test for test, end in told.ends.items() if end.outcome == "ended_the_process"]
            meant = told.planned if wanted is None else [test for test in told.planned if test in asked]
            left = [test for test in meant if test not in found]
            if not breaking or not left:
                break
            order = replace(order, wanted=tuple(left))
        is_open = not found or bool(left) or any(end.outcome == _LATE for end in found.values())
        return replace(told, ends=found, trouble=told.trouble if is_open else "")

    def faults(self, faults: Sequence[PlantedFault]) -> FaultRun:
        """Plant faults, one after the other, and return what the tests noticed; raises as `run_suite` does."""
        if not faults:
            return FaultRun(True, ())
        told = run_suite(replace(self.order(), faults=tuple(faults)))
        shapes = [each for each in told.records if each.text("kind") == "fault"]
        ends = tuple(FaultEnd(e.text("id"), e.text("end"), e.text("by"), e.text("said")) for e in shapes)
        is_sound = any(each.text("kind") == "sound" and each.flag("is_sound") for each in told.records)
        return FaultRun(is_sound and told.is_whole, ends)


@dataclass(frozen=True, slots=True)
class FaultEnd:
    """What became of one planted fault."""

    id: str
    end: str
    """noticed, survived; bound where the tests ran many times as many lines; late or lost where nothing is known."""
    by: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class FaultRun:
    """What became of planted faults."""

    is_sound: bool
    """Whether the same tests passed without a fault, before and after."""
    ends: tuple[FaultEnd, ...]


def _all(wanted: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if wanted is None else tuple(wanted)


def files_of(tests: Iterable[str], files: Mapping[str, TreeFile]) -> list[str]:
    """Return the files of some tests as arguments of pytest; none where they are collected in a way of their own."""
    found = [each for each in dict.fromkeys(test.partition("::")[0] for test in tests) if each in files]
    return found if all(each.endswith(".py") for each in found) else []


def _archive(files: Mapping[str, TreeFile], compiled: Mapping[tuple[str, bytes], CompiledSource]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, each in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.mode = 0o755 if each.is_executable else 0o644
            if each.link:
                entry.type, entry.linkname = tarfile.SYMTYPE, each.link
                archive.addfile(entry)
            else:
                entry.size = len(each.content)
                archive.addfile(entry, io.BytesIO(each.content))
                if code := compiled.get((path, each.content)):
                    entry = tarfile.TarInfo(code.path)
                    entry.size = len(code.code)
                    archive.addfile(entry, io.BytesIO(code.code))
    return packed.getvalue()


def _read(run: SuiteRun, root: str) -> RunOfTests:
    ends: dict[str, EndOfTest] = {}
    planned: list[str] = []
    uncollected: dict[str, str] = {}
    trouble = "" if run.is_whole else run.said or "the tests did not come to their end"
    begun = ""
    at_import: Mapping[str, frozenset[int]] = {}
    examples = frozenset[str]()
    calls: list[RecordedCall] = []
    compiled: dict[str, CompiledSource] = {}
    for record in run.records:
        match record.text("kind"):
            case "planned":
                planned += record.texts("ids")
            case "uncollected":
                uncollected[record.text("id")] = record.text("said")
            case "collected":
                at_import, examples = _lines(record, root), frozenset(record.texts("examples"))
            case "begun":
                begun = record.text("id")
            case "test":
                ends[record.text("id")] = _end(record, root)
                begun = ""
            case "call":
                words = (tuple(record.texts("tests")), record.text("shown"), record.text("given"))
                near = record.whole("near", -1)
                calls.append(RecordedCall(record.whole("function"), *words, near, record.flag("is_natural")))
            case "compiled":
                code = base64.b64decode(record.text("code"))
                compiled[record.text("path")] = CompiledSource(record.text("target"), code)
            case "broken":
                trouble = record.text("said")
    if not run.is_whole and begun:
        ends[begun] = EndOfTest(_LATE if run.is_late else "ended_the_process")
        trouble = f"{begun} {'does not end' if run.is_late else 'ends the process that runs the tests'}"
    if run.is_whole and not planned and not uncollected:
        trouble = run.said
    own = tuple(dict.fromkeys(planned))
    return RunOfTests(ends, own, uncollected, trouble, at_import, examples, tuple(calls), compiled)


def _end(record: Shape, root: str) -> EndOfTest:
    errors = tuple(record.text("error").split())
    return EndOfTest(record.text("outcome"), record.text("said"), errors, _lines(record, root))


def _lines(record: Shape, root: str) -> dict[str, frozenset[int]]:
    prefix = root.rstrip("/") + "/"
    return {
        path.removeprefix(prefix): frozenset(each.whole() for each in record.member("lines").items(path))
        for path in record.member("lines").raw_object()
    }
