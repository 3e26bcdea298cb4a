"""The pytest plugin that tells the judge of every test of a tree: that it was planned, begun, how it ended, what ran.

Runs inside the sandbox, standard library only. Outcomes are those that pytest gives. A test that begins and does not
end has ended this process, or was ended with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import pytest

from .tree_trace import Lines

Tell = Callable[..., None]
_SHOWN = 1500
_AT_ONCE = 500


class TreeReporter:
    """Runs the tests that are wanted, or all; in order, or those of each file from the last to the first."""

    def __init__(self, wanted: Collection[str] | None, tell: Tell, trace: Lines, *, is_reversed: bool = False) -> None:
        self._wanted = None if wanted is None else frozenset(wanted)
        self._tell = tell
        self._trace = trace
        self._reversed = is_reversed
        self._ends: dict[str, tuple[str, str, str]] = {}
        # Which tests are still to come to their end; None until they are collected.
        self._left: set[str] | None = None

    @property
    def is_done(self) -> bool:
        """Whether every test that was to be run came to its end."""
        return self._left is not None and not self._left

    def pytest_collectreport(self, report: Any) -> None:
        """Tell of a file that could not be collected, and of one that skips itself."""
        if report.failed:
            self._tell(kind="uncollected", id=report.nodeid, said=str(report.longreprtext)[-_SHOWN:])
        elif report.skipped and report.nodeid:
            self._tell(kind="skipped_file", id=report.nodeid, said=str(report.longrepr)[-_SHOWN:])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[Any], config: Any) -> Any:
        """Tell of all tests, then keep what is wanted of those that the project keeps."""
        told = yield
        names = [item.nodeid for item in items]
        for start in range(0, len(names), _AT_ONCE):
            self._tell(kind="planned", ids=names[start : start + _AT_ONCE])
        if self._wanted is not None:
            kept = [item for item in items if item.nodeid in self._wanted]
            items[:] = kept
        if self._reversed:
            # Sorting keeps the order of files: that one prepares what another needs is common, and no accident.
            files = {file: at for at, file in enumerate(dict.fromkeys(map(_file_of, items)))}
            items.reverse()
            items.sort(key=lambda item: files[_file_of(item)])
        self._left = {item.nodeid for item in items}
        examples = [item.nodeid for item in items if type(item).__name__ == "DoctestItem"]
        self._tell(kind="collected", lines=self._trace.take(), ini=str(config.inipath or ""), examples=examples)
        return told

    def pytest_deselected(self, items: list[Any]) -> None:
        """Tell of tests that the project leaves out."""
        self._tell(kind="deselected", ids=[item.nodeid for item in items])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Tell that a test begins."""
        self._trace.again()
        self._trace.take()
        self._tell(kind="begun", id=nodeid)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        """Note how each phase of a test ended; the first that did not go well counts."""
        phase = yield
        known = self._ends.get(phase.nodeid)
        if known is None or known[0] == "passed":
            end = end_of(phase, None if call.excinfo is None else call.excinfo.value)
            if end is not None:
                self._ends[phase.nodeid] = end
        return phase

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Tell how a test ended, and which lines it ran."""
        if self._left is not None:
            self._left.discard(nodeid)
        outcome, said, error = self._ends.pop(nodeid, ("error", "pytest reported no outcome", ""))
        self._tell(kind="test", id=nodeid, outcome=outcome, said=said, error=error, lines=self._trace.take())

    def pytest_internalerror(self, excrepr: Any) -> None:
        """Tell that pytest itself broke."""
        self._tell(kind="broken", said=str(excrepr)[-_SHOWN:])


def _file_of(item: Any) -> str:
    return str(item.nodeid).partition("::")[0]


def end_of(report: Any, error: BaseException | None) -> tuple[str, str, str] | None:
    """Return outcome, message and the names of the exception's classes of one phase; None where it tells nothing."""
    if hasattr(report, "wasxfail"):
        return ("xpassed" if report.passed else "xfailed"), str(report.wasxfail)[:_SHOWN], ""
    if report.failed:
        kinds = " ".join(each.__name__ for each in type(error).__mro__) if error is not None else ""
        return ("failed" if report.when == "call" else "error"), str(report.longreprtext)[-_SHOWN:], kinds
    if report.skipped:
        said = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longreprtext
        return "skipped", str(said)[-_SHOWN:], ""
    return ("passed", "", "") if report.when == "call" else None
