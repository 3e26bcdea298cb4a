"""May an output be accepted? The names of the ValidationResult schema, and what judges.

Patterns that act on a result stand here too: bands, interpretation, retry, report.
"""

from probatum.core.validation import (
    ClaimReport,
    ClaimStatus,
    IssueType,
    ValidationIssue,
    ValidationMetadata,
    ValidationResult,
)
from probatum.judge.judge import Judge
from probatum.judge.request import TrustedSource, ValidationRequest, ValidationType, validation_request

__all__ = [
    "ClaimReport",
    "ClaimStatus",
    "IssueType",
    "Judge",
    "TrustedSource",
    "ValidationIssue",
    "ValidationMetadata",
    "ValidationRequest",
    "ValidationResult",
    "ValidationType",
    "validation_request",
]
