"""A worker of a run over many files: answers one request after the other, and opens no store and no cache.

What a verdict rests on goes back with the answer, and whoever asked keeps it. Refuses to outlive whoever asked.
"""

from __future__ import annotations

import json
import pickle
import sys
from typing import TYPE_CHECKING

from probatum.app.kinds import kind_named
from probatum.app.remembered import answer_json
from probatum.app.service import Service
from probatum.app.wishes import refusal_frame
from probatum.core.command import Given
from probatum.core.errors import UsageError
from probatum.core.events import Event
from probatum.core.outside import json_text
from probatum.proof.stores import MemoryStore
from probatum.workers.frames import Frame, ParentLink
from probatum.workers.link import own_command
from probatum.workers.watchdog import watch

if TYPE_CHECKING:
    from probatum.app.kinds import AnyKind


def worker_command(kind: AnyKind, given: Given) -> list[str]:
    """Return how a worker of this kind is started, with options of its workbench."""
    options = {name: value for name, value in given.options.items() if value is not None}
    return own_command(__name__, json.dumps({"kind": kind.name, "options": options}))


def main(arguments: list[str]) -> int:
    """Answer requests. Arguments: what `worker_command` tells, and those of a `ParentLink`."""
    told, *own = arguments
    parent, asked = ParentLink(*own), json.loads(told)
    watch()
    kind = kind_named(asked["kind"])
    assert kind is not None, "whoever asked has it"
    outbox = _Outbox()
    with Service(outbox, given=Given(options=asked["options"])) as service:
        for frames in parent.groups():
            for frame in frames:
                parent.tell(_answered(frame, kind, service, outbox, parent))
    return 0


class _Outbox(MemoryStore):
    """Holds what belongs to one answer."""

    def taken(self) -> list[bytes]:
        """Return the contents in the order in which they came, and hold none of them any more."""
        contents, self._contents = list(self._contents.values()), {}
        return contents


def _answered(frame: Frame, kind: AnyKind, service: Service, outbox: _Outbox, parent: ParentLink) -> Frame:
    job = frame.head["job"]

    def listen(event: Event) -> None:
        # That it is complete is told once the proof is kept.
        if event.stage != "complete":
            parent.tell(Frame({"job": job, "event": event.to_dict()}))

    try:
        answer = service.verify(kind, pickle.loads(frame.body), listen)  # noqa: S301  # both ends are ours
    except UsageError as error:
        return Frame({"job": job, **refusal_frame(error).head})
    contents = outbox.taken()
    body = json_text(answer_json(answer)).encode()
    return Frame({"job": job, "sizes": [len(body), *map(len, contents)]}, b"".join((body, *contents)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
