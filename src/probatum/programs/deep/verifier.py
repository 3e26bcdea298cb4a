"""`DeepVerifier`: one program, judged as every other program here, with the document's stages and result.

The evidence is gathered in a thread and in sandboxes of its own, from the first moment on; a model is asked meanwhile
and takes nothing of its time. Refuses to let advice decide: it enters ``raw_confidence`` and ``document_passed`` alone.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from types import NoneType
from typing import Any, Final, TypeVar

from probatum.core.arguments import TEXT, TEXT_OR_BYTES, bytes_of, require_types
from probatum.core.decision import blocked_by_defect
from probatum.core.errors import UsageError
from probatum.programs.decide import (
    GENERATED_INPUTS,
    PLANTED_FAULTS,
    Level,
    ProgramPolicy,
)
from probatum.programs.deep.components import (
    ConfidenceTriangulator,
    MultiPerspectiveAnalyzer,
    TestGenerator,
    is_of_model,
)
from probatum.programs.deep.evidence import AskedVerification, GatheredEvidence, gathered
from probatum.programs.deep.executor import BehavioralExecutor, executed
from probatum.programs.deep.specifications import SpecificationExtractor
from probatum.programs.deep.types import (
    ISSUE_OF,
    REGRESSION,
    ArtifactSpec,
    BehavioralExecutionResult,
    DeepVerificationConfig,
    DeepVerificationResult,
    GeneratedTest,
    ModelProtocol,
    PerspectiveResult,
    Specification,
    Stage,
    VerificationEvent,
)
from probatum.programs.deep.verification import DeepVerification
from probatum.programs.deep.views import FunctionView, view_of
from probatum.programs.result import NOTHING
from probatum.readings.acceptances import SELF, GivenReadings, counting
from probatum.readings.notebook import read_notebook

Made = TypeVar("Made")
_FULL: Final = 10
"""From so many tests on, nothing is lessened."""
_OF_EVIDENCE: Final = 0.9
_OF_ADVICE: Final = 0.25
"""Shares of the total time: what is left of the first is for perspectives; each stage of a model has the second."""
_PLANTED: Final = 12
"""How many faulty copies of the program each test of a model is run against, in one process."""
_NOTICES_NOTHING: Final = "it notices no planted fault"
_UNKNOWN: Final = Specification("", (), (), (), (), (), (), "inferred", float(NOTHING))


class DeepVerifier:
    """Verifies programs; ``model``, where there is one, advises. ``cwd`` is the project that a program is part of."""

    def __init__(
        self,
        model: ModelProtocol | None = None,
        cwd: Path | str = ".",
        config: DeepVerificationConfig | None = None,
    ) -> None:
        if model is not None and not callable(getattr(model, "generate", None)):
            raise UsageError("request.invalid", f"'model' has no method generate, got {type(model).__name__}.")
        self.model = model
        self.cwd = Path(cwd)
        self.config = config or DeepVerificationConfig()
        self.spec_extractor = SpecificationExtractor(self._heard)
        self.test_generator = TestGenerator(self._heard)
        self.executor = BehavioralExecutor(self.cwd, self.config.test_timeout_s, self.config.total_timeout_s)
        self.analyzer = MultiPerspectiveAnalyzer(model)
        self.triangulator = ConfidenceTriangulator(self.config)

    @property
    def _heard(self) -> ModelProtocol | None:
        """The model, where the level asks it for more than a review."""
        return None if self.config.level is Level.QUICK else self.model

    def verify(
        self,
        artifact: ArtifactSpec,
        content: str,
        existing_code: str | None = None,
        existing_tests: str | None = None,
        *,
        readings: str | bytes | None = None,
    ) -> DeepVerification:
        """Return one verification, which is awaited for its result and iterated for its events.

        Args:
            artifact: what was to be made; its contract counts beside the documentation.
            content: the program.
            existing_code: an earlier version; what it answers otherwise is told.
            existing_tests: the source of a pytest file that imports the program as ``artifact``.
            readings: the content of a readings file about the documentation.

        Raises UsageError for a wrong type, and for readings that cannot be read; awaiting raises it where the earlier
        version cannot be read. All else is a result.
        """
        texts = {"content": content, "existing_code": existing_code, "existing_tests": existing_tests}
        asked: dict[str, object] = {**texts, "readings": readings}
        optional = dict.fromkeys(("existing_code", "existing_tests"), (*TEXT, NoneType))
        require_types(asked, {"content": TEXT, **optional, "readings": (*TEXT_OR_BYTES, NoneType)})
        if not isinstance(artifact, ArtifactSpec):
            raise UsageError("request.invalid", f"'artifact' must be an ArtifactSpec, got {type(artifact).__name__}.")
        given = GivenReadings() if readings is None else _given(bytes_of(readings))
        return DeepVerification(
            lambda tell: _Verifying(
                self, AskedVerification(artifact, content, existing_code, existing_tests, given)
            ).result(tell)
        )

    def policy(self) -> ProgramPolicy:
        """Return what the configuration demands of a program, and how much work it is."""
        level = Level(self.config.level)
        share = min(self.config.max_tests, _FULL) / _FULL
        return ProgramPolicy(
            level=level.value,
            generated_inputs=math.ceil(GENERATED_INPUTS[level] * share),
            mutants=PLANTED_FAULTS[level],
            stated_inputs=math.ceil(ProgramPolicy().stated_inputs * share),
        )


def _given(content: bytes) -> GivenReadings:
    try:
        return counting(read_notebook(content), SELF, lambda *_: "")
    except ValueError as error:
        raise UsageError("readings.not_read", f"'readings' cannot be read: {error}.") from error


@dataclass(frozen=True, slots=True)
class _Verifying:
    """One verification while it runs."""

    verifier: DeepVerifier
    asked: AskedVerification
    notes: list[str] = field(default_factory=list)

    def _left(self, share: float = 1.0) -> float:
        """Return how many seconds are left until this share of the total time is used up."""
        return self.asked.begun + share * self.verifier.config.total_timeout_s - monotonic()

    async def result(self, tell: Callable[[VerificationEvent], None]) -> DeepVerificationResult:
        """Go through all stages; raises UsageError alone."""

        def at(stage: Stage, message: str = "", **data: object) -> None:
            tell(VerificationEvent(stage, message, data))

        at("start", "Starting deep verification", level=str(self.verifier.config.level))
        verifier = self.verifier
        gathering = asyncio.ensure_future(
            gathered(self.asked, verifier.policy(), verifier.cwd, verifier.config, self._left(_OF_EVIDENCE))
        )
        try:
            found = await self._stages(at, gathering)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001  law 3: what breaks here is not the program's fault
            found = verifier.triangulator.triangulate(_UNKNOWN, None, (), decision=blocked_by_defect(error))
        finally:
            gathering.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await gathering
        took = int((monotonic() - self.asked.begun) * 1000)
        result = replace(found, notes=tuple(self.notes), duration_ms=took)
        at("complete", f"Verification {'PASSED' if result.passed else 'FAILED'}", result=result)
        return result

    async def _stages(
        self, at: Callable[..., None], gathering: asyncio.Future[GatheredEvidence]
    ) -> DeepVerificationResult:
        verifier, asked = self.verifier, self.asked
        seconds, note = verifier.config.total_timeout_s * _OF_ADVICE, self.notes.append
        given = (asked.artifact, asked.content)
        at("spec_extraction", "Extracting specification")
        extracted = verifier.spec_extractor.extract(*given, asked.existing_tests, seconds=seconds, tell=note)
        spec = await self._within(extracted, "The specification was not extracted in time.") or _UNKNOWN
        at("spec_extracted", spec=spec, source=spec.source, confidence=spec.confidence)
        at("test_generation", "Generating behavioral tests")
        written = verifier.test_generator.generate(*given, spec, verifier.config.max_tests, seconds=seconds, tell=note)
        tests = await self._within(written, "No tests were written in time.") or []
        at("tests_generated", count=len(tests), categories=tuple(sorted({each.category for each in tests})))
        at("test_execution", "Executing behavioral tests")
        evidence = await gathering
        decision = evidence.decided()
        view = await asyncio.to_thread(view_of, evidence.records, evidence.policy, evidence.module)
        own = [each for each in tests if is_of_model(each)]
        results = await self._results(view, own)
        counts = {} if results is None else {"pass_rate": results.pass_rate}
        told = results or BehavioralExecutionResult(0, 0, 0, 0, (), 0)
        at("tests_executed", passed=told.passed, failed=told.failed, errors=told.errors, **counts)
        at("analysis", "Running multi-perspective analysis")
        views = await self._perspectives(view, spec, results)
        at("analyzed", perspectives=len(views), verdicts=tuple(each.verdict for each in views))
        at("triangulation", "Computing confidence")
        result = verifier.triangulator.triangulate(
            spec, results, views, decision=decision, confidence=view.confidence, issues=view.issues
        )
        advice = (*view.recommendations, *result.recommendations)
        return replace(result, generated_tests=(*view.tests, *own), recommendations=tuple(dict.fromkeys(advice)))

    async def _within(self, work: Coroutine[Any, Any, Made], missing: str) -> Made | None:
        """Return what comes in time; None, with a note, where nothing does or it breaks."""
        try:
            return await asyncio.wait_for(work, max(self._left(_OF_EVIDENCE), 0.0))
        except TimeoutError:
            self.notes.append(missing)
        except Exception as error:  # noqa: BLE001  law 3: what breaks here is not the program's fault
            self.notes.append(f"{missing} {type(error).__name__}: {error}")
        return None

    async def _results(self, view: FunctionView, own: Sequence[GeneratedTest]) -> BehavioralExecutionResult | None:
        """Return what was executed; of what a model's tests show, what counts is what faulty copies would show too."""
        begun, rows = monotonic(), list(view.executed)
        if own:
            config = self.verifier.config
            executor = BehavioralExecutor(self.verifier.cwd, config.test_timeout_s, max(self._left(_OF_EVIDENCE), 0.0))
            running = executor.ran(self.asked.content, own, self.asked.artifact.produces_file, _PLANTED)
            for each in await self._within(running, "The model's tests were not run in time.") or ():
                if each.result.passed and not each.noticed:
                    self.notes.append(f"The model's test {each.result.test_id!r} does not count: {_NOTICES_NOTHING}.")
                else:
                    rows.append(each)
        took = int((monotonic() - begun) * 1000)
        return executed(rows, took) if rows else None

    async def _perspectives(
        self, view: FunctionView, spec: Specification, results: BehavioralExecutionResult | None
    ) -> list[PerspectiveResult]:
        asked, names = self.asked, self._names()
        views = [each for each in view.perspectives if each.perspective in names]
        advised = self.verifier.analyzer.analyze(
            asked.artifact,
            asked.content,
            spec,
            results,
            asked.existing_code,
            perspectives=[each for each in names if each != REGRESSION],
            seconds=self._left(),
            tell=self.notes.append,
        )
        return [*views, *await advised]

    def _names(self) -> tuple[str, ...]:
        config = self.verifier.config
        asked = tuple(ISSUE_OF) if config.level is Level.THOROUGH else config.perspectives
        if config.level is Level.QUICK:
            asked = tuple(each for each in asked if each == "correctness_reviewer")
        return (*asked, *((REGRESSION,) if self.asked.existing_code is not None and REGRESSION not in asked else ()))
