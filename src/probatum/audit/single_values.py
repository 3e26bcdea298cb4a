"""One value at a time: what stands at a place of evidence, as the kind that is declared or that it shows.

Refuses to guess: what is declared and cannot be read is noted, never claimed; null claims nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from probatum.audit.claims import BOOLEAN, DURATION, NUMERIC, TEXT, TIMESTAMP, VERSION
from probatum.audit.declarations import DeclaredField, EvidenceDeclarations
from probatum.audit.extras import Code
from probatum.audit.json_paths import Steps, parsed_path
from probatum.audit.reasoning import CheckResult
from probatum.audit.schemas import EvidenceItem
from probatum.audit.units import convert
from probatum.readers.values import ReadValue, whole_value

MAX_DIGITS: Final = 15
"""Of a number in text: so many are kept as they are written."""
MAX_TEXT: Final = 500
"""Characters of a text that is claimed."""
CLAIMED_AS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("number", "percentage", "money"), NUMERIC),
    **{"duration": DURATION, "timestamp": TIMESTAMP, "version": VERSION, "boolean": BOOLEAN},
    "text": TEXT,
}
_PLAIN: Final = ("number", "percentage", "money")
"""As what a whole text is read where no kind is declared."""
_COMMON_CODES: Final = (-999, -9999, 9999)
"""Often stand for a missing value."""


@dataclass(frozen=True, slots=True)
class FoundValue:
    """One value that was read, where it stands in the original, and the record that it belongs to."""

    field: DeclaredField
    path: str
    kind: str
    value: object
    start: int
    end: int
    unit: str = ""
    steps: Steps | None = None


class ItemReader:
    """Reads values of one item, and notes what could not be read."""

    def __init__(self, item: EvidenceItem, declared: EvidenceDeclarations) -> None:
        """Keep the item and what is declared for it."""
        self.item: Final = item
        self.declared: Final = declared
        self.checks: Final[list[CheckResult]] = []

    def note(self, kind: Any, check_id: str, message: str, **details: object) -> None:
        """Note something about the item."""
        self.checks.append(kind(check_id, message, {"evidence_id": self.item.evidence_id, **details}))

    def scalar(self, declared: DeclaredField, path: str, value: object) -> tuple[str, object, str] | None:
        """Return kind, value and unit of what stands in JSON; None where it claims nothing."""
        names = {declared.name, str(parsed_path(declared.path)[-1]) if declared.path else ""}
        is_time = declared.kind == "timestamp" or (not declared.kind and self.declared.timestamp_field in names)
        codes = self.declared.missing if declared.missing is None else declared.missing
        if value is None or value == "" or _is_among(codes or (), value):
            return None
        if isinstance(value, dict | list):
            self.note(CheckResult.warning, "claim.not_scalar", f"{path} is not a single value.", path=path)
            return None
        if isinstance(value, bool):
            return BOOLEAN, value, ""
        if isinstance(value, int | float) and not is_time and declared.kind != "text":
            if declared.kind not in {"duration", "version"}:
                if codes is None:
                    self._note_code(path, value)
                return NUMERIC, value, declared.unit
            if declared.kind == "duration" and declared.unit in {"", "s"}:
                return DURATION, value, "s"
            # 1.10 and 1.1 are one number and two versions; minutes are written as "90 minutes".
            self.note(CheckResult.warning, "claim.unread", f"{path} is a number, no {declared.kind}.", path=path)
            return None
        text = str(value).strip()
        counted = self._in_declared_unit(declared, text)
        if counted is not None:
            return self.scalar(declared, path, counted)
        kinds = (declared.kind,) if declared.kind else ("timestamp",) if is_time else _PLAIN
        for kind in kinds:
            too_long = kind == "text" or len(text) > MAX_TEXT
            read = None if too_long else whole_value(text, kind, self.declared.conventions)
            if read is not None and read.high is None and _is_among(codes or (), read.value):
                return None
            if read is not None:
                if codes is None:
                    self._note_code(path, read.value)
                return CLAIMED_AS[kind], value_of_read(read), self.unit(declared, read, text)
        if declared.kind in {"", "text"} and not is_time and len(text) <= MAX_TEXT:
            return TEXT, text, ""
        if self.declared.timestamp_field in names:
            # Told once for the record, whether or not its time is claimed.
            return None
        self.note(CheckResult.warning, "claim.unread", f"{path} is not read as {kinds[0]}.", path=path)
        return None

    def _in_declared_unit(self, declared: DeclaredField, text: str) -> int | float | None:
        """Return the number before the declared unit, where a text is both: 273 K, and 273K too."""
        amount = text.removesuffix(declared.unit).rstrip()
        is_counted = declared.unit and amount != text and amount[-1:].isdigit() and declared.kind in {"", "number"}
        read = whole_value(amount, "number", self.declared.conventions) if is_counted else None
        if read is None or read.high is not None or read.unit or sum(map(str.isdigit, amount)) > MAX_DIGITS:
            return None
        return read.value if isinstance(read.value, int | float) else None

    def _note_code(self, path: str, value: object) -> None:
        if _is_among(_COMMON_CODES, value):
            told = f"{path} is {value}, often a code for a missing value. Declare missing: [{value}], or [] if not."
            self.note(CheckResult.warning, "claim.missing_code", told, path=path)

    def unit(self, declared: DeclaredField, read: ReadValue, text: str) -> str:
        """Return the unit that was written, else the declared one; tell where the two do not go together."""
        if sum(map(str.isdigit, text[read.start : read.end])) > MAX_DIGITS and not isinstance(read.value, str):
            told = f"{declared.name} has more digits than are compared."
            self.note(CheckResult.warning, "claim.unread", told, path=declared.name)
        if read.unit and declared.unit and convert(Fraction(1), read.unit, declared.unit) is None:
            told = f"{declared.name} is in {read.unit}, and declared in {declared.unit}."
            self.note(CheckResult.warning, "claim.unit", told, path=declared.name)
        if read.unit == "K" and not declared.unit:
            told = f"{declared.name} is in kelvins or in thousands: declare its unit."
            self.note(CheckResult.warning, "claim.unit", told, path=declared.name)
        return read.unit or declared.unit


def _is_among(codes: Sequence[Code], value: object) -> bool:
    """Return whether a value is a code that stands for a missing one: the same text or number; true is no number."""
    return not isinstance(value, bool) and any(_as_code(value) == _as_code(code) for code in codes)


def _as_code(value: object) -> object:
    """Return a number for a text that is one, so that -999.00 is -999."""
    read = whole_value(value, "number") if isinstance(value, str) else None
    return read.value if read is not None and read.high is None else value.strip() if isinstance(value, str) else value


def value_of_read(read: ReadValue) -> object:
    """Return a value, or the two ends of a range."""
    return read.value if read.high is None else [read.value, read.high]
