"""Verifying a program: read what it is documented to do, run it isolated, plant faults, decide.

Nothing of the program under test is imported or evaluated in this process. The names are those of the document about
deep verification; they load what they need when they are first used. Refuses every other name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from probatum.programs.cascade import ValidationRunner, validate_with_deep_verification
    from probatum.programs.deep.components import ConfidenceTriangulator, MultiPerspectiveAnalyzer, TestGenerator
    from probatum.programs.deep.executor import BehavioralExecutor
    from probatum.programs.deep.specifications import SpecificationExtractor
    from probatum.programs.deep.types import (
        ArtifactSpec,
        BehavioralExecutionResult,
        DeepVerificationConfig,
        DeepVerificationResult,
        GeneratedTest,
        GenerateOptions,
        GenerateResult,
        InputSpec,
        ModelProtocol,
        OutputSpec,
        PerspectiveResult,
        SemanticIssue,
        Specification,
        TestExecutionResult,
        VerificationEvent,
    )
    from probatum.programs.deep.verification import DeepVerification
    from probatum.programs.deep.verifier import DeepVerifier
    from probatum.programs.gates import (
        CascadeResult,
        GateArtifact,
        GateResult,
        GateType,
        Goal,
        GoalResult,
        ValidationGate,
        approval_of,
    )
    from probatum.verification.files import GateStepResult, ValidationError

__all__ = [
    "ArtifactSpec",
    "BehavioralExecutionResult",
    "BehavioralExecutor",
    "CascadeResult",
    "ConfidenceTriangulator",
    "DeepVerification",
    "DeepVerificationConfig",
    "DeepVerificationResult",
    "DeepVerifier",
    "GateArtifact",
    "GateResult",
    "GateStepResult",
    "GateType",
    "GenerateOptions",
    "GenerateResult",
    "GeneratedTest",
    "Goal",
    "GoalResult",
    "InputSpec",
    "ModelProtocol",
    "MultiPerspectiveAnalyzer",
    "OutputSpec",
    "PerspectiveResult",
    "SemanticIssue",
    "Specification",
    "SpecificationExtractor",
    "TestExecutionResult",
    "TestGenerator",
    "ValidationError",
    "ValidationGate",
    "ValidationRunner",
    "VerificationEvent",
    "approval_of",
    "validate_with_deep_verification",
]

_HOMES: Final = (
    *(f"deep.{each}" for each in ("types", "specifications", "executor", "components", "verifier")),
    *("gates", "cascade"),
)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'probatum.programs' has no attribute {name!r}")
    homes = map(import_module, (f"probatum.programs.{each}" for each in _HOMES))
    value = globals()[name] = next(getattr(home, name) for home in homes if hasattr(home, name))
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
