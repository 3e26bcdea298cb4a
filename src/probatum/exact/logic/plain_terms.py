"""Terms of logic in sums and products alone: what else there is becomes a new unknown with conditions on it.

``if``, ``div``, ``mod`` and quotients are named ``#1``, ``#2``, …, and what they mean is said beside; of a divisor that
is 0, nothing. Equal terms are one object.
"""

from __future__ import annotations

from fractions import Fraction

from probatum.exact.logic.terms import (
    BOOL,
    INT,
    REAL,
    ZERO,
    Term,
    conjunction,
    constant,
    disjunction,
    negation,
    term,
    variable,
    variables,
)


class PlainTerms:
    """Makes terms plain; the names of new unknowns depend on the terms and their order alone."""

    def __init__(self) -> None:
        self.sorts: dict[str, str] = {}
        self._made: dict[object, Term] = {}
        self._named: dict[object, Term] = {}
        self._beside: list[Term] = []

    def conditions_of(self, condition: Term) -> list[Term]:
        """Return plain conditions that hold together for some values of new unknowns where this one holds."""
        self.sorts.update(variables(condition))
        plain = [self._plain(condition)]
        while self._beside:
            plain.append(self._plain(self._beside.pop(0)))
        return plain

    def made(self, op: str, *args: Term) -> Term:
        """Return a condition of plain terms; equal ones are one object."""
        return self._one(term(op, BOOL, *args))

    def _one(self, whole: Term) -> Term:
        key = (whole.op, whole.sort, whole.value, *map(id, whole.args))
        return self._made.setdefault(key, whole)

    def _plain(self, whole: Term) -> Term:
        args = [self._plain(each) for each in whole.args]
        if whole.op in ("div", "mod"):
            return self._rounded(whole.op, args[0], args[1])
        if whole.op == "/":
            return self._quotient(args[0], args[1])
        if whole.op == "if" and whole.sort != BOOL:
            case, then, other = args
            chosen = self._new(("if", *map(id, args)), whole.sort)
            if chosen is not None:
                first = conjunction(case, term("=", BOOL, chosen, then))
                second = conjunction(negation(case), term("=", BOOL, chosen, other))
                self._beside.append(disjunction(first, second))
            return self._named["if", *map(id, args)]
        return self._one(term(whole.op, whole.sort, *args) if args else whole)

    def _new(self, key: object, sort: str) -> Term | None:
        """Return a new unknown for a term; None where it has one."""
        if key in self._named:
            return None
        name = f"#{len(self._named) + 1}"
        self.sorts[name] = sort
        self._named[key] = self._one(variable(name, sort))
        return self._named[key]

    def _quotient(self, above: Term, below: Term) -> Term:
        if below.op == "const" and below.value:
            return self._one(term("*", REAL, above, self._one(constant(1 / Fraction(below.value), REAL))))
        key = ("/", id(above), id(below))
        quotient = self._new(key, REAL)
        if quotient is not None:
            is_zero = term("=", BOOL, below, ZERO)
            self._beside.append(disjunction(is_zero, term("=", BOOL, term("*", REAL, quotient, below), above)))
        return self._named[key]

    def _rounded(self, op: str, above: Term, below: Term) -> Term:
        key = ("div", id(above), id(below))
        whole = self._new(key, INT)
        times = self._named[key]
        minus = term("*", INT, constant(-1, INT), term("*", INT, below, times))
        rest = term("+", INT, above, minus)
        if whole is not None:
            positive = conjunction(term("<=", BOOL, ZERO, rest), term("<", BOOL, rest, below))
            negative = conjunction(term("<", BOOL, below, rest), term("<=", BOOL, rest, ZERO))
            if below.op == "const" and below.value:
                self._beside.append(positive if Fraction(below.value) > 0 else negative)
            else:
                above_zero = conjunction(term("<", BOOL, ZERO, below), positive)
                below_zero = conjunction(term("<", BOOL, below, ZERO), negative)
                self._beside.append(disjunction(term("=", BOOL, below, ZERO), above_zero, below_zero))
        return self._one_deep(rest) if op == "mod" else times

    def _one_deep(self, whole: Term) -> Term:
        args = tuple(self._one_deep(each) for each in whole.args)
        return self._one(term(whole.op, whole.sort, *args) if args else whole)
