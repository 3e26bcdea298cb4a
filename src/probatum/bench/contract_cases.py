"""Reads recorded runs of tasks: one JSON object a line, with what was given, what was answered, and its label.

Refuses a row with an unknown field, without a field that it needs, or with a label that is neither ``pass`` nor
``fail``, by line number. The label never becomes part of what is judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isinf
from pathlib import Path
from typing import Final

from probatum.bench.files import require_data_file
from probatum.core.errors import BudgetError, UsageError, reason_of
from probatum.core.json_text import kept_number, read_json
from probatum.core.shape import Shape, Step

_OPTIONAL: Final = (
    "contract_version",
    "input",
    "output",
    "error",
    "attempts",
    "elapsed_seconds",
    "model_id",
    "expected",
)
_MAX_DEPTH: Final = 500
_MAX_LINE: Final = 256 * 1024 * 1024
_MAX_ATTEMPTS: Final = 10**9
_MAX_SECONDS: Final = 10**12


class Label(StrEnum):
    """Whether an output may be used, as the author of the set says."""

    PASS = "pass"  # noqa: S105  a label, no password
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class ContractCase:
    """One recorded run of a task."""

    case_id: str
    task_id: str
    contract_version: str
    # What was answered, byte for byte; None where there was no answer.
    output: bytes | None
    # The request line that asks about it, but for its id.
    request: Mapping[str, object] = field(default_factory=dict)
    # Why there is no answer, in the words of who ran the task.
    error: str | None = None
    attempts: int = 1
    # How long the task took; None where the row does not tell.
    elapsed_seconds: float | None = None
    model_id: str | None = None
    # The label: whether the output may be used; None where there is none.
    is_good: bool | None = None


def read_contract_cases(path: Path, limit: int | None = None) -> Iterator[ContractCase]:
    """Yield the runs of a file, the first ``limit`` lines of it; a blank line is no run.

    Raises UsageError where the file cannot be read, or a line is not such a run; the sentence names the line.
    """
    require_data_file(path)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE + 1), b""), start=1):
                if limit is not None and number > limit:
                    return
                yield _case_of_line(line, number, path)
    except OSError as error:
        raise UsageError("bench.unreadable", f"The data {str(path)!r} cannot be read: {reason_of(error)}.") from error


def _case_of_line(line: bytes, number: int, path: Path) -> ContractCase:
    try:
        row = Shape(read_json(line, _MAX_LINE, depth=_MAX_DEPTH, fraction=_number))
        return _case(row.exactly("case_id", "task_id", may=_OPTIONAL))
    except ValueError as error:
        sentence = f"{str(path)!r}, line {number} is not a run of a task: {error}."
        raise UsageError("bench.malformed", sentence) from error


def _number(digits: str) -> float | int:
    try:
        return kept_number(digits)
    except BudgetError as error:
        if isinf(float(digits)):
            return float(digits)
        raise ValueError(f"{error.sentence} Write the output as text") from None


def _case(row: Shape) -> ContractCase:
    given = row.raw_object()
    if row.has("output") and row.has("error"):
        row.refuse("a run has an output or an error, not both")
    task, version = _text(row, "task_id"), row.optional(_text, "contract_version") or "v1"
    asked: dict[str, object] = {key: given[key] for key in ("output", "input") if key in given}
    return ContractCase(
        case_id=_text(row, "case_id"),
        task_id=task,
        contract_version=version,
        output=_spelt(given["output"], "output") if row.has("output") else None,
        request={"kind": "output", "contract": f"{task}:{version}", **asked},
        error=row.optional(_text, "error"),
        attempts=row.whole("attempts", 0, _MAX_ATTEMPTS) if "attempts" in given else 1,
        elapsed_seconds=row.optional(_seconds, "elapsed_seconds"),
        model_id=row.optional(_text, "model_id"),
        is_good=row.optional(_is_good, "expected"),
    )


def _spelt(value: object, key: str) -> bytes:
    """Return text as it was written, and any other value as its JSON."""
    if isinstance(value, str):
        return value.encode("utf-8")
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except ValueError as error:
        raise ValueError(f"{key!r} has no JSON form: {error}") from None


def _text(row: Shape, key: Step) -> str:
    text = row.text(key, least=1)
    text.encode("utf-8")
    return text


def _is_good(row: Shape, key: Step) -> bool:
    return row.choice(Label, key) is Label.PASS


def _seconds(row: Shape, key: Step) -> float:
    return float(row.number(key, 0, _MAX_SECONDS))
