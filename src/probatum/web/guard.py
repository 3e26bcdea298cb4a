"""Around every request: its id, one line in the log, its measures, and an answer in the one form whatever happens.

Refuses to log content: a line tells who asked for what route, how it ended, how long it took and how large it was.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from probatum.web.measures import Measures
from probatum.web.replies import FailedError
from probatum.web.tracing import Tracing

ID_HEADER = "x-request-id"
OTHER = "other"
"""What a path without a route is called, so that nobody can fill the metrics with names."""


class Guard:
    """The outermost layer of the service."""

    def __init__(
        self,
        app: ASGIApp,
        measures: Measures,
        tracing: Tracing,
        is_draining: Callable[[], bool],
    ) -> None:
        self._app = app
        self._measures = measures
        self._tracing = tracing
        self._is_draining = is_draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, begun = Headers(scope=scope), time.perf_counter()
        own_id = str(_uuid_of(headers.get(ID_HEADER)) or uuid.uuid4())
        state = scope["state"] = {**scope.get("state", {}), "request_id": own_id}
        sizes, status = [0, 0], 0

        async def counted_receive() -> Message:
            message = await receive()
            sizes[0] += len(message.get("body", b""))
            return message

        async def marked_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                told = MutableHeaders(scope=message)
                told[ID_HEADER] = own_id
                told["x-content-type-options"] = "nosniff"
                if self._is_draining():
                    told["connection"] = "close"
            sizes[1] += len(message.get("body", b""))
            await send(message)

        try:
            with self._tracing.span(scope, headers) as span:
                try:
                    await self._app(scope, counted_receive, marked_send)
                except Exception as error:  # noqa: BLE001  # a defect gets an answer too, which names only its type
                    state["defect"] = f"{type(error).__name__} at {_place(error)}"
                    if status == 0:
                        await FailedError(500).response(Request(scope))(scope, counted_receive, marked_send)
                route = getattr(scope.get("route"), "path", OTHER)
                span(route, status)
        finally:
            seconds = time.perf_counter() - begun
            route = getattr(scope.get("route"), "path", OTHER)
            self._measures.count_request(scope["method"], route, status, seconds)
            self._write(scope, route, status, seconds, sizes)

    def _write(self, scope: Scope, route: str, status: int, seconds: float, sizes: list[int]) -> None:
        state = scope["state"]
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "request_id": state["request_id"],
            "method": scope["method"],
            "route": route,
            "status": status,
            "duration_ms": round(seconds * 1000, 3),
            "request_bytes": sizes[0],
            "response_bytes": sizes[1],
            "caller": state.get("caller"),
        }
        if "defect" in state:
            line["defect"] = state["defect"]
        print(json.dumps(line), file=sys.stderr, flush=True)


def _uuid_of(text: str | None) -> uuid.UUID | None:
    """Return the UUID that a header says; None where it says none."""
    try:
        return uuid.UUID(text) if text is not None and len(text) == 36 else None
    except ValueError:
        return None


def has_sound_id(headers: Headers) -> bool:
    """Whether a request brings no id, or a UUID."""
    return headers.get(ID_HEADER) is None or _uuid_of(headers.get(ID_HEADER)) is not None


def _place(error: BaseException) -> str:
    trace, place = error.__traceback__, "?"
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        place = f"{module}:{trace.tb_lineno}" if module.startswith("probatum") else place
        trace = trace.tb_next
    return place
