"""What the gate calls weaker than the product's default, of the policies that programs are judged under."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.kinds.program.levels import policy_of, policy_shortfalls
from probatum.programs.decide import ProgramPolicy
from tests.services import Level, ProgramRequest

STANDARD = ProgramPolicy().to_json()


@pytest.mark.parametrize("level", [Level.STANDARD, Level.THOROUGH])
def test_what_the_product_demands_by_default_is_enough(level: Level) -> None:
    assert policy_shortfalls(policy_of(ProgramRequest(b"", "a.py", level=level)).to_json()) == ()
    assert policy_shortfalls({**STANDARD, "min_strength": 1}) == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"min_strength": 0.0}, "it demands that 0.0 of the mutants"),
        ({"min_strength": 0}, "0.7 is required"),
        ({"min_strength": 0.5}, "verify again with --min-strength 0.7, or ask the gate with --min-strength 0.5"),
        ({"min_strength": 0.6999999}, "it demands that 0.6999999 of"),
        ({"generated_inputs": 99}, "it allows 99 generated inputs, and 100 are required"),
        ({"mutants": 0}, "it allows 0 mutants, and 60 are required"),
        ({"max_documented_only": 0.2}, "it lets documented inputs alone kill 0.2 of the mutants"),
        ({"stated_inputs": 1}, "it allows 1 inputs for each statement"),
        ({"level": "thorough"}, "it allows 100 generated inputs, and 400 are required"),
        ({"level": "quick", "generated_inputs": 0}, "it allows 0 generated inputs, and 100 are required"),
        ({"level": "heroic"}, "'heroic', which is none of the product's"),
        ({"refactor": True}, "verify again without --refactor, or ask the gate with --refactor"),
        ({"isolation": "none"}, "without isolation"),
        ({"isolation": "Sandbox"}, "without isolation"),
        ({"seed": 7}, "its seed is 7, and 0 is required"),
    ],
)
def test_a_weaker_policy_is_named(changes: dict[str, object], words: str) -> None:
    assert words in "; ".join(policy_shortfalls({**STANDARD, **changes}))


def test_every_weakness_is_named() -> None:
    weak = {**STANDARD, "min_strength": 0.1, "mutants": 1, "generated_inputs": 2, "isolation": "none"}
    assert len(policy_shortfalls(weak)) == 4


def test_the_floor_may_be_another() -> None:
    assert policy_shortfalls({**STANDARD, "min_strength": 0.5}, ProgramPolicy(min_strength=0.5)) == ()
    assert policy_shortfalls({**STANDARD, "min_strength": 0.5}, ProgramPolicy(min_strength=0.0)) == ()
    split = ProgramPolicy(evidence="split")
    assert policy_shortfalls(split.to_json()) == policy_shortfalls(split.to_json(), split) == ()
    [sentence] = policy_shortfalls(STANDARD, split)
    assert "verify again with --evidence split" in sentence
    refactoring = ProgramPolicy(refactor=True)
    assert policy_shortfalls(refactoring.to_json(), refactoring) == ()
    assert policy_shortfalls(STANDARD, refactoring) == ("it lets results change: verify again with --refactor",)
    [sentence] = policy_shortfalls(STANDARD, ProgramPolicy(min_strength=0.9))
    assert "0.9 is required" in sentence


@pytest.mark.parametrize(
    "changes",
    [
        {"min_strength": "0.7"},
        {"min_strength": True},
        {"min_strength": None},
        {"min_strength": 1.5},
        {"mutants": 60.0},
        {"mutants": True},
        {"generated_inputs": "100"},
        {"level": None},
        {"isolation": ["sandbox"]},
        {"more": 1},
    ],
)
def test_what_is_no_policy_is_not_judged(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"policy|min_strength"):
        policy_shortfalls({**STANDARD, **changes})
    with pytest.raises(ValueError, match="policy"):
        policy_shortfalls({})


@given(share=st.floats(0, 1), floor=st.floats(0, 1))
def test_the_bar_is_kept_for_every_share(share: float, floor: float) -> None:
    assert bool(policy_shortfalls({**STANDARD, "min_strength": share}, ProgramPolicy(min_strength=floor))) is (
        share < floor
    )
