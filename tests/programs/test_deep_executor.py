"""`BehavioralExecutor`: each test for itself, and a pass only where it ran and held. One run serves all cases."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from probatum.core.errors import UsageError
from probatum.programs import (
    ArtifactSpec,
    BehavioralExecutionResult,
    BehavioralExecutor,
    GeneratedTest,
    TestExecutionResult,
    TestGenerator,
)
from probatum.programs.deep.specifications import SpecificationExtractor
from tests.workers.outside import descendants

PROGRAM = '''
def double(x: int) -> int:
    """
    >>> double(2)
    4

    Raises:
        ValueError: if x is negative.
    """
    if x == 99:
        import os
        os._exit(0)
    if x == 98:
        while True:
            pass
    if x < 0:
        raise ValueError("negative")
    return 2 * x


def _private(x):
    return x
'''
_GOOD = "assert double(2) == 4"
# What failed elsewhere, as: outcome that is expected, the test, whether it passes, and how it is counted.
CASES = {
    "1 good": ("pass", _GOOD, True),
    "1 bad beside a good one": ("pass", "assert double(2) == 5", "failed"),
    "2 right code and pytest.raises": ("error", "with pytest.raises(ValueError):\n        double(-1)", True),
    "2 an error that is merely called for": ("error", "double(-1)", True),
    "2 wrong code and pytest.raises": ("error", "with pytest.raises(ValueError):\n        double(1)", "failed"),
    "2 no error": ("error", "double(1)", "failed"),
    "4 skipped": ("pass", "@pytest.mark.skip\ndef NAME():\n    assert double(1) == 2", "errors"),
    "4 marked to fail": ("pass", "@pytest.mark.xfail\ndef NAME():\n    assert double(1) == 3", "errors"),
    "4 nothing asserted": ("pass", "double(2)", "errors"),
    "4 empty": ("pass", "pass", "errors"),
    "5 the program exits": ("pass", "assert double(99) == 0", "errors"),
    "7 the program hangs": ("pass", "assert double(98) == 0", "errors"),
    "9 a private name": ("pass", "assert _private(1) == 1", True),
    "10 a test of no Python": ("pass", "def NAME(:", "errors"),
    "10 another name": ("pass", "def test_else():\n    assert double(2) == 4", "errors"),
    "10 a name twice": ("pass", "def NAME():\n    assert double(1) == 99\ndef NAME():\n    assert True", "errors"),
    "11 expected to fail and failing": ("fail", "assert double(2) == 5", True),
    "11 expected to fail and holding": ("fail", _GOOD, "failed"),
    "11 a mistake is no expected error": ("error", "double(1, 2)", "failed"),
    "11 an unknown name is no expected error": ("error", "dubble(1)", "errors"),
    "13 a coroutine": ("pass", "async def NAME():\n    assert double(1) == 3", "errors"),
}
assert len(CASES) == 21


def written(key: str) -> GeneratedTest:
    number = list(CASES).index(key)
    name, (outcome, body, _) = f"test_{number}", CASES[key]
    code = body.replace("NAME", name) if "def " in body else f"def {name}():\n    {body}\n"
    return GeneratedTest(key, name, key, "happy_path", code, outcome, (), 1.0)  # type: ignore[arg-type]  # a literal


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> BehavioralExecutionResult:
    executor = BehavioralExecutor(tmp_path_factory.mktemp("project"), 3, 300)
    return asyncio.run(executor.execute(PROGRAM, [written(key) for key in CASES]))


@pytest.mark.parametrize("key", CASES)
def test_each_test_has_its_own_result(ran: BehavioralExecutionResult, key: str) -> None:
    result = next(each for each in ran.test_results if each.test_id == key)
    assert result.passed is (CASES[key][2] is True)
    assert (result.error_message is None) is result.passed


def test_what_did_not_pass_failed_or_was_an_error(ran: BehavioralExecutionResult) -> None:
    due = [wanted for _, _, wanted in CASES.values()]
    assert (ran.total_tests, ran.passed) == (len(CASES), due.count(True))
    assert (ran.failed, ran.errors) == (due.count("failed"), due.count("errors"))
    assert len({id(each) for each in ran.test_results}) == len(CASES)
    assert [each.test_id for each in ran.test_results] == list(CASES)


def _execute(program: str, tests: list[GeneratedTest], cwd: Path, total: float = 60) -> BehavioralExecutionResult:
    return asyncio.run(BehavioralExecutor(cwd, 3, total).execute(program, tests))


def _only(result: BehavioralExecutionResult) -> TestExecutionResult:
    (found,) = result.test_results
    return found


def test_a_program_that_does_not_parse_passes_no_expected_error(tmp_path: Path) -> None:
    found = _only(_execute("def double(:", [written("2 an error that is merely called for")], tmp_path))
    assert not found.passed
    assert "cannot be loaded" in str(found.error_message)


def test_a_program_that_fails_at_import_is_an_error_and_writes_nothing_outside(tmp_path: Path) -> None:
    place = tmp_path / "written"
    program = f"open({str(place)!r}, 'w').write('x')\n{PROGRAM}"
    result = _execute(program, [written("1 good")], tmp_path)
    assert (result.passed, result.errors, place.exists()) == (0, 1, False)


def test_a_program_is_run_with_the_modules_of_its_project(tmp_path: Path) -> None:
    (tmp_path / "rates.py").write_text("FACTOR = 2\n")
    program = "from rates import FACTOR\n\n\ndef double(x):\n    return FACTOR * x\n"
    assert _only(_execute(program, [written("1 good")], tmp_path)).passed


def test_no_time_left_is_an_error_for_each_test_and_leaves_no_process(tmp_path: Path) -> None:
    before = set(descendants(os.getpid()))
    result = _execute(PROGRAM, [written("7 the program hangs"), written("1 good")], tmp_path, 0.6)
    assert (result.total_tests, result.passed, result.errors) == (2, 0, 2)
    assert "total time" in str(result.test_results[1].error_message)
    assert set(descendants(os.getpid())) <= before


def test_two_tests_of_one_id_are_the_caller_s_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="same id"):
        _execute(PROGRAM, [written("1 good")] * 2, tmp_path)


def test_nothing_to_run_starts_nothing(tmp_path: Path) -> None:
    assert _execute(PROGRAM, [], tmp_path).total_tests == 0


def test_documented_examples_are_tests_that_the_executor_runs(tmp_path: Path) -> None:
    artifact = ArtifactSpec("double", "", "")
    spec = asyncio.run(SpecificationExtractor().extract(artifact, PROGRAM))
    tests = asyncio.run(TestGenerator().generate(artifact, PROGRAM, spec, max_tests=0))
    assert [each.id for each in tests] == ["double.e1"]
    assert _only(_execute(PROGRAM, tests, tmp_path)).passed
