"""Worker processes and the jobs that wait for one: the same for a batch and for a service.

A worker answers its jobs in the order in which it got them. A job whose worker dies is given to another one once, then
it is lost; it is lost at once where it hung or used up its worker's budget, since it would do so again. A job that
takes long holds up no other: its worker does not count any more, so that as many workers again may be busy beside slow
ones; or it moves to another pool. Owners that wait take turns, and only one for whom nothing runs gets a place beside
slow jobs: whoever asks for much slow work cannot keep all workers busy. Refuses to lose a job without saying so.
"""

from __future__ import annotations

import asyncio
import math
from asyncio import Future, StreamWriter, Task, TimerHandle, get_running_loop
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from probatum.core.errors import reason_of
from probatum.workers.frames import CHUNK, Frame, FrameReader
from probatum.workers.link import Link
from probatum.workers.watchdog import ENDED_BY

TRIES: Final = 2
START_SECONDS: Final = 60.0
PAUSE_SECONDS: Final = 1.0
"""How long after a worker that could not start the next one is tried."""

_SECONDS_TO_END: Final = 10.0
_MOST_TURNS: Final = 4096
_NO_ANSWER: Final = "The worker process did not come to an answer."
_numbers = count(1)
Told = Callable[[Mapping[str, object]], None]


class LostError(Exception):
    """A job that no worker answered; the reason is a sentence."""


class NotReadyError(Exception):
    """A worker ended before it was ready."""


def unheard(_event: Mapping[str, object]) -> None:
    """Listen to nothing."""


@dataclass(slots=True, eq=False)
class PoolJob:
    """One request on its way. Made in the event loop in which it is answered."""

    frame: Frame
    # Who asked: owners that wait take turns.
    owner: str
    # How many seconds after it was begun it counts as slow, and, once it is slow, as hung.
    slow_after: float = math.inf
    hung_after: float = math.inf
    # What hears of the events of its run.
    tell: Told = unheard
    reply: Future[Frame] = field(default_factory=lambda: get_running_loop().create_future())
    number: int = field(default_factory=lambda: next(_numbers))
    tries: int = 0

    def lose(self, error: Exception) -> None:
        """Say why there is no answer, where somebody still waits for one."""
        if not self.reply.done():
            self.reply.set_exception(error)


