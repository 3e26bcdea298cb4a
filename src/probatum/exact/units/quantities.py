"""Reads sums and products of quantities, such as ``5 ft + 3 in`` or ``60 km/h``, and computes with them.

A number and the unit behind it are one factor; everything else is joined by ``+ - * / ^`` and brackets. Beside every
value goes the expression that it is the value of, so that it can be checked. Refuses an unknown unit, and what people
read in two ways: a product behind ``/`` without brackets, such as ``J/kg*K``. Temperatures on a scale that does not
begin at absolute zero are points; two points have a difference, and only that can be added to a point.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError, nearest
from probatum.exact.claim import CannotDecideError, unreadable
from probatum.exact.expressions import Chain, Node, Number, Power
from probatum.exact.units.table import BASES, OFFSETS, known_names, meanings_of

SYNTAX: Final = "units.syntax"
DIMENSION: Final = "units.dimension"
TEMPERATURE: Final = "units.temperature_unclear"
BELOW: Final = "units.below_absolute_zero"
TEMPERATURES: Final = (("temperature", 1),)
NUMBER: Final = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?|\.[0-9]+"
_MAX_CHARACTERS: Final = 1_000
_MAX_POWER: Final = 20
_MAX_DEPTH: Final = 20
_MAX_BITS: Final = 4_000
"""Bits of all numbers of a side together, so that no value has more."""
_TOKEN: Final = re.compile(
    rf"\s*(?:(?P<number>(?:{NUMBER})(?:/(?:{NUMBER}))?)(?![0-9.,])|(?P<name>[A-Za-zµμΩΩÅ°℃℉Δ%_]+)"
    r"|(?P<sign>\*\*|[-+*/^()])|(?P<end>\Z))"
)
_SPELLED: Final = {"**": "^"}

Dimensions = tuple[tuple[str, int], ...]
_Token = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in base units, and what it is a value of."""

    node: Node
    value: Fraction
    dimensions: Dimensions = ()
    points: int | None = None
    """Of temperatures: 1 a point on a scale, 0 a difference, None where it could be both."""
    is_bare: bool = False
    """Whether this is a unit of a scale of temperature, without a number."""
    problem: str = ""
    """The constraint that leaves open what is meant."""


class MismatchError(Exception):
    """Quantities of unlike dimensions are added or compared."""


def number(value: Fraction, dimensions: Dimensions = (), points: int | None = None) -> Quantity:
    """Return the quantity of a number."""
    return Quantity(Number(value, 0), value, dimensions, points)


def tokens(text: str) -> list[_Token]:
    """Return kind, text and place of every token; raises NotAttemptedError for what is none."""
    if len(text) > _MAX_CHARACTERS:
        raise BudgetError("engine.too_large", f"A side of a statement has at most {_MAX_CHARACTERS:,} characters.")
    found: list[_Token] = []
    place = 0
    while not found or found[-1][0] != "end":
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise unreadable(SYNTAX, text, place, "This is no number, unit or sign")
        written = match[match.lastgroup]
        found.append((match.lastgroup, _SPELLED.get(written, written), match.start(match.lastgroup)))
        place = match.end()
    return found


