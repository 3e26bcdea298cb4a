"""What a process and its workers say to each other: frames of a JSON head, and bytes that belong to it.

`ParentLink` is the worker's end. Frames are not validated: both ends are ours.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

CHUNK: Final = 1 << 20
READY: Final = "ready"
"""What the head of a worker's first frame says."""
_SIGNAL_WHEN_PARENT_DIES: Final = 1


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    head: Mapping[str, object]
    body: bytes = b""

    def to_bytes(self) -> bytes:
        """Return the message as it is written."""
        return json.dumps({**self.head, "size": len(self.body)}).encode() + b"\n" + self.body


@dataclass(slots=True)
class FrameReader:
    """Cuts what was received into messages."""

    _received: bytearray = field(default_factory=bytearray)
    # How many bytes the message at hand has at least, so that a long one is not looked through again and again.
    _least: int = 0

    def feed(self, chunk: bytes) -> Iterator[Frame]:
        """Take some bytes and yield the messages that are complete now."""
        self._received.extend(chunk)
        while len(self._received) >= self._least and (end := self._received.find(b"\n")) >= 0:
            head = json.loads(self._received[:end])
            self._least = end + 1 + head["size"]
            if len(self._received) < self._least:
                return
            body = bytes(self._received[end + 1 : self._least])
            del self._received[: self._least]
            self._least = 0
            yield Frame(head, body)


class ParentLink:
    """A worker's end of the socket to the process that started it, with which it dies, even with one that is killed.

    What a worker prints goes elsewhere. Refuses to be ended by the signals that are the other process's to handle.
    """

    def __init__(self, parent: str, descriptor: str) -> None:
        """Take the last two arguments that `link.Link` gives to a worker: a process id and an open socket."""
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_SIGNAL_WHEN_PARENT_DIES, signal.SIGKILL)
        if os.getppid() != int(parent):
            os.kill(os.getpid(), signal.SIGKILL)
        self._link = socket.socket(fileno=int(descriptor))
        # No process that is started here keeps it open.
        self._link.set_inheritable(False)

    def tell(self, frame: Frame) -> None:
        """Send a message."""
        self._link.sendall(frame.to_bytes())

    def groups(self) -> Iterator[Sequence[Frame]]:
        """Say that the worker is ready, then yield the messages that came, those together that wait together."""
        self.tell(Frame({READY: True}))
        reader = FrameReader()
        while chunk := self._link.recv(CHUNK):
            yield list(reader.feed(chunk))
