"""Documented exceptions: on which calls they are asked for, and on which nothing says that they are due."""

from __future__ import annotations

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_module
from probatum.programs.judging.exception_checks import may_be_a_fixed_result
from probatum.programs.record import CheckKind, CheckState, FunctionRecord
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.verifier import verify_function
from probatum.sandbox import Returned
from tests.programs.parsing import read, source_of

POLICY = ProgramPolicy(level="standard", generated_inputs=60, mutants=4)


def record_of(benches: Benches, source: str, index: int = -1) -> FunctionRecord:
    question = FunctionQuestion(source_of(source), extract_module(source).functions[index], POLICY)
    return verify_function(question, benches, ignore)


def outcome_of(benches: Benches, source: str, index: int = -1) -> Outcome:
    return decide_function(record_of(benches, source, index), POLICY).outcome


def function(head: str, document: str, body: str) -> str:
    lines = document.strip().splitlines()
    written = "\n".join(f"    {line}".rstrip() for line in lines)
    return f'import math\n\n\n{head}\n    """{written.strip()}\n    """\n    {body}\n'


ROOT = function(
    "def root(n: int) -> int:",
    "Integer square root.\n\nRaises:\n    ValueError: If n < 0.\n\n>>> root(10)\n3",
    "return math.isqrt(n)",
)
CHAR_AT = function(
    "def char_at(text: str, i: int) -> str:",
    "The character at a place.\n\nRaises:\n    IndexError: If len(text) == 0.\n\n>>> char_at('abc', 1)\n'b'",
    "return text[i]",
)
NTH = function(
    "def nth(xs: list[int], i: int) -> int:",
    "One number.\n\nRaises:\n    IndexError: If i >= len(xs).\n\n>>> nth([4, 5], 1)\n5",
    "return xs[i]",
)
REPLACE_AT = function(
    "def replace_at(xs: list[int], i: int, x: int) -> list[int]:",
    "A copy with another number in a place.\n\nRaises:\n    IndexError: If i >= len(xs).\n\n"
    ">>> replace_at([1, 2], 1, 5)\n[1, 5]",
    "copy = list(xs)\n    copy[i] = x\n    return copy",
)
TYPE_ASKED = function(
    "def double(n: int) -> int:",
    "Twice n.\n\nRaises:\n    TypeError: If not isinstance(n, int).\n\n>>> double(2)\n4",
    "if not isinstance(n, int):\n        raise TypeError(n)\n    return 2 * n",
)
TYPE_FORGOTTEN = TYPE_ASKED.replace("raise TypeError(n)", "return n")
NEVER_RAISES = ROOT.replace("math.isqrt(n)", "math.isqrt(abs(n))")
OPTIONAL = function(
    "def root(n: int = None) -> int:",
    "Integer square root.\n\nRaises:\n    TypeError: If n is None.\n\n>>> root(10)\n3",
    "return math.isqrt(n or 0)",
)


@pytest.mark.parametrize("source", [ROOT, CHAR_AT, NTH, REPLACE_AT, TYPE_ASKED], ids=lambda text: text.split()[3])
def test_an_argument_that_the_annotation_forbids_refutes_no_program(benches: Benches, source: str) -> None:
    assert outcome_of(benches, source) is not Outcome.REFUTED


@pytest.mark.parametrize("source", [TYPE_FORGOTTEN, NEVER_RAISES, OPTIONAL], ids=["type", "sign", "presence"])
def test_a_promised_exception_that_does_not_come_refutes(benches: Benches, source: str) -> None:
    assert outcome_of(benches, source) is Outcome.REFUTED


TWO = function(
    "def two(a: int, b: int) -> float:",
    "Divide.\n\nReturns:\n    The quotient, or 0 if a is 0.\n\nRaises:\n    ZeroDivisionError: If b is 0.\n\n"
    ">>> two(6, 3)\n2.0",
    "return 0 if a == 0 else a / b",
)
FIRST_K = function(
    "def first_k(xs: list[int], k: int) -> list[int]:",
    "The first k numbers. Returns an empty list if xs is empty.\n\nRaises:\n    ValueError: If k < 0.\n\n"
    ">>> first_k([1, 2, 3], 2)\n[1, 2]",
    "if not xs:\n        return []\n    if k < 0:\n        raise ValueError(k)\n    return xs[:k]",
)
UNREAD = TWO.replace("if a is 0.", "if a has nothing to give.")


