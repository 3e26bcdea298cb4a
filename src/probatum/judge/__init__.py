"""May an output be accepted? The names of the ValidationResult schema, what judges, and what acts on a result."""

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
from probatum.judge.result_schema import result_schema
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
