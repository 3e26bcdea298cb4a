"""Words placed where code is read: they count as code only where a check has consumed them.

A naive judge takes everything in a session, in a condition or behind a keyword for code, and calls a program VERIFIED
whose documentation promises what nothing looked at.
"""

from __future__ import annotations

import pytest

from probatum.core.decision import Outcome
from probatum.programs.decide import Level
from probatum.programs.extract import extract_module
from probatum.programs.specification import NO_WORDS, StatementKind
from probatum.programs.units import units_of
from tests.services import ProgramRequest, Service

MODULE = '''import json
from decimal import Decimal
LIMIT = 3


class OutOfRange(ValueError):
    pass


def f(n, m=2, k="", d: Decimal = Decimal(1)):
    """
    {}
    """
    if n < 0:
        raise OutOfRange(n)
    try:
        return n + 1
    except json.JSONDecodeError:
        raise


def g(n):
    """
    >>> g(1)
    1
    """
    return n
'''
SHOWN = "\n\n    >>> f(3)\n    4\n"
OPEN = {
    "a value beside printed output": (">>> print(f(3))  # => 5\n    4", ["# => 5"]),
    "an arrow beside output": (">>> f(3)  # -> 5\n    4", ["# -> 5"]),
    "True for 1": (">>> f(0)  # => True\n    1", ["# => True"]),
    "a comment in a call that is carried on": (">>> print(f(1,  # => 9\n    ... ))\n    2", ["# => 9"]),
    "the message of an assertion": ('>>> assert f(1) == 2, "never below zero"', ['"never below zero"']),
    "the message of an assertion in text": ('assert f(1) == 2, "never below"', ['"never below"']),
    "a text that stands alone": ('>>> "never below"; f(3)\n    4', ['"never below"']),
    "a text for its truth": ('>>> "never below" and f(3)\n    4', ['"never below"']),
    "a text in a display": ('>>> ("never below", f(3))[1]\n    4', ['"never below"']),
    "a key in a display": ('>>> {"never below": f(3)}["never below"]\n    4', ['"never below"']),
    "a text that decides": ('>>> f(3) if "never below" else 0\n    4', ['"never below"']),
    "a docstring in a session": (
        '>>> def h(n):\n    ...     "never below"\n    ...     return n\n    >>> f(h(3))\n    4',
        ['"never below"'],
    ),
    "a session without the program": (
        '>>> promise = "never below"\n    >>> len(promise)\n    11',
        ['>>> promise = "never below"', ">>> len(promise) 11"],
    ),
    "a step that nothing needs": ('>>> promise = "never below"' + SHOWN, ['>>> promise = "never below"']),
    "an import from anywhere": (">>> from never.below import f" + SHOWN, [">>> from never.below import f"]),
    "an import of anything": (">>> import never_below" + SHOWN, [">>> import never_below"]),
    "the module of a call in a session": (">>> never_below.f(3)\n    4", [">>> never_below.f(3) 4"]),
    "the owner of a call in text": ("never.below.f(3) == 4", ["never.below."]),
    "words after a value": ("f(3) == 1 (mod 3)", ["f(3) == 1 (mod 3)"]),
    "a text in a precondition": ('pre: n != "never below zero"', ['"never below zero"']),
    "a comment in a precondition": ("pre: n >= 0  # never below", ["# never below"]),
    "a text in a postcondition": ('post: __return__ != "never below zero"', ['"never below zero"']),
    "the owner of an exception": (
        "Raises:\n        never.below.ValueError: x",
        ["never.below.ValueError:", "x"],
    ),
    "a role of any name": ("Raises:\n        :never:`ValueError`: x", ["never:", "x"]),
    "a constant as an exception": ("Raises:\n        LIMIT: x", ["LIMIT:", "x"]),
    "an attribute that the file does not use": (
        "Raises:\n        json.NeverBelowError: x",
        ["json.NeverBelowError:", "x"],
    ),
    "every other word of an exception's entry": ("Raises:\n        ValueError: never below", ["never below"]),
    "the module of a type": ("Args:\n        n (never.below.int): x" + SHOWN, ["never.below.int", "x"]),
    "a default that is no literal": (
        "Args:\n        d: Defaults to '1' but never below" + SHOWN,
        ["Defaults to '1' but never below"],
    ),
    "a class of the file as a result": ("Returns:\n        OutOfRange" + SHOWN, ["OutOfRange"]),
    "a path as a result": ("Returns:\n        Path" + SHOWN, ["Path"]),
    "anything hashable as a result": ("Returns:\n        hashable" + SHOWN, ["hashable"]),
    "the module of an annotated type": ("Args:\n        d (never.Decimal): x" + SHOWN, ["never.Decimal", "x"]),
    "a role of a type": ("Args:\n        d (:never:`Decimal`): x" + SHOWN, ["never:`Decimal`", "x"]),
    "a constant as a type": ("Args:\n        n (LIMIT): x" + SHOWN, ["LIMIT", "x"]),
    "a function as a type": ("Args:\n        n (g): x" + SHOWN, ["g", "x"]),
    "a type that no call passes": ("Args:\n        k (str): x" + SHOWN, ["str", "x"]),
    "a type that a call contradicts": ("Args:\n        n (str): x" + SHOWN, ["str", "x"]),
    "a number at the beginning of a line": (
        "The result is at least\n    1. It is no more than\n    2. Or so.",
        ["The result is at least", "1. It is no more than", "2. Or so."],
    ),
    "a number that counts nothing": ("\n    1. It is.", ["1. It is."]),
}


