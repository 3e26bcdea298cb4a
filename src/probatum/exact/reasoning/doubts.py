"""Says of a step that cannot be derived whether it is wrong in every way in which a person may have meant it.

Refuses to call a step wrong where rounding, a percentage, a conversion of units, brackets left out or a running total
written with equals signs would explain it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import read_expression
from probatum.exact.numbers.rational import NotRationalError, evaluate
from probatum.exact.reasoning.steps import ArithmeticStep
from probatum.readers.vocabulary import UNITS, words_of

MONEY: Final = re.compile("[$€£]")
_SYNTAX: Final = "math.syntax"
_MAX_BITS: Final = 2_000
_POINTED: Final = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9]))")
"""A point that groups digits, where it is written so."""
_PLAIN: Final = re.compile(r"-? ?[0-9,]*\.?[0-9]*%?")
_FIRST: Final = re.compile(r"[( ]*([0-9][0-9,]*(?:\.[0-9]+)?)")
_SIGN: Final = re.compile(r" [-+*/^] ")
_CONVERSIONS: Final = frozenset(
    Fraction(each) for each in (7, 10, 12, 16, 24, 30, 36, 52, 60, 100, 360, 365, 1000, 3600, 5280)
)
"""Ratios of the usual units of one quantity."""
_MEASURES: Final = {word.removesuffix("s") for word in UNITS} | words_of(
    "hour minute second day week month year decade cent dollar penny pennie nickel dime quarter pair pack box case "
    "hr min score gross couple trio"
)


def is_certainly_wrong(step: ArithmeticStep) -> tuple[Fraction, Fraction] | None:
    """Return the values of the first two neighbours that differ however they are meant; None where there are none."""
    if not step.is_complete:
        return None
    for place, relation in enumerate(step.relations):
        wrong = _differ(step, place, is_rounded=relation == "~=")
        if wrong is not None:
            return wrong
    return None


def _differ(step: ArithmeticStep, place: int, *, is_rounded: bool) -> tuple[Fraction, Fraction] | None:
    texts = [MONEY.sub("", each) for each in step.sides[place : place + 2]]
    left_text, right_text = texts
    readings = (texts, [each.replace("%", "") for each in texts], [_POINTED.sub("", each) for each in texts])
    try:
        pairs = [(_value(one), _value(other)) for one, other in readings]
        in_turn = _in_turn(left_text)
    except (CannotDecideError, NotRationalError, NotAttemptedError, BudgetError):
        return None
    left, right = pairs[0]
    if in_turn == right or any(one == other for one, other in pairs):
        return None
    begins = _FIRST.match(right_text)
    if _SIGN.search(right_text) and begins is not None and _value(begins.group(1)) == left:
        return None
    if not _PLAIN.fullmatch(right_text) and not _SIGN.search(left_text):
        return None
    if any(_is_near(*pair, right_text, left_text, is_rounded=is_rounded) for pair in pairs):
        return None
    if _units_differ(left_text, step.nouns[place], step.nouns[place + 1]):
        return None
    told = "".join(step.sides[place : place + 2])
    has_units = step.nouns[place] | step.nouns[place + 1] or re.search("[$€£%/]", told)
    if has_units and right and left and {left / right, right / left} & _CONVERSIONS:
        return None
    return left, right


def _units_differ(left: str, counted: frozenset[str], result: frozenset[str]) -> bool:
    """Return whether a conversion may be meant: unlike things are added, or the result is in another unit."""
    there, here = ({word.removesuffix("s") for word in words} for words in (counted, result))
    adds = re.search(r" [-+] ", left) is not None
    # '1 hour + 30 = 90': what the result counts may be another unit, and so may what is added.
    return (adds and len(there | here) > 1) or bool(((here ^ there) if adds else (here - there)) & _MEASURES)


def _value(text: str) -> Fraction:
    value = evaluate(read_expression(text, _SYNTAX)).value
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise BudgetError("engine.out_of_budget", "A value is too long to be told.")
    return value


def _in_turn(text: str) -> Fraction | None:
    """Return what a calculator shows that is given signs and numbers in turn; None where there are brackets."""
    if "(" in text:
        return None
    numbers, signs = _SIGN.split(text), _SIGN.findall(text)
    total = numbers[0]
    for sign, number in zip(signs, numbers[1:], strict=True):
        total = str(_value(f"({total}){sign}{number}"))
    return _value(total)


def _is_near(left: Fraction, right: Fraction, right_text: str, left_text: str, *, is_rounded: bool) -> bool:
    """Return whether rounding of any kind, here or in an earlier step, explains the difference."""
    places = len(right_text.rstrip("%").partition(".")[2]) + 2 * right_text.endswith("%")
    apart = abs(left - right)
    inexact = is_rounded or "/" in left_text or "." in left_text or "%" in left_text
    return apart < Fraction(1, 10**places) or (inexact and apart <= abs(left) / (20 if is_rounded else 100))
