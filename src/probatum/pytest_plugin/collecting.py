"""Collects source files as test items: one for each documented function and class, verified when it is run.

Registered by ``--probatum`` alone. Collecting reads syntax; the first item that is run starts the sandbox. Neither a
source nor its package is imported into the process of pytest. Refuses test files and what sets tests up: these are
pytest's own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from probatum.core.errors import ProbatumError
from probatum.pytest_plugin.choices import FAIL_ON, setting
from probatum.pytest_plugin.documented import documented_names

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle

    from probatum.pytest_plugin.reports import SeenCheck

# What a file is called that is judged as a whole, because its names cannot be read.
WHOLE_FILE = "file"
_SET_UP = frozenset({"conftest.py", "setup.py"})
_TESTS = ("test_*.py", "*_test.py")
_TEST_FOLDERS = frozenset({"tests", "test"})


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a source that was found in a folder."""
    is_named = parent.session.isinitpath(file_path)
    return None if is_named or not _is_source(file_path, parent.config) else _program_file(file_path, parent)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a source that was named itself: otherwise pytest imports it as if it were a test file."""
    is_named = parent.session.isinitpath(module_path)
    return _program_file(module_path, parent) if is_named and _is_source(module_path, parent.config) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report the checks of a function before the function itself."""
    report = yield
    if isinstance(item, FunctionItem) and call.when == "call":
        item.complete(report)
    return report


def _program_file(path: Path, parent: pytest.Collector) -> pytest.Collector:
    # Not below the package that pytest sees there: it would import the package to set it up.
    return ProgramFile.from_parent(parent.session, path=path)


def _is_source(path: Path, config: pytest.Config) -> bool:
    patterns = config.getini("python_files")
    if path.suffix != ".py" or path.name in _SET_UP or any(map(path.match, patterns)):
        return False
    if config.rootpath in path.parents:
        folders = path.relative_to(config.rootpath).parts[:-1]
        return _TEST_FOLDERS.isdisjoint(folders) and not any(map(path.match, _TESTS))
    return not any(map(path.match, _TESTS))


class ProgramFile(pytest.File):
    """One source file."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each documented name; one for the file where its names cannot be read."""
        try:
            names = documented_names(self.path)
        except (OSError, ValueError):
            yield FunctionItem.from_parent(self, name=WHOLE_FILE, function=None, line=1)
        else:
            for name, line in names.items():
                yield FunctionItem.from_parent(self, name=name, function=name, line=line)


class NotVerified(Exception):
    """A verdict that fails its item; the text is the report."""


class FunctionItem(pytest.Item):
    """One function or class of a source file, or a whole file that cannot be read."""

    def __init__(self, name: str, parent: pytest.Collector, function: str | None, line: int) -> None:
        """Keep what is asked about; None stands for the whole file."""
        super().__init__(name, parent)
        self._function = function
        self._line = line
        self._checks: tuple[SeenCheck, ...] = ()
        self.add_marker("probatum")

    def runtest(self) -> None:
        """Verify it; raises NotVerified where its verdict fails the item, and skips where it is neither."""
        from probatum.pytest_plugin import reports
        from probatum.pytest_plugin.verdicts import LeftOutError, shortest, verdicts_of

        named = f"::{self._function}" if self._function else ""
        try:
            answer = verdicts_of(self.config).answer(f"{shortest(self.path)}{named}")
        except LeftOutError as error:
            pytest.skip(error.sentence)
        ended = reports.outcome_in_pytest(answer.verdict, setting(self.config, "fail_on", FAIL_ON))
        self.user_properties.extend(reports.properties_of(answer.verdict))
        self._checks = reports.checks_of(answer, ended)
        if ended == "failed":
            raise NotVerified(reports.failure_of(answer, verbose=self.config.get_verbosity() > 0))
        if ended == "skipped":
            pytest.skip(reports.reason_of(answer))

    def complete(self, report: pytest.TestReport) -> None:
        """Report its checks as subtests, before pytest 9 as a section of its own report."""
        from probatum.pytest_plugin import reports

        if isinstance(report.longrepr, tuple):
            # Skipped where the function stands, not where this plugin says so.
            report.longrepr = (str(self.path), self._line, report.longrepr[2])
        if hasattr(pytest, "SubtestReport") and self.config.pluginmanager.has_plugin("subtests"):
            for each in self._checks:
                self.ihook.pytest_runtest_logreport(report=reports.subtest_report(report, each))
        elif self._checks:
            report.sections.append(("Checks", reports.checks_text(self._checks)))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: TracebackStyle | None = None
    ) -> str | TerminalRepr:
        """Return the page, or the sentence of an error that has one; of a defect the traceback."""
        if isinstance(excinfo.value, NotVerified):
            return str(excinfo.value)
        if isinstance(excinfo.value, ProbatumError):
            return f"{excinfo.value.sentence}\n{excinfo.value.hint}".rstrip()
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where it stands: the file, the line counted from 0, and its name."""
        return self.path, self._line - 1, self.name
