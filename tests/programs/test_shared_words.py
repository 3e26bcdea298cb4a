"""Words of comparison mean the same of arguments and of results: every reader has them from one table."""

from __future__ import annotations

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.requirements.vocabulary import BOUNDS, SIGNS
from probatum.programs.specification import FunctionSpec

WORDS = tuple((f"{words} 3", f"{sign} 3") for words, sign in BOUNDS)
ADJECTIVES = tuple((word, f"{sign} 0") for word, sign in SIGNS.items())
OF_RESULTS = [(words, said) for words, said in WORDS if "fewer" not in words and not said.startswith("==")]


def read(sentence: str) -> FunctionSpec:
    return extract_module(f'def f(n: int) -> int:\n    """{sentence}"""\n    return g(n)\n').functions[0]


@pytest.mark.parametrize(("words", "condition"), [*WORDS, *ADJECTIVES])
def test_a_requirement_and_the_condition_of_a_fixed_result_read_the_same_words(words: str, condition: str) -> None:
    assert [each.expression for each in read(f"n must be {words}.").preconditions] == [f"n {condition}"]
    [fixed] = read(f"Returns -1 if n is {words}.").properties
    assert fixed.condition.endswith(f"(n {condition})")


@pytest.mark.parametrize(("words", "condition"), [*OF_RESULTS, *ADJECTIVES])
def test_a_bound_of_the_result_is_read_by_the_same_words(words: str, condition: str) -> None:
    [found] = read(f"The result is {words}.").properties
    assert f"v_ {condition}" in found.expression


def test_a_longer_wording_stands_before_one_that_it_begins_with() -> None:
    for place, (words, _) in enumerate(BOUNDS):
        assert not [longer for longer, _ in BOUNDS[place + 1 :] if longer.startswith(f"{words} ")]
