"""The verifier that runs a command: cases F13 to F24, and whose fault each fail is."""

from __future__ import annotations

import errno
import json
import os
import resource
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from probatum.contracts.pytest_verifier import PytestVerifier
from probatum.core.decision import Outcome
from probatum.verification import (
    Fault,
    VerificationResult,
    VerificationStatus,
    VerifierRegistry,
    verification_result_to_dict,
    verify_task_result,
)
from probatum.verification.decide import decide_results
from probatum.verification.plan import plan
from probatum.verification.policy import policy_of
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.run import RunBudget, run_plan
from probatum.workers import guard
from tests.verification.fakes import Task
from tests.workers.outside import (
    ONE_TO_LEAVE_BEHIND,
    all_end,
    interrupted,
    own_children,
    own_descriptors,
    written_down,
)

PASS, FAIL, SKIPPED = VerificationStatus.PASS, VerificationStatus.FAIL, VerificationStatus.SKIPPED
KEYS = {
    "argv",
    "returncode",
    "stdout",
    "stderr",
    "stdout_truncated",
    "stderr_truncated",
    "stdout_bytes",
    "stderr_bytes",
    "timed_out",
    "timeout",
    "elapsed",
}


@pytest.fixture(autouse=True)
def _nothing_stays_here() -> Iterator[None]:
    children, descriptors = own_children(), own_descriptors()
    yield
    assert own_children() <= children
    assert own_descriptors() <= descriptors


def python(text: str, *arguments: object) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", text, *(str(each) for each in arguments)]


def verified(verifier: PytestVerifier) -> VerificationResult:
    result = verifier.verify({}, {}, context={})
    json.dumps(verification_result_to_dict(result), allow_nan=False)
    assert result.verifier_id == "pytest.subprocess"
    if result.status is not SKIPPED:
        assert set(result.evidence) == KEYS
    if result.status is FAIL:
        assert result.errors
    return result


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise AssertionError("a process was started")

    monkeypatch.setattr(os, "fork", fail)


@pytest.mark.usefixtures("no_process")
@pytest.mark.parametrize("argv", [[], (), None])
def test_f13_without_a_command_it_is_skipped(argv: list[str] | None):
    result = verified(PytestVerifier(argv=argv))
    assert result.status is SKIPPED
    assert "No command" in result.summary
    policy = policy_of({"verifier_ids": ["pytest.subprocess"]})
    assert decide_results(policy, [result], {}).outcome is Outcome.UNDECIDED


def test_f14_exit_code_0_passes():
    result = verified(PytestVerifier(argv=[sys.executable, "-c", "pass"]))
    assert (result.status, result.evidence["returncode"], result.fault) == (PASS, 0, None)


ENDS = {
    "sys.exit(1)": (1, Fault.SUBJECT),
    "sys.exit(5)": (5, Fault.SUBJECT),
    "os.kill(os.getpid(), 9)": (-9, Fault.ENVIRONMENT),
    "os.kill(os.getpid(), 15)": (-15, Fault.ENVIRONMENT),
    "os.kill(os.getpid(), 11)": (-11, Fault.SUBJECT),
    "os.abort()": (-6, Fault.SUBJECT),
    "raise RuntimeError": (1, Fault.SUBJECT),
}


@pytest.mark.parametrize("text", ENDS)
def test_f15_any_other_end_fails(text: str):
    result = verified(PytestVerifier(argv=python(f"import os, sys; {text}")))
    assert (result.status, result.evidence["returncode"], result.fault) == (FAIL, *ENDS[text])


def test_f16_a_command_that_does_not_end(tmp_path: Path):
    text = (
        f"{ONE_TO_LEAVE_BEHIND}\nleave_behind(sys.argv[1])\n"
        "print('begun', flush=True); print('half', end='', file=sys.stderr, flush=True)\n"
        "time.sleep(600)"
    )
    seconds, result = interrupted(
        lambda seconds: verified(PytestVerifier(argv=python(text, tmp_path), timeout=seconds)),
        lambda result: result.evidence["stderr"] == "half",
    )
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)
    evidence = result.evidence
    assert (evidence["timed_out"], evidence["timeout"], evidence["returncode"]) == (True, seconds, None)
    assert (evidence["stdout"], evidence["stderr"]) == ("begun\n", "half")
    assert evidence["elapsed"] >= seconds
    assert all_end(written_down(tmp_path))


def test_f16_a_slow_machine_refutes_nothing():
    result = verified(PytestVerifier(argv=["sleep", "600"], timeout=0.1))
    policy = policy_of({"verifier_ids": ["pytest.subprocess"]})
    assert decide_results(policy, [result], {}).outcome is Outcome.NOT_ATTEMPTED


