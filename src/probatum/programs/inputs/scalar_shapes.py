"""Shapes of single values: what a number or a date should look like, so that a generated one looks legal.

A shape draws a value of its own, and varies a given one without leaving the shape. Ranges are
heuristics taken from documented values: a value that fits the shape may still be one that the function never meets.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Protocol

from probatum.programs.inputs.choices import Choices, between, one_in, pick

STEPPED: Mapping[str, object] = {
    type(each).__name__: each
    for each in (
        *(datetime.date(2020, 2, 28), datetime.datetime(2020, 2, 28, 12, 30), datetime.time(12, 30)),
        *(datetime.timedelta(days=1), Decimal("1.5"), Fraction(1, 2), 1 + 2j, range(5)),
    )
}
"""A value of each type that is moved in steps, by the type's name."""
_SMALL = 10
_HUGE = 10**30


class ValueShape(Protocol):
    """What the values of one parameter, element or key look like."""

    def draw(self, choices: Choices) -> object:
        """Return a value of this shape."""

    def vary(self, value: object, choices: Choices) -> object:
        """Return a neighbour of a value that fits, sometimes the value itself."""

    def fits(self, value: object) -> bool:
        """Tell whether a value has this shape's type, on its outside."""


@dataclass(frozen=True, slots=True)
class ConstantShape:
    """One of a few given values."""

    values: tuple[object, ...]

    def draw(self, choices: Choices) -> object:
        """Return one of the values."""
        return pick(choices, self.values)

    def vary(self, value: object, choices: Choices) -> object:
        """Return one of the values."""
        return pick(choices, self.values)

    def fits(self, value: object) -> bool:
        return any(type(value) is type(each) and value == each for each in self.values)


@dataclass(frozen=True, slots=True)
class IntShape:
    """Whole numbers from ``low`` to ``high``, with a liking for small ones and for ``specials``."""

    low: int = -20
    high: int = 100
    specials: tuple[int, ...] = ()

    def draw(self, choices: Choices) -> object:
        """Return a number in the range, rarely the one just below a range of positive numbers."""
        kind = choices.below(16)
        if kind < 6 and self.high >= 0:
            return between(choices, max(self.low, -_SMALL), min(self.high, max(self.low, 0) + _SMALL))
        if kind < 11 or (kind < 15 and not self.specials):
            return between(choices, self.low, self.high)
        if kind < 15:
            return pick(choices, self.specials)
        return pick(choices, (self.low - 1 if self.low > 0 else 0, self.low, self.high))

    def vary(self, value: object, choices: Choices) -> object:
        """Return a number near the given one, or one with another digit."""
        if not isinstance(value, int) or abs(value) > _HUGE:
            return self.draw(choices)
        digits = str(abs(value))
        place = choices.below(len(digits))
        other = digits[:place] + str(choices.below(10)) + digits[place + 1 :]
        near = (value + 1, value - 1, int(other), value // 2, value * 2, -value, self.draw(choices))
        chosen = pick(choices, near)
        lowest = self.low - 1 if self.low > 0 else self.low
        return chosen if isinstance(chosen, int) and chosen >= lowest else value + 1

    def fits(self, value: object) -> bool:
        return type(value) is int


@dataclass(frozen=True, slots=True)
class FloatShape:
    """Numbers with at most ``digits`` digits after the point, in a range."""

    low: float = -20.0
    high: float = 100.0
    digits: int = 2
    specials: tuple[float, ...] = ()

    def draw(self, choices: Choices) -> object:
        """Return a number in the range, sometimes a whole one."""
        kind = choices.below(8)
        if kind == 7:
            return float(pick(choices, (0, 1, self.low, self.high, *self.specials)))
        scale = 10 ** (0 if kind == 6 else self.digits)
        low, high = self.low, self.high
        if kind < 3 and high >= 0:
            low, high = max(low, -_SMALL), min(high, max(low, 0) + _SMALL)
        return between(choices, round(low * scale), round(high * scale)) / scale

    def vary(self, value: object, choices: Choices) -> object:
        """Return a number one unit, or one unit of its last digit, away."""
        if not isinstance(value, float) or not abs(value) < _HUGE:
            return self.draw(choices)
        last = 10.0**-self.digits
        near = (value + last, value - last, value + 1, value - 1, value * 2, -value, float(round(value)))
        chosen = round(pick(choices, near), self.digits)
        return chosen if chosen >= min(0.0, self.low) else value + 1

    def fits(self, value: object) -> bool:
        return type(value) is float


@dataclass(frozen=True, slots=True)
class SteppedShape:
    """Documented values of a type that is only known to be moved in steps: dates, decimals, fractions."""

    values: tuple[object, ...]

    def draw(self, choices: Choices) -> object:
        """Return a documented value moved by up to 40 steps."""
        return _moved(pick(choices, self.values), between(choices, -40, 40))

    def vary(self, value: object, choices: Choices) -> object:
        """Return the value moved by a step or two."""
        return _moved(value, pick(choices, (1, -1, 2, -2)))

    def fits(self, value: object) -> bool:
        return type(value) is type(self.values[0])


@dataclass(frozen=True, slots=True)
class UnionShape:
    """One of several shapes; the first ones are the usual ones."""

    options: tuple[ValueShape, ...]

    def draw(self, choices: Choices) -> object:
        """Return a value of one of the shapes."""
        return pick(choices, self.options).draw(choices)

    def vary(self, value: object, choices: Choices) -> object:
        """Return a neighbour by the shape that fits, rarely a value of another shape."""
        fitting = [option for option in self.options if option.fits(value)]
        if not fitting or one_in(choices, 8):
            return self.draw(choices)
        return fitting[0].vary(value, choices)

    def fits(self, value: object) -> bool:
        return any(option.fits(value) for option in self.options)


def _moved(value: object, steps: int) -> object:
    """Move a documented value by steps of its own kind; one that cannot be moved that far stays."""
    try:
        if isinstance(value, datetime.date | datetime.timedelta):
            return value + datetime.timedelta(days=steps)
        if isinstance(value, datetime.time):
            return value.replace(hour=(value.hour + steps) % 24)
        if isinstance(value, Decimal):
            return value + Decimal(steps) / 10
        if isinstance(value, Fraction | complex):
            return value + steps
        if isinstance(value, range):
            return range(value.start, max(value.start, value.stop + steps), value.step)
    except OverflowError:
        return value
    return value
