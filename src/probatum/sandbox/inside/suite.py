"""Runs a file of tests in the clerk and reports to the judge: first the plan, then each test once.

Runs inside the sandbox, standard library only, with pytest where the environment has it: tests of plain functions
and classes run without it too. Nothing is written to disk, no plugin is loaded but the one below, and the outcome of
a test is the one that pytest gives.
"""

from __future__ import annotations

import importlib
import linecache
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

Plan = Callable[[list[str]], None]
# Called with the name of a test, its outcome (passed, failed, error, skipped) and a message.
Tell = Callable[[str, str, str], None]

_SHOWN = 2000
_MODULE = "given_tests"
_OPTIONS = "-q -s -p no:cacheprovider -p no:faulthandler -p no:junitxml -c /dev/null --rootdir / --disable-warnings"


def load_what_runs_tests() -> None:
    """Load pytest, and what it loads late, before the program takes the name of one of their modules."""
    # A program may be called code.py or types.py; what was loaded before keeps the module that it means.
    for name in ("pdb", "pytest", "unittest", "doctest"):
        with suppress(ImportError):
            importlib.import_module(name)


def run(source: bytes, plan: Plan, tell: Tell, until_one_fails: bool = False) -> None:
    """Run the tests of a source, in order; with ``until_one_fails`` only so far, and with a shorter message.

    Raises what the source raises at its top level.
    """
    module = types.ModuleType(_MODULE)
    module.__file__ = f"/{_MODULE}.py"
    sys.modules[_MODULE] = module
    linecache.cache[module.__file__] = (len(source), None, source.decode("utf-8", "replace").splitlines(True), "")
    exec(compile(source, module.__file__, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  its purpose
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        pytest: Any = importlib.import_module("pytest")
    except ImportError:
        _run_plainly(module, plan, tell)
    else:
        options = f"{_OPTIONS} -x --tb=line" if until_one_fails else _OPTIONS
        pytest.main(options.split(), plugins=[_reporter(pytest, module, plan, tell)])


def _run_plainly(module: types.ModuleType, plan: Plan, tell: Tell) -> None:
    tests = dict(_plain_tests(module))
    plan(list(tests))
    for name, test in tests.items():
        try:
            if test() is not None:
                raise TypeError("a test that gives something back, such as a coroutine, was not run to its end")
        except BaseException as error:  # noqa: BLE001  a test that raises has failed; the next one is asked all the same
            tell(name, "failed", f"{type(error).__name__}: {error}"[:_SHOWN])
        else:
            tell(name, "passed", "")


def _plain_tests(module: types.ModuleType) -> Iterator[tuple[str, Callable[[], object]]]:
    for name, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and name.startswith("test"):
            yield name, value
        elif isinstance(value, type) and name.startswith("Test") and value.__module__ == _MODULE:
            for inner in vars(value):
                if inner.startswith("test"):
                    yield f"{name}::{inner}", partial(_on_new_instance, value, inner)


def _on_new_instance(kind: type, name: str) -> object:
    return getattr(kind(), name)()


def _reporter(pytest: Any, module: types.ModuleType, plan: Plan, tell: Tell) -> object:
    """Return a pytest plugin that collects the module from memory and reports each test when it is finished."""

    class InMemoryModule(pytest.Module):  # type: ignore[misc]  # pytest is imported only where it is installed
        def _getobj(self) -> types.ModuleType:
            return module

    class Reporter:
        def __init__(self) -> None:
            self._outcomes: dict[str, tuple[str, str]] = {}

        @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]  # likewise
        def pytest_collection(self, session: Any) -> bool:
            collected = InMemoryModule.from_parent(session, path=Path(f"/{_MODULE}.py"))
            session.items = list(session.genitems(collected))
            session.config.hook.pytest_collection_modifyitems(
                session=session, config=session.config, items=session.items
            )
            session.testscollected = len(session.items)
            plan([_short(item.nodeid) for item in session.items])
            return True

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.outcome == "failed":
                outcome = "failed" if report.when == "call" else "error"
            elif report.when == "call" or report.outcome == "skipped":
                outcome = report.outcome
            else:
                return
            text = str(report.longreprtext)[-_SHOWN:] if outcome != "passed" else ""
            self._outcomes[report.nodeid] = (outcome, text)

        def pytest_runtest_logfinish(self, nodeid: str) -> None:
            outcome, text = self._outcomes.get(nodeid, ("error", "pytest reported no outcome"))
            tell(_short(nodeid), outcome, text)

    return Reporter()


def _short(nodeid: str) -> str:
    return nodeid.split("::", 1)[-1]
