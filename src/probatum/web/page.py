"""The page of the service for a person: a verdict by its layers, with its checks, issues, claims and proof.

Three files, served as they are; the look is that of the report. Its policy lets nothing run or load but these files,
and lets a script put nothing but text into the page. Refuses to know anything of a verdict: the script asks the service
like every other client, with the token that a person types, and keeps it nowhere.
"""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from probatum.report.style import STYLE

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
_SERVED: Final = {
    "/": ("page.html", "text/html"),
    "/page/page.css": ("page.css", "text/css"),
    "/page/page.js": ("page.js", "text/javascript"),
}


def routes() -> list[Route]:
    """Return what a service mounts at its root."""
    served = [Route(path, partial(_served, *file), name=file[0]) for path, file in _SERVED.items()]
    return [*served, Route("/verdicts/{reference}", _verdict)]


async def _served(name: str, media_type: str, _request: Request) -> Response:
    return Response(_content(name), headers=HEADERS, media_type=media_type)


@cache
def _content(name: str) -> str:
    content = (files("probatum.web") / "static" / name).read_text(encoding="utf-8")
    return STYLE + content if name == "page.css" else content


async def _verdict(request: Request) -> Response:
    """Lead to the page, so that all of its addresses begin alike wherever the service is mounted."""
    reference = quote(request.path_params["reference"], safe="")
    return RedirectResponse(f"../?verdict={reference}", 303, HEADERS)
