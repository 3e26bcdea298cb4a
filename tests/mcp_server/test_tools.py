"""Every tool over MCP, as agents call them: both transports, both forms of the protocol, and all that they can read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from probatum.app.mcp_port import McpRequest
from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError
from probatum.mcp_server.running import run_mcp
from tests.mcp_server.agents import (
    MENDED,
    ROUTES,
    SHOP,
    Served,
    call,
    called,
    child,
    connected,
    run,
    served,
)

AUDIT = Path(__file__).resolve().parents[2] / "examples" / "audit" / "kettle-recall"
TOOLS = ["answer", "ask", "audit", "change", "check", "claim", "explain", "gate", "judge", "verify"]
KEY = "shop.py::fee"
INPUTS = ["(1, 2)", "(0, 5)", "(7, 3)", "(-2, 4)", "(10, 0)", "(3, 3)", "(100, 7)", "(5, 1)"]


@pytest.fixture(scope="module")
def served_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def listening(served_folder: Path) -> Iterator[Served]:
    with served(served_folder) as server:
        yield server


async def read(client: Client, uri: str) -> str:
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents)
    return content.text


def clauses(card: dict[str, Any], clause: str) -> dict[str, str]:
    """Return the same clause for every sentence of a card."""
    return dict.fromkeys(card["say"], clause)


async def every_tool(client: Client) -> str:
    """Call each tool once with something that works; return the verdict of the last."""
    assert sorted(each.name for each in (await client.list_tools()).tools) == TOOLS

    cards = await call(client, "ask", paths=["shop.py"])
    assert list(cards) == [KEY]
    answer = {**clauses(cards[KEY], "result == amount * rate"), "inputs": INPUTS}
    heard: list[str] = []

    async def hear(number: float, _total: float | None, message: str | None) -> None:
        assert number == len(heard) + 1
        heard.append(message or "")

    result = await client.call_tool("answer", {"answers": {KEY: answer}}, progress_callback=hear)
    assert isinstance(result.content[0], types.TextContent)
    answered = json.loads(result.content[0].text)[KEY]
    assert (answered["added"], answered["verdict"], answered["by"]) == (2, "verified", "proposed")
    assert any("complete" in each for each in heard)

    proof = answered["proof"]
    assert (await call(client, "verify", paths=[KEY]))[KEY]["proof"] == proof
    assert (await call(client, "verify", paths=["."]))[KEY]["verdict"] == "verified"
    assert (await call(client, "explain", proof=proof))["holds"] is True
    assert (await call(client, "explain", why="stale"))["means"]
    admitted = await call(client, "gate", proof=proof, subject="shop.py", name="fee", readings_policy="proposed")
    assert admitted["admitted"] is True
    assert json.loads(await read(client, f"probatum://proof/{proof}"))["holds"] is True
    assert "Built-ins" in await read(client, "probatum://rules")
    for uri in ("probatum://proof/sha256:" + "0" * 64, "probatum://proof/x", "probatum://nothing"):
        with pytest.raises(MCPError):
            await client.read_resource(uri)

    told = await call(client, "check", output='{"a": 1}', contract={"type": "object", "required": ["a"]})
    assert told["verdict"]["status"] == "VERIFIED"
    told = await call(client, "claim", engine="math", statement="1/3 + 1/6 = 0.5")
    assert told["verdict"]["status"] == "VERIFIED"
    layers = {
        "output": {"a": 1},
        "validation_types": ["schema"],
        "expected_schema": {"required": ["a"], "type": "object"},
    }
    assert (await call(client, "judge", **layers))["verdict"]["status"] == "VERIFIED"
    question, evidence = (json.loads((AUDIT / name).read_text()) for name in ("prompt.json", "evidence.json"))
    verdict: str = (await call(client, "audit", prompt_spec=question, evidence=evidence))["verdict"]["status"]
    return verdict


@pytest.mark.parametrize(("transport", "mode"), ROUTES)
def test_every_tool_works_over_every_transport(
    transport: str, mode: str, listening: Served, served_folder: Path, tmp_path: Path
) -> None:
    folder = served_folder if transport == "http" else tmp_path
    (folder / "shop.py").write_text(MENDED)
    (folder / "shop.readings.toml").unlink(missing_ok=True)

    found = []

    async def body() -> None:
        async with connected(listening if transport == "http" else child(folder), mode) as client:
            found.append(await every_tool(client))

    run(body())
    assert len(found) == 1


def test_an_agent_comes_from_a_wrong_function_to_an_admitted_proof(tmp_path: Path) -> None:
    """Everything that it knows, it was told by the tools."""
    file = tmp_path / "shop.py"
    file.write_text(SHOP)

    async def body() -> None:
        async with connected(child(tmp_path), "auto") as client:
            cards = await call(client, "ask", paths=["shop.py"])
            answer = {**clauses(cards[KEY], "result == amount * rate"), "inputs": INPUTS}
            refuted = (await call(client, "answer", answers={KEY: answer}))[KEY]
            assert refuted["verdict"] == "refuted"
            assert refuted["call"] == "fee(1, 2)"
            assert refuted["got"].startswith("3")
            words = cards[KEY]["say"][refuted["breaks"]]
            assert words in file.read_text().splitlines()[refuted["doc_line"] - 1]

            file.write_text(MENDED)
            mended = (await call(client, "verify", paths=[KEY]))[KEY]
            assert (mended["verdict"], mended["by"]) == ("verified", "proposed")
            asked = {"proof": mended["proof"], "subject": "shop.py", "name": "fee"}
            assert (await call(client, "gate", **asked))["admitted"] is False
            assert (await call(client, "gate", **asked, readings_policy="proposed"))["admitted"] is True
            file.write_text(SHOP)
            assert (await call(client, "gate", **asked, readings_policy="proposed"))["admitted"] is False

    run(body())


def test_a_verdict_tells_what_the_layer_sees(tmp_path: Path) -> None:
    claim = {"engine": "math", "statement": "1/3 + 1/6 = 0.5"}
    members: dict[str, set[str]] = {}
    proofs: list[str] = []

    async def body(name: str, *options: str) -> None:
        async with connected(child(tmp_path, *options), "auto") as client:
            told = await call(client, "claim", **claim)
            proofs.extend(found for found in [told["verdict"].get("proof_ref")] if found)
            explained = await call(client, "explain", proof=proofs[0])
            assert explained["holds"] is True
            members[name] = {*told["verdict"], *explained, *(name for name in told if name != "verdict")}

    for layer in reversed(Layer):
        run(body(layer.value, "--layer", layer.value))
    run(body("default"))
    assert members["default"] == members["agent"]
    assert members["agent"] < members["developer"] < members["proof"]
    assert "developer_fields" not in members["agent"]


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer wrong", "Basic {token}", "Bearer {token}x", "{token}"])
def test_over_http_nobody_is_heard_without_the_token(token: str, listening: Served) -> None:
    headers = {"Authorization": token.format(token=listening.token)} if token else {}
    for method in ("POST", "GET", "DELETE"):
        answer = httpx2.request(method, listening.url, headers=headers)
        assert (answer.status_code, answer.content) == (401, b"")


def test_over_http_a_message_that_is_none_is_refused(listening: Served) -> None:
    headers = {"Authorization": f"Bearer {listening.token}", "Accept": "application/json, text/event-stream"}
    for content in (b"{nope", b"[" * 100_000, b'{"id": "\\ud800"}', b"\xff", b"", b"x" * 5_000_000):
        answer = httpx2.post(listening.url, content=content, headers={**headers, "Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, content[:20]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::"])
def test_other_machines_are_not_served(host: str, tmp_path: Path) -> None:
    asked = McpRequest(store=tmp_path / "store", ledger=None, layer=Layer.AGENT, workers=1, port=0, host=host)
    with pytest.raises(UsageError) as refused:
        run_mcp(asked)
    assert refused.value.code == "mcp.open"


def test_a_signal_ends_a_server_that_listens(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        pass
    assert server.process.returncode == 0


def test_a_tool_that_there_is_not_is_an_error_of_the_protocol(listening: Served) -> None:
    async def body() -> None:
        async with connected(listening, "auto") as client:
            with pytest.raises(MCPError, match="Did you mean 'ask'"):
                await call(client, "aks")
            assert (await called(client, "ask", paths=3))[1] is True

    run(body())
