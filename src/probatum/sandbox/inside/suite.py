"""Runs a file of tests and reports to the judge: first the plan, then each test once.

Runs inside the sandbox, standard library only, with pytest where the environment has it: plain functions, classes and
the cases of unittest run without it too. Nothing is written to disk, no plugin is loaded but the one below, and the
outcome of a test is the one that pytest gives. In the clerk the program is a proxy; beside the program it is the
program itself, and then what is reported is only as honest as the program.
"""

from __future__ import annotations

import ast
import importlib
import linecache
import os
import sys
import traceback
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from .carrying import Watch

# Called with "planned" and the names of all tests; then for each with "test", its name, its outcome as the judge names
# it, a message, and what could not be carried.
Report = Callable[..., None]

# How a file of plain functions begins that needs nothing of pytest or unittest, which take long to load.
PLAIN = b"# plain functions\n"
_SHOWN = 2000
_SIDE = 300
_MODULE = "given_tests"
_OPTIONS = "-q --capture=sys -p no:cacheprovider -p no:faulthandler -c /dev/null --rootdir / --disable-warnings"
# A test that meets these was denied something, or does not find it here: that says nothing about the program.
_DENIED = (OSError, MemoryError, ModuleNotFoundError)
_LACKS = "Here is no network, and nothing of yours but the program and its tests."


def load_what_runs_tests(source: bytes) -> None:
    """Load pytest, and what it loads late, before the program takes the name of one of their modules."""
    if source.startswith(PLAIN):
        return
    # A program may be called code.py or types.py; what was loaded before keeps the module that it means.
    for name in ("pdb", "pytest", "unittest", "doctest"):
        with suppress(ImportError):
            importlib.import_module(name)


