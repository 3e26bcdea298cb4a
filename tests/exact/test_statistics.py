"""Claims about statistics of data."""

from __future__ import annotations

import statistics
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.frozen import thaw
from probatum.exact import check, decide
from probatum.exact.numbers.real_roots import compare, real, root_of
from probatum.exact.statistics.quantiles import METHODS, neighbours
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

FIVE = "1, 2, 3, 4, 5"
LINE, TWICE, FALLING = "1, 2, 3", "2, 4, 6", "6, 4, 2"
TRUE = [
    ("average = 2", [1, 2, 3], None),
    ("maximum - minimum = 2", [1, 2, 3], None),
    ("std(sample) = 1", [1, 2, 3], None),
    ("standard_deviation < 1", [1, 2, 3, 1], None),
    ("mode = 1", [1, 1, 2], None),
    ("mode = 5", "[5]", None),
    ("mode = 1.0", "[1, 1, 2]", None),
    ('mode = "a"', ["a", "a", "b"], None),
    ('mode = "a"', '["a", "a", "b"]', None),
    ("mode != 2", [1, 1, 2], None),
    ("mode = -0.5", "-0.50, -5e-1, 2", None),
    ("modes = {2, 1}", [1, 1, 2, 2], None),
    ('modes = {"a", "b"}', ["a", "b"], None),
    ("modes != {1}", [1, 1, 2, 2], None),
    ("mean = 3", FIVE, None),
    ("mode(data) = 1", [1, 1, 2], None),
    ("mean(data) = 3", FIVE, None),
    ("max(data) - min(data) = 4", FIVE, None),
    ("abs(min - max) = max(3, 4)", FIVE, None),
    ("variance(data, kind=sample) = 2.5", FIVE, None),
    ("quantile(data, 0.25, method=linear) = 2", FIVE, None),
    ("correlation(data, other) = 1", LINE, TWICE),
    ("covariance(data, other, kind=population) = 4/3", LINE, TWICE),
    ("mean = 0.2", [0.1, 0.2, 0.3], None),
    ("sum = 0.6", [0.1, 0.2, 0.3], None),
    ("sum = 0.3", "0.1\n0.2\n", None),
    ("mean = 1e-7", "1e-7, 1e-7", None),
    ("mean = 12%", "10%, 14%", None),
    ("mean = 1.5", ["1", "2"], None),
    ("median = 2.5", "4, 1, 3, 2", None),
    ("count = 3", ["a", "b", "c"], None),
    ("1 <= mean < max", FIVE, None),
    ("max - min = range", FIVE, None),
    ("mean > median", "1, 2, 9", None),
    ("variance(population) = 2", FIVE, None),
    ("variance(sample) = 5/2", FIVE, None),
    ("stdev(population) = sqrt(2)", FIVE, None),
    ("stdev(sample) ~= 1.58", FIVE, None),
    ("stdev(sample)^2 = variance(sample)", FIVE, None),
    ("stdev(population) < 1.41422", FIVE, None),
    ("stdev = 0", "7, 7", None),
    ("variance < 100", FIVE, None),
    ("quantile(0.25, linear) = 2", FIVE, None),
    ("quantile(0.25, 7) = 2", FIVE, None),
    ("quantile(1/4, weibull) = 1.5", FIVE, None),
    ("quantile(0) = 1", FIVE, None),
    ("percentile(50, hazen) = median", FIVE, None),
    ("iqr(7) = 2", FIVE, None),
    ("correlation = 1", LINE, TWICE),
    ("correlation = -1", LINE, FALLING),
    ("correlation ~= 0.87", LINE, "1, 1, 2"),
    ("correlation = sqrt(3)/2", LINE, "1, 1, 2"),
    ("covariance(sample) = 2", LINE, TWICE),
    ("slope = 2", LINE, TWICE),
    ("intercept = 0", LINE, TWICE),
    ("r_squared = 0.75", LINE, "1, 1, 2"),
    ("weighted_mean = 2.5", LINE, "0, 1, 1"),
]
FALSE = [
    ("mode = 2", [1, 1, 2], None),
    ("mode = 1.0000001", [1, 1, 2], None),
    ("mode != 1", [1, 1, 2], None),
    ('mode = "b"', ["a", "a", "b"], None),
    ("modes = {1}", [1, 1, 2, 2], None),
    ("mean = 0", "1e-7, 1e-7", None),
    ("mean = 3.0000001", FIVE, None),
    ("stdev(sample) = 1.58", FIVE, None),
    ("stdev = 100", FIVE, None),
    ("correlation = 0.87", LINE, "1, 1, 2"),
    ("correlation = -1", LINE, TWICE),
    ("quantile(0.25, 6) = 2", FIVE, None),
    ("1 < mean < 3", FIVE, None),
    ("count = 4", FIVE, None),
]
OPEN = [
    ("mode = 1", [1, 1, 2, 2], None, UNDECIDED, "stats.mode_ambiguous_tie"),
    ("mode = 9", [1, 1, 2, 2], None, UNDECIDED, "stats.mode_ambiguous_tie"),
    ("mode != 1", [1, 2, 3], None, UNDECIDED, "stats.mode_ambiguous_tie"),
    ("mean ~= 2.5", "2.45", None, UNDECIDED, "math.rounding_unclear"),
    ("mean ~= 1 + 1", FIVE, None, UNDECIDED, "math.rounding_unclear"),
    ("correlation = 1", "1, 1, 1", TWICE, UNDECIDED, "stats.undefined"),
    ("variance(sample) = 0", "3", None, UNDECIDED, "stats.undefined"),
    ("quantile(1.5, 7) = 1", FIVE, None, UNDECIDED, "stats.undefined"),
    ("weighted_mean = 1", LINE, "0, 0, 0", UNDECIDED, "stats.undefined"),
    ("stdev(sample) + 1 = 2", FIVE, None, UNDECIDED, "stats.beyond"),
    ("mean = $3", FIVE, None, UNDECIDED, "math.currency_mixed"),
    ("mean = 10^10^10", FIVE, None, UNDECIDED, "engine.out_of_budget"),
    ("stdev ~= 1.58", FIVE, None, BLOCKED, "stats.kind_missing"),
    ("stdev(both) = 1", FIVE, None, BLOCKED, "stats.kind_missing"),
    ("quantile(0.25) = 2", FIVE, None, BLOCKED, "stats.method_missing"),
    ("quantile(0.25, best) = 2", FIVE, None, BLOCKED, "stats.method_missing"),
    ("correlation = 1", LINE, None, BLOCKED, "stats.other_missing"),
    ("correlation = 1", LINE, "1, 2", BLOCKED, "stats.unpaired"),
    ("mean = 1", ["a"], None, BLOCKED, "engine.data_mixed_types"),
    ("mode = 1", ["1", "1"], None, BLOCKED, "engine.data_mixed_types"),
    ('mode = "1"', [1, 1], None, BLOCKED, "engine.data_mixed_types"),
    *(
        (statement, FIVE, None, BLOCKED, "stats.syntax")
        for statement in (
            *("", "mean", "mean is 3", "the mean = 3", "mean = 3 and max = 5", "mean = 3 or mean = 4", "not mean = 4"),
            *("avarage = 3", "1 = 1", "mean(3) = 3", "quantile = 3", "variance(1, 2) = 3", "mean(other) = 3"),
            *("mean(data, other) = 3", "correlation(data) = 1", "correlation(other, data) = 1", "median(data, 7) = 3"),
            *(
                "mode = 1 or 2",
                'mode = "a" and true',
                "mode < 3",
                "modes = 1",
                "modes = [1]",
                "mode = {1}",
                'mode = "a',
            ),
            *("mode(other) = 1", "mean = 3 probably", "mean = 3;", "mean = unknown", "sqrt(4) = 2", "max(3, 4) = 4"),
        )
    ),
]


