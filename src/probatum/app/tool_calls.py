"""Calls of tools on their way to worker processes and back, and the folders that each call is lent.

Refuses arguments beyond their budget, more calls at once than that, a tool that there is not, and folders that neither
the operator nor the client names. A call that its client gives up ends with the process that works on it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from probatum.app.agent_tools import OfferedTool, offered_tools
from probatum.app.mcp_port import McpRequest
from probatum.app.tool_worker import REFUSED, call_frame, tool_worker_command
from probatum.core.errors import UsageError, nearest
from probatum.workers.pool import LostError, Pool, PoolJob, unheard
from probatum.workers.watchdog import unwatch

MOST_ARGUMENTS: Final = 4 * 1024 * 1024
"""Bytes of the arguments of one call."""
MOST_CALLS: Final = 64
"""That are worked on, or wait to be."""
SLOW_SECONDS: Final = 10.0
LONGEST_SECONDS: Final = 3600.0
Report = Callable[[str], Awaitable[None]]


class Calls:
    """Calls tools in workers; lives in one event loop."""

    def __init__(self, options: McpRequest) -> None:
        self._roots = tuple(each.resolve() for each in options.roots)
        self.tools: Mapping[str, OfferedTool] = offered_tools(options.layer, options.store)
        command = tool_worker_command(options.store, options.ledger, options.given, options.layer)
        self._pool = Pool(command, options.workers)
        self._begun = 0
        # It waits for its client as long as that takes.
        unwatch()

    async def close(self) -> None:
        """End the workers; what they had is not answered."""
        await self._pool.close()

    def lent(self, client: Sequence[str] | None) -> tuple[str, ...]:
        """Return the folders that a call may use; ``client`` are the addresses that its client names, None for none.

        The operator's folders bound those of the client.
        """
        if client is None:
            return tuple(map(str, self._roots or (Path.cwd(),)))
        named = list(filter(Path.is_dir, map(Path.resolve, _folders_of(client))))
        if not self._roots:
            return tuple(map(str, named))
        inside = [each for each in named if any(each.is_relative_to(root) for root in self._roots)]
        inside += [root for root in self._roots if any(root.is_relative_to(each) for each in named)]
        return tuple(dict.fromkeys(map(str, inside)))

    async def call(
        self, name: str, arguments: Mapping[str, object], lent: Sequence[str], caller: str, report: Report | None
    ) -> tuple[str, bool]:
        """Return what a tool answers as JSON text, and whether it is an error; cancelled, its worker is ended.

        Raises UsageError for a tool that there is not.
        """
        if name not in self.tools:
            raise UsageError("tool.unknown", f"There is no tool {name!r}.", nearest(name, self.tools))
        if not lent:
            said = "No folder is lent to tools: neither the client names one that may be used, nor the operator."
            return json.dumps({"error": "roots.none", "said": said, "hint": "probatum mcp --root DIR"}), True
        frame = call_frame(name, arguments, lent)
        if len(frame.body) > MOST_ARGUMENTS:
            said = f"The arguments of a call have at most {MOST_ARGUMENTS:,} bytes, got {len(frame.body):,}."
            return json.dumps({"error": "arguments.too_large", "said": said}), True
        if self._begun >= MOST_CALLS:
            said = f"{MOST_CALLS} calls are being worked on, the most at once."
            return json.dumps(
                {"error": "calls.too_many", "said": said, "hint": "Call again when one is answered."}
            ), True
        told: asyncio.Queue[Mapping[str, object] | None] = asyncio.Queue()
        tell = unheard if report is None else told.put_nowait
        reporting = None if report is None else asyncio.ensure_future(_reported(told, report))
        job = PoolJob(frame, caller, SLOW_SECONDS, LONGEST_SECONDS, tell=tell)
        self._pool.add(job)
        self._begun += 1
        try:
            answer = await job.reply
            if reporting is not None:
                # What happened is heard before what came of it.
                told.put_nowait(None)
                await reporting
        except LostError as error:
            return json.dumps({"error": "call.lost", "said": str(error)}), True
        except asyncio.CancelledError:
            self._pool.take(job)
            raise
        finally:
            self._begun -= 1
            if reporting is not None:
                reporting.cancel()
        return answer.body.decode(), REFUSED in answer.head


def _folders_of(addresses: Sequence[str]) -> Iterator[Path]:
    """Yield what addresses name on this machine; others name nothing that could be lent."""
    for each in addresses:
        try:
            address = urlsplit(each)
        except ValueError:
            continue
        path = unquote(address.path, errors="surrogateescape")
        if address.scheme == "file" and address.netloc in {"", "localhost"} and "\0" not in path:
            yield Path(path)


async def _reported(told: asyncio.Queue[Mapping[str, object] | None], report: Report) -> None:
    while (event := await told.get()) is not None:
        await report(": ".join(str(event[key]) for key in ("stage", "message") if event.get(key)))