class QuantityReader:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._place = 0
        self._depth = 0
        self._bits = 0

    def whole(self) -> Quantity:
        """Read the whole text; raises MismatchError where quantities of unlike dimensions are added."""
        total = self._sum()
        if self._kind != "end":
            raise self._problem("Nothing more is expected here")
        return total

    @property
    def _kind(self) -> str:
        return self._tokens[self._place][0]

    @property
    def _ahead(self) -> str:
        return self._tokens[self._place][1]

    def _accept(self, *texts: str) -> str:
        """Take the next token where it is one of these; return it, or nothing."""
        if self._kind == "end" or self._ahead not in texts:
            return ""
        self._place += 1
        return self._tokens[self._place - 1][1]

    def _problem(self, sentence: str) -> NotAttemptedError:
        return unreadable(SYNTAX, self._text, self._tokens[self._place][2], sentence)

    def _sum(self) -> Quantity:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise BudgetError("engine.too_large", "Brackets are nested too deep.")
        total = self._product(is_negative=self._accept("-", "+") == "-")
        while sign := self._accept("+", "-"):
            total = _added(total, self._product(), sign)
        self._depth -= 1
        return total

    def _product(self, *, is_negative: bool = False) -> Quantity:
        total, is_divided = self._factor(is_negative=is_negative), False
        while sign := self._accept("*", "/"):
            is_number = self._kind == "number"
            if is_divided and sign == "*" and not is_number:
                raise self._problem("A product behind '/' needs brackets")
            factor = self._factor()
            if sign == "/" and is_number and plain(factor.dimensions) and not plain(total.dimensions):
                raise self._problem("A number with a unit behind '/' needs brackets")
            total, is_divided = _times(total, factor, sign), sign == "/"
        return total

    def _factor(self, *, is_negative: bool = False) -> Quantity:
        start, is_number = self._bits, self._kind == "number"
        if is_number:
            base = self._number(-1 if is_negative else 1)
            if self._kind == "name" and base.points is None:
                base = _times(base, self._factor())
                return _times(base, number(Fraction(-1))) if is_negative else base
        elif self._accept("("):
            base = self._sum()
            if not self._accept(")"):
                raise self._problem("')' is expected")
        elif self._kind == "name":
            base = self._unit()
        else:
            raise self._problem("A number or a unit is expected")
        power = self._power()
        if power != 1:
            base = _raised(base, power)
            self._bits += (self._bits - start) * (abs(power) - 1)
        if self._bits > _MAX_BITS:
            raise BudgetError("engine.out_of_budget", f"The numbers have more than {_MAX_BITS:,} bits.")
        return _times(base, number(Fraction(-1))) if is_negative and not (is_number and base.points) else base

    def _power(self) -> int:
        if not self._accept("^"):
            return 1
        is_bracketed = self._accept("(")
        written = self._accept("-") + self._ahead
        self._place += self._kind == "number"
        if is_bracketed and not self._accept(")"):
            raise self._problem("')' is expected")
        if not re.fullmatch("-?[0-9]{1,3}", written) or not 0 < abs(int(written)) <= _MAX_POWER:
            raise self._problem(f"An exponent is a whole number up to {_MAX_POWER}, and not 0")
        return int(written)

    def _number(self, sign: int) -> Quantity:
        """Read a number, and a scale of temperature behind it; the sign belongs to what stands on a scale."""
        above, _, below = self._ahead.partition("/")
        if below and not Fraction(below):
            raise CannotDecideError("units.undefined", "Something is divided by zero.")
        value = Fraction(above) / Fraction(below or 1)
        self._place += 1
        self._count(value)
        name = self._ahead if self._kind == "name" else ""
        scale = scale_of(name)
        if not scale:
            return number(value)
        self._place += 1
        zero, unit = Fraction(OFFSETS[scale]), resolved(name)
        self._count(unit.value)
        self._count(zero)
        shown = Chain((Number(sign * value, 0), Number(zero, 0)), ("+",), 0)
        kelvins = (sign * value + zero) * unit.value
        problem = BELOW if kelvins < 0 else ""
        return Quantity(Chain((shown, unit.node), ("*",), 0), kelvins, unit.dimensions, 1, problem=problem)

    def _count(self, value: Fraction) -> None:
        self._bits += value.numerator.bit_length() + value.denominator.bit_length() + 1

    def _unit(self) -> Quantity:
        name = self._ahead
        if name not in BASES and not meanings_of(name):
            raise NotAttemptedError(
                "units.unknown", f"There is no unit {name[:40]!r} here.", nearest(name, known_names())
            )
        self._place += 1
        unit = resolved(name)
        if scale_of(name):
            unit = replace(unit, points=1, is_bare=True)
        self._count(unit.value)
        return unit


def _chained(left: Node, sign: str, right: Node) -> Node:
    """Return a sum or product; one that goes on is one chain, so that no expression is deeper than its brackets."""
    if isinstance(left, Chain) and (left.operators[0] in "+-") == (sign in "+-"):
        return Chain((*left.operands, right), (*left.operators, sign), 0)
    return Chain((left, right), (sign,), 0)


