"""Claims about matrices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.frozen import thaw
from probatum.exact import check, decide
from probatum.exact.linear.counts import count_between, counted_between
from probatum.exact.linear.surds import surd_of
from probatum.exact.numbers.expressions import read_expression
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

DIAGONAL, TWICE, TURN = [[2, 0], [0, 3]], [[2, 0], [0, 2]], [[0, -1], [1, 0]]
PLAIN, EVEN, GOLDEN = "[[1, 2], [3, 4]]", "[[2, 1], [1, 2]]", [[1, 1], [1, 0]]
ONES, JORDAN = "[[1, 1], [1, 1]]", "[[2, 1, 0], [0, 2, 0], [0, 0, 3]]"
CUBIC = [[0, 0, 1], [1, 0, 1], [0, 1, 0]]  # x^3 - x - 1, whose roots are no square roots
SWAP: dict[str, object] = {"other": "[[0, 1], [1, 0]]"}
FOURS: dict[str, object] = {"vector": [4, 4]}
TRUE: list[tuple[object, str, dict[str, object]]] = [
    (DIAGONAL, "eigenvalues = [3, 2]", {}),
    (DIAGONAL, "eigenvalues = {3, 2}", {}),
    (DIAGONAL, "the eigenvalues of A are [2, 3.0]", {}),
    (DIAGONAL, "eigenvalues != [2, 4]", {}),
    (DIAGONAL, "Eigenvalues(A) are not [2, 2].", {}),
    (TWICE, "eigenvalues = [2, 2]", {}),
    (TWICE, "eigenvalues != [2]", {}),
    (TURN, "eigenvalues = [i, -i]", {}),
    ([[1, -2], [2, 1]], "eigenvalues = [1+2i, 1 - 2i]", {}),
    (GOLDEN, "eigenvalues = [(1+sqrt(5))/2, (1-sqrt(5))/2]", {}),
    (JORDAN, "eigenvalues = [2, 3, 2]", {}),
    (GOLDEN, "eigenvalues ~= [1.618, -0.618]", {}),
    (GOLDEN, "the eigenvalues are about [1.6, -0.62]", {}),
    (JORDAN, "eigenvalues ~= [2.0, 2.0, 3.0]", {}),
    ([[2, 0.01], [0.01, 2]], "eigenvalues ~= [2.0, 2.0]", {}),
    ([[1, 2], [1, 1]], "1 + sqrt(2) is an eigenvalue", {}),
    ([[0, -4], [1, 0]], "2i is an eigenvalue of A", {}),
    (JORDAN, "2 is an eigenvalue with multiplicity 2", {}),
    (JORDAN, "3 is an eigenvalue of algebraic multiplicity 1", {}),
    (JORDAN, "2.0000001 is not an eigenvalue", {}),
    ("[[7]]", "eigenvalues = [7]", {}),
    (EVEN, "[1, 1] is an eigenvector for 3", {}),
    (EVEN, "[1, -1] is an eigenvector with eigenvalue 1", {}),
    (TURN, "[1, -i] is an eigenvector with the eigenvalue i", {}),
    (GOLDEN, "[(1+sqrt(5))/2, 1] is an eigenvector", {}),
    ([[0, 0], [0, 1]], "[2, 0] is an eigenvector", {}),
    (EVEN, "[1, 2] is not an eigenvector of A", {}),
    (PLAIN, "det(A) = -2", {}),
    (PLAIN, "rank ≥ 2", {}),
    (PLAIN, "the rank of A ≤ 2", {}),
    (PLAIN, "the determinant of A is -2", {}),
    (PLAIN, "-3 < det(A) < -1", {}),
    (PLAIN, "rank != 1", {}),
    ("[[1, 2, 3], [4, 5, 6]]", "nullity = 1", {}),
    ("[[0, 0], [0, 0]]", "rank = 0", {}),
    ("[[0.1, 0], [0, 1/5]]", "trace = 0.3", {}),
    ([[0.1, 0], [0, "1/5"]], "trace of the matrix = 0.3", {}),
    ([[3, 1], [2, 1]], "det ~= 1.00", {}),
    (PLAIN, "inverse = [[-2, 1], [1.5, -0.5]]", {}),
    (PLAIN, "A^-1 ~= [[-2.0, 1.0], [1.5, -0.5]]", {}),
    ("[[3]]", "A^-1 ~= [[0.333]]", {}),
    (PLAIN, "A^T = [[1, 3], [2, 4]]", {}),
    (PLAIN, "A*B = [[2, 1], [4, 3]]", SWAP),
    (PLAIN, "B*A = [[3, 4], [1, 2]]", SWAP),
    (PLAIN, "A*B != B*A", SWAP),
    (PLAIN, "det(A*B) = det(A)*det(B)", SWAP),
    (PLAIN, "A + 2*B - I = [[0, 4], [5, 3]]", SWAP),
    (PLAIN, "A^3 = [[37, 54], [81, 118]]", {}),
    (PLAIN, "A*A^-1 = I", {}),
    (PLAIN, "A^-2*A^2 = I", {}),
    (EVEN, "det(A - 3*I) = 0", {}),
    (PLAIN, "A*[1, 1] = [3, 7]", {}),
    (PLAIN, "A/2 = [[0.5, 1], [1.5, 2]]", {}),
    (EVEN, "solution = [1, 2]", {"vector": "[4, 5]"}),
    (EVEN, "x = [1, 2]", {"vector": "[[4], [5]]"}),
    (EVEN, "[1, 2] solves the system", {"vector": "[4, 5]"}),
    ("[[3]]", "x ~= [0.33]", {"vector": [1]}),
    (ONES, "the system has no solution", {"vector": [4, 5]}),
    (ONES, "the system is inconsistent", {"vector": [4, 5]}),
    (ONES, "the system has infinitely many solutions", FOURS),
    (ONES, "the system has a solution", FOURS),
    (ONES, "a solution is [1, 3]", FOURS),
    (ONES, "[1, 3] is a solution of the system", FOURS),
    (PLAIN, "the system has a unique solution", {"vector": [0, 0]}),
    (PLAIN, "not symmetric", {}),
    (EVEN, "the matrix is symmetric", {}),
    ("[[1, 2]]", "A is not a square matrix", {}),
    (PLAIN, "A is invertible", {}),
    (PLAIN, "non-singular", {}),
    (ONES, "singular", {}),
    (ONES, "is not of full rank", {}),
    ("[[1, 2, 3], [4, 5, 6]]", "A is of full rank", {}),
    (EVEN, "A is positive definite", {}),
    ("[[2, 1], [0, -2]]", "A is not positive definite", {}),
    ("[[-2, 1], [1, -2]]", "negative definite", {}),
    (ONES, "positive semi-definite", {}),
    ("[[0, 0], [0, 0]]", "negative semidefinite", {}),
    ("[[0, 1], [1, 0]]", "indefinite", {}),
    ("[[3/5, 4/5], [-4/5, 3/5]]", "orthogonal", {}),
    ("[[0, 1], [0, 0]]", "nilpotent", {}),
    ("[[0, 1], [1, 0]]", "involutory", {}),
    ("[[1, 0], [0, 0]]", "idempotent", {}),
    ("[[0, 2], [-2, 0]]", "skew-symmetric", {}),
    ("[[1, 2], [0, 3]]", "upper triangular", {}),
    ("[[1, 0], [0, 3]]", "a diagonal matrix", {}),
]
FALSE: list[tuple[object, str, dict[str, object], str]] = [
    (DIAGONAL, "eigenvalues = [2]", {}, "linear.eigenvalues_cardinality"),
    (TWICE, "eigenvalues = [2]", {}, "linear.eigenvalues_cardinality"),
    (DIAGONAL, "eigenvalues = [2, 4]", {}, "linear.fails"),
    (DIAGONAL, "eigenvalues = [2, 2]", {}, "linear.fails"),
    (DIAGONAL, "eigenvalues = {2, 4}", {}, "linear.fails"),
    (DIAGONAL, "eigenvalues = {2}", {}, "linear.fails"),
    (DIAGONAL, "eigenvalues = [2, 3, 3]", {}, "linear.eigenvalues_cardinality"),
    (TURN, "eigenvalues = [0, 0]", {}, "linear.fails"),
    (TURN, "eigenvalues = [1, -1]", {}, "linear.fails"),
    (TURN, "eigenvalues = [i, i]", {}, "linear.fails"),
    ([[1e-7, 0], [0, 1]], "eigenvalues = [0, 1]", {}, "linear.fails"),
    (JORDAN, "eigenvalues = [2, 3, 3]", {}, "linear.fails"),
    (GOLDEN, "eigenvalues = [1.618, -0.618]", {}, "linear.fails"),
    (GOLDEN, "eigenvalues ~= [1.618, -0.617]", {}, "linear.fails"),
    (GOLDEN, "eigenvalues ~= [1.618, 1.618]", {}, "linear.fails"),
    (JORDAN, "2 is an eigenvalue of multiplicity 1", {}, "linear.fails"),
    (JORDAN, "2.0000001 is an eigenvalue", {}, "linear.fails"),
    (EVEN, "[0, 0] is an eigenvector", {}, "linear.fails"),
    (EVEN, "[1, 1] is an eigenvector for 2", {}, "linear.fails"),
    (EVEN, "[1, 1, 1] is an eigenvector", {}, "linear.fails"),
    (PLAIN, "det = -2.0000001", {}, "linear.fails"),
    (PLAIN, "det ~= -2.1", {}, "linear.fails"),
    (PLAIN, "inverse = [[-2, 1], [1.5, -0.51]]", {}, "linear.fails"),
    (ONES, "inverse = [[1, 0], [0, 1]]", {}, "linear.singular"),
    (ONES, "A*A^-1 = I", {}, "linear.singular"),
    (PLAIN, "A*B = [[1, 2], [3, 4]]", SWAP, "linear.fails"),
    (PLAIN, "A*B = B*A", SWAP, "linear.fails"),
    (PLAIN, "A^T = [[1, 3, 2], [2, 4, 1]]", {}, "linear.fails"),
    (ONES, "solution = [1, 2]", {"vector": [4, 5]}, "linear.no_solution"),
    (ONES, "solution = [1, 2]", FOURS, "linear.fails"),
    (ONES, "a solution is [1, 2, 1]", FOURS, "linear.fails"),
    (EVEN, "solution = [1, 3]", {"vector": [4, 5]}, "linear.fails"),
    (EVEN, "solution = [1]", {"vector": [4, 5]}, "linear.fails"),
    (ONES, "invertible", {}, "linear.fails"),
    (EVEN, "not positive definite", {}, "linear.fails"),
    (PLAIN, "positive definite", {}, "linear.fails"),
    ("[[1, 1e-30], [0, 1]]", "diagonal", {}, "linear.fails"),
    ("[[3/5, 4/5], [-4/5, 0.6000001]]", "orthogonal", {}, "linear.fails"),
]
LONG = f"[[1e4000, {'7' * 1999}], [1, 2]]"
HUGE = "[[1e4000, 1], [-1, 1e4000]]"
OPEN: list[tuple[object, str, dict[str, object], object, str]] = [
    (TWICE, "eigenvalues = {2}", {}, UNDECIDED, "linear.multiplicity_unclear"),
    (CUBIC, "cbrt(2) is an eigenvalue", {}, UNDECIDED, "linear.beyond"),
    ([[1, 0], [0, "1/8"]], "eigenvalues ~= [1.00, 0.12]", {}, UNDECIDED, "math.rounding_unclear"),
    ("[[1, 0], [0, 1.01]]", "eigenvalues ~= [1.0, 1.01]", {}, UNDECIDED, "math.rounding_unclear"),
    ("[[1, -0.001], [0.001, 1]]", "eigenvalues ~= [1.0, 1.0]", {}, UNDECIDED, "math.rounding_unclear"),
    (CUBIC, "eigenvalues ~= [1.3247, -0.6624+0.5623i, -0.6624-0.5623i]", {}, UNDECIDED, "math.rounding_unclear"),
    (TURN, "eigenvalues ~= [0.0, 0.0]", {}, UNDECIDED, "math.rounding_unclear"),
    (TURN, "eigenvalues ~= [1.0i, -1.0i]", {}, UNDECIDED, "math.rounding_unclear"),
    (TURN, "eigenvalues ~= [i, -i]", {}, UNDECIDED, "math.rounding_unclear"),
    (GOLDEN, "eigenvalues ~= [(1+sqrt(5))/2, -0.618]", {}, UNDECIDED, "math.rounding_unclear"),
    ("[[1/8]]", "A ~= [[0.12]]", {}, UNDECIDED, "math.rounding_unclear"),
    (PLAIN, "A ~= B", SWAP, UNDECIDED, "math.rounding_unclear"),
    (ONES, "solution = [2, 2]", FOURS, UNDECIDED, "linear.not_unique"),
    ("[[2, 1], [0, 2]]", "positive definite", {}, UNDECIDED, "linear.not_symmetric"),
    ("[[1, 9], [0, 1]]", "indefinite", {}, UNDECIDED, "linear.not_symmetric"),
    (ONES, "A^-1 != I", {}, UNDECIDED, "math.undefined"),
    (PLAIN, "det = 1/0", {}, UNDECIDED, "math.undefined"),
    (PLAIN, "A^(1/2) = I", {}, UNDECIDED, "linear.beyond"),
    (PLAIN, "det = sqrt(2)", {}, UNDECIDED, "linear.beyond"),
    (PLAIN, "det = $5", {}, UNDECIDED, "linear.beyond"),
    ("[[1, 2, 3]]", "eigenvalues = [1]", {}, BLOCKED, "linear.not_square"),
    ("[[1, 2, 3]]", "det = 1", {}, BLOCKED, "linear.not_square"),
    ("[[1, 2, 3]]", "symmetric", {}, BLOCKED, "linear.not_square"),
    ([], "eigenvalues = []", {}, BLOCKED, "linear.empty"),
    ([[]], "rank = 0", {}, BLOCKED, "linear.empty"),
    ("[]", "rank = 0", {}, BLOCKED, "linear.empty"),
    ([[1, 2], [3]], "rank = 1", {}, BLOCKED, "linear.ragged"),
    ([[1, True], [0, 1]], "rank = 1", {}, BLOCKED, "linear.not_rational"),
    ([["a", 1], [1, 2]], "rank = 2", {}, BLOCKED, "linear.not_rational"),
    ([[None, 1], [1, 2]], "rank = 2", {}, BLOCKED, "linear.not_rational"),
    ("[[x, 1], [1, 2]]", "rank = 2", {}, BLOCKED, "linear.not_rational"),
    ("[[$1, 1], [1, 2]]", "rank = 2", {}, BLOCKED, "linear.not_rational"),
    ("[[NaN, 1], [1, 2]]", "rank = 2", {}, BLOCKED, "engine.non_finite"),
    ([["nan", 1], [1, 2]], "rank = 2", {}, BLOCKED, "engine.non_finite"),
    (PLAIN, "solution = [1, 2]", {}, BLOCKED, "linear.vector"),
    (PLAIN, "solution = [1, 2]", {"vector": [1, 2, 3]}, BLOCKED, "linear.vector"),
    (PLAIN, "solution = [1, 2]", {"vector": [[1, 2]]}, BLOCKED, "linear.syntax"),
    (PLAIN, "A*B = [[1]]", {}, BLOCKED, "linear.other"),
    (PLAIN, "A*B = [[1]]", {"other": "[[1]]"}, BLOCKED, "linear.shapes"),
    (PLAIN, "A + 1 = A", {}, BLOCKED, "linear.shapes"),
    (PLAIN, "A = 1", {}, BLOCKED, "linear.shapes"),
    (PLAIN, "A < I", {}, BLOCKED, "linear.shapes"),
    (PLAIN, "1/A = I", {}, BLOCKED, "linear.shapes"),
    ("[[1, 2]]", "A = [1, 2]", {}, BLOCKED, "linear.shapes"),
    (PLAIN, "symmetric and invertible", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "It is false that A is symmetric", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "A is symmetric or det(A) = 1", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "det = -2 or det = 3", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "probably invertible", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "A is diagonalizable", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "A", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "eigenvalues < [1, 2]", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "eigenvalues = 2", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "eigenvalues = [[1, 2]]", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "eigenvalues = [1, 2] and rank = 2", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "eigenvalues = [1/2i, 2]", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "det = x", {}, BLOCKED, "linear.syntax"),
    (PLAIN, "det(2) = 2", {}, BLOCKED, "linear.syntax"),
    (EVEN, "solution != [1, 3]", {"vector": [4, 5]}, BLOCKED, "linear.syntax"),
    ("1", "rank = 1", {}, BLOCKED, "linear.syntax"),
    ("[1, 2]", "rank = 1", {}, BLOCKED, "linear.syntax"),
    ([[1] * 100] * 100, "rank = 1", {}, UNDECIDED, "engine.too_large"),
    ([[1] * 40] * 40, "rank = 1", {}, PROVED, "linear.holds"),
    ([[1] * 40] * 40, "det = 0", {}, UNDECIDED, "engine.out_of_budget"),
    ([[1] * 20] * 20, "det = 0", {}, PROVED, "linear.holds"),
    (DIAGONAL, " + ".join(["A*A"] * 3000) + " = A", {}, REFUTED, "linear.fails"),
    ([[5] * 30] * 30, "*".join(["A"] * 9000) + " = A", {}, UNDECIDED, "engine.out_of_budget"),
    (DIAGONAL, f"sqrt({'7' * 99}) is an eigenvalue", {}, UNDECIDED, "linear.beyond"),
    (
        DIAGONAL,
        "+".join(f"sqrt({each})" for each in range(2, 200)) + " is an eigenvalue",
        {},
        UNDECIDED,
        "engine.out_of_budget",
    ),
    ("[[2]]", f"eigenvalues ~= [2.{'0' * 1900}]", {}, PROVED, "linear.holds"),
    ("[[0.05 + 1e-60]]", "eigenvalues ~= [0.1]", {}, PROVED, "linear.holds"),
    ("[[0.05 + 1e-400]]", "eigenvalues ~= [0.1]", {}, PROVED, "linear.holds"),
    ("[[0.05]]", "eigenvalues ~= [0.1]", {}, UNDECIDED, "math.rounding_unclear"),
    (LONG, "det = 1", {}, REFUTED, "linear.fails"),
    (LONG, "rank = 2", {}, PROVED, "linear.holds"),
    (HUGE, "det > 1", {}, PROVED, "linear.holds"),
    (HUGE, "1e4000 is an eigenvalue", {}, REFUTED, "linear.fails"),
    (HUGE, "eigenvalues ~= [1.0, 2.0]", {}, UNDECIDED, "engine.out_of_budget"),
    (DIAGONAL, "eigenvalues ~= [1e5000, 2.0]", {}, REFUTED, "linear.fails"),
    (HUGE, "[1, 2] is an eigenvector", {}, REFUTED, "linear.fails"),
    (HUGE, "inverse = [[1, 2], [3, 4]]", {}, REFUTED, "linear.fails"),
    ([["1e4000"] * 20] * 20, "rank = 1", {}, UNDECIDED, "engine.out_of_budget"),
    (f"[[{2**521 - 1}]]", "rank = 1", {}, PROVED, "linear.holds"),
]


@pytest.mark.parametrize(("matrix", "statement", "more"), TRUE)
def test_true_claims_are_proved_and_every_digit_of_the_certificate_counts(
    matrix: object, statement: str, more: dict[str, object]
) -> None:
    assert ruled("linear", statement, matrix=matrix, **more).outcome is PROVED
    require_every_digit_counts(claim_of("linear", statement, matrix=matrix, **more))


@pytest.mark.parametrize(("matrix", "statement", "more", "constraint"), FALSE)
def test_false_claims_are_refuted(matrix: object, statement: str, more: dict[str, object], constraint: str) -> None:
    assert outcome_of("linear", statement, matrix=matrix, **more) == (REFUTED, constraint)


@pytest.mark.parametrize(("matrix", "statement", "more", "outcome", "constraint"), OPEN)
def test_other_claims_say_what_stands_in_their_way(
    matrix: object, statement: str, more: dict[str, object], outcome: object, constraint: str
) -> None:
    assert outcome_of("linear", statement, matrix=matrix, **more) == (outcome, constraint)


def test_a_certificate_does_not_serve_another_claim() -> None:
    certificate = thaw(ruled("linear", "rank = 2", matrix=PLAIN).evidence)
    for statement in ("det = -2", "not symmetric", "rank = 1", "rank(A) = rank(A)"):
        with pytest.raises(ValueError):
            check(claim_of("linear", statement, matrix=PLAIN), certificate)  # type: ignore[arg-type]  # JSON
    with pytest.raises(ValueError):
        check(claim_of("linear", "rank = 2", matrix=ONES), certificate)  # type: ignore[arg-type]  # JSON


@pytest.mark.parametrize(
    ("statement", "facts"),
    [
        ("rank = 1", []),
        ("rank = 1", [{"fact": "kernel", "value": [["-2", "2"]]}]),
        ("rank = 1", [{"fact": "kernel", "value": [["-1", "1"], ["0", "0"]]}]),
        ("rank = 1", [{"fact": "kernel", "value": [["-1", "1"]]}] * 2),
        ("rank = 2", [{"fact": "kernel", "value": []}]),
        ("det = 1", [{"fact": "characteristic", "value": [["1", "-2", "1"]]}]),
        ("det = 0", [{"fact": "characteristic", "value": [["1", "-2", "0"], ["1"]]}]),
        ("det = 0", [{"fact": "characteristic", "value": [["2", "-4", "0"]]}]),
        ("A^2 = A", [{"fact": "product", "value": [["1", "1"], ["1", "1"]]}]),
        ("A^2 = A", [{"fact": "product", "value": [["1", "1", "0"], ["1", "1", "0"]]}]),
        ("symmetric", [{"fact": "kernel", "value": [["-1", "1"]]}]),
    ],
)
def test_facts_that_are_wrong_missing_or_left_over_are_not_accepted(statement: str, facts: list[object]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("linear", statement, matrix=ONES), {"facts": facts})


def _text(rows: Sequence[Sequence[object]]) -> str:
    return "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in rows) + "]"


def test_known_eigenvalues_survive_a_change_of_basis() -> None:
    chance = random.Random(7)
    for _ in range(100):
        size = chance.randint(1, 6)
        values = [Fraction(chance.randint(-4, 4), chance.choice([1, 1, 2])) for _ in range(size)]
        rows = [[values[at] if at == row else Fraction(0) for at in range(size)] for row in range(size)]
        for _ in range(2 * size if size > 1 else 0):
            # Adding a row to another and taking the column away again keeps the eigenvalues.
            one, two = chance.sample(range(size), 2)
            factor = chance.choice([-1, 1, 2])
            rows[one] = [high + factor * low for high, low in zip(rows[one], rows[two], strict=True)]
            for row in rows:
                row[two] -= factor * row[one]
        chance.shuffle(values)
        right, wrong = [str(each) for each in values], [str(each) for each in values]
        wrong[0] = f"{wrong[0]} + 1/1000000"
        near, far = ([f"{float(each + by):.1f}" for each in values[:1]] for by in (Fraction(0), Fraction(1, 10)))
        near, far = (each + [f"{float(one):.1f}" for one in values[1:]] for each in (near, far))
        for relation, listed, outcome in (
            ("=", right, PROVED),
            ("=", wrong, REFUTED),
            ("~=", near, PROVED),
            ("~=", far, REFUTED),
        ):
            statement = f"eigenvalues {relation} [{', '.join(listed)}]"
            assert outcome_of("linear", statement, matrix=_text(rows))[0] is outcome


_ENTRY = st.fractions(-9, 9, max_denominator=4)


@settings(max_examples=40)
@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(_ENTRY, min_size=n, max_size=n), min_size=n, max_size=n)))
def test_the_determinant_decides_whether_there_is_an_inverse(rows: list[list[Fraction]]) -> None:
    matrix, zero = _text(rows), [0] * len(rows)
    singular = outcome_of("linear", "det = 0", matrix=matrix)[0]
    assert outcome_of("linear", "singular", matrix=matrix)[0] is singular
    assert outcome_of("linear", "the system has infinitely many solutions", matrix=matrix, vector=zero)[0] is singular
    ruling = decide(claim_of("linear", f"inverse = {_text([[77] * len(rows)] * len(rows))}", matrix=matrix))
    assert (ruling.constraint == "linear.singular") is (singular is PROVED)
    if singular is not PROVED:
        shown = thaw(ruling.evidence)["value"]
        assert ruled("linear", "A*B = I", matrix=matrix, other=shown).outcome is PROVED
        assert ruled("linear", "B*A != I", matrix=matrix, other=shown).outcome is REFUTED
        assert ruled("linear", f"A^-1 = {_text(shown)}", matrix=matrix).outcome is PROVED  # type: ignore[arg-type]  # rows


_PART = st.integers(-3, 3)


@given(st.lists(st.tuples(_PART, _PART), min_size=1, max_size=4), _PART, st.integers(1, 9))
def test_real_roots_are_counted_alike_in_both_ways(parts: list[tuple[int, int]], centre: int, width: int) -> None:
    polynomial = [Fraction(1)]
    for real, imaginary in parts:
        factor = [1, -2 * real, real**2 + imaginary**2] if imaginary else [1, -real]
        longer = [Fraction(0)] * (len(polynomial) + len(factor) - 1)
        for one, left in enumerate(polynomial):
            for two, right in enumerate(factor):
                longer[one + two] += left * right
        polynomial = longer
    half = Fraction(width, 2) + Fraction(1, 4)
    bounds = centre - half, centre + half
    counts = count_between(tuple(polynomial), bounds)
    assert counts == counted_between(tuple(polynomial), bounds)
    assert sum(counts) == sum(abs(real - centre) < half for real, imaginary in parts if not imaginary)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("(1+sqrt(5))/2*((1-sqrt(5))/2)", "-1"),
        ("(sqrt(2)+1)*(sqrt(2)-1)", "1"),
        ("sqrt(-2)*sqrt(-3)", "-sqrt(6)"),
        ("sqrt(2)*sqrt(-6)", "2*i*sqrt(3)"),
        ("1/sqrt(2)", "sqrt(2)/2"),
        ("1/i", "-i"),
        ("(1+i)^3", "-2 + 2*i"),
        ("sqrt(50)/sqrt(2)", "5"),
        ("sqrt(4/9)", "2/3"),
        ("sqrt(1000003^2*7)", "1000003*sqrt(7)"),
    ],
)
def test_sums_of_roots_are_the_same_number_where_their_terms_are(one: str, two: str) -> None:
    assert surd_of(read_expression(one, "linear.syntax")) == surd_of(read_expression(two, "linear.syntax"))
