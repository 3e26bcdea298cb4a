"""Lists where the parts of an expression have values, and tells whether that is so on a whole domain.

A square root needs an argument that is not negative, a logarithm one that is positive. Refuses nothing; it names the
first point where something has no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.algebra.domains import Point
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.signs import OF_RELATION
from probatum.exact.algebra.terms import is_constant, primitive
from probatum.exact.algebra.trees import call, minus, names_of, number, parts_of, raised, substituted, written
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Chain, FunctionCall, Node, Number, Power
from probatum.exact.numbers.rational import UNDEFINED, NotRationalError, evaluate
from probatum.exact.numbers.real_roots import written_number

_POLES: Final = {"tan": "cos", "sec": "cos", "cot": "sin", "csc": "sin"}
_LOOKED_AT: Final = 50
_OF_WHOLE: Final = frozenset({"factorial", "binomial", "gcd", "lcm"})


@dataclass(frozen=True, slots=True)
class Requirement:
    """An expression that has to stand in a relation to zero; ``whole`` is asked of it alone."""

    node: Node
    relation: str

    @property
    def text(self) -> str:
        """The requirement as it is written in evidence."""
        asked = "is whole" if self.relation == "whole" else f"{self.relation} 0"
        return f"{written(self.node)} {asked}"

    def holds_at(self, values: Mapping[str, Node]) -> bool | None:
        """Return whether it holds where names have these values; None where that is not known."""
        node = substituted(self.node, values)
        return _is_whole(node) if self.relation == "whole" else sign_at(node, self.relation)

    def holds(self, forms: Rewriter) -> bool:
        """True where it holds on the whole domain for certain."""
        try:
            above, below = forms.form(self.node)
        except CannotDecideError:
            return False
        if self.relation == "whole":
            return is_constant(below) and forms.is_whole(above)
        if self.relation == "!=":
            return forms.is_nonzero(above)
        if self.relation == ">=" and forms.vanishes(above):
            return True
        if forms.signs_of((above, below)) <= OF_RELATION[self.relation]:
            return True
        return not names_of(self.node) and sign_at(self.node, self.relation) is True

    def key(self, forms: Rewriter) -> object:
        """Return what is the same for requirements that hold at the same points."""
        try:
            above, below = forms.form(self.node)
        except CannotDecideError:
            return self.text
        factor, rest = primitive(above)
        sign = factor > 0 if self.relation != "!=" else None
        return self.relation, sign, frozenset(rest.items()), frozenset(below.items())


def requirements_of(*nodes: Node) -> list[Requirement]:
    """Return what has to hold for expressions to have values, the innermost first and each of them once."""
    found: dict[Requirement, None] = {}
    for node in nodes:
        for part in parts_of(node):
            found.update(dict.fromkeys(requirements_of(part)))
        found.update(dict.fromkeys(_own_requirements(node)))
    return [each for each in found if not _is_plain(each)]


def _is_whole(node: Node) -> bool | None:
    try:
        return evaluate(node).value.denominator == 1
    except (NotRationalError, CannotDecideError, BudgetError):
        return None


def _is_plain(requirement: Requirement) -> bool:
    """True of a requirement on a written number that holds."""
    return isinstance(requirement.node, Number) and requirement.holds_at({}) is True


def _own_requirements(node: Node) -> Iterator[Requirement]:
    match node:
        case Chain():
            for sign, operand in zip(node.operators, node.operands[1:], strict=True):
                if sign in ("/", "mod"):
                    yield Requirement(operand, "!=")
        case Power():
            yield from _of_power(node)
        case FunctionCall(name="log", arguments=(argument,)):
            yield Requirement(argument, ">")
        case FunctionCall(name="sqrt", arguments=(argument,)):
            yield Requirement(argument, ">=")
        case FunctionCall(arguments=arguments) if node.name in _OF_WHOLE:
            for each in arguments:
                yield from (Requirement(each, "whole"), Requirement(each, ">="))
            if node.name == "binomial":
                yield Requirement(minus(*arguments), ">=")
        case FunctionCall(arguments=(argument,)) if node.name in _POLES:
            yield Requirement(call(_POLES[node.name], argument), "!=")
        case FunctionCall(name="asin" | "acos", arguments=(argument,)):
            yield Requirement(minus(number(1), raised(argument, 2)), ">=")
        case _:
            return


def _of_power(node: Power) -> Iterator[Requirement]:
    try:
        exponent: Fraction | None = evaluate(node.exponent).value
    except NotRationalError:
        exponent = None
    except CannotDecideError:
        return
    if exponent is None:
        if node.base != FunctionCall("e", (), getattr(node.base, "start", 0)):
            yield Requirement(node.base, ">")
    elif exponent.denominator != 1:
        yield Requirement(node.base, ">=" if exponent > 0 else ">")
    elif exponent <= 0:
        yield Requirement(node.base, "!=")


def first_open(requirements: Iterable[Requirement], forms: Rewriter) -> Requirement | None:
    """Return the first requirement that is not shown to hold on the whole domain."""
    return next((each for each in requirements if not each.holds(forms)), None)


def require_defined(requirements: list[Requirement], forms: Rewriter) -> None:
    """Raise CannotDecideError where something may have no value, with a point where it has none if one is found."""
    missing = first_open(requirements, forms)
    if missing is None:
        return
    evidence: dict[str, object] = {"needed": missing.text}
    detail = f"It is not shown that {missing.text[:200]} everywhere, which a part of the statement needs."
    for point in islice(forms.domain.points(forms.domain.kinds), _LOOKED_AT):
        values = values_of(point)
        if names_of(missing.node) <= point.keys() and missing.holds_at(values) is False:
            evidence["undefined_at"] = told_values(values)
            shown = ", ".join(f"{name} = {value}" for name, value in told_values(values).items())
            at = f" at {shown}" if shown else ""
            detail = f"A part of the statement has no value{at}: it needs {missing.text[:200]}."
            break
    raise CannotDecideError(UNDEFINED, detail, evidence)


def values_of(point: Point) -> dict[str, Node]:
    """Return the values of a point as expressions."""
    return {name: number(value) for name, value in point.items()}


def told_values(values: Mapping[str, Node]) -> dict[str, str]:
    """Return values as evidence writes them."""
    return {
        name: written_number(each.value) if isinstance(each, Number) else written(each)
        for name, each in sorted(values.items())
    }
