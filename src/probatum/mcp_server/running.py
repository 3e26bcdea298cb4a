"""Runs the server of tools: over standard input and output until the client goes, or over HTTP until a signal comes.

Over HTTP a caller needs the token, and only this machine is listened to. Refuses any other address.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import os
import secrets
import signal
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from types import FrameType
from typing import Any, Final

import uvicorn
from mcp.server import Server

from probatum.app.mcp_port import McpRequest
from probatum.app.tool_calls import Calls
from probatum.core.errors import NotAttemptedError, UsageError, reason_of
from probatum.mcp_server.server import agent_server
from probatum.mcp_server.standard_streams import standard_streams

PATH: Final = "/mcp"
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def run_mcp(options: McpRequest) -> int:
    """Serve tools; raises UsageError where the address is not this machine's, or a root is no folder."""
    for root in options.roots:
        if not root.is_dir():
            raise UsageError("roots.no_folder", f"{str(root)!r} is not a folder.", "Name one with --root DIR.")
    asyncio.run(_over_standard_streams(options) if options.port is None else _over_http(options, options.port))
    return 0


async def _over_standard_streams(options: McpRequest) -> None:
    calls = Calls(options)
    server = agent_server(calls, options)
    # A thread that waits for the client cannot be cancelled; workers end with this process, whole files stay whole.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, os._exit, 0)
    try:
        async with standard_streams() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())
    finally:
        await calls.close()


async def _over_http(options: McpRequest, port: int) -> None:
    if not ipaddress.ip_address(options.host).is_loopback:
        hint = "Put a proxy in front that knows its callers."
        raise UsageError("mcp.open", f"Tools are served to this machine alone, not at {options.host}.", hint)
    calls = Calls(options)
    server: Server[Any] = agent_server(calls, options)
    token = options.token or secrets.token_urlsafe(24)
    application = _only_with(token, server.streamable_http_app(streamable_http_path=PATH, host=options.host))
    listener = _listening(options.host, port)
    host, number = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    announced = {} if options.token else {"token": token}
    ready = json.dumps({"ready": True, "url": f"http://{shown}:{number}{PATH}", **announced})
    config = uvicorn.Config(application, log_level="warning", lifespan="on", timeout_graceful_shutdown=5)
    try:
        await _AnnouncedServer(config, ready).serve(sockets=[listener])
    finally:
        await calls.close()


class _AnnouncedServer(uvicorn.Server):
    """A server that says when it is ready, and that a signal ends like anything else: what is below it is ended too."""

    def __init__(self, config: uvicorn.Config, ready: str) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so: from now on a signal is heard as well."""
        await super().startup(sockets)
        print(self._ready, flush=True)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; a second signal ends at once."""
        self.force_exit = self.should_exit
        self.should_exit = True


def _only_with(token: str, application: Application) -> Application:
    """Return the application for callers who show the token."""
    due = f"Bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        shown = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "http" and not hmac.compare_digest(shown, due):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await application(scope, receive, send)

    return guarded


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        sentence = f"Nothing can listen at {host}, port {port}: {reason_of(error)}."
        raise NotAttemptedError("mcp.address", sentence, "Give another --http, or 0 for any.") from error
