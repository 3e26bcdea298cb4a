"""A pool of worker processes that answer request lines, each with its own warm sandboxes.

The parent hands out one line at a time and reads the answers as they come; memory does not grow with the number of
lines. A request that takes long does not hold up the others: as many workers again may take the place of slow ones.
Refuses to lose a line: one whose worker dies is given to a fresh worker once, then answered as a fault of the
verifier, as is at once one whose worker hangs. Refuses to go on when a fresh worker cannot even start.
"""

from __future__ import annotations

import json
import math
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from probatum.app.answers import Answer
from probatum.app.documents import answer_line
from probatum.app.kinds import every_kind, kind_named
from probatum.app.request_lines import identify
from probatum.app.service import Service, verdict_without_proof
from probatum.core.command import NOTHING, Given
from probatum.core.decision import Outcome, decide
from probatum.core.disclosure import Layer
from probatum.core.errors import NotAttemptedError
from probatum.core.outside import json_text
from probatum.proof.stores import MemoryStore
from probatum.verification.kind import NotJudged
from probatum.verification.watchdog import ENDED_BY, progress

WORKER_MODULE = "probatum.app.batch_worker"
START_SECONDS = 60.0
# After which time a request of no known kind counts as hung; every other kind says it itself.
PATIENCE_SECONDS = 120.0
LONGEST_SECONDS = 86_400.0
SLOW = 1 / 30
"""The part of its patience after which a request is slow, so that a further worker may be busy beside it."""
TRIES = 2
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How to answer: the same for every worker."""

    store: Path
    workers: int
    layer: Layer = Layer.PROOF
    # Options of the kinds, such as the interpreter that programs run with; for lines that do not say them.
    given: Given = NOTHING
    # Where every verdict is recorded; None for nowhere.
    ledger: Path | None = None


@dataclass(slots=True)
class _Job:
    """One request line on its way."""

    line: bytes
    tries: int = 0


@dataclass(slots=True)
class _Worker:
    """One worker process and what it is busy with."""

    process: subprocess.Popen[bytes]
    job: _Job | None = None
    deadline: float = 0.0
    # When the job counts as slow; only a worker that is ready can be that.
    slow_from: float = math.inf
    ready: bool = False
    received: bytearray = field(default_factory=bytearray)

    @property
    def input(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def answer_lines(lines: Iterable[bytes], options: PoolOptions) -> Generator[bytes]:
    """Yield one answer line for every request line that passed `identify`, in any order; closing it ends the workers.

    Raises NotAttemptedError where no worker starts.
    """
    pool = _Pool(options)
    try:
        yield from pool.run(iter(lines))
    finally:
        pool.close()


def require_usable(options: PoolOptions) -> None:
    """Raise UsageError where an option of the kinds cannot be used: before any work, and before a file is made."""
    asked = [kind for kind in every_kind() if any(each.name in options.given.options for each in kind.command.batch)]
    with Service(MemoryStore(), given=options.given) as service:
        for kind in asked:
            service.bench(kind)
            kind.patience(options.given)


class _Pool:
    def __init__(self, options: PoolOptions) -> None:
        self._options = options
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._again: list[_Job] = []
        self._exhausted = False

    def run(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        self._fill(lines)
        while any(worker.job for worker in self._workers) or self._again:
            yield from self._step()
            self._fill(lines)

    def close(self) -> None:
        for worker in self._workers:
            if worker.job is not None:
                worker.process.kill()
            _close_quietly(worker.input)
        for worker in self._workers:
            try:
                worker.process.wait(10)
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
            worker.output.close()
        self._selector.close()
        self._workers = []

    def _next_job(self, lines: Iterator[bytes]) -> _Job | None:
        if self._again:
            return self._again.pop()
        if self._exhausted:
            return None
        line = next(lines, None)
        self._exhausted = line is None
        return None if line is None else _Job(line)

    def _fill(self, lines: Iterator[bytes]) -> None:
        """Give every idle worker a job, starting workers while there is work for them."""
        most, now = self._options.workers, time.monotonic()
        while sum(worker.job is not None and worker.slow_from > now for worker in self._workers) < most:
            idle = next((worker for worker in self._workers if worker.job is None), None)
            if idle is None and len(self._workers) >= 2 * most:
                return
            job = self._next_job(lines)
            if job is None:
                return
            self._give(idle or self._started(), job)

    def _started(self) -> _Worker:
        asked = self._options
        given, ledger = json.dumps(asked.given.options), str(asked.ledger or "")
        arguments = (str(asked.store), asked.layer.value, given, ledger, str(os.getpid()))
        # -P: a module of the current folder must not take the place of one of ours.
        command = [sys.executable, "-P", "-m", WORKER_MODULE, *arguments]
        worker = _Worker(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        self._selector.register(worker.output, selectors.EVENT_READ, worker)
        self._workers.append(worker)
        return worker

    def _give(self, worker: _Worker, job: _Job) -> None:
        job.tries += 1
        patience, now = _patience(job.line, self._options.given), time.monotonic()
        worker.job, worker.deadline = job, now + patience + (0.0 if worker.ready else START_SECONDS)
        worker.slow_from = now + patience * SLOW if worker.ready else math.inf
        try:
            worker.input.write(job.line.rstrip(b"\n") + b"\n")
            worker.input.flush()
        except BrokenPipeError:
            return  # Its end of file on the other pipe tells the rest.

    def _step(self) -> Iterator[bytes]:
        """Wait for the next answer, death or deadline, and yield the answers that follow from it."""
        progress()
        now = time.monotonic()
        busy = [worker for worker in self._workers if worker.job]
        soonest = min(
            (each.deadline if each.slow_from <= now else min(each.slow_from, each.deadline) for each in busy),
            default=now,
        )
        for key, _ in self._selector.select(max(0.0, soonest - now)):
            worker = key.data
            assert isinstance(worker, _Worker)
            if chunk := os.read(worker.output.fileno(), CHUNK_BYTES):
                worker.received += chunk
                yield from self._received(worker)
            else:
                yield from self._lost(worker)
        for worker in [each for each in self._workers if each.job and each.deadline <= time.monotonic()]:
            yield from self._lost(worker, has_hung=True)

    def _received(self, worker: _Worker) -> Iterator[bytes]:
        while (end := worker.received.find(b"\n") + 1) > 0:
            line = bytes(worker.received[:end])
            del worker.received[:end]
            if worker.ready:
                worker.job = None
                yield line
            elif worker.job is not None:
                worker.slow_from = time.monotonic() + SLOW * _patience(worker.job.line, self._options.given)
            worker.ready = True

    def _lost(self, worker: _Worker, *, has_hung: bool = False) -> Iterator[bytes]:
        """Take a dead or hung worker away; its job is tried again, or answered as the verifier's fault.

        What hung or used up a worker's budget would do so again, and others wait.
        """
        self._selector.unregister(worker.output)
        self._workers.remove(worker)
        worker.process.kill()
        code = worker.process.wait()
        _close_quietly(worker.input)
        worker.output.close()
        if not worker.ready:
            sentence = f"A worker process ended before it was ready (exit status {code})."
            raise NotAttemptedError("batch.worker_failed", sentence, "See what is missing: probatum doctor")
        job = worker.job
        if job is None:
            return
        if has_hung or code == -ENDED_BY:
            yield _fault_line(job.line, self._options.layer, "The worker process did not come to an answer.")
        elif job.tries < TRIES:
            self._again.append(job)
        else:
            reason = f"The worker process ended {TRIES} times while it was verifying this request."
            yield _fault_line(job.line, self._options.layer, reason)


def _patience(line: bytes, given: Given) -> float:
    fields = identify(line, 0, "request").fields
    named = fields.get("kind")
    try:
        kind = kind_named(named) if isinstance(named, str) else None
        if kind is None:
            return PATIENCE_SECONDS
        # What a line says itself counts more than what was said for all of them.
        said = {option.name: fields[option.name] for option in kind.command.batch if option.name in fields}
        return min(max(float(kind.patience(Given(options={**given.options, **said}))), 1.0), LONGEST_SECONDS)
    except Exception:  # noqa: BLE001  a kind of a package that breaks here must not end the batch
        return PATIENCE_SECONDS


def _fault_line(line: bytes, layer: Layer, reason: str) -> bytes:
    request = identify(line, 0, "request")
    decision = decide(Outcome.NOT_ATTEMPTED, "verifier.fault", fields={"reason": reason})
    answer = Answer(verdict_without_proof(decision), decision.exit_code, NotJudged(request.id, decision))
    return json_text(answer_line(request.id, answer, layer)).encode() + b"\n"


def _close_quietly(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except BrokenPipeError:
        return
