"""One worker of a batch: a process that answers request lines on standard input, one at a time, until it ends.

It is started by `probatum.app.pool` and dies with its parent, even one that was killed. Whatever the verification
prints goes to standard error: standard output carries answers alone. Refuses to be interrupted from the keyboard,
which is the parent's to handle.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

from probatum.app.documents import answer_line
from probatum.app.request_lines import answer_to, identify
from probatum.app.service import Service
from probatum.core.command import Given
from probatum.core.disclosure import parse_layer
from probatum.core.outside import json_text
from probatum.core.ports import Recorder
from probatum.proof.stores import open_store
from probatum.verification.warm_worker import die_with, own_standard_output
from probatum.verification.watchdog import watch

READY = b'{"ready": true}\n'


def main(arguments: list[str]) -> int:
    """Answer requests until standard input ends.

    Arguments: the store, the layer, the options as JSON, the ledger (empty for none), the id of the parent.
    """
    store, layer, options, ledger, parent = arguments
    answers = own_standard_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(int(parent))
    watch()
    defaults = Given(options=json.loads(options))
    recorder: Recorder | None = None
    if ledger:
        # Deferred, because most batches are not recorded and need none of what a ledger loads.
        from probatum.app.ledger import recorder_at

        recorder = recorder_at(Path(ledger))
    with Service(open_store(Path(store)), recorder=recorder, given=defaults) as service:
        answers.write(READY)
        answers.flush()
        for line in iter(sys.stdin.buffer.readline, b""):
            request = identify(line, 0, "request")
            shown = answer_line(request.id, answer_to(service, request, defaults), parse_layer(layer))
            answers.write(json_text(shown).encode() + b"\n")
            answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
