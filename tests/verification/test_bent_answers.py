"""Answers that were bent, and evidence that bites: the same in a thread and in a process, and never a pass."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from pathlib import Path

import pytest

from probatum.core.decision import Outcome
from probatum.core.finding import Finding, Location, Severity
from probatum.verification import (
    Fault,
    VerificationResult,
    VerificationStatus,
    VerifierDescription,
    VerifierRegistry,
    verification_results_to_jsonable,
    verify_task_result,
)
from probatum.verification.decide import decide_results
from probatum.verification.executors import Question, ThreadExecutor, VerifierExecutor
from probatum.verification.plan import plan
from probatum.verification.policy import policy_of
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.results import result_from_findings
from probatum.verification.run import RunBudget, run_plan
from probatum.verification.verifier import description_of
from tests.verification.fakes import Answering, Task, passing

PASS, FAIL = VerificationStatus.PASS, VerificationStatus.FAIL
EXECUTORS = [ThreadExecutor(), ProcessExecutor()]
BOTH = pytest.mark.parametrize("executor", EXECUTORS, ids=["thread", "process"])


def run_of(
    work: Callable[..., object], executor: VerifierExecutor, budget: RunBudget | None = None
) -> list[VerificationResult]:
    """Run a verifier that does this, and a good one after it."""
    registry = VerifierRegistry()
    registry.register("a", Answering(work))
    registry.register("good", passing("good"))
    planned = plan(policy_of({"verifier_ids": ["a", "good"]}), registry)
    results = run_plan(planned, {"r": [1]}, {"o": [2]}, {}, executor=executor, budget=budget or RunBudget(900, 300))
    assert results[1].status is PASS
    decide_results(planned.policy, results, {})
    json.dumps(verification_results_to_jsonable(results), allow_nan=False)
    return results


class OwnError(BaseException):
    """Of no kind that one usually catches."""


class NamelessMeta(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]  # bent on purpose
        raise RuntimeError("no name")


class Nameless(metaclass=NamelessMeta):
    pass


class Agreeing(str):
    """A text that equals every other one."""

    __slots__ = ()

    def __eq__(self, _other: object) -> bool:
        return True

    def __ne__(self, _other: object) -> bool:
        return False

    __hash__ = str.__hash__

    def encode(self, *_arguments: object) -> bytes:  # type: ignore[override]  # bent on purpose
        raise RuntimeError("bites")


class Masked:
    """Not what it says it is."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    @property
    def __class__(self) -> type:  # type: ignore[override]  # bent on purpose
        return self.kind

    def __reduce__(self) -> tuple[object, ...]:
        raise RuntimeError("bites")


class Unmasked:
    @property
    def __class__(self) -> type:  # type: ignore[override]  # bent on purpose
        raise RuntimeError("bites")

    def __repr__(self) -> str:
        raise RuntimeError("bites")


def raising(error: BaseException) -> Callable[..., object]:
    def work(*_given: object) -> object:
        raise error

    return work


def bent(**changes: object) -> Callable[..., object]:
    def work(*_given: object) -> object:
        result = VerificationResult(PASS, "a", "fine")
        for name, value in changes.items():
            object.__setattr__(result, name, value)
        return result

    return work


def of_another_class(*_given: object) -> object:
    return type("Sub", (VerificationResult,), {})(PASS, "a", "fine")


def without_a_part(*_given: object) -> object:
    return object.__new__(VerificationResult)


BENT: dict[str, Callable[..., object]] = {
    "raises what is no exception": raising(OwnError()),
    "interrupts": raising(KeyboardInterrupt()),
    "leaves a generator": raising(GeneratorExit()),
    "raises what cannot be told": raising(type("E", (Exception,), {"__str__": raising(OwnError())})()),
    "has no status": bent(status=None),
    "has another status": bent(status=object()),
    "has the text of a status": bent(status="pass"),
    "has an id that equals every id": bent(verifier_id=Agreeing("b")),
    "has a text for a truth": bent(could_have_failed="yes"),
    "has evidence that is none": bent(evidence=[]),
    "has evidence that bites": bent(evidence=Unmasked()),
    "has errors that bite": bent(errors=Unmasked()),
    "has findings that are none": bent(findings=(Masked(Finding),)),
    "has a fault and no fail": bent(fault=Fault.SUBJECT),
    "only looks like a result": lambda *_: Masked(VerificationResult),
    "has no name": lambda *_: Nameless(),
    "is of another class": of_another_class,
    "lacks everything": without_a_part,
    "is a generator": lambda *_: (each for each in ()),
    "is a class": lambda *_: VerificationResult,
    "finds an error that is called one": lambda *_: result_from_findings("a", [Finding("error", "k", "bad")], "s"),  # type: ignore[arg-type]  # bent on purpose
    "passes and names errors": lambda *_: VerificationResult(PASS, "a", "fine", {}, ("bad",)),
    "warns and names errors": lambda *_: VerificationResult(VerificationStatus.WARN, "a", "fine", {}, ("bad",)),
}


