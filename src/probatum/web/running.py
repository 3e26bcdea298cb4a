"""Runs the service until a signal ends it, so that no request is lost that was accepted.

After the first signal every answer closes its connection and new requests are handed back; then the socket is closed,
and what was begun is finished. Refuses to listen beyond this machine where nobody needs a token.
"""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import json
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from types import FrameType
from typing import Final

import uvicorn

from probatum.app.fetching import SourceFetcher
from probatum.app.gating import user_keys
from probatum.app.kinds import every_kind
from probatum.app.proofs import user_store
from probatum.app.rates import Rates
from probatum.app.received import read_bytes
from probatum.app.service_port import ServiceRequest
from probatum.app.serving import Lanes
from probatum.app.sources import NO_SOURCES, append_line
from probatum.app.verdicts import Verdicts
from probatum.core.disclosure import Layer
from probatum.core.errors import NotAttemptedError, UsageError, reason_of
from probatum.web.application import website
from probatum.web.asking import Reception
from probatum.web.callers import MAX_TOKENS_FILE, Caller, Callers, new_token, read_tokens, signed_tokens
from probatum.web.connections import prompt_protocol
from probatum.web.measures import Measures
from probatum.web.tracing import Tracing

HANDING_BACK_SECONDS: Final = 1.0
"""How long after a signal new requests are handed back, so that clients hear of it before the socket closes."""


class HandingBackServer(uvicorn.Server):
    """A server whose end begins with handing back."""

    def __init__(self, config: uvicorn.Config, lanes: Lanes) -> None:
        super().__init__(config)
        self._lanes = lanes

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; a second signal ends at once."""
        if self._lanes.is_draining:
            self.force_exit = self.should_exit = True
            return
        loop = asyncio.get_running_loop()
        loop.call_soon_threadsafe(self._lanes.drain)
        loop.call_soon_threadsafe(loop.call_later, HANDING_BACK_SECONDS, self._stop)

    def _stop(self) -> None:
        self.should_exit = True


def run_service(request: ServiceRequest) -> int:
    """Serve until a signal comes; raises UsageError where what is asked for does not fit together."""
    if request.add_token:
        return _add_token(request)
    callers, announced = _callers(request)
    # A prefix that makes no sense is said before anything listens.
    SourceFetcher(request.given.texts("allow-source"))
    store = user_store(request.store)
    key = user_keys().load(request.sign) if request.sign else None
    with closing(store):
        verdicts = Verdicts(store, request.issuer, key)
        asyncio.run(_serve(request, callers, verdicts, announced))
    return 0


def _add_token(request: ServiceRequest) -> int:
    if request.tokens is None:
        raise UsageError("token.file", "--add-token needs --tokens: the file that gets the line.")
    role, _, name = request.add_token.partition(":")
    token, line = new_token(role, name)
    append_line(request.tokens, line)
    print(token)
    return 0


def _callers(request: ServiceRequest) -> tuple[Callers, dict[str, object]]:
    """Return who may ask, and what is announced of it; raises UsageError where that would be anybody, elsewhere."""
    if request.no_auth:
        return Callers({}, anybody=Caller("anybody", Layer.PROOF)), {}
    signed = None
    if request.caller_keys is not None:
        if not request.caller_issuer or not request.caller_audience:
            raise UsageError("token.keys", "--caller-keys needs --caller-issuer and --caller-audience.")
        keys = read_bytes(request.caller_keys, MAX_TOKENS_FILE, "key set", NO_SOURCES)
        signed = signed_tokens(keys, request.caller_issuer, request.caller_audience)
    if request.tokens is not None:
        content = read_bytes(request.tokens, MAX_TOKENS_FILE, "token file", NO_SOURCES)
        return Callers(read_tokens(content, request.tokens), signed), {}
    if signed is not None:
        return Callers({}, signed), {}
    if not _address(request.host).is_loopback:
        hint = "Make a token: probatum serve --tokens FILE --add-token agent:NAME"
        raise UsageError("service.open", f"Without tokens nothing is served at {request.host}.", hint)
    token, line = new_token("auditor", "first")
    return Callers(read_tokens(line.encode(), "")), {"token": token}


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        hint = "Give the address itself, such as 127.0.0.1."
        raise UsageError("service.host", f"--host {host!r} is not an IP address.", hint) from None


async def _serve(
    request: ServiceRequest, callers: Callers, verdicts: Verdicts, announced: Mapping[str, object]
) -> None:
    lanes = Lanes(request)
    kinds = list(every_kind(lambda error: print(f"warning: {error.sentence}", file=sys.stderr)))
    measures = Measures(kinds, lambda: lanes.waiting, lambda: lanes.begun)
    rates = Rates(request.per_minute, time.monotonic)
    desk = Reception(lanes, callers, rates, verdicts, measures, request.most_bytes, request.timeout)
    site = website(kinds, desk, Tracing(is_wanted=request.traces))
    config = uvicorn.Config(
        site,
        http=prompt_protocol(request.timeout),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=None,
        lifespan="on",
        h11_max_incomplete_event_size=64 * 1024,
        ws="none",
    )
    server = HandingBackServer(config, lanes)
    with _listening(request) as listener:
        running = asyncio.ensure_future(server.serve([listener]))
        while not ((server.started and lanes.checks["workers"]) or lanes.cannot_start or running.done()):
            await asyncio.sleep(0.02)
        if lanes.cannot_start:
            server.should_exit = True
            await running
            raise NotAttemptedError(
                "service.worker_failed", "No worker starts.", "See what is missing: probatum doctor"
            )
        gc.freeze()
        if not running.done():
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            print(json.dumps({"ready": True, "url": f"http://{shown}:{port}", **announced}), flush=True)
        await running


def _listening(request: ServiceRequest) -> socket.socket:
    family = socket.AF_INET6 if _address(request.host).version == 6 else socket.AF_INET
    try:
        return socket.create_server((request.host, request.port), family=family, backlog=1024)
    except OSError as error:
        sentence = f"Nothing can listen at {request.host}, port {request.port}: {reason_of(error)}."
        raise NotAttemptedError("service.address", sentence, "Give another --port, or 0 for any.") from error
