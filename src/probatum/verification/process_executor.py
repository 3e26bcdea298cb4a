"""Asking a verifier in a process of its own: it cannot change anything here, nor leave anything behind.

For verifiers that are not trusted to behave: plugins, and code of others. Whatever one does, there is an answer for
its slot in time, and a fail where it gave none. This is not a sandbox: the verifier runs with the caller's rights.
Refuses an answer that is larger than its bound, is not a written result, or was not given by the verifier's own return.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import ceil
from typing import Final

from probatum.core.messages import counted
from probatum.verification.executors import Question, answer, checked_answer, no_answer_in_time
from probatum.verification.results import Fault, VerificationResult, broken
from probatum.verification.written_results import read_result, write_result
from probatum.workers.process import Ended, ProcessLimits, run_call, signal_name

# In seconds; what lasts longer cannot be told to the system.
_LONGEST: Final = 10.0**9


@dataclass(frozen=True, slots=True)
class ProcessExecutor:
    """Asks each verifier in a process that is ended with all that it started."""

    # How much memory each process of a verifier may address beyond what the caller has.
    memory_bytes: int = 1 << 30
    max_answer_bytes: int = 1 << 22
    # How many processes a verifier may have at once, its own included.
    max_processes: int = 256

    def __post_init__(self) -> None:
        if min(self.memory_bytes, self.max_answer_bytes, self.max_processes) <= 0:
            raise ValueError("memory_bytes, max_answer_bytes and max_processes are positive numbers")

    def ask(self, question: Question, seconds: float) -> VerificationResult:
        """Return the answer, or a fail where the verifier gave none; its evidence is JSON."""
        try:
            seconds = min(seconds, _LONGEST)
            cpu_seconds = ceil(seconds * (os.cpu_count() or 1)) + 1
            limits = ProcessLimits(seconds, self.memory_bytes, cpu_seconds, self.max_processes)
            given, ended = run_call(
                lambda: write_result(answer(question)), limits, max_answer_bytes=self.max_answer_bytes
            )
        except (OSError, RuntimeError, MemoryError, ValueError) as error:
            summary = "No process could be started for the verifier."
            return broken(question.verifier_id, summary, f"{type(error).__name__}: {error}"[:300], Fault.ENVIRONMENT)
        if given is None:
            return self._unanswered(question.verifier_id, ended, seconds)
        try:
            read = read_result(given)
        except Exception as error:  # noqa: BLE001  the process may have written anything
            return broken(question.verifier_id, "The verifier's answer cannot be read.", str(error)[:300])
        return checked_answer(read, question.verifier_id)

    def _unanswered(self, verifier_id: str, ended: Ended, seconds: float) -> VerificationResult:
        if ended.leftover:
            summary = f"{counted(len(ended.leftover), 'process', 'processes')} of the verifier could not be ended."
            return broken(verifier_id, summary, fault=Fault.ENVIRONMENT)
        if ended.is_crowded:
            return broken(verifier_id, f"The verifier had more than {self.max_processes} processes at once.")
        if ended.is_late:
            return no_answer_in_time(verifier_id, seconds)
        if ended.exit_code == 0:
            most = f"{self.max_answer_bytes} bytes"
            return broken(verifier_id, f"The verifier gave no answer, a damaged one, or one of over {most}.")
        return broken(verifier_id, f"The verifier's process {_end(ended.exit_code)} without an answer.")


def _end(exit_code: int | None) -> str:
    if exit_code is None:
        return "was lost"
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    return f"was ended by {signal_name(-exit_code)}"
