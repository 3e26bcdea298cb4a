"""Refutes a condition step by step: splits into cases, and closes each by adding up linear constraints.

The condition is taken to hold and broken into its parts. A position is closed where a part is to hold and not to hold,
or where multiples of its constraints add up to something false of constants. The steps, in the order in which the
cases are met, are a certificate: `check_refutation` walks through them again and searches nothing. Products of
variables are unknowns of their own, whose signs a step ``multiply`` derives. Gives up beyond a number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, gcd, lcm
from typing import Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.logic.linear_systems import (
    Elimination,
    LinearRow,
    TooManyRowsError,
    Unknown,
    combination,
    eliminate,
    solution,
)
from probatum.exact.logic.plain_terms import PlainTerms
from probatum.exact.logic.terms import INT, Term

MAX_STEPS: Final = 300
MAX_WORK: Final = 5_000
"""Rows of all eliminations together."""
MAX_DEPTH: Final = 100
MAX_PRODUCTS: Final = 60
MAX_MONOMIALS: Final = 300
_TIMES: Final = re.compile("[0-9]{1,6}:-?[0-9]+(/0*[1-9][0-9]*)?")
Goal = tuple[Term, bool]
"""A term, and whether it is to hold or not."""
Candidate = Mapping[str, bool | Fraction]


class GaveUpError(Exception):
    """Neither a refutation nor a model is found in the budget."""


class CandidateFoundError(Exception):
    """A position cannot be closed: its values are likely a model."""

    def __init__(self, candidate: Candidate) -> None:
        super().__init__("a case stays open")
        self.candidate = candidate


class Position:
    """One case: what is to hold in it, the linear constraints so far, and the choices that are open."""

    __slots__ = ("_asserted", "_plain", "choices", "depth", "is_closed", "is_multiplied", "rows")

    def __init__(self, plain: PlainTerms) -> None:
        self._plain = plain
        self._asserted: dict[tuple[int, bool], Goal] = {}
        self.rows: list[LinearRow] = []
        self.choices: list[tuple[tuple[Goal, ...], ...]] = []
        self.depth = 0
        self.is_closed = False
        self.is_multiplied = False

    def with_goals(self, goals: Sequence[Goal]) -> Position:
        """Return this case with more to hold."""
        child = Position(self._plain)
        child._asserted, child.rows, child.choices = dict(self._asserted), list(self.rows), list(self.choices)
        child.depth, child.is_multiplied = self.depth + 1, self.is_multiplied
        waiting = list(goals)
        while waiting and not child.is_closed:
            waiting += child._assert(*waiting.pop())
        return child

    def _assert(self, part: Term, holds: bool) -> Sequence[Goal]:
        """Take one part to hold or not; return the parts of it that do so with it."""
        if (id(part), holds) in self._asserted:
            return ()
        self.is_closed = (id(part), not holds) in self._asserted or (part.op == "const" and part.value is not holds)
        self._asserted[id(part), holds] = (part, holds)
        if part.op == "not":
            return [(part.args[0], not holds)]
        if part.op in ("and", "or"):
            goals = [(each, holds) for each in part.args]
            if (part.op == "and") is holds:
                return goals
            self.choices.append(tuple((goal,) for goal in goals))
        elif part.op == "if":
            case, then, other = part.args
            self.choices.append((((case, True), (then, holds)), ((case, False), (other, holds))))
        elif part.op == "=" and part.args[0].sort == "bool":
            left, right = part.args
            self.choices.append((((left, True), (right, holds)), ((left, False), (right, not holds))))
        elif part.op == "=" and not holds:
            left, right = part.args
            both = self._plain.made("<", left, right), self._plain.made("<", right, left)
            self.choices.append(tuple(((each, True),) for each in both))
        elif part.op in ("=", "<", "<="):
            self._constrain(_row_of(part, holds))
        return ()

    def _constrain(self, row: LinearRow) -> None:
        tight = _tightened(row, self._plain)
        self.is_closed = self.is_closed or tight is None or tight.is_contradiction
        if tight is not None and tight.sums:
            self.rows.append(LinearRow(tight.sums, tight.constant, tight.relation, {len(self.rows): Fraction(1)}))

    def best_choice(self) -> int | None:
        """Return the open choice with the fewest cases that are left; None where none is open."""
        best, fewest = None, MAX_MONOMIALS
        for place, choice in enumerate(self.choices):
            left = 0
            for goals in choice:
                if all((id(part), holds) in self._asserted for part, holds in goals):
                    break
                left += not any((id(part), not holds) in self._asserted for part, holds in goals)
            else:
                if left < fewest:
                    best, fewest = place, left
        return best

    def split(self, place: int) -> Iterator[Position]:
        """Yield the cases of a choice; in each the simple ones before it do not hold."""
        before: list[Goal] = []
        for goals in self.choices[place]:
            yield self.with_goals([*before, *goals])
            if len(goals) == 1 and goals[0][0].op in ("var", "<", "<="):
                before.append((goals[0][0], not goals[0][1]))

    def cut(self, name: str, below: int) -> Iterator[Position]:
        """Yield the two cases that a whole number is at most another one, or larger."""
        for sign in (1, -1):
            child = self.with_goals(())
            constant = Fraction(-below if sign == 1 else below + 1)
            child._constrain(LinearRow({(name,): Fraction(sign)}, constant, "<=", {}))
            yield child

    def rounded(self, multipliers: Mapping[int, Fraction]) -> Position:
        """Return this case with a sum of constraints, as tight as whole numbers allow."""
        child = self.with_goals(())
        child._constrain(combination(self.rows, multipliers))
        return child

    def multiplied(self) -> Position:
        """Return this case with what follows by signs: squares, and products of constraints."""
        child = self.with_goals(())
        child.is_multiplied = True
        for row in _products(self.rows):
            child._constrain(row)
        return child

    @property
    def has_products(self) -> bool:
        """Whether a product of variables is among the unknowns."""
        return any(len(unknown) > 1 for row in self.rows for unknown in row.sums)

    @property
    def truths(self) -> dict[str, bool | Fraction]:
        """The truth values that are settled by name."""
        return {str(part.value): holds for part, holds in self._asserted.values() if part.op == "var"}


def find_refutation(condition: Term) -> list[str]:
    """Return the steps that refute a condition.

    Raises CandidateFoundError with what is likely a model of it, GaveUpError where neither is found in the budget.
    """
    plain = PlainTerms()
    search = _RefutationSearch(plain)
    try:
        search.close(Position(plain).with_goals(_goals(condition, plain)))
    except TooManyRowsError as error:
        raise GaveUpError from error
    return search.steps


def check_refutation(condition: Term, steps: Sequence[str]) -> None:
    """Raise ValueError unless these steps refute the condition.

    - Cases that cover every possibility and are each contradictory refute it (analytic tableaux; Smullyan 1968).
    - Multiples of linear constraints that add up to ``0 < 0`` refute them (Farkas' lemma; Schrijver, *Theory of Linear
      and Integer Programming*, 1986, corollary 7.1e); the factors of inequalities are not negative.
    - A sum with whole coefficients of whole numbers may be rounded (Chvátal 1973; Schrijver, chapter 23), and a whole
      number is at most K or at least K + 1.
    - A square is not negative, and constraints multiply (Positivstellensatz certificates; Stengle 1974).
    """
    plain = PlainTerms()
    left = iter(steps)
    _follow(Position(plain).with_goals(_goals(condition, plain)), plain, left)
    if next(left, None) is not None:
        raise ValueError("there are more steps than cases")


def _goals(condition: Term, plain: PlainTerms) -> list[Goal]:
    return [(each, True) for each in plain.conditions_of(condition)]


class _RefutationSearch:
    """Closes positions, and writes down by which steps."""

    def __init__(self, plain: PlainTerms) -> None:
        self._plain = plain
        self._work = 0
        self.steps: list[str] = []

    def close(self, position: Position) -> None:
        """Close a position, or raise as `find_refutation` does."""
        if position.is_closed:
            return
        elimination = eliminate(position.rows)
        self._work += elimination.work
        if len(self.steps) > MAX_STEPS or position.depth > MAX_DEPTH or self._work > MAX_WORK:
            raise GaveUpError
        if elimination.multipliers is not None:
            self.steps.append(_spelled("add", elimination.multipliers))
            return
        choice = position.best_choice()
        if choice is not None:
            self._go_on(f"split {choice}", position.split(choice))
            return
        values, gap = solution(elimination, self._is_whole)
        round_up = _rounding(elimination, self._plain) if gap is not None else None
        if round_up is not None:
            self._go_on(_spelled("round", round_up), [position.rounded(round_up)])
        elif gap is not None:
            (name,), below = gap
            self._go_on(f"cut {name} {below}", position.cut(name, below))
        elif position.has_products and not position.is_multiplied and not _is_model(values):
            self._go_on("multiply", [position.multiplied()])
        else:
            numbers = {unknown[0]: value for unknown, value in values.items() if len(unknown) == 1}
            raise CandidateFoundError({**position.truths, **numbers})

    def _go_on(self, step: str, children: Iterable[Position]) -> None:
        self.steps.append(step)
        for child in children:
            self.close(child)

    def _is_whole(self, unknown: Unknown) -> bool:
        return len(unknown) == 1 and self._plain.sorts.get(unknown[0]) == INT


def _spelled(verb: str, multipliers: Mapping[int, Fraction]) -> str:
    return " ".join([verb, *(f"{place}:{times}" for place, times in sorted(multipliers.items()))])


def _rounding(elimination: Elimination, plain: PlainTerms) -> Mapping[int, Fraction] | None:
    """Return how to add up constraints to a row that whole numbers make tighter."""
    for _, bounding in elimination.steps:
        for row in bounding:
            tight = _tightened(row, plain) if len(row.parts) > 1 else row
            if tight is None:
                return row.parts
            if tight is row:
                continue
            first = next(iter(row.sums))
            if tight.constant / tight.sums[first] * row.sums[first] > row.constant:
                return row.parts
    return None


def _is_model(values: Mapping[Unknown, Fraction]) -> bool:
    """Whether the values of products are the products of the values."""
    for unknown, value in values.items():
        product = Fraction(1)
        for name in unknown:
            product *= values.get((name,), Fraction(0))
        if product != value:
            return False
    return True


def _follow(position: Position, plain: PlainTerms, steps: Iterator[str]) -> None:
    if position.is_closed:
        return
    step = next(steps, "")
    verb, *words = step.split(" ")
    if verb in ("add", "round"):
        if not all(_TIMES.fullmatch(word) for word in words):
            raise ValueError("a step adds up something else than constraints")
        multipliers = {int(place): Fraction(times) for place, _, times in (word.partition(":") for word in words)}
        if _spelled(verb, multipliers) != step or not all(0 <= place < len(position.rows) for place in multipliers):
            raise ValueError("a step names no constraints, or names them oddly")
        if verb == "round":
            _follow(position.rounded(multipliers), plain, steps)
        elif not combination(position.rows, multipliers).is_contradiction:
            raise ValueError("the constraints do not add up to a contradiction")
        return
    if position.depth > MAX_DEPTH:
        raise ValueError("the cases are nested too deep")
    if verb == "split" and re.fullmatch("split (0|[1-9][0-9]{0,5})", step) and int(words[0]) < len(position.choices):
        children = position.split(int(words[0]))
    elif re.fullmatch("cut [^ ]+ (0|-?[1-9][0-9]*)", step) and plain.sorts.get(words[0]) == INT:
        children = position.cut(words[0], int(words[1]))
    elif step == "multiply":
        children = iter([position.multiplied()])
    else:
        raise ValueError(f"{step[:40]!r} is no step")
    for child in children:
        _follow(child, plain, steps)


def _row_of(part: Term, holds: bool) -> LinearRow:
    left, right = part.args if holds else reversed(part.args)
    sums = polynomial(left)
    for unknown, value in polynomial(right).items():
        sums[unknown] = sums.get(unknown, Fraction(0)) - value
    relation = part.op if holds else {"<": "<=", "<=": "<"}[part.op]
    return _as_row(sums, relation)


def _as_row(sums: dict[Unknown, Fraction], relation: str) -> LinearRow:
    constant = sums.pop((), Fraction(0))
    return LinearRow({unknown: value for unknown, value in sums.items() if value}, constant, relation, {})


def polynomial(whole: Term) -> dict[Unknown, Fraction]:
    """Return a term of sums and products as coefficients by monomial; raises CannotDecideError beyond the budget."""
    if whole.op == "const":
        return {(): Fraction(whole.value)}
    if whole.op == "var":
        return {(str(whole.value),): Fraction(1)}
    total, *others = map(polynomial, whole.args)
    for other in others:
        if whole.op == "*":
            total = _multiplied(total, other)
            continue
        for unknown, value in other.items():
            total[unknown] = total.get(unknown, Fraction(0)) + value
    return total


def _multiplied(left: Mapping[Unknown, Fraction], right: Mapping[Unknown, Fraction]) -> dict[Unknown, Fraction]:
    product: dict[Unknown, Fraction] = {}
    for one, first in left.items():
        for other, second in right.items():
            both = tuple(sorted((*one, *other)))
            product[both] = product.get(both, Fraction(0)) + first * second
    if len(product) > MAX_MONOMIALS or any(len(each) > MAX_MONOMIALS for each in product):
        raise CannotDecideError("engine.out_of_budget", "A product has too many summands.")
    return product


def _tightened(row: LinearRow, plain: PlainTerms) -> LinearRow | None:
    """Return a constraint of whole numbers as tight as they allow, others as they are; None where none can meet it."""
    if not row.sums or any(plain.sorts[name] != INT for unknown in row.sums for name in unknown):
        return row
    scale = Fraction(lcm(*(value.denominator for value in row.sums.values())))
    scale /= gcd(*(int(value * scale) for value in row.sums.values()))
    sums, constant = {unknown: value * scale for unknown, value in row.sums.items()}, row.constant * scale
    if row.relation == "=":
        return LinearRow(sums, constant, "=", {}) if constant.denominator == 1 else None
    if row.relation == "<" and constant.denominator == 1:
        constant += 1
    return LinearRow(sums, Fraction(ceil(constant)), "<=", {})


def _products(rows: Sequence[LinearRow]) -> list[LinearRow]:
    """Return what follows of products: no square is negative, and constraints multiply."""
    unknowns = sorted({unknown for row in rows for unknown in row.sums})
    names: list[Unknown] = sorted({(name,) for unknown in unknowns if len(unknown) > 1 for name in unknown})
    found = [_as_row({unknown: Fraction(-1)}, "<=") for unknown in unknowns if len(unknown) > 1 and _is_square(unknown)]
    for one, other in combinations(names, 2):
        for sign in (1, -1):
            side: dict[Unknown, Fraction] = {one: Fraction(1), other: Fraction(sign)}
            found.append(_negative_product(side, side, "<="))
    factors = [(dict(row.sums) | {(): row.constant}, row.relation) for row in rows if len(max(row.sums, key=len)) == 1]
    for left, right in combinations(factors, 2):
        relation = "<" if (left[1], right[1]) == ("<", "<") else "=" if "=" in (left[1], right[1]) else "<="
        found.append(_negative_product(left[0], right[0], relation))
    for factor, relation in factors:
        for name in names if relation == "=" else ():
            found.append(_negative_product(factor, {name: Fraction(1)}, "="))
    return found[:MAX_PRODUCTS]


def _is_square(unknown: Unknown) -> bool:
    return all(unknown.count(name) % 2 == 0 for name in unknown)


def _negative_product(left: Mapping[Unknown, Fraction], right: Mapping[Unknown, Fraction], relation: str) -> LinearRow:
    return _as_row({unknown: -value for unknown, value in _multiplied(left, right).items()}, relation)
