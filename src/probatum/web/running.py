"""Runs the service until a signal ends it, so that no request is lost that was accepted.

After the first signal every answer closes its connection and new requests are handed back; then the socket is closed,
and what was begun is finished. Refuses to listen beyond this machine where nobody needs a token.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Final

import uvicorn

from probatum.app.kinds import every_kind
from probatum.app.rates import Rates
from probatum.app.serving import LaneOptions, Lanes
from probatum.app.verdicts import Verdicts
from probatum.web.application import website
from probatum.web.asking import Desk
from probatum.web.callers import Callers
from probatum.web.measures import Measures
from probatum.web.tracing import Tracing

HANDING_BACK_SECONDS: Final = 1.0
"""How long after a signal new requests are handed back, so that clients hear of it before the socket closes."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where to listen and for whom."""

    host: str
    port: int
    most_bytes: int
    per_minute: int
    callers: Callers
    verdicts: Verdicts
    lanes: LaneOptions
    store_works: Callable[[], bool]
    traces: bool
    announce: Mapping[str, object]
    """What the line tells that says the service is ready."""


class Server(uvicorn.Server):
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
        self._lanes.drain()
        loop.call_later(HANDING_BACK_SECONDS, self._stop)

    def _stop(self) -> None:
        self.should_exit = True


async def serve(options: ServerOptions) -> None:
    """Serve until a signal comes."""
    lanes = Lanes(options.lanes)
    kinds = list(every_kind(lambda error: print(f"warning: {error.sentence}", file=sys.stderr)))
    measures = Measures(kinds, lambda: lanes.waiting, lambda: lanes.begun)
    rates = Rates(options.per_minute, time.monotonic)
    desk = Desk(
        lanes, options.callers, rates, options.verdicts, measures, options.most_bytes, options.lanes.timeout
    )
    site = website(kinds, desk, options.store_works, Tracing(is_wanted=options.traces))
    config = uvicorn.Config(
        site.guarded, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=None,
        lifespan="on", h11_max_incomplete_event_size=64 * 1024, ws="none",
    )
    server = Server(config, lanes)
    with socket.create_server((options.host, options.port), family=_family(options.host), backlog=1024) as listener:
        running = asyncio.ensure_future(server.serve([listener]))
        while not (server.started and lanes.checks["workers"]) and not running.done():
            await asyncio.sleep(0.02)
        if not running.done():
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            print(json.dumps({"ready": True, "url": f"http://{shown}:{port}", **options.announce}), flush=True)
        await running


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
