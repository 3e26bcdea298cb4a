"""The place of exact claims in a service: the schemas of requests and results."""

from __future__ import annotations

from typing import Final

from probatum.core.decision import Outcome
from probatum.core.endpoint import Endpoint
from probatum.core.frozen import frozen_dict
from probatum.exact.engines import ENGINES, Input

_TEXT: Final = {"type": "string"}


def _given(each: Input) -> dict[str, object]:
    told = {**_TEXT, "contentEncoding": "base64"} if each.is_binary else _TEXT
    return {"type": "array", "items": told} if each.is_repeated else {**told}


def _request() -> dict[str, object]:
    """Return what is common to all engines, and for each the inputs that it takes."""
    return {
        "type": "object",
        "required": ["engine", "statement"],
        "properties": {"engine": {"enum": list(ENGINES)}, "statement": _TEXT},
        "oneOf": [
            {
                "title": entry.name,
                "required": [each.name for each in entry.inputs if each.is_required],
                "properties": {
                    "engine": {"const": entry.name},
                    "statement": True,
                    **{each.name: {**_given(each), "description": each.help} for each in entry.inputs},
                },
                "additionalProperties": False,
            }
            for entry in ENGINES.values()
        ],
    }


_RESULT: Final = {
    "type": "object",
    "required": ["passed"],
    "properties": {
        "passed": {"type": "boolean"},
        "engine": {"enum": list(ENGINES)},
        "outcome": {"enum": [each.value for each in Outcome]},
        "constraint": _TEXT,
        "detail": _TEXT,
        "evidence": {"type": "object"},
        "stated": _TEXT,
    },
}
ENDPOINT: Final = Endpoint(frozen_dict(_request()), frozen_dict(_RESULT))
