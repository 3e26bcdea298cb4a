"""Examples that call a function by the name it had before: what counts as unmistakable, and what they decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.examples.former_names import FORMER_NAME
from probatum.programs.extract import extract_module
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import Question
from probatum.programs.specification import FunctionSpec
from probatum.programs.verifier import verify_function
from probatum.sandbox import Sandbox
from tests.programs.reading import source_of

TWICE = '''
def twice(number, times=2):
    """Multiply.

    >>> double(2)
    4
    >>> double(3, times=3)
    9
    """
    return number * times
'''


def of(source: str) -> FunctionSpec:
    return extract_module(source).functions[-1]


def test_examples_by_a_former_name_are_read_and_reported() -> None:
    function = of(TWICE)
    assert [each.expression for each in function.examples] == ["twice(2)", "twice(3, times=3)"]
    assert {(each.notation, each.confidence) for each in function.examples} == {(FORMER_NAME, 0.7)}
    [reported] = function.unreadable
    assert "nothing is called 'double'" in reported.reason
    assert function.examples[0].text.startswith(">>> double(2)")


MISTAKABLE: Mapping[str, str] = {
    "one example": TWICE.replace("    >>> double(3, times=3)\n    9\n", ""),
    "two names": TWICE.replace("double(3", "triple(3"),
    "its own name as well": TWICE.replace("double(3", "twice(3"),
    "its own name in a sentence": TWICE.replace("Multiply.", "Multiply; see twice(n)."),
    "arguments that do not fit": TWICE.replace("double(2)", "double(1, 2, 3)"),
    "an unknown keyword": TWICE.replace("times=3)", "by=3)"),
    "more than a call": TWICE.replace("double(2)", "double(2) + 0"),
    "an import": TWICE.replace(">>> double(2)", ">>> from maths import double\n    >>> double(2)"),
    "a name that stands elsewhere": TWICE + "# double is gone\n",
    "a name of the file": "def double(n):\n    return n\n" + TWICE,
    "a built-in name": TWICE.replace("double", "pow"),
    "a class": TWICE.replace("def twice(number, times=2):", "class Twice:").replace("    return number * times\n", ""),
}


@pytest.mark.parametrize("name", MISTAKABLE)
def test_what_could_be_meant_otherwise_is_not_read(name: str) -> None:
    assert not [each for each in of(MISTAKABLE[name]).examples if each.notation == FORMER_NAME]


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        yield Benches(first, second)


@pytest.mark.parametrize(
    ("body", "refuted"),
    [("number * times", False), ("number * 2", True), ("number - times", False)],
    ids=["all hold", "one holds", "none holds"],
)
def test_examples_of_which_none_holds_may_be_of_another_function(benches: Benches, body: str, refuted: bool) -> None:
    source = TWICE.replace("number * times", body)
    module = extract_module(source)
    policy = ProgramPolicy(level="quick", generated_inputs=0)
    question = Question(source_of(source), module.functions[0], policy)
    outcome = decide_function(verify_function(question, benches, ignore), policy).outcome
    assert (outcome is Outcome.REFUTED) is refuted
