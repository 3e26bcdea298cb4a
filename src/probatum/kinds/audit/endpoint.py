"""The place of audits in a service: the schemas of requests and results."""

from __future__ import annotations

from typing import Final

from probatum.core.endpoint import Endpoint
from probatum.core.frozen import frozen_dict

_OBJECT: Final = {"type": "object"}
_REQUEST: Final = {
    "type": "object",
    "required": ["prompt_spec", "evidence"],
    "properties": {
        "prompt_spec": {**_OBJECT, "description": "The question with its rules."},
        "evidence": {**_OBJECT, "description": "The bundle of evidence."},
    },
    "additionalProperties": False,
}
_RESULT: Final = {
    **_OBJECT,
    "required": ["passed"],
    "properties": {
        "passed": {"type": "boolean"},
        "evaluation_variables": _OBJECT,
        "evidence_root": {"type": "string"},
        "reasoning_root": {"type": "string"},
        "verification": _OBJECT,
        "trace": _OBJECT,
    },
}
ENDPOINT: Final = Endpoint(frozen_dict(_REQUEST), frozen_dict(_RESULT))
