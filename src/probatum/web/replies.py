"""What the service answers where it cannot answer what was asked: one flat form for every error.

Refuses to tell anything of the inside: an error names what the caller can change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from probatum.core.outside import json_text

ERRORS: Final[Mapping[int, tuple[str, str]]] = {
    400: ("ValidationError", "The request cannot be used as it is."),
    401: ("Unauthorized", "Bearer token required for validation operations"),
    403: ("Forbidden", "The token does not allow this."),
    404: ("NotFound", "There is nothing here."),
    405: ("MethodNotAllowed", "This path takes other methods."),
    408: ("RequestTimeout", "The body did not come in time."),
    413: ("PayloadTooLarge", "The body is too large."),
    429: ("TooManyRequests", "The caller asks too often."),
    500: ("InternalError", "A defect of the service; nothing was decided."),
    503: ("ServiceUnavailable", "The service cannot begin this now."),
}
"""By status: the name of the error, and what it says where nothing more specific is known."""
JSON: Final = "application/json"


class FailedError(Exception):
    """An answer other than the one that was asked for."""

    def __init__(
        self,
        status: int,
        message: str = "",
        details: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status = status
        self.message = message or ERRORS[status][1]
        self.details = details or {}
        self.headers = headers or {}
        super().__init__(self.message)

    def response(self, request: Request) -> Response:
        """Return the answer."""
        told: dict[str, object] = {"error": ERRORS[self.status][0], "message": self.message}
        if self.details:
            told["details"] = dict(self.details)
        return json_response({**told, "request_id": request_id(request)}, self.status, self.headers)


def json_response(document: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON answer."""
    return Response(json_text(document).encode(), status, headers, JSON)


def request_id(request: Request) -> str:
    """Return the id of a request, as it came or as it was made."""
    return str(request.scope["state"]["request_id"])
