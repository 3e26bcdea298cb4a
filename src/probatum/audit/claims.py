"""Claims: what evidence says, each with the item that says it and the bytes where it stands.

Refuses nothing that somebody claims: whether claims agree, and whether they may be used, is judged elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from probatum.audit.canonical import plain
from probatum.audit.reasoning import CheckResult
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.frozen import freeze
from probatum.core.shape import Shape
from probatum.core.tagged import tagged, untagged

NUMERIC: Final = "numeric"
BOOLEAN: Final = "boolean"
TEXT: Final = "text_assertion"
TIMESTAMP: Final = "timestamp"
DURATION: Final = "duration"
VERSION: Final = "version"
_MORE: Final = ("unit", "entity", "time", "status")


@dataclass(frozen=True, slots=True)
class Claim:
    """One value that an item states."""

    claim_id: str
    kind: str
    # The JSON path of the value, or the name of what was declared for text.
    path: str
    # A number, a truth value or a text; a list of its two ends for a range.
    value: object
    evidence_id: str
    confidence: float = 1.0
    # What a number is counted in; a duration is in seconds.
    unit: str = ""
    # What the record is about, the time that it speaks of, in UTC, and how final it is; empty where it does not say.
    entity: str = ""
    time: str = ""
    status: str = ""
    # Byte offsets into the item's original bytes: where it stands is not what it says.
    start: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", freeze(plain(self.value)))

    @property
    def told(self) -> str:
        """The value as a sentence tells it, with its unit."""
        value = written(self.value)
        return f"{str(value).lower() if isinstance(value, bool) else value} {self.unit}".rstrip()

    def to_json(self) -> dict[str, JsonValue]:
        """Return the claim as plain data, without what is empty."""
        told: dict[str, JsonValue] = {
            "claim_id": self.claim_id,
            "kind": self.kind,
            "path": self.path,
            "value": written(self.value),
            "evidence_id": self.evidence_id,
            "confidence": written(self.confidence),
        }
        more = {key: getattr(self, key) for key in _MORE}
        told.update({key: text for key, text in more.items() if text})
        if self.start >= 0:
            told["span"] = [self.start, self.end]
        return told

    @classmethod
    def from_json(cls, told: Mapping[str, object]) -> Claim:
        """Read a claim back; raises ValueError for what `to_json` does not write."""
        shape = Shape(dict(told), "claim").exactly(
            *("claim_id", "kind", "path", "value", "evidence_id", "confidence", "span"),
            may=_MORE,
        )
        start, end = (each.whole(None, 0) for each in shape.items("span", 2, 2))
        texts = {key: shape.text(key) for key in ("claim_id", "kind", "path", "evidence_id")}
        more = {key: shape.text(key) for key in _MORE if shape.has(key)}
        confidence = float(shape.number("confidence"))
        return cls(value=untagged(shape.raw("value")), confidence=confidence, start=start, end=end, **texts, **more)


def written(value: object) -> JsonValue:
    """Return a claim's value as canonical JSON can hold it: what it cannot hold is tagged."""
    try:
        canonical_bytes(value)
    except ValueError:
        return tagged(value)
    return value  # type: ignore[return-value]  # it has a canonical form


def claim_id_of(evidence_id: str, path: str, value: object) -> str:
    """Return the id of a claim, which follows from what is claimed where (requirement document, section 8)."""
    content = evidence_id.encode() + b"|" + path.encode() + b"|" + canonical_bytes(written(value))
    return f"cl_{hashlib.sha256(content).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """Claims in the order of the evidence, and what could not be read."""

    claims: tuple[Claim, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    _of_items: Mapping[str, tuple[Claim, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", tuple(self.claims))
        object.__setattr__(self, "checks", tuple(self.checks))
        object.__setattr__(self, "_of_items", _grouped(self.claims))

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def by_kind(self, kind: str) -> list[Claim]:
        """Return the claims of one kind, in order."""
        return [claim for claim in self.claims if claim.kind == kind]

    def by_evidence_id(self, evidence_id: str) -> list[Claim]:
        """Return what one item claims, in order."""
        return list(self._of_items.get(evidence_id, ()))


def _grouped(claims: Iterable[Claim]) -> dict[str, tuple[Claim, ...]]:
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.evidence_id, []).append(claim)
    return {evidence_id: tuple(each) for evidence_id, each in found.items()}
