"""Prints what the sandbox costs on this machine: medians of starting a worker, a process, and of one further call.

Usage: python benchmarks/sandbox_speed.py [ROUNDS]. Asserts nothing: durations are for people.
"""

from __future__ import annotations

import os
import socket
import statistics
import sys
from collections.abc import Callable
from time import perf_counter

from probatum.sandbox import Program, Returned, Sandbox, TierReport, describe_tiers

ADD = Program(b"def add(a, b):\n    return a + b\n")


def median(action: Callable[[], object], rounds: int) -> float:
    """Return the median duration of ``action`` in milliseconds."""
    durations = []
    for _ in range(rounds):
        started = perf_counter()
        action()
        durations.append(perf_counter() - started)
    return statistics.median(durations) * 1000


def bare_round_trip(rounds: int) -> float:
    """Return what one byte there and back costs between two processes here: no call can be faster."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        while theirs.recv(1):
            theirs.send(b"x")
        os._exit(0)
    theirs.close()

    def there_and_back() -> None:
        ours.send(b"x")
        ours.recv(1)

    with ours:
        return median(there_and_back, rounds)


def start_and_call(sandbox: Sandbox) -> None:
    """Start a process, load a program, call it once, end it."""
    with sandbox.candidate(ADD) as job:
        job.load()
        if job.call("add", [1, 2]) != Returned(3, (1, 2)):
            raise RuntimeError("the sandbox gave a wrong answer")


def measure(report: TierReport, rounds: int) -> None:
    """Print one line for a tier."""
    if not report.available:
        print(f"{report.tier:<12} not available: {report.reason}")
        return
    opening = median(lambda: Sandbox.open(tier=report.tier).close(), 5)
    with Sandbox.open(tier=report.tier) as sandbox:
        starting = median(lambda: start_and_call(sandbox), rounds)
        with sandbox.candidate(ADD) as job:
            job.load()
            calling = median(lambda: job.call("add", [1, 2]), rounds * 20)
    print(f"{report.tier:<12} {opening:>10.0f} {starting:>18.2f} {calling:>14.3f}")


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"one byte there and back, without any of this: {bare_round_trip(rounds * 20):.3f} ms\n")
    print(f"{'medians, ms':<12} {'open+close':>10} {'start+load+call':>18} {'further call':>14}")
    for report in describe_tiers():
        measure(report, rounds)


if __name__ == "__main__":
    main()
