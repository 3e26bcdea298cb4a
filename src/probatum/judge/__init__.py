"""May an output be accepted? The names of the ValidationResult schema, what judges, and what acts on a result.

The names load what they need when they are first used: a command that judges nothing loads no layer. Refuses every
other name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from probatum.core.validation import (
        ClaimReport,
        ClaimStatus,
        IssueType,
        ValidationIssue,
        ValidationMetadata,
        ValidationResult,
    )
    from probatum.judge.judge import Judge
    from probatum.judge.patterns import (
        confidence_level,
        generate_validation_report,
        get_blocking_issues,
        has_security_issues,
        interpret_validation_result,
        needs_manual_review,
        quality_grade,
        top_issues,
        validate_with_retry,
    )
    from probatum.judge.request import TrustedSource, ValidationRequest, ValidationType, validation_request
    from probatum.judge.schema_of_results import result_schema
    from probatum.judge.task_contract import (
        TaskBudget,
        TaskContract,
        TaskResponse,
        TaskStatus,
        request_under_contract,
    )

__all__ = [
    "ClaimReport",
    "ClaimStatus",
    "IssueType",
    "Judge",
    "TaskBudget",
    "TaskContract",
    "TaskResponse",
    "TaskStatus",
    "TrustedSource",
    "ValidationIssue",
    "ValidationMetadata",
    "ValidationRequest",
    "ValidationResult",
    "ValidationType",
    "confidence_level",
    "generate_validation_report",
    "get_blocking_issues",
    "has_security_issues",
    "interpret_validation_result",
    "needs_manual_review",
    "quality_grade",
    "request_under_contract",
    "result_schema",
    "top_issues",
    "validate_with_retry",
    "validation_request",
]

_HOMES: Final = ("request", "judge", "patterns", "schema_of_results", "task_contract")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'probatum.judge' has no attribute {name!r}")
    homes = ["probatum.core.validation", *(f"probatum.judge.{each}" for each in _HOMES)]
    home = next(module for module in map(import_module, homes) if hasattr(module, name))
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
