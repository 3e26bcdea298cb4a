"""Typed terms of logic: booleans, whole and real numbers; and where each of them has a value.

A term is built in small core operations, so that everything that works on terms has few cases. Parts are evaluated from
left to right and only where those before leave it open: ``x != 0 -> 1/x > 0`` has a value everywhere. Refuses terms
beyond a size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from probatum.core.errors import BudgetError

BOOL: Final = "bool"
INT: Final = "int"
REAL: Final = "real"
MAX_SIZE: Final = 4_000
MAX_NESTED: Final = 150
MAX_BITS: Final = 4_000
"""Bits of a number that is computed with."""
PARTIAL: Final = frozenset({"/", "div", "mod"})
"""The operations that have no value where their second argument is 0."""
Value = bool | Fraction


@dataclass(frozen=True, slots=True)
class Term:
    """One term; ``value`` is the value of a constant or the name of a variable."""

    op: str
    sort: str
    args: tuple[Term, ...] = ()
    value: Value | str = ""
    size: int = 1
    depth: int = 1
    is_total: bool = True
    """Whether it has a value whatever its variables are."""


def term(op: str, sort: str, *args: Term) -> Term:
    """Return a term; raises BudgetError where it is too large."""
    size, depth = 1 + sum(each.size for each in args), 1 + max(each.depth for each in args)
    if depth > MAX_NESTED:
        raise BudgetError("engine.too_large", f"Operations are nested at most {MAX_NESTED} deep.")
    if size > MAX_SIZE:
        raise BudgetError("engine.too_large", f"Premises and statement have at most {MAX_SIZE:,} parts together.")
    is_total = all(each.is_total for each in args)
    if op in PARTIAL:
        is_total = is_total and args[1].op == "const" and args[1].value != 0
    return Term(op, sort, args, "", size, depth, is_total)


def constant(value: bool | int | Fraction, sort: str) -> Term:
    """Return a constant; raises BudgetError where it is too large."""
    if isinstance(value, bool):
        return Term("const", BOOL, (), value)
    number = Fraction(value)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise BudgetError("engine.out_of_budget", f"A value has more than {MAX_BITS:,} bits.")
    return Term("const", sort, (), number)


def variable(name: str, sort: str) -> Term:
    """Return a variable."""
    return Term("var", sort, (), name)


TRUE: Final = constant(True, BOOL)
FALSE: Final = constant(False, BOOL)
ZERO: Final = constant(0, INT)


def negation(inner: Term) -> Term:
    """Return what holds where a term does not."""
    if inner.op == "const":
        return FALSE if inner.value else TRUE
    return inner.args[0] if inner.op == "not" else term("not", BOOL, inner)


def conjunction(*parts: Term) -> Term:
    """Return what holds where all parts do."""
    kept = [each for each in parts if each != TRUE]
    return kept[0] if len(kept) == 1 else term("and", BOOL, *kept) if kept else TRUE


def disjunction(*parts: Term) -> Term:
    """Return what holds where one of the parts does."""
    kept = [each for each in parts if each != FALSE]
    return kept[0] if len(kept) == 1 else term("or", BOOL, *kept) if kept else FALSE


def defined(whole: Term) -> Term:
    """Return where a term has a value, read from left to right; itself it has one everywhere."""
    if whole.is_total:
        return TRUE
    args = whole.args
    if whole.op in ("and", "or"):
        parts = []
        for place, part in enumerate(args):
            if not part.is_total:
                before = conjunction(*args[:place]) if whole.op == "and" else negation(disjunction(*args[:place]))
                parts.append(disjunction(negation(before), defined(part)))
        return conjunction(*parts)
    if whole.op == "if":
        case, then, other = args
        parts = [defined(case)]
        for guard, branch in ((negation(case), then), (case, other)):
            if not branch.is_total:
                parts.append(disjunction(guard, defined(branch)))
        return conjunction(*parts)
    parts = [defined(each) for each in args]
    if whole.op in PARTIAL:
        parts.append(_not_zero(args[1]))
    return conjunction(*parts)


def divided(whole: Term) -> Term:
    """Return where nothing in a term is divided by zero, not even in a part that is not evaluated."""
    if whole.is_total:
        return TRUE
    parts = [divided(each) for each in whole.args]
    if whole.op in PARTIAL:
        parts.append(_not_zero(whole.args[1]))
    return conjunction(*parts)


def _not_zero(denominator: Term) -> Term:
    return negation(term("=", BOOL, denominator, constant(0, denominator.sort)))


def variables(whole: Term) -> Mapping[str, str]:
    """Return the sorts of the variables of a term by name, sorted."""
    return dict(sorted({str(each.value): each.sort for each in parts_of(whole) if each.op == "var"}.items()))


def printed(whole: Term) -> str:
    """Return a term as text in canonical form, with brackets around every operation that is part of another one."""
    if whole.op == "var":
        return str(whole.value)
    if whole.op == "const":
        return str(whole.value).lower() if isinstance(whole.value, bool) else str(whole.value)
    args = [printed(each) for each in whole.args]
    if whole.op in ("if", "div"):
        return f"{whole.op}({', '.join(args)})"
    inner = [
        f"({text})" if each.args and each.op not in ("if", "div") else text
        for each, text in zip(whole.args, args, strict=True)
    ]
    sign = "==" if whole.op == "=" else whole.op
    return f"not {inner[0]}" if whole.op == "not" else f" {sign} ".join(inner)


def parts_of(whole: Term) -> Iterator[Term]:
    """Yield a term and all of its parts."""
    waiting = [whole]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(part.args)


def value_of(whole: Term, model: Mapping[str, Value]) -> Value:
    """Return the exact value of a term.

    Raises ZeroDivisionError where it has none, KeyError for a variable without a value, BudgetError beyond `MAX_BITS`.
    """
    op, args = whole.op, whole.args
    if op == "const":
        return whole.value  # type: ignore[return-value]  # of a constant
    if op == "var":
        return model[str(whole.value)]
    if op == "and":
        return all(value_of(each, model) for each in args)
    if op == "or":
        return any(value_of(each, model) for each in args)
    if op == "if":
        return value_of(args[1] if value_of(args[0], model) else args[2], model)
    values = [value_of(each, model) for each in args]
    result = _COMPUTED[op](*values)
    if isinstance(result, bool):
        return result
    number = Fraction(result)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise BudgetError("engine.out_of_budget", f"A value has more than {MAX_BITS:,} bits.")
    return number


_COMPUTED: Final[Mapping[str, Callable[..., bool | int | Fraction]]] = {
    "not": lambda a: not a,
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "+": lambda *summands: sum(summands, Fraction(0)),
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "div": lambda a, b: floor(a / b),
    "mod": lambda a, b: a - b * floor(a / b),
}
"""By operation: its value from the values of its arguments."""
