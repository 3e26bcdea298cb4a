"""The processes that belong together: marked once, found again wherever they went, ended to the last.

Every process inherits the mark: a random number as its limit of file locks, which Linux passes on to each child and
enforces nowhere. Neither a second fork nor a session of its own, an empty environment or closed descriptors take it
away. Refuses to signal a process that is not of the family: each is held by a descriptor while it is looked at, so
that a number that the system gave away anew is never hit.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

# RLIMIT_LOCKS, which the module `resource` does not name.
_FILE_LOCKS: Final = 10
_SHOWN: Final = re.compile(rb"^Max file locks\s+(\S+)\s+(\S+)", re.MULTILINE)
_LARGEST: Final = 2**60
_PAUSE: Final = 0.002
# How often nobody must be found, where nothing else says that there is nobody.
_LOOKS: Final = 5
_STRANGER: Final = b""
_ENDED: Final = frozenset({_STRANGER, b"Z", b"X"})


@dataclass(frozen=True, slots=True)
class Family:
    """All processes that carry one mark, and the children of one that waits for them."""

    mark: int
    # A process that inherits every orphan of the family: its children belong to it, whatever mark they carry.
    parent: int | None = None

    def members(self) -> Iterator[tuple[int, int]]:
        """Yield the living ones, our own process excepted, as number and an open descriptor of the process.

        The descriptor is closed when the next one is asked for. Young processes have high numbers and come last, so
        that those which are born meanwhile are met in the same pass.
        """
        with os.scandir("/proc") as entries:
            for entry in entries:
                if not entry.name.isdigit() or int(entry.name) == os.getpid():
                    continue
                with suppress(ProcessLookupError):
                    held = os.pidfd_open(int(entry.name))
                    try:
                        if self._state(entry.path) not in _ENDED:
                            yield int(entry.name), held
                    finally:
                        os.close(held)

    def count(self) -> int:
        """Return how many there are, with those that have ended and that nobody has asked about."""
        with os.scandir("/proc") as entries:
            return sum(entry.name.isdigit() and self._state(entry.path) != _STRANGER for entry in entries)

    def _state(self, path: str) -> bytes:
        """Return the letter for what a process of the family does; nothing for one that is not of it."""
        try:
            state, above = _content(f"{path}/stat").rpartition(b")")[2].split()[:2]
            shown = _SHOWN.search(_content(f"{path}/limits"))
        except (OSError, ValueError):
            return _STRANGER
        is_marked = shown is not None and b"%d" % self.mark in shown.groups()
        return state if is_marked or (self.parent is not None and int(above) == self.parent) else _STRANGER

    def end(self, seconds: float) -> tuple[int, ...]:
        """Kill every member until there is none; returns the numbers of those that still live after the time."""
        until = time.monotonic() + seconds
        empty = 0
        while True:
            if self.parent == os.getpid():
                _kill_children()
            found = []
            for number, held in self.members():
                found.append(number)
                with suppress(ProcessLookupError, PermissionError):
                    signal.pidfd_send_signal(held, signal.SIGKILL)
            empty = 0 if found else empty + 1
            if self.parent == os.getpid():
                reap()
                # Every orphan becomes our child, so that no child means nobody: even one who forks and ends all the
                # time, whom a look at the list of processes can miss.
                is_over = empty > 0 and not has_children()
            else:
                is_over = empty >= _LOOKS
            if is_over:
                return ()
            if time.monotonic() > until:
                return tuple(found)
            time.sleep(0 if empty else _PAUSE)


def _kill_children() -> None:
    """Kill the group of each child of ours as a whole: nobody can be born into a group between two signals to it."""
    for task in os.listdir("/proc/self/task"):
        with suppress(OSError):
            for number in map(int, _content(f"/proc/self/task/{task}/children").split()):
                with suppress(ProcessLookupError, PermissionError):
                    group = os.getpgid(number)
                    os.kill(-group if group != os.getpgid(0) else number, signal.SIGKILL)


def has_children() -> bool:
    """Return whether we have a child, be it one that has ended and that nobody has asked about."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def new_mark() -> int:
    """Return a mark that nobody else has and that this process may take."""
    hard = resource.getrlimit(_FILE_LOCKS)[1]
    largest = _LARGEST if hard == resource.RLIM_INFINITY else max(1, min(hard, _LARGEST))
    return 1 + int.from_bytes(os.urandom(8), "big") % largest


def take_mark(mark: int) -> None:
    """Mark this process and all that it will start; a mark from further outside stays beside it."""
    hard = resource.getrlimit(_FILE_LOCKS)[1]
    resource.setrlimit(_FILE_LOCKS, (mark, mark if hard == resource.RLIM_INFINITY else hard))


def reap() -> dict[int, int]:
    """Take leave of every child of ours that has ended; returns their exit codes, negative for a signal."""
    codes = {}
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            codes[ended[0]] = os.waitstatus_to_exitcode(ended[1])
    return codes
