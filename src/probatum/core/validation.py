"""The result of a validation: may an output be accepted, with every issue that was found.

The values of the ValidationResult schema, as a judge gives them and a client reads them. Absent optionals are left out
of the JSON, never null. Refuses a score that is not finite or not in [0, 1], an issue whose message nobody could use,
and ``valid`` beside an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.finding import Severity
from probatum.core.frozen import FrozenDict, frozen_dict, thaw
from probatum.core.shape import RARE, Shape, json_of

LEAST_TEXT: Final = 10
MOST_TEXT: Final = 500
"""Characters of a message or a suggestion."""


class IssueType(StrEnum):
    """What an issue is about; the vocabulary is open, these are the types that the judge and its advisors use."""

    SCHEMA_VIOLATION = "schema_violation"
    MISSING_FIELD = "missing_field"
    INVALID_TYPE = "invalid_type"
    CONSTRAINT_VIOLATION = "constraint_violation"
    CRITERIA_NOT_MET = "criteria_not_met"
    CRITERIA_AMBIGUOUS = "criteria_ambiguous"
    FACT_MISMATCH = "fact_mismatch"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    SOURCE_MISSING = "source_missing"
    HALLUCINATION = "hallucination"
    CONFIDENCE_MISMATCH = "confidence_mismatch"
    DETAIL_INCONSISTENCY = "detail_inconsistency"
    CORRECTNESS_ISSUE = "correctness_issue"
    COMPLETENESS_ISSUE = "completeness_issue"
    READABILITY_ISSUE = "readability_issue"
    COMPLEXITY_ISSUE = "complexity_issue"
    PERFORMANCE_ISSUE = "performance_issue"
    SECURITY_ISSUE = "security_issue"
    STYLE_ISSUE = "style_issue"
    OPTIMIZATION = "optimization"


class ClaimStatus(StrEnum):
    """How a claim comes out beside the sources."""

    SUPPORTED = "supported"
    """A source has the same value at the same path, or a reading that counts is grounded."""
    CONTRADICTED = "contradicted"
    """A source has another value at the same path."""
    UNSUPPORTED = "unsupported"
    """A value of the claim is in no source."""
    OPEN = "open"
    """Nothing decides it."""


@dataclass(frozen=True, slots=True)
class ValidationIssue:
    """One issue; ``location`` and ``suggestion`` are empty where there is none.

    ``advised_by`` names the model that says so; it is empty where the issue rests on evidence.
    """

    severity: Severity
    type: str
    message: str
    location: str = field(default="", metadata=RARE)
    suggestion: str = field(default="", metadata=RARE)
    advised_by: str = field(default="", metadata=RARE)

    def __post_init__(self) -> None:
        if type(self.severity) is not Severity:
            raise ValueError(f"severity is a Severity, got {self.severity!r}")
        for name, text in (("message", self.message), ("suggestion", self.suggestion)):
            if (text or name == "message") and not LEAST_TEXT <= len(text) <= MOST_TEXT:
                raise ValueError(f"a {name} has {LEAST_TEXT} to {MOST_TEXT} characters, got {len(text)}")

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the JSON form."""
        return json_of(self)

    @classmethod
    def from_dict(cls, shape: Shape, advised_by: str = "") -> ValidationIssue:
        """Return the issue of a JSON form, or of what a model advises; raises ValueError where it is none."""
        given = shape.raw_object()
        bounds = {"location": 0, "suggestion": LEAST_TEXT, "advised_by": 0}
        location, suggestion, named = (
            shape.text(name, least) if name in given else "" for name, least in bounds.items()
        )
        kind, message = shape.text("type"), shape.text("message")
        return cls(shape.choice(Severity, "severity"), kind, message, location, suggestion, advised_by or named)


