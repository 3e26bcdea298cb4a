"""The page in a real browser: what it shows, to whom, and that a hostile answer is text. Skips where there is none."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from probatum.web.page import routes
from tests.web.browser import CHROMIUM, Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

DIGEST = f"sha256:{'ab' * 32}"
TOKEN = "a-secret-token"
AGENT = {"status": "UNVERIFIABLE", "agent_message": "The output does not meet what it was to be accepted by."}
FIELDS = {
    "layers": ["schema"],
    "passed": 4,
    "failed": ["schema"],
    "open": ["criteria[0]", "schema"],
    "outcome": "refuted",
}
DEVELOPER = {**AGENT, "developer_fields": {**FIELDS, "constraint_id": "judge.refuted"}}
AUDITOR = {
    "status": "VERIFIED",
    "agent_message": "All 7 checks hold.",
    "developer_fields": {"passed": 7, "failed": [], "open": [], "outcome": "proved", "constraint_id": "judge.accepted"},
    "proof_ref": DIGEST,
    "is_authoritative": True,
}
HOSTILE = (
    "<img src=x onerror=\"document.title='lost'\"><script>document.title='lost'</script>"
    " \u202eturned\u202c \u200bhidden \ud800"
    "<iframe srcdoc='<script>parent.document.title=1</script>'></iframe> javascript:alert(1) " + "W" * 600
)
SOURCE = {"name": HOSTILE, "start": 1, "end": 2}


def result(text: str) -> dict[str, object]:
    issues = [
        {"severity": each, "type": text, "message": text, "location": text, "suggestion": text}
        for each in ("error", "warning", "info", text)
    ]
    claims = [
        {"text": text, "location": text, "start": 0, "end": 9, "status": each, "reason": text, "source": SOURCE}
        for each in ("supported", "contradicted", "unsupported", text)
    ]
    return {
        "valid": False,
        "confidence": 0.99,
        "quality_score": 0.53331,
        "issues": issues,
        "claims": claims,
        "passed_criteria": [text],
        "failed_criteria": [text],
        "metadata": {},
    }


class Desk:
    """A service that answers what a test tells it to, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answer: Response = JSONResponse({})
        self.asked: list[tuple[str, str | None, bytes]] = []

    async def judge(self, request: Request) -> Response:
        self.asked.append((request.url.path, request.headers.get("authorization"), await request.body()))
        return self.answer

    async def document(self, _request: Request) -> Response:
        post = {"post": {"summary": f"May a program be used? {HOSTILE[:80]}"}}
        return JSONResponse(
            {"paths": {"/v1/judge": post, "/v1/program": post, "/v1/../x": post, "/v1/verdicts/{a}": {}}}
        )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as made:
        yield made


@pytest.fixture(scope="module")
def serving() -> Iterator[tuple[str, Desk]]:
    desk = Desk()
    asking = [Route("/v1/{kind}", desk.judge, methods=["POST"]), Route("/v1/verdicts/{reference}", desk.judge)]
    app = Starlette(routes=[*routes(), *asking, Route("/openapi.json", desk.document)])
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/", desk
    server.should_exit = True
    thread.join()


class Page:
    """The page, opened."""

    def __init__(self, browser: Browser, address: str, desk: Desk) -> None:
        self.browser, self.address, self.desk = browser, address, desk
        desk.asked.clear()
        browser.show(1280)
        browser.open(address)

    def ask(self, answer: object, status: int = 200, **headers: str) -> str:
        """Ask for a verdict as a person does, and return the text that is shown then."""
        self.desk.answer = Response(json.dumps(answer), status, headers, "application/json")
        self.browser.run("attempt(judge)")
        return self.text("#answer") + self.text("#problem")

    def text(self, where: str) -> str:
        return str(self.browser.run(f"document.querySelector({json.dumps(where)})?.innerText ?? ''"))

    def texts(self, where: str) -> list[str]:
        script = f"[...document.querySelectorAll({json.dumps(where)})].map((each) => each.innerText.trim())"
        found: list[str] = self.browser.run(script)
        return found


@pytest.fixture
def page(browser: Browser, serving: tuple[str, Desk]) -> Page:
    return Page(browser, *serving)


def answered(verdict: object, **more: Any) -> dict[str, object]:
    return {"id": "4f1d", "verdict": verdict, **more}