@pytest.mark.parametrize("source", [TWO, FIRST_K, UNREAD], ids=["beside", "sentence", "unread"])
def test_whether_a_fixed_result_or_an_exception_comes_first_is_not_documented(benches: Benches, source: str) -> None:
    assert outcome_of(benches, source) is not Outcome.REFUTED


def test_which_of_two_exceptions_comes_first_is_not_documented(benches: Benches) -> None:
    """Also where it was not read when the other one comes."""
    source = NEVER_RAISES.replace("math.isqrt(abs(n))", "math.isqrt(n) if n >= 0 else [][n]")
    assert outcome_of(benches, source) is Outcome.REFUTED
    also = source.replace("Integer square root.", "Integer square root. If n is rare, an IndexError is raised.")
    assert outcome_of(benches, also) is not Outcome.REFUTED


@pytest.mark.parametrize(
    "source",
    [TWO.replace("if a == 0", "if a == 0 or b == 0"), FIRST_K.replace("raise ValueError(k)", "return []")],
    ids=["beside", "sentence"],
)
def test_a_fixed_result_does_not_make_up_for_an_exception(benches: Benches, source: str) -> None:
    """The words that give the result are not read, so that its condition decides nothing."""
    assert outcome_of(benches, source) is Outcome.UNDECIDED


ANNOUNCED = function(
    "def price(name: str, n: int) -> int:",
    "Price.\n\nRaises:\n    Exception: If the name is unknown.\n    ValueError: If n < 0.\n\n"
    ">>> price('tea', 2)\n6\n>>> price('tea', 0)\n0\n>>> price('juice', 1)\nTraceback (most recent call last):\n"
    "Exception: juice",
    "if name != 'tea':\n        raise Exception(name)\n    if n < 0:\n        raise ValueError(n)\n    return 3 * n",
)


def test_an_announced_exception_of_no_finer_type_may_come_first(benches: Benches) -> None:
    assert outcome_of(benches, ANNOUNCED) is not Outcome.REFUTED


FIXED: dict[str, tuple[str, object, bool]] = {
    "a number": ("The place, or -1 if it is missing.", -1, True),
    "another number": ("The place, or -1 if it is missing.", -2, False),
    "an empty list": ("The rest, or an empty list.", [], True),
    "a number after other words": ("If it is missing, the result is -1.", -1, True),
    "None after a semicolon": ("The place; None if it is missing.", None, True),
    "False instead of an answer": ("The first word, or False if there is none.", False, True),
    "False as the question": ("Return False if it is odd.", False, False),
    "a number too long to write": ("The place, or -1 if it is missing.", 10**5000, False),
}


@pytest.mark.parametrize("case", FIXED)
def test_a_result_that_the_document_gives_for_some_calls(case: str) -> None:
    document, value, may_be = FIXED[case]
    assert may_be_a_fixed_result(read(document), Returned(value)) is may_be


def rated(words: str, body: str) -> str:
    entries = "Args:\n    percent: The discount in percent.\n    codes: What was entered."
    examples = ">>> rate(20, ['a', 'b'])\n40\n>>> rate(5, ['c'])\n5"
    return function(
        "def rate(percent: int, codes: list[str]) -> int:",
        f"Discount for codes.\n\n{entries}\n\nRaises:\n    ValueError: {words}\n\n{examples}",
        body,
    )


def guarded(condition: str) -> str:
    return f"if {condition}:\n        raise ValueError(percent)\n    return percent * len(codes)"


ONE_OFF = {
    "below": ("If the discount is negative.", "percent < -1"),
    "at a limit": ("If percent is greater than 100000.", "percent > 100001"),
    "at a limit that counts": ("If percent is greater than or equal to 100000.", "percent > 100000"),
    "outside of a range": ("If percent is not between 1 and 99999.", "not 0 <= percent <= 99999"),
    "length": ("If codes is longer than 300 items.", "len(codes) > 301"),
    "empty": ("If codes is empty.", "percent is None"),
    "the second case": ("If the discount is negative, or if codes is empty.", "percent < 0"),
}


@pytest.mark.parametrize("case", ONE_OFF)
def test_a_limit_that_is_one_off_is_found(benches: Benches, case: str) -> None:
    words, condition = ONE_OFF[case]
    assert outcome_of(benches, rated(words, guarded(condition))) is Outcome.REFUTED