@dataclass(frozen=True, slots=True)
class ValidationMetadata:
    """How the validation went; counts are those of the issues."""

    validation_types_run: tuple[str, ...]
    total_issues: int
    error_count: int
    warning_count: int
    info_count: int
    duration_ms: float
    model: str = field(default="", metadata=RARE)

    def __post_init__(self) -> None:
        if not 0 <= self.duration_ms < inf:
            raise ValueError(f"a duration is a finite number of 0 or more, got {self.duration_ms!r}")

    @classmethod
    def of(
        cls, types: Sequence[str], issues: Sequence[ValidationIssue], duration_ms: float, model: str = ""
    ) -> ValidationMetadata:
        """Return what is to be told of these issues."""
        errors, warnings, infos = (sum(each.severity is severity for each in issues) for severity in Severity)
        return cls(tuple(types), len(issues), errors, warnings, infos, duration_ms, model)

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the JSON form."""
        return json_of(self)

    @classmethod
    def from_dict(cls, shape: Shape, issues: Sequence[ValidationIssue]) -> ValidationMetadata:
        """Return the metadata of a JSON form, in which any member may be absent; raises ValueError where it is none."""
        given = shape.raw_object()
        types = shape.texts("validation_types_run") if "validation_types_run" in given else ()
        duration = shape.number("duration_ms", 0) if "duration_ms" in given else 0
        counted = cls.of(types, issues, duration, shape.text("model") if "model" in given else "")
        for name, count in counted.to_dict().items():
            if name in given and type(count) is int and name != "duration_ms":
                shape.whole(name, count, count)
        return counted


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """One claim of the output, how it comes out, and where it stands on both sides; offsets count characters.

    ``place`` is the path of the text in the output that holds the claim, empty where the output is text itself.
    ``source`` is empty, and its offsets are zero, where no source decides the claim.
    """

    text: str
    place: str
    start: int
    end: int
    status: ClaimStatus
    reason: str
    source: str = ""
    source_start: int = 0
    source_end: int = 0

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the JSON form."""
        told: dict[str, JsonValue] = {
            "text": self.text,
            "location": self.place or "root",
            "start": self.start,
            "end": self.end,
            "status": self.status.value,
            "reason": self.reason,
        }
        if self.source:
            told["source"] = {"name": self.source, "start": self.source_start, "end": self.source_end}
        return told

    @classmethod
    def from_dict(cls, shape: Shape) -> ClaimReport:
        """Return the claim of a JSON form; raises ValueError where it is none."""
        place = shape.text("location")
        begins, ends = shape.whole("start", 0), shape.whole("end", 0)
        status, reason = shape.choice(ClaimStatus, "status"), shape.text("reason")
        found = cls(shape.text("text"), "" if place == "root" else place, begins, ends, status, reason)
        if "source" not in shape.raw_object():
            return found
        source = shape.member("source")
        told = source.text("name"), source.whole("start", 0), source.whole("end", 0)
        return cls(found.text, found.place, begins, ends, status, reason, *told)


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """The outcome of one validation.

    ``valid`` is true where no issue is an error. ``confidence`` is how certain that is, ``quality_score`` how good the
    output is, both in [0, 1]. The verdict says whether the output may be acted on: ``valid`` alone does not.
    """

    valid: bool
    confidence: float
    issues: tuple[ValidationIssue, ...]
    quality_score: float
    passed_criteria: tuple[str, ...] = ()
    failed_criteria: tuple[str, ...] = ()
    metadata: ValidationMetadata | None = None
    claims: tuple[ClaimReport, ...] = ()
    verdict: FrozenDict = field(default_factory=FrozenDict)
    """The verdict as far as the reader may see it; empty where none was given."""

    def __post_init__(self) -> None:
        if type(self.valid) is not bool or self.valid is any(each.severity is Severity.ERROR for each in self.issues):
            raise ValueError("an output is valid where no issue is an error")
        for score in (self.confidence, self.quality_score):
            if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
                raise ValueError(f"a score is a number in [0, 1], got {score!r}")
        told = self.metadata
        if told is not None and told != told.of(told.validation_types_run, self.issues, told.duration_ms, told.model):
            raise ValueError("the counts of the metadata are those of the issues")
        object.__setattr__(self, "verdict", frozen_dict(self.verdict))

    def to_dict(self) -> dict[str, JsonValue]:
        """Return the JSON form."""
        told: dict[str, JsonValue] = {
            "valid": self.valid,
            "confidence": self.confidence,
            "issues": [each.to_dict() for each in self.issues],
            "passed_criteria": list(self.passed_criteria),
            "failed_criteria": list(self.failed_criteria),
            "quality_score": self.quality_score,
        }
        if self.metadata is not None:
            told["metadata"] = self.metadata.to_dict()
        if self.claims:
            told["claims"] = [each.to_dict() for each in self.claims]
        if self.verdict:
            told["verdict"] = thaw(self.verdict)  # type: ignore[assignment]  # a verdict is JSON
        return told

    @classmethod
    def from_dict(cls, told: Mapping[str, object]) -> ValidationResult:
        """Return the result of a JSON form; raises ValueError where it is none."""
        shape = Shape(told)
        issues = tuple(ValidationIssue.from_dict(each) for each in shape.items("issues"))
        passed, failed = (shape.texts(name) if name in told else () for name in ("passed_criteria", "failed_criteria"))
        metadata = ValidationMetadata.from_dict(shape.member("metadata"), issues) if "metadata" in told else None
        claims = tuple(map(ClaimReport.from_dict, shape.items("claims"))) if "claims" in told else ()
        verdict = frozen_dict(shape.raw_object("verdict")) if "verdict" in told else FrozenDict()
        scores = shape.number("confidence", 0, 1), shape.number("quality_score", 0, 1)
        return cls(shape.flag("valid"), scores[0], issues, scores[1], passed, failed, metadata, claims, verdict)
