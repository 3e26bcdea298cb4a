"""What the OpenAPI document says of each route: every parameter, every status and the schema of every body.

The schemas of requests and results are those of the kinds. Refuses to leave a status out: what a route can answer is
listed where the route is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from probatum.app.kinds import AnyKind
from probatum.core.decision import DiagnosticStatus
from probatum.core.disclosure import Layer
from probatum.core.frozen import thaw
from probatum.web.replies import ERRORS, JSON

Schema = dict[str, Any]
_TEXT: Final[Schema] = {"type": "string"}
_COMPONENTS: Final = "#/components/schemas/"
_LOCAL: Final = ("$defs", "definitions")

VERDICT: Final[Schema] = {
    "type": "object",
    "required": ["status", "agent_message"],
    "properties": {
        "status": {"enum": [status.value for status in DiagnosticStatus]},
        "agent_message": {"type": "string", "description": "One sentence that may go back to the agent."},
        "developer_fields": {"type": "object", "description": "The layers developer and proof."},
        "proof_ref": {"type": ["string", "null"], "description": "The layer proof: of VERIFIED, and of nothing else."},
        "is_authoritative": {"type": "boolean"},
    },
}
TOKEN: Final[Schema] = {"type": "string", "description": "The verdict as a signed token, for the audience asked for."}
ERROR: Final[Schema] = {
    "type": "object",
    "required": ["error", "message", "request_id"],
    "properties": {
        "error": {"enum": sorted({name for name, _ in ERRORS.values()})},
        "message": _TEXT,
        "details": {"type": "object"},
        "request_id": _TEXT,
    },
    "additionalProperties": False,
}
_LAYER: Final[Schema] = {
    "name": "layer",
    "in": "query",
    "description": "Show less than the token allows.",
    "schema": {"enum": [layer.value for layer in Layer]},
}
_TOKEN_FOR: Final[Schema] = {
    "name": "token_for",
    "in": "query",
    "description": "The audience of a signed token for a VERIFIED verdict; an auditor may ask for one.",
    "schema": {"type": "string", "pattern": "^[ -~]{1,255}$"},
}
_REQUEST_ID: Final[Schema] = {
    "name": "X-Request-ID",
    "in": "header",
    "description": "What the request is called: a UUID, made where it is missing.",
    "schema": {"type": "string", "format": "uuid", "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
}
RETRY_AFTER: Final[Schema] = {"Retry-After": {"schema": {"type": "integer"}, "required": True}}
_SECURED: Final[Schema] = {"security": [{"bearer": []}]}


def answers(schema: Mapping[str, Any], statuses: Iterable[int] = (), media_type: str = JSON) -> dict[int | str, Any]:
    """Return what a route can answer: this with 200, and errors with these statuses."""
    found: dict[int | str, Any] = {200: {"description": "The answer.", "content": {media_type: {"schema": schema}}}}
    for status in statuses:
        name = "#/components/schemas/Error"
        found[status] = {"description": ERRORS[status][1], "content": {JSON: {"schema": {"$ref": name}}}}
        if status in (429, 503):
            found[status]["headers"] = RETRY_AFTER
    return found


def asked(kind: AnyKind) -> Schema:
    """Return what a request of this kind takes."""
    request = thaw(kind.endpoint().request) or {"type": "object"}
    return {
        **_SECURED,
        "parameters": [_LAYER, _TOKEN_FOR, _REQUEST_ID],
        "requestBody": {"required": True, "content": {JSON: {"schema": _placed(request, f"{kind.name}.request")}}},
    }


def told(kind: AnyKind, *, is_plain: bool) -> Schema:
    """Return the schema of an answer about this kind."""
    verdict = {"$ref": f"{_COMPONENTS}Verdict"}
    not_judged = {"type": "object", "required": ["passed"], "properties": {"passed": {"const": False}}}
    result = {"anyOf": [_placed(thaw(kind.endpoint().result) or {}, f"{kind.name}.result"), not_judged]}
    if not is_plain:
        properties = {"id": _TEXT, "verdict": verdict, "result": result, "token": TOKEN}
        return {"type": "object", "required": ["id", "verdict"], "properties": properties}
    with_verdict = {"type": "object", "required": ["verdict"], "properties": {"verdict": verdict, "token": TOKEN}}
    return {"allOf": [with_verdict, result]}


def of_verdict() -> Schema:
    """Return what asking for an earlier verdict takes."""
    reference = {
        "name": "reference",
        "in": "path",
        "required": True,
        "description": "The reference of a proof, or the id of a recent request of the caller.",
        "schema": {"type": "string", "minLength": 1},
    }
    return {**_SECURED, "parameters": [reference, _LAYER]}


def components(kinds: Iterable[AnyKind]) -> Schema:
    """Return the schemas that others refer to."""
    found: Schema = {"Verdict": VERDICT, "Error": ERROR}
    for kind in kinds:
        for part, schema in (("request", kind.endpoint().request), ("result", kind.endpoint().result)):
            found.update(_lifted(thaw(schema), f"{kind.name}.{part}"))
    return found


def _lifted(schema: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield the definitions of a schema under the names that they have in the document."""
    for place in _LOCAL:
        for name, definition in schema.get(place, {}).items():
            yield f"{prefix}.{name}", _placed(definition, prefix)


def _placed(schema: Any, prefix: str) -> Any:
    """Return a schema as it stands in the document: without its definitions, which have a place of their own there."""
    if isinstance(schema, list):
        return [_placed(each, prefix) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _placed(value, prefix) for key, value in schema.items() if key not in (*_LOCAL, "$schema", "$id")}
    reference = found.get("$ref")
    if isinstance(reference, str):
        for place in _LOCAL:
            found["$ref"] = reference = reference.replace(f"#/{place}/", f"{_COMPONENTS}{prefix}.")
    return found
