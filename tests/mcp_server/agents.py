"""Agents for tests: the official client, over both transports and in both forms of the protocol; and one without."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.context import ClientRequestContext
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

import probatum

PATIENCE = 60.0
MODES = ("legacy", "auto")
TRANSPORTS = ("child", "http")
ROUTES = [(transport, mode) for transport in TRANSPORTS for mode in MODES]
SHOP = '''
def fee(amount: int, rate: int) -> int:
    """Return the fee for an amount.

    The fee is the amount times the rate.
    """
    return amount * rate + 1
'''
MENDED = SHOP.replace(" + 1", "")
ENDLESS = '''
def spin(amount: int) -> int:
    """Return the amount.

    >>> spin(3)
    3
    """
    while amount > 2:
        pass
    return amount
'''
"""Whose verdict takes as long as the budget of its sandboxes allows."""


def _surroundings(folder: Path) -> dict[str, str]:
    path = str(Path(probatum.__file__).parents[1])
    return {"PYTHONPATH": path, "PROBATUM_LEDGER": "", "PROBATUM_STORE": str(folder / "store.sqlite"), "HOME": "/"}


def command(*options: str) -> list[str]:
    """Return the command line of a server."""
    return [sys.executable, "-m", "probatum", "mcp", "--workers", "2", *options]


def child(folder: Path, *options: str) -> StdioServerParameters:
    """Return how a client starts a server as its child, in a folder of its own."""
    name, *arguments = command(*options)
    return StdioServerParameters(command=name, args=arguments, cwd=folder, env=_surroundings(folder))


@dataclass(frozen=True)
class Served:
    """A server that listens."""

    url: str
    token: str
    process: subprocess.Popen[str]


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """Run a server that listens, in a folder of its own."""
    environment = {**os.environ, **_surroundings(folder)}
    process = subprocess.Popen(
        command("--http", "0", *options), stdout=subprocess.PIPE, cwd=folder, env=environment, text=True
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        yield Served(told["url"], told["token"], process)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout and process.stdout.close()


Roots = Callable[[], list[str]]


@asynccontextmanager
async def connected(
    place: StdioServerParameters | Served, mode: str, roots: Roots | None = None, errors: IO[str] = sys.stderr
) -> AsyncIterator[Client]:
    """Lend a client of a server; ``roots`` are the addresses that it lends at each call."""

    async def lent(_context: ClientRequestContext) -> types.ListRootsResult:
        assert roots is not None
        return types.ListRootsResult(roots=[types.Root.model_construct(uri=each) for each in roots()])

    callback = None if roots is None else lent
    if isinstance(place, Served):
        headers = {"Authorization": f"Bearer {place.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
            Client(
                streamable_http_client(place.url, http_client=http), mode=mode, list_roots_callback=callback
            ) as client,
        ):
            yield client
        return
    async with Client(stdio_client(place, errors), mode=mode, list_roots_callback=callback) as client:
        yield client


async def call(client: Client, tool: str, /, **arguments: Any) -> Any:
    """Return what a tool answers, as JSON; an error of it as any other answer."""
    return (await called(client, tool, **arguments))[0]


async def called(client: Client, tool: str, /, **arguments: Any) -> tuple[Any, bool]:
    """Return what a tool answers, and whether it is an error."""
    result = await asyncio.wait_for(client.call_tool(tool, arguments), PATIENCE)
    [content] = result.content
    assert isinstance(content, types.TextContent)
    return json.loads(content.text), bool(result.is_error)


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


def run(body: Awaitable[None]) -> None:
    """Run the life of a client, which has to end; raises what is wrong as it was raised."""

    async def whole() -> None:
        async with asyncio.timeout(3 * PATIENCE):
            await body

    try:
        asyncio.run(whole())
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from None


@dataclass(frozen=True)
class Bare:
    """A client of a child that writes and reads lines itself, and so can misbehave."""

    process: subprocess.Popen[bytes]

    def say(self, message: object) -> None:
        """Write a message, or a line as it is."""
        assert self.process.stdin is not None
        text = message if isinstance(message, str) else json.dumps(message)
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """Return the next message."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def errors(self) -> str:
        """Return what the server printed beside the protocol, once it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()


def tool_call(number: int, name: str, arguments: object, **more: object) -> Mapping[str, object]:
    """Return the message that calls a tool."""
    return _message("tools/call", {"name": name, "arguments": arguments, **more}, id=number)


def _message(method: str, params: object, **more: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": method, "params": params, **more}


@contextmanager
def bare(folder: Path, *options: str) -> Iterator[Bare]:
    """Lend a bare client that has introduced itself."""
    pipe = subprocess.PIPE
    environment = {**os.environ, **_surroundings(folder)}
    process = subprocess.Popen(command(*options), stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=environment)
    try:
        client = Bare(process)
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bare", "version": "1"}}
        client.say(_message("initialize", about, id=0))
        assert client.hear()["id"] == 0
        client.say(_message("notifications/initialized", {}))
        yield client
    finally:
        process.kill()
        process.wait()
        for each in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):
                each and each.close()
