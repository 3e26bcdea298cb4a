"""Statements with names, and closed ones with roots and functions: identities and inequalities over domains."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import thaw
from probatum.exact import check, decide
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

TRUE = [
    ("(x+1)^2 = x^2 + 2*x + 1",),
    ("(x+1)^2 = x^2 + 2*x + 1", "x: real"),
    ("x*y = y*x",),
    ("log(x) = ln(x)",),
    ("sin(x)^2 + cos(x)^2 = 1",),
    ("tan(x) = sin(x)/cos(x)",),
    ("exp(i*x) = cos(x) + i*sin(x)",),
    ("e^(i*pi) = -1",),
    ("x/x = 1", "x: real", "x != 0"),
    ("(x^2-1)/(x-1) = x+1", "x: real", "x != 1"),
    ("(x^2-1)/(x-1) = x+1", "x > 1"),
    ("1/(x-1) - 1/(x+1) = 2/(x^2-1)", "x: real", "x != 1", "x != -1"),
    ("sqrt(x^2) = abs(x)", "x: real"),
    ("sqrt(x^2) = x", "x: nonnegative real"),
    ("sqrt(x^2+2*x*y+y^2) = abs(x+y)", "x, y: real"),
    ("sqrt(x)*sqrt(y) = sqrt(x*y)", "x, y: nonnegative real"),
    ("log(x^2) = 2*log(abs(x))", "x: nonzero real"),
    ("log(x*y) = log(x) + log(y)", "x, y: positive real"),
    ("exp(log(x)) = x", "x: positive real"),
    ("sin(2*x) = 2*sin(x)*cos(x)", "x: real"),
    ("sin(pi*n) = 0", "n: integer"),
    ("cosh(x)^2 - sinh(x)^2 = 1", "x: real"),
    ("max(x, y) + min(x, y) = x + y", "x, y: real"),
    ("abs(x*y) = abs(x)*abs(y)", "x, y: real"),
    ("2^(n+1) = 2*2^n", "n: integer"),
    ("(x*y)^n = x^n*y^n", "x, y: positive real", "n: integer"),
    ("x^(a+b) = x^a*x^b", "x: positive real", "a, b: real"),
    ("x^0 = 1", "x: nonzero real"),
    ("x^2 >= 0", "x: real"),
    ("x^2 - 3*x - 4 > 0", "x: real", "x > 4"),
    ("x^2 - 2 != 0", "x: rational"),
    ("n*(n-1) >= 0", "n: integer"),
    ("x + 1/x >= 2", "x: positive real"),
    ("x/y + y/x >= 2", "x, y: positive real"),
    ("abs(abs(x) - 1) <= abs(x) + 1", "x: real"),
    ("x - 2*sqrt(x) + 1 >= 0", "x: nonnegative real"),
    ("x^2 - 2*sqrt(2)*x + 2 >= 0", "x: real"),
    ("a^2 + b^2 + c^2 >= a*b + b*c + c*a", "a, b, c: real"),
    ("(x+y)/2 >= sqrt(x*y)", "x, y: positive real"),
    ("floor(n) = n", "n: integer"),
    ("for all real x: x^2 + 1 > 0",),
    ("for all x > 0: x + 1/x >= 2",),
    ("x > 2 -> x^2 > 4", "x: real"),
    ("x = 1 -> x^2 = 1", "x: real"),
    ("sqrt(2)*sqrt(3) = sqrt(6)",),
    ("sqrt(3 + 2*sqrt(2)) = 1 + sqrt(2)",),
    ("sin(pi/6) = 1/2",),
    ("cos(pi/5) = (1 + sqrt(5))/4",),
    ("cos(pi/7)*cos(2*pi/7)*cos(4*pi/7) = -1/8",),
    ("asin(1/2) = pi/6",),
    ("log(8)/log(2) = 3",),
    ("log10(100) = 2",),
    ("pi < 22/7",),
    ("e^pi > pi^e",),
    ("pi ~= 3.14",),
]
FALSE = [
    ("x = x + 1",),
    ("listen = silent", "listen, silent: real"),
    ("x^2 = 4", "x: real"),
    ("(x+y)^2 = x^2 + y^2", "x, y: real"),
    ("sqrt(x^2) = x", "x: real"),
    ("n = Abs(n)", "n: integer"),
    ("sin(pi*n) = 0", "n: real"),
    ("sin(x) < 1", "x: real"),
    ("sin(x + pi) = sin(x)", "x: real"),
    ("exp(x) > 1 + x", "x: real"),
    ("sin(x) <= x", "x: real"),
    ("log(x) < x - 1", "x: positive real"),
    ("exp(x)*exp(y) = exp(x*y)", "x, y: real"),
    ("max(x, y) = x + y", "x, y: real"),
    ("x^2 > 0", "x: real"),
    ("n*(n-1) >= 0", "n: real"),
    ("4*x^2 - 12*x + 8.996 > 0", "x: real"),
    ("6*x^2 - 108*x + 486 > 0", "x: real"),
    ("x^2 - 3*x - 4 > 0", "x: real", "x > 3.9"),
    ("x + 1/x >= 2", "x: nonzero real"),
    ("x > 1 -> x^2 > 4", "x: real"),
    ("a*b = 0 -> a = 0", "a, b: real"),
    ("sqrt(2)*sqrt(3) = sqrt(5)",),
    ("pi = 22/7",),
    ("pi ~= 3.15",),
]
OPEN = [
    ("math.domain_needed", "listen = silent"),
    ("math.domain_needed", "profit = p*r*o*f*i*t"),
    ("math.domain_needed", "x^2 = 4"),
    ("math.domain_needed", "x/x = 1"),
    ("math.domain_needed", "sin(pi*n) = 0"),
    ("math.beyond", "n = Abs(n)"),
    ("math.beyond", "sqrt(n^2) = n"),
    ("math.undefined", "x/x = 1", "x: real"),
    ("math.undefined", "1/x = 1/x", "x: real"),
    ("math.undefined", "(x^2-1)/(x-1) = x+1", "x: real"),
    ("math.undefined", "log(x^2) = 2*log(x)", "x: real"),
    ("math.undefined", "sqrt(x)*sqrt(y) = sqrt(x*y)", "x, y: real"),
    ("math.undefined", "tan(x) = sin(x)/cos(x)", "x: real"),
    ("math.undefined", "x^0 = 1", "x: real"),
    ("math.undefined", "log(-1) = 0"),
    ("math.undefined", "tan(pi/2) = 1"),
    ("math.undefined", "oo = oo"),
    ("math.beyond", "x^2 != 2", "x: real"),
    ("math.beyond", "x < y <= z -> x < z", "x, y, z: real"),
    ("math.beyond", "x > 1 and y > 1 -> x*y > 1", "x, y: real"),
    ("math.beyond", "(-1)^(2*n) = 1", "n: integer"),
    ("math.beyond", "(x*y)^n = x^n*y^n", "x, y: nonzero real", "n: integer"),
    ("math.beyond", "x^2 >= 0", "x: complex"),
    ("math.beyond", "sin(x)/x < 1", "x: positive real"),
    ("math.beyond", "abs(x+y) <= abs(x) + abs(y)", "x, y: real"),
    ("math.beyond", "exp(x) >= 1 + x", "x: real"),
    ("math.beyond", "abs(sin(x)) <= 1", "x: real"),
    ("math.beyond", "a^3 + b^3 + c^3 >= 3*a*b*c", "a, b, c: positive real"),
    ("math.vacuous", "x > 0", "x: real", "x > 2", "x < 1"),
    ("math.rounding_unclear", "x ~= 3", "x: real"),
    ("engine.out_of_budget", "(x+y+z+w)^40 - 1 = (x+y+z+w)^40"),
    ("engine.out_of_budget", "(x+y)^(10^9) = (y+x)^(10^9)", "x, y: real"),
]
NOT_READ = [
    ("math.no_claim", "x + 1", "x: real"),
    ("math.no_claim", "x = 1 or x != 1", "x: real"),
    ("math.unknown_function", "foo(x) = 1"),
    ("math.unknown_function", "sin(x, y) = 1"),
    ("math.declaration", "x = 1", "x: foo"),
    ("math.declaration", "x = 1", "x: real", "x: integer"),
    ("math.declaration", "x = 1", "x: positive complex"),
    ("math.declaration", "x = 1", "x: complex", "x > 1"),
    ("math.declaration", "x = 1", "y != 1"),
    ("math.declaration", "x = 1", '{"x": 1}'),
    ("math.form", "x -> x = 1", "x: real"),
    ("math.syntax", "2x = 1", "x: real"),
]


@pytest.mark.parametrize("claim", TRUE, ids=str)
def test_true_statements_are_proved_and_every_digit_of_the_certificate_counts(claim: tuple[str, ...]) -> None:
    assert ruled("math", claim[0], declare=list(claim[1:])).outcome is PROVED
    require_every_digit_counts(claim_of("math", claim[0], declare=list(claim[1:])))


@pytest.mark.parametrize("claim", FALSE, ids=str)
def test_false_statements_are_refuted(claim: tuple[str, ...]) -> None:
    ruling = ruled("math", claim[0], declare=list(claim[1:]))
    assert ruling.outcome is REFUTED
    assert ruling == decide(claim_of("math", claim[0], declare=list(claim[1:])))


@pytest.mark.parametrize("row", OPEN, ids=str)
def test_what_is_open_says_why(row: tuple[str, ...]) -> None:
    assert outcome_of("math", row[1], declare=list(row[2:])) == (UNDECIDED, row[0])


@pytest.mark.parametrize("row", NOT_READ, ids=str)
def test_what_cannot_be_read_is_blocked(row: tuple[str, ...]) -> None:
    assert outcome_of("math", row[1], declare=list(row[2:])) == (BLOCKED, row[0])


def test_a_refutation_names_a_point() -> None:
    evidence = thaw(ruled("math", "6*x^2 - 108*x + 486 > 0", declare=["x: real"]).evidence)
    assert evidence == {"relation": ">", "left": "0", "right": "0", "point": {"x": "9"}}


def test_a_certificate_belongs_to_its_statement_and_domain() -> None:
    certificate = thaw(ruled("math", "sqrt(x^2) = x", declare=["x: real", "x >= 0"]).evidence)
    for other in (["x: real"], ["x: real", "x > 0"], ["x: integer", "x >= 0"]):
        with pytest.raises(ValueError):
            check(claim_of("math", "sqrt(x^2) = x", declare=other), certificate)


@pytest.mark.parametrize("declared", ["x, y: real", ["x: real; y: real"], {"x": "real", "y": "real"}])
def test_declarations_come_as_text_list_or_object(declared: object) -> None:
    assert ruled("math", "x + y = y + x", declare=declared).outcome is PROVED


_SMALL = st.integers(-6, 6)


@settings(max_examples=60)
@given(st.lists(_SMALL, min_size=1, max_size=4), st.sampled_from(["real", "integer"]), _SMALL, _SMALL)
def test_signs_of_polynomials_are_decided_completely(roots: list[int], kind: str, low: int, moved: int) -> None:
    factors = "*".join(f"(x - ({root}))" for root in roots)
    ruling = ruled("math", f"{factors} + ({moved})/5 >= 0", declare=[f"x: {kind}", f"x >= {low}"])
    places = range(low, 20) if kind == "integer" else [low + Fraction(step, 16) for step in range(320)]

    def holds(x: Fraction | int) -> bool:
        value = Fraction(1)
        for root in roots:
            value *= x - root
        return value + Fraction(moved, 5) >= 0

    assert ruling.outcome in (PROVED, REFUTED)
    if ruling.outcome is PROVED:
        assert all(map(holds, places))
    elif kind == "integer":
        assert not all(map(holds, places))


@settings(max_examples=40)
@given(_SMALL, _SMALL, _SMALL, st.integers(2, 4))
def test_powers_multiplied_out_are_told_from_others(a: int, b: int, wrong: int, power: int) -> None:
    square = f"({a}*x + {b}*y)^{power}"
    product = "*".join([f"({a}*x + {b}*y)"] * power)
    expected = REFUTED if wrong else PROVED
    assert ruled("math", f"{square} = {product} + {wrong}*x*y", declare=["x, y: real"]).outcome is expected


@pytest.mark.parametrize(
    ("engine", "statement", "given"),
    [
        ("math", "solve(x^2 = 4, x) = {-2, 2}", {}),
        ("math", "roots(x^2 - 4, x) = {-2, 2}", {}),
        ("math", "limit(sin(x)/x, x, 0) = 1", {}),
        ("math", "limit((1 + 1/n)^n, n, oo) = e", {}),
        ("math", "exp(x) >= 1 + x", {"declare": ["x: real"]}),
        ("math", "abs(sin(x)) <= 1", {"declare": ["x: real"]}),
        ("linear", "eigenvalues ~= [1.0i, -1.0i]", {"matrix": [[0, -1], [1, 0]]}),
        ("linear", "eigenvalues ~= [1.0+2.0i, 1.0-2.0i]", {"matrix": [[1, -2], [2, 1]]}),
    ],
)
def test_what_is_no_longer_decided_names_the_page_that_says_what_to_write(
    engine: str, statement: str, given: dict[str, object]
) -> None:
    try:
        told = decide(claim_of(engine, statement, **given)).detail
    except NotAttemptedError as error:
        told = error.hint
    assert f"docs/reference/claims/{engine}.md" in told