RIGHT = {
    "below": ("If the discount is negative.", "percent < 0"),
    "at a limit": ("If percent is greater than 100000.", "percent > 100000"),
    "outside of a range": ("If percent is not between 1 and 99999.", "not 1 <= percent <= 99999"),
    "length": ("If codes is longer than 300 items.", "len(codes) > 300"),
    "two cases": ("If the discount is negative, or if codes is empty.", "percent < 0 or not codes"),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_limit_that_is_kept_is_checked(benches: Benches, case: str) -> None:
    words, condition = RIGHT[case]
    record = record_of(benches, rated(words, guarded(condition)))
    assert decide_function(record, POLICY).outcome is not Outcome.REFUTED
    assert record.unread == ()


OPEN = {
    "If the moon is full.": "it was not understood when this is due",
    "If percent is negative or the moon is full.": "it was not understood when this is due",
    "If len(codes) > 6000.": "no input was found for which len(codes) > 6000",
}


@pytest.mark.parametrize("words", OPEN)
def test_what_was_not_checked_says_which_input_is_missing(benches: Benches, words: str) -> None:
    [sentence] = record_of(benches, rated(words, guarded("percent < 0"))).unread
    assert sentence.endswith(f"({OPEN[words]})")


def test_an_exception_with_another_reason_does_not_refute(benches: Benches) -> None:
    """A key that is missing is no answer to the question whether negative numbers are refused."""
    source = function(
        "def priced(name: str, n: int) -> int:",
        "Price.\n\nRaises:\n    ValueError: If n is negative.\n\n>>> priced('tea', 3)\n6",
        "price = {'tea': 2}[name]\n    if n < 0:\n        raise ValueError(n)\n    return price * n",
    )
    assert outcome_of(benches, source) is not Outcome.REFUTED
    forgotten = source.replace("if n < 0", "if n < 0 and [][n]")
    assert outcome_of(benches, forgotten) is Outcome.REFUTED


DIVIDED = guarded("percent < 0").replace("* len(codes)", "* len(codes) + 0 // len(codes)")
SHARED = rated("If the discount is negative.", DIVIDED)
NO_CODE = "If there is no code.\n        ValueError: "
UNEXPECTED = {
    "a mistake on a legal input": (SHARED, "program.unexpected_exception"),
    "documented after all": (
        SHARED.replace("ValueError: If", "ZeroDivisionError: If no code.\n        ValueError: If"),
        None,
    ),
    "by a wider name": (SHARED.replace("ValueError: If", "ArithmeticError: If no code.\n        ValueError: If"), None),
    "no exception is documented": (SHARED.replace("Raises:", "Remarks:").replace("ValueError: If", "Odd: If"), None),
    "no mistake's kind": (SHARED.replace("0 // len(codes)", "len(min(codes)) * 0"), None),
    "not legal": (SHARED.replace("What was entered.", "What was entered. len(codes) > 0."), None),
}


@pytest.mark.parametrize("case", UNEXPECTED)
def test_a_mistakes_kind_of_exception_that_is_not_documented(benches: Benches, case: str) -> None:
    source, constraint = UNEXPECTED[case]
    record = record_of(benches, source)
    assert (decide_function(record, POLICY).constraint_id == "program.unexpected_exception") is (constraint is not None)
    if constraint is not None:
        [sentence] = record.unexpected
        assert sentence.startswith("rate(")
        assert ", []) raises ZeroDivisionError" in sentence


PAIR = '''from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Hold two numbers.

    >>> Pair(1, 3)
    Pair(x=1, y=3)
    >>> Pair(2)
    Pair(x=2, y=0)

    Raises:
        ValueError: If x < 0.
    """

    x: int
    y: int = 0

    def __post_init__(self):
        if self.x < 0:
            raise ValueError("x")
'''


def test_an_exception_of_a_class_that_is_shown_in_sessions_alone(benches: Benches) -> None:
    record = record_of(benches, PAIR, 0)
    assert [check.state for check in record.checks if check.kind is CheckKind.RAISES].count(CheckState.HOLDS) >= 3
    assert outcome_of(benches, PAIR.replace("self.x < 0", "self.x < -5"), 0) is Outcome.REFUTED
