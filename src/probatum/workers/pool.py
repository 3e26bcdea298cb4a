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
from collections import deque
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
    # How many seconds after it was begun it counts as slow, and as hung.
    slow_after: float = math.inf
    hung_after: float = math.inf
    # What hears of the events of its run.
    tell: Told = unheard
    reply: Future[Frame] = field(default_factory=lambda: get_running_loop().create_future())
    number: int = field(default_factory=lambda: next(_numbers))
    tries: int = 0
    timer: TimerHandle | None = None

    def stop_waiting(self) -> None:
        """Forget when it counts as hung."""
        if self.timer is not None:
            self.timer.cancel()

    def lose(self, error: Exception) -> None:
        """Say why there is no answer, where somebody still waits for one."""
        if not self.reply.done():
            self.reply.set_exception(error)


@dataclass(slots=True)
class Turns:
    """What waits: each owner's jobs in the order in which they came, and the owners in turn."""

    _rows: dict[str, deque[PoolJob]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    def owners(self) -> Sequence[str]:
        """Return who waits."""
        return list(self._rows)

    def add(self, job: PoolJob) -> None:
        """Let a job wait behind the others of its owner."""
        self._rows.setdefault(job.owner, deque()).append(job)

    def add_again(self, jobs: Sequence[PoolJob]) -> None:
        """Let jobs that were begun wait before all others."""
        for job in reversed(jobs):
            row = self._rows.pop(job.owner, deque[PoolJob]())
            row.appendleft(job)
            self._rows = {job.owner: row, **self._rows}

    def next(self, may_begin: Callable[[str], bool]) -> PoolJob | None:
        """Take the next job of the first owner who may begin one; the others come before that owner then."""
        for owner in self._rows:
            if may_begin(owner):
                row = self._rows.pop(owner)
                job = row.popleft()
                if row:
                    self._rows[owner] = row
                return job
        return None

    def take(self, job: PoolJob) -> bool:
        """Take a job out; False where it does not wait."""
        row = self._rows.get(job.owner, ())
        if job not in row:
            return False
        self._rows[job.owner].remove(job)
        if not self._rows[job.owner]:
            del self._rows[job.owner]
        return True

    def crowded_out(self, owner: str) -> PoolJob | None:
        """Take out the last job of whoever has most waiting, where that is more than this owner would have."""
        longest = max(self._rows.values(), key=len, default=deque[PoolJob]())
        if len(longest) <= len(self._rows.get(owner, ())) + 1:
            return None
        self.take(job := longest[-1])
        return job

    def clear(self) -> Sequence[PoolJob]:
        """Take everything out."""
        jobs = [job for row in self._rows.values() for job in row]
        self._rows.clear()
        return jobs


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
        self.waiting = Turns()
        self.is_failing = False
        self._command = command
        self._most = most
        self._group = group
        self._slow_to = slow_to
        self._on_slow = on_slow
        self._tries_to_start = tries_to_start
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
        self.waiting.add(job)
        self._fill()

    def take(self, job: PoolJob) -> bool:
        """Take a job away; a worker that has no other one is ended. Returns whether it was begun."""
        if self.waiting.take(job):
            return False
        worker = next((each for each in self._workers if job.number in each.jobs), None)
        if worker is not None and self._group == 1:
            self._leave(worker, job)
            self._end(worker)
        return worker is not None

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
            job = self.waiting.next(self._may_begin)
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
        may_begin = sum(map(self._may_begin, self.waiting.owners()))
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
        if job.hung_after < math.inf:
            job.timer = get_running_loop().call_later(job.hung_after, self._hung, job)
        worker.writer.write(Frame({**job.frame.head, "job": job.number}, job.frame.body).to_bytes())
        if len(worker.jobs) == 1:
            worker.watch(job.slow_after, self._too_slow)

    def _leave(self, worker: _Worker, job: PoolJob) -> None:
        """Take a job from its worker, whose next one begins now."""
        del worker.jobs[job.number]
        job.stop_waiting()
        worker.is_slow = False
        following = next(iter(worker.jobs.values()), None)
        worker.watch(math.inf if following is None else following.slow_after, self._too_slow)

    def _hung(self, job: PoolJob) -> None:
        if self.take(job):
            job.lose(LostError(_NO_ANSWER))

    def _too_slow(self, worker: _Worker) -> None:
        if self._slow_to is None:
            worker.is_slow = True
            self._on_slow()
            self._fill()
            return
        job = next(iter(worker.jobs.values()))
        self._leave(worker, job)
        self._end(worker)
        self._slow_to(job)

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
        for job in jobs:
            job.stop_waiting()
        if jobs and not worker.is_given_up:
            jobs[0].tries += 1
            if code == -ENDED_BY:
                jobs.pop(0).lose(LostError(_NO_ANSWER))
            elif jobs[0].tries >= TRIES:
                jobs.pop(0).lose(LostError(f"The worker process ended {TRIES} times while it worked on this request."))
        self.waiting.add_again(jobs)
        self._go_on()

    def _cannot_start(self, sentence: str) -> None:
        if self._tries_to_start:
            self.is_failing = self._pauses = True
            get_running_loop().call_later(PAUSE_SECONDS, self._go_on)
            return
        for job in self.waiting.clear():
            job.lose(NotReadyError(sentence))

    def _go_on(self) -> None:
        self._pauses = False
        if not self._workers and self._tries_to_start:
            self.start()
        self._fill()
