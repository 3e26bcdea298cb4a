"""The judge's side of one sandboxed process: a channel that carries one request at a time, and the candidate.

Every reply must be exactly one frame with the number of the request outstanding; bytes before a request or after a
reply, a wrong number, a frame over the budget or anything that does not parse loses the process, for good: what is
not a well-formed value or exception is ``Lost``, and a lost candidate answers nothing more.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Self

from probatum.core.limits import ExtentError, JobLimits
from probatum.sandbox.outcome import OPTIONAL, Handle, Lost, LostReason, Raised, Reply, Returned
from probatum.sandbox.wire import (
    HEADER,
    ArgumentWriter,
    ProtocolError,
    ReplyReader,
    Wire,
    dump,
    frame,
    parse,
    source_text,
)

_NOBODY = bytes(16)
_MAX_BASES = 100
_MAX_SETUP_TEXT = 4096
_MAX_DENIED, _MAX_DENIED_TEXT = 12, 120
# What a program may say was missing, by the kind that the inside notes.
_DENIALS = {
    **OPTIONAL,
    "network": "the network",
    "input": "standard input",
    "memory": "more memory",
    "thread": "more threads",
    "user": "the user or group",
    "limits": "other limits",
    "call": "the system's",
}
# SIGKILL and SIGXCPU: nothing but the kernel can send them to a job that the judge has not ended.
_KILLED = (9, 24)
# The limit counts clock ticks, the report measured time; they differ on a busy machine.
_CPU_SHARE = 0.5
# Seconds of a request that do not count as waiting. Else a busy machine would end a process for its many requests.
_UNHURRIED = 0.02


@dataclass(frozen=True, slots=True)
class Program:
    """What a candidate process loads: the bytes under test and the modules of the user that they import.

    ``module_name`` is dotted for a file in a package; ``is_package`` says that the file is the ``__init__.py`` of the
    package of that name. ``siblings`` maps dotted names to bytes; a package is named ``pkg.__init__``. All of them are
    imported from memory, the packages around the program before the program itself. A copy made with ``replace`` finds
    the text of the program that it was made of wherever it looks for its own. ``world`` is what is put in place before
    anything is imported: calls of `sandbox.inside.pinned` as JSON, names with keyword arguments. ``is_forgiven`` says
    that what the sandbox did not have while it was imported makes no answer another one. ``files`` are data files of
    its packages by path from the project's root, such as ``pkg/data.txt``. One that ``is_installed`` finds the rest of
    its package where that is installed.
    """

    source: bytes
    module_name: str = "artifact"
    siblings: tuple[tuple[str, bytes], ...] = ()
    is_package: bool = False
    shown: bytes | None = None
    world: str = "[]"
    is_forgiven: bool = False
    files: tuple[tuple[str, bytes], ...] = ()
    is_installed: bool = False

    def __post_init__(self) -> None:
        if self.shown is None:
            object.__setattr__(self, "shown", self.source)

    @property
    def wire(self) -> list[Wire]:
        """The program as a request carries it, with the text that it finds as its own."""
        beside = [[name, source_text(content)] for name, content in (*self.siblings, *self.files)]
        shown = self.source if self.shown is None else self.shown
        own, found = source_text(self.source), source_text(shown)
        return [self.module_name, self.is_package, own, beside, found, self.is_forgiven, self.is_installed]

    @property
    def key(self) -> str:
        """The program's name among its siblings."""
        return f"{self.module_name}.__init__" if self.is_package else self.module_name

    @property
    def importable(self) -> frozenset[str]:
        """The dotted names of the program, its siblings and all packages around them."""
        names = [key.removesuffix(".__init__") for key in (self.key, *(key for key, _ in self.siblings))]
        return frozenset(".".join(name.split(".")[:end]) for name in names for end in range(1, name.count(".") + 2))


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended, as the worker saw it: exit code or signal, and the seconds of processor time it used."""

    exit_code: int | None
    signal: int | None
    cpu_seconds: float


class Channel:
    """One socket to one process. ``ask`` is the only way to use it."""

    # Nothing looks for bytes between a reply and the next request: they would be read as the next reply, and cannot
    # carry its number, which is drawn at random when the request is sent.

    def __init__(self, link: socket.socket, limits: JobLimits, end: Callable[[bool], Ending | None]) -> None:
        self._link = link
        self._limits = limits
        self._end = end
        self._ready = False
        self._pending = b""
        self._waited = 0.0
        self.lost: Lost | None = None
        # By the kernel and not by settimeout, which would poll before every send and receive.
        seconds, fraction = divmod(limits.wall_seconds, 1)
        timeout = struct.pack("@ll", int(seconds), max(1, int(fraction * 1_000_000)))
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeout)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, timeout)

    def ask(self, payload: bytes, respond: Callable[[Wire], bytes | None] | None = None) -> Wire | Lost:
        """Send one request and return the content of its reply, or why there is none.

        ``respond`` answers what the process asks back meanwhile: it gets the content of a frame and returns the
        bytes of the answer, or None when the frame is the reply itself. Its time is not the process's.
        """
        if self.lost is not None:
            return Lost(LostReason.ENDED, f"the process was already lost: {self.lost.detail}")
        number = os.urandom(16)
        while True:
            content = self._exchange(number, payload)
            answer = None if respond is None or isinstance(content, Lost) else respond(content)
            if answer is None:
                return content
            payload = answer

    def reply(self, content: Wire | Lost) -> Reply:
        """Return the reply that the content of a frame is; the process is lost if it is none."""
        try:
            return content if isinstance(content, Lost) else reply_of(content)
        except ExtentError as error:
            return Lost(LostReason.OUTPUT, str(error))
        except ProtocolError as error:
            return self.lose(LostReason.PROTOCOL, str(error))

    def close(self) -> None:
        """End the process. Nothing more can be asked."""
        if self.lost is None:
            self.lose(LostReason.ENDED, "the judge ended the process")

    def lose(self, reason: LostReason, detail: str) -> Lost:
        """End the process for a reason, which is also the answer."""
        self.lost = Lost(reason, detail)
        self._link.close()
        self._end(False)
        return self.lost

    def _exchange(self, number: bytes, payload: bytes) -> Wire | Lost:
        started = monotonic()
        try:
            self._link.sendall(frame(number, payload))
            return self._reply(number, started)
        except ProtocolError as error:
            return self.lose(LostReason.PROTOCOL, str(error))
        except (BlockingIOError, TimeoutError):
            return self.lose(LostReason.WALL, f"no answer within {self._limits.wall_seconds:g} seconds")
        except (ConnectionError, EOFError):
            return self._gone()
        finally:
            self._waited += max(0.0, monotonic() - started - _UNHURRIED)

    def _reply(self, number: bytes, started: float) -> Wire | Lost:
        if not self._ready:
            seen, text = self._frame(_MAX_SETUP_TEXT, started)
            if seen != _NOBODY or text:
                return self.lose(LostReason.SETUP, text.decode("utf-8", "replace"))
            self._ready = True
        seen, payload = self._frame(self._limits.reply_bytes, started)
        if seen != number:
            raise ProtocolError("a reply to another request")
        if self._pending:
            raise ProtocolError("bytes after a reply")
        return parse(payload, 2 * self._limits.depth + 8)

    def _frame(self, most: int, started: float) -> tuple[bytes, bytes]:
        pending = self._at_least(HEADER, self._pending, started)
        size = int.from_bytes(pending[:4], "little")
        # Before anything of it is received: the size is the stranger's choice.
        if size > most:
            raise ProtocolError(f"a frame of {size} bytes, over the {most} allowed")
        pending = self._at_least(HEADER + size, pending, started)
        self._pending = pending[HEADER + size :]
        return pending[4:HEADER], pending[HEADER : HEADER + size]

    def _at_least(self, count: int, pending: bytes, started: float) -> bytes:
        if len(pending) >= count:
            return pending
        parts = [pending]
        missing = count - len(pending)
        while missing > 0:
            part = self._link.recv(1 << 16)
            if not part:
                raise EOFError
            # The socket's own limit starts again with every byte; a process could send one at a time.
            if self._waited + monotonic() - started > self._limits.wall_seconds:
                raise TimeoutError
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _last_words(self) -> str:
        try:
            return self._frame(_MAX_SETUP_TEXT, monotonic())[1].decode("utf-8", "replace")
        except (OSError, EOFError, ProtocolError):
            return ""

    def _gone(self) -> Lost:
        """Ask the worker how the process ended."""
        # A process that ended before it was ready may have said why.
        words = "" if self._ready else self._last_words()
        self._link.close()
        ending = self._end(True)
        if ending is None:
            self.lost = Lost(LostReason.SETUP, "the worker is gone")
        elif not self._ready:
            self.lost = Lost(LostReason.SETUP, words or "the process ended before it was isolated")
        elif ending.signal in _KILLED and ending.cpu_seconds >= self._limits.cpu_seconds * _CPU_SHARE:
            self.lost = Lost(LostReason.CPU, f"{self._limits.cpu_seconds} seconds of processor time are used up")
        elif ending.signal is not None:
            self.lost = Lost(LostReason.SIGNAL, f"the process was ended by signal {ending.signal}")
        else:
            self.lost = Lost(LostReason.EXIT, f"the process ended itself with exit code {ending.exit_code}")
        return self.lost


class Process:
    """One sandboxed process, used as a context manager or ended by hand."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process; can be done twice."""
        self._channel.close()


