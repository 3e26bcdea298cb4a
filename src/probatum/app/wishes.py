"""Requests and answers as frames between a batch or a service and its workers.

The bytes of a request reach the worker as they came, so that only the worker reads a large one. Refuses a body that is
not one JSON object, or holds a number that cannot be kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probatum.app.answers import Answer
from probatum.app.documents import answer_line
from probatum.app.kinds import AnyKind
from probatum.app.service import verdict_without_proof
from probatum.core.decision import DiagnosticStatus, Outcome, decide
from probatum.core.disclosure import Layer, disclose
from probatum.core.errors import BudgetError, UsageError
from probatum.core.frozen import FrozenDict
from probatum.core.json_text import is_written_exactly, kept_number, read_json
from probatum.core.outside import json_text
from probatum.verification.observed import NotJudged
from probatum.workers.frames import Frame

__all__ = ["Frame", "Wish", "answer_frame", "fault_frame", "fields_of", "refusal_frame"]

MOST_DEEP = 100
"""How deep the lists and objects of a request may be nested."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One request as it was received: for which kind, by whom it may be read, and its bytes."""

    # Empty for a line of a batch, which names its kind itself.
    kind: str
    id: str
    layer: Layer
    body: bytes
    is_plain: bool = False
    """Whether the answer is the kind's own result with the verdict in it, instead of a line of a batch."""
    has_events: bool = False

    def frame(self) -> Frame:
        """Return the message to a worker."""
        told = {"kind": self.kind, "id": self.id, "layer": self.layer.value}
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
        hint = "The id is that of X-Request-ID, the kind is in the path."
        raise UsageError("request.invalid", f"Unknown field {named[0]!r}.", hint)
    return fields, next(iter(inexact), "")


def answer_frame(kind: AnyKind | None, wish: Wish, answer: Answer) -> Frame:
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
        "status": whole["status"],
        "proof_ref": whole["proof_ref"],
        # The verdict of a proof can be had from the store.
        "verdict": None if is_kept else whole,
        "samples": [] if kind is None else _samples(kind, result),
    }
    return Frame(head, json_text(document).encode())


def _samples(kind: AnyKind, result: object) -> list[list[object]]:
    told = result if isinstance(result, Mapping) else FrozenDict()
    try:
        return [[each.name, *sample] for each in kind.endpoint().metrics for sample in each.samples(told)]
    except Exception:  # noqa: BLE001  # what was not judged has no result to measure
        return []


def fault_frame(kind: AnyKind | None, wish: Wish, reason: str) -> Frame:
    """Return the answer to a request as a fault of what judges: nothing is said about the subject."""
    decision = decide(Outcome.NOT_ATTEMPTED, "verifier.fault", fields={"reason": reason})
    try:
        observed = NotJudged(wish.id, decision) if kind is None else kind.refused(wish.id, decision)
    except Exception:  # noqa: BLE001  # a kind of a package that cannot even tell that
        observed = NotJudged(wish.id, decision)
    return answer_frame(kind, wish, Answer(verdict_without_proof(decision), decision.exit_code, observed))


def refusal_frame(error: UsageError) -> Frame:
    """Return the message that says what is wrong with a request."""
    return Frame({"refused": error.code, "sentence": error.sentence, "hint": error.hint, "details": error.details})
