"""What a specification states about all calls: what is checked, what was misread, what refutes and what does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_module
from probatum.programs.pytest_source import MOST_INPUTS, pytest_source
from probatum.programs.record import CheckRecord, CheckState, FunctionRecord
from probatum.programs.rejudge import require_consistent
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.specification import FunctionSpec, Origin, Precondition, Property, Span
from probatum.programs.verifier import verify_function
from tests.programs.parsing import source_of

PLACE = Span(2, 0, 2, 5)


def requires(expression: str) -> Precondition:
    return Precondition("r1", expression, "what is required", PLACE)


def states(expression: str, origin: Origin = Origin.DERIVED) -> Property:
    return Property("p1", expression, "what is stated", PLACE, origin=origin)


def observe(
    benches: Benches, source: str, *clauses: Precondition | Property, level: str = "standard"
) -> tuple[FunctionRecord, Outcome]:
    module = extract_module(source)
    function: FunctionSpec = replace(
        module.functions[-1],
        preconditions=tuple(each for each in clauses if isinstance(each, Precondition)),
        properties=tuple(each for each in clauses if isinstance(each, Property)),
    )
    policy = ProgramPolicy(level=level, generated_inputs=0 if level == "quick" else 60, mutants=20)
    question = FunctionQuestion(source_of(source), function, policy)
    record = verify_function(question, benches, ignore)
    require_consistent(record)
    return record, decide_function(record, policy).outcome


def of_kind(record: FunctionRecord, kind: str) -> list[CheckRecord]:
    return [check for check in record.checks if check.kind == kind]


SORTS = "def ordered(numbers: list[int]) -> list[int]:\n    return sorted(numbers)\n"
KEEPS_HEAD = "def ordered(numbers: list[int]) -> list[int]:\n    return numbers[:1] + sorted(numbers[1:])\n"
IS_SORTED = "result == sorted(numbers)"


def test_a_property_that_always_holds_carries_a_verdict_without_any_example(benches: Benches) -> None:
    record, outcome = observe(benches, SORTS, states(IS_SORTED))
    assert outcome is Outcome.TESTED
    assert {check.state for check in of_kind(record, "property")} == {CheckState.HOLDS}
    assert len(of_kind(record, "property")) == 50


def test_a_broken_property_refutes_with_a_small_call(benches: Benches) -> None:
    record, outcome = observe(benches, KEEPS_HEAD, states(IS_SORTED))
    [failing] = [check for check in record.checks if check.state is CheckState.FAILS]
    assert outcome is Outcome.REFUTED
    assert failing.reproduction.startswith("ordered([")
    assert len(failing.reproduction) < 30
    assert failing.reproduction in failing.note


def test_what_lies_outside_of_the_requirements_is_no_input(benches: Benches) -> None:
    source = "def root(number: int) -> int:\n    return -1 if number < 0 else int(number**0.5)\n"
    _, refuted = observe(benches, source, states("result >= 0"))
    record, outcome = observe(benches, source, states("result >= 0"), requires("number >= 0"))
    assert refuted is Outcome.REFUTED
    assert outcome is not Outcome.REFUTED
    assert of_kind(record, "property")


MISREAD_BY_AN_EXAMPLE = '''
def reverse(numbers: list[int]) -> list[int]:
    """
    >>> reverse([1, 2, 3])
    [3, 2, 1]
    """
    return numbers[::-1]
'''


@pytest.mark.parametrize("clause", [states("result == sorted(result)"), requires("len(numbers) > 5")])
def test_a_reading_that_an_example_contradicts_decides_nothing_and_is_reported(
    benches: Benches, clause: Precondition | Property
) -> None:
    record, outcome = observe(benches, MISREAD_BY_AN_EXAMPLE, clause)
    assert outcome is not Outcome.REFUTED
    assert not of_kind(record, "property")
    assert any("the example on line 4 does not meet it" in sentence for sentence in record.unread)


@pytest.mark.parametrize(
    "expression",
    ["result ==", "unknown_name > 0", "result == numbers.missing", "result > 'text'", "1 / 0", "().__class__.nothing"],
)
def test_a_condition_without_a_truth_value_neither_holds_nor_refutes(benches: Benches, expression: str) -> None:
    record, outcome = observe(benches, SORTS, states(expression))
    assert outcome is Outcome.UNDECIDED
    assert not record.checks
    assert record.unread


def test_a_call_that_raises_breaks_no_property(benches: Benches) -> None:
    source = "def ratio(number: int) -> float:\n    return 1 / number\n"
    record, outcome = observe(benches, source, states("result * number == 1 or True"))
    assert outcome is not Outcome.REFUTED
    assert all(check.state is CheckState.HOLDS for check in record.checks)


def test_a_condition_may_call_functions_of_the_program(benches: Benches) -> None:
    pair = (
        "def encode(text: str) -> str:\n    return text[::-1]\n\n\n"
        "def decode(text: str) -> str:\n    return text[::-1]{}\n"
    )
    _, right = observe(benches, pair.format(""), states("encode(result) == text"))
    record, wrong = observe(benches, pair.format("[:3]"), states("encode(result) == text"))
    assert right is not Outcome.REFUTED
    assert wrong is Outcome.REFUTED
    assert record.checks[-1].reproduction.startswith("decode(")


def test_values_after_the_call_can_be_named(benches: Benches) -> None:
    source = "def drain(numbers: list[int]) -> int:\n    total = sum(numbers)\n    numbers.clear()\n    return total\n"
    record, _ = observe(benches, source, states("numbers__after == [] and result == sum(numbers)"))
    assert {check.state for check in of_kind(record, "property")} == {CheckState.HOLDS}


def test_large_inputs_are_judged_as_well_as_small_ones(benches: Benches) -> None:
    source = "def clipped(number: int) -> int:\n    if number > 9:\n        return 300\n    return min(number, 255)\n"
    _, outcome = observe(benches, source, states("result <= 255"))
    assert outcome is Outcome.REFUTED


def test_a_model_never_refutes_and_never_carries(benches: Benches) -> None:
    _, broken = observe(benches, KEEPS_HEAD, states(IS_SORTED, origin=Origin.MODEL))
    _, kept = observe(benches, SORTS, states(IS_SORTED, origin=Origin.MODEL))
    assert (broken, kept) == (Outcome.UNDECIDED, Outcome.UNDECIDED)


def test_at_level_quick_properties_are_held_against_documented_calls(benches: Benches) -> None:
    record, _ = observe(benches, MISREAD_BY_AN_EXAMPLE, states("len(result) == len(numbers)"), level="quick")
    assert [check.state for check in of_kind(record, "property")] == [CheckState.HOLDS]


@pytest.mark.long
def test_a_condition_that_never_ends_is_lost_and_not_waited_for_again(benches: Benches) -> None:
    record, outcome = observe(benches, SORTS, states("[0 for _ in iter(int, 1)] == []"))
    assert outcome is Outcome.UNDECIDED
    assert not any(check.state is CheckState.HOLDS for check in record.checks)


def test_statements_about_all_calls_are_saved_as_tests_that_run(
    benches: Benches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "def square_root_of(number: int) -> int:\n    return abs(number)\n"
    record, _ = observe(benches, source, states("result == abs(number)"))
    (tmp_path / "kept_module.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    saved: dict[str, Callable[[], None]] = {}
    exec(pytest_source("kept_module", [record], extract_module(source)), saved)
    tests = [name for name in saved if name.startswith("test_")]
    assert len(tests) == MOST_INPUTS
    for name in tests:
        saved[name]()
