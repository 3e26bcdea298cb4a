"""The judge has a budget for itself: beyond it there is a named error, or the process ends; never a verdict."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from probatum.app.kinds import built_in_kinds
from probatum.app.service import decision_without
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError
from probatum.core.limits import ExtentError

WATCHED = "from probatum.workers import watchdog\nwatchdog._SECONDS_TO_SAY_SO = 2\nwatchdog.watch(0.1)\n"


def ended(source: str) -> subprocess.CompletedProcess[str]:
    """Run a judge of its own to its end."""
    return subprocess.run([sys.executable, "-c", WATCHED + source], capture_output=True, text=True, check=False)


def test_work_beyond_the_budget_is_a_named_error() -> None:
    done = ended("while True: pass")
    assert "verifier.out_of_budget" in done.stderr


SWALLOWED = """
def work():
    while True:
        len(())

for _ in range(2):
    try:
        work()
    except Exception:
        print("again", flush=True)
"""


def test_an_error_that_is_taken_for_another_one_comes_again() -> None:
    assert ended(SWALLOWED).stdout == "again\nagain\n"


def test_a_step_that_never_comes_back_ends_the_process() -> None:
    done = ended("3 ** (1 << 40)")
    assert done.returncode in {-signal.SIGVTALRM, 1}
    assert done.returncode != 1 or "MemoryError" in done.stderr or "verifier.out_of_budget" in done.stderr


def test_progress_begins_the_budget_anew() -> None:
    source = "from time import process_time as now\nend = now() + 0.5\nwhile now() < end: watchdog.progress()\nprint(1)"
    assert ended(source).stdout == "1\n"


def test_waiting_costs_nothing() -> None:
    assert ended("import time\ntime.sleep(0.3)\nprint(1)").stdout == "1\n"


def test_more_memory_than_the_judge_may_use_is_refused() -> None:
    done = ended("held = bytearray(2 << 30)")
    assert "MemoryError" in done.stderr


REASONS = (
    RecursionError("deep"),
    MemoryError(),
    ExtentError("many"),
    BudgetError("verifier.out_of_budget", "It took too long."),
)


@pytest.mark.parametrize("kind", built_in_kinds())
@pytest.mark.parametrize("reason", REASONS, ids=lambda each: type(each).__name__)
def test_what_is_beyond_the_judge_is_undecided(reason: Exception, kind: str) -> None:
    decision = decision_without(reason, built_in_kinds()[kind])
    assert decision.outcome is Outcome.UNDECIDED
    assert decision.constraint_id in {built_in_kinds()[kind].too_large, "verifier.out_of_budget"}
