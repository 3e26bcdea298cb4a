"""Derivatives, integrals, limits and sums."""

from __future__ import annotations

import pytest

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
    ("diff(x^3, x) = 3*x^2",),
    ("diff(x^3, x, 2) = 6*x",),
    ("derivative(sin(x)*exp(x), x) = exp(x)*(sin(x) + cos(x))",),
    ("diff(log(x), x) = 1/x", "x > 0"),
    ("diff(sqrt(x), x) = 1/(2*sqrt(x))", "x > 0"),
    ("diff(x^x, x) = x^x*(log(x) + 1)", "x > 0"),
    ("diff(a*x^2 + b*x + c, x) = 2*a*x + b",),
    ("diff(abs(x), x) = 1", "x > 0"),
    ("integral(2*x, x) = x^2 + C",),
    ("integral(1/x, x) = log(abs(x)) + C", "x: nonzero real"),
    ("integral(exp(2*x), x) = exp(2*x)/2 + C",),
    ("integral(x^2, x, 0, 1) = 1/3",),
    ("integral(sin(x), x, 0, pi) = 2",),
    ("integral(1/x, x, 1, e) = 1",),
    ("integral(1/(1+x^2), x, 0, 1) = pi/4",),
    ("integral(sqrt(x), x, 0, 1) = 2/3",),
    ("integral(log(x), x, 1, e) = 1",),
    ("integral(x, x, 1, 0) = -1/2",),
    ("integral(2*t, t, 0, x) = x^2",),
    ("integral(x^2, x, a, b) = (b^3 - a^3)/3",),
    ("integral(1/x, x, 1, a) = log(a)", "a > 1"),
    ("2*integral(x, x, 0, 1) + 1 > 1.9",),
    ("limit((3*x^2+1)/(2*x^2-x), x, oo) = 3/2",),
    ("limit((x^2-1)/(x-1), x, 1) = 2",),
    ("limit(1/x^2, x, 0) = oo",),
    ("limit(-x, x, oo) = -oo",),
    ("limit((pi*x^2 + 1)/(2*x^2 - e*x), x, -oo) = pi/2",),
    ("limit(1/x, x, 0, left) = -oo",),
    ("integral(1/x^2, x, 1, oo) = 1",),
    ("integral(1/x, x, -2, -1) = -log(2)",),
    ("sum(k, k, 1, 100) = 5050",),
    ("sum(i, i, 1, 100) = 5050",),
    ("sum(k, k, 1, n) = n*(n+1)/2",),
    ("sum(k^3, k, 1, n) = (n*(n+1)/2)^2", "n: positive integer"),
    ("sum(2^k, k, 0, n) = 2^(n+1) - 1",),
    ("sum(1/(k*(k+1)), k, 1, n) = n/(n+1)",),
]
FALSE = [
    ("diff(x^3, x) = 3*x",),
    ("diff(abs(x), x) = 1", "x: real"),
    ("integral(2*x, x) = x^2 + x + C",),
    ("integral(x^2, x, 0, 1) = 1/2",),
    ("limit((x^2-1)/(x-1), x, 1) = 3",),
    ("limit(x, x, oo) = 5",),
    ("limit(1/x^2, x, 0) = -oo",),
    ("sum(k, k, 1, n) = n*(n-1)/2",),
    ("sum(k, k, 1, n) = n*(n+1)/2 + (n-1)*(n-2)", "n: positive integer"),
]
OPEN = [
    ("math.constant_missing", "integral(2*x, x) = x^2"),
    ("math.domain_needed", "diff(log(x), x) = 1/x"),
    ("math.domain_needed", "sum(k, k, 1, n) = n*(n+1)/2", "n: real"),
    ("math.undefined", "diff(sqrt(x), x) = 1/(2*sqrt(x))", "x >= 0"),
    ("math.undefined", "integral(1/x^2, x, -1, 1) = -2"),
    ("math.undefined", "integral(1/x, x, -1, 1) = 0"),
    ("math.beyond", "integral(1/x, x, 1, oo) = 1"),
    ("math.undefined", "integral(tan(x), x, 0, pi) = 0"),
    ("math.undefined", "limit(1/x, x, 0) = oo"),
    ("math.beyond", "limit(abs(x)/x, x, 0) = 1"),
    ("math.undefined", "x*limit(k, k, oo) = x*oo"),
    ("math.undefined", "limit(x, x, oo) = 1/0"),
    ("math.beyond", "limit(sin(x)/x, x, 0) = 1"),
    ("math.beyond", "limit(0*log(x), x, -1) = 0"),
    ("math.beyond", "integral(abs(x), x, 0, 1) = 1/2"),
    ("math.beyond", "sum(1/2^k, k, 0, oo) = 2"),
    ("math.beyond", "limit(x mod 2, x, 2) = 0"),
    ("math.beyond", "limit(sin(1/x), x, 0) = 0"),
    ("math.beyond", "integral(floor(x), x, 0, 2) = 1"),
    ("math.beyond", "integral(sqrt(1+x^5)*log(x+1), x, 0, 1) = 1"),
    ("math.beyond", "diff(floor(x), x) = 0", "x: real"),
    ("math.beyond", "diff(exp(sin(x^2)), x, 30) = 0"),
    ("engine.out_of_budget", "sum(1/k, k, 1, 10^9) = 2"),
]
NOT_READ = ["diff(x^2) = 2*x", "integral(x^2, x, 0) = 1", "limit(x, x, 0, up) = 0"]


@pytest.mark.parametrize("claim", TRUE, ids=str)
def test_true_statements_are_proved_and_every_digit_of_the_certificate_counts(claim: tuple[str, ...]) -> None:
    assert ruled("math", claim[0], declare=list(claim[1:])).outcome is PROVED
    require_every_digit_counts(claim_of("math", claim[0], declare=list(claim[1:])))


@pytest.mark.parametrize("claim", FALSE, ids=str)
def test_false_statements_are_refuted(claim: tuple[str, ...]) -> None:
    assert ruled("math", claim[0], declare=list(claim[1:])).outcome is REFUTED


@pytest.mark.parametrize("row", OPEN, ids=str)
def test_what_is_open_says_why(row: tuple[str, ...]) -> None:
    assert outcome_of("math", row[1], declare=list(row[2:])) == (UNDECIDED, row[0])


@pytest.mark.parametrize("statement", NOT_READ)
def test_operations_that_lack_a_part_are_blocked(statement: str) -> None:
    assert outcome_of("math", statement) == (BLOCKED, "math.form")
