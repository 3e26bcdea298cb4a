"""The conformance suite for verifiers: each rule is noticed when it is broken, and only then."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings

from probatum.core.decision import Outcome
from probatum.core.finding import Finding
from probatum.testing import (
    ConformanceError,
    FakeContract,
    broken_rules,
    check_verifier,
    hanging,
    passing,
    raising,
    refuting,
)
from probatum.testing.strategies import findings, json_values, policies, results
from probatum.verification import (
    Fault,
    VerificationResult,
    VerificationStatus,
    VerifierDescription,
    VerifierRegistry,
    verify_task_result,
)
from probatum.verification.plan import plan
from probatum.verification.policy import VerificationPolicy
from probatum.verification.results import broken
from probatum.verification.run import RunBudget, run_plan
from probatum.verification.written_results import read_result, write_result

PASS, FAIL = VerificationStatus.PASS, VerificationStatus.FAIL
ACCEPTS = [({}, {"age": 3})]
REFUSES = [({}, {"age": -3}), ({}, {})]
COUNTER = itertools.count()


def judged(output: object, **more: object) -> VerificationResult:
    """Judge as a good verifier would: the age is a number of 0 or more."""
    age = output.get("age") if isinstance(output, dict) else None
    if type(age) is int and age >= 0:
        return VerificationResult(PASS, "a", "fine", **more)  # type: ignore[arg-type]  # drawn from the table
    return VerificationResult(FAIL, "a", "no", errors=("$.age: expected a number of 0 or more",), **more)  # type: ignore[arg-type]  # likewise


class Verifier:
    description = VerifierDescription("a", "1", Outcome.TESTED, is_deterministic=True)

    def __init__(self, work: Callable[..., object] = lambda _input, output, _context: judged(output)) -> None:
        self._work = work

    def verify(self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None) -> object:
        return self._work(input_obj, output_obj, context)


def rules_broken_by(work: Callable[..., object]) -> list[str]:
    return broken_rules(Verifier(work), accepts=ACCEPTS, refuses=REFUSES)  # type: ignore[arg-type]  # it may lie


def test_a_good_verifier_breaks_none():
    assert broken_rules(Verifier(), accepts=ACCEPTS, refuses=REFUSES) == []
    check_verifier(Verifier(), accepts=ACCEPTS, refuses=REFUSES)


def test_the_context_is_handed_on():
    def work(_input: object, output: object, context: Mapping[str, object]) -> VerificationResult:
        assert context == {"contract": 1}
        return judged(output)

    assert broken_rules(Verifier(work), accepts=ACCEPTS, refuses=REFUSES, context={"contract": 1}) == []


def changing(_input: object, output: object, _context: object) -> VerificationResult:
    if isinstance(output, dict):
        output.setdefault("age", 3)
    return judged(output)


BROKEN: dict[str, tuple[Callable[..., object], str]] = {
    "raises for a text": (
        lambda _i, output, _c: judged(output) if output != "text" else 1 / 0,
        "raises ZeroDivisionError",
    ),
    "raises for a list": (lambda _i, output, _c: output.get("age") and judged(output), "raises AttributeError"),
    "answers with nothing": (lambda *_: None, "answers with a NoneType"),
    "answers as another": (lambda *_: VerificationResult(PASS, "b", "fine"), "answers as 'b'"),
    "changes what it is given": (changing, "changes what it is given"),
    "fails in silence": (lambda _i, o, _c: judged(o) if o else VerificationResult(FAIL, "a", "no"), "without an error"),
    "blames itself": (lambda _i, o, _c: judged(o) if isinstance(o, dict) else broken("a", "no"), "blames itself"),
    "says two things": (lambda _i, o, _c: judged(o, warnings=(str(next(COUNTER)),)), "two things of the same"),
    "refuses everything": (lambda *_: VerificationResult(FAIL, "a", "no", errors=("no",)), "should accept"),
    "accepts everything": (lambda *_: VerificationResult(PASS, "a", "fine"), "should refuse"),
    "could not have failed": (lambda _i, o, _c: judged(o, could_have_failed=False), "could not have failed"),
    "blames the world": (
        lambda _i, o, _c: judged(o) if judged(o).status is PASS else broken("a", "no", fault=Fault.ENVIRONMENT),
        "by the fault of the subject",
    ),
    "has bytes for evidence": (lambda _i, o, _c: judged(o, evidence={"seen": b"\xff"}), "Its evidence is not JSON"),
    "knows where it is": (lambda _i, o, _c: judged(o, evidence={"process": os.getpid()}), "In another process"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_noticed(name: str):
    work, expected = BROKEN[name]
    told = rules_broken_by(work)
    assert told
    assert expected in told[0]


def test_times_do_not_count_as_two_answers():
    assert rules_broken_by(lambda _i, o, _c: judged(o, elapsed_seconds=time.monotonic())) == []


SHAPES = {
    "a class": (Verifier, "is a class"),
    "no verify": (object(), "no method 'verify'"),
    "no description": (passing("a"), "'description' is a NoneType"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_wrong_shape(name: str):
    verifier, expected = SHAPES[name]
    [told] = broken_rules(verifier, accepts=ACCEPTS, refuses=REFUSES)  # type: ignore[arg-type]  # refused
    assert expected in told


def test_a_verify_with_other_parameters():
    class Other(Verifier):
        def verify(self, output: object) -> object:  # type: ignore[override]  # what is refused
            return output

    [told] = broken_rules(Other(), accepts=ACCEPTS, refuses=REFUSES)  # type: ignore[arg-type]  # refused
    assert "cannot be called" in told


def test_without_examples_nothing_is_good():
    told = broken_rules(Verifier(), accepts=[], refuses=[])
    assert len(told) == 2
    with pytest.raises(ConformanceError) as caught:
        check_verifier(Verifier(), accepts=ACCEPTS, refuses=[])
    assert caught.value.broken == ("There is no example that it refuses; what never fails verifies nothing.",)


def test_the_stand_ins():
    registry = VerifierRegistry()
    registry.register("good", passing("good"))
    registry.register("bad", refuting("bad", "$.a: wrong"))
    registry.register("odd", raising(RuntimeError("no")))
    found = verify_task_result(FakeContract({"verifier_ids": ["good", "bad", "odd"]}), {}, {}, registry=registry)
    assert [(each.status, each.fault) for each in found] == [
        (PASS, None),
        (FAIL, Fault.SUBJECT),
        (FAIL, Fault.VERIFIER),
    ]


@settings(max_examples=25, deadline=None)
@given(results(), findings(), json_values())
def test_drawn_values_travel(result: VerificationResult, finding: Finding, value: object):
    more = replace(result, findings=(finding,), evidence={"value": value})
    assert read_result(write_result(result)) == result
    assert read_result(write_result(more)) == more


@settings(max_examples=50)
@given(policies(["good", "bad", "nope"]))
def test_drawn_policies_can_be_run(policy: VerificationPolicy):
    registry = VerifierRegistry()
    registry.register("good", passing("good"))
    registry.register("bad", refuting("bad"))
    found = run_plan(plan(policy, registry), {}, {}, {})
    assert [each.verifier_id for each in found] == [slot.verifier_id for slot in policy.slots]
    assert VerificationPolicy.from_json(policy.to_json()) == policy


def test_one_that_hangs():
    registry = VerifierRegistry()
    registry.register("late", hanging())
    policy = VerificationPolicy.from_json({"slots": [{"verifier_id": "late", "is_mandatory": True}], "at_least": []})
    [found] = run_plan(plan(policy, registry), {}, {}, {}, budget=RunBudget(10.0, 0.05))
    assert (found.status, found.fault) == (FAIL, Fault.VERIFIER)
