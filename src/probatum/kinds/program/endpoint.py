"""The place of programs in a service: the schemas of requests and results."""

from __future__ import annotations

from typing import Final

from probatum.core.endpoint import Endpoint
from probatum.core.frozen import frozen_dict
from probatum.programs.decide import Level

_TEXT: Final = {"type": "string"}
_OPTIONAL: Final = {"type": ["string", "null"]}
_OBJECTS: Final = {"type": "array", "items": {"type": "object"}}
_SHARE: Final = {"type": "number", "minimum": 0, "maximum": 1}
_FUNCTION: Final = {
    "passed": {"type": "boolean"},
    "confidence": _SHARE,
    "confidence_from": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
    "raw_confidence": {"type": "number"},
    "document_passed": {"type": "boolean"},
    "strength": {"type": "object"},
    "issues": _OBJECTS,
    "generated_tests": _OBJECTS,
    "test_results": {"type": "object"},
    "perspective_results": _OBJECTS,
    "differences": {"type": "object"},
    "not_counted": {"type": "array", "items": _TEXT},
    "recommendations": {"type": "array", "items": _TEXT},
    "duration_ms": {"type": "integer", "minimum": 0},
}
_REQUEST: Final = {
    "type": "object",
    "required": ["source"],
    "properties": {
        "source": {**_TEXT, "description": "The program."},
        "function": {**_OPTIONAL, "description": "The one name that is judged."},
        "contract": {**_OPTIONAL, "description": "Further requirements, written as a docstring."},
        "tests": {**_OPTIONAL, "description": "A pytest file that imports the program as 'artifact'."},
        "against": {**_OPTIONAL, "description": "An earlier version."},
        "refactor": {"type": "boolean", "description": "Nothing may change that the earlier version answers."},
        "readings": {"description": "A record of readings, or a list of them."},
        "acceptance": {**_OPTIONAL, "description": "'self', or 'key:' with the PEM text of public keys."},
        "level": {"enum": [*Level, None]},
        "module": {**_OPTIONAL, "description": "What the program is called when it is imported."},
        "siblings": {"type": ["object", "null"], "additionalProperties": _OPTIONAL},
    },
    "additionalProperties": False,
}
_RESULT: Final = {
    "type": "object",
    "required": ["passed"],
    "properties": {
        **_FUNCTION,
        "functions": {
            "type": "object",
            "additionalProperties": {"type": "object", "required": ["passed"], "properties": _FUNCTION},
        },
    },
}
ENDPOINT: Final = Endpoint(frozen_dict(_REQUEST), frozen_dict(_RESULT))
