"""Properties that a matrix has or has not: as relations of its sides, as places of zeros, and as signs of eigenvalues.

Definiteness is defined in two ways for a matrix that is not symmetric; it is undecided where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.linear.facts import MatrixFacts
from probatum.exact.linear.matrices import Matrix, added, scaled, transposed
from probatum.exact.numbers.polynomials import sign_changes

RELATIONS_OF: Final[Mapping[str, str]] = {
    **dict.fromkeys(("invertible", "nonsingular", "non singular"), "nullity(A) = 0"),
    **{"singular": "nullity(A) > 0", "symmetric": "A = A^T", "orthogonal": "A^T*A = I"},
    **dict.fromkeys(("skew symmetric", "antisymmetric"), "A = -A^T"),
    **{"idempotent": "A^2 = A", "involutory": "A^2 = I", "nilpotent": "A^{rows} = 0*A"},
}
"""By the name of a property of square matrices: what it says, where ``{rows}`` stands for their number."""
RELATIONS_OF_ANY: Final = {
    **{"square": "{rows} = {columns}"},
    **dict.fromkeys(("full rank", "of full rank"), "rank(A) = min({rows}, {columns})"),
}
"""The same for matrices of any shape."""
ZEROS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "diagonal": lambda row, at: row != at,
    "upper triangular": lambda row, at: row > at,
    "lower triangular": lambda row, at: row < at,
}
"""By name: which entries are zero."""
SIGNS: Final[Mapping[str, Callable[[int, int, int], bool]]] = {
    "positive definite": lambda _, zero, negative: not zero and not negative,
    "negative definite": lambda positive, zero, _: not positive and not zero,
    **dict.fromkeys(("positive semidefinite", "positive semi definite"), lambda _p, _z, negative: not negative),
    **dict.fromkeys(("negative semidefinite", "negative semi definite"), lambda positive, *_: not positive),
    "indefinite": lambda positive, _, negative: bool(positive and negative),
}
"""By name: how many eigenvalues may be positive, zero and negative."""
PROPERTIES: Final = (*RELATIONS_OF, *RELATIONS_OF_ANY, *ZEROS, *SIGNS)
"""All names, in small letters and without dashes."""


def has_zeros(name: str, rows: Matrix) -> bool:
    """Return whether the entries of `ZEROS` are zero."""
    return not any(each for row, line in enumerate(rows) for at, each in enumerate(line) if ZEROS[name](row, at))


def has_signs(name: str, rows: Matrix, facts: MatrixFacts) -> bool:
    """Return whether the eigenvalues of the symmetric part have the signs of `SIGNS`; raises CannotDecideError."""
    other = transposed(rows)
    # All roots are real, so that Descartes' rule of signs is exact.
    coefficients = facts.characteristic(scaled(added(rows, other, Fraction(1)), Fraction(1, 2)))
    positive = sign_changes(each.numerator for each in coefficients)
    zero = next(place for place, each in enumerate(reversed(coefficients)) if each)
    found = SIGNS[name](positive, zero, len(rows) - positive - zero)
    if rows != other and (found or name == "indefinite"):
        detail = "The matrix is not symmetric, and definiteness of such a one is defined in two ways."
        raise CannotDecideError("linear.not_symmetric", detail)
    return found
