"""A process that answers one request after the other for whoever started it, and opens no store and no cache.

What a verdict rests on goes back with the answer, and whoever asked keeps it, see `kept_answer`. Refuses to outlive
whoever asked; ended while it judges, it ends its sandboxes first.
"""

from __future__ import annotations

import json
import pickle
import signal
import sys
from contextlib import suppress
from typing import Any, cast

from probatum.app.answers import Answer
from probatum.app.kinds import AnyKind, kind_named
from probatum.app.remembered import answer_json, answer_of
from probatum.app.service import Service
from probatum.app.wishes import refusal_frame
from probatum.core.command import Given
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.events import Event
from probatum.core.json_text import read_json
from probatum.core.outside import json_text
from probatum.core.ports import Store
from probatum.core.shape import Shape
from probatum.proof.stores import MemoryStore
from probatum.verification.kind import Request
from probatum.workers.frames import Frame, ParentLink
from probatum.workers.link import own_command
from probatum.workers.watchdog import watch


def worker_command(kind: AnyKind, given: Given) -> list[str]:
    """Return how such a process is started for this kind, with options of its workbench."""
    options = {name: value for name, value in given.options.items() if value is not None}
    return own_command(__name__, json.dumps({"kind": kind.name, "options": options}))


def request_frame(request: Request) -> Frame:
    """Return the message that asks it."""
    return Frame({"job": 0}, pickle.dumps(request))


def kept_answer(frame: Frame, store: Store) -> Answer:
    """Return what it answered, once what that rests on is kept.

    Raises UsageError where the request makes no sense, and as the store does; IntegrityError where a proof was kept
    under another digest.
    """
    head = cast("dict[str, Any]", frame.head)
    if "refused" in head:
        raise UsageError(head["refused"], head["sentence"], head["hint"], head["details"])
    contents, start = list[bytes](), 0
    for size in head["sizes"]:
        contents.append(frame.body[start : start + size])
        start += size
    told, *proofs = contents
    answer = answer_of(Shape(read_json(told)))
    kept = set(store.retain_all(proofs)) if proofs else set[str]()
    if any(each.verdict.proof_ref not in {None, *kept} for each in (answer, *answer.parts)):
        raise IntegrityError("store.wrong_digest", "The store kept the proof under another digest than its own.")
    return answer


def main(arguments: list[str]) -> int:
    """Answer requests. Arguments: what `worker_command` tells, and those of a `ParentLink`."""
    told, *own = arguments
    parent, asked = ParentLink(*own), json.loads(told)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    watch()
    kind = kind_named(asked["kind"])
    assert kind is not None, "whoever asked has it"
    outbox = _Outbox()
    # Whoever closes the socket does not want the answer.
    with Service(outbox, given=Given(options=asked["options"])) as service, suppress(ConnectionError):
        try:
            for frame in (each for frames in parent.groups() for each in frames):
                parent.tell(_answered(frame, kind, service, outbox, parent))
        finally:
            # Nothing interrupts the end of the sandboxes.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
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
