"""A verifier that runs a command of yours, tests for example, and judges by its exit code.

The command is a list of arguments, never one text, that the host gives when it registers the verifier; no shell reads
it, and it never comes from a contract, an input or an output. It runs in a process of its own, which is ended with
everything that it started, after a limit of time at the latest.

| what happened                                          | status  | fault       |
|--------------------------------------------------------|---------|-------------|
| exit code 0                                            | pass    |             |
| any other exit code                                    | fail    | subject     |
| a crash: SIGSEGV, SIGABRT, SIGFPE, SIGILL              | fail    | subject     |
| ended by any other signal, which others may have sent  | fail    | environment |
| the time is over: an endless loop, or a slow machine   | fail    | environment |
| the command cannot be started, or lacks its module     | fail    | environment |
| the command is not a list of texts                     | fail    | verifier    |
| no command                                             | skipped |             |
"""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from probatum.contracts.truncation import LONGEST_CHARACTER, truncate_utf8_bytes
from probatum.core.decision import Outcome
from probatum.core.errors import reason_of
from probatum.core.messages import counted
from probatum.verification.results import Fault, VerificationResult, VerificationStatus
from probatum.verification.verifier import VerifierDescription
from probatum.workers.process import Captured, Ended, ProcessLimits, run_program, signal_name

PYTEST_ID: Final = "pytest.subprocess"
_VERSION: Final = "1"
_CRASHES: Final = {signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL}
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class PytestVerifier:
    """Passes where the command exits with 0. It judges neither input nor output itself."""

    argv: Sequence[str] | None = ()
    """The command, one argument each; without one the verifier is skipped."""
    timeout: float = 50.0
    """In seconds; by default shorter than the time that a run gives a verifier, so that the outputs are kept."""
    max_output_bytes: int = 65536
    """How much of each output is kept, in UTF-8 bytes."""
    folder: str | None = None
    """Where the command runs; here without it."""
    verifier_id: str = PYTEST_ID
    """The id that it is registered under."""

    def __post_init__(self) -> None:
        # A truth is a number for Python, and NaN is not a limit.
        is_time = type(self.timeout) in {int, float} and isfinite(self.timeout) and self.timeout > 0
        if not is_time:
            raise ValueError(f"timeout is a positive number of seconds, got {self.timeout!r}")
        if type(self.max_output_bytes) is not int or self.max_output_bytes < 0:
            raise ValueError(f"max_output_bytes is a whole number of 0 or more, got {self.max_output_bytes!r}")
        if isinstance(self.argv, list):
            object.__setattr__(self, "argv", tuple(self.argv))

    @property
    def description(self) -> VerifierDescription:
        """What it says about itself: tests establish no more than what they tried, and may be flaky."""
        return VerifierDescription(self.verifier_id, _VERSION, Outcome.TESTED)

    def verify(
        self,
        input_obj: object,
        output_obj: object,
        context: Mapping[str, object] | None = None,
    ) -> VerificationResult:
        """Run the command and return what its exit code says; never raises for what the command does."""
        if self.argv is None or self.argv == ():
            summary = "No command was given, so nothing was run."
            return VerificationResult(VerificationStatus.SKIPPED, self.verifier_id, summary, could_have_failed=False)
        if not isinstance(self.argv, tuple) or not all(type(each) is str for each in self.argv):
            shown = repr(self.argv)[:_SHOWN]
            return self._failed(f"argv must be a list of texts, got {shown}; nothing was run.", Fault.VERIFIER)
        started = time.monotonic()
        # Bytes of a character that the limit cuts are still needed to know that it is one.
        kept = self.max_output_bytes + LONGEST_CHARACTER
        try:
            limits = ProcessLimits(self.timeout)
            ended = run_program(self.argv, limits, max_output_bytes=kept, folder=self.folder)
        except ValueError as error:
            return self._failed(f"The command cannot be run: {error}; nothing was run.", Fault.VERIFIER)
        except (OSError, RuntimeError, MemoryError) as error:
            shown = f"{self.argv[0][:_SHOWN]!r}"
            return self._failed(
                f"The command {shown} could not be started: {reason_of(error)[:_SHOWN]}.", Fault.ENVIRONMENT
            )
        return self._judged(ended, time.monotonic() - started)

    def _judged(self, ended: Ended, elapsed: float) -> VerificationResult:
        evidence = self._evidence(ended, elapsed)
        code = ended.exit_code
        if code == 0 and not ended.leftover:
            passed = VerificationStatus.PASS, self.verifier_id, "The command exited with 0.", evidence
            return VerificationResult(*passed, elapsed_seconds=elapsed)
        fault = Fault.ENVIRONMENT
        if ended.leftover:
            summary = f"{counted(len(ended.leftover), 'process', 'processes')} could not be ended."
        elif ended.is_crowded:
            summary = "The command had more processes at once than a command may have."
        elif ended.is_late:
            summary = f"The command did not end within {self.timeout:.3g} seconds."
        elif code is None:
            summary = "The command was lost."
        elif code < 0:
            fault = Fault.SUBJECT if -code in _CRASHES else Fault.ENVIRONMENT
            summary = f"The command was ended by {signal_name(-code)}."
        elif missing := self._missing_module(evidence):
            summary = f"The command needs {missing!r}, which is not installed."
        else:
            fault = Fault.SUBJECT
            summary = f"The command exited with {code}."
        return self._failed(summary, fault, evidence, elapsed)

    def _missing_module(self, evidence: Mapping[str, object]) -> str:
        """Return the module that ``-m`` names where Python says that there is none: then no test ran."""
        argv = list(self.argv or ())
        if "-m" not in argv[:-1]:
            return ""
        name = argv[argv.index("-m") + 1]
        said = str(evidence["stderr"]).rstrip()
        is_silent = evidence["returncode"] == 1 and not evidence["stdout"]
        return name if is_silent and said.endswith(f": No module named {name}") else ""

    def _failed(
        self, summary: str, fault: Fault, evidence: Mapping[str, object] | None = None, elapsed: float = 0.0
    ) -> VerificationResult:
        if evidence is None:
            evidence = self._evidence(Ended(None, False, (), (Captured(), Captured())), elapsed)
        failed = VerificationStatus.FAIL, self.verifier_id, summary, evidence, (summary,)
        return VerificationResult(*failed, elapsed_seconds=elapsed, fault=fault)

    def _evidence(self, ended: Ended, elapsed: float) -> dict[str, object]:
        shown = list(self.argv) if isinstance(self.argv, tuple) else repr(self.argv)[:_SHOWN]
        evidence: dict[str, object] = {
            "argv": shown,
            "returncode": ended.exit_code,
            "timed_out": ended.is_late,
            "timeout": self.timeout,
            "elapsed": elapsed,
        }
        for name, stream in zip(("stdout", "stderr"), ended.captured, strict=True):
            text = truncate_utf8_bytes(stream.head, self.max_output_bytes)
            is_whole = stream.total == len(stream.head) and text == stream.head.decode("utf-8", errors="replace")
            evidence |= {name: text, f"{name}_truncated": not is_whole, f"{name}_bytes": stream.total}
        return evidence