@pytest.mark.parametrize("timeout", [1e7, 1e300])
def test_f16_a_time_beyond_all_measure(timeout: float):
    assert PytestVerifier([sys.executable, "-c", "pass"], timeout=timeout).verify({}, {}).status is PASS


@pytest.mark.parametrize("place", ["_limit", "_take_streams"])
def test_f17_what_fails_before_the_command_began_is_not_its_exit_code(place: str, monkeypatch: pytest.MonkeyPatch):
    def fail(*_given: object) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(guard, place, fail)
    result = PytestVerifier([sys.executable, "-c", "pass"]).verify({}, {})
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


def test_f17_no_memory_for_the_command(monkeypatch: pytest.MonkeyPatch):
    def fail(*_given: object) -> None:
        raise MemoryError

    monkeypatch.setattr(os, "execvp", fail)
    result = PytestVerifier([sys.executable, "-c", "pass"]).verify({}, {})
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


def test_f16_a_command_that_ends_takes_with_it_what_it_started(tmp_path: Path):
    result = verified(PytestVerifier(argv=python(f"{ONE_TO_LEAVE_BEHIND}\nleave_behind(sys.argv[1])", tmp_path)))
    assert result.status is PASS
    assert all_end(written_down(tmp_path))


def test_f17_what_cannot_be_started(tmp_path: Path):
    plain = tmp_path / "plain"
    plain.write_text("#!/bin/sh\n")
    for name, number in [("/nonexistent", errno.ENOENT), (str(tmp_path), errno.EACCES), (str(plain), errno.EACCES)]:
        result = verified(PytestVerifier(argv=[name]))
        assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)
        assert os.strerror(number).lower() in result.summary


def test_f17_a_folder_that_is_not_there(tmp_path: Path):
    result = verified(PytestVerifier(argv=["true"], folder=str(tmp_path / "missing")))
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


def test_f17_a_module_that_is_not_installed():
    result = verified(PytestVerifier(argv=[sys.executable, "-m", "no_such_runner", "-q"]))
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)
    assert "no_such_runner" in result.summary


def test_f17_a_module_that_the_tests_lack_is_their_own_fault():
    result = verified(PytestVerifier(argv=[sys.executable, "-m", "timeit", "import no_such_thing"]))
    assert (result.status, result.fault) == (FAIL, Fault.SUBJECT)


@pytest.mark.usefixtures("no_process")
@pytest.mark.parametrize(
    "argv", ["ls -la", b"ls", [1], ["ls", None], ["a\0b"], ["\ud800"], {"ls": 1}, 3, ["ls", Path()]]
)
def test_f18_a_command_that_is_no_list_of_texts(argv: object):
    result = verified(PytestVerifier(argv=argv))  # type: ignore[arg-type]  # refused
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)
    assert "nothing was run" in result.summary


def test_f18_a_command_that_is_changed_later_is_the_one_that_was_given():
    argv = ["true"]
    verifier = PytestVerifier(argv=argv)
    argv[0] = "false"
    assert verified(verifier).status is PASS


def test_f19_no_shell_reads_the_command(tmp_path: Path):
    result = verified(PytestVerifier(argv=["echo", f"$(touch {tmp_path}/x); rm"]))
    assert result.evidence["stdout"] == f"$(touch {tmp_path}/x); rm\n"
    assert os.listdir(tmp_path) == []


def test_f20_each_output_has_its_own_limit_and_memory_stays_bounded():
    text = "import os\nfor n in (1, 2) * 160:\n  left = 65536\n  while left: left -= os.write(n, b'x' * left)"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    evidence = verified(PytestVerifier(argv=python(text), max_output_bytes=1000)).evidence
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    for name in ("stdout", "stderr"):
        assert (evidence[name], evidence[f"{name}_truncated"]) == ("x" * 1000, True)
        assert evidence[f"{name}_bytes"] == 160 * 65536
    assert grown < 5 * 1024


def test_f20_one_output_does_not_take_the_room_of_the_other():
    text = "import sys; print('x' * 5000); print('short', file=sys.stderr)"
    evidence = verified(PytestVerifier(argv=python(text), max_output_bytes=10)).evidence
    assert (evidence["stdout_truncated"], evidence["stderr"], evidence["stderr_truncated"]) == (True, "short\n", False)


