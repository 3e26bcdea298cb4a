"""The values of deep verification, with the fields that its requirement document gives them.

All of them are views: a result tells what records and decisions say, and an object in memory proves nothing. What a
model writes is marked as such and decides nothing. Refuses a configuration outside of its bounds.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import ClassVar, Final, Literal, Protocol, runtime_checkable

from probatum.core.choice import chosen
from probatum.core.decision import Decision
from probatum.core.errors import UsageError, nearest
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.shape import Shape
from probatum.programs.decide import Level

SpecSource = Literal["contract", "docstring", "signature", "existing_tests", "inferred"]
TestCategory = Literal["happy_path", "edge_case", "error_case", "property", "integration", "regression"]
ExpectedOutcome = Literal["pass", "fail", "error"]
ReviewVerdict = Literal["correct", "suspicious", "incorrect"]
IssueSeverity = Literal["critical", "high", "medium", "low"]
IssueCategory = Literal[
    "wrong_output", "missing_edge_case", "logic_error", "contract_violation", "integration_issue", "regression"
]
Stage = Literal[
    "start",
    "spec_extraction",
    "spec_extracted",
    "test_generation",
    "tests_generated",
    "test_execution",
    "tests_executed",
    "analysis",
    "analyzed",
    "triangulation",
    "complete",
]
REGRESSION: Final = "regression_detective"
ISSUE_OF: Final[Mapping[str, IssueCategory]] = {
    "correctness_reviewer": "logic_error",
    "edge_case_hunter": "missing_edge_case",
    "integration_analyst": "integration_issue",
    REGRESSION: "regression",
}
"""The perspectives, with the category of the issues that each of them tells."""
PERSPECTIVES: Final = tuple(name for name in ISSUE_OF if name != REGRESSION)
"""Those that are asked without being named."""
_CONTRACT_TYPES: Final = frozenset({"protocol", "interface", "schema", "spec", "outline"})


@dataclass(frozen=True, slots=True)
class ArtifactSpec:
    """What was to be made: its contract counts, its description is for people and models."""

    id: str
    description: str
    contract: str
    produces_file: str | None = None
    """Below the folder of the project; what the program imports from there is found by it."""
    requires: frozenset[str] = frozenset()
    domain_type: str | None = None
    metadata: tuple[tuple[str, object], ...] = ()

    def is_leaf(self) -> bool:
        """Whether it requires nothing."""
        return not self.requires

    def is_contract(self) -> bool:
        """Whether it says what others do, or stands alone."""
        return self.domain_type in _CONTRACT_TYPES or self.is_leaf()

    def get_metadata(self, key: str, default: object = None) -> object:
        """Return what is noted under a key."""
        return dict(self.metadata).get(key, default)

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data."""
        return {**asdict(self), "requires": sorted(self.requires), "metadata": dict(self.metadata)}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> ArtifactSpec:
        """Read it back; raises ValueError for anything else."""
        may = ("produces_file", "requires", "domain_type", "metadata")
        given = Shape(dict(data), "artifact").exactly("id", "description", "contract", may=may)
        requires = frozenset(given.texts("requires")) if given.has("requires") else frozenset[str]()
        metadata = tuple(given.raw_object("metadata").items()) if given.has("metadata") else ()
        named = (given.text("id"), given.text("description"), given.text("contract"))
        file, kind = (given.optional(Shape.text, key) for key in ("produces_file", "domain_type"))
        return cls(*named, file, requires, kind, metadata)


@dataclass(frozen=True, slots=True)
class InputSpec:
    """One parameter."""

    name: str
    type_hint: str
    """As written; empty where there is none."""
    constraints: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """What a function returns."""

    type_hint: str
    constraints: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Specification:
    """What a program is to do, from its best source and the weaker ones after it."""

    description: str
    inputs: tuple[InputSpec, ...]
    outputs: tuple[OutputSpec, ...]
    preconditions: tuple[str, ...]
    postconditions: tuple[str, ...]
    invariants: tuple[str, ...]
    edge_cases: tuple[str, ...]
    source: SpecSource
    """The best of its sources; what a model infers is never ground truth."""
    confidence: float
    """The strength of that source, 0 to 1."""


@dataclass(frozen=True, slots=True)
class GeneratedTest:
    """One test."""

    __test__: ClassVar[bool] = False

    id: str
    name: str
    """Of the function that ``code`` defines."""
    description: str
    category: TestCategory
    code: str
    expected_outcome: ExpectedOutcome
    """``error``: it names the exception, as ``pytest.raises`` does. ``fail``: its assertion fails."""
    spec_coverage: tuple[str, ...]
    priority: float
    """0 to 1, higher first."""


