"""One deep verification as an object: awaited for its result, iterated for its events.

Refuses to outlive whoever asked: cancelling a task that waits for it, or dropping it, ends what it runs.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from typing import Any

from probatum.programs.deep.types import DeepVerificationResult, VerificationEvent

Tell = Callable[[VerificationEvent], None]
Work = Callable[[Tell], Coroutine[Any, Any, DeepVerificationResult]]


class DeepVerification:
    """One verification: awaited it gives its result, iterated its events, every loop all of them.

    It begins when it is first awaited or iterated, and belongs to the event loop that runs then. Cancelling a task that
    waits for it ends it, and so does dropping it; nothing of it is running when the task ends.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._events: list[VerificationEvent] = []
        self._changed = asyncio.Event()
        self._task: asyncio.Task[DeepVerificationResult] | None = None

    def __await__(self) -> Generator[Any, None, DeepVerificationResult]:
        return self._result().__await__()

    async def __aiter__(self) -> AsyncIterator[VerificationEvent]:
        task, told = self._begun(), 0
        while told < len(self._events) or not task.done():
            if told < len(self._events):
                told += 1
                yield self._events[told - 1]
                continue
            self._changed.clear()
            await self._until(self._changed.wait())
        await self._result()

    async def aclose(self) -> None:
        """End the verification unless it has ended, and return when nothing of it is running."""
        task = self._begun()
        task.cancel()
        await asyncio.wait({task})

    async def _result(self) -> DeepVerificationResult:
        task = self._begun()
        if not task.done():
            await self._until(asyncio.wait({task}))
        return task.result()

    async def _until(self, waiting: Coroutine[Any, Any, object]) -> None:
        try:
            await waiting
        except asyncio.CancelledError:
            await self.aclose()
            raise

    def _begun(self) -> asyncio.Task[DeepVerificationResult]:
        if self._task is None:
            events, changed = self._events, self._changed

            def tell(event: VerificationEvent) -> None:
                events.append(event)
                changed.set()

            self._task = asyncio.ensure_future(self._work(tell))
            self._task.add_done_callback(lambda _: changed.set())
            # The task does not hold this object, so that dropping it ends the run.
            weakref.finalize(self, _cancel, self._task, asyncio.get_running_loop())
        return self._task


def _cancel(task: asyncio.Task[DeepVerificationResult], loop: asyncio.AbstractEventLoop) -> None:
    if not (task.done() or loop.is_closed()):
        loop.call_soon_threadsafe(task.cancel)
