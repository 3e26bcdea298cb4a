"""A verification that is awaited and iterated: a process of its own judges, and a thread of ours talks to it.

The event loop never waits: starting, talking, keeping the proof and ending are the thread's. The process opens no
store; what a verdict rests on comes back with it and is kept here, so that an ended run leaves no half of a proof.
Refuses to outlive whoever asked: the thread ends the process when the stream is cancelled or dropped, or its event loop
is closed. A process that gives no answer makes the verdict BLOCKED.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Self, cast

from probatum.app.answer_worker import kept_answer, request_frame, worker_command
from probatum.app.kinds import AnyKind, built_in_kinds
from probatum.app.service import completed, decision_without, store_for, verdict_without_proof
from probatum.core.command import Given
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import Event, Listener
from probatum.core.ports import Store
from probatum.verification.kind import Request
from probatum.workers.frames import CHUNK, READY, Frame, FrameReader
from probatum.workers.link import Link

MOST_EVENTS: Final = 1000
"""How many events wait to be read; older ones are counted and dropped."""
THREAD: Final = "probatum-stream"
_LOOKS_UP_EVERY: Final = 0.1
_SECONDS_TO_START: Final = 60.0
_SECONDS_TO_END: Final = 10.0
_Ended = DiagnosticResult | Exception | asyncio.CancelledError


class ProcessStream:
    """A `VerdictStream` with a process of its own."""

    def __init__(self, kind: AnyKind, request: Request, store: Store, given: Given) -> None:
        self._run = _Run(kind, request, store, given)
        self._events = deque[Event](maxlen=MOST_EVENTS)
        self._missed = 0
        self._ended: _Ended | None = None
        self._has_begun = False
        self._changed = asyncio.Event()

    def __await__(self) -> Generator[Any, None, DiagnosticResult]:
        return self._verdict().__await__()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        await self._until(lambda: bool(self._events))
        if self._missed:
            missed, self._missed = self._missed, 0
            return Event("missed", f"{missed:,} events were not read in time", {"count": missed})
        if self._events:
            return self._events.popleft()
        await self._verdict()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        self._run.stopped.set()
        if not self._has_begun:
            self._ended = self._ended or asyncio.CancelledError()
        while self._ended is None:
            await self._next_change()

    async def _verdict(self) -> DiagnosticResult:
        await self._until(lambda: False)
        if isinstance(self._ended, BaseException):
            raise self._ended
        assert self._ended is not None
        return self._ended

    async def _until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so or the run has ended; begin it first."""
        if not self._has_begun and self._ended is None:
            self._begin(asyncio.get_running_loop())
        try:
            while self._ended is None and not is_so():
                await self._next_change()
        except asyncio.CancelledError:
            await self.aclose()
            raise

    async def _next_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        received = weakref.WeakMethod(self._received)

        def tell(news: Event | _Ended) -> None:
            method = received()
            if method is None:
                return
            # A closed loop hears nothing more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(method, news)

        # The thread does not hold the stream, so that dropping it ends the run.
        weakref.finalize(self, self._run.stopped.set)
        # A daemon: a program that ends does not wait for it, and the process dies with the program.
        threading.Thread(target=self._run.answer, args=(tell, loop.is_closed), name=THREAD, daemon=True).start()
        self._has_begun = True

    def _received(self, news: Event | _Ended) -> None:
        if isinstance(news, Event):
            self._missed += len(self._events) == MOST_EVENTS
            self._events.append(news)
        else:
            self._ended = news
        self._changed.set()


def begin(
    kind: str, request: Request, store: Store | None, given: Given, listener: Listener | None = None
) -> ProcessStream:
    """Return the verdict about one request as a stream; raises UsageError for a listener, and as `store_for`."""
    if listener is not None:
        sentence = "A stream gives its events itself, and takes no 'listener'."
        raise UsageError("request.invalid", sentence, "Iterate over the stream.")
    return ProcessStream(built_in_kinds()[kind], request, store_for(store), given)


@dataclass(frozen=True, slots=True)
class _Run:
    """What the thread does."""

    kind: AnyKind
    request: Request
    store: Store
    given: Given
    stopped: threading.Event = field(default_factory=threading.Event)

    def answer(self, tell: Callable[[Event | _Ended], None], is_closed: Callable[[], bool]) -> None:
        """Tell the events, then how it ended; nothing of the run is left by then."""
        ended: _Ended
        try:
            answer = self._asked(tell, is_closed)
            ended = asyncio.CancelledError() if answer is None else kept_answer(answer, self.store).verdict
        except UsageError as error:
            ended = error
        except Exception as error:  # noqa: BLE001  # law 3: what breaks here is not the subject's fault
            ended = verdict_without_proof(decision_without(error, self.kind))
        if isinstance(ended, DiagnosticResult):
            tell(completed(ended))
        tell(ended)

    def _asked(self, tell: Callable[[Event], None], is_closed: Callable[[], bool]) -> Frame | None:
        """Return the answer of a process that has ended; None where nobody waits for it any more."""
        link, is_ready, answer = Link(worker_command(self.kind, self.given)), False, None
        try:
            link.socket.settimeout(_SECONDS_TO_START)
            link.socket.sendall(request_frame(self.request).to_bytes())
            link.socket.settimeout(_LOOKS_UP_EVERY)
            reader = FrameReader()
            while answer is None:
                if self.stopped.is_set() or is_closed():
                    return None
                with suppress(TimeoutError):
                    if not (chunk := link.socket.recv(CHUNK)):
                        raise ConnectionResetError
                    for frame in reader.feed(chunk):
                        if READY in frame.head:
                            is_ready = True
                        elif "event" in frame.head:
                            tell(Event(**cast("dict[str, Any]", frame.head["event"])))
                        else:
                            answer = frame
        except OSError as error:
            raise NotAttemptedError("verifier.fault", "The process that judges ended without an answer.") from error
        finally:
            # One that is ready ends its sandboxes first.
            if is_ready and answer is None:
                link.process.terminate()
            link.end(_SECONDS_TO_END if is_ready else 0.0)
        return answer
