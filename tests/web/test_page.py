"""The page as it is served: three files that a strict policy holds for, and nothing from elsewhere."""

from __future__ import annotations

import asyncio
import re
import tomllib
from html.parser import HTMLParser

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from probatum.report.style import STYLE
from probatum.web.page import HEADERS, routes
from tests.house.sources import ROOT

APP = Starlette(routes=[*routes(), Mount("/below", routes=routes())])
FILES = {"/": "text/html", "/page/page.css": "text/css", "/page/page.js": "text/javascript"}


def get(path: str) -> httpx.Response:
    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(APP), base_url="http://page.example") as client:
            return await client.get(path)

    return asyncio.run(asked())


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


PAGE = Elements(get("/").text).found
SCRIPT = get("/page/page.js").text
LOOK = get("/page/page.css").text


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("below", ["", "/below"])
def test_every_file_is_served_with_the_policy(path: str, below: str) -> None:
    reply = get(below + path)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == f"{FILES[path]}; charset=utf-8"
    assert {name: reply.headers[name] for name in HEADERS} == HEADERS


def test_the_policy_lets_nothing_else_run_load_or_frame() -> None:
    policy = dict(each.split(" ", 1) for each in HEADERS["content-security-policy"].split("; "))
    assert policy.pop("default-src") == policy.pop("base-uri") == policy.pop("form-action") == "'none'"
    assert policy.pop("frame-ancestors") == policy.pop("trusted-types") == "'none'"
    assert policy.pop("require-trusted-types-for") == "'script'"
    assert policy.pop("img-src") == "data:"
    assert policy == dict.fromkeys(("script-src", "style-src", "connect-src"), "'self'")


def test_nothing_stands_in_the_page_that_the_policy_refuses() -> None:
    names = [name for _, attributes in PAGE for name in attributes]
    assert not [name for name in names if name.startswith("on") or name == "style"]
    assert [attributes for tag, attributes in PAGE if tag == "script"] == [{"src": "page/page.js", "defer": None}]
    assert "style" not in {tag for tag, _ in PAGE}
    addresses = [attributes[name] for _, attributes in PAGE for name in ("src", "href") if name in attributes]
    assert sorted(map(str, addresses)) == ["data:,", "page/page.css", "page/page.js"]


def test_every_field_and_button_has_a_name_and_the_page_a_language() -> None:
    labelled = {attributes.get("for") for tag, attributes in PAGE if tag == "label"}
    fields = {attributes.get("id") for tag, attributes in PAGE if tag in {"input", "select", "textarea"}}
    assert fields == labelled
    assert ("html", {"lang": "en"}) in PAGE
    described = {attributes["aria-describedby"] for _, attributes in PAGE if "aria-describedby" in attributes}
    assert described <= {attributes.get("id") for _, attributes in PAGE}


NEVER = (
    *(
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "eval(",
        "new Function",
        "setTimeout",
    ),
    *("localStorage", "sessionStorage", "indexedDB", "cookie", "postMessage", "importScripts", "http://", "https://"),
)


@pytest.mark.parametrize("word", NEVER)
def test_the_script_has_no_way_to(word: str) -> None:
    assert word not in SCRIPT


def test_the_look_is_that_of_the_report_and_loads_nothing() -> None:
    assert LOOK.startswith(STYLE)
    assert not re.search(r"url\(|@import|animation|transition", LOOK)


def test_an_address_of_a_verdict_leads_to_the_page() -> None:
    for below in ("", "/below"):
        reply = get(f"{below}/verdicts/sha256:a%26b%3c%22")
        assert reply.status_code == 303
        assert reply.headers["location"] == "../?verdict=sha256%3Aa%26b%3C%22"


def test_the_files_are_packaged() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "web/static/*" in project["tool"]["setuptools"]["package-data"]["probatum"]