WAIT = "new Promise((done) => { const look = () => (%s) ? done() : requestAnimationFrame(look); look(); })"
HIDDEN = "Your token does not show this layer."


def test_an_agent_sees_one_layer_and_is_told_that_there_are_more(page: Page) -> None:
    text = page.ask(answered(AGENT))
    assert AGENT["agent_message"] in text
    assert text.count(HIDDEN) == 2
    assert page.texts("article h3") == ["Agent", "Developer", "Proof"]


def test_a_developer_sees_checks_criteria_issues_and_claims(page: Page) -> None:
    text = page.ask(answered(DEVELOPER, result=result("A text of the output.")))
    assert text.count(HIDDEN) == 1
    assert page.texts("article h4") == ["Checks", "Criteria", "Issues", "Claims", "Fields"]
    assert page.texts(".word") == ["✗ UNVERIFIABLE"]
    marks = page.texts("article li .mark")
    assert marks[:5] == ["✗ failed", "? not decided", "✓ passed", "✗ not met", "✓ met"]
    assert {"✗ error", "? warning", "· info", "✓ supported", "✗ contradicted", "? unsupported"} <= set(marks)


def test_an_auditor_gets_the_proof_and_the_means_to_check_it(page: Page) -> None:
    page.browser.run("URL.createObjectURL = (blob) => { window.saved = blob; return 'blob:saved'; }; 0")
    text = page.ask(answered(AUDITOR, result={"valid": True}))
    assert json.loads(page.browser.run("saved.text()")) == {"verdict": AUDITOR, "result": {"valid": True}}
    assert HIDDEN not in text
    assert page.texts(".word") == ["✓ VERIFIED"]
    assert page.text("article pre").split("\n") == [
        f"probatum proof show {DIGEST}",
        f"probatum proof recheck {DIGEST}",
        "probatum gate verdict.json --subject FILE --request request.json",
    ]
    assert page.browser.run("document.querySelector('a[download]').download") == "verdict.json"
    assert page.browser.run("location.search") == f"?verdict={DIGEST.replace(':', '%3A')}"


def test_a_reference_that_is_none_becomes_no_command(page: Page) -> None:
    page.ask(answered({**AUDITOR, "proof_ref": "a; rm -rf /"}))
    assert "rm -rf" not in page.text("article pre")


def test_a_verdict_that_is_kept_is_shown_by_its_address(page: Page) -> None:
    page.desk.answer = JSONResponse({"verdict": AUDITOR})
    page.browser.open(f"{page.address}verdicts/{DIGEST}")
    page.browser.run("attempt(showKept)")
    assert page.desk.asked[-1][0] == f"/v1/verdicts/{DIGEST}"
    assert "All 7 checks hold." in page.text("#answer")


def test_the_token_is_sent_to_the_service_and_kept_nowhere(page: Page) -> None:
    page.browser.run(f"byId('token').value = {TOKEN!r}")
    page.ask(answered(AUDITOR))
    assert page.desk.asked[-1][1] == f"Bearer {TOKEN}"
    assert all(each["url"].startswith(page.address) for each in page.browser.requested())
    stored = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state])"
    assert TOKEN not in page.browser.run(stored)
    page.browser.open(page.address)
    assert page.browser.run("byId('token').value") == ""


def test_the_request_goes_out_as_it_was_written(page: Page) -> None:
    body = '{"output": 12345678901234567890.0, "validation_types": ["quality"]}'
    page.browser.run(WAIT % "byId('kind').options.length > 1")
    page.browser.run(f"byId('request').value = {body!r}; byId('kind').value = 'program'")
    page.ask(answered(AGENT))
    assert page.desk.asked[-1] == ("/v1/program", None, body.encode())
    assert page.browser.run("[...byId('kind').options].map((each) => each.value)") == ["judge", "program"]


FAILURES = {
    "no JSON in the request": ("{", 200, {}, {}, "The request is not JSON"),
    "no token": ("{}", 401, {"message": "Bearer token required"}, {}, "Bearer token required"),
    "too often": ("{}", 429, {"message": "Too often"}, {"retry-after": "7"}, "try again in 7 s"),
    "an id": ("{}", 500, {"message": "A defect", "request_id": "1-2"}, {}, "request 1-2"),
    "no error of the service": ("{}", 502, [], {}, "answered 502"),
    "no verdict": ("{}", 200, {"id": "1"}, {}, "holds no verdict"),
    "hostile": ("{}", 400, {"message": HOSTILE}, {}, "<img src=x"),
}


