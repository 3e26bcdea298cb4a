"""Looking at processes from outside: which ones live, and which ones somebody wrote down."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Given = TypeVar("Given")

ONE_TO_LEAVE_BEHIND = """
import os, sys, time
def leave_behind(folder):
    # Two forks and a session of its own: nobody's child any more.
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            open(os.path.join(folder, str(os.getpid())), "w").close()
            time.sleep(600)
        os._exit(0)
    os.wait()
    while not os.listdir(folder):
        time.sleep(0.001)
"""


_PATIENCE_SECONDS = 120


def leave_behind(folder: Path) -> None:
    """Start a process that nobody waits for, and wait until it has written itself down."""
    space: dict[str, object] = {}
    exec(ONE_TO_LEAVE_BEHIND, space)
    space["leave_behind"](str(folder))  # type: ignore[operator]  # defined by the text above


def lives(number: int) -> bool:
    """True for a process that runs; one that has ended and that nobody has asked about does not."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in {b"Z", b"X"}
    except OSError:
        return False


def written_down(folder: Path) -> list[int]:
    """Return the processes that wrote themselves down, and have not forgotten to do so."""
    numbers = [int(name) for name in os.listdir(folder)]
    assert numbers
    return numbers


def all_end(numbers: list[int]) -> bool:
    """True as soon as none of them lives; what was killed needs a moment to go."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while any(lives(number) for number in numbers) and time.monotonic() < until:
        time.sleep(0.001)
    return not any(lives(number) for number in numbers)


def interrupted(attempt: Callable[[float], Given], has_begun: Callable[[Given], bool]) -> tuple[float, Given]:
    """Return what comes of ending something at its time, once it had begun what it is ended at.

    How long the beginning takes depends on how busy the machine is, so it is tried again with ten times as long.
    """
    for seconds in (0.3, 3.0, 30.0, 300.0):
        given = attempt(seconds)
        if has_begun(given):
            return seconds, given
    raise AssertionError("it never began")


def own_children() -> set[str]:
    """Return our own children, those included that have ended and that nobody has asked about."""
    path = f"/proc/self/task/{os.getpid()}/children"
    with open(path, encoding="ascii") as file:
        return set(file.read().split())


def descendants(number: int) -> list[int]:
    """Return the processes that a process has started, and those that they have, as far as they live."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            continue
    found = [number]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each and lives(child)]
    return found[1:]


def own_descriptors() -> set[str]:
    """Return what we have open."""
    return {name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")}
