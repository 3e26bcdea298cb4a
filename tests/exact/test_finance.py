"""Claims about money and rates of return."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.frozen import thaw
from probatum.exact import check, decide
from probatum.exact.finance.money import FORMULAS, ROUNDING
from probatum.exact.numbers.polynomials import counted_positive_roots, positive_roots
from probatum.exact.numbers.real_roots import read_number_text, written_number
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

YEARS = [-1000, 300, 400, 500]
TRUE = [
    ("irr = 0.10", [-1000, 1100]),
    ("irr(flows) = 10%", "-1000, 1100"),
    ("irr = 5.0", [-100, 600]),
    ("irr = -0.5", [-100, 50]),
    ("irr != 11%", [-1000, 1100]),
    ("irr > -100%", [-1000, 1100]),
    ("irr ~= 8.9%", YEARS),
    ("irr ~= 0.0890", YEARS),
    ("irr < 9%", YEARS),
    ("irr = 10%", [100, -110]),
    ("irr = 10%", [0, -1000, 1100, 0]),
    ("irr = 0.1", [-100, 220, -121]),
    ("irr ~= 0.1", [-100, 220, -121]),
    ("irr = 1/3", ["-3", "4"]),
    ("cagr($100, $121, 2) = 10%", None),
    ("cagr($100, $150, 2) ~= 22.47%", None),
    ("npv(10%, flows) = 0", [-1000, 1100]),
    ("npv(0.05) ~= 47.62", [-1000, 1100]),
    ("npv(-50%) = 1200", [-1000, 1100]),
    ("npv(0, flows) = 200", YEARS),
    ("round(npv(0.05, flows), 2, half_even) = 47.62", [-1000, 1100]),
    ("payback(flows, whole) = 3", "-100, 40, 40, 40"),
    ("payback(interpolated) = 2.5", "-100, 40, 40, 40"),
    ("payment($200000, 6%/12, 360) ~= $1199.10", None),
    ("round(payment($200000, 6%/12, 360), 2, half_up) = $1199.10", None),
    ("payment(1000, 0, 10) = 100", None),
    ("payment(1000, 1%, 12, begin) ~= 87.97", None),
    ("balance(1000, 1%, 12, 0) = 1000", None),
    ("balance(1000, 1%, 12, 12) = 0", None),
    ("balance(1000, 1%, 12, 6) ~= 514.92", None),
    ("12 * payment(1000, 1%, 12) - 1000 = total_interest(1000, 1%, 12)", None),
    ("future_value($1000, 5%, 10) ~= $1628.89", None),
    ("future_value(1000, 5%, 30, 365) ~= 4481.23", None),
    ("present_value(1100, 10%, 1) = 1000", None),
    ("compound_interest(1000, 10%, 2) = 210", None),
    ("simple_interest($1000, 10%, 2) = $200", None),
    ("effective_rate(12%, 12) ~= 12.68%", None),
    ("annuity_future(100, 5%, 3) = 315.25", None),
    ("annuity_future(100, 5%, 3, begin) = 331.0125", None),
    ("annuity_present(100, 5%, 3) ~= 272.32", None),
    ("change($80, $100) = 25%", None),
    ("margin(80, 100) = 20%", None),
    ("markup(80, 100) = 25%", None),
    ("share(20, 80) = 25%", None),
    ("15% of $20 = $3", None),
    ("15% of 20 EUR = 3 EUR", None),
    ("discounted($100, 20%) = $80", None),
    ("with_tax($100, 19%) = $119", None),
    ("without_tax($119, 19%) = $100", None),
    ("straight_line(1000, 100, 9) = 100", None),
    ("$19.99 * 3 = $59.97", None),
    ("round(-12.341, 2, floor) = -12.35", None),
]
FALSE = [
    ("irr = 0.11", [-1000, 1100]),
    ("irr = 0.1009", [-1000, 1100]),
    ("irr = 10.0001%", "-1000, 1100"),
    ("irr = 0.089", YEARS),
    ("irr ~= 9.0%", YEARS),
    ("irr = -1", [-1000, 1100]),
    ("irr = -5", [-1000, 1100]),
    ("irr = 0.2", [-100, 220, -121]),
    ("cagr(100, 121, 2) = 10.5%", None),
    ("npv(0.05) = 47.62", [-1000, 1100]),
    ("payback(whole) = 2", "-100, 40, 40, 40"),
    ("payment($200000, 6%/12, 360) = $1199.10", None),
    ("15% of 0.001 = 0.005", None),
    ("change(80, 100) = 20%", None),
    ("future_value($1000, 5%, 10) ~= $1628.90", None),
    ("round(12.345, 2, half_even) = 12.35", None),
    ("total_interest(1000, 1%, 12) > 67", None),
]
OPEN = [
    ("irr = 0.10", [-1000, 2300, -1320], UNDECIDED, "finance.irr_multiple_roots"),
    ("irr = 0.20", [-1000, 2300, -1320], UNDECIDED, "finance.irr_multiple_roots"),
    ("irr != 0.20", [-1000, 2300, -1320], UNDECIDED, "finance.irr_multiple_roots"),
    ("irr = 0.1", [-1000, 3600, -4310, 1716], UNDECIDED, "finance.irr_multiple_roots"),
    ("irr = 0.1", [100, 100], UNDECIDED, "finance.irr_no_root"),
    ("irr = 0.1", [0, 7], UNDECIDED, "finance.irr_no_root"),
    ("irr = 0.1", [-100, 220, -122], UNDECIDED, "finance.irr_no_root"),
    ("irr > 0", [(-1) ** index * 10**90 for index in range(90)], UNDECIDED, "finance.irr_non_convergent"),
    ("irr = 0.1", [0, 0], BLOCKED, "finance.flows_insufficient"),
    ("irr = 0.1", [5], BLOCKED, "finance.flows_insufficient"),
    ("irr = 0.1", [], BLOCKED, "engine.data_empty"),
    ("irr = 0.1", None, BLOCKED, "finance.flows_missing"),
    ("irr = 0.1", [-100, True], BLOCKED, "engine.data_mixed_types"),
    ("irr = 0.1", ["a", "b"], BLOCKED, "engine.data_mixed_types"),
    ("irr = 0.1", "-100, nan", BLOCKED, "engine.non_finite"),
    ("irr = $1", [-100, 110], UNDECIDED, "math.currency_mixed"),
    ("irr ~= 1/10", [-100, 110], UNDECIDED, "math.rounding_unclear"),
    ("irr ~= 10%", [-1000, 1105], UNDECIDED, "math.rounding_unclear"),
    ("npv(-100%, flows) = 0", [-100, 110], UNDECIDED, "finance.undefined"),
    ("npv(-101%, flows) = 0", [-100, 110], UNDECIDED, "finance.undefined"),
    ("npv(10%) = $0", [-100, 110], UNDECIDED, "math.currency_mixed"),
    ("payback(whole) = 1", [-100, 50], UNDECIDED, "finance.undefined"),
    ("payback(whole) = 1", [-100, 150, -100, 60], UNDECIDED, "finance.undefined"),
    ("payback = 2.5", "-100, 40, 40, 40", BLOCKED, "finance.kind_missing"),
    ("round(12.345, 2) = 12.35", None, BLOCKED, "finance.kind_missing"),
    ("round(12.345, 2, nearest) = 12.35", None, BLOCKED, "finance.kind_missing"),
    ("round(12.345, 0.5, up) = 12.35", None, UNDECIDED, "finance.undefined"),
    ("payment(0, 5%, 0) = 7", None, UNDECIDED, "finance.undefined"),
    ("payment(1000, -100%, 3) = 1", None, UNDECIDED, "finance.undefined"),
    ("balance(1000, 1%, 3, 5) = 0", None, UNDECIDED, "finance.undefined"),
    ("balance(1000, 1%, 0, 0) = 0", None, UNDECIDED, "finance.undefined"),
    ("future_value(1000, 5%, 10, 0) = 1000", None, UNDECIDED, "finance.undefined"),
    ("future_value(1000, 5%, 1.5) = 1000", None, UNDECIDED, "finance.undefined"),
    ("cagr(0, 121, 2) = 10%", None, UNDECIDED, "finance.undefined"),
    ("cagr(-5, 121, 2) = 10%", None, UNDECIDED, "finance.undefined"),
    ("change(0, 1) = 100%", None, UNDECIDED, "finance.undefined"),
    ("share(0, 0) = 5", None, UNDECIDED, "finance.undefined"),
    ("without_tax(0, -100%) = 5", None, UNDECIDED, "finance.undefined"),
    ("sqrt(2) = 1.4", None, UNDECIDED, "finance.beyond"),
    ("change($80, €100) = 25%", None, UNDECIDED, "math.currency_mixed"),
    ("cagr($100, €121, 2) = 10%", None, UNDECIDED, "math.currency_mixed"),
    ("$5 + €5 = $10", None, UNDECIDED, "math.currency_mixed"),
    ("$5 = 5", None, UNDECIDED, "math.currency_mixed"),
    ("future_value(1000, 5%, $3) = 1", None, UNDECIDED, "math.currency_mixed"),
    ("payment($5 * $5, 1%, 3) = 1", None, UNDECIDED, "math.currency_mixed"),
    *(
        (statement, [-100, 110], BLOCKED, "finance.syntax")
        for statement in (
            *("", "irr", "irr is 10%", "irr + 1 = 1.1", "10% = irr", "irr = 0.1 = 0.1", "irr(0.1) = 0.1"),
            *(
                "irr = 10% and npv(0) = 10",
                "not irr = 11%",
                "the irr = 10%",
                "irr = 10% probably",
                "irr(flows, flows) = 1",
            ),
            *("npv = 0", "npv(0.1, flows, flows) = 0", "payment(1, 2) = 3", "profit(3) = 4", "cagr(1, 2) = 3", "x = 1"),
            *("15% of 20 of 3 = 9", "15% of = 3", "change(80, 100)", "round(1, 2, 3, up) = 1"),
        )
    ),
]


def _given(flows: object) -> dict[str, object]:
    return {} if flows is None else {"flows": flows}


@pytest.mark.parametrize(("statement", "flows"), TRUE)
def test_true_statements_are_proved_and_every_digit_of_the_certificate_counts(statement: str, flows: object) -> None:
    assert ruled("finance", statement, **_given(flows)).outcome is PROVED
    if "365" not in statement:
        require_every_digit_counts(claim_of("finance", statement, **_given(flows)))


@pytest.mark.parametrize(("statement", "flows"), FALSE)
def test_false_statements_are_refuted(statement: str, flows: object) -> None:
    ruling = ruled("finance", statement, **_given(flows))
    assert ruling.outcome is REFUTED
    assert "claimed_value" in ruling.evidence


@pytest.mark.parametrize(("statement", "flows", "outcome", "constraint"), OPEN)
def test_what_is_not_decided_says_why(statement: str, flows: object, outcome: object, constraint: str) -> None:
    assert outcome_of("finance", statement, **_given(flows)) == (outcome, constraint)


def test_rates_of_return_are_told_with_what_establishes_them() -> None:
    proof = thaw(ruled("finance", "irr = 0.10", flows=[-1000, 1100]).evidence)
    assert proof == {"form": "irr", "distinct_roots": 1, "points": [{"rate": "1/10", "npv_sign": 0}]}
    several = thaw(ruled("finance", "irr = 0.1", flows=[-1000, 2300, -1320]).evidence)
    roots = [{"low": "1/10", "high": "1/10"}, {"low": "1/5", "high": "1/5"}]
    assert several == {"roots_count": 2, "roots": roots}
    open_one = ruled("finance", "irr > 0", flows=[(-1) ** index * 10**90 for index in range(90)])
    assert open_one.evidence["converged"] is False
    refutation = ruled("finance", "irr = 9%", flows=YEARS).evidence
    bracket = refutation["calculated_value"]
    low, high = (Fraction(bracket[key]) for key in ("low", "high"))  # type: ignore[index]  # an object
    values = [sum(flow / (1 + rate) ** place for place, flow in enumerate(YEARS)) for rate in (low, high)]
    assert values[0] > 0 > values[1]


roots = st.lists(st.fractions(Fraction(-9, 10), 3, max_denominator=12), min_size=1, max_size=5)


@given(roots, st.booleans())
def test_rates_are_counted_as_they_were_made(rates: list[Fraction], has_no_more: bool) -> None:
    """Flows whose rates are known: the product of linear factors, and one with no positive root."""
    factors: list[tuple[int, ...]]
    factors = [(rate.denominator, -(rate + 1).numerator * rate.denominator // (rate + 1).denominator) for rate in rates]
    factors += [] if has_no_more else [(1, -1, 1)]
    flows = [1]
    for factor in factors:
        product = [0] * (len(flows) + len(factor) - 1)
        for one, left in enumerate(flows):
            for two, right in enumerate(factor):
                product[one + two] += left * right
        flows = product
    distinct = sorted(set(rates))
    found, parts = positive_roots(tuple(flows))
    assert len(parts) == counted_positive_roots(found) == len(distinct)
    assert all(low < 1 + rate <= high for (low, high), rate in zip(parts, distinct, strict=True))
    outcome = outcome_of("finance", f"irr = {rates[0]}", flows=flows)
    single = (PROVED, "finance.irr_unique_match")
    assert outcome == (single if len(distinct) == 1 else (UNDECIDED, "finance.irr_multiple_roots"))


rates = st.fractions(Fraction(-1, 2), 2, max_denominator=1000)
periods = st.integers(1, 12)


@given(st.integers(1, 10**6), rates, periods, st.data())
def test_figures_are_what_their_definitions_say(amount: int, rate: Fraction, count: int, data: st.DataObject) -> None:
    factor, payment = 1 + rate, None
    grown = prod([factor] * count, start=Fraction(amount))
    worth = sum((factor**-time for time in range(1, count + 1)), start=Fraction(0))
    payment = amount / worth
    passed = data.draw(st.integers(0, count))
    left = Fraction(amount)
    for _ in range(passed):
        left = left * factor - payment
    arguments = f"{amount}, {rate}, {count}"
    figures = {
        f"future_value({arguments})": grown,
        f"compound_interest({arguments})": grown - amount,
        f"present_value({arguments})": amount / factor**count,
        f"payment({arguments})": payment,
        f"payment({arguments}, begin)": payment / factor,
        f"balance({arguments}, {passed})": left,
        f"total_interest({arguments})": payment * count - amount,
        f"annuity_present({arguments})": amount * worth,
        f"annuity_future({arguments}, begin)": amount * worth * factor ** (count + 1),
        f"effective_rate({rate}, {count})": (1 + rate / count) ** count - 1,
    }
    for name, value in figures.items():
        assert ruled("finance", f"{name} = {value}").outcome is PROVED, name
        assert ruled("finance", f"{name} = {value + Fraction(1, 10**9)}").outcome is REFUTED, name


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=9), rates)
def test_a_net_present_value_is_the_sum_of_discounted_flows(flows: list[int], rate: Fraction) -> None:
    value = sum((flow / (1 + rate) ** time for time, flow in enumerate(flows)), start=Fraction(0))
    assert ruled("finance", f"npv({rate}) = {value}", flows=flows).outcome is PROVED
    assert ruled("finance", f"npv({rate}) = {value + 1}", flows=flows).outcome is REFUTED


@given(st.decimals(-100, 100, places=4), st.integers(0, 3), st.sampled_from(ROUNDING))
def test_rounding_is_that_of_the_standard_library(value: Decimal, places: int, mode: str) -> None:
    expected = value.quantize(Decimal(1).scaleb(-places), f"ROUND_{mode.upper()}")
    assert ruled("finance", f"round({value}, {places}, {mode}) = {expected}").outcome is PROVED


@pytest.mark.parametrize(
    ("statement", "calls", "sides"),
    [
        ("payment(0, 5%, 0) = 7", ["7"], ["7", "7"]),
        ("balance(1000, 1%, 3, 5) = 7", ["7"], ["7", "7"]),
        ("share(0, 0) = 7", ["7"], ["7", "7"]),
        ("without_tax(0, -100%) = 7", ["7"], ["7", "7"]),
        ("straight_line(5, 5, 0) = 7", ["7"], ["7", "7"]),
        ("total_interest(0, 5%, 0) = 7", ["7"], ["7", "7"]),
        ("change(80, 100) = 25%", ["1/4"], ["1/4", "1/4"]),
        ("change(80, 100) = 25%", [], ["1/5", "1/5"]),
        *(
            ("round(0.254, 2, half_up) = 25%", calls, ["1/4", "1/4"])
            for calls in ([], ["1/4", "1/4"], ["1/0"], ["25e-2"], ["1e999999999"], ["0x" + "f" * 70_000], ["26/100"])
        ),
    ],
)
def test_a_forged_certificate_is_refused(statement: str, calls: list[str], sides: list[str]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("finance", statement), {"form": "figures", "calls": calls, "sides": sides})


@pytest.mark.parametrize("value", [Fraction(0), Fraction(-7, 3), Fraction(10**5000 + 1), Fraction(-1, 10**9000)])
def test_numbers_have_one_spelling(value: Fraction) -> None:
    text = written_number(value)
    assert read_number_text(text) == value
    for other in (f"+{text}", f"0{text}", f"{text}/1", text.upper() if "x" in text else f"{text}.0"):
        with pytest.raises(ValueError):
            read_number_text(other)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("statement", "flows"),
    [
        ("irr = 0.1", [-10_000, *[13] * 19_000]),
        ("irr = 0.012345678901234567890123456789", [-10_000, *[13] * 19_000]),
        ("irr = 0.1", [(-1) ** index * (index + 1) for index in range(1000)]),
        ("irr = 0.1", [1] * 20_001),
        ("irr = 0.1", [comb(60, k) * (-1) ** k * 11**k * 10 ** (60 - k) for k in range(61)]),
        ("irr = 0.1", ["1" + "0" * 1900, "-1", "1e-3000"]),
        ("irr = 1e400", ["-1e-3000", "1e3000"]),
        ("npv(0.1%) = 0", [12.34] * 20_000),
        ("npv(1.23456789%) = 0", [12.34] * 20_000),
        ("payback(whole) = 20000", [-1, *[0] * 19_998, 1]),
        ("future_value(1, 1%, 20000) > 10", None),
        ("future_value(1, 1%, 10^10^10) > 10", None),
        ("round(1, 1000000000, up) = 1", None),
        ("payment(1, 1%, 19999, begin) > 0", None),
        (f"{'9' * 9_000} = 1", None),
        (f"change({'(' * 200}1{')' * 200}, 2) = 1", None),
        ("1" + " + payment(1, 0.01%, 4000)" * 700 + " > 0", None),
    ],
)
def test_large_claims_end_with_an_answer(statement: str, flows: object) -> None:
    claim = claim_of("finance", statement, **_given(flows))
    assert outcome_of("finance", statement, **_given(flows))[0] is not BLOCKED
    with pytest.raises((ValueError, BudgetError)):
        check(claim, {"form": "figures", "calls": ["7"], "sides": ["7", "8"]})


def test_every_formula_is_named_in_the_tests() -> None:
    told = " ".join(statement for statement, _ in TRUE)
    assert [name for name in FORMULAS if f"{name}(" not in told] == []
    with pytest.raises(NotAttemptedError) as caught:
        decide(claim_of("finance", "pament(1, 2, 3) = 4"))
    assert "payment" in caught.value.hint