def _times(one: Quantity, two: Quantity, sign: str = "*") -> Quantity:
    found = dict(one.dimensions)
    for name, power in two.dimensions:
        found[name] = found.get(name, 0) + (-power if sign == "/" else power)
    if sign == "/" and not two.value:
        raise CannotDecideError("units.undefined", "Something is divided by zero.")
    value = one.value / two.value if sign == "/" else one.value * two.value
    dimensions = tuple(sorted((name, power) for name, power in found.items() if power))
    # A unit of a scale beside other units, as in J/(g*°C), is a difference; a point is none.
    is_unclear = (one.points == 1 and not (one.is_bare and two.dimensions)) or (
        two.points == 1 and not (two.is_bare and (one.dimensions or sign == "/"))
    )
    points = 0 if 0 in (one.points, two.points) and dimensions == TEMPERATURES else None
    problem = one.problem or two.problem or (TEMPERATURE if is_unclear else "")
    return Quantity(_chained(one.node, sign, two.node), value, dimensions, points, problem=problem)


def _raised(base: Quantity, power: int) -> Quantity:
    total = number(Fraction(1))
    for _ in range(abs(power)):
        total = _times(total, base, "*" if power > 0 else "/")
    return replace(total, node=Power(base.node, Number(Fraction(power), 0), 0))


def _added(one: Quantity, two: Quantity, sign: str) -> Quantity:
    if one.dimensions != two.dimensions:
        if plain(one.dimensions) == plain(two.dimensions):
            raise CannotDecideError("units.beyond", "Angles are added to numbers, or unlike powers of pi.")
        if not (plain(one.dimensions) and plain(two.dimensions)):
            raise CannotDecideError(DIMENSION, "A number without a unit is added to a quantity.")
        raise MismatchError(written_dimensions(one.dimensions), written_dimensions(two.dimensions))
    points: int | None = None
    if one.points is not None or two.points is not None:
        points = (one.points or 0) + (-1 if sign == "-" else 1) * (two.points or 0)
    # Kelvins that are taken from a point can be a point or a difference.
    is_open = sign == "-" and one.points == 1 and two.points is None
    is_unclear = is_open or one.is_bare or two.is_bare or points not in (None, 0, 1)
    problem = one.problem or two.problem or (TEMPERATURE if is_unclear else "")
    value = one.value - two.value if sign == "-" else one.value + two.value
    return Quantity(_chained(one.node, sign, two.node), value, one.dimensions, points, problem=problem)


def plain(dimensions: Dimensions) -> Dimensions:
    """Return dimensions without angles and powers of pi, which some units of one kind have and others not."""
    return tuple(each for each in dimensions if each[0] not in ("pi", "angle"))


def written_dimensions(dimensions: Dimensions) -> str:
    """Return dimensions in words."""
    return "*".join(name if power == 1 else f"{name}^{power}" for name, power in dimensions) or "no dimension"


def printed(text: str) -> str:
    """Return a side of a statement in canonical form."""
    found = tokens(text)
    written, before = "", ("end", "")
    for (kind, word, _), (following, _, _) in pairwise(found):
        joins = before[0] in ("number", "name") or before[1] == ")"
        is_of_units = word == "*" and (before[0], following) == ("name", "name")
        if joins and not is_of_units and (word in ("+", "-", "*") or (word == "/" and following == "number")):
            word_shown = f" {word} "
        else:
            word_shown = f"{word} " if (kind, following) == ("number", "name") else word
        written, before = written + word_shown, (kind, word)
    return written


def scale_of(name: str) -> str:
    """Return the scale of temperature that a unit is of, or nothing."""
    return next((each for each in (name, *meanings_of(name)) if each in OFFSETS), "")


def resolved(name: str) -> Quantity:
    """Return a unit in base units; that of a scale of temperature as a difference that can be anything.

    Raises CannotDecideError for a name that several units have.
    """
    meaning, *others = meanings_of(name) or (name,)
    if others:
        named = ", ".join((meaning, *others))
        raise CannotDecideError("units.ambiguous", f"{name} has several meanings; write one of these: {named}.")
    if meaning in BASES:
        return number(Fraction(1), ((meaning, 1),))
    found = QuantityReader(meanings_of(meaning)[0] if meaning in OFFSETS else meaning).whole()
    return number(found.value, found.dimensions, 0 if name.startswith(("delta", "Δ")) else None)
