"""Polynomials with whole coefficients, the highest power first: how many positive roots there are, and where.

Roots are counted by Sturm's chain, and again, for a check, by Descartes' rule of signs on ever smaller parts of the
half line (Basu, Pollack and Roy, Algorithms in Real Algebraic Geometry, chapters 2 and 10). Refuses polynomials whose
chain would be too long to compute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import Final

Coefficients = tuple[int, ...]
MAX_CHAIN: Final = 400_000
"""The square of the degree times the bits of a coefficient: what a chain costs grows like the square of that."""
MAX_COEFFICIENT: Final = 256
_MAX_PARTS: Final = 2_000


def sign_changes(numbers: Iterable[int]) -> int:
    """Return how often the sign changes, zeros left out."""
    signs = [each > 0 for each in numbers if each]
    return sum(first != second for first, second in pairwise(signs))


def is_costly(polynomial: Coefficients) -> bool:
    """Return whether a chain of this polynomial, or narrowing its roots, is beyond the budget."""
    bits = max(each.bit_length() for each in polynomial)
    return bits > MAX_COEFFICIENT or len(polynomial) ** 2 * bits > MAX_CHAIN


def sign_at(polynomial: Sequence[int], place: Fraction) -> int:
    """Return the sign at a positive place, computed in whole numbers."""
    value, power = 0, 1
    for each in polynomial:
        value = value * place.numerator + each * power
        power *= place.denominator
    return (value > 0) - (value < 0)


def without_repeated_roots(polynomial: Coefficients) -> Coefficients:
    """Return a polynomial with the same roots, each of them once."""
    return _chain_of_single_roots(polynomial)[0]


def positive_roots(polynomial: Coefficients) -> tuple[Coefficients, list[tuple[Fraction, Fraction]]]:
    """Return a polynomial with the same roots, each of them once, and an interval for each positive one, ascending.

    None of them contains another root; its upper end belongs to it. At zero the polynomial is not zero.
    """
    chain = _chain_of_single_roots(polynomial)
    polynomial = chain[0]

    def changes(place: Fraction) -> int:
        return sign_changes(sign_at(each, place) for each in chain)

    bound = Fraction(2) ** (1 + max(abs(each) for each in polynomial).bit_length())
    found, open_parts = [], [(Fraction(0), changes(Fraction(0)), bound, changes(bound))]
    while open_parts:
        low, above, high, below = open_parts.pop()
        if above - below == 1:
            found.append((low, high))
        elif above > below:
            middle = (low + high) / 2
            between = changes(middle)
            open_parts += [(middle, between, high, below), (low, above, middle, between)]
    return polynomial, found


def narrowed(polynomial: Coefficients, part: tuple[Fraction, Fraction], steps: int) -> tuple[Fraction, Fraction]:
    """Return a smaller interval around the root in one; the root itself twice where it is a short decimal."""
    low, high = part
    at_high = sign_at(polynomial, high)
    for _ in range(steps if at_high else 0):
        middle = (low + high) / 2
        at_middle = sign_at(polynomial, middle)
        if not at_middle:
            return middle, middle
        if at_middle == at_high:
            high = middle
        else:
            low = middle
    short = high if not at_high else Fraction(round((low + high) * 5_000), 10_000)
    return (short, short) if low <= short <= high and not sign_at(polynomial, short) else (low, high)


def counted_positive_roots(polynomial: Coefficients) -> int:
    """Return how many positive roots a polynomial without repeated roots has, by Descartes' rule of signs.

    Raises ValueError where that takes too many parts.
    """
    # Every root lies below this power of two; the interval up to it becomes the one from 0 to 1.
    bits = 1 + max(abs(each) for each in polynomial).bit_length()
    degree = len(polynomial) - 1
    count, parts = 0, [tuple(each << bits * (degree - index) for index, each in enumerate(polynomial))]
    for _ in range(_MAX_PARTS):
        if not parts:
            return count
        part = parts.pop()
        changes = sign_changes(_shifted(part[::-1]))
        if changes <= 1:
            count += changes
            continue
        lower = tuple(each << index for index, each in enumerate(part))
        upper = _shifted(lower)
        if not upper[-1]:
            count, upper = count + 1, upper[:-1]
        parts += [lower, upper]
    raise ValueError("the roots cannot be counted within the budget")


def _shifted(polynomial: Coefficients) -> Coefficients:
    """Return p(x + 1)."""
    shifted = list(polynomial)
    for end in range(len(shifted), 1, -1):
        for index in range(1, end):
            shifted[index] += shifted[index - 1]
    return tuple(shifted)


def _chain_of_single_roots(polynomial: Coefficients) -> list[Coefficients]:
    chain = _chain(polynomial)
    return _chain(divided(chain[0], chain[-1])) if len(chain[-1]) > 1 else chain


def _chain(polynomial: Coefficients) -> list[Coefficients]:
    degree = len(polynomial) - 1
    derived = tuple(each * (degree - index) for index, each in enumerate(polynomial[:-1]))
    chain = [_primitive(polynomial), _primitive(derived)]
    while len(chain[-1]) > 1:
        rest = remainder(chain[-2], chain[-1])
        if not rest:
            break
        chain.append(tuple(-each for each in rest))
    return chain


def remainder(dividend: Coefficients, divisor: Coefficients) -> Coefficients:
    """Return a positive multiple of the remainder; empty where there is none."""
    rest, lead = list(dividend), divisor[0]
    while len(rest) >= len(divisor):
        factor = rest[0] if lead > 0 else -rest[0]
        for index in range(len(rest)):
            rest[index] *= abs(lead)
            if index < len(divisor):
                rest[index] -= factor * divisor[index]
        del rest[0]
    while rest and not rest[0]:
        del rest[0]
    return _primitive(tuple(rest))


def _primitive(polynomial: Coefficients) -> Coefficients:
    content = gcd(*polynomial)
    return tuple(each // content for each in polynomial)


def divided(dividend: Coefficients, divisor: Coefficients) -> Coefficients:
    """Return the quotient of a division without remainder, times a number that makes it whole."""
    rest = [Fraction(each) for each in dividend]
    quotient: list[Fraction] = []
    while len(rest) >= len(divisor):
        quotient.append(rest[0] / divisor[0])
        for index, each in enumerate(divisor):
            rest[index] -= quotient[-1] * each
        del rest[0]
    if any(rest):
        raise ValueError("the division leaves a remainder")
    scale = lcm(*(each.denominator for each in quotient))
    return _primitive(tuple(int(each * scale) for each in quotient))