@BOTH
@pytest.mark.parametrize("name", BENT)
def test_a_bent_answer_is_the_fail_of_its_slot_at_once(name: str, executor: VerifierExecutor):
    result = run_of(BENT[name], executor)[0]
    assert (result.status, result.verifier_id, result.fault) == (FAIL, "a", Fault.VERIFIER)
    assert result.errors
    assert "gave no answer within" not in result.summary


class Zone(tzinfo):
    def utcoffset(self, _when: datetime | None) -> timedelta:
        return timedelta(hours=2)


class BitingPath(type(Path())):  # type: ignore[misc]  # the class of paths here
    def __str__(self) -> str:
        raise RuntimeError("bites")


Colour = Enum("Colour", {"RED": {"deep": [1]}})


class Rows(Mapping[str, object]):
    def __getitem__(self, _key: str) -> object:
        return Nameless

    def __iter__(self):  # type: ignore[no-untyped-def]  # bent on purpose
        return iter(["x"])

    def __len__(self) -> int:
        return 1


EVIDENCE: dict[str, tuple[object, object]] = {
    "a text that bites": (Agreeing("q"), "q"),
    "a mask of text": (Masked(str), "<Masked>"),
    "a mask of a mapping": (Masked(dict), "<Masked>"),
    "something without a name": (Nameless(), "<Nameless>"),
    "something that bites": (Unmasked(), "<Unmasked>"),
    "a path that bites": ([Path("/x"), {"p": 1}], ["/x", {"p": 1}]),
    "a number that no one writes": (10**5000, "<whole number of 16610 bits>"),
    "a time in a zone of its own": (datetime(2026, 1, 2, tzinfo=Zone()), "2026-01-02T00:00:00+02:00"),
    "a time": (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
    "a value of an enum": (Colour.RED, {"deep": [1]}),
    "a mapping": (Rows(), {"x": "<NamelessMeta>"}),
    "keys that bite": ({Agreeing("k"): 1, (1, 2): 2, Nameless: 3}, {"k": 1, "<tuple>": 2, "<NamelessMeta>": 3}),
    "a set of odd things": ({Agreeing("k"), (1, b"x")}, ["k", [1, "x"]]),
    "numbers": ([Decimal("1.5"), True, 1.5], ["1.5", True, 1.5]),
    "bytes": ([bytearray(b"a"), memoryview(b"b"), b"c"], ["a", "b", "c"]),
}


@BOTH
@pytest.mark.parametrize("name", EVIDENCE)
def test_evidence_bites_nobody_who_looks_at_it(name: str, executor: VerifierExecutor):
    value, written = EVIDENCE[name]
    [result, _] = run_of(lambda *_: VerificationResult(PASS, "a", "fine", {"x": value}), executor)
    assert result.status is PASS
    assert verification_results_to_jsonable([result])[0]["evidence"] == {"x": written}


@BOTH
def test_a_path_that_cannot_be_told_is_named(executor: VerifierExecutor):
    [result, _] = run_of(lambda *_: VerificationResult(PASS, "a", "fine", {"x": BitingPath("/x")}), executor)
    assert result.status is PASS
    assert result.evidence == {"x": "<BitingPath>"}


def noting(*texts: str, **evidence: object) -> VerificationResult:
    kind, message, place, suggestion, summary, warning = texts
    finding = Finding(Severity.WARNING, kind, message, Location(1, 2, place), suggestion, evidence)  # type: ignore[arg-type]  # a plain dictionary will do
    return VerificationResult(PASS, "a", summary, {}, (), (warning,), findings=(finding,))


@BOTH
@pytest.mark.parametrize("place", range(6))
def test_characters_that_no_file_can_hold_are_no_answer(place: int, executor: VerifierExecutor):
    answer = noting(*("\ud800" if place == number else "x" for number in range(6)))
    [result, _] = run_of(lambda *_: answer, executor)
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)