@dataclass(frozen=True, slots=True)
class TestExecutionResult:
    """How one test ended."""

    __test__: ClassVar[bool] = False

    test_id: str
    passed: bool
    actual_output: str | None
    expected_output: str | None
    error_message: str | None
    error_traceback: str | None
    duration_ms: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class BehavioralExecutionResult:
    """How all tests ended; the three counts add up to all of them."""

    total_tests: int
    passed: int
    failed: int
    """The program did something else than was expected."""
    errors: int
    """Nothing follows about the program: skipped, empty, not to be loaded, out of time."""
    test_results: tuple[TestExecutionResult, ...]
    duration_ms: int

    @property
    def pass_rate(self) -> float:
        """The share of tests that passed; 1.0 of none, as the document has it, which is never a pass here."""
        return float(self.exact_pass_rate)

    @property
    def exact_pass_rate(self) -> Fraction:
        """The same as a fraction."""
        return Fraction(self.passed, self.total_tests) if self.total_tests else Fraction(1)


@dataclass(frozen=True, slots=True)
class PerspectiveResult:
    """What one reviewer says."""

    perspective: str
    verdict: ReviewVerdict
    confidence: float
    issues: tuple[str, ...]
    recommendations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SemanticIssue:
    """One thing that is wrong, or may be."""

    severity: IssueSeverity
    """``critical`` for what was observed to be wrong, never for what a model says."""
    category: IssueCategory
    description: str
    evidence: str
    suggested_fix: str | None


@dataclass(frozen=True, slots=True)
class DeepVerificationResult:
    """The result: the document's fields, and after them what they rest on."""

    passed: bool
    """Whether the decision is VERIFIED and the confidence high enough; no model has a part in it."""
    confidence: float
    issues: tuple[SemanticIssue, ...]
    generated_tests: tuple[GeneratedTest, ...]
    test_results: BehavioralExecutionResult | None
    perspective_results: tuple[PerspectiveResult, ...]
    recommendations: tuple[str, ...]
    duration_ms: int
    raw_confidence: float = 0.0
    """By the document's formula, advice included."""
    document_passed: bool = False
    """What the document's rule gives, advice included; False beside anything critical."""
    decision: Decision | None = None
    """What the evidence gives; None of a result that was only triangulated."""
    notes: tuple[str, ...] = ()
    """Sentences: advice that is missing, with the reason, and what was left out."""


@dataclass(frozen=True, slots=True)
class VerificationEvent:
    """One step of a verification; its data cannot be changed."""

    stage: Stage
    message: str = ""
    data: Mapping[str, object] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", frozen_dict(self.data))


@dataclass(frozen=True, slots=True)
class DeepVerificationConfig:
    """How much is done, and what is demanded."""

    max_tests: int = 10
    """How many tests a model may write. Below 10 it also lessens generated inputs, in proportion; documented clauses
    are all checked."""
    test_timeout_s: int = 10
    """How long one process of the program may keep a check waiting."""
    total_timeout_s: int = 120
    """After this there is a result, whatever a program or a model does."""
    min_confidence: float = 0.7
    require_test_pass: bool = True
    """Whether ``document_passed`` asks for 80 % of the tests; a failing documented check always refutes."""
    perspectives: tuple[str, ...] = PERSPECTIVES
    """Which of them are told; ``regression_detective`` always, where there is an earlier version."""
    level: Level | str = Level.STANDARD

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", chosen(self.level, Level, "level"))
        object.__setattr__(self, "perspectives", tuple(self.perspectives))
        bounds = {"max_tests": 0, "test_timeout_s": 0.1, "total_timeout_s": 0.1}
        for name, least in bounds.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1e6:
                raise UsageError("request.invalid", f"{name!r} must be a number of at least {least}, got {value!r}.")
        if not 0 <= self.min_confidence <= 1:
            raise UsageError("request.invalid", f"'min_confidence' must be 0 to 1, got {self.min_confidence!r}.")
        for name in self.perspectives:
            if name not in ISSUE_OF:
                sentence = f"There is no perspective {name!r}; known are {', '.join(ISSUE_OF)}."
                raise UsageError("request.invalid", sentence, nearest(name, ISSUE_OF))


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """What a model is asked to keep to."""

    temperature: float = 0.7
    max_tokens: int | None = None
    stop_sequences: tuple[str, ...] = ()
    system_prompt: str | None = None
    tools: tuple[object, ...] | None = None


@dataclass(frozen=True, slots=True)
class GenerateResult:
    """What a model answered."""

    content: str | None
    model: str
    tool_calls: tuple[object, ...] = ()
    usage: object | None = None
    finish_reason: str | None = None

    @property
    def text(self) -> str:
        """What it wrote, empty where it wrote nothing."""
        return self.content or ""


@runtime_checkable
class ModelProtocol(Protocol):
    """A language model, given by the caller. It is asked by ``generate`` alone, and may do anything."""

    @property
    def model_id(self) -> str:
        """Its name."""

    async def generate(
        self,
        prompt: str | tuple[object, ...],
        *,
        tools: tuple[object, ...] | None = None,
        tool_choice: object | None = None,
        options: GenerateOptions | None = None,
    ) -> GenerateResult:
        """Return its answer."""

    def generate_stream(
        self,
        prompt: str | tuple[object, ...],
        *,
        tools: tuple[object, ...] | None = None,
        tool_choice: object | None = None,
        options: GenerateOptions | None = None,
    ) -> AsyncIterator[str]:
        """Yield its answer piece by piece."""

    async def list_models(self) -> list[str]:
        """Return the names of the models that it offers."""
