"""The place of structured outputs in a service: the schemas of requests and results."""

from __future__ import annotations

from typing import Final

from probatum.core.endpoint import Endpoint
from probatum.core.frozen import frozen_dict

_OBJECTS: Final = {"type": "array", "items": {"type": "object"}}
_REQUEST: Final = {
    "type": "object",
    "required": ["output", "contract"],
    "properties": {
        "output": {"description": "Text as it was answered, or the answer itself as JSON."},
        "input": {"description": "What the task was given."},
        "contract": {
            "type": ["string", "object", "boolean"],
            "description": "ID[:VERSION] of a contract, or a contract or JSON Schema itself.",
        },
    },
    "additionalProperties": False,
}
_RESULT: Final = {
    "type": "object",
    "required": ["passed"],
    "properties": {
        "passed": {"type": "boolean"},
        "contract": {"type": "string"},
        "findings": _OBJECTS,
        "verification_results": _OBJECTS,
        "value": {"description": "The value that was judged, where the text had to be repaired to be read."},
    },
}
# Verifiers of packages are run in processes and are named by an operator; a service names none.
ENDPOINT: Final = Endpoint(frozen_dict(_REQUEST), frozen_dict(_RESULT), is_quick=lambda _fields: True)
