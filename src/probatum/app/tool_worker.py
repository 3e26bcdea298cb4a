"""One worker that calls tools for agents: a process that answers calls until whoever started it ends.

Every verdict is kept and recorded before it is given. A call that is given up ends with its process, and what runs
below it ends too. Refuses arguments that are not one JSON object, and to let a defect of a tool end the worker.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from probatum.app.agent_tools import OfferedTool, offered_tools
from probatum.app.desk import ServiceDesk
from probatum.app.service import Service
from probatum.app.sources import Sources
from probatum.core.command import Given
from probatum.core.disclosure import Layer
from probatum.core.errors import ProbatumError, UsageError
from probatum.core.events import Event, Listener
from probatum.core.json_text import read_json
from probatum.core.outside import json_text
from probatum.proof.stores import open_store
from probatum.workers.frames import Frame, ParentLink
from probatum.workers.link import own_command
from probatum.workers.watchdog import progress, watch

WORKER_MODULE: Final = "probatum.app.tool_worker"
TOOL, LENT, REFUSED, EVENT, JOB = "tool", "lent", "refused", "event", "job"


def tool_worker_command(store: Path, ledger: Path | None, given: Given, layer: Layer) -> list[str]:
    """Return how a worker is started that calls tools."""
    told = {"store": str(store), "ledger": str(ledger or ""), "given": given.options, "layer": layer.value}
    return own_command(WORKER_MODULE, json.dumps(told))


def call_frame(tool: str, arguments: Mapping[str, object], lent: Sequence[str]) -> Frame:
    """Return the message that asks for a call; ``lent`` are the folders that it may read and write."""
    return Frame({TOOL: tool, LENT: list(lent)}, json_text(arguments).encode())


def _acted(frame: Frame, tools: Mapping[str, OfferedTool], service: Service, listener: Listener) -> Frame:
    """Return what a tool answers, or why it does not; relative paths begin at the first folder that is lent."""
    progress()
    folders = frame.head[LENT]
    lent = tuple(Path(str(each)) for each in folders) if isinstance(folders, list) else ()
    try:
        offered = tools[str(frame.head[TOOL])]
        arguments = read_json(frame.body, max(len(frame.body), 1))
        if not isinstance(arguments, dict):
            raise UsageError("arguments.wrong", "The arguments of a tool are a JSON object.")
        if lent:
            os.chdir(lent[0])
        told = offered.tool.act(arguments, ServiceDesk(service, offered.kind, Sources(None, lent), lent, listener))
        return Frame({}, json_text(told).encode())
    except ProbatumError as error:
        return _refused(error.code, error.sentence, error.hint)
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        return _refused("call.not_carried_out", f"{type(error).__name__}: {str(error)[:300]}", "")
    except Exception as error:  # noqa: BLE001  # a defect of a tool is one answer, and not the end of the worker
        return _refused("internal.defect", f"The tool has a defect: {type(error).__name__}.", "Please report it.")


def _refused(code: str, sentence: str, hint: str) -> Frame:
    told = {"error": code, "said": sentence, **({"hint": hint} if hint else {})}
    return Frame({REFUSED: True}, json.dumps(told).encode())


def main(arguments: list[str]) -> int:
    """Call tools. Arguments: what `tool_worker_command` tells, as JSON, and those of a `ParentLink`."""
    told, *own = arguments
    parent, asked = ParentLink(*own), json.loads(told)
    watch()
    store, layer = Path(asked["store"]), Layer(asked["layer"])
    recorder = None
    if asked["ledger"]:
        # Deferred, because most workers record nothing and need none of what a ledger loads.
        from probatum.app.ledger import recorder_at

        recorder = recorder_at(Path(asked["ledger"]))
    tools = offered_tools(layer, store)
    with Service(open_store(store), given=Given(options=asked["given"]), recorder=recorder) as service:
        for frame in (each for frames in parent.groups() for each in frames):
            job = frame.head[JOB]

            def listen(event: Event, job: object = job) -> None:
                parent.tell(Frame({JOB: job, EVENT: {"stage": event.stage, "message": event.message}}))

            answer = _acted(frame, tools, service, listen)
            parent.tell(Frame({**answer.head, JOB: job}, answer.body))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
