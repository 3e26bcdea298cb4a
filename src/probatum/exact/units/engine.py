"""Decides claims about quantities with units: ``1 mile == 1.609344 km``, ``60 km/h ~= 16.67 m/s``, ``100 C == 212 F``.

Everything is computed with fractions and powers of pi, and equality is exact; ``~=`` says that the left side is rounded
to the places that are written on the right one. A name with several meanings, such as ``ton``, decides nothing. The
certificate states every side in base units and is checked by residues
modulo a prime. Refuses unknown units and temperatures below absolute zero.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.expressions import TESTS
from probatum.exact.real_roots import relation_holds, written_number
from probatum.exact.residues import value_holds
from probatum.exact.units.quantities import (
    BELOW,
    DIMENSION,
    NUMBER,
    SYNTAX,
    TEMPERATURE,
    TEMPERATURES,
    MismatchError,
    Quantity,
    QuantityReader,
    plain,
    printed,
    written_dimensions,
)

HOLDS: Final = "units.holds"
_ROUNDING: Final = "math.rounding_unclear"
_PI: Final = Fraction(314159265358979323846264338327950288419716939937510, 10**50)
_SPELLED: Final = {"==": "=", "≠": "!=", "≤": "<=", "≥": ">=", "≈": "~="}
_RELATION: Final = re.compile(r"==|!=|<=|>=|~=|[=<>≠≤≥≈]")
_ROUNDED: Final = re.compile(rf"\s*(?P<sign>[-+]?)\s*(?P<number>{NUMBER})(?![0-9.,/])(?P<unit>.*)", re.DOTALL)
_EXPONENTS: Final = re.compile(r"(?:(?:\^|\*\*)\s*\(?\s*-?\s*)[0-9]+")


@dataclass(frozen=True, slots=True)
class _UnitStatement:
    """Sides with relations between them; of a rounded claim the left side, and 0 and 1 of the unit of the right one."""

    sides: tuple[str, ...]
    relations: tuple[str, ...]
    claimed: Fraction = Fraction(0)
    unit: Fraction = Fraction(0)


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement about quantities holds; raises as `EngineModule.decide`."""
    statement = _read(claim.statement)
    try:
        sides = _sides(statement)
    except MismatchError as error:
        mismatch = "{} and {}".format(*error.args)
        detail = f"Quantities of unlike dimensions are compared or added: {mismatch}."
        if "!=" in statement.relations:
            raise CannotDecideError(DIMENSION, detail) from error
        return refuted(DIMENSION, detail, {"dimensions": mismatch})
    values, outcome = _written(sides), _outcome(statement, sides)
    if outcome is True:
        return proved(HOLDS, {"form": "quantities", "values": values})
    if outcome is False:
        shown = ", ".join(each[:80] for each in values)
        return refuted("units.fails", f"In base units the sides are {shown}.", {"values": values})
    if outcome == BELOW:
        raise NotAttemptedError(BELOW, "A temperature lies below absolute zero.")
    raise CannotDecideError(outcome, "Several things can be meant by this statement.", {"values": values})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing.

    An integer that is smaller than a prime and divisible by it is 0, so equal residues are equal values (`residues`).
    Units are exact by definition: the SI brochure (BIPM, 9th edition, 2019) and NIST Handbook 44, appendix C.
    """
    shape = Shape(certificate, "certificate").exactly("form", "values")
    statement = _read(claim.statement)
    try:
        sides = _sides(statement)
    except MismatchError as error:
        raise ValueError("the dimensions are unlike") from error
    if shape.text("form") != "quantities" or shape.raw_list("values") != _written(sides):
        raise ValueError("the values are other ones")
    if _outcome(statement, sides) is not True:
        raise ValueError("the statement does not hold")
    if not all(value_holds(side.node, side.value) for side in sides):
        raise ValueError("a side has another value")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return the claim in canonical form."""
    relations = _read(claim.statement).relations
    first, *others = (printed(each) for each in _RELATION.split(claim.statement))
    signs = ("==" if each == "=" else each for each in relations)
    return first + "".join(f" {sign} {side}" for sign, side in zip(signs, others, strict=True))


