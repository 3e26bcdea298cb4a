"""Claims out of evidence, in its order: declared fields of JSON and tables, declared keys and patterns of text.

Nothing in evidence gives orders: a text claims what a declared field, pattern or label finds in it, and no more.
Refuses to guess: what is declared and cannot be read is a check, never a claim; null claims nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from probatum.audit.claims import (
    TIMESTAMP,
    Claim,
    ClaimSet,
    claim_id_of,
)
from probatum.audit.contents import ByteOffsets, Content, content_of
from probatum.audit.declarations import DEFAULT_TIMESTAMP, EvidenceDeclarations, declared_for
from probatum.audit.json_paths import JsonPathError, Steps, found_at, with_indices
from probatum.audit.reasoning import CheckResult
from probatum.audit.schemas import EvidenceBundle, EvidenceItem, PromptSpec
from probatum.audit.single_values import FoundValue
from probatum.audit.text_values import TextReader
from probatum.core.errors import BudgetError
from probatum.core.messages import listed
from probatum.readers.values import read_values, whole_value

MAX_CLAIMS: Final = 10_000
"""Of one item."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_UNIT_KEYS: Final = ("currency", "ccy", "unit", "units")


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


class _ItemReading(TextReader):
    """The reading of one item, with what could not be read."""

    def claims(self) -> list[Claim]:
        try:
            content = content_of(self.item, self.declared.delimiter, self.declared.quote)
            if _is_other_content(self.item):
                self.note(CheckResult.warning, "content.hash", "Its content is another one than its hash says.")
            in_json = content.value is not None or content.form in {"json", "csv"}
            values = list((self._of_json if in_json else self.of_text)(content))
            return self._as_claims(content, values)
        except (ValueError, BudgetError) as error:
            sentence = error.sentence if isinstance(error, BudgetError) else str(error)
            self.note(CheckResult.failed, "content.unreadable", f"The content cannot be used: {sentence[:300]}.")
            return []

    def _of_json(self, content: Content) -> Iterator[FoundValue]:
        for declared in self.declared.reads:
            if not declared.path:
                continue
            try:
                found = found_at(content.value, declared.path)
            except JsonPathError as error:
                self.note(CheckResult.failed, "declaration.path", str(error), path=declared.path)
                continue
            for steps, indices, value in found:
                path = with_indices(declared.name, indices)
                read = self.scalar(declared, path, value)
                if read is not None:
                    start, end = content.spans[steps]
                    kind, claimed, unit = read
                    yield FoundValue(declared, path, kind, claimed, start, end, unit, steps)

    def _as_claims(self, content: Content, values: list[FoundValue]) -> list[Claim]:
        if len(values) > MAX_CLAIMS:
            raise BudgetError("audit.too_many_claims", f"it makes more than {MAX_CLAIMS:,} claims")
        offsets = ByteOffsets(content.original)
        records = _Records(content.value, self.declared)
        item = self.item
        about = self._about_text(content, values) if content.form in {"text", "html"} else _About()
        implied = self.implied
        found: dict[tuple[str, str], Claim] = {}
        for each in values:
            if each.field in implied and each.kind != TIMESTAMP:
                # Says what the others are about.
                continue
            claim_id = claim_id_of(item.evidence_id, each.path, each.value)
            if each.steps is not None and records.is_counted_otherwise(each.steps, each.unit):
                self.note(CheckResult.warning, "claim.unit", f"{each.path} has another unit beside it.")
            claim = Claim(
                claim_id,
                each.kind,
                each.path,
                each.value,
                item.evidence_id,
                item.confidence,
                each.unit,
                *(about if each.steps is None else records.about(each.steps)),
                offsets(each.start),
                offsets(each.end),
            )
            found.setdefault((claim_id, each.unit), claim)
        if records.unread:
            self.note(CheckResult.failed, "time.unread", f"A time stamp cannot be read: {records.unread[0]}.")
        if records.is_incomplete:
            self._note_record()
        self._note_other_reading(found.values())
        if not found and not self.declared.are_common:
            self.note(CheckResult.warning, "claim.none", "Nothing that is declared was found in it.")
        return list(found.values())

    def _about_text(self, content: Content, values: list[FoundValue]) -> _About:
        """Return what all values of a text are about; what it tells twice it does not tell."""
        declared = self.declared
        names = declared.entity_field, declared.timestamp_field, declared.status_key
        told = [list(dict.fromkeys(str(each.value) for each in values if each.field.name == name)) for name in names]
        entity, time, status = (each[0] if len(each) == 1 else "" for each in told)
        if values and ((declared.entity_field and not entity) or (declared.status_key and not status)):
            self._note_record()
        if values and not time:
            read = (str(each.value) for each in read_values(content.text, "timestamp", declared.conventions))
            claimed = {str(each.value) for each in values if each.field.name != declared.timestamp_field}
            open_times = [each for each in dict.fromkeys(read) if each not in claimed]
            if open_times:
                sentence = f"It names times, and not which of them counts: {listed(open_times, 3)}."
                self.note(CheckResult.warning, "claim.times", sentence)
        return _About(entity or declared.entity, time, status)

    def _note_record(self) -> None:
        missing = "It does not say what it is about, when, or how final it is, where that is declared."
        self.note(CheckResult.warning, "claim.record", missing)

    def _note_other_reading(self, claims: Iterable[Claim]) -> None:
        """Tell where the collector read something else than what stands in the content."""
        item = self.item
        parsed = item.parsed_value if item.raw_content is not None and isinstance(item.parsed_value, dict) else {}
        others = {**parsed, **item.extracted_fields} if (item.raw_content or item.parsed_value is not None) else {}
        for claim in claims:
            declared = self.declared.field_of(claim.path)
            if claim.path in others and declared is not None:
                read = self.scalar(declared, claim.path, others[claim.path])
                if read is None or read[1] != claim.value:
                    told = f"The collector read something else for {claim.path}."
                    self.note(CheckResult.warning, "content.otherwise", told, path=claim.path)


