"""The place of changes in a service: the schemas of requests and results."""

from __future__ import annotations

from typing import Final

from probatum.core.endpoint import Endpoint
from probatum.core.frozen import frozen_dict

_OBJECT: Final = {"type": "object"}
_FILES: Final = {
    **_OBJECT,
    "additionalProperties": {
        "oneOf": [
            {"type": "string"},
            {**_OBJECT, "required": ["base64"], "properties": {"base64": {"type": "string"}}},
        ]
    },
}
_REQUEST: Final = {
    **_OBJECT,
    "required": ["base", "head"],
    "properties": {
        "base": {**_FILES, "description": "All files of the old version, by path."},
        "head": {**_FILES, "description": "All files of the new version, by path."},
        "claims": {"type": "string", "description": "A text that says what the change does."},
        "accept": {"type": "array", "items": {"type": "string"}, "description": "Tests whose new form is accepted."},
        "refactor": {"type": "boolean", "description": "Nothing may change what anything does."},
        "min_strength": {"type": "number", "description": "Share of planted faults that the tests must notice."},
    },
    "additionalProperties": False,
}
_RESULT: Final = {
    **_OBJECT,
    "required": ["passed"],
    "properties": {
        "passed": {"type": "boolean"},
        "base": {"type": "string", "description": "The digest of the old version."},
        "head": {"type": "string", "description": "The digest of the new version."},
        "tests": {"type": "array", "items": _OBJECT},
        "units": {"type": "array", "items": _OBJECT},
        "faults": {"type": "array", "items": _OBJECT},
        "compared": {"type": "array", "items": _OBJECT},
        "differences": {"type": "array", "items": _OBJECT},
        "documented": {"type": "array", "items": _OBJECT},
        "weakenings": {"type": "array", "items": _OBJECT},
        "claims": {"type": "array", "items": _OBJECT},
        "reasons": {"type": "array", "items": _OBJECT},
        "not_judged": {"type": "array", "items": {"type": "string"}},
    },
}
ENDPOINT: Final = Endpoint(frozen_dict(_REQUEST), frozen_dict(_RESULT))
