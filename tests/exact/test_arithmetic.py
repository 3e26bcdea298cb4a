"""Closed comparisons of rational numbers."""

from __future__ import annotations

import pytest

from probatum.exact import check
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
    "0.1 + 0.2 = 0.3",
    "(1+10.0**-17-1)*10**17 = 1",
    "1/3 ~= 0.333",
    "2/3 ~= 0.67",
    "123456 ~= 1.2e5",
    "0.00123 ~= 1.2e-3",
    "2/3 ~= 67%",
    "5! = 120",
    "2×3=6",
    "50% = 1/2",
    "15% of 80 = 12",
    "15% of (100 + 20) - 3 = 15",
    "50% of 50% of 8 = 2",
    "2 / 50% of 4 = 1",
    "-10% of 50 = -5",
    ".5 = 1/2",
    "$5+$5 = $10",
    "$5.20 * 3 = $15.60",
    "1,000+1 = 1,001",
    "10 mod 3 = 1",
    "sqrt(16) = 4",
    "8^(1/3) = 2",
    "-2^2 = -4",
    "2^-2 = 0.25",
    "2 >= 1",
    "1 < 2 <= 2 < 3",
    "2² = 4",
    "max(1, 2) = 2",
    "gcd(12, 18) = 6",
    "binomial(5, 2) = 10",
    "floor(-7/2) = -4",
    "1e-7 != 0",
]
FALSE = [
    "1/10000000 = 0",
    "6.626*10**-34 = 1e-7",
    "3*10**-7 = 9e-7",
    "1000000 = 1009999",
    "100 = 101",
    "1/3 = 0.333",
    "1/3 ~= 0.334",
    "0.3 ~= 0e-1",
    "123456 ~= 1.3e5",
    "2/3 ~= 66%",
    "(1+10.0**-17-1)*10**17 = 0",
    "1 < 2 < 2",
    "$5 = $5.01",
]
NOT_READ = [
    "",
    "hello",
    "x",
    "garbage words here",
    "5!=120",
    "3x = 1",
    "2(3) = 6",
    "max(1,000) = 1",
    "１ = 1",
    "1,00 = 1",
    "0,123 = 123",
    "1 = = 1",
    "(1 + 1",
    "1 =",
    "10 % 3 = 1",
]


@pytest.mark.parametrize("statement", TRUE)
def test_true_statements_are_proved_and_every_digit_of_the_certificate_counts(statement: str) -> None:
    assert ruled("math", statement).outcome is PROVED
    require_every_digit_counts(claim_of("math", statement))


@pytest.mark.parametrize("statement", FALSE)
def test_false_statements_are_refuted(statement: str) -> None:
    assert ruled("math", statement).outcome is REFUTED


@pytest.mark.parametrize("statement", NOT_READ)
def test_what_is_no_statement_is_blocked(statement: str) -> None:
    assert outcome_of("math", statement)[0] is BLOCKED


@pytest.mark.parametrize(
    ("statement", "constraint"),
    [
        ("1/0 = 1", "math.undefined"),
        ("0^0 = 1", "math.undefined"),
        ("$5 + 5 = $10", "math.currency_mixed"),
        ("$5 = €5", "math.currency_mixed"),
        ("1/8 ~= 0.12", "math.rounding_unclear"),
        ("10^10^10 = 1", "engine.out_of_budget"),
        ("99999! = 1", "engine.out_of_budget"),
        ("(" * 100 + "1" + ")" * 100 + " = 1", "engine.too_large"),
    ],
)
def test_what_cannot_be_decided_says_why(statement: str, constraint: str) -> None:
    assert outcome_of("math", statement) == (UNDECIDED, constraint)


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("$5 = 5", ["5", "5"]),
        ("$5 = 5", ["5 $^1", "5 $^1"]),
        ("$5 = €5", ["5 $^1", "5 $^1"]),
        ("1 = 1", ["1/0", "1/0"]),
        ("1 = 1", ["1e999999999", "1"]),
        ("1 = 1", ["1", "2/2"]),
    ],
)
def test_a_forged_certificate_is_rejected(statement: str, values: list[str]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("math", statement), {"form": "arithmetic", "values": values})


def test_large_values_are_written_and_checked() -> None:
    assert outcome_of("math", "7^4000 * 2 = 2 * 7^4000")[0] is PROVED
    assert outcome_of("math", "7^9000 = 7^9000 + 1")[0] is REFUTED
    assert outcome_of("math", "7^9000 * 3 = 7^9000 + 7^9000 + 7^9000")[0] is PROVED
