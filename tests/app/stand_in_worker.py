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


def main() -> int:
    """Answer like `probatum.app.batch_worker`, without a sandbox."""
    store, layer, options, _ledger, _parent = sys.argv[1:]
    level = json.loads(options).get("level", "")
    if Path(store).name == "broken":
        return 3
    print('{"ready": true}', flush=True)
    for line in sys.stdin:
        request = json.loads(line)
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
        verdict = {"status": "UNVERIFIABLE", "agent_message": f"{level} {layer}", "developer_fields": {}}
        print(json.dumps({"id": request["id"], "verdict": verdict, "result": {}}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
