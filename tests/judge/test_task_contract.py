"""Contracts of tasks: exact bounds, strict reading, and the request that follows from one."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from math import nan
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import UsageError
from probatum.core.frozen import thaw
from probatum.judge.request import ValidationType
from probatum.judge.task_contract import (
    TASK_CONTRACT_SCHEMA,
    TASK_RESPONSE_SCHEMA,
    TaskBudget,
    TaskContract,
    TaskResponse,
    TaskStatus,
    request_under_contract,
)

GOAL = "Sort a list of numbers"
BY_PEER = jsonschema.Draft7Validator(thaw(TASK_CONTRACT_SCHEMA))
RESPONSE: dict[str, Any] = {
    "task_id": "task_abc123",
    "status": "completed",
    "created_at": "2025-11-10T10:30:00Z",
    "progress": {"current_step": "judging", "completed_steps": 2, "total_steps": 2, "percentage": 100},
    "result": {"output": "done", "confidence": 0.9, "validation_passed": True, "artifacts": {"a.py": "x = 1"}},
}


def test_what_is_not_stated_has_its_default() -> None:
    contract = TaskContract.from_dict({"goal": GOAL})
    assert contract == TaskContract(GOAL)
    assert contract.budget == TaskBudget(max_tokens=10_000, max_time_seconds=120, max_cost_dollars=1.0)
    assert TaskContract.from_dict({"goal": GOAL, "budget": {"max_tokens": 100}}).budget == TaskBudget(100)


GOALS = [
    ("g" * 9, False),
    ("g" * 10, True),
    ("g" * 2000, True),
    ("g" * 2001, False),
    (" " * 10, False),
    ("\n" * 50, False),
]
BOUNDS: list[tuple[str, Any, bool]] = [
    *(("max_tokens", value, fits) for value, fits in [(99, False), (100, True), (100_000, True), (100_001, False)]),
    *(("max_tokens", value, False) for value in (0, -100, 100.5, True, "100", None, nan)),
    *(("max_time_seconds", value, fits) for value, fits in [(4, False), (5, True), (300, True), (301, False)]),
    *(("max_time_seconds", value, False) for value in (0, 5.5, False)),
    *(("max_cost_dollars", value, fits) for value, fits in [(0.009, False), (0.01, True), (10, True), (10.01, False)]),
    *(("max_cost_dollars", value, False) for value in (0, True, "1.0", nan)),
]


@pytest.mark.parametrize(("goal", "fits"), GOALS)
def test_a_goal_has_bounds_and_is_not_blank(goal: str, *, fits: bool) -> None:
    for make in (TaskContract, lambda goal: TaskContract.from_dict({"goal": goal})):
        if fits:
            assert make(goal).goal == goal
        else:
            with pytest.raises(ValueError, match="goal"):
                make(goal)


@pytest.mark.parametrize(("name", "value", "fits"), BOUNDS)
def test_a_budget_has_exact_bounds(name: str, value: Any, *, fits: bool) -> None:
    told = {"goal": GOAL, "budget": {name: value}}
    if fits:
        budget = TaskContract.from_dict(told).budget
        assert budget == replace(TaskBudget(), **{name: value})
        return
    with pytest.raises(ValueError, match=name):
        TaskContract.from_dict(told)
    with pytest.raises(ValueError, match=name):
        TaskContract(GOAL, budget=TaskBudget(**{name: value}))


REFUSED: list[object] = [
    {},
    {"goal": 1234567890},
    {"goal": GOAL, "constraints": "be fast"},
    {"goal": GOAL, "constraints": [1]},
    {"goal": GOAL, "acceptance_criteria": None},
    {"goal": GOAL, "acceptance_critera": ["misspelt"]},
    {"goal": GOAL, "budget": {"max_token": 100}},
    {"goal": GOAL, "context": []},
    {"goal": GOAL, "context": {"a": {1, 2}}},
    {"goal": GOAL, "context": {"a": nan}},
    {"goal": GOAL, "context": json.loads('{"a":' * 900 + "1" + "}" * 900)},
    [],
    None,
]


@pytest.mark.parametrize("told", REFUSED)
def test_what_is_no_contract_is_refused(told: Any) -> None:
    with pytest.raises(ValueError):
        TaskContract.from_dict(told)


def test_a_text_is_no_list_of_criteria() -> None:
    with pytest.raises(ValueError):
        TaskContract(GOAL, acceptance_criteria="Tests are included")  # type: ignore[arg-type]  # on purpose


def test_a_contract_cannot_be_changed() -> None:
    contract = TaskContract(GOAL, context={"a": [1]})  # type: ignore[arg-type]  # frozen when it is made
    with pytest.raises(FrozenInstanceError):
        contract.goal = "another goal"  # type: ignore[misc]  # on purpose
    with pytest.raises(TypeError):
        contract.context["a"].append(2)  # type: ignore[attr-defined]  # a list


TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), max_size=3).map(tuple)
CONTRACTS = st.builds(
    TaskContract,
    goal=st.text(st.characters(exclude_categories=["Cs"]), min_size=10, max_size=50).map(lambda text: f"{text}."),
    constraints=TEXTS,
    acceptance_criteria=TEXTS,
    context=st.dictionaries(st.text("ab"), st.integers(-9, 9) | st.lists(st.booleans())),
    budget=st.builds(TaskBudget, st.integers(100, 100_000), st.integers(5, 300), st.floats(0.01, 10)),
)


@given(CONTRACTS)
def test_every_contract_fits_its_schema_and_is_read_back(contract: TaskContract) -> None:
    told = json.loads(json.dumps(contract.to_dict()))
    assert BY_PEER.is_valid(told)
    assert TaskContract.from_dict(told) == contract


def test_its_criteria_are_what_an_output_is_judged_by() -> None:
    contract = TaskContract(GOAL, ("be fast",), ("Tests are included",), {"language": "python"})  # type: ignore[arg-type]  # frozen when it is made
    request = request_under_contract(contract, {"code": "x = 1"})
    assert request.output == {"code": "x = 1"}
    assert request.validation_types == (ValidationType.CRITERIA,)
    assert request.acceptance_criteria == ("Tests are included",)
    assert request.context == {"language": "python"}


def test_without_criteria_there_is_nothing_to_judge_by() -> None:
    with pytest.raises(UsageError):
        request_under_contract(TaskContract(GOAL), "text")


def test_a_response_is_read_and_told_again() -> None:
    jsonschema.Draft7Validator(thaw(TASK_RESPONSE_SCHEMA)).validate(RESPONSE)
    response = TaskResponse.from_dict(RESPONSE)
    assert response.status is TaskStatus.COMPLETED
    assert response.to_dict() == RESPONSE
    assert replace(response, progress={}, result={}).to_dict() == {  # type: ignore[arg-type]  # frozen when it is made
        name: RESPONSE[name] for name in ("task_id", "status", "created_at")
    }


WRONG: list[dict[str, Any]] = [
    {"task_id": "task-abc"},
    {"task_id": "task_"},
    {"task_id": "task_abc\n"},
    {"status": "pending"},
    {"created_at": "yesterday"},
    {"updated_at": None},
    {"progress": {**RESPONSE["progress"], "percentage": 101}},
    {"progress": {**RESPONSE["progress"], "total_steps": -1}},
    {"result": {**RESPONSE["result"], "confidence": True}},
    {"result": {"output": "done"}},
    {"error": {"code": "E_1"}},
    {"error": {"code": "E_1", "message": "m", "recovery_suggestions": "none"}},
]


@pytest.mark.parametrize("change", WRONG)
def test_what_is_no_response_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        TaskResponse.from_dict({**RESPONSE, **change})
