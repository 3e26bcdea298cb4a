"""The judge's side of one warm worker: it is started, probed, given jobs, and gone without a trace.

Every start runs the probe attacks of ``selfcheck``; one that succeeds refuses the tier. There is no fallback to no
isolation: that must be asked for by its name.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from math import inf
from subprocess import DEVNULL
from typing import Any, Self

from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.limits import JobLimits
from probatum.sandbox.environment import Environment, own_environment
from probatum.sandbox.jobs import Candidate, Channel, Ending, Program
from probatum.sandbox.oracle import Clerk, OneProcess
from probatum.sandbox.selfcheck import probe
from probatum.sandbox.tiers import ISOLATING_TIERS, Tier, TierReport, hint_for, unavailable, worker_start
from probatum.workers.link import Link

_START_SECONDS = 30.0
_TELL_SECONDS = 10.0
DEFAULT_LIMITS = JobLimits()
_MAX_MESSAGE = 1 << 16
_MOST_IDLE = 4


class Sandbox:
    """A warm worker of one tier. Open it with ``Sandbox.open``; close it, or use it as a context manager."""

    def __init__(self, tier: Tier, hash_seed: int, python: Environment | None = None) -> None:
        self.tier = tier
        self.python = python or own_environment()
        # How long one process may keep a request waiting, where that is shorter than its limits.
        self.most_seconds = inf
        self._numbers = count(1)
        self._closed = False
        self._talking = threading.Lock()
        self._idle: list[tuple[JobLimits, Candidate]] = []
        command, environment, settings = worker_start(tier, hash_seed, self.python)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  closed with the worker
        self._link = Link(
            command,
            form=socket.SOCK_SEQPACKET,
            printed=DEVNULL,
            errors=self._errors,
            environment=environment,
            is_apart=True,
        )
        self._control, self._process = self._link.socket, self._link.process
        self._control.settimeout(_START_SECONDS)
        self._greet(settings)
        self._control.settimeout(_TELL_SECONDS)

    @classmethod
    def open(
        cls,
        *,
        tier: Tier | None = None,
        hash_seed: int = 0,
        unsafe_no_isolation: bool = False,
        python: Environment | None = None,
    ) -> Sandbox:
        """Start a worker of this tier, or of the best that this machine offers.

        ``hash_seed`` fixes the order of sets inside; ``python`` is the Python that runs there, with its packages: by
        default the one that runs probatum. Raises NotAttemptedError (``sandbox.unavailable``, with what would help)
        when the tier, or every tier, is not available; UsageError for ``Tier.UNSAFE_NONE`` without
        ``unsafe_no_isolation``.
        """
        if unsafe_no_isolation:
            return cls(Tier.UNSAFE_NONE, hash_seed, python)
        if tier is Tier.UNSAFE_NONE:
            raise UsageError(
                "sandbox.unsafe_not_confirmed",
                "Running without isolation must be asked for by its name.",
                "Pass unsafe_no_isolation=True if nothing on this machine can be harmed.",
            )
        refusals = []
        for wanted in (tier,) if tier else ISOLATING_TIERS:
            try:
                return cls._probed(wanted, hash_seed, python)
            except NotAttemptedError as error:
                refusals.append(error)
        raise unavailable(" ".join(error.sentence for error in refusals), refusals[0].hint)

    @classmethod
    def _probed(cls, tier: Tier, hash_seed: int, python: Environment | None) -> Sandbox:
        sandbox = cls(tier, hash_seed, python)
        try:
            trouble = probe(sandbox.candidate)
            if trouble is not None:
                raise unavailable(f"The {tier} tier does not isolate here: {trouble}.", hint_for(tier))
        except BaseException:
            sandbox.close()
            raise
        return sandbox

    def candidate(self, program: Program, limits: JobLimits = DEFAULT_LIMITS) -> Candidate:
        """Start a process for a program, which is not loaded yet."""
        # The worker loads it once for all jobs; a job would need a tenth of a second each time.
        preload = ["asyncio"] if b"async" in program.source else []
        return Candidate(self._job("candidate", limits, preload), program)

    @contextmanager
    def warm(self, program: Program, limits: JobLimits = DEFAULT_LIMITS) -> Iterator[Candidate]:
        """Yield a process that was asked to load a program without a state of its own, where there is one from before.

        It is for what is asked time and again; whoever uses it looks at `Candidate.loaded`.
        """
        with self._talking:
            found = next((e for e in self._idle if e[0] == limits and e[1].program == program), None)
            if found is not None:
                self._idle.remove(found)
        process = self.candidate(program, limits) if found is None else found[1]
        try:
            if found is None:
                process.load()
            yield process
        finally:
            with self._talking:
                self._idle += [] if process.is_gone else [(limits, process)]
                oldest = self._idle[:-_MOST_IDLE]
                del self._idle[:-_MOST_IDLE]
            for _, each in oldest:
                each.end()

    def clerk(self, limits: JobLimits = DEFAULT_LIMITS) -> Clerk:
        """Start a process for predicates and tests; it never has the program under test in it."""
        return Clerk(self._job("clerk", limits, []))

    def one_process(self, limits: JobLimits = DEFAULT_LIMITS) -> OneProcess:
        """Start a process for tests together with their program; what it reports can be forged."""
        return OneProcess(self._job("candidate", limits, []))

    def close(self) -> None:
        """End the worker and every process of it; can be done twice."""
        if self._closed:
            return
        self._closed = True
        self._link.end(_TELL_SECONDS)
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _greet(self, settings: dict[str, object]) -> None:
        """Send the settings, and this process and the started one as descriptors: the worker ends when one does."""
        watched = [os.pidfd_open(os.getpid()), os.pidfd_open(self._process.pid)]
        answer, reason = b"", ""
        try:
            socket.send_fds(self._control, [json.dumps(settings).encode()], watched)
            answer = self._control.recv(_MAX_MESSAGE)
        except OSError as error:
            reason = str(error)
        finally:
            for descriptor in watched:
                os.close(descriptor)
        content: dict[str, Any] = json.loads(answer) if answer else {}
        if content.get("ready") is True:
            return
        reason = content.get("failed") or self._last_words() or reason or "the worker ended at once"
        self.close()
        raise unavailable(f"The {self.tier} tier cannot be set up: {reason}.", hint_for(self.tier))

    def _last_words(self) -> str:
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read(4096).decode("utf-8", "replace").strip()[-500:]

    def _job(self, role: str, limits: JobLimits, preload: list[str]) -> Channel:
        if self._closed:
            raise unavailable("This sandbox is closed.", "Open another one.")
        limits = replace(limits, wall_seconds=min(limits.wall_seconds, self.most_seconds))
        number = next(self._numbers)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        order = {
            "start": number,
            "role": role,
            "preload": preload,
            "limits": [limits.cpu_seconds, limits.memory_bytes],
            "reply": [limits.reply_bytes, limits.output_bytes, limits.depth],
        }
        with theirs:
            try:
                socket.send_fds(self._control, [json.dumps(order).encode()], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise unavailable(f"The worker is gone: {error}", "") from error
        return Channel(ours, limits, lambda tell: self._end(number, tell))

    def _end(self, number: int, tell: bool) -> Ending | None:
        """End a job; with ``tell``, return how it ended (None when the worker cannot say)."""
        if self._closed:
            return None
        try:
            with self._talking:
                self._control.send(json.dumps({"end": number, "tell": tell}).encode())
                if not tell:
                    return None
                # The first ones may answer earlier questions, for which nobody waited.
                while (content := json.loads(self._control.recv(_MAX_MESSAGE)))["ended"] != number:
                    pass
        except (OSError, ValueError):
            return None
        return Ending(content["exit"], content["signal"], content["cpu"])


def describe_tiers() -> tuple[TierReport, ...]:
    """Return for each isolating tier, best first, whether it is available here; each is started and probed."""
    return tuple(_report(tier) for tier in ISOLATING_TIERS)


def _report(tier: Tier) -> TierReport:
    try:
        Sandbox.open(tier=tier).close()
    except NotAttemptedError as error:
        return TierReport(tier, False, error.sentence, error.hint)
    return TierReport(tier, True, "Every probe attack was stopped.", "")


class Opening:
    """Begins to open one sandbox for each hash seed as soon as it is made: loading what judges takes as long.

    What goes wrong is raised where the sandboxes are asked for.
    """

    def __init__(self, hash_seeds: Sequence[int], python: Environment, *, unsafe_no_isolation: bool = False) -> None:
        self.python = python
        threads = ThreadPoolExecutor(len(hash_seeds))
        self._opened = [
            threads.submit(Sandbox.open, hash_seed=seed, unsafe_no_isolation=unsafe_no_isolation, python=python)
            for seed in hash_seeds
        ]
        threads.shutdown(wait=False)

    def sandboxes(self) -> tuple[Sandbox, ...]:
        """Wait for all of them; raises NotAttemptedError if one could not start, see `Sandbox.open`."""
        return tuple(each.result() for each in self._opened)

    def close(self) -> None:
        """End all that started; can be done twice."""
        for each in self._opened:
            if each.exception() is None:
                each.result().close()
