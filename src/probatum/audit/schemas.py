"""What an audit is given, as the wire has it: the question with its rules, and the bundle of evidence.

pydantic reads them, and nothing in them can be changed afterwards. Refuses unknown keys and what is not plain data.
What only makes no sense (a reversed window, an id taken twice, a confidence of 1.2) is read: the audit reports it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from probatum.audit.canonical import plain
from probatum.audit.extras import DeclaredAs, PromptDeclarations, RequirementDeclarations
from probatum.core.frozen import FrozenList, freeze
from probatum.core.messages import writable

Item = TypeVar("Item")


class Wire(BaseModel):
    """A frozen value of the wire; two are equal where all their fields are."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


def _frozen_list(items: list[Item]) -> list[Item]:
    return FrozenList(items)  # type: ignore[return-value]  # it holds what the list held


Data = Annotated[object, BeforeValidator(plain), AfterValidator(freeze)]
"""Plain JSON, NaN included; it cannot be changed."""
Members = Annotated[dict[str, object], BeforeValidator(plain), AfterValidator(freeze)]
"""A JSON object that cannot be changed."""


def _writable(value: object) -> object:
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, dict):
        return {writable(key): _writable(item) for key, item in value.items()}
    return [_writable(item) for item in value] if isinstance(value, list) else value


Told = Annotated[dict[str, object], BeforeValidator(plain), BeforeValidator(_writable), AfterValidator(freeze)]
"""What we tell, as a JSON object that cannot be changed: what no file can hold is escaped."""
Sentence = Annotated[str, BeforeValidator(_writable)]
Listed = Annotated[list[Item], AfterValidator(_frozen_list)]
"""A list that cannot be changed."""
Name = Annotated[str, Field(min_length=1)]
Tier = Annotated[int, Field(ge=0)]


class ResolutionWindow(Wire):
    """The time that evidence may speak of, ends included; a time without a zone is UTC."""

    start: datetime
    end: datetime


class SourcePolicy(Wire):
    """Whether a source may be used."""

    source_id: Name
    kind: str
    allow: bool = True
    min_provenance_tier: Tier = 0
    notes: str | None = None


class ResolutionRule(Wire):
    """One rule of the question, in words."""

    rule_id: Name
    description: str
    priority: int = 0


class ResolutionRules(Wire):
    """The rules of the question."""

    rules: Listed[ResolutionRule] = []

    def get_sorted_rules(self) -> list[ResolutionRule]:
        """Return the rules, those of the highest priority first."""
        return sorted(self.rules, key=lambda rule: -rule.priority)


class DisputePolicy(Wire):
    """How long the answer may be disputed, in seconds."""

    dispute_window_seconds: int = Field(gt=0)
    allow_challenges: bool = True
    extra: Members = {}


class MarketSpec(Wire):
    """The question: what is to be established, of which time, and from which sources."""

    schema_version: str = "v1"
    market_id: Name
    question: Name
    event_definition: Name
    timezone: str = "UTC"
    resolution_deadline: datetime
    resolution_window: ResolutionWindow
    resolution_rules: ResolutionRules
    allowed_sources: Listed[SourcePolicy] = []
    min_provenance_tier: Tier = 0
    dispute_policy: DisputePolicy
    market_type: Literal["binary", "multi_choice"] = "binary"
    possible_outcomes: Listed[str] = Field(default=["YES", "NO"], min_length=2)
    metadata: Members = {}

    @model_validator(mode="after")
    def _outcomes_fit(self) -> Self:
        if self.market_type == "binary" and self.possible_outcomes != ["YES", "NO"]:
            raise ValueError("a binary question has the outcomes YES and NO")
        if self.market_type == "multi_choice" and "INVALID" in self.possible_outcomes:
            raise ValueError("INVALID is not an outcome of a question")
        return self


class SourceTarget(Wire):
    """Where evidence may be collected."""

    source_id: Name
    uri: Name
    method: Literal["GET", "POST", "RPC", "WS", "OTHER"] = "GET"
    expected_content_type: Literal["json", "text", "html", "bytes"] = "json"
    headers: Members = {}
    params: Members = {}
    body: Data = None
    auth_ref: str | None = None
    cache_ttl_seconds: int | None = Field(default=None, ge=0)
    operation: Literal["fetch", "search"] | None = None
    search_query: str | None = None
    notes: str | None = None


class SelectionPolicy(Wire):
    """Which sources decide where there are several."""

    strategy: Literal["single_best", "multi_source_quorum", "fallback_chain"]
    min_sources: int = Field(default=1, ge=1)
    max_sources: int = Field(default=3, ge=1)
    quorum: int = Field(default=1, ge=1)
    tie_breaker: Literal["highest_provenance", "source_priority", "most_recent"] = "highest_provenance"

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        if max(self.quorum, self.min_sources) > self.max_sources:
            raise ValueError("quorum and min_sources are at most max_sources")
        return self


class PredictionSemantics(Wire):
    """What the question is about, in parts."""

    target_entity: Name
    predicate: Name
    threshold: str | None = None
    timeframe: str | None = None


class DataRequirement(Wire):
    """What evidence has to tell; ``extra`` declares how it is read, as `probatum.audit.extras` says."""

    requirement_id: Name
    description: Name
    source_targets: Listed[SourceTarget] = []
    selection_policy: SelectionPolicy
    min_provenance_tier: Tier = 0
    expected_fields: Listed[str] | None = None
    preferred_sources: Listed[str] = []
    deferred_source_discovery: bool = False
    extra: Annotated[Members, DeclaredAs(RequirementDeclarations)] = {}


class PromptSpec(Wire):
    """A question with everything that is demanded of its evidence."""

    schema_version: str = "v1"
    task_type: str = "prediction_resolution"
    market: MarketSpec
    prediction_semantics: PredictionSemantics
    data_requirements: Listed[DataRequirement] = []
    output_schema_ref: str = "core.schemas.verdict.DeterministicVerdict"
    forbidden_behaviors: Listed[str] = []
    created_at: datetime | None = None
    tool_plan: Data = None
    extra: Annotated[Members, DeclaredAs(PromptDeclarations)] = {}


class Provenance(Wire):
    """Where an item comes from, and how well that is secured: tier 0 to 4."""

    source_id: Name
    source_uri: Name
    tier: int = Field(default=1, ge=0, le=4, strict=True)
    fetched_at: datetime | None = None
    receipt_id: str | None = None
    content_hash: str | None = None
    cache_hit: bool = False
    ttl_seconds: int | None = Field(default=None, ge=0)


class EvidenceItem(Wire):
    """One piece of evidence. Its content is ``raw_content``, else ``parsed_value``, else ``extracted_fields``."""

    evidence_id: Name
    requirement_id: Name
    provenance: Provenance
    raw_content: str | None = None
    content_type: str = "application/json"
    parsed_value: Data = None
    success: bool = True
    error: str | None = None
    status_code: int | None = None
    extracted_fields: Members = {}
    confidence: float = 1.0

    @property
    def is_valid(self) -> bool:
        """Whether the collector got it."""
        return self.success and self.error is None


class EvidenceBundle(Wire):
    """The evidence that was collected for one question, in order."""

    schema_version: str = "v1"
    bundle_id: Name
    market_id: Name
    plan_id: Name
    collector_name: str | None = None
    weight: float = Field(default=1.0, ge=0, le=10)
    items: Listed[EvidenceItem] = []
    collected_at: datetime | None = None
    execution_time_ms: float | None = None
    total_sources_attempted: int = 0
    total_sources_succeeded: int = 0
    requirements_fulfilled: Listed[str] = []
    requirements_unfulfilled: Listed[str] = []
