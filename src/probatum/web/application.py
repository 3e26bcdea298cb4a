"""The routes of the service, made from what the registered kinds declare; none of them is known by name.

Each route refuses requests in its own module; every error has the same flat form.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from probatum.app.kinds import AnyKind
from probatum.app.serving import HandedBackError
from probatum.core.errors import ProbatumError
from probatum.core.version import __version__
from probatum.web import openapi, page
from probatum.web.asking import Reception, as_failed
from probatum.web.guard import Guard
from probatum.web.replies import FailedError, json_response
from probatum.web.tracing import Tracing

PROMETHEUS: Final = "text/plain; version=1.0.0; charset=utf-8"
_CLIENT_GONE: Final = 499
"""What the log says where nobody waits for an answer any more."""
_OF_JUDGING: Final = (400, 401, 403, 408, 413, 429, 503)
_OF_ASKING: Final = (400, 401, 403, 404, 429, 503)
Handler = Callable[[Request], Awaitable[Response]]


def website(kinds: Sequence[AnyKind], desk: Reception, tracing: Tracing) -> Guard:
    """Return the service of these kinds."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        desk.lanes.open()
        try:
            yield
        finally:
            await desk.lanes.close()
            desk.verdicts.close()
            tracing.close()

    app = FastAPI(title="probatum", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    for error in (FailedError, HandedBackError, ProbatumError):
        app.add_exception_handler(error, _failed)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(ClientDisconnect, _gone)
    _add_open_routes(app, kinds, desk)
    for kind in kinds:
        if kind.endpoint().path:
            _add_judging(app, kind, desk, kind.endpoint().path, is_plain=True)
        _add_judging(app, kind, desk, f"/v1/{kind.name}", is_plain=False)
    responses = openapi.answers(
        {"type": "object", "required": ["verdict"], "properties": {"verdict": openapi.VERDICT}}, _OF_ASKING
    )
    _add(
        app,
        "GET",
        "/v1/verdicts/{reference}",
        desk.verdict,
        "A verdict that was given before.",
        responses,
        openapi.of_verdict(),
    )
    app.router.routes.extend(page.routes())
    app.openapi = lambda: _document(app, kinds)  # type: ignore[method-assign]  # as its documentation says to
    return Guard(app, desk.measures, tracing, lambda: desk.lanes.is_draining)


def _add(
    app: FastAPI,
    method: str,
    path: str,
    handler: Handler,
    summary: str,
    responses: dict[int | str, Any],
    extra: dict[str, Any] | None = None,
    form: type[Response] = JSONResponse,
) -> None:
    name = path.strip("/").replace("/", "_").replace("{", "").replace("}", "") or "page"
    app.add_api_route(
        path,
        handler,
        methods=[method],
        summary=summary,
        responses=responses,
        openapi_extra=extra,
        operation_id=f"{method.lower()}_{name}",
        response_class=form,
        response_model=None,
        name=name,
    )


def _add_judging(app: FastAPI, kind: AnyKind, desk: Reception, path: str, *, is_plain: bool) -> None:
    async def judge(request: Request) -> Response:
        return await desk.judge(request, kind, is_plain=is_plain)

    responses = openapi.answers(openapi.told(kind, is_plain=is_plain), _OF_JUDGING)
    _add(app, "POST", path, judge, kind.command.question, responses, openapi.asked(kind))


def _add_open_routes(app: FastAPI, kinds: Sequence[AnyKind], desk: Reception) -> None:
    """Add what anybody may ask."""

    async def health(_request: Request) -> Response:
        return json_response({"status": "healthy", "version": __version__})

    async def ready(_request: Request) -> Response:
        checks = {**desk.lanes.checks, "store": await asyncio.to_thread(desk.verdicts.can_keep)}
        is_ready = all(checks.values())
        headers = {} if is_ready else {"retry-after": "1"}
        return json_response({"ready": is_ready, "checks": checks}, 200 if is_ready else 503, headers)

    async def metrics(_request: Request) -> Response:
        return Response(desk.measures.text(), media_type=PROMETHEUS)

    async def capabilities(_request: Request) -> Response:
        return json_response({"capabilities": [each for kind in kinds for each in kind.endpoint().capabilities]})

    async def key_set(_request: Request) -> Response:
        return json_response(desk.verdicts.key_set())

    text = {"type": "string"}
    readiness = _object(
        ready={"type": "boolean"}, checks={"type": "object", "additionalProperties": {"type": "boolean"}}
    )
    unready = openapi.answers(readiness)
    unready[503] = {
        **unready[200],
        "description": "Not ready.",
        "headers": {"Retry-After": {"schema": {"type": "integer"}}},
    }
    keys = {"type": "array", "items": {"type": "object"}}
    shown = {"type": "array", "items": text}
    _add(app, "GET", "/health", health, "Does the service run?", openapi.answers(_object(status=text, version=text)))
    _add(app, "GET", "/ready", ready, "Can it judge now?", unready)
    _add(
        app,
        "GET",
        "/metrics",
        metrics,
        "What Prometheus reads.",
        openapi.answers(text, media_type=PROMETHEUS),
        form=_Prometheus,
    )
    _add(app, "GET", "/capabilities", capabilities, "What it can judge.", openapi.answers(_object(capabilities=shown)))
    _add(
        app,
        "GET",
        "/.well-known/jwks.json",
        key_set,
        "The keys that sign its tokens.",
        openapi.answers(_object(keys=keys)),
    )


class _Prometheus(Response):
    media_type = PROMETHEUS


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _document(app: FastAPI, kinds: Sequence[AnyKind]) -> dict[str, Any]:
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, routes=app.routes)
        document["components"] = {
            "schemas": openapi.components(kinds),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        }
        app.openapi_schema = document
    return app.openapi_schema


async def _failed(request: Request, error: Exception) -> Response:
    return as_failed(error).response(request)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return FailedError(error.status_code, headers=error.headers).response(request)


async def _gone(_request: Request, _error: Exception) -> Response:
    return Response(status_code=_CLIENT_GONE)
