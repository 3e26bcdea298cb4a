"""Running given tests against a program, each for itself in the sandbox, off the event loop.

Every test is a file of its own, so that no test shadows, breaks or ends another. It runs apart from the program and
beside it, under two hash seeds, as `running.given_tests` has it. Refuses to call anything passed but a test that ran
and held: a test that is skipped, empty, lost, out of time or not to be loaded is an error.
"""

from __future__ import annotations

import ast
import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar

from probatum.core.arguments import bytes_of
from probatum.core.decision import Decision
from probatum.core.errors import NotAttemptedError, ProbatumError, UsageError
from probatum.core.limits import JobLimits
from probatum.core.messages import writable
from probatum.programs.decide import ProgramPolicy
from probatum.programs.deep.types import BehavioralExecutionResult, GeneratedTest, TestExecutionResult
from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.judging.mistakes import MISTAKES
from probatum.programs.loading import read_source
from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.projects.project import Project, project_of
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import run_given_tests
from probatum.programs.running.question import withheld
from probatum.programs.running.reading_sessions import PLAIN_FUNCTIONS
from probatum.programs.source import Source, module_or_none
from probatum.sandbox import Environment, Program, Sandbox, own_environment
from probatum.sandbox.jobs import Channel

Made = TypeVar("Made")
_SEEDS: Final = (0, 1)
_SECONDS_TO_END: Final = 10.0
_ENDED: Final = "the verification was ended"
_OUT_OF_TIME: Final = "it was not run: the total time is used up"
_EXCEPTION: Final = re.compile(r"\b[A-Za-z_][\w.]*(?:Error|Exception)\b")
# What a test or a program raises by mistake; an exception that is due is none of these.
_NEVER_DUE: Final = MISTAKES | {"AssertionError", "ImportError", "ModuleNotFoundError", "SyntaxError", "TypeError"}
_NAMES_EXCEPTIONS: Final = frozenset({"raises", "assertRaises", "assertRaisesRegex"})


class BoundedSandbox(Sandbox):
    """A sandbox in which no process may keep a request waiting for longer than was asked for."""

    most_seconds = inf

    def _job(self, role: str, limits: JobLimits, preload: list[str]) -> Channel:
        return super()._job(role, replace(limits, wall_seconds=min(limits.wall_seconds, self.most_seconds)), preload)


class OwnBenches:
    """The two sandboxes of one run: opened in its thread, and ended from whichever thread wants it to end."""

    def __init__(self, seconds: float, python: Environment | None = None) -> None:
        self.python = python or own_environment()
        self._seconds = seconds
        self._opened: dict[int, Sandbox] = {}
        self._ended = False
        self._changing = threading.Lock()

    def open(self) -> Benches:
        """Return them, opened by the first call; raises NotAttemptedError where there is none or the run has ended."""
        if not self._opened:
            with ThreadPoolExecutor(len(_SEEDS)) as threads:
                list(threads.map(self._open_one, _SEEDS))
        self.require_wanted()
        return Benches(*(self._opened[seed] for seed in _SEEDS))

    def require_wanted(self) -> None:
        """Raise NotAttemptedError where nobody waits for the run any more."""
        if self._ended:
            raise NotAttemptedError("sandbox.broke", _ENDED)

    def end(self) -> None:
        """End both and whatever runs in them; can be done twice."""
        with self._changing:
            self._ended = True
            opened = list(self._opened.values())
        for each in opened:
            each.close()

    def _open_one(self, seed: int) -> None:
        self.require_wanted()
        opened = BoundedSandbox.open(hash_seed=seed, python=self.python)
        assert isinstance(opened, BoundedSandbox)
        opened.most_seconds = self._seconds
        with self._changing:
            self._opened[seed] = opened
            has_ended = self._ended
        if has_ended:
            opened.close()


async def in_thread(work: Callable[[OwnBenches], Made], benches: OwnBenches, seconds: float) -> Made | None:
    """Return what ``work`` gives in a thread of its own; None where it takes longer.

    When this returns or is cancelled, the sandboxes are closed, and the thread ends as soon as it asks them anything.
    """
    loop = asyncio.get_running_loop()
    threads = ThreadPoolExecutor(1, "probatum-deep")
    running = loop.run_in_executor(threads, work, benches)
    try:
        await asyncio.wait({running}, timeout=max(seconds, 0.0))
        return running.result() if running.done() else None
    finally:
        ending = loop.run_in_executor(None, benches.end)
        with suppress(asyncio.CancelledError):
            await asyncio.wait((ending,), timeout=_SECONDS_TO_END)
        with suppress(asyncio.CancelledError):
            await asyncio.wait((running,), timeout=_SECONDS_TO_END)
        running.add_done_callback(_forgotten)
        threads.shutdown(wait=False)


