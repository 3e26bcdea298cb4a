"""A result as JSON bytes and back: how an answer travels between processes, and never as code.

What is read back says the same as what was written, except that its evidence is JSON: bytes are text, tuples lists.
Refuses everything that was not written here: other keys, other types, what does not fit together.
"""

from __future__ import annotations

import json

from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.verification.evidence import jsonable
from probatum.verification.results import VerificationResult, verification_result_to_dict


def write_result(result: VerificationResult) -> bytes:
    """Return a result as JSON."""
    row = {
        "fault": None,
        **verification_result_to_dict(result),
        "could_have_failed": result.could_have_failed,
        "findings": [jsonable(finding.to_dict()) for finding in result.findings],
    }
    return json.dumps(row, allow_nan=False).encode()


def read_result(content: bytes) -> VerificationResult:
    """Return the result that was written; raises ValueError where the bytes are not what `write_result` writes."""
    return Shape(read_json(content), "answer").into(VerificationResult)
