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
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar

from probatum.core.arguments import bytes_of
from probatum.core.decision import Decision
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.messages import writable
from probatum.programs.decide import ProgramPolicy
from probatum.programs.deep.types import BehavioralExecutionResult, GeneratedTest, TestExecutionResult
from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.judging.mistakes import MISTAKES
from probatum.programs.loading import read_source
from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.projects.project import Project, project_of
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import SharedRuns, run_given_tests
from probatum.programs.running.question import withheld
from probatum.programs.running.reading_sessions import PLAIN_FUNCTIONS
from probatum.programs.source import Source, module_or_none
from probatum.sandbox import Opening, Program, own_environment

Made = TypeVar("Made")
_SEEDS: Final = (0, 1)
_SECONDS_TO_END: Final = 10.0
_ENDED: Final = "the verification was ended"
_OUT_OF_TIME: Final = "it was not run: the total time is used up"
_EXCEPTION: Final = re.compile(r"\b[A-Za-z_][\w.]*(?:Error|Exception)\b")
# What a test or a program raises by mistake; an exception that is due is none of these.
_NEVER_DUE: Final = MISTAKES | {"AssertionError", "ImportError", "ModuleNotFoundError", "SyntaxError", "TypeError"}
_NAMES_EXCEPTIONS: Final = frozenset({"raises", "assertRaises", "assertRaisesRegex"})


@dataclass(frozen=True, slots=True)
class RanTest:
    """How one test ended."""

    result: TestExecutionResult
    is_wrong: bool = False
    """Whether it says that the program is wrong."""
    noticed: int = 0
    """How many of the planted faults it notices, where faults were planted."""


async def in_thread(work: Callable[[Callable[[], Benches]], Made], most_seconds: float, seconds: float) -> Made | None:
    """Return what ``work`` gives in a thread of its own, with sandboxes of its own; None where it takes longer.

    ``work`` gets what returns the sandboxes, and raises NotAttemptedError when nobody waits any more; none of their
    processes keeps a request waiting for more than ``most_seconds``. When this returns or is cancelled, they are
    closed, and the thread ends as soon as it asks them anything.
    """
    opening, ended = Opening(_SEEDS, own_environment()), threading.Event()

    def benches() -> Benches:
        opened = opening.sandboxes()
        for each in opened:
            each.most_seconds = most_seconds
        if ended.is_set():
            raise NotAttemptedError("sandbox.broke", _ENDED)
        return Benches(*opened)

    loop = asyncio.get_running_loop()
    threads = ThreadPoolExecutor(1, "probatum-deep")
    running = loop.run_in_executor(threads, work, benches)
    try:
        await asyncio.wait({running}, timeout=max(seconds, 0.0))
        return running.result() if running.done() else None
    finally:
        ended.set()
        for ending in (loop.run_in_executor(None, opening.close), running):
            with suppress(asyncio.CancelledError):
                await asyncio.wait((ending,), timeout=_SECONDS_TO_END)
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
        begun = monotonic()
        ran = await self.ran(artifact_content, tests, produces_file)
        return executed(ran, int((monotonic() - begun) * 1000))

    async def ran(
        self, content: str, tests: Sequence[GeneratedTest], file: str | None, planted: int = 0
    ) -> list[RanTest]:
        """Return how every test ended; of those that hold, how many of so many planted faults each notices."""
        done: list[RanTest] = []

        def work(benches: Callable[[], Benches]) -> None:
            read = read_source(program_in(self.cwd, bytes_of(content), file, "artifact")[0])
            done.extend(_ran(test, read, benches, planted) for test in tests)

        if tests:
            await in_thread(work, self.timeout_per_test, self.total_timeout)
        return [*done, *(RanTest(_result(test, "", _OUT_OF_TIME, 0)) for test in tests[len(done) :])]


def executed(ran: Sequence[RanTest], duration_ms: int) -> BehavioralExecutionResult:
    """Return results with their counts."""
    results = tuple(each.result for each in ran)
    passed = sum(each.passed for each in results)
    failed = sum(each.is_wrong and not each.result.passed for each in ran)
    return BehavioralExecutionResult(len(results), passed, failed, len(results) - passed - failed, results, duration_ms)


