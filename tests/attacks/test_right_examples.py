"""Right programs that are easily misread: what `doctest` passes refutes none, nor do the words beside an example.

A naive judge has its own idea of what a session shows, and blames the program where that idea is wrong.
"""

from __future__ import annotations

import pytest

from probatum.core.decision import Outcome
from probatum.programs.decide import Level
from probatum.readings.recorded import record_of
from tests.services import ProgramRequest, Service

_SQUARE = 'def sq(n: int) -> int:\n    """\n    {}\n    >>> sq(5)\n    25\n    """\n    return n * n\n'
RIGHT = {
    "two statements that print on one prompt": ">>> print(sq(2)); print(sq(3))\n    4\n    9",
    "two values on one prompt": ">>> sq(2); sq(3)\n    4\n    9",
    "a condition that is None": ">>> sq(3) and None",
    "a blank line and text": '>>> print("\\\\n" + str(sq(3)))\n    <BLANKLINE>\n    9',
    "the sign of a blank line within a line": '>>> print("<BLANKLINE> is", sq(3))\n    <BLANKLINE> is 9',
    "a value with what it is modulo": "sq(2) == 1 (mod 3)\n",
    "where it is defined": ">>> sq.__module__\n    'shop'",
    "its name": ">>> sq.__name__\n    'sq'",
    "white space that does not count": ">>> print([sq(1),  sq(2)]) # doctest: +NORMALIZE_WHITESPACE\n    [1,\n     4]",
    "an exception that is only named": ">>> sq(None) # doctest: +IGNORE_EXCEPTION_DETAIL\n"
    "    Traceback (most recent call last):\n    ...\n    TypeError: of another text",
    "a comparison for its truth": ">>> bool(sq(3)) or None\n    True",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_doctest_passes_is_not_refuted(name: str, service: Service) -> None:
    source = _SQUARE.replace("{}", RIGHT[name])
    answer = service.verify_program(ProgramRequest(source.encode(), "shop.py", level=Level.QUICK))
    assert answer.verdict.outcome == Outcome.UNDECIDED, answer.observed.decide().fields


WRONG = {
    "the second of two values": ">>> print(sq(2)); print(sq(3))\n    4\n    8",
    "one of two examples of the same words": ">>> n = 2\n    >>> sq(n)\n    4\n    >>> n = 3\n    >>> sq(n)\n    4",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_doctest_fails_is_refuted(name: str, service: Service) -> None:
    source = _SQUARE.replace("{}", WRONG[name])
    answer = service.verify_program(ProgramRequest(source.encode(), "shop.py", level=Level.QUICK))
    assert answer.verdict.outcome == Outcome.REFUTED


def test_an_input_that_contradicts_an_annotation_refutes_nothing(service: Service) -> None:
    source = '''def mean(xs: list[float]) -> float:
    """Return the mean. Nothing at all has none.

    >>> mean([1.0, 2.0])
    1.5
    """
    if xs == []:
        raise ValueError("nothing")
    return sum(xs) / len(xs)
'''
    said = {"text": "Nothing at all has none.", "kind": "raises", "clause": "len(xs) == 0", "exception": "ValueError"}
    read = record_of({"function": "mean", "reader": "a reader", "statements": [said], "inputs": ["([3.0],)", "([],)"]})
    asked = ProgramRequest(source.encode(), "mean.py", readings=(read,), readings_policy="proposed")
    answer = service.verify_program(asked)
    assert answer.verdict.outcome == Outcome.UNDECIDED, answer.observed.decide().fields


def test_a_report_says_why_one_killed_mutant_is_weak(service: Service) -> None:
    shown = "".join(f"    >>> words({text!r})\n    {text.split()!r}\n" for text in ("a b", "", "x  y z"))
    source = f'def words(text):\n    """\n{shown}    """\n    return text.split()\n'
    answer = service.verify_program(ProgramRequest(source.encode(), "words.py"))
    [strength] = [each for each in answer.parts[0].sheet.sections if each.title == "Strength of the checks"]
    assert answer.verdict.constraint_id == "program.weak_checks"
    assert strength.entries[0].detail == ("one killed mutant alone could be luck",)
