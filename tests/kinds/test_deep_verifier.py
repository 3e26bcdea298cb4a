"""Deep verification behind the seam: only what is verified passes, and only what is refuted fails by its own fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.kinds.program.deep import DeepProgramVerifier
from probatum.proof.stores import MemoryStore
from probatum.sandbox import Sandbox
from probatum.verification import Fault, VerificationResult, VerificationStatus, VerifierRegistry
from probatum.verification.decide import decide_results
from probatum.verification.executors import Question
from probatum.verification.policy import policy_of
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.run import verify_task_result
from probatum.verification.verifier import description_of
from tests.laws.programs import SOUND, WEAK, WRONG
from tests.services import ProgramRequest, Service
from tests.verification.fakes import Task

PASS, FAIL, SKIPPED = VerificationStatus.PASS, VerificationStatus.FAIL, VerificationStatus.SKIPPED
ASKED = {"verifier_ids": ["program.deep"]}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as opened:
        yield opened


def deep(service: Service) -> DeepProgramVerifier:
    return DeepProgramVerifier(lambda request: service.verify_program(request).verdict)


def verified(service: Service, output: object, program: object = None) -> tuple[VerificationResult, Outcome]:
    registry = VerifierRegistry()
    verifier = deep(service)
    registry.register("program.deep", verifier)
    context = {} if program is None else {"program": program}
    [result] = verify_task_result(Task(ASKED), {}, output, context, registry)
    best = {"program.deep": description_of(verifier, "program.deep").best}
    return result, decide_results(policy_of(ASKED), [result], best).outcome


CASES: dict[str, tuple[object, Mapping[str, object] | None, VerificationStatus, Fault | None, Outcome]] = {
    "sound": (SOUND.decode(), None, PASS, None, Outcome.TESTED),
    "wrong": (WRONG.decode(), None, FAIL, Fault.SUBJECT, Outcome.REFUTED),
    "weak": (WEAK.decode(), None, SKIPPED, None, Outcome.UNDECIDED),
    "without a specification": ("def f(): pass", None, SKIPPED, None, Outcome.UNDECIDED),
    "nothing": ("", None, SKIPPED, None, Outcome.UNDECIDED),
    "no answer": (None, None, SKIPPED, None, Outcome.UNDECIDED),
    "no text": ({"source": "x"}, None, FAIL, Fault.SUBJECT, Outcome.REFUTED),
    "does not parse": ("def", None, FAIL, Fault.SUBJECT, Outcome.REFUTED),
    "no characters of a file": ("x = '\ud800'", None, FAIL, Fault.ENVIRONMENT, Outcome.NOT_ATTEMPTED),
    "a null byte": ("x = 1\0", None, FAIL, Fault.ENVIRONMENT, Outcome.NOT_ATTEMPTED),
    "too large": ("#" * 2_000_000, None, SKIPPED, None, Outcome.UNDECIDED),
    "too large in bytes": ("#" + "\u20ac" * 400_000, None, SKIPPED, None, Outcome.UNDECIDED),
    "held to a contract": (
        "def twice(n):\n    return n + 1\n",
        {"function": "twice", "contract": "twice(3) == 6"},
        FAIL,
        Fault.SUBJECT,
        Outcome.REFUTED,
    ),
    "held to an older one": (
        "def twice(n: int) -> int:\n    return n + 1\n",
        {"function": "twice", "against": "def twice(n: int) -> int:\n    return n + n\n"},
        FAIL,
        Fault.SUBJECT,
        Outcome.REFUTED,
    ),
    "held to tests": (
        "def twice(n):\n    return n + 1\n",
        {"tests": "import artifact\n\ndef test_twice():\n    assert artifact.twice(3) == 6\n"},
        FAIL,
        Fault.SUBJECT,
        Outcome.REFUTED,
    ),
    "asked about what it does not define": (
        SOUND.decode(),
        {"function": "g"},
        FAIL,
        Fault.VERIFIER,
        Outcome.NOT_ATTEMPTED,
    ),
    "asked with an unknown key": (SOUND.decode(), {"test": ""}, FAIL, Fault.VERIFIER, Outcome.NOT_ATTEMPTED),
    "asked with a number": (SOUND.decode(), {"tests": 3}, FAIL, Fault.VERIFIER, Outcome.NOT_ATTEMPTED),
    "asked with a list": (SOUND.decode(), ["tests"], FAIL, Fault.VERIFIER, Outcome.NOT_ATTEMPTED),
}


@pytest.mark.parametrize("name", CASES)
def test_what_the_verdict_says(name: str, service: Service):
    output, program, status, fault, outcome = CASES[name]
    result, decided = verified(service, output, program)
    assert (result.status, result.fault, decided) == (status, fault, outcome), result


def test_the_verdict_is_the_evidence(service: Service):
    result, _ = verified(service, SOUND.decode())
    verdict = result.evidence["verdict"]
    assert verdict["status"] == "VERIFIED"
    assert verdict["proof_ref"].startswith("sha256:")


def test_without_a_sandbox_nothing_is_said(monkeypatch: pytest.MonkeyPatch):
    def fail(**_options: object) -> None:
        raise OSError("no sandbox")

    monkeypatch.setattr(Sandbox, "open", fail)
    with Service(MemoryStore()) as broken:
        for source in (SOUND, WRONG):
            result, decided = verified(broken, source.decode())
            assert (result.status, result.fault, decided) == (FAIL, Fault.ENVIRONMENT, Outcome.NOT_ATTEMPTED)


def test_a_service_that_raises():
    def fail(_request: ProgramRequest) -> DiagnosticResult:
        raise RuntimeError("planted")

    registry = VerifierRegistry()
    registry.register("program.deep", DeepProgramVerifier(fail))
    [result] = verify_task_result(Task(ASKED), {}, SOUND.decode(), registry=registry)
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)


def test_in_a_process_of_its_own_it_opens_its_own_sandbox_and_leaves_ours_alone(service: Service):
    assert verified(service, SOUND.decode())[0].status is PASS
    faults = []
    with Service(MemoryStore()) as not_yet_open:
        for each in (not_yet_open, service):
            question = Question(deep(each), "program.deep", {}, WRONG.decode(), {})
            faults.append(ProcessExecutor().ask(question, 120.0).fault)
    # An open sandbox belongs to the process that opened it.
    assert faults == [Fault.SUBJECT, Fault.ENVIRONMENT]
    assert verified(service, SOUND.decode())[0].status is PASS
