"""Verifiers in processes of their own: every fault is the fail of one slot, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from probatum.core.decision import Outcome
from probatum.core.finding import Finding, Location, Severity
from probatum.verification import Fault, VerificationResult, VerificationStatus, VerifierRegistry
from probatum.verification.decide import decide_results
from probatum.verification.executors import Question, ThreadExecutor
from probatum.verification.plan import plan
from probatum.verification.policy import policy_of
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.results import broken
from probatum.verification.run import RunBudget, run_plan
from probatum.verification.written_results import read_result, write_result
from probatum.workers import guard
from tests.verification.broken_verifiers import ENDLESS, FAULTS, FINE, FORGED, MEGABYTE, kills
from tests.verification.fakes import Answering, passing
from tests.workers.outside import all_end, leave_behind, own_children, own_descriptors, written_down

PASS, FAIL = VerificationStatus.PASS, VerificationStatus.FAIL


@pytest.fixture(autouse=True)
def _nothing_stays_here() -> Iterator[None]:
    children, descriptors = own_children(), own_descriptors()
    yield
    assert own_children() <= children
    assert own_descriptors() <= descriptors


def asked(
    work: Callable[..., object], seconds: float = 300.0, executor: ProcessExecutor | None = None
) -> VerificationResult:
    """Ask a verifier that does this with its input, output and context."""
    question = Question(Answering(work), "a", {"rows": [1]}, {"answer": [2]}, {"hint": [3]})
    return (executor or ProcessExecutor(memory_bytes=256 * MEGABYTE)).ask(question, seconds)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_verifier_is_the_fail_of_its_slot(name: str):
    result = asked(FAULTS[name])
    assert (result.status, result.verifier_id) == (FAIL, "a")
    assert result.fault in {Fault.VERIFIER, Fault.ENVIRONMENT}
    assert result.errors


@pytest.mark.parametrize("name", ENDLESS)
def test_a_verifier_without_end_is_ended(name: str):
    result = asked(ENDLESS[name], seconds=0.3)
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)
    assert result.summary == "The verifier gave no answer within 0.3 seconds."


CATCHABLE = sorted(set(signal.valid_signals()) - {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU})


def test_a_verifier_that_kills_itself_with_any_signal():
    for number in CATCHABLE:

        def kill_itself(*_given: object, number: int = number) -> VerificationResult:
            if number != signal.SIGKILL:
                signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return FINE

        result = asked(kill_itself)
        ignored = {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH}
        assert result.status is (PASS if number in ignored else FAIL), number


def multiplies(*_given: object) -> VerificationResult:
    for _ in range(7):
        os.fork()
    time.sleep(600)
    return FINE


def spawns_and_forgets(*_given: object) -> VerificationResult:
    while True:
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)


def forgets_what_has_ended(*_given: object) -> VerificationResult:
    while True:
        if os.fork() == 0:
            os._exit(0)


@pytest.mark.parametrize("work", [multiplies, spawns_and_forgets, forgets_what_has_ended])
def test_one_that_multiplies_is_ended_before_its_time(work: Callable[..., object], monkeypatch: pytest.MonkeyPatch):
    # How long it takes to end them all depends on what else runs.
    monkeypatch.setattr(guard, "ENDING_SECONDS", 300.0)
    result = asked(work, executor=ProcessExecutor(max_processes=30))
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)
    assert result.summary == "The verifier had more than 30 processes at once."


def test_the_sentence_says_how_it_ended():
    assert asked(lambda *_: os._exit(7)).summary == "The verifier's process ended with exit code 7 without an answer."
    killed = asked(lambda *_: os.kill(os.getpid(), 11))
    assert killed.summary == "The verifier's process was ended by SIGSEGV without an answer."
    assert asked(kills(os.getppid, 9)).summary == "The verifier's process was lost without an answer."


@pytest.mark.parametrize("ends", [lambda: FINE, lambda: os._exit(0), lambda: os.kill(os.getppid(), 9)])
def test_what_a_verifier_started_ends_with_it(ends: Callable[[], object], tmp_path: Path):
    asked(lambda *_: leave_behind(tmp_path) or ends())
    assert all_end(written_down(tmp_path))


def test_nothing_that_a_verifier_does_is_seen_here(capfd: pytest.CaptureFixture[str]):
    given: dict[str, object] = {"rows": [1]}

    def spoil(_rows: object, _output: object, context: dict[str, object]) -> VerificationResult:
        context.clear()
        os.environ["SPOILT"] = "1"
        sys.modules.clear()
        print("printed")
        return FINE

    question = Question(Answering(spoil), "a", given, {}, given)
    assert ProcessExecutor().ask(question, 300.0).status is PASS
    assert given == {"rows": [1]}
    assert "SPOILT" not in os.environ
    assert sys.modules
    assert capfd.readouterr() == ("", "")


def test_what_cannot_be_copied():
    question = Question(passing("a"), "a", threading.Lock(), {}, {})
    result = ProcessExecutor().ask(question, 300.0)
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch):
    def fail() -> int:
        raise BlockingIOError(11, "no more processes")

    monkeypatch.setattr(os, "fork", fail)
    result = asked(lambda *_: FINE)
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


def finding() -> Finding:
    return Finding(Severity.ERROR, "kind", "message", Location(3, 4, "name"), "mend it", {"path": "$.a"})


RESULTS = [
    FINE,
    VerificationResult(PASS, "a", "fine", {"rows": [1, {"x": None}]}, (), ("w",), 0.5, could_have_failed=False),
    VerificationResult(VerificationStatus.WARN, "a", "\u20ac\U0001f600"),
    VerificationResult(VerificationStatus.SKIPPED, "a", "not today"),
    VerificationResult(FAIL, "a", "no", {}, ("e", "f"), findings=(finding(), Finding(Severity.INFO, "", "m"))),
    broken("a", "no", "detail", Fault.ENVIRONMENT),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.status.value)
def test_both_executors_give_the_same_answer(result: VerificationResult):
    question = Question(Answering(lambda *_: result), "a", {}, {}, {})
    assert ProcessExecutor().ask(question, 300.0) == ThreadExecutor().ask(question, 300.0) == result


def test_evidence_arrives_as_json():
    evidence = {"bytes": b"x\xff", "tuple": (1, 2), "nan": float("nan"), 3: "number"}
    given = asked(lambda *_: VerificationResult(PASS, "a", "fine", evidence)).evidence
    assert given == {"bytes": "x\ufffd", "tuple": [1, 2], "nan": "nan", "3": "number"}


WRONG = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"[" * 100_000,
    b"1" * 5000,
    b"\xff",
    FORGED[:-1],
    FORGED + FORGED,
    FORGED.replace(b'"pass"', b'"PASS"'),
    FORGED.replace(b'"pass"', b"1"),
    FORGED.replace(b'"a"', b"null"),
    FORGED.replace(b'"evidence": {}', b'"evidence": []'),
    FORGED.replace(b'"errors": []', b'"errors": "no"'),
    FORGED.replace(b'"findings": []', b'"findings": [{}]'),
    FORGED.replace(b'"findings": []', b'"findings": {}'),
    FORGED.replace(b'"could_have_failed": true', b'"could_have_failed": 1'),
    FORGED.replace(b'"elapsed_seconds": null', b'"elapsed_seconds": NaN'),
    FORGED.replace(b'"elapsed_seconds": null', b'"fault": "subject", "elapsed_seconds": null'),
    FORGED.replace(b'"elapsed_seconds": null', b'"more": 1, "elapsed_seconds": null'),
    FORGED.replace(b'"status": "pass", ', b""),
    write_result(RESULTS[4]).replace(b'"line": 3, ', b""),
    write_result(RESULTS[4]).replace(b'"kind": "kind"', b'"kind": 3'),
]


@pytest.mark.parametrize("content", WRONG, ids=range(len(WRONG)))
def test_only_a_written_result_is_read(content: bytes):
    with pytest.raises((ValueError, TypeError)):
        read_result(content)


def test_one_asks_another():
    inner = Question(Answering(lambda *_: FINE), "a", {}, {}, {})
    assert asked(lambda *_: ProcessExecutor(memory_bytes=1 << 40).ask(inner, 60.0)).status is PASS


def test_asked_from_a_thread():
    answers: list[VerificationResult] = []
    thread = threading.Thread(target=lambda: answers.append(asked(lambda *_: FINE)))
    thread.start()
    thread.join()
    assert [answer.status for answer in answers] == [PASS]


def test_a_verifier_may_start_programs_of_its_own():
    def run(*_given: object) -> VerificationResult:
        done = subprocess.run(["echo", "x"], capture_output=True, text=True, check=True)
        return VerificationResult(PASS, "a", done.stdout)

    assert asked(run).summary == "x\n"


def test_a_run_goes_on_after_any_of_them():
    registry = VerifierRegistry()
    registry.register("good", passing("good"))
    ids = ["good"]
    for name in ("prints a forged answer", "kills the group of its guard", "eats memory"):
        registry.register(name, Answering(FAULTS[name]))
        ids += [name, "good"]
    policy = policy_of({"verifier_ids": ids})
    executor = ProcessExecutor(memory_bytes=256 * MEGABYTE)
    results = run_plan(plan(policy, registry), {}, {}, {}, executor=executor, budget=RunBudget(900.0, 300.0))
    assert [result.status for result in results] == [PASS, FAIL, PASS, FAIL, PASS, FAIL, PASS]
    assert decide_results(policy, results, {}).outcome is Outcome.NOT_ATTEMPTED


@pytest.mark.parametrize("limits", [{"memory_bytes": 0}, {"max_answer_bytes": -1}, {"max_processes": 0}])
def test_limits_are_positive(limits: dict[str, int]):
    with pytest.raises(ValueError):
        ProcessExecutor(**limits)
