"""The id of a request line, whatever else the line holds.

A line that is no object with a text ``id`` cannot be answered at all and is refused by its number. A key that stands
twice in one of its objects is remembered: a reader of the fields sees only one of the two. So is a number that reading
would change.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from probatum.contracts.parsing import kept_number
from probatum.core.errors import BudgetError, UsageError

__all__ = ["Identified", "identify", "kept_number", "require_unambiguous"]


@dataclass(frozen=True, slots=True)
class Identified:
    """A line that has an id, whatever else it holds."""

    id: str
    fields: Mapping[str, object]
    repeated: str | None = None
    """A key that stands twice in one of its objects."""
    lost: str | None = None
    """Which of its numbers cannot be kept as it is written, as a sentence."""


def identify(line: bytes, number: int, name: str) -> Identified:
    """Return the id and the fields of a line.

    Raises:
        UsageError: the line is no JSON object with an id; the sentence tells ``name`` and the line's number.
    """
    repeated: list[str] = []
    lost: list[str] = []

    def kept(digits: str) -> float | int:
        try:
            return kept_number(digits)
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
        fields = json.loads(line, parse_constant=_no_constant, parse_float=kept, object_pairs_hook=entries)
    except (ValueError, RecursionError) as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise UsageError("batch.malformed", f"{name}, line {number} is not JSON: {what}.") from None
    if not isinstance(fields, dict):
        raise UsageError("batch.malformed", f"{name}, line {number} is not a JSON object.")
    request_id = fields.get("id")
    if not isinstance(request_id, str) or not request_id:
        raise UsageError("batch.no_id", f"{name}, line {number} has no 'id', which must be text.")
    return Identified(request_id, fields, repeated[0] if repeated else None, lost[0] if lost else None)


def require_unambiguous(line: Identified) -> None:
    """Raise UsageError where a key stands twice in one object of the line, or reading changed a number."""
    if line.repeated is not None:
        sentence = f"The key {line.repeated[:80]!r} stands twice in one object."
        raise UsageError("request.invalid", sentence, "Say which of the two is meant.")
    if line.lost is not None:
        raise UsageError("request.invalid", line.lost, "Write what was answered as text.")


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