def run(
    source: bytes,
    report: Report,
    watch: Watch | None = None,
    wanted: Collection[str] | None = None,
    until_one_fails: bool = False,
) -> None:
    """Run the tests of a source, in order; only those ``wanted``, and with ``until_one_fails`` only so far.

    ``watch`` notes what they rely on; None beside the program, where everything is carried.
    Raises what the source raises at its top level.
    """
    module = types.ModuleType(_MODULE)
    module.__file__ = f"/{_MODULE}.py"
    sys.modules[_MODULE] = module
    linecache.cache[module.__file__] = (len(source), None, source.decode("utf-8", "replace").splitlines(True), "")
    exec(compile(source, module.__file__, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  its purpose
    if watch is not None:
        watch.loaded()
    if source.startswith(PLAIN):
        _run_functions(_plain_tests(module, types.NoneType), report, watch, wanted)
        return
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        pytest: Any = importlib.import_module("pytest")
    except ImportError:
        _run_plainly(module, report, watch, wanted)
    else:
        options = f"{_OPTIONS} -x --tb=line" if until_one_fails else _OPTIONS
        pytest.main(options.split(), plugins=[_reporter(pytest, module, report, watch, wanted)])


def _failed(error: BaseException) -> str:
    return "error" if isinstance(error, _DENIED) else "failed"


def _run_plainly(module: types.ModuleType, report: Report, watch: Watch | None, wanted: Collection[str] | None) -> None:
    unittest: Any = importlib.import_module("unittest")
    cases = list(_cases(unittest.defaultTestLoader.loadTestsFromModule(module)))
    named = {_name_of(case): case for case in cases if wanted is None or _name_of(case) in wanted}
    tell = _run_functions(_plain_tests(module, unittest.TestCase), report, watch, wanted, list(named))
    unittest.TestSuite(named.values()).run(_result(unittest, tell, watch))


def _run_functions(
    functions: Iterable[tuple[str, Callable[[], object]]],
    report: Report,
    watch: Watch | None,
    wanted: Collection[str] | None,
    others: Sequence[str] = (),
) -> Callable[[str, str, str], None]:
    """Report the plan, with ``others`` that come later, then each function; return what reports the others."""
    tests = {name: test for name, test in functions if wanted is None or name in wanted}
    report("planned", [*tests, *others])

    def tell(name: str, outcome: str, message: str, doubt: str = "") -> None:
        if watch is not None:
            outcome = "idle" if outcome == "passed" and watch.is_idle() else outcome
            watch.begin()
        report("test", name, outcome, message, doubt)

    for name, test in tests.items():
        try:
            given = test()
        except BaseException as error:  # noqa: BLE001  a test that raises has failed; the next one is asked all the same
            tell(name, _failed(error), _said(error), "" if watch is None else watch.doubt(error, ()))
        else:
            message = given if type(given) is str else "what it gives back, such as a coroutine, was not run to its end"
            tell(name, *(("passed", "") if given is None else ("error", message)))
    return tell


def _said(error: BaseException) -> str:
    """Return what an error says; of an assertion without a text, the assertion."""
    text = str(error)
    for frame, line in () if text or not isinstance(error, AssertionError) else traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == f"/{_MODULE}.py":
            text = linecache.getline(frame.f_code.co_filename, line).strip() or text
            text += _compared(text, {**frame.f_globals, **frame.f_locals})
    return f"{type(error).__name__}: {text}"[:_SHOWN]


def _compared(text: str, around: dict[str, Any]) -> str:
    """Return what the sides of a failed comparison are; those that call nothing: a call may change things."""
    told = ""
    # A text of several lines is cut here, and what is no comparison has no sides.
    with suppress(Exception):
        test: Any = ast.parse(text).body[0]
        for side in (test.test.left, *test.test.comparators):
            if any(isinstance(each, ast.Name) for each in ast.walk(side)) and not _calls(side):
                value = repr(eval(compile(ast.Expression(side), "<side>", "eval"), around))  # noqa: S307  # its own code
                told += f"; {ast.unparse(side)} is {value[:_SIDE]}" if " at 0x" not in value else ""
    return told


def _calls(side: ast.AST) -> bool:
    return any(isinstance(each, ast.Call | ast.Await | ast.comprehension | ast.NamedExpr) for each in ast.walk(side))


def _cases(suite: Any) -> Iterator[Any]:
    for part in suite:
        if hasattr(part, "id"):
            yield part
        else:
            yield from _cases(part)


def _name_of(case: Any) -> str:
    return "::".join(case.id().rsplit(".", 2)[-2:])


def _result(unittest: Any, tell: Callable[[str, str, str], None], watch: Watch | None) -> Any:
    """Return what hears of unittest how its cases end, and tells of each once."""
    ends: dict[str, tuple[str, str]] = {}

    def fail(_self: object, case: Any, error: Any) -> None:
        ends[_name_of(case)] = (_failed(error[1]), _said(error[1]))

    def fail_partly(self: object, case: Any, _part: Any, error: Any) -> None:
        if error is not None:
            fail(self, case, error)

    def skip(_self: object, case: Any, reason: str) -> None:
        ends[_name_of(case)] = ("skipped", reason)

    def fail_as_marked(_self: object, case: Any, _error: Any) -> None:
        ends[_name_of(case)] = ("skipped", "it is marked to fail")

    def pass_unexpectedly(_self: object, case: Any) -> None:
        ends[_name_of(case)] = ("failed", "it is marked to fail, and passes")

    def start(_self: object, _case: Any) -> None:
        if watch is not None:
            watch.keep()  # What has come back between two cases serves more than one.

    def stop(_self: object, case: Any) -> None:
        tell(_name_of(case), *ends.get(_name_of(case), ("passed", "")))

    heard = {"startTest": start, "stopTest": stop, "addFailure": fail, "addError": fail, "addSubTest": fail_partly}
    heard |= {"addSkip": skip, "addExpectedFailure": fail_as_marked, "addUnexpectedSuccess": pass_unexpectedly}
    return type("Result", (unittest.TestResult,), heard)()


def _plain_tests(module: types.ModuleType, case: type) -> Iterator[tuple[str, Callable[[], object]]]:
    for name, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and name.startswith("test"):
            yield name, value
        elif isinstance(value, type) and name.startswith("Test") and value.__module__ == _MODULE:
            for inner in vars(value) if not issubclass(value, case) else ():
                if inner.startswith("test"):
                    yield f"{name}::{inner}", partial(_on_new_instance, value, inner)


def _on_new_instance(kind: type, name: str) -> object:
    instance = kind()
    for step in ("setup_method", name):
        found = getattr(instance, step, None)
        result = found() if found is not None else None
    return result


def _reporter(
    pytest: Any,
    module: types.ModuleType,
    report: Report,
    watch: Watch | None,
    wanted: Collection[str] | None,
) -> object:
    """Return a pytest plugin that collects the module from memory and reports each test when it is finished."""

    class InMemoryModule(pytest.Module):  # type: ignore[misc]  # pytest is imported only where it is installed
        def _getobj(self) -> types.ModuleType:
            return module

    class Reporter:
        def __init__(self) -> None:
            self._outcomes: dict[str, tuple[str, str, str]] = {}

        @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]  # likewise
        def pytest_collection(self, session: Any) -> bool:
            collected = InMemoryModule.from_parent(session, path=Path(f"/{_MODULE}.py"))
            found = session.genitems(collected)
            session.items = [item for item in found if wanted is None or _short(item.nodeid) in wanted]
            session.config.hook.pytest_collection_modifyitems(
                session=session, config=session.config, items=session.items
            )
            session.testscollected = len(session.items)
            report("planned", [_short(item.nodeid) for item in session.items])
            return True

        @pytest.hookimpl(tryfirst=True)  # type: ignore[untyped-decorator]  # likewise
        def pytest_runtest_setup(self) -> None:
            if watch is not None:
                watch.begin()

        @pytest.hookimpl(wrapper=True)  # type: ignore[untyped-decorator]  # likewise
        def pytest_fixture_setup(self, fixturedef: Any) -> Any:
            before = 0 if watch is None else watch.answers
            made = yield
            if watch is not None and watch.answers > before:
                watch.keep(fixturedef.argname)
            return made

        @pytest.hookimpl(wrapper=True)  # type: ignore[untyped-decorator]  # likewise
        def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
            phase = yield
            known = self._outcomes.get(phase.nodeid)
            if known is None or known[0] in ("passed", "idle"):
                told = _told(item, phase, None if call.excinfo is None else call.excinfo.value, watch)
                if told is not None:
                    self._outcomes[phase.nodeid] = told
            return phase

        def pytest_runtest_logfinish(self, nodeid: str) -> None:
            report("test", _short(nodeid), *self._outcomes.get(nodeid, ("error", "pytest reported no outcome", "")))

    return Reporter()


def _told(item: Any, report: Any, error: BaseException | None, watch: Watch | None) -> tuple[str, str, str] | None:
    """Return outcome, message and doubt of what pytest reports of one phase; None where it tells nothing."""
    doubt = ""
    if report.failed:
        outcome = "error" if report.when != "call" else "failed" if error is None else _failed(error)
        if watch is not None and error is not None:
            outcome = outcome if watch.answers else "error"
            doubt = watch.doubt(error, {*item.fixturenames, *(mark.name for mark in item.iter_markers())})
    elif hasattr(report, "wasxfail") or report.skipped:
        outcome = "skipped"
    elif report.when == "call":
        outcome = "idle" if watch is not None and watch.is_idle(item.fixturenames) else report.outcome
    else:
        return None
    # Of a skipped test pytest tells the place, the line and the reason.
    said = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longreprtext
    said = f"{said}\nE   {_LACKS}" if isinstance(error, _DENIED) and outcome == "error" else said
    return outcome, str(said)[-_SHOWN:] if outcome != "passed" else "", doubt


def _short(nodeid: str) -> str:
    return nodeid.split("::", 1)[-1]
