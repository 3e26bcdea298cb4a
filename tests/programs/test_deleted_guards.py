"""A documented guard that is deleted makes no program better: none becomes VERIFIED by it, none stays VERIFIED."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_module
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.verifier import verify_function
from tests.programs.parsing import source_of

BENCHMARK = Path(__file__).parents[2] / "benchmarks/deleted_guards.py"

RATE = '''def rate(percent: int, codes: list[str]) -> int:
    """Discount for codes.

    Args:
        percent: The discount in percent.
        codes: What was entered.

    Raises:
        ValueError: If the discount is negative, or if codes is empty.

    >>> rate(20, ["a", "b"])
    40
    >>> rate(5, ["c"])
    5
    """
    if percent < 0:
        raise ValueError(percent)
    if not codes:
        raise ValueError(codes)
    return percent * len(codes)
'''
MIDDLE = '''def middle(xs: list[int]) -> int | None:
    """The item in the middle, None for no items.

    >>> middle([])
    >>> middle([4, 5, 6])
    5
    >>> middle([1, 2, 3, 4])
    3
    """
    if not xs:
        return None
    return xs[len(xs) // 2]
'''
FIRST_AFTER = '''def first_after(xs: list[int], limit: int) -> int:
    """The first number above a limit.

    :param xs: the numbers
    :param limit: at most 1000
    :raises KeyError: if limit is greater than 1000
    :returns: the number, -1 where there is none

    >>> first_after([3, 7, 9], 4)
    7
    >>> first_after([3, 7, 9], 8)
    9
    >>> first_after([3], 5)
    -1
    """
    if limit > 1000:
        raise KeyError(limit)
    for x in xs:
        if x > limit:
            return x
    return -1
'''
PROGRAMS = {"rate": RATE, "middle": MIDDLE, "first_after": FIRST_AFTER}


@pytest.fixture(scope="module")
def deleting() -> ModuleType:
    spec = importlib.util.spec_from_file_location("deleted_guards", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["deleted_guards"] = module
    spec.loader.exec_module(module)
    return module


def outcome_of(benches: Benches, source: str, name: str) -> Outcome:
    policy = ProgramPolicy(generated_inputs=60, mutants=20)
    [function] = [each for each in extract_module(source).functions if each.qualname == name]
    record = verify_function(FunctionQuestion(source_of(source), function, policy), benches, ignore)
    return decide_function(record, policy).outcome


@pytest.mark.parametrize("name", PROGRAMS)
def test_without_a_documented_guard_no_program_is_verified(benches: Benches, deleting: ModuleType, name: str) -> None:
    right = PROGRAMS[name]
    deleted = list(deleting.without_guards(deleting.Right(name, right, name, "")))
    assert deleted
    assert outcome_of(benches, right, name) is not Outcome.REFUTED
    assert all(outcome_of(benches, each.source, name) is not Outcome.TESTED for each in deleted)


def test_what_is_documented_is_deleted_and_nothing_else(deleting: ModuleType) -> None:
    source = f"{RATE}\n\ndef other(x):\n    if x:\n        raise OSError\n    if x:\n        return x\n    return 7\n"
    deleted = deleting.without_guards(deleting.Right("rate", source, "rate", ""))
    assert [each.id for each in deleted] == ["rate@16", "rate@18"]
    first = next(deleting.without_guards(deleting.Right("rate", source, "rate", ""))).source
    assert "    pass\n    if not codes:" in first
