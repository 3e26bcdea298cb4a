"""What goes wrong in an audit, by name: `CournotError` as data, and the exceptions of the same codes.

The names are those of the requirement document. Refuses an exception without a code that can be looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from probatum.core.errors import ProbatumError


class CournotError(BaseModel):
    """One named failure, as data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(min_length=1)
    message: str
    details: dict[str, object] = Field(default_factory=dict)
    retryable: bool = False


class CournotException(ProbatumError):
    """A named failure that ends a call; ``details`` is plain data."""

    default_code: str = "COURNOT_ERROR"

    def __init__(
        self, message: str, code: str = "", details: Mapping[str, object] | None = None, retryable: bool = False
    ) -> None:
        self.message: Final = message
        self.retryable: Final = retryable
        super().__init__(code or self.default_code, message or self.default_code, details=details)

    def to_error(self) -> CournotError:
        """Return the failure as data."""
        return CournotError(code=self.code, message=self.message, details=self.details, retryable=self.retryable)


class CanonicalizationException(CournotException):
    """A value has no canonical form."""

    default_code = "CANONICALIZATION_ERROR"


class SchemaValidationException(CournotException):
    """Something given is not what its schema says."""

    default_code = "SCHEMA_VALIDATION_ERROR"


class TracePolicyException(CournotException):
    """A trace breaks its policy; ``step_id`` names the step, where one is to blame."""

    default_code = "TRACE_POLICY_VIOLATION"

    def __init__(self, message: str, step_id: str = "") -> None:
        super().__init__(message, details={"step_id": step_id} if step_id else {})
        self.step_id: Final = step_id
