"""The components that write tests, look from several sides, and weigh signals; under the names of the document.

Without a model they say what the documentation shows. What a model adds is asked for in parallel, read strictly, and
marked as a model's. Refuses to show a model the code when it writes tests: they would assert what the code does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final, cast, get_args

from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.shape import Shape
from probatum.programs.deep.advice import MODEL_SECONDS, NoAdviceError, Tell, advice, unheard
from probatum.programs.deep.executor import why_no_test
from probatum.programs.deep.specifications import documentation, documented_units, readable
from probatum.programs.deep.types import (
    ISSUE_OF,
    PERSPECTIVES,
    REGRESSION,
    ArtifactSpec,
    BehavioralExecutionResult,
    DeepVerificationConfig,
    DeepVerificationResult,
    ExpectedOutcome,
    GeneratedTest,
    GenerateOptions,
    IssueSeverity,
    ModelProtocol,
    PerspectiveResult,
    ReviewVerdict,
    SemanticIssue,
    Specification,
    TestCategory,
)
from probatum.programs.pytest_source import named_source
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.running.checks import PlannedCheck, inputs_form, plan_checks
from probatum.programs.running.compare import expected_form
from probatum.programs.specification import DecidedBy, FunctionSpec, ModuleSpec
from probatum.programs.triangulate import MIN_PASS_RATE, Perspective, document_score

BY_MODEL: Final = " (model)"
_TEST_KEYS: Final = ("name", "description", "category", "code", "expected_outcome")
_CATEGORIES: Final = get_args(TestCategory)
_TEST_FORM: Final = (
    '[{"name": "test_…", "description": "…", "category": "' + "|".join(_CATEGORIES) + '",'
    ' "code": "def test_…():\\n    …", "expected_outcome": "pass|error"}]'
)
_TEST_TASK: Final = (
    "Write at most {most} pytest tests for what is specified below; you do not see the code. A test calls the functions"
    " by their names and asserts what the specification says. An expected error is stated with pytest.raises(TYPE)."
)
_REVIEW_KEYS: Final = ("verdict", "confidence", "issues", "recommendations")
_REVIEW_FORM: Final = (
    '{"verdict": "correct|suspicious|incorrect", "confidence": 0.0, "issues": ["…"], "recommendations": ["…"]}'
)
_TASKS: Final[Mapping[str, str]] = {
    "correctness_reviewer": "Review whether the code does what its specification says.",
    "edge_case_hunter": "Look for inputs that the specification allows and the code does not handle.",
    "integration_analyst": "Review whether the code uses what it imports correctly.",
    REGRESSION: "Review whether the code breaks what its earlier version did.",
}
_MOST_ITEMS: Final = 20


class TestGenerator:
    """Writes tests: every documented example, and what a model proposes from the specification alone."""

    __test__ = False

    def __init__(self, model: ModelProtocol | None = None) -> None:
        self.model = model

    async def generate(
        self,
        artifact: ArtifactSpec,
        content: str,
        spec: Specification,
        max_tests: int = 10,
        *,
        seconds: float = MODEL_SECONDS,
        tell: Tell = unheard,
    ) -> list[GeneratedTest]:
        """Return all documented examples, then at most ``max_tests`` tests of a model, the most important first.

        ``tell`` hears what is missing of these, and why.
        """
        documented = await asyncio.to_thread(documented_tests, artifact, content)
        if self.model is None or max_tests == 0:
            return documented
        units = await asyncio.to_thread(documented_units, artifact, content)
        return [*documented, *await self._of_model(self.model, artifact, units, spec, max_tests, seconds, tell)]

    async def _of_model(
        self,
        model: ModelProtocol,
        artifact: ArtifactSpec,
        units: Sequence[FunctionSpec],
        spec: Specification,
        most: int,
        seconds: float,
        tell: Tell,
    ) -> list[GeneratedTest]:
        stated = {"preconditions": spec.preconditions, "edge cases": spec.edge_cases, "invariants": spec.invariants}
        stated["postconditions"] = spec.postconditions
        told = "\n".join(f"{name}: {text}" for name, texts in stated.items() for text in texts)
        try:
            data = {**documentation(artifact, units), "SPECIFICATION": told}
            options, task = GenerateOptions(temperature=0.3, max_tokens=2000), _TEST_TASK.format(most=most)
            written = await advice(model, task, _TEST_FORM, data, options, partial(_proposed, most), seconds)
        except NoAdviceError as error:
            tell(f"The model wrote no tests: {error}.")
            return []
        kept = []
        for each in written:
            if why := why_no_test(each):
                tell(f"The model's test {each.name!r} is left out: {why}.")
            else:
                kept.append(each)
        return kept


def is_of_model(test: GeneratedTest) -> bool:
    """Whether a model wrote a test: then it decides nothing."""
    return test.id.startswith("model.")


def _proposed(most: int, reply: Shape) -> list[GeneratedTest]:
    return [
        _one_proposed(each.exactly(*_TEST_KEYS), f"model.{n}") for n, each in enumerate(reply.items(None, 0, most), 1)
    ]


def _one_proposed(row: Shape, id: str) -> GeneratedTest:
    category, outcome = row.text("category"), row.text("expected_outcome")
    if category not in _CATEGORIES or outcome not in get_args(ExpectedOutcome):
        row.refuse(f"unknown category {category[:40]!r} or outcome {outcome[:40]!r}")
    kind, due = cast("TestCategory", category), cast("ExpectedOutcome", outcome)
    described = row.text("description")
    return GeneratedTest(id, row.words("name"), described, kind, row.words("code"), due, (described,), 0.5)


def documented_tests(artifact: ArtifactSpec, content: str) -> list[GeneratedTest]:
    """Return every documented example that can be written as a test, in order; nothing is run."""
    source = readable(content)
    if source is None:
        return []
    planned = [
        (u.qualname, each) for u in documented_units(artifact, content) for each in plan_checks(u, source.module)
    ]
    tests = (_documented(qualname, each, source.module) for qualname, each in planned)
    return [each for each in tests if each is not None]


def _documented(qualname: str, planned: PlannedCheck, module: ModuleSpec) -> GeneratedTest | None:
    example = planned.example
    # As it is written down once it has been run.
    check = CheckRecord(
        example.id,
        planned.kind,
        DecidedBy.EXAMPLE,
        example.origin,
        example.span.line,
        example.text,
        inputs_form(planned.action),
        expected_form(example.expectation),
        None,
        CheckState.HOLDS,
        reproduction=planned.reproduction,
    )
    name, code = named_source(qualname, check, module)
    raises = isinstance(check.expected, dict) and "raises" in check.expected
    category: TestCategory = "error_case" if raises else "happy_path"
    id = f"{qualname}.{example.id}"
    return GeneratedTest(id, name, example.text, category, code, "pass", (example.text,), 1.0) if code else None


class MultiPerspectiveAnalyzer:
    """Asks a model to look from several sides, all at once. What it says is advice."""

    def __init__(self, model: ModelProtocol | None = None) -> None:
        self.model = model

    async def analyze(
        self,
        artifact: ArtifactSpec,
        content: str,
        spec: Specification,
        execution_results: BehavioralExecutionResult | None,
        existing_code: str | None = None,
        *,
        perspectives: Iterable[str] = PERSPECTIVES,
        seconds: float = MODEL_SECONDS,
        tell: Tell = unheard,
    ) -> list[PerspectiveResult]:
        """Return what each perspective says, in order; ``tell`` hears which of them gave no advice, and why.

        The regression detective looks wherever there is an earlier version. Without a model nobody says anything: what
        was observed is told by `DeepVerifier`.
        """
        if self.model is None:
            return []
        data = {
            "SPECIFICATION": f"{artifact.id}\n{spec.description}",
            "CODE": content,
            "TEST RESULTS": _results_text(execution_results),
        }
        asked = {name: data for name in dict.fromkeys(perspectives) if name != REGRESSION}
        if existing_code is not None:
            asked[REGRESSION] = {"CODE": content, "EARLIER VERSION": existing_code}
        views = [self._view(self.model, name, shown, seconds, tell) for name, shown in asked.items()]
        return [view for view in await asyncio.gather(*views) if view is not None]

    async def _view(
        self, model: ModelProtocol, name: str, data: dict[str, str], seconds: float, tell: Tell
    ) -> PerspectiveResult | None:
        try:
            options = GenerateOptions(temperature=0.1, max_tokens=1000)
            return await advice(model, _TASKS[name], _REVIEW_FORM, data, options, partial(_review, name), seconds)
        except NoAdviceError as error:
            tell(f"No advice of the model as {name}: {error}.")
            return None


def _review(name: str, reply: Shape) -> PerspectiveResult:
    row = reply.exactly(*_REVIEW_KEYS)
    verdict = row.text("verdict")
    if verdict not in get_args(ReviewVerdict):
        row.refuse(f"expected correct, suspicious or incorrect, got {verdict[:40]!r}", "verdict")
    issues, recommendations = (
        tuple(each.words() for each in row.items(key, 0, _MOST_ITEMS)) for key in ("issues", "recommendations")
    )
    sure = float(row.number("confidence", 0, 1))
    return PerspectiveResult(f"{name}{BY_MODEL}", cast("ReviewVerdict", verdict), sure, issues, recommendations)


def _results_text(results: BehavioralExecutionResult | None) -> str:
    if results is None:
        return "Nothing was run."
    rows = [f"{each.test_id}: {'passed' if each.passed else each.error_message}" for each in results.test_results]
    return "\n".join(rows)


class ConfidenceTriangulator:
    """Weighs signals by the document's formula, in exact fractions; what that gives decides nothing."""

    def __init__(self, config: DeepVerificationConfig | None = None) -> None:
        self.config = config or DeepVerificationConfig()

    def triangulate(
        self,
        spec: Specification,
        execution_results: BehavioralExecutionResult | None,
        perspective_results: Sequence[PerspectiveResult],
        *,
        decision: Decision | None = None,
        confidence: float = 0.0,
        issues: Sequence[SemanticIssue] = (),
    ) -> DeepVerificationResult:
        """Return the signals with ``raw_confidence`` and ``document_passed``.

        ``passed`` is the decision's: without one, nothing was decided, and nothing passes. ``confidence`` is what the
        evidence is worth; ``issues`` are those that were observed.
        """
        tests = None if execution_results is None else (execution_results.passed, execution_results.total_tests)
        views = [
            Perspective(each.perspective, each.verdict, Fraction(str(each.confidence)), each.issues)
            for each in perspective_results
        ]
        score = document_score(tests, views, Fraction(str(spec.confidence)))
        # What perspectives without a model tell is told by the issues that were observed.
        found = (
            *issues,
            *_advised(v for v in perspective_results if decision is None or v.perspective.endswith(BY_MODEL)),
        )
        is_critical = any(each.verdict == "incorrect" and each.issues for each in perspective_results)
        is_critical = is_critical or any(each.severity == "critical" for each in issues)
        rate = Fraction(1) if execution_results is None else execution_results.exact_pass_rate
        demanded = MIN_PASS_RATE if self.config.require_test_pass else 0
        enough = score.raw_confidence >= Fraction(str(self.config.min_confidence))
        is_verified = decision is not None and decision.status is DiagnosticStatus.VERIFIED
        return DeepVerificationResult(
            passed=is_verified and confidence >= self.config.min_confidence,
            confidence=confidence,
            issues=found,
            generated_tests=(),
            test_results=execution_results,
            perspective_results=tuple(perspective_results),
            recommendations=tuple(dict.fromkeys(text for each in perspective_results for text in each.recommendations)),
            duration_ms=0,
            raw_confidence=float(score.raw_confidence),
            document_passed=enough and not is_critical and rate >= demanded,
            decision=decision,
        )


def _advised(perspectives: Iterable[PerspectiveResult]) -> Iterator[SemanticIssue]:
    """Yield what perspectives tell, as suspicions: what was observed to be wrong is told as such elsewhere."""
    for view in perspectives:
        name = view.perspective.removesuffix(BY_MODEL)
        severity: IssueSeverity = "medium" if view.verdict == "incorrect" else "low"
        for text in view.issues:
            evidence = f"said by {view.perspective}, {view.verdict}"
            yield SemanticIssue(severity, ISSUE_OF.get(name, "logic_error"), text, evidence, None)