def _ran(test: GeneratedTest, read: Source | Decision, benches: Callable[[], Benches], planted: int) -> RanTest:
    begun = monotonic()

    def ended(observed: str, why: str | None, *, is_wrong: bool = False, noticed: int = 0) -> RanTest:
        return RanTest(_result(test, observed, why, int((monotonic() - begun) * 1000)), is_wrong, noticed)

    if isinstance(read, Decision):
        return ended("", f"the program cannot be loaded: {read.fields.get('detail', read.agent_message)}")
    tree = module_or_none(test.code)
    if (why := why_no_test(test)) or tree is None:
        return ended("", why)
    # Python would take it for a failure.
    if unknown := sorted(free_names(tree).difference(_bound(tree)) - BUILTIN_NAMES - {"pytest", *read.module.defined}):
        return ended("", f"nothing defines {', '.join(unknown)}")
    source, opened = bytes_of(_with_imports(test.code, tree, read)), benches()
    try:
        reason = withheld(ProgramPolicy(), read)
        run = run_given_tests(read.program, source, read.module.defined, opened, withheld=reason)
    except NotAttemptedError:
        raise
    except ProbatumError as error:
        return ended("", error.sentence)
    if run.aside or not run.records:
        return ended("", "; ".join(run.aside) or "it holds no test that runs anything of the program")
    record = next((each for each in run.records if each.state is not CheckState.HOLDS), run.records[0])
    told = record.state.value if not record.note else f"{record.state.value}: {record.note}"
    noticed = 0
    if planted and record.state is CheckState.HOLDS:
        shared = SharedRuns(opened.first, source, read.module.defined, run.records)
        noticed = sum(map(bool, shared.noticed(read.program, _faulty_copies(read, planted))))
    is_wrong = record.state in {CheckState.HOLDS, CheckState.FAILS}
    return ended(told, _why_not_as_expected(test, tree, record), is_wrong=is_wrong, noticed=noticed)


def _faulty_copies(read: Source, most: int) -> list[Program]:
    """Return at most so many faulty copies of a program, of each of its functions the same number."""
    names = [each.qualname for each in read.module.functions if not each.not_judged]
    copies: list[Program] = []
    for name in names[:most]:
        # Some syntax is not changed, or is too much of it.
        with suppress(NotAttemptedError, BudgetError):
            planted = plan_mutants(read, name, limit=most // len(names[:most]), seed=0)
            copies += [replace(read.program, source=each.source) for each in planted if not each.module]
    return copies


def _result(test: GeneratedTest, observed: str, why: str | None, duration_ms: int) -> TestExecutionResult:
    """Return the result of a test that did not pass for a reason, or passed where there is none."""
    note = None if why is None else writable(why)[:2000]
    due = test.expected_outcome
    return TestExecutionResult(test.id, why is None, observed or None, due, note, None, duration_ms, "", "")


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


def _why_not_as_expected(test: GeneratedTest, tree: ast.Module, record: CheckRecord) -> str | None:
    """Return why a test did not end as was expected of it; None where it did.

    An expected error is a statement about the kind of the exception. A test that states it itself has to hold; one that
    merely calls the program has to end in an exception that no mistake explains.
    """
    holds, fails = record.state is CheckState.HOLDS, record.state is CheckState.FAILS
    said = record.note or record.state.value
    raised = [each.rpartition(".")[2] for each in _EXCEPTION.findall(record.note)]
    has_assertion = any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    if test.expected_outcome == "pass" or (test.expected_outcome == "error" and _states_exception(tree)):
        return None if holds else said
    if holds:
        due = "to fail" if test.expected_outcome == "fail" else "to end in an error"
        return f"it was expected {due} and holds"
    if test.expected_outcome == "fail":
        is_due = has_assertion and set(raised) <= {"AssertionError"}
    else:
        is_due = not has_assertion and bool(raised) and raised[0] not in _NEVER_DUE
    return None if fails and is_due else said


def _states_exception(tree: ast.Module) -> bool:
    return bool(_called(tree) & _NAMES_EXCEPTIONS) or any(isinstance(node, ast.Try) for node in ast.walk(tree))


def _asserts(tree: ast.Module) -> bool:
    has_statement = any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    return has_statement or any(name == "raises" or name.startswith("assert") for name in _called(tree))


def _called(tree: ast.Module) -> frozenset[str]:
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in called)
