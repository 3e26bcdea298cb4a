"""The judge's side of one warm worker: it is started, probed, given jobs, and gone without a trace.

Refuses to hand out a sandbox that was not tried: every start runs the probe attacks of ``selfcheck``, and one that
succeeds refuses the tier. Refuses to fall back to no isolation; that must be asked for by its name.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
import threading
from types import TracebackType
from typing import Any, Self

from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.limits import JobLimits
from probatum.sandbox.environment import Environment, own_environment
from probatum.sandbox.jobs import Candidate, Channel, Ending, Program
from probatum.sandbox.oracle import Clerk
from probatum.sandbox.selfcheck import probe
from probatum.sandbox.tiers import ISOLATING_TIERS, Tier, TierReport, hint_for, unavailable, worker_start

_START_SECONDS = 30.0
_TELL_SECONDS = 10.0
DEFAULT_LIMITS = JobLimits()
_MAX_MESSAGE = 1 << 16


class Sandbox:
    """A warm worker of one tier. Open it with ``Sandbox.open``; close it, or use it as a context manager."""

    tier: Tier
    python: Environment

    def __init__(self, tier: Tier, hash_seed: int, python: Environment | None = None) -> None:
        self.tier = tier
        self.python = python or own_environment()
        self._next = 1
        self._closed = False
        self._talking = threading.Lock()
        start = worker_start(tier, hash_seed, self.python)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  closed with the worker
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*start.command, str(theirs.fileno())],
                env=start.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
            )
        self._control.settimeout(_START_SECONDS)
        self._greet(start.settings)
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
        """Start a worker of the asked tier, or of the best that this machine offers.

        ``hash_seed`` fixes the order of sets inside; ``python`` is what runs there, with its installed packages, by
        default the Python that runs probatum. Raises NotAttemptedError (``sandbox.unavailable``) when the
        tier, or every tier, cannot be had, with what would help; UsageError when ``Tier.UNSAFE_NONE`` is asked
        for without ``unsafe_no_isolation``.
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
        except BaseException:
            sandbox.close()
            raise
        if trouble is not None:
            sandbox.close()
            raise unavailable(f"The {tier} tier does not isolate here: {trouble}.", hint_for(tier))
        return sandbox

    def candidate(self, program: Program, limits: JobLimits = DEFAULT_LIMITS) -> Candidate:
        """Start a process for a program, which is not loaded yet."""
        preload = ["asyncio"] if b"async" in program.source else []
        return Candidate(self._job("candidate", limits, preload), program)

    def clerk(self, limits: JobLimits = DEFAULT_LIMITS) -> Clerk:
        """Start a process for predicates and tests; it never has the program under test in it."""
        return Clerk(self._job("clerk", limits, []))

    def close(self) -> None:
        """End the worker and every process of it; can be done twice."""
        if self._closed:
            return
        self._closed = True
        self._control.close()
        try:
            self._process.wait(_TELL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _greet(self, settings: dict[str, object]) -> None:
        """Send the settings, and this process and the started one as descriptors: the worker ends when one does."""
        watched = [os.pidfd_open(os.getpid()), os.pidfd_open(self._process.pid)]
        try:
            socket.send_fds(self._control, [json.dumps(settings).encode()], watched)
            answer = self._control.recv(_MAX_MESSAGE)
        except OSError as error:
            answer = b""
            reason = str(error)
        else:
            reason = ""
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
        with self._talking:
            number = self._next
            self._next += 1
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
                content = json.loads(self._control.recv(_MAX_MESSAGE))
        except (OSError, ValueError):
            return None
        return Ending(content["exit"], content["signal"], content["cpu"])


def describe_tiers() -> tuple[TierReport, ...]:
    """Return, for each isolating tier and best first, whether it can be had here; each is started and probed."""
    return tuple(_report(tier) for tier in ISOLATING_TIERS)


def _report(tier: Tier) -> TierReport:
    try:
        Sandbox.open(tier=tier).close()
    except NotAttemptedError as error:
        return TierReport(tier, False, error.sentence, error.hint)
    return TierReport(tier, True, "Every probe attack was stopped.", "")