def _given(data: object, other: object) -> dict[str, object]:
    return {"data": data} if other is None else {"data": data, "other": other}


@pytest.mark.parametrize(("statement", "data", "other"), TRUE)
def test_true_statements_are_proved_and_every_digit_of_the_certificate_counts(
    statement: str, data: object, other: object
) -> None:
    assert ruled("stats", statement, **_given(data, other)).outcome is PROVED
    require_every_digit_counts(claim_of("stats", statement, **_given(data, other)))


@pytest.mark.parametrize(("statement", "data", "other"), FALSE)
def test_false_statements_are_refuted_with_both_values(statement: str, data: object, other: object) -> None:
    ruling = ruled("stats", statement, **_given(data, other))
    assert ruling.outcome is REFUTED
    assert {"calculated_value", "claimed_value"} <= ruling.evidence.keys()


@pytest.mark.parametrize(("statement", "data", "other", "outcome", "constraint"), OPEN)
def test_what_is_not_decided_says_why(
    statement: str, data: object, other: object, outcome: object, constraint: str
) -> None:
    assert outcome_of("stats", statement, **_given(data, other)) == (outcome, constraint)


def test_a_tie_names_the_modes() -> None:
    evidence = ruled("stats", "mode = 1", data=[2, 1, 1, 2, 3]).evidence
    assert evidence == {"modes": [1, 2], "modes_count": 2, "tie_detected": True}
    assert len(ruled("stats", "mode = 1", data=list(range(500))).evidence["modes"]) == 100  # type: ignore[arg-type]  # JSON


