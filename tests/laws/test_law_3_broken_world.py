"""Law 3. A fault of a verifier or of the infrastructure moves a verdict to BLOCKED or undecided: never to VERIFIED,
never to refuted. Faults are planted in the store, in the sandbox, in single replies, and in any call of our own code.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest

import probatum
from probatum.core.decision import DiagnosticStatus
from probatum.core.errors import IntegrityError, NotAttemptedError
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from probatum.sandbox import Lost, LostReason, Sandbox
from probatum.sandbox.jobs import Candidate
from tests.laws.programs import SOUND, WEAK, WRONG, asked, request
from tests.proof.sample import RECHECKERS, sample_bytes
from tests.services import Answer, Service

FAULTS: dict[str, Callable[[], Exception]] = {
    "anything": lambda: RuntimeError("planted"),
    "the operating system": lambda: OSError(5, "planted"),
    "memory": MemoryError,
    "depth": RecursionError,
    "a value": lambda: ValueError("planted"),
    "a key": lambda: KeyError("planted"),
    "an assertion": AssertionError,
    "a named error": lambda: NotAttemptedError("store.full", "Planted."),
    "another named error": lambda: IntegrityError("store.damaged", "Planted."),
    "text that has no UTF-8 form": lambda: RuntimeError("\ud800"),
}


def assert_fails_closed(answer: Answer) -> None:
    verdict = answer.verdict
    assert verdict.status is not DiagnosticStatus.VERIFIED, verdict
    assert verdict.outcome in {"undecided", "not_attempted"}, verdict
    assert answer.exit_code in {3, 4}


class FaultyStore(MemoryStore):
    """Fails at one of the contents that it is to keep, counted from 1."""

    def __init__(self, at: int, fault: Callable[[], Exception]) -> None:
        super().__init__()
        self._at = at
        self._fault = fault
        self.calls = 0

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        for _ in contents:
            self.calls += 1
            if self.calls == self._at:
                raise self._fault()
        return super().retain_all(contents)


@pytest.mark.parametrize("name", FAULTS)
def test_a_store_that_fails(name: str):
    assert_fails_closed(asked(store=FaultyStore(1, FAULTS[name])))


def test_a_store_that_fails_at_any_call():
    healthy = FaultyStore(0, RuntimeError)
    assert asked(store=healthy).verdict.status is DiagnosticStatus.VERIFIED
    assert healthy.calls
    for call in range(1, healthy.calls + 1):
        assert_fails_closed(asked(store=FaultyStore(call, FAULTS["the operating system"])))


class LyingStore(MemoryStore):
    """Keeps nothing and says that it kept something else."""

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        return ["sha256:" + "0" * 64] * len(contents)


def test_a_store_that_acknowledges_another_digest():
    assert_fails_closed(asked(store=LyingStore()))


def test_a_broken_store_does_not_save_a_wrong_program():
    verdict = asked(WRONG, store=FaultyStore(1, FAULTS["anything"])).verdict
    assert verdict.status is not DiagnosticStatus.VERIFIED


@pytest.mark.parametrize("source", [SOUND, WRONG], ids=["sound", "wrong"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_sandbox_that_cannot_be_opened(name: str, source: bytes, monkeypatch: pytest.MonkeyPatch):
    def fail(**_options: object) -> None:
        raise FAULTS[name]()

    monkeypatch.setattr(Sandbox, "open", fail)
    assert_fails_closed(asked(source))


@contextmanager
def open_service() -> Iterator[Service]:
    with Service(MemoryStore()) as service:
        service.verify_program(request(WRONG))
        yield service


@contextmanager
def losing(reason: LostReason, lost: Callable[[int], bool]) -> Iterator[list[int]]:
    """Lose the replies whose number, from 1, is chosen; yields the numbers that were lost."""
    answered = Candidate._ask
    asked_so_far, losses = [0], []

    def ask(self: Candidate, *arguments: object, **options: object) -> object:
        asked_so_far[0] += 1
        if lost(asked_so_far[0]):
            losses.append(asked_so_far[0])
            return Lost(reason, "planted")
        return answered(self, *arguments, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Candidate, "_ask", ask)
        yield losses


INFRASTRUCTURE = [LostReason.SETUP, LostReason.ENDED]


@pytest.mark.parametrize("reason", INFRASTRUCTURE)
@pytest.mark.parametrize("first", [1, 2, 5, 9, 60, 250])
def test_a_sandbox_that_dies_on_the_way(reason: LostReason, first: int):
    with open_service() as service, losing(reason, lambda number: number >= first) as losses:
        answer = service.verify_program(request(SOUND))
    assert losses
    assert_fails_closed(answer)


@pytest.mark.parametrize("reason", INFRASTRUCTURE)
def test_a_sandbox_that_dies_never_refutes(reason: LostReason):
    with open_service() as service:
        for first in range(1, 8):
            with losing(reason, lambda number, first=first: number >= first):
                assert_fails_closed(service.verify_program(request(WRONG)))


def noticed_faults(answer: Answer) -> int:
    return sum(function.details["result"]["strength"]["noticed"] for function in answer.parts)


def test_one_lost_reply_never_strengthens():
    with open_service() as service:
        whole = service.verify_program(request(WEAK))
        assert whole.verdict.constraint_id == "program.weak_checks"
        for number in (3, 40, 300, 500, 700, 900):
            with losing(LostReason.SETUP, lambda asked_for, number=number: asked_for == number):
                answer = service.verify_program(request(WEAK))
            assert_fails_closed(answer)
            assert noticed_faults(answer) <= noticed_faults(whole)


def test_a_faulty_copy_that_could_not_be_started_is_not_noticed(monkeypatch: pytest.MonkeyPatch):
    load = Candidate.load
    starts, lost = [0], [-1]

    def start(candidate: Candidate) -> object:
        starts[0] += candidate.program.source != WEAK
        return Lost(LostReason.SETUP, "planted") if starts[0] == lost[0] else load(candidate)

    monkeypatch.setattr(Candidate, "load", start)
    with open_service() as service:
        starts[0] = 0
        whole = service.verify_program(request(WEAK))
        copies = starts[0]
        assert copies > noticed_faults(whole)
        for number in range(1, copies + 1):
            starts[0], lost[0] = 0, number
            answer = service.verify_program(request(WEAK))
            assert_fails_closed(answer)
            assert noticed_faults(answer) <= noticed_faults(whole), number


OURS = f"{Path(probatum.__file__).parent}/"


@dataclass
class Planted:
    """A fault raised at one call, counted from 1, of any function of ours."""

    at: int
    fault: Callable[[], Exception]
    calls: int = 0
    where: str = ""

    def profile(self, frame: FrameType, event: str, _argument: object) -> None:
        # What is raised while Python closes a generator never arrives anywhere, so generators are left out.
        is_generator = frame.f_code.co_flags & inspect.CO_GENERATOR
        if event == "call" and frame.f_code.co_filename.startswith(OURS) and not is_generator:
            self.calls += 1
            if self.calls == self.at:
                self.where = f"{frame.f_code.co_filename}:{frame.f_code.co_name}"
                raise self.fault()


def verified_with(planted: Planted, service: Service, source: bytes) -> Answer:
    before = sys.getprofile()
    sys.setprofile(planted.profile)
    try:
        return service.verify_program(request(source))
    finally:
        sys.setprofile(before)


def _counterexample(answer: Answer) -> object:
    return answer.verdict.outcome == "refuted" and answer.verdict.developer_fields["counterexample"]


PLACES = {"sound": (SOUND, 12), "wrong": (WRONG, 30)}


@pytest.mark.parametrize("name", PLACES)
def test_a_fault_in_any_call_of_ours(name: str):
    source, count = PLACES[name]
    with open_service() as service:
        clean = Planted(0, RuntimeError)
        whole = verified_with(clean, service, source)
        expected, refuting = whole.verdict, _counterexample(whole) or "none"
        faults = list(FAULTS.values())
        reached = 0
        for index in range(count):
            planted = Planted(8 + clean.calls * index // count, faults[index % len(faults)])
            answer = verified_with(planted, service, source)
            if planted.where:
                reached += 1
                assert answer.verdict.status.value != "VERIFIED", (planted.where, planted.fault)
                # A reply or an example that was lost leaves others: what the very same counterexample refutes is wrong.
                if answer.verdict != expected and _counterexample(answer) != refuting:
                    assert_fails_closed(answer)
            assert service.verify_program(request(WRONG)).verdict.outcome == "refuted", "the next answer suffers"
        assert reached > count // 2
        assert verified_with(Planted(0, RuntimeError), service, source).verdict == expected


@pytest.mark.parametrize("name", FAULTS)
def test_a_store_that_fails_while_a_proof_is_checked(name: str):
    store = MemoryStore()
    ref = store.retain(sample_bytes())
    assert recheck(ref, store, RECHECKERS).holds

    def fail(_digest: str) -> bytes:
        raise FAULTS[name]()

    store.fetch = fail
    report = recheck(ref, store, RECHECKERS)
    assert not report.holds
    assert report.failure.number == 2
