"""Reads recorded runs of tasks: one JSON object a line, with what was given, what was answered, and its label.

Refuses a row with an unknown field, without a field that it needs, or with a label that is neither ``pass`` nor
``fail``, by line number. The label never becomes part of what is judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from typing import Final

from probatum.app.request_lines import kept_number
from probatum.bench.files import reason_of, require_data_file
from probatum.core.errors import BudgetError, UsageError, nearest

_FIELDS: Final = (
    "case_id",
    "task_id",
    "contract_version",
    "input",
    "output",
    "error",
    "attempts",
    "elapsed_seconds",
    "model_id",
    "expected",
)
EXPECTED: Final = ("pass", "fail")
_MAX_LINE: Final = 256 * 1024 * 1024
_MAX_ATTEMPTS: Final = 10**9
_MAX_SECONDS: Final = 10**12


@dataclass(frozen=True, slots=True)
class ContractCase:
    """One recorded run of a task."""

    case_id: str
    task_id: str
    contract_version: str
    output: bytes | None
    """What was answered, byte for byte; None where there was no answer."""
    request: Mapping[str, object] = field(default_factory=dict)
    """The request line that asks about it, but for its id."""
    error: str | None = None
    """Why there is no answer, in the words of who ran the task."""
    attempts: int = 1
    elapsed_seconds: float | None = None
    """How long the task took; None where the row does not tell."""
    model_id: str | None = None
    is_good: bool | None = None
    """The label: whether the output may be used; None where there is none."""


def read_contract_cases(path: Path, limit: int | None = None) -> Iterator[ContractCase]:
    """Yield the runs of a file, the first ``limit`` lines of it; blank lines are passed over.

    Raises:
        UsageError: the file cannot be read, or a line is not such a run; the sentence names the line.
    """
    require_data_file(path)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE + 1), b""), start=1):
                if limit is not None and number > limit:
                    return
                if line.strip():
                    yield _case_of_line(line, number, path)
    except OSError as error:
        raise UsageError("bench.unreadable", f"The data {str(path)!r} cannot be read: {reason_of(error)}.") from error


def _case_of_line(line: bytes, number: int, path: Path) -> ContractCase:
    try:
        if len(line) > _MAX_LINE:
            raise ValueError(f"it has more than {_MAX_LINE} bytes")
        row = json.loads(line.decode("utf-8"), object_pairs_hook=_entries, parse_float=_number)
        if not isinstance(row, dict):
            raise TypeError("a row must be an object")
        return _case(row)
    except (ValueError, TypeError, RecursionError) as error:
        sentence = f"{str(path)!r}, line {number} is not a run of a task: {type(error).__name__}: {error}."
        raise UsageError("bench.malformed", sentence) from error


def _number(digits: str) -> float | int:
    try:
        return kept_number(digits)
    except BudgetError as error:
        if isinf(float(digits)):
            return float(digits)
        raise ValueError(f"{error.sentence} Write the output as text") from None


def _entries(pairs: list[tuple[str, object]]) -> dict[str, object]:
    told = dict(pairs)
    if len(told) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return told


def _case(row: Mapping[str, object]) -> ContractCase:
    for key in row:
        if key not in _FIELDS:
            raise ValueError(f"unknown field {key[:80]!r}. {nearest(key, _FIELDS)}".rstrip(". "))
    expected = row.get("expected")
    if expected is not None and expected not in EXPECTED:
        raise ValueError(f"'expected' is one of {', '.join(EXPECTED)}, not {str(expected)[:80]!r}")
    output, error = row.get("output"), _optional_text(row, "error")
    if output is not None and error is not None:
        raise ValueError("a run has an output or an error, not both")
    task, version = _text(row, "task_id"), _optional_text(row, "contract_version") or "v1"
    given = {"input": row["input"]} if "input" in row else {}
    return ContractCase(
        case_id=_text(row, "case_id"),
        task_id=task,
        contract_version=version,
        output=None if output is None else _spelt(output, "output"),
        request={"kind": "output", "output": output, "contract": f"{task}:{version}", **given},
        error=error,
        attempts=_attempts(row),
        elapsed_seconds=_seconds(row),
        model_id=_optional_text(row, "model_id"),
        is_good=None if expected is None else expected == "pass",
    )


def _spelt(value: object, key: str) -> bytes:
    """Return text as it was written, and any other value as its JSON."""
    return value.encode("utf-8") if isinstance(value, str) else _json(value, key)


def _json(value: object, key: str) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except ValueError as error:
        raise ValueError(f"{key!r} has no JSON form: {error}") from None


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise TypeError(f"{key!r} must be text")
    value.encode("utf-8")
    return value


def _optional_text(row: Mapping[str, object], key: str) -> str | None:
    return None if row.get(key) is None else _text(row, key)


def _attempts(row: Mapping[str, object]) -> int:
    value = row.get("attempts", 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_ATTEMPTS:
        raise ValueError(f"'attempts' must be a whole number from 0 to {_MAX_ATTEMPTS}")
    return value


def _seconds(row: Mapping[str, object]) -> float | None:
    value = row.get("elapsed_seconds")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MAX_SECONDS:
        raise ValueError(f"'elapsed_seconds' must be a number from 0 to {_MAX_SECONDS}")
    return float(value)