def test_the_kind_and_the_method_may_be_left_out_where_all_agree_alone() -> None:
    sides = ruled("stats", "quantile(0.5) = 3", data="3, 3, 3").evidence["sides"]
    assert sides == [["3", "3"]] * 9
    assert outcome_of("stats", "quantile(0.5) = quantile(0.6) + iqr", data="3, 3")[0] is BLOCKED


def test_a_column_of_csv_is_the_data() -> None:
    table = "price, kind ,size\r\n1.5,a,2\r\n2.5,b,4\r\n"
    assert outcome_of("stats", "mean = 2", data=table, column="price") == (PROVED, "stats.holds")
    assert outcome_of("stats", "count = 2", data=table, column="kind") == (PROVED, "stats.holds")
    assert outcome_of("stats", "slope = 2", data=table, column="price", other_column="size") == (PROVED, "stats.holds")
    assert outcome_of("stats", "mean = 2", data=table, column="prices") == (BLOCKED, "engine.data_column")


numbers = st.lists(st.decimals(-1000, 1000, allow_nan=False, allow_infinity=False, places=3), min_size=2, max_size=12)


@given(numbers)
def test_statistics_are_those_of_the_standard_library(values: list[Decimal]) -> None:
    text = ", ".join(map(str, values))
    exact = [Fraction(each) for each in values]
    for statement in (
        f"mean = {statistics.mean(exact)}",
        f"median = {statistics.median(exact)}",
        f"variance(population) = {statistics.pvariance(exact)}",
        f"variance(sample) = {statistics.variance(exact)}",
        f"sum = {sum(exact)}",
        f"range = {max(exact) - min(exact)}",
        f"quantile(1/4, exclusive) = {statistics.quantiles(exact, n=4)[0]}" if len(exact) > 3 else "count > 0",
        f"quantile(3/4, inclusive) = {statistics.quantiles(exact, n=4, method='inclusive')[2]}",
    ):
        assert ruled("stats", statement, data=text).outcome is PROVED, statement
    modes = statistics.multimode(exact)
    expected = PROVED if len(modes) == 1 else UNDECIDED
    assert ruled("stats", f"mode = {modes[0]}", data=text).outcome is expected
    assert ruled("stats", f"modes = {{{', '.join(map(str, modes))}}}", data=text).outcome is PROVED


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9))
def test_a_correlation_lies_between_its_bounds_and_is_symmetric(pairs: list[tuple[int, int]]) -> None:
    data, other = ([each[side] for each in pairs] for side in (0, 1))
    outcome = ruled("stats", "-1 <= correlation <= 1", data=data, other=other).outcome
    assert outcome is (PROVED if len(set(data)) > 1 and len(set(other)) > 1 else UNDECIDED)
    if outcome is PROVED:
        one, two = (
            decide(claim_of("stats", "correlation = 2", data=first, other=second)).evidence["calculated_value"]
            for first, second in ((data, other), (other, data))
        )
        assert one == two


