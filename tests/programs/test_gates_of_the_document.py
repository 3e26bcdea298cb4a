"""What the document shows of gates and goals, with the module paths that are here."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from probatum.programs import (
    ArtifactSpec,
    CascadeResult,
    DeepVerifier,
    GateArtifact,
    GateResult,
    GateType,
    Goal,
    GoalResult,
    ValidationGate,
    ValidationRunner,
    approval_of,
    validate_with_deep_verification,
)

RIGHT = (
    'def double(x: int) -> int:\n    """\n    >>> double(2)\n    4\n    >>> double(-3)\n    -6\n    """\n'
    "    return 2 * x\n"
)
WRONG = RIGHT.replace("2 * x", "x + 2")
SPEC = ArtifactSpec("double", "Doubles.", "")
GATES = (GateType.SYNTAX, GateType.SEMANTIC)


async def validated(artifact: GateArtifact, spec: ArtifactSpec) -> GateResult | CascadeResult:
    """The document's function, with the names that are here."""
    result = await ValidationRunner().validate_gate(ValidationGate(gate_type=GateType.SYNTAX), [artifact])
    if not result.passed:
        return result
    return await validate_with_deep_verification(artifact, spec, gates=GATES)


@pytest.mark.parametrize(
    ("source", "passes", "kinds"),
    [(RIGHT, True, set()), (WRONG, False, {"semantic"}), ("def double(:\n", False, {"syntax"})],
)
def test_a_generated_artifact_goes_through_all_stages(
    source: str, kinds: set[str], tmp_path: Path, *, passes: bool
) -> None:
    result = asyncio.run(validated(GateArtifact(tmp_path / "double.py", source), SPEC))
    assert result.passed == passes
    assert {each.error_type for each in result.errors} == kinds


def test_a_caller_repairs_what_is_wrong(tmp_path: Path) -> None:
    run = validate_with_deep_verification(
        GateArtifact(tmp_path / "double.py", WRONG), gates=GATES, repair=lambda failed: RIGHT if failed.errors else None
    )
    result = asyncio.run(run)
    assert (result.passed, result.repairs, result.source) == (True, 1, RIGHT)


async def execute_goal(goal: Goal, source: str) -> GoalResult:
    """The document's function: deep verification decides whether a goal is approved."""
    return approval_of(goal, await DeepVerifier().verify(SPEC, source), 0.5)


@pytest.mark.parametrize(
    ("source", "auto", "approved"), [(RIGHT, True, True), (RIGHT, False, False), (WRONG, True, False)]
)
def test_a_goal_is_approved_or_reviewed(source: str, *, auto: bool, approved: bool) -> None:
    result = asyncio.run(execute_goal(Goal("g", "Double", "", auto_approvable=auto), source))
    assert (result.success, result.auto_approved, result.needs_review) == (approved, approved, not approved)
    assert result.verification is not None