def _forgotten(running: asyncio.Future[Made]) -> None:
    if not running.cancelled():
        running.exception()


def program_in(cwd: Path, content: bytes, file: str | None, module: str) -> tuple[Program, Project | None]:
    """Return a program with what it imports from its project; ``file`` is below ``cwd``, else it is called ``module``.

    Raises UsageError for a file elsewhere, BudgetError for too large a project.
    """
    path = cwd / (file or f"{module}.py")
    if not path.resolve().is_relative_to(cwd.resolve()):
        raise UsageError("request.invalid", f"'produces_file' lies below the folder {str(cwd)!r}, got {file!r}.")
    if not cwd.is_dir():
        return Program(content, module), None
    project = project_of(path, content, module_or_none(content))
    return project.program(content), project


class BehavioralExecutor:
    """Runs tests, each in processes of its own."""

    def __init__(self, cwd: Path, timeout_per_test: float = 10, total_timeout: float = 60) -> None:
        self.cwd = Path(cwd)
        self.timeout_per_test = timeout_per_test
        self.total_timeout = total_timeout

    async def execute(
        self, artifact_content: str, tests: Sequence[GeneratedTest], *, produces_file: str | None = None
    ) -> BehavioralExecutionResult:
        """Run all tests within the total time; a test calls what the program defines by its name.

        One that is not reached is an error. Raises UsageError where two tests have one id, NotAttemptedError where
        nothing can be isolated.
        """
        if len({each.id for each in tests}) < len(tests):
            raise UsageError("request.invalid", "Two tests have the same id.")
        begun, done = monotonic(), list[tuple[TestExecutionResult, bool]]()

        def work(benches: OwnBenches) -> None:
            read = self._read(artifact_content, produces_file)
            for test in tests:
                done.append(_ran(test, read, benches))

        if tests:
            await in_thread(work, OwnBenches(self.timeout_per_test), self.total_timeout)
        missed = [(_result(test, False, "", _OUT_OF_TIME, 0), False) for test in tests[len(done) :]]
        return executed([*done, *missed], int((monotonic() - begun) * 1000))

    def _read(self, content: str, file: str | None) -> Source | Decision:
        return read_source(program_in(self.cwd, bytes_of(content), file, "artifact")[0])


def executed(rows: Sequence[tuple[TestExecutionResult, bool]], duration_ms: int) -> BehavioralExecutionResult:
    """Return results with their counts; each comes with whether it says that the program is wrong."""
    results = tuple(result for result, _ in rows)
    passed = sum(result.passed for result in results)
    failed = sum(is_wrong and not result.passed for result, is_wrong in rows)
    return BehavioralExecutionResult(len(results), passed, failed, len(results) - passed - failed, results, duration_ms)


def _ran(test: GeneratedTest, read: Source | Decision, benches: OwnBenches) -> tuple[TestExecutionResult, bool]:
    """Run one test; return its result, and whether it says that the program is wrong."""
    begun = monotonic()

    def ended(passed: bool, observed: str, why: str, *, is_wrong: bool = False) -> tuple[TestExecutionResult, bool]:
        return _result(test, passed, observed, why, int((monotonic() - begun) * 1000)), is_wrong

    if isinstance(read, Decision):
        return ended(False, "", f"the program cannot be loaded: {read.fields.get('detail', read.agent_message)}")
    tree = module_or_none(test.code)
    if (why := why_no_test(test)) or tree is None:
        return ended(False, "", why)
    # Python would take it for a failure.
    if unknown := sorted(free_names(tree).difference(_bound(tree)) - BUILTIN_NAMES - {"pytest", *read.module.defined}):
        return ended(False, "", f"nothing defines {', '.join(unknown)}")
    source = bytes_of(_with_imports(test.code, tree, read))
    benches.require_wanted()
    try:
        reason = withheld(ProgramPolicy(), read)
        run = run_given_tests(read.program, source, read.module.defined, benches.open(), withheld=reason)
    except ProbatumError as error:
        benches.require_wanted()
        if isinstance(error, NotAttemptedError):
            raise
        return ended(False, "", error.sentence)
    if run.aside or not run.records:
        return ended(False, "", "; ".join(run.aside) or "it holds no test that runs anything of the program")
    record = next((each for each in run.records if each.state is not CheckState.HOLDS), run.records[0])
    due, why = _as_expected(test, tree, record)
    told = record.state.value if not record.note else f"{record.state.value}: {record.note}"
    return ended(due, told, why, is_wrong=record.state in {CheckState.HOLDS, CheckState.FAILS})


