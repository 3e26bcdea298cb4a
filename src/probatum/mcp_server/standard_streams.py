"""Standard input and output as the server speaks over them, for a client that may do anything.

A message that cannot be read is answered, so that nobody waits for its answer. Refuses to read on while nobody reads
what is written, to keep a message without end, and to stay when the client has gone.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import select
import sys
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from io import TextIOWrapper
from typing import Final

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.abc import ObjectSendStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from probatum.core.json_text import DEEPEST, decoded_within

MOST_CHARACTERS: Final = 16 * 1024 * 1024
"""Of one message."""
MOST_UNREAD: Final = 64
"""Messages that wait to be written, until no further one is read."""
SECONDS_TO_END: Final = 15.0
"""For a client that has said all and takes no answer."""
_PAUSE: Final = 0.01
_ID: Final = re.compile(r'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,200}")')
Received = SessionMessage | Exception


class _Lines:
    """The lines of standard input, as the transport reads them; it knows the last one."""

    def __init__(self) -> None:
        # A descriptor of its own: the thread that reads it may outlive this.
        wire = os.fdopen(os.dup(sys.stdin.fileno()), "rb", closefd=False)
        self._file = TextIOWrapper(wire, encoding="utf-8", errors="replace")
        self.last = ""
        self._hangup = select.poll()
        self._hangup.register(wire, 0)

    def are_over(self) -> bool:
        """Tell whether nobody can write any more, though there may be some left to read."""
        return bool(self._hangup.poll(0))

    def __aiter__(self) -> AsyncIterator[str]:
        return self._read()

    async def _read(self) -> AsyncGenerator[str]:
        while line := await anyio.to_thread.run_sync(self._file.readline, MOST_CHARACTERS):
            rest = line
            while len(rest) == MOST_CHARACTERS and not rest.endswith("\n"):
                rest = await anyio.to_thread.run_sync(self._file.readline, MOST_CHARACTERS)
            self.last = line
            yield line if rest is line else "too long"


class _End:
    """The end of this process, where a thread that nobody can cancel still waits for a client that has gone."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Give what is left its time."""
        self._timer = self._timer or asyncio.get_running_loop().call_later(SECONDS_TO_END, os._exit, 0)

    def is_here(self) -> None:
        """Nothing waits any more."""
        if self._timer is not None:
            self._timer.cancel()


@asynccontextmanager
async def standard_streams() -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Received], MemoryObjectSendStream[SessionMessage]]
]:
    """Lend what comes from the client and what goes to it; it ends like a stream when the client goes."""
    lines, end = _Lines(), _End()
    into, received = anyio.create_memory_object_stream[Received](0)
    sent, waiting = anyio.create_memory_object_stream[SessionMessage](2 * MOST_UNREAD)
    try:
        pipes = stdio_server(stdin=lines)  # type: ignore[arg-type]  # it iterates over them, and no more
        async with pipes as (raw, wire), anyio.create_task_group() as group:
            group.start_soon(_take, raw, into, sent.clone(), waiting, lines, end)
            group.start_soon(_give, waiting, wire, end)
            yield received, sent
    except* (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        # Nobody reads any more: so a client goes, too.
        pass
    finally:
        end.is_here()


async def _take(
    raw: AsyncIterable[Received],
    into: MemoryObjectSendStream[Received],
    sent: MemoryObjectSendStream[SessionMessage],
    waiting: MemoryObjectReceiveStream[SessionMessage],
    lines: _Lines,
    end: _End,
) -> None:
    """Hand on what comes, no faster than answers are read."""
    async with into, sent:
        async for item in raw:
            if isinstance(item, Exception):
                await sent.send(_unreadable(lines.last))
            else:
                await into.send(item)
            while waiting.statistics().current_buffer_used > MOST_UNREAD:
                if lines.are_over():
                    end.begin()
                await anyio.sleep(_PAUSE)
    end.begin()


async def _give(waiting: AsyncIterable[SessionMessage], wire: ObjectSendStream[SessionMessage], end: _End) -> None:
    try:
        async with wire:
            async for message in waiting:
                await wire.send(message)
    finally:
        end.begin()


def _unreadable(line: str) -> SessionMessage:
    """Return the answer to a message that is none, to the request of that id where it can be told."""
    try:
        told = decoded_within(DEEPEST, line, json.JSONDecoder())
        found = {told.get("id") if isinstance(told, dict) else None}
    except ValueError:
        # Within what cannot be read there may be others of that name.
        found = {json.loads(each) for each in _ID.findall(line)}
    [number] = found if len(found) == 1 else [None]
    is_id = isinstance(number, int | str) and not isinstance(number, bool)
    said = (
        "The message is no request that can be read: text without a UTF-8 form, or not JSON, or too deep or too long."
    )
    error = types.ErrorData(code=types.PARSE_ERROR, message=said)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number if is_id else None, error=error))
