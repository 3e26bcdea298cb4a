"""Request lines as `batch` reads them: an id, a kind, and what that kind asks for.

A line that is not an object with a text ``id`` is refused by its number. One with an id that is otherwise unusable gets
an answer of its own (``request.invalid``), so that one bad request stops nothing: also one with a key twice in an
object, of which the fields hold only one, and with a number that reading would change.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from probatum.app.answers import Answer
from probatum.app.kinds import kind_named, kind_names
from probatum.app.service import Service, decision_without
from probatum.core.command import Given
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.errors import BudgetError, UsageError, nearest
from probatum.core.json_text import DEEPEST, decoded_within, is_written_exactly, kept_number, require_few_parts
from probatum.core.limits import ExtentError
from probatum.core.messages import writable
from probatum.verification.kind import AnyKind, RequestLine
from probatum.verification.observed import NotJudged, Refusal

__all__ = ["Identified", "RequestLine", "answer_to", "identify", "refused"]


@dataclass(frozen=True, slots=True)
class Identified:
    """A line that has an id, whatever else it holds."""

    id: str
    fields: Mapping[str, object]
    # A key that appears twice in one of its objects.
    repeated: str | None = None
    # Which of its numbers cannot be kept as it is written, as a sentence.
    lost: str | None = None
    # Which of its numbers a float holds only nearly, as a sentence; that matters to some kinds.
    inexact: str = ""


def identify(line: bytes, number: int, name: str) -> Identified:
    """Return the id and the fields of a line.

    Raises:
        UsageError: the line is not a JSON object with an id; the sentence says ``name`` and the line's number.
    """
    repeated: list[str] = []
    lost: list[str] = []
    inexact: list[str] = []

    def kept(digits: str) -> float | int:
        try:
            number = kept_number(digits)
            if not is_written_exactly(digits, number):
                inexact.append(f"The number {digits[:40]} has more digits than a JSON number keeps.")
            return number
        except BudgetError as error:
            lost.append(error.sentence)
            return float("nan")

    def entries(pairs: list[tuple[str, object]]) -> dict[str, object]:
        told = dict(pairs)
        if len(told) != len(pairs):
            counts = Counter(key for key, _ in pairs)
            repeated.append(next(key for key, count in counts.items() if count > 1))
        return told

    try:
        # A byte order mark belongs to the beginning of a file.
        text = line.decode("utf-8-sig" if number < 2 else "utf-8")
        require_few_parts(text)
        decoder = json.JSONDecoder(parse_constant=_no_constant, parse_float=kept, object_pairs_hook=entries)
        fields = decoded_within(DEEPEST, text, decoder)
    except ValueError as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        fault = "is too large" if isinstance(error, ExtentError) else "is not JSON"
        raise UsageError("batch.malformed", f"{name}, line {number} {fault}: {what}.") from None
    if not isinstance(fields, dict):
        raise UsageError("batch.malformed", f"{name}, line {number} is not a JSON object.")
    request_id = fields.get("id")
    if not isinstance(request_id, str) or not request_id:
        raise UsageError("batch.no_id", f"{name}, line {number} has no 'id', which must be text.")
    return Identified(request_id, fields, next(iter(repeated), None), next(iter(lost), None), next(iter(inexact), ""))


def answer_to(service: Service, line: Identified, defaults: Given) -> Answer:
    """Return the answer to a line; never raises for what the line holds."""
    kind: AnyKind | None = None
    try:
        kind = _kind_of(line)
        _require_unambiguous(line)
        return service.answer(kind, kind.request(RequestLine(line.id, line.fields, defaults, line.inexact)))
    except UsageError as error:
        fields = {"reason": writable(error.sentence), "hint": writable(error.hint)}
        return refused(line.id, decide(Outcome.NOT_ATTEMPTED, "request.invalid", fields=fields), kind, service)
    except Exception as error:  # noqa: BLE001  # law 3: a kind that breaks while it reads a line stops nothing else
        return refused(line.id, decision_without(error, kind), kind, service)


def refused(name: str, decision: Decision, kind: AnyKind | None, service: Service) -> Answer:
    """Return the answer to a request that could not be judged, as its kind tells it."""
    observed = NotJudged(name, decision) if kind is None else kind.refused(name, decision)
    return service.answer_refusal(Refusal(observed), kind)


def _kind_of(line: Identified) -> AnyKind:
    named = line.fields.get("kind")
    kind = kind_named(named) if isinstance(named, str) else None
    if kind is None:
        known = kind_names()
        hint = nearest(named, known) if isinstance(named, str) else ""
        raise UsageError("request.invalid", f"Unknown kind {named!r}; expected {' or '.join(known)}.", hint)
    return kind


def _require_unambiguous(line: Identified) -> None:
    if line.repeated is not None:
        sentence = f"The key {line.repeated[:80]!r} appears twice in one object."
        raise UsageError("request.invalid", sentence, "Say which of the two is meant.")
    if line.lost is not None:
        raise UsageError("request.invalid", line.lost, "Write what was answered as text.")


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
