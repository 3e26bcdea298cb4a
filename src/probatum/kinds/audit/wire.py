"""How the bytes of a request become the values of the wire.

Refuses what is no prompt or no bundle by name: nothing was audited then, and nothing is said about the evidence.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from probatum.audit.schemas import EvidenceBundle, PromptSpec
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError, nearest
from probatum.core.json_text import read_json
from probatum.kinds.audit.request import MAX_BUNDLE_BYTES, MAX_PROMPT_BYTES, AuditRequest
from probatum.verification.kind import RequestLine

_FIELDS: Final = ("id", "kind", "prompt_spec", "evidence")
_MAX_TOLD: Final = 3
Read = TypeVar("Read", bound=BaseModel)


@lru_cache(maxsize=16)
def prompt_of(content: bytes) -> PromptSpec:
    """Return the question that bytes state; raises NotAttemptedError where they state none."""
    if len(content) > MAX_PROMPT_BYTES:
        raise NotAttemptedError("audit.prompt_invalid", f"The prompt has more than {MAX_PROMPT_BYTES:,} bytes.")
    return _read(PromptSpec, content, "audit.prompt_invalid", "The prompt")


def bundle_of(content: bytes) -> EvidenceBundle:
    """Return the bundle that bytes hold; raises NotAttemptedError where they hold none, BudgetError for too many."""
    if len(content) > MAX_BUNDLE_BYTES:
        raise BudgetError("audit.too_large", f"The bundle has more than {MAX_BUNDLE_BYTES:,} bytes.")
    return _read(EvidenceBundle, content, "audit.bundle_invalid", "The evidence")


def _read(kind: type[Read], content: bytes, code: str, what: str) -> Read:
    try:
        return kind.model_validate(read_json(content))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        told = [f"{'.'.join(map(str, each['loc'])) or 'it'}: {each['msg']}" for each in problems[:_MAX_TOLD]]
        more = f", and {len(problems) - _MAX_TOLD} more" if len(problems) > _MAX_TOLD else ""
        hint = f"docs/reference has the JSON Schema of a {kind.__name__}."
        raise NotAttemptedError(code, f"{what} is not a {kind.__name__}: {'; '.join(told)}{more}.", hint) from error
    except (ValueError, RecursionError) as error:
        raise NotAttemptedError(code, f"{what} is not JSON: {error}.") from error


def audit_request(line: RequestLine) -> AuditRequest:
    """Return what a line of a batch asks for; raises UsageError where it makes no sense."""
    for key in line.fields:
        if key not in _FIELDS:
            raise UsageError("request.invalid", f"Unknown field {key!r}.", nearest(key, _FIELDS))
    for key in ("prompt_spec", "evidence"):
        if not isinstance(line.fields.get(key), dict):
            raise UsageError("request.invalid", f"A request of kind 'audit' needs {key!r}, a JSON object.")
    return AuditRequest(_bytes_of(line.fields["evidence"]), line.id, _bytes_of(line.fields["prompt_spec"]))


def _bytes_of(value: object) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError("request.invalid", f"It has no JSON form: {str(error)[:100]}.") from None
