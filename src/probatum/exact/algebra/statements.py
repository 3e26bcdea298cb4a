"""Decides statements with names, and closed ones beyond rational numbers: equations, inequalities and chains of them.

With declarations a statement speaks of every point of its domain; a point where it fails refutes it. Without, it is a
claim only where it is true, or false, whatever its names are. Refuses to overlook a point where a side has no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.algebra.calculus import Operation
from probatum.exact.algebra.definedness import Requirement, require_defined, requirements_of, told_values, values_of
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.limits import INFINITE
from probatum.exact.algebra.real_line import LinePlace
from probatum.exact.algebra.signs import OF_RELATION
from probatum.exact.algebra.trees import MANUAL, call, has_call, minus, names_of, number, substituted, times, written
from probatum.exact.algebra.values import sign_at, value_text
from probatum.exact.claim import CannotDecideError, Ruling, proved, refuted, undecided
from probatum.exact.numbers.arithmetic import FAILS, HOLDS
from probatum.exact.numbers.expressions import TESTS, Node
from probatum.exact.numbers.rational import UNDEFINED, NotRationalError, evaluate

Values = Mapping[str, Node]
_ANGLES: Final = tuple(times(number(Fraction(each, 2)), call("pi")) for each in (1, -1, 2, 3))
_UNDECLARED: Final = tuple(map(Fraction, (2, 3, -1, 0, 1, 4, -2)))
_MOST_UNKNOWN: Final = 20
"""Points at which it is not known what holds; each of them takes long."""


@dataclass(frozen=True, slots=True)
class DomainStatement:
    """A comparison whose sides are plain, over a domain."""

    sides: tuple[Node, ...]
    relations: tuple[str, ...]
    domain: Domain
    extra: tuple[Requirement, ...] = ()
    """What has to hold besides, so that what the sides were made from has a value."""
    operations: tuple[Operation, ...] = ()
    """What the sides were made from."""

    @property
    def names(self) -> frozenset[str]:
        """Return the names of its sides."""
        return names_of(*self.sides, *(each.node for each in self.extra))

    @property
    def is_universal(self) -> bool:
        """Whether every name is declared, so that the statement is meant for every point of the domain."""
        return self.names <= self.domain.kinds.keys()

    def forms(self) -> Rewriter:
        """Return forms for its sides."""
        is_real = all(self.domain.kind_of(name) != "complex" for name in self.names)
        return Rewriter(self.domain, is_real=is_real and not any(has_call(each, "i") for each in self.sides))

    def requirements(self) -> list[Requirement]:
        """Return what has to hold for the statement to have a meaning."""
        return list(dict.fromkeys([*self.extra, *requirements_of(*self.sides)]))


def decide_statement(statement: DomainStatement) -> Ruling:
    """Return whether a statement holds on its domain."""
    if statement.domain.kinds:
        statement.domain.require_point()
    if any(has_call(each, "oo") for each in statement.sides):
        return _decide_infinite(statement)
    if statement.is_universal:
        for values, place in _rational_witnesses(statement):
            return _refuted_at(statement, values, place)
    requirements = statement.requirements()
    try:
        return _decide_by_forms(statement, statement.forms(), requirements)
    except (CannotDecideError, BudgetError):
        witness = next(_witnesses(statement, requirements), None) if statement.is_universal else None
        if witness is None:
            raise
        return _refuted_at(statement, *witness)


def _decide_by_forms(statement: DomainStatement, forms: Rewriter, requirements: list[Requirement]) -> Ruling:
    open_relations = [each for each in range(len(statement.relations)) if not is_shown(statement, forms, each)]
    if not statement.is_universal:
        return _whatever(statement, forms, open_relations)
    if not open_relations:
        require_defined(requirements, forms)
        return proved(HOLDS, certificate_of(statement))
    witness = next(_witnesses(statement, requirements), None)
    if witness is not None:
        return _refuted_at(statement, *witness)
    require_defined(requirements, forms)
    detail = f"It is neither proved nor refuted by a point of the domain. {MANUAL}"
    raise CannotDecideError("math.beyond", detail)


def _decide_infinite(statement: DomainStatement) -> Ruling:
    """Decide whether a limit is infinite; an infinity elsewhere is no number."""
    left, right = (written(each) for each in statement.sides[:2])
    infinite = [written(each) for each in INFINITE]
    is_limit = any(each.value in INFINITE for each in statement.operations) and statement.relations == ("=",)
    if not is_limit or not all(
        written(each) in infinite or sign_at(each, ">=") is not None for each in statement.sides
    ):
        raise CannotDecideError(UNDEFINED, "Infinity stands where a number is due.")
    if left == right:
        return proved(HOLDS, certificate_of(statement))
    return refuted(FAILS, f"The left side is {left[:80]}, the right side {right[:80]}.", {"left": left, "right": right})


def certificate_of(statement: DomainStatement) -> dict[str, object]:
    """Return what a proof leaves: the sides as they are read, the domain, and where all has to be defined."""
    domain = statement.domain
    return {
        "form": "identity" if statement.names else "closed",
        "sides": [written(each) for each in statement.sides],
        "from": [each.text for each in statement.operations],
        "domain": [f"{name}: {kind}" for name, kind in sorted(domain.kinds.items())],
        "conditions": [f"{written(node)} {relation} 0" for node, relation in domain.conditions],
        "defined": [each.text for each in statement.requirements()],
    }


def is_shown(statement: DomainStatement, forms: Rewriter, place: int) -> bool:
    """True where a relation of the chain is shown to hold on the whole domain, wherever its sides are defined."""
    relation = statement.relations[place]
    left, right = statement.sides[place], statement.sides[place + 1]
    if not names_of(left, right) and relation != "=" and sign_at(minus(left, right), relation) is True:
        return True
    if relation in ("=", "<=", ">=") and written(left) == written(right):
        return relation == "=" or statement.is_universal
    above, below = forms.difference(left, right)
    if relation in ("=", "<=", ">=") and forms.vanishes(above):
        return relation == "=" or statement.is_universal
    if relation == "!=":
        return forms.is_nonzero(above)
    return statement.is_universal and forms.signs_of((above, below)) <= OF_RELATION[relation]


def has_like_requirements(statement: DomainStatement, forms: Rewriter) -> bool:
    """True where all sides have values at the same points, as far as their requirements tell."""
    keys = [{each.key(forms) for each in requirements_of(side)} for side in statement.sides]
    keys[0] |= {each.key(forms) for each in statement.extra}
    return all(each == keys[0] for each in keys)


def _whatever(statement: DomainStatement, forms: Rewriter, places: list[int]) -> Ruling:
    """Decide a relation whose names are not all declared: it is false where it fails whatever they are."""
    if not places and has_like_requirements(statement, forms):
        return proved(HOLDS, certificate_of(statement))
    for place in places:
        above, _ = forms.difference(statement.sides[place], statement.sides[place + 1])
        relation = statement.relations[place]
        if (relation == "=" and forms.is_nonzero(above)) or (relation == "!=" and forms.vanishes(above)):
            told = {"sides": [written(each) for each in statement.sides], "relation": relation, "for": "every value"}
            return refuted(FAILS, "The relation fails whatever its names stand for.", told)
    evidence: dict[str, object] = {"undeclared": sorted(statement.names - statement.domain.kinds.keys())}
    derived_by = {each.name for each in statement.operations if each.head == "diff"}
    for values, truth in _truths(statement):
        if not truth and statement.names - statement.domain.kinds.keys() <= derived_by and len(statement.sides) == 2:
            # Two functions are claimed to be equal, wherever they have values.
            return _refuted_at(statement, values, 0)
        evidence.setdefault("holds_at" if truth else "fails_at", told_values(values))
    detail = "Whether it holds depends on what its names stand for; declare them, such as 'x: real'."
    return undecided("math.domain_needed", detail, evidence)


def _truths(statement: DomainStatement) -> Iterator[tuple[Values, bool]]:
    """Yield points with whether the statement holds there, where that is known exactly."""
    names = sorted(statement.names)
    requirements = statement.requirements()
    for step in (0, 1):
        for place, value in enumerate(_UNDECLARED):
            other = _UNDECLARED[(place + step) % len(_UNDECLARED)]
            values = values_of({name: other if index % 2 else value for index, name in enumerate(names)})
            if not statement.domain.holds(values) or any(each.holds_at(values) is not True for each in requirements):
                continue
            sides = [substituted(each, values) for each in statement.sides]
            pairs = zip(pairwise(sides), statement.relations, strict=True)
            signs = [sign_at(minus(left, right), relation) for (left, right), relation in pairs]
            if None not in signs:
                yield values, all(signs)


def _rational_witnesses(statement: DomainStatement) -> Iterator[tuple[Values, int]]:
    """Yield points where a relation fails, of two that are tried by rational arithmetic: that is quick."""
    if not statement.names or "~=" in statement.relations:
        return
    for _, point in zip(range(3), statement.domain.points(statement.domain.kinds), strict=False):
        try:
            values = [evaluate(each, point).value for each in statement.sides]
            is_defined = all(each.holds_at(values_of(point)) is True for each in statement.extra)
        except (NotRationalError, CannotDecideError, BudgetError):
            return
        for place, relation in enumerate(statement.relations):
            if is_defined and not TESTS[relation](values[place], values[place + 1]):
                yield values_of(point), place


def _witnesses(statement: DomainStatement, requirements: list[Requirement]) -> Iterator[tuple[Values, int]]:
    """Yield points of the domain where everything is defined and a relation fails; what takes long ends early."""
    forms, unknown = statement.forms(), 0
    for values in _candidates(statement, forms):
        if unknown > _MOST_UNKNOWN:
            return
        told = [each.holds_at(values) for each in requirements]
        unknown += None in told
        if not all(told):
            continue
        for place, relation in enumerate(statement.relations):
            sides = [substituted(each, values) for each in statement.sides[place : place + 2]]
            found = sign_at(minus(*sides), relation)
            unknown += found is None
            if found is None and relation in ("<", ">", "!=") and forms.is_real and _are_equal(*sides):
                found = False
            if found is False:
                yield values, place


def _are_equal(left: Node, right: Node) -> bool:
    """True where two closed sides are equal for certain."""
    try:
        forms = Rewriter(Domain(), is_real=True)
        return forms.vanishes(forms.difference(left, right)[0])
    except (CannotDecideError, BudgetError):
        return False


def _candidates(statement: DomainStatement, forms: Rewriter) -> Iterator[Values]:
    """Yield points of a domain: where a relation in one variable can change, simple ones, and angles."""
    domain = statement.domain
    for place in range(len(statement.relations)):
        for name, found, sign in _places(statement, forms, place):
            point = found.point
            if point is not None and sign not in OF_RELATION[statement.relations[place]]:
                yield from _completed(domain, {name: number(point)})
    yield from map(values_of, domain.points(domain.kinds))
    real = [name for name, kind in domain.kinds.items() if kind == "real"]
    for angle in _ANGLES if real and any(has_call(each, "sin", "cos", "pi", "tan") for each in statement.sides) else ():
        yield from _completed(domain, dict.fromkeys(real, angle))


def _completed(domain: Domain, values: Values) -> Iterator[Values]:
    """Yield a point with these values, if there is one with samples for the other names."""
    others = [name for name in domain.kinds if name not in values]
    for rest in domain.points(others):
        point = {**values_of(rest), **values}
        if domain.holds(point):
            yield point
            return


def _places(statement: DomainStatement, forms: Rewriter, place: int) -> Iterator[tuple[str, LinePlace, int]]:
    """Yield the places of the line for a relation in one name, with the sign of the difference of its sides."""
    try:
        above, below = forms.difference(statement.sides[place], statement.sides[place + 1])
        for found, sign, name, step in forms.places_of(forms.cleared(forms.product(above, below))):
            if name and step == 1:
                yield name, found, sign
    except (CannotDecideError, BudgetError):
        return


def _refuted_at(statement: DomainStatement, values: Values, place: int) -> Ruling:
    sides = [substituted(each, values) for each in statement.sides[place : place + 2]]
    point = told_values(values)
    shown = ", ".join(f"{name} = {value}" for name, value in point.items() if name in statement.names)
    left, right = (value_text(each) for each in sides)
    relation = statement.relations[place]
    where = f"At {shown} the" if shown else "The"
    detail = f"{where} left side of {relation!r} is {left[:80]}, the right side {right[:80]}."
    return refuted(FAILS, detail, {"relation": relation, "left": left, "right": right, "point": point})
