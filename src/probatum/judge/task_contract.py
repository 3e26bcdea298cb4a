"""A task as its orchestrator states it, what comes back of it, and the request that judges an output by it.

The two JSON Schemas are the rules: every value is held against its own when it is made. Refuses a goal that says
nothing, a budget beyond its bounds (zero is none), and a member of a contract that nobody would read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from probatum.contracts.validation import schema_findings
from probatum.core.canonical import JsonValue
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.json_text import MAX_DEPTH, is_deeper
from probatum.core.shape import RARE, Shape, json_of
from probatum.judge.request import ValidationRequest, ValidationType, validation_request
from probatum.readers.json_schema.schema import compiled


class TaskStatus(StrEnum):
    """How far a task has come."""

    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


_DRAFT: Final = "http://json-schema.org/draft-07/schema#"
_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_OBJECT: Final = {"type": "object"}
_MOMENT: Final = {"type": "string", "format": "date-time"}
_COUNT: Final = {"type": "integer", "minimum": 0}
TASK_CONTRACT_SCHEMA: Final = frozen_dict(
    {
        "$schema": _DRAFT,
        "title": "TaskRequest",
        "type": "object",
        "required": ["goal"],
        "properties": {
            "goal": {"type": "string", "minLength": 10, "maxLength": 2000, "pattern": "\\S"},
            "constraints": _TEXTS,
            "acceptance_criteria": _TEXTS,
            "context": _OBJECT,
            "budget": {
                "type": "object",
                "properties": {
                    "max_tokens": {"type": "integer", "minimum": 100, "maximum": 100_000, "default": 10_000},
                    "max_time_seconds": {"type": "integer", "minimum": 5, "maximum": 300, "default": 120},
                    "max_cost_dollars": {"type": "number", "minimum": 0.01, "maximum": 10, "default": 1.0},
                },
                "additionalProperties": False,
            },
        },
        "additionalProperties": False,
    }
)
TASK_RESPONSE_SCHEMA: Final = frozen_dict(
    {
        "$schema": _DRAFT,
        "title": "TaskResponse",
        "type": "object",
        "required": ["task_id", "status", "created_at"],
        "properties": {
            "task_id": {"type": "string", "pattern": "^task_[A-Za-z0-9]+$"},
            "status": {"enum": [each.value for each in TaskStatus]},
            "created_at": _MOMENT,
            "updated_at": _MOMENT,
            "estimated_completion": _MOMENT,
            "progress": {
                "type": "object",
                "required": ["current_step", "completed_steps", "total_steps", "percentage"],
                "properties": {
                    "current_step": _TEXT,
                    "completed_steps": _COUNT,
                    "total_steps": _COUNT,
                    "percentage": {"type": "number", "minimum": 0, "maximum": 100},
                },
            },
            "result": {
                "type": "object",
                "required": ["output", "confidence", "validation_passed"],
                "properties": {
                    "output": _TEXT,
                    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                    "validation_passed": {"type": "boolean"},
                    "metadata": _OBJECT,
                },
            },
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {"code": _TEXT, "message": _TEXT, "recovery_suggestions": _TEXTS},
            },
        },
    }
)


@dataclass(frozen=True, slots=True)
class TaskBudget:
    """What a task may use; its bounds are checked with the contract that it stands in."""

    max_tokens: int = 10_000
    max_time_seconds: int = 120
    max_cost_dollars: float = 1.0


@dataclass(frozen=True, slots=True)
class TaskContract:
    """What is to be done, within which limits, and what makes it acceptable."""

    goal: str
    constraints: tuple[str, ...] = ()
    acceptance_criteria: tuple[str, ...] = ()
    context: FrozenDict = field(default_factory=FrozenDict)
    budget: TaskBudget = TaskBudget()

    def __post_init__(self) -> None:
        if not isinstance(self.constraints, tuple) or not isinstance(self.acceptance_criteria, tuple):
            raise ValueError("constraints and acceptance criteria are tuples of texts")
        object.__setattr__(self, "context", frozen_dict(self.context))
        _require(TASK_CONTRACT_SCHEMA, self.to_dict())

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the JSON form."""
        return json_of(self)

    @classmethod
    def from_dict(cls, told: Mapping[str, object]) -> TaskContract:
        """Return the contract of a JSON form; raises ValueError, naming the place, where it is none."""
        _require(TASK_CONTRACT_SCHEMA, told)
        budget = (
            {**json_of(TaskBudget()), **Shape(told).raw_object("budget")} if "budget" in told else json_of(TaskBudget())
        )
        return Shape({"constraints": [], "acceptance_criteria": [], "context": {}, **told, "budget": budget}).into(cls)


@dataclass(frozen=True, slots=True)
class TaskResponse:
    """How far a task has come, and its result or error; what is absent is empty."""

    task_id: str
    status: TaskStatus
    created_at: str
    updated_at: str = field(default="", metadata=RARE)
    estimated_completion: str = field(default="", metadata=RARE)
    progress: FrozenDict = field(default_factory=FrozenDict, metadata=RARE)
    result: FrozenDict = field(default_factory=FrozenDict, metadata=RARE)
    error: FrozenDict = field(default_factory=FrozenDict, metadata=RARE)

    def __post_init__(self) -> None:
        for name in _PARTS:
            object.__setattr__(self, name, frozen_dict(getattr(self, name)))
        _require(TASK_RESPONSE_SCHEMA, self.to_dict())

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the JSON form, without what is empty."""
        return json_of(self)

    @classmethod
    def from_dict(cls, told: Mapping[str, object]) -> TaskResponse:
        """Return the response of a JSON form; raises ValueError, naming the place, where it is none."""
        _require(TASK_RESPONSE_SCHEMA, told)
        shape = Shape(told)
        moments = {name: shape.text(name) for name in _MOMENTS if name in told}
        parts = {name: frozen_dict(shape.raw_object(name)) for name in _PARTS if name in told}
        return cls(shape.text("task_id"), shape.choice(TaskStatus, "status"), **moments, **parts)  # type: ignore[arg-type]  # by name


_MOMENTS: Final = ("created_at", "updated_at", "estimated_completion")
_PARTS: Final = ("progress", "result", "error")


def request_under_contract(contract: TaskContract, output: JsonValue) -> ValidationRequest:
    """Return the request that judges an output by the acceptance criteria of a contract, with its context.

    Raises UsageError where the contract has no criteria: nothing would be judged.
    """
    told = contract.to_dict()
    asked = {name: told[name] for name in ("acceptance_criteria", "context")}
    return validation_request({"output": output, "validation_types": [ValidationType.CRITERIA.value], **asked})


def _require(schema: FrozenDict, told: object) -> None:
    if is_deeper(told, MAX_DEPTH):
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    found = schema_findings(compiled(schema), told)  # type: ignore[arg-type]  # a schema is JSON
    if found:
        raise ValueError(found[0].message.removeprefix("$.").removeprefix("$: "))
