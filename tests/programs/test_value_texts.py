"""Integers that Python refuses to write in decimal: they are shown, kept and compared as any other value."""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict, defaultdict, deque
from fractions import Fraction

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.core.tagged import tagged, untagged
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_module
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.running.checks import DirectCall, input_value, pasteable, value_of_input
from probatum.programs.running.compare import Agreement, agree, describe
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.verifier import verify_function
from probatum.sandbox import Declared, Returned
from tests.programs.parsing import source_of

HUGE = 10**9999


PLAIN = [HUGE, -HUGE, [HUGE, 1], (HUGE,), {"a": -HUGE, HUGE: [None]}, {HUGE}, [{"b": 1, "a": (1, {"c": HUGE})}]]
OTHERS = [
    Fraction(HUGE, 3), range(HUGE), frozenset({HUGE}), deque([HUGE]), Counter({"a": HUGE}), OrderedDict(a=HUGE),
    defaultdict(int, a=HUGE),
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=range(len(PLAIN)))
def test_a_huge_integer_is_written_as_python_that_reads_back(value: object) -> None:
    assert ast.literal_eval(value_text(value)) == value
    assert ast.literal_eval(pasteable(DirectCall("f", (value,)))[1:]) == value
    assert value_of_input(input_value(value)) == value
    assert untagged(tagged(value)) == value


@pytest.mark.parametrize("value", OTHERS, ids=lambda value: type(value).__name__)
def test_what_holds_a_huge_integer_is_described(value: object) -> None:
    assert value_text(value).startswith(type(value).__name__)
    assert describe(Returned(Declared("artifact.Point", (("x", value),)))).startswith("artifact.Point(x=")


@pytest.mark.parametrize("value", [1, -2.5, "a", [1, (2,)], {"a": {1}}, Fraction(1, 3), frozenset(), None])
def test_every_other_value_is_written_as_always(value: object) -> None:
    assert value_text(value) == repr(value)


@pytest.mark.parametrize("value", [Fraction(HUGE, 7), Fraction(-1, HUGE), Fraction(-1, 3), Fraction(5)], ids=range(4))
def test_a_fraction_of_huge_integers_is_kept_and_read_back(value: Fraction) -> None:
    assert untagged(tagged(value)) == value


def test_a_huge_integer_differs_from_every_complex_number() -> None:
    assert agree(1j, HUGE) is Agreement.DIFFERENT


@pytest.mark.parametrize(
    ("call", "body", "is_refuted"),
    [
        ("f(1)\n    2", "10 ** 9999", True),
        ("f(1)\n    2", "-10 ** 9999", True),
        ("f(1)\n    [2]", "[10 ** 9999]", True),
        ("f(1)\n    {'a': 2}", "{'a': 10 ** 9999}", True),
        ("f(1)\n    2", "__import__('fractions').Fraction(10 ** 9999, 7)", True),
        ("f(10**9999)\n    2", "n", True),
        ("f([10**9999])\n    2", "n", True),
        ("f(10**9999)\n    10000", "n.bit_length() * 0 + 10000", False),
        ("f(0x" + "f" * 4000 + ")\n    16000", "n.bit_length()", False),
        ("f(3)\n    3", "n % 0x" + "f" * 4000, False),
        ("f(3)\n    4", "n % 0x" + "f" * 4000, True),
        ("f(3) == 10**9999\n    True", "10 ** 9999 if n > 0 else 0", False),
    ],
)  # fmt: skip
def test_a_program_with_huge_integers_is_judged(benches: Benches, call: str, body: str, is_refuted: bool) -> None:
    source = f'def f(n):\n    """Compute.\n\n    >>> {call}\n    """\n    return {body}\n'
    module = extract_module(source)
    policy = ProgramPolicy(level="standard", generated_inputs=30, mutants=8)
    question = FunctionQuestion(source_of(source), module.functions[-1], policy)
    outcome = decide_function(verify_function(question, benches, ignore), policy).outcome
    assert (outcome is Outcome.REFUTED) is is_refuted