@BOTH
def test_what_stands_beside_a_finding_is_json(executor: VerifierExecutor):
    [result, _] = run_of(lambda *_: noting(*"kmnstw", side=b"\xff", path=Path("/x"), odd=Nameless()), executor)
    assert result == replace(
        noting(*"kmnstw", side="\ufffd", path="/x", odd="<Nameless>"), elapsed_seconds=result.elapsed_seconds
    )


def test_an_answer_that_is_changed_after_it_was_given():
    finding = Finding(Severity.ERROR, "k", "bad")
    mine = result_from_findings("a", [finding], "s", evidence={"x": 1})
    [result, _] = run_of(lambda *_: mine, ThreadExecutor())
    object.__setattr__(mine, "status", PASS)
    object.__setattr__(finding, "message", "fine")
    dict.clear(mine.evidence)  # type: ignore[arg-type]  # bent on purpose
    assert (result.status, result.findings[0].message, result.evidence) == (FAIL, "bad", {"x": 1})


@BOTH
@pytest.mark.parametrize("seconds", [1e7, 1e300, float("inf")])
def test_a_time_beyond_all_measure(seconds: float, executor: VerifierExecutor):
    [result, _] = run_of(lambda *_: VerificationResult(PASS, "a", "fine"), executor, RunBudget(seconds, seconds))
    assert result.status is PASS


@BOTH
@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_no_time_at_all(seconds: float, executor: VerifierExecutor):
    hanging = Answering(lambda *_: threading.Event().wait(5))
    assert executor.ask(Question(hanging, "a", {}, {}, {}), seconds).status is FAIL


def test_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch):
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    result = ThreadExecutor().ask(Question(passing("a"), "a", {}, {}, {}), 1.0)
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


class Undescribed:
    @property
    def description(self) -> VerifierDescription:
        raise RuntimeError("not today")

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        return VerificationResult(PASS, "a", "fine")


def test_one_that_cannot_describe_itself_is_described_as_the_least():
    assert description_of(Undescribed(), "a") == VerifierDescription("a", "unknown", Outcome.TESTED)
    registry = VerifierRegistry()
    registry.register("a", Undescribed())
    assert plan(policy_of({"verifier_ids": ["a"]}), registry).slots[0].verifier is not None


@pytest.mark.parametrize("said", [("a", 1, Outcome.TESTED), ("a", "1", "proved"), (None, "1", Outcome.TESTED)])
def test_a_description_is_of_texts_and_an_outcome(said: tuple[object, ...]):
    with pytest.raises(ValueError):
        VerifierDescription(*said)  # type: ignore[arg-type]  # bent on purpose


class Failing:
    """An executor that cannot ask, or whose answers are none."""

    def __init__(self, given: object) -> None:
        self.given = given

    def ask(self, question: Question, seconds: float) -> VerificationResult:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given  # type: ignore[return-value]  # bent on purpose


@pytest.mark.parametrize("given", [ConnectionError("gone"), None, VerificationResult(PASS, "b", "fine")])
def test_an_executor_that_fails(given: object):
    registry = VerifierRegistry()
    registry.register("a", passing("a"))
    [result] = run_plan(plan(policy_of({"verifier_ids": ["a"]}), registry), {}, {}, {}, executor=Failing(given))
    assert result.status is FAIL
    assert result.fault in {Fault.VERIFIER, Fault.ENVIRONMENT}


def test_plain_data_of_the_context_is_everybodys_own():
    seen: list[object] = []

    def spoil(_given: object, _output: object, context: Mapping[str, object] | None) -> object:
        facts = (context or {})["facts"]
        assert isinstance(facts, dict)
        facts["rows"].append("spoilt")
        return VerificationResult(PASS, "a", "fine")

    def look(_given: object, _output: object, context: Mapping[str, object] | None) -> object:
        seen.append((context or {})["facts"])
        return VerificationResult(PASS, "b", "fine")

    registry = VerifierRegistry()
    registry.register("a", Answering(spoil))
    registry.register("b", Answering(look))
    given = {"facts": {"rows": [1]}, "lock": threading.Lock()}
    verify_task_result(Task({"verifier_ids": ["a", "b"]}), {}, {}, given, registry)
    assert seen == [{"rows": [1]}]
    assert given["facts"] == {"rows": [1]}


def test_a_thousand_slots_of_which_half_are_broken():
    registry = VerifierRegistry()
    registry.register("a", Answering(raising(OwnError())))
    registry.register("good", passing("good"))
    planned = plan(policy_of({"verifier_ids": ["a", "good"] * 500}), registry)
    results = run_plan(planned, {}, {}, {})
    assert [each.status for each in results] == [FAIL, PASS] * 500
