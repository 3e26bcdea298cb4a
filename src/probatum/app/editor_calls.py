"""Requests of an editor on their way to the process that verifies, and the reports that come back.

A request that its caller gives up ends with the process that works on it. Refuses to answer for a process that died:
that is a named error, and no verdict.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Final

from probatum.app.editor_port import EditedFile, EditorRequest, FileReport
from probatum.app.editor_worker import READ, REFUSED, VERIFY, WORKER_MODULE
from probatum.core.canonical import JsonValue
from probatum.core.errors import NotAttemptedError, ProbatumError
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.workers.frames import Frame
from probatum.workers.link import own_command
from probatum.workers.pool import LostError, NotReadyError, Pool, PoolJob, unheard
from probatum.workers.watchdog import unwatch

SLOW_SECONDS: Final = 10.0
"""After which a verification holds up no other file."""
LONGEST_SECONDS: Final = 1800.0
Tell = Callable[[Mapping[str, object]], None]


class EditorCalls:
    """Verifies files of an editor in a process of its own; lives in one event loop."""

    def __init__(self, options: EditorRequest) -> None:
        told = json.dumps({"store": str(options.store), "given": dict(options.given.options)})
        self._pool = Pool(own_command(WORKER_MODULE, told), 1, tries_to_start=False)
        # It waits for its editor as long as that takes.
        unwatch()

    async def close(self) -> None:
        """End the processes; what they had is not answered."""
        await self._pool.close()

    async def verify(self, file: EditedFile, function: str = "", tell: Tell = unheard) -> FileReport:
        """Return the report about a file, or about one function of it.

        ``tell`` hears of each step. Raises NotAttemptedError where the process died, and ProbatumError with the code
        of whatever else is in the way.
        """
        return await self._called(file, {"act": VERIFY, "function": function}, tell)

    async def accept(self, file: EditedFile, ids: list[str], by: str) -> None:
        """Accept readings of a file in the name of a person; raises as `verify`."""
        await self._called(file, {"act": READ, "ids": list[JsonValue](ids), "by": by}, unheard)

    async def _called(self, file: EditedFile, asked: Mapping[str, JsonValue], tell: Tell) -> FileReport:
        head = {**asked, "path": file.path, "folders": list[JsonValue](file.folders)}
        job = PoolJob(Frame(head, file.content), file.path, SLOW_SECONDS, LONGEST_SECONDS, tell=tell)
        self._pool.add(job)
        try:
            answer = await job.reply
        except (LostError, NotReadyError) as error:
            sentence = f"The process that verifies ended without an answer. {error}"
            raise NotAttemptedError("verifier.fault", sentence, "Save the file to verify it again.") from error
        except asyncio.CancelledError:
            self._pool.take(job)
            raise
        if REFUSED in answer.head:
            code, sentence, hint = (str(answer.head[each]) for each in (REFUSED, "sentence", "hint"))
            raise ProbatumError(code, sentence, hint)
        return Shape(read_json(answer.body, max(len(answer.body), 1))).into(FileReport)
