"""Facts about matrices on which claims rest: each is found in one way, and verified in another where it is stated.

A ``product`` is multiplied out, and verified on one vector that tells all matrices apart. A ``kernel``, in its reduced
basis, is found by elimination without fractions, and verified by multiplication and by the rank modulo a prime beyond
all minors (Hadamard's bound; the rank and the nullity add up to the columns). A ``characteristic`` polynomial is found
by traces (Faddeev and LeVerrier), and verified by as many determinants as make a polynomial certain. How many real
eigenvalues lie ``between`` two numbers: see `counts`. The theorems are in Gantmacher, The Theory of Matrices, I to IV.
Refuses, in a certificate, facts of another sort or order than the claim rests on, and facts left over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import isqrt
from operator import mul
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.shape import Shape
from probatum.exact.linear.counts import Bounds, count_between, counted_between
from probatum.exact.linear.matrices import Matrix, Whole, bits_of, product, times, transposed, whole
from probatum.exact.numbers.real_roots import read_number_text, written_number
from probatum.exact.numbers.residues import MERSENNE_EXPONENTS

_MAX_WORK: Final = 200_000_000
"""Sides to the third, fourth or fifth power, times bits of an entry."""
Coefficients = tuple[Fraction, ...]


class MatrixFacts:
    """The facts that a claim asks for, in their order: found and noted, or read from a certificate and verified."""

    def __init__(self, stated: Iterator[Shape] | None = None) -> None:
        self.noted: list[dict[str, object]] = []
        self._stated = stated
        self._work = 0

    def spend(self, *about: Matrix, power: int = 3) -> None:
        """Count work with matrices, by a power of their side; raises BudgetError where it is too much."""
        self._work += sum(max(len(each), len(each[0])) ** power * bits_of(each) for each in about)
        if self._work > _MAX_WORK:
            raise BudgetError("engine.out_of_budget", "The matrices are too large, or their entries too long.")

    def product(self, left: Matrix, right: Matrix) -> Matrix:
        """Return a product of matrices that fit."""
        self.spend(left, right)
        return self._fact("product", left, right)

    def kernel(self, rows: Matrix) -> Matrix:
        """Return the reduced basis of what the matrix takes to zero: each vector ends in a 1, where others have 0."""
        self.spend(rows, power=4)
        return self._fact("kernel", rows)

    def characteristic(self, rows: Matrix) -> Coefficients:
        """Return the coefficients of det(x I - A), the leading one first."""
        self.spend(rows, power=5)
        return self._fact("characteristic", rows)[0]

    def between(self, coefficients: Coefficients, bounds: Bounds) -> list[int]:
        """Return how many real roots lie between two numbers: once or more, twice or more, and so on."""
        self.spend((coefficients,), (bounds,), power=4)
        return [int(each) for each in self._fact("between", coefficients, bounds)[0]]

    def require_end(self) -> None:
        """Raise ValueError where the certificate states more than the claim rests on."""
        if self._stated is not None and next(self._stated, None) is not None:
            raise ValueError("the certificate states more facts than the claim rests on")

    def _fact(self, name: str, *about: object) -> Matrix:
        find, holds = _KINDS[name]
        if self._stated is None:
            value = find(*about)
            self.noted.append({"fact": name, "value": [[written_number(each) for each in row] for row in value]})
            return value
        shape = next(self._stated, None)
        if shape is None or shape.exactly("fact", "value").text("fact") != name:
            raise ValueError(f"the certificate does not state the {name} where the claim rests on it")
        value = tuple(tuple(read_number_text(each) for each in row.texts()) for row in shape.items("value"))
        if not holds(value, *about):
            raise ValueError(f"the {name} is not what the certificate states")
        return value


def _is_product(claimed: Matrix, left: Matrix, right: Matrix) -> bool:
    """The vector holds the powers of a number beyond all entries: what is zero on it is zero everywhere."""
    if len(claimed) != len(left) or any(len(row) != len(right[0]) for row in claimed):
        return False
    (above, under), (other, below), (due, common) = whole(left), whole(right), whole(claimed)
    most = max(_longest(above) * _longest(other) * len(other) * common, _longest(due) * under * below)
    bits = most.bit_length() + 2
    packed = [sum(each << bits * place for place, each in enumerate(row)) for row in other]
    return all(
        sum(map(mul, row, packed)) * common == sum(each << bits * at for at, each in enumerate(line)) * under * below
        for row, line in zip(above, due, strict=True)
    )


def _longest(rows: Whole) -> int:
    return max(abs(each) for row in rows for each in row)


def _kernel(rows: Matrix) -> Matrix:
    work, width = whole(rows)[0], len(rows[0])
    pivots: list[int] = []
    last = 1
    for at in range(width):
        rank = len(pivots)
        pivot = next((row for row in range(rank, len(work)) if work[row][at]), None)
        if pivot is None:
            continue
        work[rank], work[pivot] = work[pivot], work[rank]
        top, head = work[rank], work[rank][at]
        for other, row in enumerate(work):
            if other != rank:
                factor = row[at]
                work[other] = [(head * low - factor * high) // last for low, high in zip(row, top, strict=True)]
        last = head
        pivots.append(at)
    basis = []
    for free in (each for each in range(width) if each not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for rank, at in enumerate(pivots):
            vector[at] = Fraction(-work[rank][free], last)
        basis.append(tuple(vector))
    return tuple(basis)


def _is_kernel(basis: Matrix, rows: Matrix) -> bool:
    """Vectors in reduced form are independent; as many as the rank leaves room for are all there are."""
    if any(len(each) != len(rows[0]) or not any(each) for each in basis):
        return False
    ends = [max(place for place, each in enumerate(vector) if each) for vector in basis]
    is_reduced = ends == sorted(set(ends)) and all(
        vector[end] == (one == other) for other, end in enumerate(ends) for one, vector in enumerate(basis)
    )
    if not is_reduced or (basis and any(any(row) for row in product(rows, transposed(basis)))):
        return False
    return _eliminated(whole(rows)[0])[0] == len(rows[0]) - len(basis)


def _eliminated(entries: Whole) -> tuple[int, int]:
    """Return the rank, and the determinant of a square matrix, by elimination modulo a prime beyond all minors."""
    bound = 2
    for row in entries:
        # By Hadamard, a minor is at most the product of the lengths of its rows.
        bound *= isqrt(sum(each * each for each in row)) + 2
    exponent = next((each for each in MERSENNE_EXPONENTS if each > bound.bit_length()), None)
    if exponent is None:
        raise BudgetError("engine.out_of_budget", "The numbers are too long to compute with.")
    prime, rank, value = (1 << exponent) - 1, 0, 1
    work = [[each % prime for each in row] for row in entries]
    for at in range(len(entries[0])):
        pivot = next((row for row in range(rank, len(work)) if work[row][at]), None)
        if pivot is None:
            value = 0
            continue
        work[rank], work[pivot] = work[pivot], work[rank]
        top, value = work[rank], value * work[rank][at] * (1 if pivot == rank else -1) % prime
        inverse = pow(top[at], -1, prime)
        rank += 1
        for below in range(rank, len(work)):
            if factor := work[below][at] * inverse % prime:
                work[below] = [(low - factor * high) % prime for low, high in zip(work[below], top, strict=True)]
    return rank, value if value <= prime // 2 else value - prime


def _characteristic(rows: Matrix) -> Matrix:
    entries, common = whole(rows)
    size = range(len(entries))
    found, power = [1], [[0 for _ in size] for _ in size]
    for place in size:
        for at in size:
            power[at][at] += found[-1]
        power = times(entries, power)
        found.append(-sum(power[at][at] for at in size) // (place + 1))
    return (tuple(Fraction(each, common**power) for power, each in enumerate(found)),)


def _is_characteristic(value: Matrix, rows: Matrix) -> bool:
    """A polynomial of this degree and leading coefficient is known by so many of its values."""
    entries, common = whole(rows)
    if len(value) != 1 or len(value[0]) != len(rows) + 1 or value[0][0] != 1:
        return False
    for place in range(len(rows)):
        total = Fraction(0)
        for each in value[0]:
            total = total * place + each
        moved = [[place * common * (at == by) - each for by, each in enumerate(row)] for at, row in enumerate(entries)]
        if _eliminated(moved)[1] != total * common ** len(rows):
            return False
    return True


_KINDS: Final[Mapping[str, tuple[Callable[..., Matrix], Callable[..., bool]]]] = {
    "product": (product, _is_product),
    "kernel": (_kernel, _is_kernel),
    "characteristic": (_characteristic, _is_characteristic),
    "between": (
        lambda *about: (tuple(map(Fraction, count_between(*about))),),
        lambda value, *about: value == (tuple(map(Fraction, counted_between(*about))),),
    ),
}
"""By name: how a fact is found, and whether a value is the right one, by other means."""
