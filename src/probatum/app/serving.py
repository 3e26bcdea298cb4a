"""How a service works off requests: two lanes of worker processes, a bounded queue, and limits for each caller.

Quick requests share one warm worker, which answers those that wait as a group; every other request has a worker for
itself, so that slow work never slows the quick. What takes longer than quick work may is moved to the slow lane; what
takes longer than a request may is ended with its worker, and answered as not attempted. Refuses a request, to be
repeated later, where too many wait, where it waited too long to begin, and while the service shuts down.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from probatum.app.answers import Answer
from probatum.app.frames import Frame, FrameReader, Wish, answer_frame, fields_of
from probatum.app.kinds import AnyKind
from probatum.app.pool import TRIES
from probatum.app.service import verdict_without_proof
from probatum.app.service_port import ServiceRequest
from probatum.core.decision import Outcome, decide
from probatum.verification.kind import NotJudged
from probatum.verification.watchdog import ENDED_BY, unwatch

WORKER_MODULE: Final = "probatum.app.service_worker"
QUICK_BYTES: Final = 256 * 1024
"""A larger request is never quick."""
QUICK_SECONDS: Final = 2.0
QUICK_GROUP: Final = 64
"""How many requests the quick worker may have at once."""
_CHUNK: Final = 1 << 20
_PAUSE_SECONDS: Final = 1.0
"""How long after a worker that could not start the next one is tried."""

Told = Callable[[Mapping[str, object]], None]


class HandedBackError(Exception):
    """A request that was not begun; it may be repeated after some seconds."""

    def __init__(self, reason: str, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(reason)


@dataclass(slots=True, eq=False)
class _Errand:
    """One request on its way."""

    number: int
    wish: Wish
    kind: AnyKind
    reply: asyncio.Future[Frame]
    tell: Told
    tries: int = 0


@dataclass(slots=True, eq=False)
class _Hand:
    """One worker process, and the requests that it has, in the order in which it answers them."""

    process: Process
    errands: dict[int, _Errand] = field(default_factory=dict)
    is_ready: bool = False
    is_given_up: bool = False
    timer: asyncio.TimerHandle | None = None


class _Lane:
    """Workers of one sort and the requests that wait for them."""

    def __init__(
        self, options: ServiceRequest, most: int, group: int, escalate: Callable[[_Errand], None] | None
    ) -> None:
        self.waiting: deque[_Errand] = deque()
        self.hands: list[_Hand] = []
        self.is_failing = False
        self._options = options
        self._most = most
        self._group = group
        self._escalate = escalate
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def has_worker(self) -> bool:
        """Whether a worker is ready."""
        return any(hand.is_ready for hand in self.hands)

    def add(self, errand: _Errand) -> None:
        """Let a request wait for a worker."""
        self.waiting.append(errand)
        self.fill()

    def fill(self) -> None:
        """Give waiting requests to workers that have room, and start a worker where there is none."""
        while self.waiting and not self._is_closed:
            if self.waiting[0].reply.done():
                # Nobody waits for it any more.
                self.waiting.popleft()
                continue
            free = [hand for hand in self.hands if hand.is_ready and len(hand.errands) < self._group]
            if not free:
                wanted = -(-len(self.waiting) // self._group)
                if self._starting < wanted and self._starting + len(self.hands) < self._most:
                    self.start()
                return
            self._give(free[0], self.waiting.popleft())

    def start(self) -> None:
        """Start a worker."""
        self._starting += 1
        task = asyncio.get_running_loop().create_task(self._run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def take(self, errand: _Errand) -> bool:
        """Take a request away; a worker that has no other one is ended. Returns whether it was begun."""
        if errand in self.waiting:
            self.waiting.remove(errand)
            return False
        for hand in self.hands:
            if errand.number in hand.errands:
                if self._group == 1:
                    del hand.errands[errand.number]
                    self._end(hand)
                return True
        return False

    def hand_back(self, reason: str) -> None:
        """Refuse what was not begun."""
        while self.waiting:
            errand = self.waiting.popleft()
            if not errand.reply.done():
                errand.reply.set_exception(HandedBackError(reason, 1))

    async def close(self) -> None:
        """End the workers."""
        self._is_closed = True
        for hand in self.hands:
            self._end(hand)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _give(self, hand: _Hand, errand: _Errand) -> None:
        hand.errands[errand.number] = errand
        assert hand.process.stdin is not None
        hand.process.stdin.write(errand.wish.frame(errand.number).to_bytes())
        if self._escalate is not None and hand.timer is None:
            self._watch(hand)

    def _watch(self, hand: _Hand) -> None:
        if hand.timer is not None:
            hand.timer.cancel()
        loop = asyncio.get_running_loop()
        hand.timer = loop.call_later(QUICK_SECONDS, self._too_slow, hand) if hand.errands else None

    def _too_slow(self, hand: _Hand) -> None:
        """Move the request that holds up the others to the slow lane."""
        assert self._escalate is not None
        first = next(iter(hand.errands.values()))
        del hand.errands[first.number]
        self._end(hand)
        self._escalate(first)

    def _end(self, hand: _Hand) -> None:
        hand.is_given_up, hand.is_ready = True, False
        with suppress(ProcessLookupError):
            hand.process.kill()

    async def _run(self) -> None:
        """Start a worker and read its answers until it ends."""
        options = self._options
        given, ledger = json.dumps(options.given.options), str(options.ledger or "")
        arguments = (str(options.store), given, ledger, str(os.getpid()))
        try:
            # -P: a module of the current folder must not take the place of one of ours.
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", WORKER_MODULE, *arguments, stdin=PIPE, stdout=PIPE
            )
        finally:
            self._starting -= 1
        hand, reader = _Hand(process), FrameReader()
        self.hands.append(hand)
        assert process.stdout is not None
        while chunk := await process.stdout.read(_CHUNK):
            for frame in reader.feed(chunk):
                self._received(hand, frame)
        await process.wait()
        self.hands.remove(hand)
        if hand.timer is not None:
            hand.timer.cancel()
        if not self._is_closed:
            await self._lost(hand)

    def _received(self, hand: _Hand, frame: Frame) -> None:
        if hand.is_given_up:
            return
        if not hand.is_ready:
            hand.is_ready, self.is_failing = True, False
            self.fill()
            return
        number = int(str(frame.head["job"]))
        if "event" in frame.head:
            event = frame.head["event"]
            assert isinstance(event, dict)
            hand.errands[number].tell(event)
            return
        errand = hand.errands.pop(number)
        if self._escalate is not None:
            self._watch(hand)
        if not errand.reply.done():
            errand.reply.set_result(frame)
        self.fill()

    async def _lost(self, hand: _Hand) -> None:
        """Give what a worker had to others: what probably ended it once more only, or not at all if it would again."""
        errands = list(hand.errands.values())
        if errands and not hand.is_given_up:
            first = errands.pop(0)
            first.tries += 1
            if first.tries >= TRIES or hand.process.returncode == -ENDED_BY:
                answer_as_fault(first, f"The worker process ended {first.tries} times while it worked on this request.")
            else:
                errands.insert(0, first)
        self.waiting.extendleft(reversed(errands))
        if not hand.is_ready and not hand.is_given_up:
            self.is_failing = True
            await asyncio.sleep(_PAUSE_SECONDS)
        if self._escalate is not None and not self.hands and not self._is_closed and not self._starting:
            self.start()
        self.fill()


class Lanes:
    """Answers requests; lives in one event loop."""

    def __init__(self, options: ServiceRequest) -> None:
        self._options = options
        self._slow = _Lane(options, options.workers, 1, None)
        self._quick = _Lane(options, 1, QUICK_GROUP, self._slow.add)
        self._numbers = 0
        self.is_draining = False
        self.begun = 0

    def open(self) -> None:
        """Start a worker of each sort; more are started when they are needed."""
        unwatch()
        self._quick.start()
        self._slow.start()

    async def close(self) -> None:
        """End what runs."""
        await asyncio.gather(self._quick.close(), self._slow.close())

    def drain(self) -> None:
        """Take no further request; those that a slow worker has not begun are handed back."""
        self.is_draining = True
        self._slow.hand_back("The service shuts down.")

    @property
    def cannot_start(self) -> bool:
        """Whether the last worker for quick requests ended before it was ready."""
        return self._quick.is_failing

    @property
    def waiting(self) -> int:
        """How many requests wait for a worker."""
        return len(self._quick.waiting) + len(self._slow.waiting)

    @property
    def checks(self) -> dict[str, bool]:
        """What a service that is ready says yes to."""
        workers = self._quick.has_worker and not self._slow.is_failing
        return {"accepting": not self.is_draining, "queue": self.waiting < self._options.queue, "workers": workers}

    async def answer(self, kind: AnyKind, wish: Wish, tell: Told) -> Frame:
        """Return the answer of a worker; cancelled, the request gives up its place.

        Raises HandedBackError where it cannot be begun now, UsageError where the request makes no sense.
        """
        if self.is_draining:
            raise HandedBackError("The service shuts down.", 1)
        if self.waiting >= self._options.queue:
            raise HandedBackError("Too many requests wait.", 1)
        lane = self._quick if _is_quick(kind, wish) else self._slow
        loop = asyncio.get_running_loop()
        self._numbers += 1
        errand = _Errand(self._numbers, wish, kind, loop.create_future(), tell)
        timer = loop.call_later(self._options.timeout, self._expired, errand)
        self.begun += 1
        try:
            lane.add(errand)
            return await errand.reply
        except asyncio.CancelledError:
            self._take(errand)
            raise
        finally:
            self.begun -= 1
            timer.cancel()

    def _take(self, errand: _Errand) -> bool:
        return any(lane.take(errand) for lane in (self._quick, self._slow))

    def _expired(self, errand: _Errand) -> None:
        if self._take(errand):
            answer_as_fault(errand, f"No answer came within {self._options.timeout:g} seconds.")
        elif not errand.reply.done():
            errand.reply.set_exception(HandedBackError("No worker became free in time.", 5))


def answer_as_fault(errand: _Errand, reason: str) -> None:
    """Answer a request as a fault of what judges: nothing is said about the subject."""
    if errand.reply.done():
        return
    decision = decide(Outcome.NOT_ATTEMPTED, "verifier.fault", fields={"reason": reason})
    try:
        observed = errand.kind.refused(errand.wish.id, decision)
    except Exception:  # noqa: BLE001  # a kind of a package that cannot even tell that
        observed = NotJudged(errand.wish.id, decision)
    answer = Answer(verdict_without_proof(decision), decision.exit_code, observed)
    errand.reply.set_result(answer_frame(errand.number, errand.kind, errand.wish, answer))


def _is_quick(kind: AnyKind, wish: Wish) -> bool:
    is_quick = kind.endpoint().is_quick
    if is_quick is None or len(wish.body) > QUICK_BYTES or wish.has_events:
        return False
    fields, _ = fields_of(wish.body)
    try:
        return is_quick(fields)
    except Exception:  # noqa: BLE001  # the worker says what is wrong with the request
        return False
