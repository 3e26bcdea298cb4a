"""One worker of a batch or a service: a process that answers requests until whoever started it ends.

Of a service, requests that wait are answered as a group, whose proofs cost one write; none that rests on a proof, or
must be recorded, is given before that write is durable. A line of a batch is answered by itself. Refuses to be ended by
the signals that its parent handles: what was begun is finished.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from probatum.app.answers import Answer
from probatum.app.kinds import AnyKind, every_kind, kind_named
from probatum.app.request_lines import answer_to, identify, refused
from probatum.app.service import Service, decision_without
from probatum.app.wishes import Wish, answer_frame, fields_of, refusal_frame
from probatum.core.command import Given
from probatum.core.decision import DiagnosticStatus
from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError
from probatum.core.events import Event, Listener, ignore
from probatum.proof.group_store import GroupStore
from probatum.proof.stores import open_store
from probatum.verification.kind import RequestLine
from probatum.verification.observed import Refusal
from probatum.workers.frames import Frame, ParentLink
from probatum.workers.watchdog import progress, watch

if TYPE_CHECKING:
    from probatum.app.ledger import LedgerRecorder

_COLLECTED_AFTER = 20_000


@dataclass(frozen=True, slots=True)
class _Held:
    """An answer that may not be given yet."""

    job: int
    wish: Wish
    kind: AnyKind
    answer: Answer
    recorded: tuple[str, bytes] | None


class _Answering:
    """Answers groups of requests."""

    def __init__(
        self, service: Service, store: GroupStore | None, recorder: LedgerRecorder | None, parent: ParentLink
    ) -> None:
        """Keep what answers. Without a ``store`` that holds back, the service keeps and records each by itself."""
        self._service = service
        self._store = store
        self._recorder = recorder
        self._parent = parent

    def answer_all(self, frames: Sequence[Frame]) -> None:
        """Answer these requests; those that rest on nothing durable at once, the others after one write."""
        held = [each for each in map(self._answered, frames) if each is not None]
        if not held or self._store is None:
            return
        try:
            self._store.flush()
            recorded = [(*each.recorded, each.answer.verdict) for each in held if each.recorded is not None]
            if self._recorder is not None and recorded:
                self._recorder.record_all(recorded)
        except Exception as error:  # noqa: BLE001  # what was not kept is not given
            for each in held:
                reason = refused(each.wish.id, decision_without(error, each.kind), each.kind, self._service)
                self._tell(each.job, answer_frame(each.kind, each.wish, reason))
            return
        for each in held:
            self._tell(each.job, answer_frame(each.kind, each.wish, each.answer))

    def _answered(self, frame: Frame) -> _Held | None:
        wish, job = Wish.of(frame), int(str(frame.head["job"]))
        if self._store is None:
            line = identify(wish.body, 0, "request")
            self._tell(job, answer_frame(None, wish, answer_to(self._service, line, self._service.given)))
            return None
        kind = kind_named(wish.kind)
        assert kind is not None, "the service has a route for every kind that there is, and for no other"
        recorded: tuple[str, bytes] | None = None
        progress()
        try:
            fields, inexact = fields_of(wish.body)
            found = kind.request(RequestLine(wish.id, fields, self._service.given, inexact))
            if isinstance(found, Refusal):
                answer = self._service.answer_refusal(found, kind)
                recorded = None if found.content is None else (found.observed.name, found.content)
            else:
                answer = self._service.verify(kind, found, self._listener(job, wish))
                recorded = found.recorded_name, found.content
        except UsageError as error:
            self._tell(job, refusal_frame(error))
            return None
        except Exception as error:  # noqa: BLE001  # law 3: a kind that breaks while it reads a request stops nothing else
            answer = refused(wish.id, decision_without(error, kind), kind, self._service)
        if self._recorder is None:
            recorded = None
        if recorded is None and answer.verdict.status is not DiagnosticStatus.VERIFIED:
            self._tell(job, answer_frame(kind, wish, answer))
            return None
        return _Held(job, wish, kind, answer, recorded)

    def _listener(self, job: int, wish: Wish) -> Listener:
        if not wish.has_events:
            return ignore

        def listen(event: Event) -> None:
            if event.stage == "complete":
                # The answer itself says so, once its proof is kept.
                return
            told = {"stage": event.stage} if wish.layer is Layer.AGENT else event.to_dict()
            self._tell(job, Frame({"event": told}))

        return listen

    def _tell(self, job: int, frame: Frame) -> None:
        self._parent.tell(Frame({**frame.head, "job": job}, frame.body))


def main(arguments: list[str]) -> int:
    """Answer requests. Arguments: what `pool.worker_command` tells, as JSON, and those of a `ParentLink`."""
    told, *own = arguments
    parent, asked = ParentLink(*own), json.loads(told)
    watch()
    store = open_store(Path(asked["store"]))
    recorder: LedgerRecorder | None = None
    if asked["ledger"]:
        # Deferred, because most workers record nothing and need none of what a ledger loads.
        from probatum.app.ledger import recorder_at

        recorder = recorder_at(Path(asked["ledger"]))
    group = None if asked["in_batch"] else GroupStore(store)
    given, own_recorder = Given(options=asked["given"]), recorder if group is None else None
    with Service(group or store, given=given, recorder=own_recorder) as service:
        if group is not None:
            _open_what_is_quick(service)
        # What is loaded now stays; looking through it again and again would hold up requests.
        gc.freeze()
        gc.set_threshold(_COLLECTED_AFTER)
        answering = _Answering(service, group, recorder, parent)
        for frames in parent.groups():
            answering.answer_all(frames)
    return 0


def _open_what_is_quick(service: Service) -> None:
    for kind in every_kind():
        if kind.endpoint().is_quick is None:
            continue
        try:
            service.bench(kind)
        except UsageError as error:
            print(f"error[{error.code}]: {error.sentence} {error.hint}", file=sys.stderr, flush=True)
            sys.exit(error.exit_code)
        except Exception as error:  # noqa: BLE001  # the kind fails again, with an answer, where somebody asks it
            print(f"warning: the kind {kind.name} does not open: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
