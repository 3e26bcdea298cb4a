"""Connections that say what they want in time, which uvicorn does not ask of them.

Refuses to keep one open for which no request is being answered: one that sends nothing, whose head comes drop by drop,
or whose body goes on after the answer. How long a body may take while its request is answered, `asking` says.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SECONDS: Final = 10.0
"""How long a connection may wait to say what it wants, and a body for its next bytes; less with a shorter --timeout."""


class PromptProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with a clock for the time in which no request is being answered."""

    seconds: ClassVar[float] = MOST_SECONDS
    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take what came; the bytes of a request that is not whole do not set the clock anew."""
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        super().connection_lost(exc)
        self._stop()

    def _look(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._clock is None:
            self._clock = self.loop.call_later(self.seconds, self.transport.close)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


def prompt_protocol(timeout: float) -> type[PromptProtocol]:
    """Return the protocol for a service whose requests may take so many seconds."""
    return type("ServedProtocol", (PromptProtocol,), {"seconds": min(MOST_SECONDS, timeout)})