class Candidate(Process):
    """One process with the program under test. Not safe for use by several threads at once."""

    def __init__(self, channel: Channel, program: Program) -> None:
        super().__init__(channel)
        self.program = program
        # What came of loading it; None before.
        self.loaded: Reply | None = None
        # What the sandbox did not have for it, since whoever asks emptied this.
        self.denied: dict[str, None] = {}

    @property
    def is_gone(self) -> bool:
        """Whether nothing more can be asked of it."""
        return self._channel.lost is not None

    def load(self) -> Reply:
        """Run the program's top level; the value is the list of its names."""
        self.loaded = self._ask("load", [*self.program.wire, json.loads(self.program.world)])
        return self.loaded

    def call(self, target: str, args: Sequence[object] = (), kwargs: Mapping[str, object] | None = None) -> Reply:
        """Call a function by its dotted name in the module. A coroutine is awaited inside."""
        return self._ask("call", [target], args, kwargs)

    def construct(self, target: str, args: Sequence[object] = (), kwargs: Mapping[str, object] | None = None) -> Reply:
        """Call a class; the value is a handle, also where the instance could travel."""
        return self._ask("construct", [target], args, kwargs)

    def method(
        self, handle: Handle, name: str, args: Sequence[object] = (), kwargs: Mapping[str, object] | None = None
    ) -> Reply:
        """Call a method of an object that stayed inside. A coroutine is awaited inside."""
        return self._ask("method", [handle.number, name], args, kwargs)

    def get(self, handle: Handle | None, name: str) -> Reply:
        """Read an attribute of an object that stayed inside, or a dotted name of the module for ``None``."""
        return self._ask("get", [None if handle is None else handle.number, name])

    def next(self, handle: Handle, limit: int, *, anew: bool = False) -> Reply:
        """Draw at most ``limit`` values from an iterable; the value is ``([values], exhausted)``.

        It goes on where the last draw ended; ``anew`` iterates from the start, as far as the iterable has one.
        """
        return self._ask("next", [handle.number, limit, anew])

    def statements(self, source: str, expression: str | None = None, *, anew: bool = False) -> Reply:
        """Run statements of the documentation, then evaluate ``expression``.

        Names stay for the next time; ``anew`` forgets those of earlier times first.
        """
        return self._ask("statements", [source, expression, anew])

    def repeat(self, times: int, calls: Sequence[tuple[str, Sequence[object], Mapping[str, object]] | str]) -> Reply:
        """Make all calls, and evaluate all texts, so many times, or until they took enough work; the value is None."""
        requests: list[Wire] = []
        for call in calls:
            if isinstance(call, str):
                requests.append(["statements", [call, "None"], [], []])
            else:
                requests.append(["call", [call[0]], *ArgumentWriter().arguments(call[1], call[2])])
        return self._ask("repeat", [times, requests])

    def value(self, handle: Handle) -> Reply:
        """Read an object that stayed inside by value, where it can travel; else the value is a handle again."""
        # The arguments come back as they are after the call, so any request that takes one will do.
        reply = self._ask("get", [None, "__name__"], [handle])
        return Returned(reply.arguments[0]) if isinstance(reply, Returned) and reply.arguments else reply

    def _ask(
        self, action: str, fields: list[Wire], args: Sequence[object] = (), kwargs: Mapping[str, object] | None = None
    ) -> Reply:
        positional, keyword = ArgumentWriter().arguments(args, kwargs or {})
        reply = self._channel.reply(self._channel.ask(dump([action, fields, positional, keyword])))
        if not isinstance(reply, Lost) and reply.denied:
            self.denied.update(dict.fromkeys(reply.denied))
        return reply


