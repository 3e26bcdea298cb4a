"""Which examples are suggested: few, telling, in doctest form, and without a value."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.programs.judging.suggestions import as_doctest, fewest
from probatum.programs.running.checks import Action, ClerkExpression, DirectCall, Statements
from tests.services import Level, ProgramRequest, Service

CHOICES: dict[str, tuple[dict[str, set[int]], list[int], list[tuple[int, list[str]]]]] = {
    "nothing": ({}, [0, 1], []),
    "a fault that no input tells apart": ({"a": set()}, [0, 1], []),
    "one input for all": ({"a": {0, 2}, "b": {1, 2}}, [0, 1, 2], [(2, ["a", "b"])]),
    "of equals the first in order": ({"a": {0, 1}}, [1, 0], [(1, ["a"])]),
    "each its own": ({"a": {0}, "b": {1}}, [0, 1], [(0, ["a"]), (1, ["b"])]),
    "the greedy choice turns out not to be needed": (
        {"a": {0, 1}, "b": {0, 2}, "c": {1}, "d": {2}, "e": {0, 1}, "f": {0, 2}},
        [0, 1, 2],
        [(1, ["a", "c", "e"]), (2, ["b", "d", "f"])],
    ),
}


@pytest.mark.parametrize("name", CHOICES)
def test_the_fewest_inputs_are_chosen(name: str) -> None:
    told_apart, order, expected = CHOICES[name]
    assert fewest({fault: frozenset(inputs) for fault, inputs in told_apart.items()}, order) == expected


@given(st.dictionaries(st.text(max_size=2), st.frozensets(st.integers(0, 6)), max_size=8))
def test_everything_that_can_be_noticed_is_noticed_once_and_no_input_is_idle(told: dict[str, frozenset[int]]) -> None:
    rows = fewest(told, list(range(7)))
    named = [fault for _, faults in rows for fault in faults]
    assert sorted(named) == sorted(fault for fault, inputs in told.items() if inputs)
    assert all(index in told[fault] for index, faults in rows for fault in faults)
    for index, _ in rows:
        others = {other for other, _ in rows} - {index}
        assert any(inputs and not inputs & others for inputs in told.values())


DOCTESTS: dict[str, tuple[Action, str]] = {
    "a call": (DirectCall("f", (1, [2]), (("k", "x"),)), ">>> f(1, [2], k='x')\n?"),
    "an expression": (ClerkExpression("round(f(2), 3)", ("f",)), ">>> round(f(2), 3)\n?"),
    "several steps": (
        Statements(("c = C()", "for x in 'ab':\n    c.add(x)"), "c.size"),
        ">>> c = C()\n>>> for x in 'ab':\n...     c.add(x)\n>>> c.size\n?",
    ),
}


@pytest.mark.parametrize("name", DOCTESTS)
def test_an_example_is_written_as_a_doctest(name: str) -> None:
    action, expected = DOCTESTS[name]
    assert as_doctest(action) == expected


WEAK = '''def fee(amount: int) -> int:
    """
    >>> fee(50)
    2
%s    """
    if amount > 100:
        return amount // 50 + 3717
    return 2
'''


def verified(service: Service, more: str, *, suggest: bool = True, level: Level = Level.STANDARD) -> dict[str, object]:
    request = ProgramRequest((WEAK % more).encode(), "subject.py", suggest=suggest, level=level)
    [function] = service.verify_program(request).parts
    return dict(function.details["result"])


def test_the_programs_own_answer_is_never_offered(service: Service) -> None:
    shown = set(re.findall(r"37\d\d", json.dumps(verified(service, "")["suggestions"])))
    assert shown <= {"3716", "3717", "3718"}, "only the faults may mention the constant"


def test_with_the_suggested_examples_added_every_fault_is_noticed(service: Service) -> None:
    suggested = verified(service, "")["suggestions"]
    assert isinstance(suggested, dict)
    more = ""
    for row in suggested["examples"]:
        call = row["example"].splitlines()[0].removeprefix(">>> ")
        amount = int(call.removeprefix("fee(").removesuffix(")"))
        right = amount // 50 + 3717 if amount > 100 else 2
        more += f"    >>> {call}\n    {right}\n"
    again = verified(service, more)
    assert again["passed"] is True
    left = again["suggestions"]
    assert isinstance(left, dict)
    assert left["not_noticed"] * 4 < suggested["not_noticed"]


def test_an_example_left_open_is_no_check(service: Service) -> None:
    before = verified(service, "", suggest=False)
    after = verified(service, "    >>> fee(500)\n    ?\n", suggest=False)
    assert after["passed"] is False
    assert after["strength"] == before["strength"]


def test_without_a_measurement_nothing_is_suggested(service: Service) -> None:
    assert verified(service, "", level=Level.QUICK)["suggestions"] == {
        "examples": [],
        "covered": 0,
        "not_noticed": 0,
        "measured": False,
    }
    assert "suggestions" not in verified(service, "", suggest=False)