@pytest.mark.parametrize(("body", "status", "said", "headers", "shown"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_named(
    body: str, status: int, said: object, headers: dict[str, str], shown: str, page: Page
) -> None:
    page.browser.run(f"byId('request').value = {body!r}")
    page.ask(said, status, **headers)
    assert shown in page.text("#problem")
    assert page.text("#answer") == ""
    assert page.browser.run("byId('judge').disabled") is False
    assert (page.browser.run("document.activeElement.id") == "token") is (status == 401)


def test_attack_by_an_answer_full_of_markup(page: Page) -> None:
    page.browser.events.clear()
    verdict = {
        **DEVELOPER,
        "agent_message": HOSTILE,
        "developer_fields": {HOSTILE: HOSTILE, "failed": [HOSTILE], "open": [{"a": HOSTILE}]},
    }
    text = page.ask(answered(verdict, id=HOSTILE, result=result(HOSTILE)))
    assert "<script>" in text
    assert not set(text) & set("\u202e\u202c\u200b")
    assert "\\u{202e}turned" in text
    assert page.browser.run("document.title") == "probatum: may it be acted on?"
    assert page.texts("#answer :is(img, script, iframe, svg, style, form)") == []
    assert page.browser.complaints() == []


SHAPELESS = (None, [], "a", 1, {"status": 1}, {"status": "VERIFIED", "developer_fields": [1], "proof_ref": {"a": 1}})


@pytest.mark.parametrize("verdict", SHAPELESS, ids=str)
def test_attack_by_an_answer_of_another_shape(verdict: object, page: Page) -> None:
    odd = {
        "issues": [1, None, [], {}],
        "claims": {"a": 1},
        "passed_criteria": 1,
        "failed_criteria": [{}],
        "confidence": "a",
    }
    assert page.ask(answered(verdict, result=odd))
    page.ask(answered(verdict, result=[1]))
    assert page.browser.complaints() == []


def test_a_long_answer_is_cut_and_whole_in_the_json(page: Page) -> None:
    issues = [{"severity": "info", "type": "a", "message": f"It is number {number}."} for number in range(1000)]
    page.ask(answered(AGENT, result={"issues": issues}))
    rows = page.texts("article li")
    assert len(rows) == 201
    assert "800 more" in rows[-1]
    assert "number 999." in page.browser.run("document.querySelector('details pre').textContent")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_it_fits_and_can_be_read(width: int, scheme: str, page: Page) -> None:
    page.browser.show(width, scheme=scheme)
    page.browser.open(page.address)
    page.ask(answered(DEVELOPER, result=result(HOSTILE)))
    assert page.browser.run("document.documentElement.scrollWidth") == width
    assert page.browser.run(CONTRASTS) == []
    page.ask({"message": "Refused"}, 400)
    assert page.browser.run(CONTRASTS) == []


CONTRASTS = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const painted = (colours) => {
    colours.forEach((each) => { canvas.fillStyle = each; canvas.fillRect(0, 0, 1, 1); });
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const linear = (each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = colour.map((each) => linear(each / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const grounds = (node) => node ? [...grounds(node.parentElement), getComputedStyle(node).backgroundColor] : [];
  const texts = [...document.querySelectorAll("body *")].filter((each) =>
    each.checkVisibility() && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return texts.flatMap((each) => {
    const below = grounds(each), above = [...below, getComputedStyle(each).color];
    const pair = [light(painted(below)), light(painted(above))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    return ratio < 4.5 ? [`${each.tagName} ${each.className} ${ratio.toFixed(2)}`] : [];
  });
})()"""


def test_it_is_used_with_the_keyboard_alone(page: Page) -> None:
    def press(key: str, code: int) -> None:
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            page.browser.send(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text
            )

    visited = []
    for _ in range(6):
        press("Tab", 9)
        visited.append(page.browser.run("document.activeElement.id"))
        outline = page.browser.run("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
    assert visited == ["token", "reference", "show", "kind", "request", "judge"]
    page.desk.answer = JSONResponse(answered(AGENT))
    press("Enter", 13)
    page.browser.run(WAIT % "byId('verdict')")
    assert page.browser.run("document.activeElement.id") == "verdict"
