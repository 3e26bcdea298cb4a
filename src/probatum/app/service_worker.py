"""One worker of a service: a process that answers requests in frames on standard input until it ends.

Requests that wait are answered as a group, whose proofs cost one write; none that rests on a proof, or must be
recorded, is given before that write is durable. It is started by `probatum.app.serving` and dies with it. Refuses to
be ended by the signals that its parent handles: what was begun is finished.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from probatum.app.answers import Answer
from probatum.app.frames import Frame, FrameReader, Wish, answer_frame, fields_of, refusal_frame
from probatum.app.kinds import AnyKind, every_kind, kind_named
from probatum.app.ledger import LedgerRecorder, recorder_at
from probatum.app.request_lines import refused
from probatum.app.service import Service, decision_without
from probatum.core.command import Given
from probatum.core.decision import DiagnosticStatus
from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError
from probatum.core.events import Event, Listener, ignore
from probatum.proof.group_store import GroupStore
from probatum.proof.stores import open_store
from probatum.verification.kind import Refusal, RequestLine
from probatum.verification.warm_worker import die_with, own_standard_output
from probatum.verification.watchdog import progress, watch

_CHUNK = 1 << 20
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

    def __init__(self, service: Service, store: GroupStore, recorder: LedgerRecorder | None, out: BinaryIO) -> None:
        self._service = service
        self._store = store
        self._recorder = recorder
        self._out = out

    def answer_all(self, frames: Sequence[Frame]) -> None:
        """Answer these requests; those that rest on nothing durable at once, the others after one write."""
        held = [each for each in map(self._answered, frames) if each is not None]
        if not held:
            return
        try:
            self._store.flush()
            recorded = [(*each.recorded, each.answer.verdict) for each in held if each.recorded is not None]
            if self._recorder is not None and recorded:
                self._recorder.record_all(recorded)
        except Exception as error:  # noqa: BLE001  # what was not kept is not given
            for each in held:
                reason = refused(each.wish.id, decision_without(error, each.kind), each.kind, self._service)
                self._tell(answer_frame(each.job, each.kind, each.wish, reason))
            return
        for each in held:
            self._tell(answer_frame(each.job, each.kind, each.wish, each.answer))

    def _answered(self, frame: Frame) -> _Held | None:
        wish, job = Wish.of(frame), int(str(frame.head["job"]))
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
            self._tell(refusal_frame(job, error))
            return None
        except Exception as error:  # noqa: BLE001  # law 3: a kind that breaks while it reads a request stops nothing else
            answer = refused(wish.id, decision_without(error, kind), kind, self._service)
        if self._recorder is None:
            recorded = None
        if recorded is None and answer.verdict.status is not DiagnosticStatus.VERIFIED:
            self._tell(answer_frame(job, kind, wish, answer))
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
            self._tell(Frame({"job": job, "event": told}))

        return listen

    def _tell(self, frame: Frame) -> None:
        self._out.write(frame.to_bytes())
        self._out.flush()


def main(arguments: list[str]) -> int:
    """Answer requests until standard input ends.

    Arguments: the store, the options as JSON, the ledger (empty for none), the id of the parent.
    """
    store, options, ledger, parent = arguments
    out = own_standard_output()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    die_with(int(parent))
    watch()
    group = GroupStore(open_store(Path(store)))
    recorder = recorder_at(Path(ledger)) if ledger else None
    with Service(group, given=Given(options=json.loads(options))) as service:
        for kind in every_kind():
            if kind.endpoint().is_quick is not None:
                try:
                    service.bench(kind)
                except UsageError as error:
                    print(f"error[{error.code}]: {error.sentence} {error.hint}", file=sys.stderr, flush=True)
                    return error.exit_code
                except Exception:  # noqa: BLE001, S110  # what breaks here is told to whoever asks
                    pass
        # What is loaded now stays; looking through it again and again would hold up requests.
        gc.freeze()
        gc.set_threshold(_COLLECTED_AFTER)
        desk, reader = _Answering(service, group, recorder, out), FrameReader()
        out.write(Frame({"ready": True}).to_bytes())
        out.flush()
        while chunk := os.read(0, _CHUNK):
            desk.answer_all(list(reader.feed(chunk)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
