"""Claims out of evidence, in its order: declared fields of JSON and tables, declared patterns and labels of text.

Nothing in evidence gives orders: a text claims what a declared field, pattern or label finds in it, and no more.
Refuses to guess: what is declared and cannot be read is a check, never a claim; null claims nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

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
from probatum.audit.declarations import DEFAULT_TIMESTAMP, Declarations, DeclaredField, compiled_pattern, declared_for
from probatum.audit.json_paths import JsonPathError, found_at, parsed_path, with_indices
from probatum.audit.reasoning import CheckResult
from probatum.audit.schemas import EvidenceBundle, EvidenceItem, PromptSpec
from probatum.audit.units import convert
from probatum.core.errors import BudgetError
from probatum.core.messages import listed
from probatum.readers.values import ReadValue, negated_spans, read_values, whole_value

LABEL: Final = 1
"""The group of a label in its pattern."""
MAX_MATCHES: Final = 100
"""Of one pattern in one item: an engine that starts again after each match would not be linear without it."""
MAX_CLAIMS: Final = 10_000
"""Of one item."""
MAX_DIGITS: Final = 15
"""Of a number in text: so many are kept as they are written."""
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
_BETWEEN: Final = r"(?:\s{0,3}(?:[:=|]|(?:is|was|are|were|of|stood at|closed at|reached)\b)\s{0,3}|\s{1,3})"
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SAYS_MORE: Final = re.compile(r"[^\s.;:|•*>()\[\]^–—-]|\.\.")
"""Anything but white space and what sets lines off."""
_UNIT_KEYS: Final = ("currency", "ccy", "unit", "units")
_ARTICLES: Final = re.compile(r"\b(?:the|an?|its)\b", re.IGNORECASE)


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
            checks += [CheckResult.warning("declaration.unknown", remark, told) for remark in each.remarks]
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
            if _is_other_content(self._item):
                self._note(CheckResult.warning, "content.hash", "Its content is another one than its hash says.")
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
        if isinstance(value, int | float) and not is_time and declared.kind != "text":
            if declared.kind not in {"duration", "version"}:
                return NUMERIC, value, declared.unit
            if declared.kind == "duration" and declared.unit in {"", "s"}:
                return DURATION, value, "s"
            # 1.10 and 1.1 are one number and two versions; minutes are written as "90 minutes".
            self._note(CheckResult.warning, "claim.unread", f"{path} is a number, no {declared.kind}.", path=path)
            return None
        text = str(value).strip()
        kinds = (declared.kind,) if declared.kind else ("timestamp",) if is_time else _PLAIN
        for kind in kinds:
            too_long = kind == "text" or len(text) > MAX_TEXT
            read = None if too_long else whole_value(text, kind, self._declared.conventions)
            if read is not None:
                return _CLAIMED_AS[kind], _value_of(read), self._unit(declared, read, text)
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
        for declared in (*self._declared.fields, *self._implied_time()):
            found = self._matches(declared, text)
            if len(found) > MAX_MATCHES:
                most = f"{declared.name} matches more than {MAX_MATCHES} times."
                self._note(CheckResult.failed, "claim.too_many", most, path=declared.name)
                continue
            read: list[tuple[int, int]] = []
            for match in found:
                if match.start in negated:
                    self._note(CheckResult.warning, "claim.negated", f"{declared.name} is negated.", path=declared.name)
                    continue
                value = self._in_text(declared, text, match)
                if value is not None:
                    kind, claimed, unit, at, to = value
                    read.append((min(match.start, at), max(match.end, to)))
                    yield _Value(declared, declared.name, kind, claimed, *content.source_span(at, to), unit)
            self._note_context(declared, content, read, negated)

    def _implied_time(self) -> list[DeclaredField]:
        """Return the field of the time stamp, where it is not declared: a text may tell it under its name."""
        name = self._declared.timestamp_field
        is_declared = any(each.name == name and (each.label or each.pattern) for each in self._declared.fields)
        return [] if is_declared else [DeclaredField(name, label=name.replace("_", " "), kind="timestamp")]

    def _matches(self, declared: DeclaredField, text: str) -> list[_Match]:
        """Return where a field stands, with where its value does: of a label that is what follows it."""
        if declared.pattern is not None:
            return _matches(declared.pattern, text, declared.group or 0)
        pattern = _label_pattern(declared.label) if declared.label else None
        return [] if pattern is None else [each._replace(at=each.end) for each in _matches(pattern, text, LABEL, LABEL)]

    def _in_text(self, declared: DeclaredField, text: str, match: _Match) -> tuple[str, object, str, int, int] | None:
        """Return kind, value, unit and place of what a match claims."""
        value = declared.value
        if value is not None:
            kind = BOOLEAN if isinstance(value, bool) else NUMERIC if isinstance(value, int | float) else TEXT
            return kind, value, declared.unit, match.start, match.end
        if declared.pattern is None:
            return self._after_label(declared, text, match.at)
        read = self._scalar(declared, declared.name, text[match.at : match.to])
        return None if read is None else (*read, match.at, match.to)

    def _note_context(
        self, declared: DeclaredField, content: Content, read: list[tuple[int, int]], negated: _Scopes
    ) -> None:
        """Tell where a text says more than what was declared: nobody here knows what the rest of a line makes of it."""
        text, doubt = content.text, ""
        for start, end in read:
            line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
            rest = text[line_start:start] + text[end : len(text) if line_end < 0 else line_end]
            if _SAYS_MORE.search(_ARTICLES.sub("", rest)):
                doubt = "its line says more than what is declared"
            if start > line_start - 2 and negated.meets(text.rfind("\n", 0, max(line_start - 1, 0)) + 1, line_start):
                doubt = "the line before denies something"
            if any(low < end and start < high for low, high in content.doubtful):
                doubt = "it may not be shown as it is read"
        if declared.pattern is None and declared.label:
            mentions = len(_mention_pattern(declared.label).findall(_without_hidden(text)))
            if mentions > len(read):
                doubt = "it is mentioned where no value is read"
            elif _mention_pattern(declared.label).search(_without_hidden(content.left_out)):
                doubt = "it is mentioned in what a page hides"
        if doubt and not (declared.kind == "timestamp" and not read):
            self._note(CheckResult.warning, "claim.context", f"{declared.name}: {doubt}.", path=declared.name)

    def _after_label(self, declared: DeclaredField, text: str, start: int) -> tuple[str, object, str, int, int] | None:
        line = text[start : start + MAX_TEXT + 1].split("\n", 1)[0]
        is_time = declared.name == self._declared.timestamp_field
        kinds = (declared.kind,) if declared.kind else ("timestamp",) if is_time else _IN_TEXT
        found = [
            read for kind in kinds if kind != "text" for read in read_values(line, kind, self._declared.conventions)
        ]
        begins = [read for read in found if not line[: read.start].strip()]
        if begins:
            read = max(begins, key=lambda each: each.end)
            place = start + read.start, start + read.end
            return _CLAIMED_AS[read.kind], _value_of(read), self._unit(declared, read, line), *place
        # Words say something only where the label introduces them, as in a form or a table.
        said = line.split("\t")[0].strip()
        is_introduced = text[max(0, start - 8) : start].rstrip(" ").endswith((":", "=", "|", "\t"))
        if not is_introduced or not 0 < len(said) <= MAX_TEXT:
            return None
        if is_time:
            self._note(CheckResult.failed, "time.unread", f"A time stamp cannot be read: {said[:40]!r}.")
            return None
        at = start + line.index(said)
        truth = whole_value(said, "boolean", self._declared.conventions)
        if truth is not None and declared.kind in {"", "boolean"}:
            return BOOLEAN, truth.value, "", at, at + len(said)
        return (TEXT, said, "", at, at + len(said)) if declared.kind in {"", "text"} else None

    def _unit(self, declared: DeclaredField, read: ReadValue, text: str) -> str:
        """Return the unit that was written, else the declared one; tell where the two do not go together."""
        if sum(map(str.isdigit, text[read.start : read.end])) > MAX_DIGITS and not isinstance(read.value, str):
            told = f"{declared.name} has more digits than are compared."
            self._note(CheckResult.warning, "claim.unread", told, path=declared.name)
        if read.unit and declared.unit and convert(Fraction(1), read.unit, declared.unit) is None:
            told = f"{declared.name} is in {read.unit}, and declared in {declared.unit}."
            self._note(CheckResult.warning, "claim.unit", told, path=declared.name)
        return read.unit or declared.unit

    def _as_claims(self, content: Content, values: list[_Value]) -> list[Claim]:
        if len(values) > MAX_CLAIMS:
            raise BudgetError("audit.too_many_claims", f"it makes more than {MAX_CLAIMS:,} claims")
        offsets = ByteOffsets(content.original)
        records = _Records(content.value, self._declared)
        item = self._item
        times = _times(values, self._declared.timestamp_field)
        of_item = times[0] if len(times) == 1 else ""
        if len(times) > 1 and content.form in {"text", "html"}:
            told = f"It tells several times: {listed(times, 3)}."
            self._note(CheckResult.warning, "claim.times", told)
        found: dict[tuple[str, str], Claim] = {}
        for each in values:
            claim_id = claim_id_of(item.evidence_id, each.path, each.value)
            entity, time = (self._declared.entity, of_item) if each.steps is None else records.about(each.steps)
            place = offsets(each.start), offsets(each.end)
            if each.steps is not None and records.is_counted_otherwise(each.steps, each.unit):
                self._note(CheckResult.warning, "claim.unit", f"What {each.path} is counted in stands beside it.")
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
            found.setdefault((claim_id, each.unit), claim)
        if records.unread:
            self._note(CheckResult.failed, "time.unread", f"A time stamp cannot be read: {records.unread[0]}.")
        if records.is_incomplete:
            self._note(
                CheckResult.warning,
                "claim.record",
                "It does not tell what it is about, or when, where that is declared.",
            )
        self._note_other_reading(found.values())
        if not found and not self._declared.are_common:
            self._note(CheckResult.warning, "claim.none", "Nothing that is declared was found in it.")
        return list(found.values())

    def _note_other_reading(self, claims: Iterable[Claim]) -> None:
        """Tell where the collector read something else than what stands in the content."""
        item = self._item
        parsed = item.parsed_value if item.raw_content is not None and isinstance(item.parsed_value, dict) else {}
        others = {**parsed, **item.extracted_fields} if (item.raw_content or item.parsed_value is not None) else {}
        for claim in claims:
            declared = self._declared.field_of(claim.path)
            if claim.path in others and declared is not None:
                read = self._scalar(declared, claim.path, others[claim.path])
                if read is None or read[1] != claim.value:
                    told = f"The collector read something else for {claim.path}."
                    self._note(CheckResult.warning, "content.otherwise", told, path=claim.path)


def _is_other_content(item: EvidenceItem) -> bool:
    """Return whether the hash of the content is told, as SHA-256 in hexadecimal digits, and is another one."""
    told = (item.provenance.content_hash or "").lower().removeprefix("sha256:").removeprefix("0x")
    if item.raw_content is None or not _HASH.fullmatch(told):
        return False
    return hashlib.sha256(item.raw_content.encode()).hexdigest() != told


class _Records:
    """What the record of a value is about, and its time: both stand beside it, or further out."""

    def __init__(self, value: object, declared: Declarations) -> None:
        self._value: Final = value
        self._declared: Final = declared
        self._known: Final[dict[Steps, tuple[str, str]]] = {}
        self.unread: Final[list[str]] = []
        self.is_incomplete = False

    def about(self, steps: Steps) -> tuple[str, str]:
        """Return entity and time."""
        record = steps[:-1]
        if record not in self._known:
            self._known[record] = self._read(record)
        return self._known[record]

    def is_counted_otherwise(self, steps: Steps, unit: str) -> bool:
        """Return whether a unit or a currency stands beside a value that is not the one it is claimed in."""
        record = self._value
        for step in steps[:-1]:
            record = record[step]  # type: ignore[index]  # the path led through it
        beside = [record.get(key) for key in _UNIT_KEYS] if isinstance(record, dict) else []
        return any(isinstance(each, str) and each.strip() not in {"", unit} for each in beside)

    def _read(self, steps: Steps) -> tuple[str, str]:
        levels = [self._value]
        for step in steps:
            levels.append(levels[-1][step])  # type: ignore[index]  # the path led through it
        declared = self._declared
        entity = _nearest(levels, declared.entity_field) if declared.entity_field else None
        stated = _nearest(levels, declared.timestamp_field)
        time = ""
        if (stated is None and declared.timestamp_field != DEFAULT_TIMESTAMP) or (
            entity is None and declared.entity_field
        ):
            self.is_incomplete = True
        if stated is not None:
            read = whole_value(str(stated).strip(), "timestamp", declared.conventions)
            if read is not None and read.high is not None:
                # Which moment of the range a value is of is not said.
                read = None
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

    def meets(self, start: int, end: int) -> bool:
        """Return whether one of them begins here."""
        return bisect_left(self._starts, start) < bisect_left(self._starts, end)

    def __contains__(self, place: int) -> bool:
        before = bisect_left(self._starts, place)
        return before > 0 and self._ends[before - 1] > place


def _nearest(levels: list[object], key: str) -> object:
    for level in reversed(levels):
        if isinstance(level, dict) and level.get(key) is not None:
            return level[key]
    return None


def _times(values: list[_Value], name: str) -> list[str]:
    told = (str(each.value) for each in values if each.kind == TIMESTAMP and each.field.name == name)
    return list(dict.fromkeys(told))


def _value_of(read: ReadValue) -> object:
    return read.value if read.high is None else [read.value, read.high]


class _Match(NamedTuple):
    """Where something declared stands, and within it where its value does."""

    start: int
    end: int
    at: int
    to: int


def _matches(pattern: Any, text: str, group: int, begins: int = 0) -> list[_Match]:
    """Return where a pattern and a group of it match, one match too many where there are more than are read.

    ``begins`` is the group with which what is declared begins.
    """
    found: list[_Match] = []
    for match in pattern.finditer(text):
        start = match.start(begins)
        if match.start(group) >= 0 and match.end() > start:
            found.append(_Match(start, match.end(), *match.span(group)))
        if len(found) > MAX_MATCHES:
            break
    return found


def _without_hidden(text: str) -> str:
    """Return text without signs that nobody sees, and with look-alikes as what they look like."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")


@lru_cache(maxsize=256)
def _label_pattern(label: str) -> Any:
    # At the beginning of what is said, so that "previous price" is not read as "price".
    return compiled_pattern(rf"(?i)(?:^|[\n\t.;:|,(>•*–—-])\s*((?:the\s+|its\s+)?{_words(label)}){_BETWEEN}")


@lru_cache(maxsize=256)
def _mention_pattern(label: str) -> Any:
    return compiled_pattern(rf"(?i)(?:^|[^\pL\pN_]){_words(label)}(?:[^\pL\pN_]|$)")


def _words(label: str) -> str:
    return r"\s+".join(re.escape(word) for word in label.split())
