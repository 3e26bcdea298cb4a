"""Examples whose texts stand without quotation marks: when they are read, and what they decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.examples.unquoted import UNQUOTED
from probatum.programs.extract import extract_module
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import Question
from probatum.programs.specification import FunctionSpec
from probatum.programs.verifier import verify_function
from probatum.sandbox import Sandbox
from tests.programs.reading import source_of

PADDED = '''
def padded(code, width):
    """Given a string code and an integer width, put dots behind it.

    padded(ab, 3) => "ab."
    padded(x, 2) => "x."
    padded(Kiwi7, 5) => "Kiwi7"
    """
    return code.ljust(width, ".")
'''


def of(source: str) -> FunctionSpec:
    return extract_module(source).functions[-1]


def test_the_words_become_texts_and_that_is_reported() -> None:
    function = of(PADDED)
    assert [each.expression for each in function.examples] == [
        "padded('ab', 3)",
        "padded('x', 2)",
        "padded('Kiwi7', 5)",
    ]
    assert {(each.notation, each.confidence) for each in function.examples} == {(UNQUOTED, 0.7)}
    [reported] = function.unreadable
    assert "without quotation marks" in reported.reason
    assert function.examples[1].text == 'padded(x, 2) => "x."'


def test_an_annotation_says_as_well_that_it_is_a_text() -> None:
    source = PADDED.replace("Given a string code and an integer width, put", "Put").replace("code,", "code: str,", 1)
    assert len(of(source).examples) == 3


MISTAKABLE: Mapping[str, str] = {
    "nothing says that it is a text": PADDED.replace("Given a string code and an integer width, put", "Put"),
    "it is said to be a number": PADDED.replace("a string code", "an integer code"),
    "two words": PADDED.replace('    padded(x, 2) => "x."\n', ""),
    "one word, three times": PADDED.replace("padded(x,", "padded(ab,").replace("padded(Kiwi7,", "padded(ab,"),
    "single letters": PADDED.replace("(ab,", "(a,").replace("Kiwi7", "k"),
    "the name of a parameter": PADDED.replace("padded(x,", "padded(code,"),
    "a name of the file": "ab = 'ba'\n" + PADDED,
    "a built-in name": PADDED.replace("padded(x,", "padded(list,"),
    "a keyword": PADDED.replace("padded(x,", "padded(while,"),
    "one call with quotation marks": PADDED.replace("padded(x,", "padded('x',"),
    "one call with a number in that place": PADDED.replace("padded(x,", "padded(7,"),
    "an expression": PADDED.replace("padded(x,", "padded(x + y,"),
    "another number of arguments": PADDED.replace("padded(x, 2)", "padded(x)"),
    "no sign but words": PADDED.replace("padded(x, 2) =>", "padded(x, 2) returns"),
    "no value": PADDED.replace('"x."', "something"),
    "an example that can be read": PADDED.replace(
        "    padded(x, 2) =>", "    padded('x', 1) => 'x'\n    padded(y, 2) =>"
    ),
}


@pytest.mark.parametrize("name", MISTAKABLE)
def test_what_could_be_meant_otherwise_is_not_read(name: str) -> None:
    assert not [each for each in of(MISTAKABLE[name]).examples if each.notation == UNQUOTED]


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        yield Benches(first, second)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [('code.ljust(width, ".")', False), ("code", True), ('"-" * width', False)],
    ids=["all hold", "one holds", "none holds"],
)
def test_examples_of_which_none_holds_may_mean_something_else(benches: Benches, body: str, outcome: bool) -> None:
    source = PADDED.replace('code.ljust(width, ".")', body)
    module = extract_module(source)
    policy = ProgramPolicy(level="quick", generated_inputs=0)
    question = Question(source_of(source), module.functions[0], policy)
    decided = decide_function(verify_function(question, benches, ignore), policy).outcome
    assert (decided is Outcome.REFUTED) is outcome
