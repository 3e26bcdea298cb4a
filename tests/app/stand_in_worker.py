"""A worker without any verification, for tests of the pool: the request's source says how it behaves.

``answer``: answers at once. ``die``: ends without an answer. ``die once FILE``: ends the first time, when FILE is not
there yet. ``hang``: never answers. ``wait FILE``: answers once FILE is there.
Started with a store called ``broken`` it ends before it is ready.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from probatum.workers.frames import Frame, ParentLink


def main() -> int:
    """Answer like `probatum.app.worker`, without a sandbox."""
    told, *own = sys.argv[1:]
    asked, parent = json.loads(told), ParentLink(*own)
    if Path(asked["store"]).name == "broken":
        return 3
    for frames in parent.groups():
        for frame in frames:
            request = json.loads(frame.body)
            word, _, rest = request["source"].partition(" ")
            if word == "die":
                marker = rest.removeprefix("once ")
                if not marker or not Path(marker).exists():
                    if marker:
                        Path(marker).touch()
                    return 9
            if word == "hang":
                time.sleep(600)
            while word == "wait" and not Path(rest).exists():
                time.sleep(0.01)
            said = f"{asked['given'].get('level', '')} {frame.head['layer']}"
            verdict = {"status": "UNVERIFIABLE", "agent_message": said, "developer_fields": {}}
            answer = {"id": request["id"], "verdict": verdict, "result": {}}
            parent.tell(Frame({"job": frame.head["job"]}, json.dumps(answer).encode()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
