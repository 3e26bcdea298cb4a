"""The client of the service for code that waits: the asynchronous one, with a loop of its own in a thread."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from threading import Thread
from typing import Any, Concatenate, ParamSpec, Self

from probatum.client.asynchronous import AsyncJudgeClient
from probatum.client.exchange import KindAnswer, Made
from probatum.core.events import Event

Given = ParamSpec("Given")


def _waiting(
    method: Callable[Concatenate[AsyncJudgeClient, Given], Coroutine[Any, Any, Made]],
) -> Callable[Concatenate[JudgeClient, Given], Made]:
    """Return the method of the waiting client that does the same."""

    @wraps(method)
    def wait(self: JudgeClient, /, *given: Given.args, **named: Given.kwargs) -> Made:
        return self._wait(method(self._client, *given, **named))

    return wait


class JudgeClient:
    """Asks a service and waits; may be shared by threads. Use it as a context manager, or close it."""

    def __init__(
        self,
        base_url: str,
        token: str = "",
        *,
        seconds: float = 60.0,
        attempts: int = 4,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Make a client; takes and raises what `AsyncJudgeClient` does."""
        self._client = AsyncJudgeClient(base_url, token, seconds=seconds, attempts=attempts, tls=tls)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="probatum client", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and end the thread; what was closed stays closed."""
        if self._loop.is_closed():
            return
        self._wait(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    validate = _waiting(AsyncJudgeClient.validate)
    verify = _waiting(AsyncJudgeClient.verify)
    verdict = _waiting(AsyncJudgeClient.verdict)
    health = _waiting(AsyncJudgeClient.health)
    ready = _waiting(AsyncJudgeClient.ready)
    capabilities = _waiting(AsyncJudgeClient.capabilities)

    def events(self, kind: str, /, **fields: object) -> Iterator[Event | KindAnswer]:
        """Yield what happens while a subject is judged, and last the answer; raises as `validate`."""
        told = self._client.events(kind, **fields)
        try:
            while (each := self._wait(_next(told))) is not None:
                yield each
        finally:
            self._wait(told.aclose())  # type: ignore[attr-defined]  # it is a generator

    def _wait(self, work: Coroutine[Any, Any, Made]) -> Made:
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        finally:
            running.cancel()


async def _next(told: AsyncIterator[Event | KindAnswer]) -> Event | KindAnswer | None:
    return await anext(told, None)