# What a process may say of itself; of everything else the judge trusts its own eyes alone.
_TOLD = {reason.value: reason for reason in (LostReason.MEMORY, LostReason.OUTPUT, LostReason.ARGUMENTS)}


def reply_of(content: Wire) -> Reply:
    """Return the reply that the content of a frame is; raises ProtocolError, or ExtentError where it is too large."""
    if type(content) is not list or not content:
        raise ProtocolError("the reply is not a list")
    reader = ReplyReader()
    kind, *rest = content
    if kind == "ok" and len(rest) == 5:
        # The value first: arguments refer to it where they share an object.
        value = reader.read(rest[0])
        return Returned(value, *_after(reader, rest[1:]))
    if kind == "raised" and len(rest) == 7:
        name, bases, text = rest[:3]
        if type(bases) is not list or not all(type(part) is str for part in (name, text, *bases)):
            raise ProtocolError("an exception without a name")
        if bases[:1] != [name] or len(bases) > _MAX_BASES:
            raise ProtocolError("an exception that is not the first of its own bases")
        return Raised(name, tuple(bases), text, *_after(reader, rest[3:]))
    if kind == "lost" and len(rest) == 2 and all(type(part) is str for part in rest) and rest[0] in _TOLD:
        return Lost(_TOLD[rest[0]], rest[1])
    raise ProtocolError("the reply is of no known kind")


_After = tuple[tuple[object, ...], tuple[tuple[str, object], ...], str, tuple[str, ...]]


def _after(reader: ReplyReader, rest: list[Wire]) -> _After:
    positional, keyword, output, denied = rest
    if type(output) is not str:
        raise ProtocolError("output that is not text")
    arguments, keywords = reader.arguments(positional, keyword)
    return arguments, tuple(keywords.items()), output, _denied(denied)


def _denied(wire: Wire) -> tuple[str, ...]:
    if wire == []:
        return ()
    if type(wire) is not list or len(wire) > _MAX_DENIED:
        raise ProtocolError("notes in the wrong form")
    told: dict[str, None] = {}
    for note in wire:
        match note:
            case [str(kind), str(what)] if kind in _DENIALS and len(what) <= _MAX_DENIED_TEXT:
                told[f"{_DENIALS[kind]} {what!a}" if what else _DENIALS[kind]] = None
            case _:
                raise ProtocolError("a note of no known kind")
    return tuple(told)
