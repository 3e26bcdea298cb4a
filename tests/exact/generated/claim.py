"""A generated claim, and what the makers of claims share: numbers as text, and numbers that are nearly right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import count
from random import Random


@dataclass(frozen=True, slots=True)
class Generated:
    """One claim and whether it is true."""

    engine: str
    statement: str
    given: Mapping[str, object] = field(default_factory=dict)
    truth: bool = True
    family: str = ""


Made = tuple[str, Mapping[str, object]]
Maker = Callable[[Random, bool], Made]
"""Makes a statement that is true or false as told, and what is given with it."""


@dataclass(frozen=True, slots=True)
class Family:
    """A way to make claims of an engine."""

    engine: str
    name: str
    make: Maker
    is_false_open: bool = False
    """Whether what is false here need not be refuted: it is not proved, and that is all that is asked."""
    needs: str = ""
    """An input without which the engine does not read such claims yet."""

    def claim(self, random: Random, truth: bool) -> Generated:
        """Return a claim that is true or false as told."""
        statement, given = self.make(random, truth)
        return Generated(self.engine, statement, given, truth, self.name)


def families(engine: str, *makers: Maker, needs: str = "", is_false_open: bool = False) -> tuple[Family, ...]:
    """Return a family for each maker, called as it is."""
    return tuple(
        Family(engine, make.__name__.strip("_").replace("_", " "), make, is_false_open, needs) for make in makers
    )


def related(random: Random, left: Fraction, right: Fraction, truth: bool) -> str:
    """Return a relation that holds between two numbers, or one that does not."""
    true = {"=": left == right, "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
    true["!="] = left != right
    sign = random.choice([sign for sign, holds in true.items() if holds is truth])
    return random.choice([sign, sign, {"!=": "≠", "<=": "≤", ">=": "≥", "=": "=="}.get(sign, sign)])


def claimed(random: Random, text: str, value: Fraction, truth: bool) -> str:
    """Return an equation or an inequality of what has this value, true or false as told."""
    if random.random() < 0.5:
        told = random.choice([value, nearly(random, value), nearly(random, value)])
        return f"{text} {related(random, value, told, truth)} {written(told)}"
    return f"{text} {random.choice(['=', '=', '=='])} {written(value if truth else nearly(random, value), random)}"


def nearly(random: Random, value: Fraction) -> Fraction:
    """Return another number that is easily taken for this one: a digit, a sign, a neighbour, a factor of ten."""
    digits, sign = str(abs(value.numerator)), -1 if value < 0 else 1
    at = random.randrange(len(digits))
    digit = random.choice([each for each in "123456789" if each != digits[at]])
    one_digit = Fraction(sign * int(digits[:at] + digit + digits[at + 1 :]), value.denominator)
    neighbour = value + random.choice([-1, 1]) * Fraction(1, value.denominator)
    tiny = value + random.choice([-1, 1]) * Fraction(1, 10 ** random.randint(3, 20))
    changed = random.choice([one_digit, one_digit, neighbour, tiny, value * 10 or Fraction(1), -value or Fraction(-1)])
    assert changed != value
    return changed


def decimal_places(value: Fraction) -> int | None:
    """Return how many decimals write a number exactly; none where there is no end to them."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return next(places for places in count() if (value * 10**places).denominator == 1) if rest == 1 else None


def written(value: Fraction, random: Random | None = None) -> str:
    """Return a number as a decimal where it ends soon, or as a fraction."""
    places = decimal_places(value)
    if value.denominator == 1:
        return str(value.numerator)
    if places is None or places > 24 or (random is not None and random.random() < 0.25):
        return f"{value.numerator}/{value.denominator}"
    return fixed(value, places)


def fixed(value: Fraction, places: int) -> str:
    """Return a number with this many decimals, exactly."""
    scaled = value * 10**places
    assert scaled.denominator == 1
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + digits[: len(digits) - places] + ("." + digits[-places:] if places else "")


def rounded(value: Fraction | Decimal, places: int) -> str | None:
    """Return a number rounded to so many decimals; none where it lies too near the middle to be rounded."""
    exact = Fraction(value) * 10**places
    floor = exact.numerator // exact.denominator
    part = exact - floor
    if abs(part - Fraction(1, 2)) < Fraction(1, 1000):
        return None
    return fixed(Fraction(floor + (part > Fraction(1, 2)), 10**places), places)


def last_digit_changed(random: Random, text: str) -> str:
    """Return the text of a number with another last digit."""
    return text[:-1] + random.choice([each for each in "0123456789" if each != text[-1]])
