"""Checks proofs of statements by other means than they were found: by values, without rewriting a side.

Rational sides are compared at large numbers that follow from the statement, exactly: unequal sides of degree d agree
there with a chance below (d/2^64)^3, by the lemma of Schwartz and Zippel (Journal of the ACM 27, 1980). All sides, and
what derivatives, integrals, limits and sums became, are compared at points of the domain; roots are counted by another
rule. Refuses a certificate that differs from what the statement asks for in any character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.algebra.calculus import Operation
from probatum.exact.algebra.definedness import first_open, values_of
from probatum.exact.algebra.limits import INFINITE
from probatum.exact.algebra.readings import Reduction, certificate_of_reading
from probatum.exact.algebra.statements import DomainStatement, Values, has_like_requirements, is_shown
from probatum.exact.algebra.trees import has_call, minus, names_of, number, substituted, walked, written
from probatum.exact.algebra.values import OutsideError, fraction_of, interval_of, sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.arithmetic import HOLDS
from probatum.exact.numbers.expressions import Chain, FunctionCall, Node, Power
from probatum.exact.numbers.rational import NotRationalError, evaluate

_EXACT: Final = 3
_SAMPLED: Final = 8
_LARGEST: Final = 20
_BITS: Final = 320
_CLOSE: Final = Fraction(1, 10**40)
_ROUGH: Final = Fraction(1, 50)
_STEP: Final = Fraction(1, 10**25)
_SLOW: Final = Fraction(1, 2)
"""Some limits are approached slowly."""
_PIECES: Final = (31, 48)
_UNDECLARED: Final = tuple(map(Fraction, ("7/3", "5/4", "3", "9/7", "2")))


def check_reading(reading: Reduction, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate establishes; raises ValueError where it is wrong."""
    if certificate != certificate_of_reading(reading) or reading.missing:
        raise ValueError("the certificate is of another statement")
    for statement in reading.statements:
        _require_shown(statement)
        for values in _points_of(statement):
            for (left, right), relation in zip(pairwise(statement.sides), statement.relations, strict=True):
                if not _agrees(substituted(left, values), relation, substituted(right, values)):
                    raise ValueError(f"the relation {relation!r} fails at a point of the domain")
            for each in statement.operations:
                _require_operation(each, values)
    return HOLDS


def _require_shown(statement: DomainStatement) -> None:
    forms = statement.forms()
    if statement.is_universal and first_open(statement.requirements(), forms) is not None:
        raise ValueError("a side is not shown to be defined on the whole domain")
    if not statement.is_universal and not has_like_requirements(statement, forms):
        raise ValueError("the sides are not shown to have values at the same points")
    for place, relation in enumerate(statement.relations):
        left, right = statement.sides[place : place + 2]
        if relation == "=" and _is_rational(left) and _is_rational(right) and _are_equal_at(left, right):
            continue
        if not is_shown(statement, forms, place):
            raise ValueError(f"the relation {relation!r} is not shown")
    for line in forms.lines:
        line.require_all_roots()


def _is_rational(node: Node) -> bool:
    """True for names and numbers under the four operations and whole powers."""
    try:
        return not any(
            isinstance(each, FunctionCall)
            or (isinstance(each, Chain) and "mod" in each.operators)
            or (isinstance(each, Power) and evaluate(each.exponent).value.denominator != 1)
            for each in walked(node)
        )
    except (NotRationalError, CannotDecideError):
        return False


def _are_equal_at(left: Node, right: Node) -> bool:
    """Return whether rational sides are equal at numbers of 64 bits, as far as those are not too large."""
    text = f"{written(left)} = {written(right)}"
    for place in range(_EXACT):
        digests = {name: sha256(f"{place} {name} {text}".encode()).digest() for name in names_of(left, right)}
        point = {name: Fraction(int.from_bytes(each[:8], "big")) for name, each in digests.items()}
        try:
            if evaluate(left, point).value != evaluate(right, point).value:
                return False
        except BudgetError:
            return False
    return True


def _points_of(statement: DomainStatement) -> Iterator[Values]:
    """Yield points where everything is defined; one without values where there is no name."""
    domain, found = statement.domain, 0
    requirements = statement.requirements()
    inner = {name for each in statement.operations for name in names_of(each.inner, *each.bounds)}
    names = sorted((statement.names | inner) - domain.kinds.keys())
    for point in domain.points(domain.kinds):
        for step in range(len(_UNDECLARED) if names else 1):
            others = {name: _UNDECLARED[(step + index) % len(_UNDECLARED)] for index, name in enumerate(names)}
            values = values_of({**point, **others})
            is_small = all(abs(value) <= _LARGEST for value in point.values())
            if found < _SAMPLED and is_small and all(each.holds_at(values) is True for each in requirements):
                found += 1
                yield values


def _agrees(left: Node, relation: str, right: Node) -> bool:
    """Return whether two closed sides stand in a relation, as far as many digits tell."""
    if written(left) == written(right) or has_call(left, "i") or has_call(right, "i"):
        return relation in ("=", "<=", ">=")
    told = sign_at(minus(left, right), relation)
    if told is not None:
        return told
    try:
        return abs(_middle(minus(left, right))) < _CLOSE and relation in ("=", "<=", ">=")
    except OutsideError:
        # A function jumps there: nothing is known, and nothing speaks against it.
        return True


def _middle(node: Node) -> Fraction:
    """Return a number near the value of a closed expression; raises OutsideError where too few digits are known."""
    found = interval_of(node, _BITS)
    low, high = fraction_of(found.a), fraction_of(found.b)
    if high - low > _CLOSE:
        raise OutsideError("too few digits")
    return (low + high) / 2


def _require_operation(operation: Operation, values: Values) -> None:
    """Compare a derivative, integral, limit or sum with what it became, roughly and by adding up values."""
    name = operation.name
    inner = substituted(operation.inner, {each: value for each, value in values.items() if each != name})
    found, *ends = (substituted(each, values) for each in (operation.value, *operation.bounds))

    def at(place: Fraction) -> Fraction:
        return _middle(substituted(inner, {name: number(place)}))

    if found in INFINITE or has_call(inner, "i") or (operation.head == "diff" and name not in values):
        return
    rough = _ROUGH
    try:
        if operation.head == "diff":
            here = _middle(values[name])
            near = (at(here + _STEP) - at(here - _STEP)) / (2 * _STEP)
        elif operation.head == "limit":
            far = 1 if ends[0] == INFINITE[0] else -1
            near = at(far / _STEP if ends[0] in INFINITE else _middle(ends[0]) + operation.way * _STEP)
            rough = _SLOW
        elif operation.head == "integral" and not any(each in INFINITE for each in ends):
            near, other = (_added(at, _middle(ends[0]), _middle(ends[1]), pieces) for pieces in _PIECES)
            rough = _ROUGH if abs(near - other) < _ROUGH else _ROUGH + 2 * abs(near - other) + _SLOW
        else:
            return
        if abs(near - _middle(found)) > rough * (1 + abs(near)):
            raise ValueError(f"the value of {operation.text} is another one")
    except OutsideError:
        return


def _added(at: Callable[[Fraction], Fraction], low: Fraction, high: Fraction, pieces: int) -> Fraction:
    """Return a sum that is near to an integral, by the middles of so many pieces."""
    piece = (high - low) / pieces
    return sum((at(low + piece * Fraction(2 * place + 1, 2)) for place in range(pieces)), Fraction(0)) * piece
