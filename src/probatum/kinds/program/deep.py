"""Deep verification of programs behind the seam of all verifiers: ``program.deep``, registered on request.

The output is the text of a Python program. What it has to satisfy stands in its documentation, and in what the host
gives as ``context["program"]``: ``function``, ``contract``, ``tests``, ``against``, all of them text. An earlier
version is one that it must answer like: a slot has no place for a question.

| verdict about the program | status  | fault       |
|---------------------------|---------|-------------|
| proved, tested            | pass    |             |
| refuted                   | fail    | subject     |
| undecided                 | skipped |             |
| not attempted             | fail    | environment |

Refuses to pass what is undecided: a skipped slot verifies nothing. A wrong question of the host is not a fault of the
program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.arguments import bytes_of
from probatum.core.decision import DiagnosticStatus, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import UsageError, nearest
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.kinds.program.request import VERIFIER_ID, ProgramRequest
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, Level
from probatum.verification.results import Fault, VerificationResult, VerificationStatus, broken
from probatum.verification.verifier import VerifierDescription

_VERSION: Final = "1"
_KEYS: Final = ("function", "contract", "tests", "against")


@dataclass(frozen=True, slots=True)
class DeepProgramVerifier:
    """Asks for a verdict about the program in the output."""

    # What gives the verdicts: an open service of the application.
    ask: Callable[[ProgramRequest], DiagnosticResult]
    level: Level = Level.STANDARD
    min_strength: float = DEFAULT_MIN_STRENGTH
    # What the program's file is called in reports.
    name: str = "artifact.py"

    @property
    def description(self) -> VerifierDescription:
        """What it says about itself: programs are tested, and a slow machine leaves more of them undecided."""
        return VerifierDescription(VERIFIER_ID, _VERSION, Outcome.TESTED)

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        """Return what the verdict about the program says."""
        if output_obj is None:
            return _skipped("There is no program.")
        if not isinstance(output_obj, str):
            summary = f"Expected the text of a Python program, got {type(output_obj).__name__}."
            return VerificationResult(VerificationStatus.FAIL, VERIFIER_ID, summary, {}, (summary,))
        if len(output_obj) > MAX_SOURCE_BYTES:
            return _skipped(f"The program is larger than {MAX_SOURCE_BYTES:,} bytes.")
        try:
            verdict = self.ask(self._request(output_obj, context or {}))
        except UsageError as error:
            return broken(VERIFIER_ID, "The question about the program cannot be asked.", str(error))
        return _result(verdict)

    def _request(self, source: str, context: Mapping[str, object]) -> ProgramRequest:
        given = context.get("program", {})
        if not isinstance(given, Mapping):
            raise UsageError("request.invalid", f"context['program'] is an object, got {type(given).__name__}.")
        texts: dict[str, str] = {}
        for key, value in given.items():
            if key not in _KEYS:
                sentence = f"context['program'] has an unknown key {key!r}."
                raise UsageError("request.invalid", sentence, nearest(str(key), _KEYS))
            if isinstance(value, str):
                texts[key] = value
            elif value is not None:
                sentence = f"{key!r} of context['program'] is text, got {type(value).__name__}."
                raise UsageError("request.invalid", sentence)
        tests, against = (bytes_of(texts[key]) if key in texts else None for key in ("tests", "against"))
        function, contract = texts.get("function"), texts.get("contract")
        content = bytes_of(source)
        return ProgramRequest(
            content,
            self.name,
            function,
            contract,
            tests,
            against,
            self.level,
            self.min_strength,
            refactor=against is not None,
        )


def _skipped(summary: str) -> VerificationResult:
    return VerificationResult(VerificationStatus.SKIPPED, VERIFIER_ID, summary, could_have_failed=False)


def _result(verdict: DiagnosticResult) -> VerificationResult:
    evidence = {"verdict": verdict.to_dict()}
    said = verdict.agent_message
    if verdict.status is DiagnosticStatus.VERIFIED:
        return VerificationResult(VerificationStatus.PASS, VERIFIER_ID, said, evidence)
    if verdict.outcome == Outcome.UNDECIDED:
        return VerificationResult(
            VerificationStatus.SKIPPED, VERIFIER_ID, said, evidence, warnings=(said,), could_have_failed=False
        )
    fault = Fault.SUBJECT if verdict.outcome == Outcome.REFUTED else Fault.ENVIRONMENT
    return VerificationResult(VerificationStatus.FAIL, VERIFIER_ID, said, evidence, (said,), fault=fault)
