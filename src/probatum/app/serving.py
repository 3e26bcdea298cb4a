"""How a service works off requests: two pools of worker processes, a bounded queue, and turns between callers.

Quick requests share one warm worker, which answers those that wait as a group; every other request has a worker for
itself, so that slow work never slows the quick. What takes longer than quick work may is moved to the slow pool; what
takes longer than a request may is ended with its worker, and answered as not attempted. Refuses a request, to be
repeated later, where too many wait, where it waited too long to begin, and while the service shuts down.
"""

from __future__ import annotations

import asyncio
from typing import Final

from probatum.app.kinds import AnyKind
from probatum.app.pool import SLOW, worker_command
from probatum.app.service_port import ServiceRequest
from probatum.app.wishes import Wish, fault_frame, fields_of
from probatum.workers.frames import Frame
from probatum.workers.pool import LostError, Pool, PoolJob, Told, unheard
from probatum.workers.watchdog import unwatch

QUICK_BYTES: Final = 256 * 1024
"""A larger request is never quick."""
QUICK_SECONDS: Final = 2.0
QUICK_GROUP: Final = 64
"""How many requests the quick worker may have at once."""


class HandedBackError(Exception):
    """A request that was not begun; it may be repeated after some seconds."""

    def __init__(self, reason: str, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(reason)


class Lanes:
    """Answers requests; lives in one event loop."""

    def __init__(self, options: ServiceRequest) -> None:
        self._options = options
        command = worker_command(options.store, options.ledger, options.given)
        self._slow = Pool(command, options.workers)
        self._quick = Pool(command, 1, group=QUICK_GROUP, slow_to=self._moved)
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
        self._slow.give_back(HandedBackError("The service shuts down.", 1))

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

    async def answer(self, kind: AnyKind, wish: Wish, caller: str, tell: Told = unheard) -> Frame:
        """Return the answer of a worker; cancelled, the request gives up its place.

        Raises HandedBackError where it cannot be begun now, UsageError where the request makes no sense.
        """
        if self.is_draining:
            raise HandedBackError("The service shuts down.", 1)
        if self.waiting >= self._options.queue and not self._has_made_room(caller):
            raise HandedBackError("Too many requests wait.", 1)
        is_quick = _is_quick(kind, wish)
        job = PoolJob(wish.frame(), caller, QUICK_SECONDS if is_quick else self._slow_after, tell=tell)
        timer = asyncio.get_running_loop().call_later(self._options.timeout, self._expired, job)
        self.begun += 1
        try:
            (self._quick if is_quick else self._slow).add(job)
            return await job.reply
        except LostError as error:
            return fault_frame(kind, wish, str(error))
        except asyncio.CancelledError:
            self._take(job)
            raise
        finally:
            self.begun -= 1
            timer.cancel()

    @property
    def _slow_after(self) -> float:
        return self._options.timeout * SLOW

    def _moved(self, job: PoolJob) -> None:
        job.slow_after = self._slow_after
        self._slow.add(job)

    def _has_made_room(self, caller: str) -> bool:
        """Hand back the last request of whoever has most waiting, where this caller would have fewer."""
        crowded = self._slow.crowded_out(caller) or self._quick.crowded_out(caller)
        if crowded is not None:
            crowded.lose(HandedBackError("Too many requests of this caller wait.", 1))
        return crowded is not None

    def _take(self, job: PoolJob) -> bool:
        return self._quick.take(job) or self._slow.take(job)

    def _expired(self, job: PoolJob) -> None:
        if self._take(job):
            job.lose(LostError(f"No answer came within {self._options.timeout:g} seconds."))
        else:
            job.lose(HandedBackError("No worker became free in time.", 5))


def _is_quick(kind: AnyKind, wish: Wish) -> bool:
    is_quick = kind.endpoint().is_quick
    if is_quick is None or len(wish.body) > QUICK_BYTES or wish.has_events:
        return False
    fields, _ = fields_of(wish.body)
    try:
        return is_quick(fields)
    except Exception:  # noqa: BLE001  # the worker says what is wrong with the request
        return False