def words(document: str) -> list[str]:
    [unit] = units_of(extract_module(MODULE.replace("{}", document), "shop"), "f", None)
    return [each.text for each in unit.words if each.kind is not StatementKind.CONDITION]


@pytest.mark.parametrize("name", OPEN)
def test_what_no_check_consumes_is_open(name: str) -> None:
    document, expected = OPEN[name]
    assert words(document) == expected


CODE = {
    "the value that is compared": ">>> f(3)  # => 4",
    "the same value beside the output": ">>> f(3)  # => 4\n    4",
    "a step that is needed": ">>> n = 3\n    >>> f(n)\n    4",
    "an import of the file": ">>> from shop import f" + SHOWN,
    "the file by its name": ">>> import shop\n    >>> shop.f(3)\n    4",
    "an import of the standard library": ">>> import math\n    >>> f(math.floor(3.2))\n    4",
    "a repeated example": ">>> f(3)\n    4" + SHOWN,
    "text that is passed": '>>> f(len("never below"))\n    12',
    "an example in text": "f(3) == 4",
    "an assertion in text": "assert f(3) == 4",
    "a type that a call passes": "Args:\n        n (int):\n" + SHOWN,
    "a type of a name that is bound": "Args:\n        n (int):\n\n    >>> three = 3\n    >>> f(three)\n    4",
    "a type with its module": "Args:\n        d (decimal.Decimal):\n" + SHOWN,
    "a role of Sphinx": "Args:\n        d (:class:`~decimal.Decimal`):\n" + SHOWN,
    "an exception of the file": "Raises:\n        OutOfRange:\n        json.JSONDecodeError:\n        ValueError:",
}


@pytest.mark.parametrize("name", CODE)
def test_what_a_check_consumes_is_code(name: str) -> None:
    assert words(CODE[name]) == []


def test_the_numbers_of_a_list_are_markup() -> None:
    assert words("So:\n\n    1. one\n    2. two") == ["So:", "one", "two"]


@pytest.mark.parametrize(
    "contract", ["f(3) == 4", 'def f(n):\n    """\n    >>> three = 3\n    >>> f(three)\n    4\n    """']
)
def test_what_a_contract_repeats_is_code(contract: str) -> None:
    [unit] = units_of(extract_module(MODULE.replace("{}", ">>> f(3)\n    4"), "shop"), "f", contract)
    assert not unit.words


def test_an_example_of_another_function_is_code_where_that_is_judged() -> None:
    module = extract_module(MODULE.replace("{}", ">>> g(2)\n    2\n    >>> f(1)\n    2"), "shop")
    both = {each.qualname: each for each in units_of(module, None, None)}
    assert not both["f"].words
    assert len(both["g"].examples) == 2
    [alone] = units_of(module, "f", None)
    assert [each.text for each in alone.words] == [">>> g(2) 2"]
    assert all(each.kind in NO_WORDS for each in both["g"].statements)


def test_a_precondition_that_examples_contradict_is_open(service: Service) -> None:
    source = (
        'def half(n: int) -> int:\n    """\n    pre: n < 0\n\n    >>> half(8)\n    4\n    >>> half(5)\n    2\n    """\n'
    )
    asked = ProgramRequest((source + "    return n // 2\n").encode(), "half.py", level=Level.STANDARD)
    answer = service.verify_program(asked)
    assert answer.verdict.outcome == Outcome.UNDECIDED
    assert "n < 0" in str(answer.observed.decide().fields)
