"""One line about an output for records and tables: its kind and size, never what it says.

Names of keys are reported, values never are: a record may travel further than the output.
"""

from __future__ import annotations

from typing import Final

from probatum.contracts.reading import read_output
from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError
from probatum.core.messages import counted

_KEYS_TOLD: Final = 8
_KEY_LENGTH: Final = 40


def output_summary(content: bytes) -> str:
    """Return what kind of value an output is, which keys it has, and how long it is."""
    size = counted(len(content), "byte")
    try:
        read = read_output(content)
    except BudgetError:
        return f"beyond the budget, {size}"
    if not read.is_readable:
        return f"not one JSON value, {size}"
    count = len(read.findings)
    repaired = f", read with {counted(count, 'remark')}" if count else ""
    return f"{_kind(read.value)}, {size}{repaired}"


def _kind(value: JsonValue) -> str:
    if isinstance(value, dict):
        keys = [key if len(key) <= _KEY_LENGTH else key[:_KEY_LENGTH] + "…" for key in list(value)[:_KEYS_TOLD]]
        more = [f"{len(value) - _KEYS_TOLD} more"] if len(value) > _KEYS_TOLD else []
        shown = ", ".join([*map(ascii, keys), *more])
        return f"object with {shown}" if value else "empty object"
    if isinstance(value, list):
        return f"array of {len(value)}"
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    return "string" if isinstance(value, str) else "number"