@given(st.integers(1, 30), st.fractions(0, 1, max_denominator=40), st.integers(1, 9))
def test_quantiles_lie_in_order_and_mirror_each_other(count: int, probability: Fraction, method: int) -> None:
    found = neighbours(count, probability, method)
    assert 1 <= found.low <= found.high <= count
    assert 0 <= found.share <= 1
    if method not in (1, 3, 4):
        mirrored = neighbours(count, 1 - probability, method)
        place, other = (each.low + each.share * (each.high - each.low) for each in (found, mirrored))
        assert place + other == count + 1


@pytest.mark.parametrize("method", range(1, 10))
def test_quantiles_are_those_of_the_paper(method: int) -> None:
    """Each row as R's quantile(c(1, 2, 4, 8), c(0.1, 0.25, 0.5, 0.9), type = method) defines it."""
    values = [1, 2, 4, 8]
    shifts = {1: Fraction(0), 2: Fraction(0), 3: Fraction(-1, 2), 4: Fraction(0), 5: Fraction(1, 2)}
    for probability in (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)):
        found = neighbours(4, probability, method)
        value = (1 - found.share) * values[found.low - 1] + found.share * values[found.high - 1]
        a = {6: Fraction(0), 7: Fraction(1), 8: Fraction(1, 3), 9: Fraction(3, 8)}.get(method, Fraction(0))
        place = 4 * probability + shifts.get(method, a + probability * (1 - 2 * a))
        below, share = int(place // 1), place - place // 1
        if method == 1:
            share = Fraction(share > 0)
        elif method == 2:
            share = Fraction(1) if share else Fraction(1, 2)
        elif method == 3:
            share = Fraction(0) if not share and below % 2 == 0 else Fraction(1)
        low, high = (values[min(max(each, 1), 4) - 1] for each in (below, below + 1))
        assert value == low + share * (high - low)
    statement = f"quantile(0.9, {METHODS[method - 1]}) = quantile(0.9, {method})"
    assert outcome_of("stats", statement, data=values) == (PROVED, "stats.holds")


@given(st.lists(st.tuples(st.fractions(0, 50, max_denominator=20), st.integers(1, 5)), min_size=3, max_size=3))
def test_roots_compare_as_numbers_do(roots: list[tuple[Fraction, int]]) -> None:
    made = sorted(
        (root_of(value, degree) for value, degree in roots), key=lambda each: float(each.radicand) ** (1 / each.degree)
    )
    for one, two in pairwise(made):
        difference = float(two.radicand) ** (1 / two.degree) - float(one.radicand) ** (1 / one.degree)
        assert compare(one, two) == -compare(two, one)
        assert compare(one, two) == (-1 if difference > 1e-9 else compare(one, two))
    assert compare(root_of(roots[0][0] ** 3, 3), real(roots[0][0])) == 0


def test_a_certificate_of_other_data_is_refused() -> None:
    certificate = thaw(decide(claim_of("stats", "mean = 2", data="1, 2, 3")).evidence)
    with pytest.raises(ValueError):
        check(claim_of("stats", "mean = 2", data="1, 2, 4"), certificate)  # type: ignore[arg-type]  # JSON
