"""A budget for the judge itself: what it reads was written by strangers, and it must neither hang nor fill the machine.

Processor time is counted, not time on the clock, so that a busy machine changes no verdict; what runs in other
processes has budgets of its own. A subject that uses up the budget raises `BudgetError` (undecided); where a single
step of the interpreter does not come back at all, the system ends the process some time later: no verdict, no pass.

Only a process of ours is watched, once it asks for it: a program that merely uses the library keeps its signals.
"""

from __future__ import annotations

import resource
import signal
import sys
from types import FrameType
from typing import Final, NoReturn

from probatum.core.errors import BudgetError
from probatum.core.limits import MEBIBYTE

PROCESSOR_SECONDS: Final = 120
"""Of the judge's own work on one subject, or on one function of a program."""
MEMORY_BYTES: Final = 960 * MEBIBYTE
"""Of the judge's own data; code and files that it maps come on top."""
ENDED_BY: Final = signal.SIGVTALRM
"""What ends a process that did not even come to raise the error."""
_SECONDS_TO_SAY_SO: Final = 20.0
_watched: list[tuple[float, float]] = []


def watch(seconds: float = PROCESSOR_SECONDS, grace: float = _SECONDS_TO_SAY_SO) -> None:
    """Give this process its budget; `progress` begins it anew. To be called in the main thread.

    ``grace`` is how many seconds later the system ends a process that did not come to raise the error.
    """
    if sys.platform == "linux":
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        least = MEMORY_BYTES if most == resource.RLIM_INFINITY else min(MEMORY_BYTES, most)
        resource.setrlimit(resource.RLIMIT_DATA, (least, most))
    signal.signal(signal.SIGPROF, _out_of_budget)
    _watched[:] = [(seconds, grace)]
    progress()


def progress(times: int = 1) -> None:
    """Begin the budget anew, or so many of it, where this process is watched: another subject or part of one begins."""
    for seconds, grace in _watched:
        # It comes again, as it may be raised where every error is taken for a defect of what is looked at.
        signal.setitimer(signal.ITIMER_PROF, times * seconds, grace / 4)
        signal.setitimer(signal.ITIMER_VIRTUAL, times * seconds + grace)


def unwatch() -> None:
    """Take the budget of time away: this process judges nothing itself, and lives long."""
    _watched.clear()
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _out_of_budget(_number: int, _frame: FrameType | None) -> NoReturn:
    sentence = f"The judge used {_watched[0][0] if _watched else 0:g} seconds of processor time, which is its budget."
    raise BudgetError("verifier.out_of_budget", sentence, "Verify it in smaller parts.")
