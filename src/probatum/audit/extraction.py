"""Claims out of evidence, in its order: declared fields of JSON and tables, declared patterns and labels of text.

Nothing in evidence gives orders: a text claims what a declared field, pattern or label finds in it, and no more.
Refuses to guess: what is declared and cannot be read is a check, never a claim; null claims nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from probatum.audit.claims import (
    BOOLEAN,
    DURATION,
    NUMERIC,
    QUOTATION,
    TEXT,
    TIMESTAMP,
    VERSION,
    Claim,
    ClaimSet,
    claim_id_of,
)
from probatum.audit.contents import ByteOffsets, Content, Steps, content_of
from probatum.audit.declarations import Declarations, DeclaredField, compiled_pattern, declared_for
from probatum.audit.json_paths import JsonPathError, found_at, parsed_path, with_indices
from probatum.audit.reasoning import CheckResult
from probatum.audit.schemas import EvidenceBundle, EvidenceItem, PromptSpec
from probatum.core.errors import BudgetError
from probatum.readers.values import ReadValue, negated_spans, read_values, whole_value

MAX_MATCHES: Final = 100
"""Of one pattern in one item: an engine that starts again after each match would not be linear without it."""
MAX_CLAIMS: Final = 10_000
"""Of one item."""
MAX_TEXT: Final = 500
"""Characters of a text that is claimed."""
_CLAIMED_AS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("number", "percentage", "money"), NUMERIC),
    **{"duration": DURATION, "timestamp": TIMESTAMP, "version": VERSION, "quotation": QUOTATION, "boolean": BOOLEAN},
    "text": TEXT,
}
_PLAIN: Final = ("number", "percentage", "money")
"""As what a whole text is read where no kind is declared."""
_IN_TEXT: Final = ("money", "percentage", "timestamp", "number")
_BETWEEN: Final = r"(?:\s{0,3}(?:[:=|]|(?:is|was|are|were|of|at|stood at|closed at|reached)\b)\s{0,3}|\s{1,3})"


@dataclass(frozen=True, slots=True)
class _Value:
    """One value that was read, where it stands in the original, and the record that it belongs to."""

    field: DeclaredField
    path: str
    kind: str
    value: object
    start: int
    end: int
    unit: str = ""
    steps: Steps | None = None


class ClaimExtractor:
    """Reads claims; the same evidence always claims the same."""

    def extract(self, prompt_spec: PromptSpec, evidence: EvidenceBundle) -> ClaimSet:
        """Return every claim in the order of the evidence, and a check for everything that could not be read."""
        declared = {each.requirement_id: declared_for(prompt_spec, each) for each in prompt_spec.data_requirements}
        claims: list[Claim] = []
        checks: list[CheckResult] = []
        for requirement_id, each in declared.items():
            told = {"requirement_id": requirement_id}
            checks += [CheckResult.failed("declaration.invalid", problem, told) for problem in each.problems]
        seen: set[str] = set()
        for item in evidence.items:
            known = declared.get(item.requirement_id)
            if known is not None and item.is_valid and item.evidence_id not in seen:
                reading = _ItemReading(item, known)
                claims += reading.claims()
                checks += reading.checks
            seen.add(item.evidence_id)
        return ClaimSet(tuple(claims), tuple(checks))


class _ItemReading:
    """The reading of one item, with what could not be read."""

    def __init__(self, item: EvidenceItem, declared: Declarations) -> None:
        self._item: Final = item
        self._declared: Final = declared
        self.checks: Final[list[CheckResult]] = []

    def claims(self) -> list[Claim]:
        try:
            content = content_of(self._item)
            in_json = content.value is not None or content.form in {"json", "csv"}
            values = list((self._of_json if in_json else self._of_text)(content))
            return self._as_claims(content, values)
        except (ValueError, BudgetError) as error:
            sentence = error.sentence if isinstance(error, BudgetError) else str(error)
            self._note(CheckResult.failed, "content.unreadable", f"The content cannot be used: {sentence[:300]}.")
            return []

    def _note(self, kind: Any, check_id: str, message: str, **details: object) -> None:
        self.checks.append(kind(check_id, message, {"evidence_id": self._item.evidence_id, **details}))

    def _of_json(self, content: Content) -> Iterator[_Value]:
        for declared in self._declared.fields:
            if not declared.path:
                continue
            try:
                found = found_at(content.value, declared.path)
            except JsonPathError as error:
                self._note(CheckResult.failed, "declaration.path", str(error), path=declared.path)
                continue
            for steps, indices, value in found:
                path = with_indices(declared.name, indices)
                read = self._scalar(declared, path, value)
                if read is not None:
                    start, end = content.spans[steps]
                    kind, claimed, unit = read
                    yield _Value(declared, path, kind, claimed, start, end, unit, steps)

    def _scalar(self, declared: DeclaredField, path: str, value: object) -> tuple[str, object, str] | None:
        """Return kind, value and unit of what stands in JSON; None where it claims nothing."""
        names = {declared.name, str(parsed_path(declared.path)[-1]) if declared.path else ""}
        is_time = declared.kind == "timestamp" or (not declared.kind and self._declared.timestamp_field in names)
        if value is None or value == "":
            return None
        if isinstance(value, dict | list):
            self._note(CheckResult.warning, "claim.not_scalar", f"{path} is no single value.", path=path)
            return None
        if isinstance(value, bool):
            return BOOLEAN, value, ""
        if isinstance(value, int | float) and not is_time and declared.kind not in {"text", "version"}:
            return (DURATION, value, "s") if declared.kind == "duration" else (NUMERIC, value, declared.unit)
        text = str(value).strip()
        kinds = (declared.kind,) if declared.kind else ("timestamp",) if is_time else _PLAIN
        for kind in kinds:
            too_long = kind == "text" or len(text) > MAX_TEXT
            read = None if too_long else whole_value(text, kind, self._declared.conventions)
            if read is not None:
                return _CLAIMED_AS[kind], _value_of(read), read.unit or declared.unit
        if declared.kind in {"", "text"} and not is_time and len(text) <= MAX_TEXT:
            return TEXT, text, ""
        if self._declared.timestamp_field in names:
            # Told once for the record, whether or not its time is claimed.
            return None
        self._note(CheckResult.warning, "claim.unread", f"{path} is not read as {kinds[0]}.", path=path)
        return None

    def _of_text(self, content: Content) -> Iterator[_Value]:
        text = content.text
        negated = _Scopes(negated_spans(text))
        for declared in self._declared.fields:
            matches = self._matches(declared, text)
            if len(matches) > MAX_MATCHES:
                most = f"{declared.name} matches more than {MAX_MATCHES} times."
                self._note(CheckResult.failed, "claim.too_many", most, path=declared.name)
                continue
            for start, end in matches:
                value = self._in_text(declared, text, start, end, is_negated=start in negated)
                if value is not None:
                    kind, claimed, unit, at, to = value
                    yield _Value(declared, declared.name, kind, claimed, *content.source_span(at, to), unit)

    def _matches(self, declared: DeclaredField, text: str) -> list[tuple[int, int]]:
        """Return where values stand: of a pattern its group, of a label from its end on."""
        if declared.pattern is not None:
            return _spans(declared.pattern, text, declared.group or 0)
        if not declared.label:
            return []
        return [(end, end) for _, end in _spans(_label_pattern(declared.label), text, 0)]

    def _in_text(
        self, declared: DeclaredField, text: str, start: int, end: int, *, is_negated: bool
    ) -> tuple[str, object, str, int, int] | None:
        """Return kind, value, unit and place of what a match claims."""
        if declared.value is not None:
            value: object = declared.value
            if is_negated and not isinstance(value, bool):
                self._note(CheckResult.warning, "claim.negated", f"{declared.name} is negated.", path=declared.name)
                return None
            kind = BOOLEAN if isinstance(value, bool) else NUMERIC if isinstance(value, int | float) else TEXT
            return kind, (value is not is_negated) if isinstance(value, bool) else value, declared.unit, start, end
        if is_negated:
            self._note(CheckResult.warning, "claim.negated", f"{declared.name} is negated.", path=declared.name)
            return None
        if declared.pattern is None:
            return self._after_label(declared, text, start)
        read = self._scalar(declared, declared.name, text[start:end])
        return None if read is None else (*read, start, end)

    def _after_label(self, declared: DeclaredField, text: str, start: int) -> tuple[str, object, str, int, int] | None:
        line = text[start : start + MAX_TEXT + 1].split("\n", maxsplit=1)[0]
        is_time = declared.name == self._declared.timestamp_field
        kinds = (declared.kind,) if declared.kind else ("timestamp",) if is_time else _IN_TEXT
        found = [
            read for kind in kinds if kind != "text" for read in read_values(line, kind, self._declared.conventions)
        ]
        begins = [read for read in found if not line[: read.start].strip()]
        if begins:
            read = max(begins, key=lambda each: each.end)
            return (
                _CLAIMED_AS[read.kind],
                _value_of(read),
                read.unit or declared.unit,
                start + read.start,
                start + read.end,
            )
        # Words say something only where the label introduces them, as in a form or a table.
        said = line.split("\t")[0].strip()
        is_introduced = text[max(0, start - 8) : start].rstrip(" ").endswith((":", "=", "|", "\t"))
        if is_time or not is_introduced or not 0 < len(said) <= MAX_TEXT:
            return None
        at = start + line.index(said)
        truth = whole_value(said, "boolean", self._declared.conventions)
        if truth is not None and declared.kind in {"", "boolean"}:
            return BOOLEAN, truth.value, "", at, at + len(said)
        return (TEXT, said, "", at, at + len(said)) if declared.kind in {"", "text"} else None

    def _as_claims(self, content: Content, values: list[_Value]) -> list[Claim]:
        if len(values) > MAX_CLAIMS:
            raise BudgetError("audit.too_many_claims", f"it makes more than {MAX_CLAIMS:,} claims")
        offsets = ByteOffsets(content.original)
        records = _Records(content.value, self._declared)
        item = self._item
        of_item = _only_time(values, self._declared.timestamp_field)
        found: dict[str, Claim] = {}
        for each in values:
            claim_id = claim_id_of(item.evidence_id, each.path, each.value)
            entity, time = (self._declared.entity, of_item) if each.steps is None else records.about(each.steps)
            place = offsets(each.start), offsets(each.end)
            claim = Claim(
                claim_id,
                each.kind,
                each.path,
                each.value,
                item.evidence_id,
                item.confidence,
                each.unit,
                entity,
                time,
                *place,
            )
            found.setdefault(claim_id, claim)
        if records.unread:
            self._note(CheckResult.failed, "time.unread", f"A time stamp cannot be read: {records.unread[0]}.")
        if not found and not self._declared.are_common:
            self._note(CheckResult.warning, "claim.none", "Nothing that is declared was found in it.")
        return list(found.values())


class _Records:
    """What the record of a value is about, and its time: both stand beside it, or further out."""

    def __init__(self, value: object, declared: Declarations) -> None:
        self._value: Final = value
        self._declared: Final = declared
        self._known: Final[dict[Steps, tuple[str, str]]] = {}
        self.unread: Final[list[str]] = []

    def about(self, steps: Steps) -> tuple[str, str]:
        """Return entity and time."""
        record = steps[:-1]
        if record not in self._known:
            self._known[record] = self._read(record)
        return self._known[record]

    def _read(self, steps: Steps) -> tuple[str, str]:
        levels = [self._value]
        for step in steps:
            levels.append(levels[-1][step])  # type: ignore[index]  # the path led through it
        declared = self._declared
        entity = _nearest(levels, declared.entity_field) if declared.entity_field else None
        stated = _nearest(levels, declared.timestamp_field)
        time = ""
        if stated is not None:
            read = whole_value(str(stated).strip(), "timestamp", declared.conventions)
            if read is None:
                self.unread.append(repr(str(stated)[:40]))
            # What is no time is the same as no other time, and not as if none had been told.
            time = str(stated)[:40] if read is None else str(read.value)
        return declared.entity if entity is None else str(entity), time


class _Scopes:
    """Stretches of a text that may lie in each other."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts: Final = [start for start, _ in spans]
        self._ends: Final = list(accumulate((end for _, end in spans), max))

    def __contains__(self, place: int) -> bool:
        before = bisect_left(self._starts, place)
        return before > 0 and self._ends[before - 1] > place


def _nearest(levels: list[object], key: str) -> object:
    for level in reversed(levels):
        if isinstance(level, dict) and level.get(key) is not None:
            return level[key]
    return None


def _only_time(values: list[_Value], name: str) -> str:
    times = {str(each.value) for each in values if each.kind == TIMESTAMP and each.field.name == name}
    return times.pop() if len(times) == 1 else ""


def _value_of(read: ReadValue) -> object:
    return read.value if read.high is None else [read.value, read.high]


def _spans(pattern: Any, text: str, group: int | str) -> list[tuple[int, int]]:
    """Return where a group of a pattern matches, one match too many where there are more than are read."""
    found: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        if match.start(group) >= 0:
            found.append(match.span(group))
        if len(found) > MAX_MATCHES:
            break
    return found


@lru_cache(maxsize=256)
def _label_pattern(label: str) -> Any:
    words = r"\s+".join(re.escape(word) for word in label.split())
    # At the beginning of what is said, so that "previous price" is not read as "price".
    return compiled_pattern(rf"(?i)(?:^|[\n\t.;:|,(>•*–—-])\s*(?:the\s+|its\s+)?{words}{_BETWEEN}")