@dataclass(slots=True, eq=False)
class _Worker:
    """One worker process, and the jobs that it has, in the order in which it answers them."""

    link: Link
    writer: StreamWriter | None = None
    jobs: dict[int, PoolJob] = field(default_factory=dict)
    is_given_up: bool = False
    is_slow: bool = False
    timer: TimerHandle | None = None

    @property
    def is_ready(self) -> bool:
        return self.writer is not None and not self.is_given_up

    def watch(self, seconds: float, then: Callable[[_Worker], None]) -> None:
        """Set the one clock of this worker anew."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None if seconds == math.inf else get_running_loop().call_later(seconds, then, self)


class Pool:
    """Workers of one sort and the jobs that wait for them; lives in one event loop."""

    def __init__(
        self,
        command: Sequence[str],
        most: int,
        *,
        group: int = 1,
        slow_to: Callable[[PoolJob], None] | None = None,
        on_slow: Callable[[], None] = lambda: None,
        tries_to_start: bool = True,
    ) -> None:
        """Keep how a worker is started, see `link.own_command`, and how many may be busy, not counting slow ones.

        ``group`` is how many jobs a worker may have at once. ``slow_to`` takes slow jobs over, whose workers are ended;
        else ``on_slow`` hears that there is one. Where a worker cannot start, the next is tried later; without
        ``tries_to_start`` all that waits is lost with a `NotReadyError`.
        """
        self.waiting: list[PoolJob] = []
        self.is_failing = False
        self._command = command
        self._most = most
        self._group = group
        self._slow_to = slow_to
        self._on_slow = on_slow
        self._tries_to_start = tries_to_start
        # When each owner's turn was last.
        self._turns: dict[str, int] = {}
        self._workers: list[_Worker] = []
        self._tasks: set[Task[None]] = set()
        self._pauses = False
        self._is_closed = False

    @property
    def has_worker(self) -> bool:
        """Whether a worker is ready."""
        return any(worker.is_ready for worker in self._workers)

    @property
    def slow(self) -> int:
        """How many workers are busy with something slow."""
        return sum(worker.is_slow for worker in self._workers)

    def add(self, job: PoolJob) -> None:
        """Let a job wait for a worker. Its reply is an answer, a `LostError`, or a `NotReadyError`."""
        self.waiting.append(job)
        self._fill()

    def take(self, job: PoolJob) -> bool:
        """Take a job away; a worker that has no other one is ended. Returns whether it was begun."""
        if job in self.waiting:
            self.waiting.remove(job)
            return False
        worker = next((each for each in self._workers if job.number in each.jobs), None)
        if worker is not None and self._group == 1:
            self._leave(worker, job)
            self._end(worker)
        return worker is not None

    def next(self) -> PoolJob | None:
        """Take out the next job that may begin: the first of whoever of those that wait had no turn for longest."""
        ready = [job for job in self.waiting if self._may_begin(job.owner)]
        job = min(ready, key=lambda each: self._turns.get(each.owner, 0), default=None)
        if job is not None:
            self.waiting.remove(job)
            if len(self._turns) > _MOST_TURNS:
                self._turns.clear()
            self._turns[job.owner] = next(_numbers)
        return job

    def crowded_out(self, owner: str) -> PoolJob | None:
        """Take out the last job of whoever has most waiting, where that is more than this owner would have."""
        counts = Counter(job.owner for job in self.waiting)
        greediest, most = max(counts.items(), key=lambda each: each[1], default=("", 0))
        if most <= counts[owner] + 1:
            return None
        job = next(job for job in reversed(self.waiting) if job.owner == greediest)
        self.waiting.remove(job)
        return job

    def give_back(self, error: Exception) -> None:
        """Lose everything that waits."""
        while self.waiting:
            self.waiting.pop().lose(error)

    def start(self) -> None:
        """Start a worker, unless the pool is closed."""
        if self._is_closed:
            return
        try:
            worker = _Worker(Link(self._command))
        except OSError as error:
            self._cannot_start(f"No worker process can be started: {reason_of(error)}.")
            return
        worker.watch(START_SECONDS, self._end)
        self._workers.append(worker)
        task = get_running_loop().create_task(self._run(worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End the workers; what they had is not answered."""
        self._is_closed = True
        for worker in self._workers:
            if worker.jobs or worker.writer is None or worker.is_given_up:
                self._end(worker)
            else:
                worker.writer.write_eof()
                worker.watch(_SECONDS_TO_END, self._end)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _fill(self) -> None:
        """Give waiting jobs to workers that have room, and start workers while there is work for them."""
        while self.waiting and not self._is_closed:
            free = next((each for each in self._workers if each.is_ready and len(each.jobs) < self._group), None)
            if free is None:
                if self._pauses or not self._is_one_wanted():
                    return
                self.start()
                continue
            job = self.next()
            if job is None:
                return
            # Nobody waits any more for one that is done.
            if not job.reply.done():
                self._give(free, job)

    def _is_one_wanted(self) -> bool:
        """Return whether a further worker would have something to do, and may be started."""
        starting = sum(not each.is_ready and not each.is_given_up for each in self._workers)
        if len(self._workers) < self._most:
            return starting * self._group < len(self.waiting)
        may_begin = sum(map(self._may_begin, {job.owner for job in self.waiting}))
        return starting < may_begin and len(self._workers) < self._most + min(self.slow, self._most)

    def _may_begin(self, owner: str) -> bool:
        busy = [worker for worker in self._workers if len(worker.jobs) >= self._group]
        if len(busy) < self._most:
            return True
        has_none = not any(job.owner == owner for worker in busy for job in worker.jobs.values())
        return has_none and len(busy) - self.slow < self._most

    def _give(self, worker: _Worker, job: PoolJob) -> None:
        assert worker.writer is not None
        worker.jobs[job.number] = job
        worker.writer.write(Frame({**job.frame.head, "job": job.number}, job.frame.body).to_bytes())
        if len(worker.jobs) == 1:
            worker.watch(job.slow_after, self._too_slow)

    def _leave(self, worker: _Worker, job: PoolJob) -> None:
        """Take a job from its worker, whose next one begins now."""
        del worker.jobs[job.number]
        worker.is_slow = False
        following = next(iter(worker.jobs.values()), None)
        worker.watch(math.inf if following is None else following.slow_after, self._too_slow)

    def _too_slow(self, worker: _Worker) -> None:
        job = next(iter(worker.jobs.values()))
        if self._slow_to is None:
            worker.is_slow = True
            worker.watch(job.hung_after - job.slow_after, self._hung)
            self._on_slow()
            self._fill()
            return
        self._leave(worker, job)
        self._end(worker)
        if not job.reply.done():
            self._slow_to(job)

    def _hung(self, worker: _Worker) -> None:
        job = next(iter(worker.jobs.values()))
        self.take(job)
        job.lose(LostError(_NO_ANSWER))

    def _end(self, worker: _Worker) -> None:
        worker.is_given_up, worker.is_slow = True, False
        worker.link.process.kill()

    async def _run(self, worker: _Worker) -> None:
        """Read what a worker answers until it ends."""
        stream, writer = await asyncio.open_unix_connection(sock=worker.link.socket, limit=CHUNK)
        reader = FrameReader()
        try:
            while chunk := await stream.read(CHUNK):
                for frame in reader.feed(chunk):
                    self._received(worker, writer, frame)
        except ConnectionError:
            pass  # It ended before it had read everything.
        finally:
            worker.watch(math.inf, self._end)
            self._workers.remove(worker)
            writer.transport.abort()
            code = await asyncio.to_thread(worker.link.end, _SECONDS_TO_END)
        if not self._is_closed:
            self._lost(worker, code)

    def _received(self, worker: _Worker, writer: StreamWriter, frame: Frame) -> None:
        if worker.is_given_up:
            return
        if worker.writer is None:
            worker.writer, self.is_failing = writer, False
            worker.watch(math.inf, self._end)
        else:
            job = worker.jobs[int(str(frame.head["job"]))]
            if isinstance(event := frame.head.get("event"), dict):
                job.tell(event)
                return
            self._leave(worker, job)
            if not job.reply.done():
                job.reply.set_result(frame)
        self._fill()

    def _lost(self, worker: _Worker, code: int) -> None:
        """Give what a worker had to others: what probably ended it once more only, or not at all if it would again."""
        if worker.writer is None:
            self._cannot_start(f"A worker process ended before it was ready (exit status {code}).")
            return
        jobs = list(worker.jobs.values())
        if jobs and not worker.is_given_up:
            jobs[0].tries += 1
            if code == -ENDED_BY:
                jobs.pop(0).lose(LostError(_NO_ANSWER))
            elif jobs[0].tries >= TRIES:
                jobs.pop(0).lose(LostError(f"The worker process ended {TRIES} times while it worked on this request."))
        self.waiting[:0] = jobs
        self._go_on()

    def _cannot_start(self, sentence: str) -> None:
        if self._tries_to_start:
            self.is_failing = self._pauses = True
            get_running_loop().call_later(PAUSE_SECONDS, self._go_on)
            return
        self.give_back(NotReadyError(sentence))

    def _go_on(self) -> None:
        self._pauses = False
        if not self._workers and self._tries_to_start:
            self.start()
        self._fill()
