"""A run: one result for each slot, whatever the verifiers do, and the others still run."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest

from probatum.verification import Fault, VerificationResult, VerificationStatus, VerifierRegistry, verify_task_result
from probatum.verification.plan import plan
from probatum.verification.policy import policy_of
from probatum.verification.run import RunBudget, run_plan
from tests.verification.fakes import Answering, Task, passing

PASS, FAIL = VerificationStatus.PASS, VerificationStatus.FAIL


def registry_of(**verifiers: Answering) -> VerifierRegistry:
    registry = VerifierRegistry()
    for name, verifier in verifiers.items():
        registry.register(name, verifier)
    return registry


def raising(error: BaseException) -> Answering:
    def answer(*_given: object) -> object:
        raise error

    return Answering(answer)


@pytest.mark.parametrize(
    "broken",
    [
        raising(RuntimeError("no")),
        raising(SystemExit(0)),
        raising(RecursionError()),
        raising(StopIteration()),
        Answering(lambda *_: None),
        Answering(lambda *_: True),
        Answering(lambda *_: {"status": "pass"}),
        Answering(lambda *_: VerificationResult(PASS, "other", "fine")),
        Answering(lambda *_: VerificationResult(PASS, "broken ", "fine")),
    ],
)
def test_f35_a_broken_verifier_fails_its_slot_alone(broken: Answering):
    registry = registry_of(broken=broken, good=passing("good"))
    results = verify_task_result(Task({"verifier_ids": ["good", "broken", "good"]}), {}, {}, registry=registry)
    assert [result.status for result in results] == [PASS, FAIL, PASS]
    assert results[1].verifier_id == "broken"
    assert results[1].fault is Fault.VERIFIER
    assert results[1].errors


def test_f35_the_exception_is_told():
    [result] = verify_task_result(
        Task({"verifier_ids": ["a"]}), {}, {}, registry=registry_of(a=raising(KeyError("lost")))
    )
    assert "KeyError" in result.errors[0]
    assert "lost" in result.errors[0]


def test_f31_f32_f33_an_unknown_id_fails_its_slot():
    registry = registry_of(**{"json.object": passing("json.object")})
    ids = ["json.object", "nope", "JSON.OBJECT", " json.object", "pytest.subprocess", "json.object"]
    results = verify_task_result(Task({"verifier_ids": ids}), {}, {}, registry=registry)
    assert [result.verifier_id for result in results] == ids
    assert [result.status for result in results] == [PASS, FAIL, FAIL, FAIL, FAIL, PASS]
    assert "Did you mean 'json.object'?" in results[3].summary


def test_f36_every_verifier_gets_its_own_copy():
    seen: list[object] = []

    def spoil(given: object, output: object, context: Mapping[str, object] | None) -> object:
        assert isinstance(given, dict)
        assert isinstance(output, dict)
        assert isinstance(context, dict)
        given["rows"].append("spoilt")
        output.clear()
        context.clear()
        return VerificationResult(PASS, "spoil", "fine")

    def look(given: object, output: object, context: Mapping[str, object] | None) -> object:
        seen.extend([given, output, sorted(context or {})])
        return VerificationResult(PASS, "look", "fine")

    registry = registry_of(spoil=Answering(spoil), look=Answering(look))
    mine, answer = {"rows": [1]}, {"a": 1}
    verify_task_result(Task({"verifier_ids": ["spoil", "look"]}), mine, answer, registry=registry)
    assert seen == [{"rows": [1]}, {"a": 1}, ["contract"]]
    assert (mine, answer) == ({"rows": [1]}, {"a": 1})


CHANGES = {
    "one row more": lambda rows: rows["rows"].append(2),
    "one key less": lambda rows: rows.pop("text"),
    "another number": lambda rows: rows["rows"].__setitem__(0, 2),
    "the same number of another kind": lambda rows: rows["rows"].__setitem__(0, 1.0),
    "a truth for a number": lambda rows: rows["rows"].__setitem__(0, True),
    "another text": lambda rows: rows.update(text="b"),
    "nothing for something": lambda rows: rows.update(text=None),
    "one in the place of another": lambda rows: rows.update(first=rows["second"]),
    "deep inside": lambda rows: rows["deep"][0]["x"].append(1),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("side", [0, 1])
def test_f36_what_a_verifier_says_of_something_that_it_changed_counts_for_nothing(name: str, side: int):
    def change(*given: object) -> object:
        CHANGES[name](given[side])
        return VerificationResult(PASS, "a", "fine")

    rows = {"rows": [1], "text": "a", "deep": ({"x": []},), "first": [1], "second": [2]}
    rows["itself"] = rows
    [result] = verify_task_result(Task({"verifier_ids": ["a"]}), rows, rows, registry=registry_of(a=Answering(change)))
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)


def test_f36_what_a_verifier_left_as_it_was_counts():
    rows = {"nan": float("nan"), "object": object(), "set": {1}, "rows": [1, (2, [b"x"])]}
    [result] = verify_task_result(Task({"verifier_ids": ["a"]}), rows, rows, registry=registry_of(a=passing("a")))
    assert result.status is PASS


def test_the_contract_in_the_context_is_the_one_that_was_given():
    seen: list[object] = []

    def look(_given: object, _output: object, context: Mapping[str, object] | None) -> object:
        seen.append(dict(context or {}))
        return VerificationResult(PASS, "look", "fine")

    task = Task({"verifier_ids": ["look"]})
    verify_task_result(task, {}, {}, {"contract": "another", "x": 1}, registry_of(look=Answering(look)))
    assert seen == [{"contract": task, "x": 1}]


def test_one_that_hangs_is_left_behind():
    released = threading.Event()

    def hang(*_given: object) -> object:
        released.wait(60)
        return VerificationResult(PASS, "hang", "late")

    registry = registry_of(hang=Answering(hang), good=passing("good"))
    planned = plan(policy_of({"verifier_ids": ["hang", "good"]}), registry)
    results = run_plan(planned, {}, {}, {}, budget=RunBudget(whole=30, each=0.05))
    released.set()
    assert [result.status for result in results] == [FAIL, PASS]
    assert results[0].fault is Fault.VERIFIER


def test_what_was_cancelled_is_skipped():
    registry = registry_of(a=passing("a"), b=passing("b"))
    told: list[str] = []
    planned = plan(policy_of({"verifier_ids": ["a", "b"]}), registry)
    results = run_plan(
        planned, {}, {}, {}, is_cancelled=lambda: bool(told), listener=lambda event: told.append(event.message)
    )
    assert [result.status for result in results] == [PASS, VerificationStatus.SKIPPED]
    assert told == ["a", "b"]


def test_what_the_whole_time_did_not_reach_fails_by_the_environment():
    planned = plan(policy_of({"verifier_ids": ["a"]}), registry_of(a=passing("a")))
    [result] = run_plan(planned, {}, {}, {}, budget=RunBudget(whole=1e-9, each=1))
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


class Uncopied:
    def __deepcopy__(self, _memo: object) -> object:
        raise RuntimeError("mine alone")


def test_what_cannot_be_copied_is_not_judged():
    [result] = verify_task_result(Task({"verifier_ids": ["a"]}), {}, Uncopied(), registry=registry_of(a=passing("a")))
    assert (result.status, result.fault) == (FAIL, Fault.ENVIRONMENT)


def test_f41_the_same_twice_but_for_the_time():
    registry = registry_of(a=passing("a"))
    once, again = (verify_task_result(Task({"verifier_ids": ["a"]}), {}, {}, registry=registry) for _ in range(2))
    assert [result.summary for result in once] == [result.summary for result in again]
    assert once[0].elapsed_seconds is not None
