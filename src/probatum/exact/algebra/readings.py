"""Takes a claim of mathematics apart into statements that hold together if the claim does, and decides them.

``A -> B`` is B on the part of the domain where A holds; an indefinite integral is proved by differentiating, and a sum
up to a name by induction. Refuses other connectives, and an indefinite integral without its constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.algebra.calculus import HEADS, Calculus
from probatum.exact.algebra.derivatives import derivative
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.statements import DomainStatement, certificate_of, decide_statement
from probatum.exact.algebra.terms import is_constant
from probatum.exact.algebra.trees import minus, names_of, number, plus, substituted, times
from probatum.exact.claim import CannotDecideError, Ruling, proved
from probatum.exact.numbers.arithmetic import HOLDS
from probatum.exact.numbers.expressions import Chain, Conditional, FunctionCall, Name, Node, Relations
from probatum.exact.numbers.rational import NotRationalError, evaluate
from probatum.exact.numbers.real_roots import written_unit

HINT: Final = "Write an equation, such as 0.1 + 0.2 = 0.3."
_FORM: Final = "math.form"
_BEYOND: Final = "math.beyond"


@dataclass(frozen=True, slots=True)
class Reduction:
    """The statements that a claim comes down to."""

    statements: tuple[DomainStatement, ...]
    missing: str = ""
    """What the claim lacks even where they hold: a constraint."""


def reading_of(node: Node, domain: Domain) -> Reduction:
    """Return the statements of a claim; raises NotAttemptedError where it states nothing."""
    if isinstance(node, Conditional) and node.arrow == "->":
        return reading_of(node.right, _narrowed(domain, node.left))
    if not isinstance(node, Relations):
        sentence = "The statement has no relation such as '=', so it claims nothing."
        raise NotAttemptedError("math.no_claim", sentence, HINT)
    for side, other in (node.operands, node.operands[::-1]) if node.relations == ("=",) else ():
        head = HEADS.get(side.name.lower(), "") if isinstance(side, FunctionCall) else ""
        arguments = side.arguments if isinstance(side, FunctionCall) else ()
        if len(arguments) in (2, 4) and isinstance(arguments[1], Name):
            if head == "integral" and len(arguments) == 2:
                return _indefinite(arguments[0], arguments[1].name, other, domain)
            if head in ("sum", "product") and names_of(arguments[3]) - {"oo", "pi", "e"}:
                return _by_induction(head, arguments, arguments[1].name, other, domain)
    calculus = Calculus(domain)
    sides = tuple(map(calculus.plain, node.operands))
    if "~=" in node.relations:
        return Reduction((_rounded(node, sides, domain),))
    return Reduction(
        (DomainStatement(sides, node.relations, domain, tuple(calculus.extra), tuple(calculus.operations)),)
    )


def _narrowed(domain: Domain, node: Node) -> Domain:
    """Return a domain with the conditions of a comparison, or of several with 'and' between them."""
    parts = node.operands if isinstance(node, Chain) and set(node.operators) == {"and"} else (node,)
    for part in parts:
        if not isinstance(part, Relations) or "~=" in part.relations:
            raise NotAttemptedError(_FORM, "Comparisons with 'and' between them are expected before '->'.")
        calculus = Calculus(domain)
        sides = [calculus.plain(each) for each in part.operands]
        if calculus.operations or not names_of(*sides) <= domain.kinds.keys():
            raise CannotDecideError("math.domain_needed", "The names of a condition have to be declared, as 'x: real'.")
        for place, relation in enumerate(part.relations):
            domain = domain.with_condition(minus(sides[place], sides[place + 1]), relation)
    return domain


def _rounded(node: Relations, sides: tuple[Node, ...], domain: Domain) -> DomainStatement:
    """Return the statement that a value lies nearer to a written number than half a unit of its last place."""
    if len(sides) > 2 or names_of(*sides):
        raise CannotDecideError("math.rounding_unclear", "'~=' is decided between two closed sides.")
    half, near = written_unit(node.operands[1]) / 2, evaluate(node.operands[1]).value
    return DomainStatement((number(near - half), sides[0], number(near + half)), ("<", "<"), domain)


def _indefinite(integrand: Node, name: str, other: Node, domain: Domain) -> Reduction:
    """Return the statement that the derivative of what is claimed to be an integral is the integrand."""
    calculus = Calculus(domain, name)
    inner, whole = calculus.plain(integrand), calculus.plain(other)
    slope = calculus.derived(whole, name)
    statement = DomainStatement((slope, inner), ("=",), domain, tuple(calculus.extra), tuple(calculus.operations))
    forms = statement.forms()
    for each in sorted(names_of(whole) - names_of(inner) - {name}):
        above, below = forms.form(derivative(whole, each))
        if above and is_constant(above) and is_constant(below):
            return Reduction((statement,))
    return Reduction((statement,), "math.constant_missing")


def _by_induction(head: str, arguments: tuple[Node, ...], name: str, other: Node, domain: Domain) -> Reduction:
    """Return the statements that a sum has its value for the least bound, and grows with it as it should."""
    calculus = Calculus(domain, name)
    inner, (low, high), value = calculus.plain(arguments[0]), map(calculus.plain, arguments[2:]), calculus.plain(other)
    names = names_of(high)
    try:
        (upper,) = names
        first, ahead = evaluate(low).value, evaluate(substituted(high, {upper: number(0)})).value
        slope = evaluate(derivative(high, upper)).value
    except (ValueError, NotRationalError) as error:
        raise CannotDecideError(_BEYOND, "A sum ends at a name, or at a number more or less.") from error
    if name in names_of(value) | names or slope != 1 or ahead.denominator != 1 or first.denominator != 1:
        raise CannotDecideError(_BEYOND, "A sum ends at a name, or at a number more or less.")
    if upper not in domain.kinds:
        domain = Domain({**domain.kinds, upper: "integer"}, domain.conditions)
        domain = domain.with_condition(minus(Name(upper, 0), number(first - ahead)), ">=")
    least = _least(domain, upper)
    if least is None or least + ahead < first - 1:
        raise CannotDecideError("math.domain_needed", f"Declare from which integer on {upper!r} is meant.")
    at_least = calculus.summed(head, inner, name, (low, number(least + ahead)))
    base = DomainStatement((substituted(value, {upper: number(least)}), at_least), ("=",), domain)
    before = substituted(value, {upper: minus(Name(upper, 0), number(1))})
    grown = (plus if head == "sum" else times)(before, substituted(inner, {name: high}))
    later = domain.with_condition(minus(Name(upper, 0), number(least)), ">")
    return Reduction((base, DomainStatement((value, grown), ("=",), later)))


def _least(domain: Domain, name: str) -> Fraction | None:
    """Return the integer from which on all are in the domain; None where there is none, or more is said of it."""
    bounds = domain.bounds.get(name, ())
    conditions = [node for node, _ in domain.conditions if name in names_of(node)]
    if domain.kind_of(name) != "integer" or not bounds or len(conditions) != len(bounds):
        return None
    least = [
        floor(bound) + 1 if relation == ">" else ceil(bound) for relation, bound in bounds if relation in (">", ">=")
    ]
    return Fraction(max(least)) if len(least) == len(bounds) else None


def decide_reading(reading: Reduction) -> Ruling:
    """Return whether everything holds that a claim comes down to."""
    for statement in reading.statements:
        ruling = decide_statement(statement)
        if ruling.constraint != HOLDS:
            return ruling
    if reading.missing:
        detail = "An indefinite integral is a family of functions; add a constant, such as '+ C'."
        raise CannotDecideError(reading.missing, detail)
    return proved(HOLDS, certificate_of_reading(reading))


def certificate_of_reading(reading: Reduction) -> dict[str, object]:
    """Return what a proof leaves: its statements."""
    return {"form": "statements", "statements": [certificate_of(each) for each in reading.statements]}
