"""A process that we talk to over one socket, sandboxed or not.

Its other end is the last argument of what is started; it is the only descriptor that the process gets beside its
standard streams. Refuses to outlive its owner unnoticed: `end` leaves no process and no descriptor.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Final

_ERRORS: Final = 2


def own_command(module: str, *arguments: str) -> list[str]:
    """Return how a module of ours is run as a worker: its arguments, then what `frames.ParentLink` is made of."""
    # -P: a module of the current folder must not take the place of one of ours.
    return [sys.executable, "-P", "-m", module, *arguments, str(os.getpid())]


class Link:
    """One started process and the socket to it. Raises OSError where it cannot be started."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        form: socket.SocketKind = socket.SOCK_STREAM,
        printed: int = _ERRORS,
        errors: int | IO[bytes] | None = None,
        environment: Mapping[str, str] | None = None,
        is_apart: bool = False,
    ) -> None:
        """Start it.

        What it prints goes to our standard error unless ``printed`` or ``errors`` say otherwise; ``is_apart`` puts it
        into a session of its own, at the root of the file system.
        """
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, form)
        try:
            with theirs:
                self.process = subprocess.Popen(
                    [*command, str(theirs.fileno())],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=errors,
                    pass_fds=[theirs.fileno()],
                    start_new_session=is_apart,
                    cwd="/" if is_apart else None,
                )
        except BaseException:
            self.socket.close()
            raise

    def end(self, seconds: float = 0.0) -> int:
        """Close the socket, give the process so many seconds to end by itself, and return how it ended."""
        self.socket.close()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
