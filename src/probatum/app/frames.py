"""What a service and its workers say to each other over pipes: frames of a JSON head, and bytes that belong to it.

The bytes of a request reach the worker as they came, so that only the worker reads a large one. Refuses nothing: both
ends are ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from probatum.app.answers import Answer
from probatum.app.documents import answer_line
from probatum.app.kinds import AnyKind
from probatum.core.decision import DiagnosticStatus
from probatum.core.disclosure import Layer, disclose
from probatum.core.errors import BudgetError, UsageError
from probatum.core.frozen import FrozenDict
from probatum.core.json_text import is_written_exactly, kept_number, read_json
from probatum.core.outside import json_text

MOST_DEEP = 100
"""How deep the lists and objects of a request may be nested."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    head: Mapping[str, object]
    body: bytes = b""

    def to_bytes(self) -> bytes:
        """Return the message as it is written."""
        return json.dumps({**self.head, "size": len(self.body)}).encode() + b"\n" + self.body


@dataclass(frozen=True, slots=True)
class FrameReader:
    """Cuts what comes out of a pipe into messages."""

    _received: bytearray = field(default_factory=bytearray)

    def feed(self, chunk: bytes) -> Iterator[Frame]:
        """Take some bytes and yield the messages that are complete now."""
        self._received.extend(chunk)
        while (end := self._received.find(b"\n")) >= 0:
            head = json.loads(self._received[:end])
            whole = end + 1 + head["size"]
            if len(self._received) < whole:
                return
            body = bytes(self._received[end + 1 : whole])
            del self._received[:whole]
            yield Frame(head, body)


@dataclass(frozen=True, slots=True)
class Wish:
    """One request as the service received it: for which kind, by whom it may be read, and its bytes."""

    kind: str
    id: str
    layer: Layer
    body: bytes
    is_plain: bool = False
    """Whether the answer is the kind's own result with the verdict in it, instead of a line of a batch."""
    has_events: bool = False

    def frame(self, job: int) -> Frame:
        """Return the message to a worker."""
        told = {"job": job, "kind": self.kind, "id": self.id, "layer": self.layer.value}
        return Frame({**told, "is_plain": self.is_plain, "has_events": self.has_events}, self.body)

    @classmethod
    def of(cls, frame: Frame) -> Wish:
        """Return the request that a message carries."""
        kind, request_id, layer = (str(frame.head[name]) for name in ("kind", "id", "layer"))
        flags = bool(frame.head["is_plain"]), bool(frame.head["has_events"])
        return cls(kind, request_id, Layer(layer), frame.body, *flags)


def fields_of(body: bytes) -> tuple[Mapping[str, object], str]:
    """Return the fields of a request, and a sentence about a number that no float holds; raises UsageError."""
    inexact: list[str] = []

    def kept(digits: str) -> float | int:
        number = kept_number(digits)
        if not is_written_exactly(digits, number):
            inexact.append(f"The number {digits[:40]} has more digits than a JSON number keeps.")
        return number

    try:
        fields = read_json(body, max(len(body), 1), depth=MOST_DEEP, fraction=kept)
    except BudgetError as error:
        raise UsageError("request.invalid", error.sentence, "Write the number as text.") from error
    except ValueError as error:
        raise UsageError("request.not_json", f"The body is not JSON that can be read: {error}.") from error
    if not isinstance(fields, dict):
        raise UsageError("request.not_object", f"The body is a JSON object, got {type(fields).__name__}.")
    if named := [name for name in ("id", "kind") if name in fields]:
        hint = "The id is that of X-Request-ID, the kind stands in the path."
        raise UsageError("request.invalid", f"Unknown field {named[0]!r}.", hint)
    return fields, next(iter(inexact), "")


def answer_frame(job: int, kind: AnyKind, wish: Wish, answer: Answer) -> Frame:
    """Return the message that answers a request, with what its layer may see and what metrics count."""
    if wish.is_plain:
        result = answer_line(wish.id, answer)["result"]
        assert isinstance(result, dict)
        document: dict[str, object] = {**result, "verdict": disclose(answer.verdict, wish.layer)}
    else:
        result, document = answer.details.get("result"), answer_line(wish.id, answer, wish.layer)
    whole = answer.verdict.to_dict()
    is_kept = answer.verdict.status is DiagnosticStatus.VERIFIED
    head = {
        "job": job,
        "status": whole["status"],
        "proof_ref": whole["proof_ref"],
        # The verdict of a proof can be had from the store.
        "verdict": None if is_kept else whole,
        "samples": _samples(kind, result),
    }
    return Frame(head, json_text(document).encode())


def _samples(kind: AnyKind, result: object) -> list[list[object]]:
    told = result if isinstance(result, Mapping) else FrozenDict()
    try:
        return [[each.name, *sample] for each in kind.endpoint().metrics for sample in each.samples(told)]
    except Exception:  # noqa: BLE001  # what was not judged has no result to measure
        return []


def refusal_frame(job: int, error: UsageError) -> Frame:
    """Return the message that says what is wrong with a request."""
    details = error.details
    return Frame(
        {"job": job, "refused": error.code, "sentence": error.sentence, "hint": error.hint, "details": details}
    )