@pytest.mark.parametrize(
    ("limit", "kept"), [(0, ""), (8, "h\u00e9llo"), (9, "h\u00e9llo\u20ac"), (12, "h\u00e9llo\u20ac")]
)
def test_f21_a_character_is_never_cut(limit: int, kept: str):
    text = "import sys; sys.stdout.buffer.write('h\\u00e9llo\\u20ac\\U0001f600'.encode())"
    evidence = verified(PytestVerifier(argv=python(text), max_output_bytes=limit)).evidence
    assert (evidence["stdout"], evidence["stdout_truncated"], evidence["stdout_bytes"]) == (kept, True, 13)


@pytest.mark.parametrize(
    ("limit", "kept"), [(100, "\ufffd\ufffdok"), (8, "\ufffd\ufffdok"), (7, "\ufffd\ufffdo"), (4, "\ufffd")]
)
def test_f22_what_is_no_utf8_is_replaced_within_the_limit(limit: int, kept: str):
    text = "import sys; sys.stdout.buffer.write(b'\\xff\\xfeok')"
    evidence = verified(PytestVerifier(argv=python(text), max_output_bytes=limit)).evidence
    assert (evidence["stdout"], evidence["stdout_truncated"]) == (kept, limit < 8)


def test_f23_nothing_is_kept_with_a_limit_of_0():
    evidence = verified(PytestVerifier(argv=["echo", "x"], max_output_bytes=0)).evidence
    assert (evidence["stdout"], evidence["stdout_truncated"], evidence["stderr_truncated"]) == ("", True, False)


@pytest.mark.parametrize(
    "wrong",
    [{"max_output_bytes": each} for each in (-1, 1.5, None, True)]
    + [{"timeout": each} for each in (0, -1, float("nan"), float("inf"), None, True, "1")],
)
def test_f23_limits_that_are_none(wrong: dict[str, object]):
    with pytest.raises(ValueError):
        PytestVerifier(argv=["true"], **wrong)  # type: ignore[arg-type]  # refused


def test_f24_standard_input_is_empty():
    result = verified(PytestVerifier(argv=python("import sys; print(repr(sys.stdin.read()))")))
    assert result.evidence["stdout"] == "''\n"


def test_f32_it_runs_only_where_the_host_registered_it(tmp_path: Path):
    task = Task({"verifier_ids": ["pytest.subprocess"]})
    [unknown] = verify_task_result(task, {}, {}, registry=VerifierRegistry())
    assert (unknown.status, unknown.fault) == (FAIL, Fault.VERIFIER)
    registry = VerifierRegistry()
    registry.register("pytest.subprocess", PytestVerifier(argv=["touch", str(tmp_path / "ran")]))
    [known] = verify_task_result(task, {}, {}, registry=registry)
    assert known.status is PASS
    assert (tmp_path / "ran").exists()


def test_it_answers_under_the_id_that_it_is_given():
    registry = VerifierRegistry()
    registry.register("tests.unit", PytestVerifier(argv=["true"], verifier_id="tests.unit"))
    [result] = verify_task_result(Task({"verifier_ids": ["tests.unit"]}), {}, {}, registry=registry)
    assert (result.status, result.verifier_id) == (PASS, "tests.unit")


def test_pytest_itself(tmp_path: Path):
    (tmp_path / "test_it.py").write_text("def test_good(): pass\ndef test_bad(): assert 1 == 2\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    failed = verified(PytestVerifier(argv=[*command, "test_it.py"], folder=str(tmp_path)))
    assert (failed.status, failed.fault, failed.evidence["returncode"]) == (FAIL, Fault.SUBJECT, 1)
    assert "assert 1 == 2" in failed.evidence["stdout"]
    passed = verified(PytestVerifier(argv=[*command, "test_it.py::test_good"], folder=str(tmp_path)))
    assert passed.status is PASS


def test_asked_in_a_process_of_its_own(tmp_path: Path):
    registry = VerifierRegistry()
    text = f"{ONE_TO_LEAVE_BEHIND}\nleave_behind(sys.argv[1])\ntime.sleep(600)"
    registry.register("pytest.subprocess", PytestVerifier(argv=python(text, tmp_path)))
    planned = plan(policy_of({"verifier_ids": ["pytest.subprocess"]}), registry)
    _, [result] = interrupted(
        lambda seconds: run_plan(planned, {}, {}, {}, executor=ProcessExecutor(), budget=RunBudget(900.0, seconds)),
        lambda _: bool(list(tmp_path.iterdir())),
    )
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)
    assert all_end(written_down(tmp_path))


def test_many_at_once():
    results: list[VerificationResult] = []
    verifier = PytestVerifier(argv=["echo", "x"])
    threads = [threading.Thread(target=lambda: results.append(verifier.verify({}, {}))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(result.status, result.evidence["stdout"]) for result in results] == [(PASS, "x\n")] * 8