def _read(text: str) -> _UnitStatement:
    if not text.strip():
        raise NotAttemptedError(SYNTAX, "The statement is empty.")
    relations = tuple(_SPELLED.get(each, each) for each in _RELATION.findall(text))
    sides = tuple(_RELATION.split(text))
    if not relations:
        raise NotAttemptedError(SYNTAX, "The statement has no relation such as '=='.")
    if "~=" not in relations:
        return _UnitStatement(sides, relations)
    if len(relations) > 1:
        raise NotAttemptedError(SYNTAX, "A rounded claim has no other relation than '~='.")
    match = _ROUNDED.fullmatch(sides[1])
    if match is None or re.search("[0-9+]", _EXPONENTS.sub("", match["unit"])):
        raise CannotDecideError(_ROUNDING, "The right side of a rounded claim is a number as decimals and a unit.")
    digits = match["number"].lower()
    mantissa, _, exponent = digits.partition("e")
    unit = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    claimed = Fraction(digits) * (1 if match["sign"] in ("", "+") else -1)
    return _UnitStatement((sides[0], f"0 {match['unit']}", f"1 {match['unit']}"), ("~=",), claimed, unit)


def _sides(statement: _UnitStatement) -> list[Quantity]:
    """Return the sides; raises MismatchError for unlike dimensions, of which powers of pi and angles are no part."""
    sides = [QuantityReader(each).whole() for each in statement.sides]
    first, *others = (plain(side.dimensions) for side in sides)
    for each in others:
        if each != first:
            raise MismatchError(written_dimensions(first), written_dimensions(each))
    return sides


def _written(sides: list[Quantity]) -> list[str]:
    return [written_number(each.value) for each in sides]


def _outcome(statement: _UnitStatement, sides: list[Quantity]) -> bool | str:
    """Return whether a statement holds of its sides, or the constraint that leaves it open."""
    problems = {TEMPERATURE if each.is_bare else each.problem for each in sides} - {""}
    if problems:
        return BELOW if BELOW in problems else TEMPERATURE
    powers = [dict(each.dimensions) for each in sides]
    if len({each.get("angle", 0) for each in powers}) > 1:
        return "units.angle_unclear"
    kinds = {each.points for each in sides} - {None}
    is_negative = sides[0].dimensions == TEMPERATURES and any(each.value < 0 for each in sides)
    if len(kinds) > 1 or (is_negative and not kinds):
        return TEMPERATURE
    if is_negative and kinds == {1}:
        return BELOW
    exponents = [each.get("pi", 0) for each in powers]
    if statement.relations == ("~=",):
        return _rounds(statement, sides, exponents[0] - exponents[1])
    return all(
        TESTS[relation](_sign(one.value, two.value, above - below), 0)
        for relation, (one, two), (above, below) in zip(
            statement.relations, pairwise(sides), pairwise(exponents), strict=True
        )
    )


def _rounds(statement: _UnitStatement, sides: list[Quantity], power: int) -> bool | str:
    value, zero, one = (each.value for each in sides)
    if one == zero or (zero and sides[1].points != 1):
        return _ROUNDING

    def compared_to(bound: Fraction) -> int:
        return _sign(value, zero + bound * (one - zero), power) * (1 if one > zero else -1)

    return relation_holds("~=", statement.claimed, statement.unit, compared_to)


def _sign(one: Fraction, two: Fraction, power: int) -> int:
    """Return the sign of one times a power of pi, minus two; raises where 50 digits of pi do not tell."""
    bounds = (_PI**power, (_PI + Fraction(1, 10**50)) ** power)
    found = {(each * one > two) - (each * one < two) for each in bounds}
    if len(found) > 1:
        raise CannotDecideError("units.beyond", "The sides are too close to be told apart.")
    return found.pop()
