"""Calls that raise where the words give the result: what breaks the sentence, and what is left open."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_module
from probatum.programs.judging.owed_results import ANYTHING, deliberate_exceptions
from probatum.programs.record import CheckState, FunctionRecord
from probatum.programs.rejudge import require_consistent
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import Question
from probatum.programs.verifier import verify_function
from probatum.sandbox import Sandbox
from tests.programs.reading import source_of


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        yield Benches(first, second)


def observed(benches: Benches, source: str) -> tuple[FunctionRecord, Outcome]:
    module = extract_module(source)
    policy = ProgramPolicy(generated_inputs=60, mutants=0)
    question = Question(source_of(source), module.functions[-1], policy)
    record = verify_function(question, benches, ignore)
    require_consistent(record)
    return record, decide_function(record, policy).outcome


def program(document: str, body: str, parameters: str = "weights: list[int]") -> str:
    text = "\n    ".join(document.split("\n"))
    lines = "\n    ".join(body.split("\n"))
    return f'def f({parameters}):\n    """{text}\n    """\n    {lines}\n'


TOTAL = "Return the sum of the numbers in the list."
FROM_THE_FIRST = "total = weights[0]\nfor each in weights[1:]:\n    total += each\nreturn total"

BROKEN: Mapping[str, tuple[str, str]] = {
    "the sum of an empty list is zero": (program(TOTAL, FROM_THE_FIRST), "f([])"),
    "the running maximum of nothing is nothing": (
        program("Return the running maximum of weights.", "best = weights[0]\nfound = []\nfor each in weights:\n"
                "    best = max(best, each)\n    found.append(best)\nreturn found"),
        "f([])",
    ),
    "a fixed result is promised": (program("Returns None if the list is empty.", "return max(weights)"), "f([])"),
    "a fixed result is promised for an empty text": (
        program("Returns None if the text is empty.", "return text[0]", "text: str"), "f('')"
    ),
    "a text from its end to its beginning": (
        program("Return the reverse of the string.", "found = text[-1]\nfor each in text[-2::-1]:\n"
                "    found += each\nreturn found", "text: str"),
        "f('')",
    ),
    "an argument that is left out": (program(TOTAL, FROM_THE_FIRST, "weights: list[int], start: int = 0"), "f([])"),
    "a fixed result is due whatever else is given": (
        program("Returns None if weights is empty.", "return weights[0] + extra", "weights: list[int], extra: int"),
        "f([], ",
    ),
    "another exception is documented": (
        program(f"{TOTAL}\n\nRaises:\n    KeyError: now and then.", FROM_THE_FIRST), "f([])"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_crash_where_the_words_give_the_result_refutes(benches: Benches, name: str) -> None:
    source, call = BROKEN[name]
    record, outcome = observed(benches, source)
    [failing] = [each for each in record.checks if each.state is CheckState.FAILS]
    assert outcome is Outcome.REFUTED
    assert failing.kind == "property"
    assert failing.reproduction.startswith(call)
    assert failing.note.startswith(f"{failing.reproduction} raises ")


LEFT_OPEN: Mapping[str, str] = {
    "the program refuses on purpose": program(
        TOTAL, f"if not weights:\n    raise IndexError('none')\n{FROM_THE_FIRST}"
    ),
    "something unnamed is raised on purpose": program(
        TOTAL, "try:\n    return weights[0] + sum(weights[1:])\nexcept IndexError:\n    raise"
    ),
    "the exception is documented": program(f"{TOTAL}\n\nRaises:\n    IndexError: now and then.", FROM_THE_FIRST),
    "an exception above it is documented": program(f"{TOTAL}\n\nRaises:\n    LookupError: at times.", FROM_THE_FIRST),
    "the list is required to be filled": program(
        "Given a non-empty list of integers, return the sum of the numbers in the list.", FROM_THE_FIRST
    ),
    "another argument may be to blame": program(
        TOTAL, "return sum(weights) + 0 // share", "weights: list[int], share: int = 1"
    ),
    "another argument of any kind may be to blame": program(
        "Returns None if weights is empty.", "return weights[0] if extra.real else 0", "weights: list[int], extra"
    ),
    "an assertion requires it": program(TOTAL, f"assert weights\n{FROM_THE_FIRST}"),
    "the words give nothing either": program("Return the largest number in the list.", "return max(weights)"),
    "the interpreter is worn out": program(
        TOTAL, "if len(weights) % 2:\n    return f(weights)\nreturn sum(weights)"
    ),
    "the words do not give the result": program("Return a sorted list of the doubled numbers.", FROM_THE_FIRST),
    "a fixed result for texts in a format of their own": program(
        "Returns None if the values are equal.", "low, high = int(a), int(b)\nreturn None if low == high else low",
        "a: str, b: str"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT_OPEN)
def test_a_raising_call_is_left_open_where_it_may_be_meant(benches: Benches, name: str) -> None:
    record, outcome = observed(benches, LEFT_OPEN[name])
    assert outcome is not Outcome.REFUTED, [each.note for each in record.checks if each.state is CheckState.FAILS]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("x = 1", set()),
        ("def f():\n    raise ValueError('no')", {"ValueError"}),
        ("def f():\n    raise KeyError", {"KeyError"}),
        ("def f(x):\n    assert x", {"AssertionError"}),
        ("def f(e):\n    raise errors.Missing()", {ANYTHING}),
        ("try:\n    pass\nexcept OSError:\n    raise", {ANYTHING}),
    ],
)
def test_exceptions_that_are_raised_on_purpose(source: str, names: set[str]) -> None:
    assert deliberate_exceptions(ast.parse(source)) == names
