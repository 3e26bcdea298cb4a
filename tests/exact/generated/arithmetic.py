"""Claims about numbers: expressions are written and computed side by side, with fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, comb, factorial, floor, gcd, lcm, trunc
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, claimed, families, nearly, related, written

Term = tuple[str, Fraction, int]
"""The text of an expression, its value, and how tightly it binds: 0 a sum, 1 a product, 2 a sign, 3 a number."""
_LIMIT: Final = Fraction(10**30)


def _within(term: Term, least: int) -> str:
    return term[0] if term[2] >= least else f"({term[0]})"


def _number(random: Random) -> Term:
    whole, large = random.randint(0, random.choice([9, 99, 9999])), random.randint(1000, 10**9)
    places, number = random.randint(1, 6), random.randint(0, 15)
    decimal = Fraction(random.randint(1, 10**places * 20), 10**places)
    base, exponent = random.randint(2, 12), random.randint(0, 9)
    mantissa, shift = random.randint(1, 99), random.randint(-9, 9)
    return random.choice(
        [
            *[(str(whole), Fraction(whole), 3)] * 3,
            (written(decimal), decimal, 3),
            (str(large), Fraction(large), 3),
            (f"{base}{random.choice(['^', '**'])}{exponent}", Fraction(base**exponent), 2),
            (f"{number}!", Fraction(factorial(number)), 3),
            (f"{mantissa}e{shift}", mantissa * Fraction(10) ** shift, 3),
        ]
    )


def _function(random: Random, depth: int) -> Term:
    small = [random.randint(1, 30), random.randint(1, 30)]
    term, other = expression(random, depth - 1), expression(random, depth - 1)
    root = Fraction(random.randint(0, 99), random.randint(1, 12))
    rows: list[tuple[str, list[object], int | Fraction]] = [
        ("gcd", [*small], gcd(*small)),
        ("lcm", [*small], lcm(*small)),
        ("binomial", [sum(small), small[0]], comb(sum(small), small[0])),
        ("sqrt", [written(root * root)], root),
        ("min", [term[0], other[0]], min(term[1], other[1])),
        ("max", [term[0], other[0]], max(term[1], other[1])),
        ("abs", [term[0]], abs(term[1])),
        ("floor", [term[0]], floor(term[1])),
        ("ceil", [term[0]], ceil(term[1])),
        ("trunc", [term[0]], trunc(term[1])),
    ]
    name, arguments, value = random.choice(rows)
    return f"{name}({', '.join(map(str, arguments))})", Fraction(value), 3


def _expression(random: Random, depth: int) -> Term:
    if depth <= 0:
        return _number(random)
    kind = random.randrange(8)
    if kind == 7:
        return _function(random, depth)
    left, right = expression(random, depth - 1), expression(random, depth - 1)
    if kind <= 1:
        return f"{_within(left, 0)} + {_within(right, 1)}", left[1] + right[1], 0
    if kind <= 3:
        return f"{_within(left, 0)} {random.choice('-−')} {_within(right, 1)}", left[1] - right[1], 0
    if kind == 4:
        return f"{_within(left, 1)} {random.choice('*×·')} {_within(right, 2)}", left[1] * right[1], 1
    if kind == 5 and right[1]:
        return f"{_within(left, 1)} {random.choice('/÷')} {_within(right, 2)}", left[1] / right[1], 1
    if kind == 6:
        return f"-{_within(right, 2)}", -right[1], 0
    percent = random.randint(1, 250)
    return f"{percent}% * {_within(right, 2)}", Fraction(percent, 100) * right[1], 1


def expression(random: Random, depth: int) -> Term:
    """Return an expression with its value, neither of them large."""
    while True:
        term = _expression(random, depth)
        if abs(term[1]) < _LIMIT and term[1].denominator < _LIMIT:
            return term


def _comparison(random: Random, truth: bool) -> Made:
    text, value, _ = expression(random, random.randint(1, 3))
    return claimed(random, text, value, truth), {}


def _between_expressions(random: Random, truth: bool) -> Made:
    left, right = expression(random, 2), expression(random, 2)
    return f"{left[0]} {related(random, left[1], right[1], truth)} {right[0]}", {}


def _chain(random: Random, truth: bool) -> Made:
    values = [expression(random, 1) for _ in range(random.randint(3, 5))]
    values.sort(key=lambda term: term[1])
    signs = [related(random, one[1], two[1], True) for one, two in pairwise(values)]
    if not truth:
        at = random.randrange(len(signs))
        signs[at] = related(random, values[at][1], values[at + 1][1], False)
    text = values[0][0]
    for sign, term in zip(signs, values[1:], strict=True):
        text += f" {sign} {term[0]}"
    return text, {}


def _long_product(random: Random, truth: bool) -> Made:
    left, right = random.randint(10**11, 10**30), random.randint(10**11, 10**30)
    digits = str(left * right)
    if not truth:
        at = random.randrange(1, len(digits))
        digits = digits[:at] + str((int(digits[at]) + random.randint(1, 9)) % 10) + digits[at + 1 :]
    return f"{left} * {right} = {digits}", {}


def _cancelled(random: Random, truth: bool) -> Made:
    power, scale = random.randint(9, 30), random.randint(1, 10**6)
    claimed = Fraction(scale, 10**power) if truth else Fraction(scale + random.choice([-1, 1]), 10**power)
    told = "0" if not truth and random.random() < 0.5 else written(claimed)
    return f"{scale} + {scale} * 10^-{power} - {scale} = {told}", {}


def _tower_of_powers(random: Random, truth: bool) -> Made:
    base, low, high = random.randint(2, 3), 2, random.randint(2, 3)
    right, left = base ** (low**high), (base**low) ** high
    text = random.choice([f"{base}^{low}^{high}", f"-{base}^{low}^{high}"])
    sign = -1 if text.startswith("-") else 1
    wrong = left if left != right else right + 1
    return f"{text} = {sign * (right if truth else wrong)}", {}


def _thousands(random: Random, truth: bool) -> Made:
    """Groups of three digits, outside of brackets, where a comma could be read in two ways."""
    numbers = [random.randint(1000, 10**8) for _ in range(random.randint(2, 4))]
    value = Fraction(sum(numbers))
    told = value if truth else nearly(random, value)
    shown = f"{told.numerator:,}" if told.denominator == 1 else written(told)
    return f"{' + '.join(f'{each:,}' for each in numbers)} = {shown}", {}


FAMILIES: Final = families(
    "math", _comparison, _between_expressions, _chain, _long_product, _cancelled, _tower_of_powers, _thousands
)
