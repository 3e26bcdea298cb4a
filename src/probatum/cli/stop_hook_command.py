"""`probatum stop-hook`: before an agent stops, what of its changes is refuted or was never read.

It is a reminder and no gate: an agent is held up once, and what breaks here is said and holds up nobody. Refuses to
answer in another form than the caller's: one that names ``loop_count`` is asked to go on, any other is blocked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final

from probatum.app.settings import read_settings
from probatum.core.disclosure import Layer
from probatum.core.errors import ProbatumError
from probatum.core.json_text import read_json
from probatum.core.outside import json_text

_MOST_BYTES: Final = 1024 * 1024
_MOST_NAMED: Final = 12
_NOTHING_HERE: Final = "path.no_python"


def stop_hook() -> int:
    """Tell an agent that is about to stop what of its changed functions is refuted, and what nobody has read.

    A stop hook of an agent calls it, see 'probatum init'; the event comes as JSON on standard input.

    Exit codes: 0 whatever it tells, 1 the changes could not be looked at.
    """
    try:
        event = read_json(sys.stdin.buffer.read(_MOST_BYTES) or b"{}")
        event = event if isinstance(event, dict) else {}
    except ValueError:
        event = {}
    if event.get("stop_hook_active") is True or event.get("loop_count", 0) not in (0, None):
        return 0
    folder = next((each for each in (event.get("cwd"), *_folders(event)) if isinstance(each, str) and each), ".")
    try:
        os.chdir(folder)
        message = _message(_found())
    except (ProbatumError, OSError) as error:
        if getattr(error, "code", "") == _NOTHING_HERE:
            return 0
        print(f"probatum stop-hook: {getattr(error, 'sentence', error)}", file=sys.stderr)
        return 1
    if message:
        form = {"followup_message": message} if "loop_count" in event else {"decision": "block", "reason": message}
        print(json_text(form))
    return 0


def _folders(event: Mapping[str, object]) -> list[object]:
    folders = event.get("workspace_roots")
    return folders if isinstance(folders, list) else []


def _found() -> dict[str, object]:
    # Deferred: an agent that is held up already need not load what judges.
    from probatum.app.agent_tools import offered_tools
    from probatum.app.desk import ServiceDesk
    from probatum.app.proofs import user_store
    from probatum.app.service import Service
    from probatum.app.sources import NO_SOURCES

    store = read_settings().store_path().absolute()
    found: dict[str, object] = {}
    with Service(user_store(None)) as service:
        for each in offered_tools(Layer.AGENT, store).values():
            if each.tool.at_stop:
                found |= each.tool.act({"changed": True}, ServiceDesk(service, each.kind, NO_SOURCES))
    return found


def _message(found: Mapping[str, object]) -> str:
    """Return what the agent reads; empty where nothing is to be done."""
    briefs = {key: brief for key, brief in found.items() if isinstance(brief, dict)}
    refuted = {key: brief for key, brief in briefs.items() if brief.get("verdict") == "refuted"}
    unread = [key for key, brief in briefs.items() if brief.get("open") and key not in refuted]
    told = []
    if refuted:
        rows = "\n".join(f"{key}: {json_text(brief)}" for key, brief in list(refuted.items())[:_MOST_NAMED])
        told.append(f"These functions do not do what their documentation says; mend them:\n{rows}")
    if unread:
        names = json_text(unread[:_MOST_NAMED])
        told.append(
            f"Nobody has read the documentation of {len(unread)} changed functions in code. Call 'ask' of probatum with"
            f" the paths {names}, then 'answer'; on a command line: probatum read PATHS --ask, then --answer FILE."
        )
    return "\n\n".join(told)