def _result(test: GeneratedTest, passed: bool, observed: str, why: str, duration_ms: int) -> TestExecutionResult:
    note = None if passed else writable(why)[:2000]
    return TestExecutionResult(
        test.id, passed, observed or None, test.expected_outcome, note, None, duration_ms, "", ""
    )


def why_no_test(test: GeneratedTest) -> str:
    """Return why the code of a test is no test of its name that could fail; empty where it is."""
    tree = module_or_none(test.code)
    if tree is None:
        return "the test is not valid Python"
    named = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == test.name
    ]
    if len(named) != 1:
        return f"its code defines {test.name!r} {len(named)} times"
    if others := [each for each in _test_names(tree) if each != test.name]:
        return f"its code defines other tests: {', '.join(others)}"
    return "" if test.expected_outcome == "error" or _asserts(tree) else "it asserts nothing"


def _test_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name.lower()[:4] == "test":
            yield node.name


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a test imports, defines or catches, wherever that is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name


def _with_imports(code: str, tree: ast.Module, read: Source) -> str:
    """Return a test with the imports of what it uses of the program, private names too, and of pytest."""
    used = free_names(tree)
    own = sorted(used.intersection(read.module.defined))
    imports = ["from __future__ import annotations"] if "from __future__" in code else []
    imports += ["import pytest"] if "pytest" in used else []
    imports += [f"from artifact import {', '.join(own)}"] if own else []
    head = [PLAIN_FUNCTIONS] if _needs_no_pytest(tree) else []
    return "\n".join([*head, *imports, code])


def _needs_no_pytest(tree: ast.Module) -> bool:
    """Whether a file is nothing but imports and functions without arguments: then it starts much sooner."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    body = tree.body[ast.get_docstring(tree) is not None :]
    others = [node for node in body if not isinstance(node, ast.FunctionDef | ast.Import | ast.ImportFrom)]
    is_simple = all(not (ast.unparse(each.args) or each.decorator_list) for each in functions)
    return not others and is_simple and not {"pytest", "unittest"} & names_in(tree)


def _as_expected(test: GeneratedTest, tree: ast.Module, record: CheckRecord) -> tuple[bool, str]:
    """Return whether a test ended as was expected of it, and if not, why.

    An expected error is a statement about the kind of the exception. A test that states it itself has to hold; one that
    merely calls the program has to end in an exception that no mistake explains.
    """
    holds, fails = record.state is CheckState.HOLDS, record.state is CheckState.FAILS
    said = record.note or record.state.value
    if not (holds or fails):
        return False, said
    raised = [each.rpartition(".")[2] for each in _EXCEPTION.findall(record.note)]
    has_assertion = any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    if test.expected_outcome == "pass":
        return holds, said
    if test.expected_outcome == "fail":
        is_assertion = fails and has_assertion and set(raised) <= {"AssertionError"}
        return is_assertion, "it was expected to fail and holds" if holds else said
    if _states_exception(tree):
        return holds, said
    is_due = fails and not has_assertion and bool(raised) and raised[0] not in _NEVER_DUE
    return is_due, "it was expected to end in an error and holds" if holds else said


def _states_exception(tree: ast.Module) -> bool:
    return bool(_called(tree) & _NAMES_EXCEPTIONS) or any(isinstance(node, ast.Try) for node in ast.walk(tree))


def _asserts(tree: ast.Module) -> bool:
    has_statement = any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    return has_statement or any(name == "raises" or name.startswith("assert") for name in _called(tree))


def _called(tree: ast.Module) -> frozenset[str]:
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in called)