def _is_other_content(item: EvidenceItem) -> bool:
    """Return whether the hash of the content is told, as SHA-256 in hexadecimal digits, and is another one."""
    told = (item.provenance.content_hash or "").lower().removeprefix("sha256:").removeprefix("0x")
    if item.raw_content is None or not _HASH.fullmatch(told):
        return False
    return hashlib.sha256(item.raw_content.encode()).hexdigest() != told


class _About(NamedTuple):
    """What a value is about, in the order in which a claim has it."""

    entity: str = ""
    time: str = ""
    status: str = ""


class _Records:
    """What the record of a value is about, its time and its status: beside the value, or further out."""

    def __init__(self, value: object, declared: EvidenceDeclarations) -> None:
        self._value: Final = value
        self.declared: Final = declared
        self._known: Final[dict[Steps, _About]] = {}
        self.unread: Final[list[str]] = []
        self.is_incomplete = False

    def about(self, steps: Steps) -> _About:
        """Return what the record of a value says of itself."""
        record = steps[:-1]
        if record not in self._known:
            self._known[record] = self._read(record)
        return self._known[record]

    def is_counted_otherwise(self, steps: Steps, unit: str) -> bool:
        """Return whether a unit or a currency is beside a value that is not the one it is claimed in."""
        record = self._value
        for step in steps[:-1]:
            record = record[step]  # type: ignore[index]  # the path led through it
        beside = [record.get(key) for key in _UNIT_KEYS] if isinstance(record, dict) else []
        return any(isinstance(each, str) and each.strip() not in {"", unit} for each in beside)

    def _read(self, steps: Steps) -> _About:
        levels = [self._value]
        for step in steps:
            levels.append(levels[-1][step])  # type: ignore[index]  # the path led through it
        declared = self.declared
        names = declared.entity_field, declared.timestamp_field
        entity, stated = (_nearest(levels, name) if name else None for name in names)
        # A record is withheld with what it is a part of.
        told = _levelled(levels, declared.status_key) if declared.status_key else []
        status = next((each for each in told if declared.is_withheld(str(each))), told[0] if told else None)
        if (
            any(isinstance(each, dict | list) or not str(each).strip() for each in told)
            or (stated is None and declared.timestamp_field != DEFAULT_TIMESTAMP)
            or (entity is None and declared.entity_field)
            or (status is None and declared.status_key)
        ):
            self.is_incomplete = True
        time = "" if stated is None else self._time(stated)
        return _About(declared.entity if entity is None else str(entity), time, "" if status is None else str(status))

    def _time(self, stated: object) -> str:
        read = whole_value(str(stated).strip(), "timestamp", self.declared.conventions)
        if read is None or read.high is not None:
            # Which moment of a range a value is of is not said.
            self.unread.append(repr(str(stated)[:40]))
            # What is no time is the same as no other time, and not as if there were none.
            return str(stated)[:40]
        return str(read.value)


def _nearest(levels: list[object], key: str) -> object:
    return next(iter(_levelled(levels, key)), None)


def _levelled(levels: list[object], key: str) -> list[object]:
    """Return what a key holds at each level that has it, the innermost first."""
    return [each[key] for each in reversed(levels) if isinstance(each, dict) and each.get(key) is not None]
