"""The event predicate language: what it reads, what it refuses and where, and what a predicate is worth."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.audit.event_terms import (
    SPEC_NAMES,
    TRUE,
    Compared,
    Condition,
    EventPredicate,
    FieldRef,
    Junction,
    SourceQuorum,
    SpecName,
    Value,
    operand_text,
)
from probatum.audit.predicates import MAX_ATOMS, MAX_CHARACTERS, MAX_NESTING, PredicateError, parse_predicate
from probatum.audit.three_valued import MOST_REASONS, Evaluation, combined, evaluate

FALSE = Value("boolean", False)


@dataclass(frozen=True)
class Known:
    """An environment by name; sources are ``{field name: {source: value}}``."""

    values: Mapping[str, Value | None] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, Value | None]] = field(default_factory=dict)
    bounds: Mapping[str, Value | None] = field(default_factory=dict)

    def value(self, field: FieldRef) -> Value | None:
        return self.values.get(f"{field.name}({field.entity})" if field.entity else field.name)

    def by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        return self.sources.get(field.name, {})

    def bound(self, name: str) -> Value | None:
        return self.bounds.get(name)


def number(value: float, unit: str = "", high: float | None = None) -> Value:
    return Value("numeric", value, high, unit)


def text(value: str) -> Value:
    return Value("text_assertion", value)


def time(value: str, high: str | None = None) -> Value:
    return Value("timestamp", value, high)


def worth(predicate: str, **values: Value) -> bool | None:
    result = evaluate(parse_predicate(predicate), Known(values))
    assert (result.value is None) is bool(result.reasons)
    return result.value


READ = [
    ("price > 100000", "price > 100000"),
    ("price>100,000", "price > 100000"),
    ("price > $1,234.50", "price > 1234.5 USD"),
    ("price > -$5", "price > -5 USD"),
    ("price > 100k", "price > 100000"),
    ("price > €1.5M", "price > 1500000 EUR"),
    ("price > 2bn USD", "price > 2000000000 USD"),
    ("price > 1.5 million USD", "price > 1500000 USD"),
    ("price > 5%", "price > 5 %"),
    ("price > 5 percent", "price > 5 %"),
    ("price > 1e3", "price > 1000"),
    ("price > 1.0", "price > 1"),
    ("price > -0", "price > 0"),
    ("x > 1e-7", "x > 1e-07"),
    ("speed > 3 km/h and area < 2 m²", "speed > 3 km/h and area < 2 m²"),
    ("x = 1", "x == 1"),
    ("x in (1,2, 300)", "x in (1, 2, 300)"),
    ("x NOT IN ('a')", "x not in ('a')"),
    ("not x in ('a')", "not x in ('a')"),
    ("x between 1 and 2 and y", "x between 1 and 2 and y"),
    ("not not a", "not not a"),
    ("((a))", "((a))"),
    ("( a and b )and c", "(a and b) and c"),
    ("a and (b or c) or d", "a and (b or c) or d"),
    ("not (a and b)", "not (a and b)"),
    ("NOT a OR b", "not a or b"),
    ("a = TRUE", "a == true"),
    ("a == false", "a == false"),
    ("data[0].price > 1", "data[0].price > 1"),
    ("price( BTC_USD ) > threshold", "price(BTC_USD) > threshold"),
    ("price('BTC_USD') > 1", "price(BTC_USD) > 1"),
    ('price("O\'Hare") > 1', 'price("O\'Hare") > 1'),
    ('x == "it\'s"', 'x == "it\'s"'),
    ('x == "yes"', "x == 'yes'"),
    ("t <= 2026-01-31", "t <= 2026-01-31"),
    ("t <= 2026-01-31T12:00", "t <= 2026-01-31T12:00:00Z"),
    ("t <= 2026-01-31T12:00:00.250+02:00", "t <= 2026-01-31T10:00:00.250000Z"),
    ("t between window.start and window.end", "t between window.start and window.end"),
    ("v >= 1.10.0-rc.1 and w < v2.0", "v >= v1.10.0-rc.1 and w < v2.0"),
    ("x > 2h30m", "x > 9000 s"),
    ("x > 5 m", "x > 5 m"),
    ("x > 3 nautical miles", "x > 3 nautical mile"),
    ("price > $100 USD", "price > 100 USD"),
    ("at_least( 2 , price > 100000)", "at_least(2, price > 100000)"),
    ("at_least(2,100 < price)", "at_least(2, 100 < price)"),
    ("at_least(2, x not in (1, 2)) and AT_LEAST(3, ok)", "at_least(2, x not in (1, 2)) and at_least(3, ok)"),
    ("größe > 1", "größe > 1"),
]


@pytest.mark.parametrize(("written", "normalised"), READ)
def test_what_is_read_prints_in_one_form_that_reads_back_the_same(written: str, normalised: str) -> None:
    found = parse_predicate(written)
    assert found.text == normalised
    assert parse_predicate(found.text) == found


def test_a_predicate_tells_its_names_in_the_order_of_appearance() -> None:
    found = parse_predicate("b(X) > threshold and (a[0].c in (1, 2) or not b(X) <= 2) and at_least(2, d == 'z')")
    assert found.fields == (FieldRef("b", "X"), FieldRef("a[0].c"), FieldRef("d"))
    assert found.literals == (number(1), number(2), text("z"))
    assert [name for name in SPEC_NAMES if found.uses(name)] == ["threshold"]
    assert not found.is_vacuous


REFUSED = [
    ("", 0, "the end of the text"),
    ("   ", 3, "the end of the text"),
    ("BTC closes above $100,000 on 31 January", 4, "closes"),
    ("Will it rain?", 5, "it"),
    ("price above 100", 6, "< <= > >= == != in, not in, between"),
    ("price > 100000 on 31 January", 15, "'on' is not a unit"),
    ("price > 100 today", 12, "'today' is not a unit"),
    ("price > 100 price", 12, "'price' is not a unit"),
    ("price => 5", 6, "did you mean >=?"),
    ("price =< 5", 6, "did you mean <=?"),
    ("price <> 5", 6, "did you mean !=?"),
    ("price === 5", 6, "did you mean ==?"),
    ("price ≥ 5", 6, "did you mean >=?"),
    ("a && b", 2, "did you mean and?"),
    ("a || b", 2, "did you mean or?"),
    ("!a", 0, "did you mean not?"),
    ("x == “yes”", 5, 'did you mean "?'),
    ("1 < x < 5", 6, "not chained: write 1 < x and x < 5"),
    ("x == 1 == 1", 7, "not chained"),
    ("x > 1 y", 6, "'y' is not a unit"),
    ("x > y z", 6, "'and' or 'or'"),
    ("x > 1 and", 9, "the end of the text"),
    ("and x", 0, "a value"),
    ("x > and", 4, "a value"),
    ("threshold", 9, "between"),
    ("5", 1, "between"),
    ("(x > 1", 6, "')'"),
    ("x > 1)", 5, "')'"),
    ("(x) > 1", 4, "'and' or 'or'"),
    ("x in ()", 6, "a value"),
    ("x in 5", 5, "'('"),
    ("x in (1, 2", 10, "')'"),
    ("x in (100,000, 200,000)", 6, "write either 100000 or 100, 000"),
    ("x > 100,00", 7, "','"),
    ("x > 1,0000", 5, "','"),
    ("x > 0,123", 5, "','"),
    ("x > 1.5.", 4, "neither a number nor a version"),
    ("x > .5", 4, "a value"),
    ("x > 5.", 5, "'.'"),
    ("x > 1e999", 4, "digits"),
    ("x > 1" + "0" * 400, 4, "digits"),
    ("x > 007", 4, "digits"),
    ("x > 5 BTC", 6, "'BTC' is not a unit"),
    ("x > 5m", 5, "'m' is not a unit"),
    ("x > 0x10", 5, "'x10' is not a unit"),
    ("x > 5_000", 5, "'_000'"),
    ("x not 5", 6, "'not in'"),
    ("x between 1 or 2", 12, "'between'"),
    ("x == 'abc", 5, "quotation mark"),
    ("t < 2026-02-30", 4, "not a date"),
    ("t < 2026-1-31", 8, "'-1'"),
    ("t < 2026-01-31T25:00", 4, "not a date"),
    ("t < 0001-01-01T00:00:00+02:00", 4, "not a date"),
    ("t < 31/01/2026", 6, "'/'"),
    ("at_least(0, x > 1)", 0, "from 1 to 999"),
    ("at_least(x > 1)", 0, "from 1 to 999"),
    ("at_least(2 x > 1)", 0, "at_least(2, price > 100)"),
    ("at_least(2, x > 1 and y > 1)", 18, "')'"),
    ("at_least(2, at_least(2, x))", 12, "a value"),
    ("at_least > 2", 0, "at_least(2, price > 100)"),
    ("price(a, b) > 1", 5, "an entity is written"),
    ("price() > 1", 5, "an entity is written"),
    ("price (BTC) > 1", 6, "between"),
    ("close-price > 1", 5, "'-'"),
    ("x == null", 5, "a value"),
    ("x > USD 100", 8, "'100'"),
    ("price > 100 (USD)", 12, "'('"),
    ("team == 'A' 'B'", 12, "'and' or 'or'"),
    ("x > １", 4, "a value"),
    ("x > 1; import os", 5, "';'"),
    ("__import__('os').system('x')", 16, "'.'"),
    ("x == '\ud800'", 6, "UTF-8"),
    ("x\x00 > 1", 1, "x00"),
    ("(" * 60 + "x" + ")" * 60, MAX_NESTING + 1, "nested"),
    ("(" * 4000, MAX_NESTING + 1, "nested"),
    ("not " * 900 + "x", None, "nested"),
    (" and ".join(["x"] * (MAX_ATOMS + 1)), None, "at most 200 comparisons"),
    (f"x in ({', '.join(['1'] * (MAX_ATOMS + 1))})", None, "at most 200 comparisons"),
    ("x" * (MAX_CHARACTERS + 1), MAX_CHARACTERS, "at most 4,000 characters"),
]


@pytest.mark.parametrize(("written", "offset", "told"), REFUSED)
def test_what_is_refused_names_the_place_and_the_matter(written: str, offset: int | None, told: str) -> None:
    with pytest.raises(PredicateError) as raised:
        parse_predicate(written)
    assert offset in {None, raised.value.offset}
    assert told in raised.value.sentence
    assert str(raised.value) == f"{raised.value.sentence} (at character {raised.value.offset})"


def test_what_is_just_within_the_budgets_is_read() -> None:
    assert parse_predicate("(" * MAX_NESTING + "x" + ")" * MAX_NESTING).fields == (FieldRef("x"),)
    assert parse_predicate("not " * MAX_NESTING + "x").fields == (FieldRef("x"),)
    assert parse_predicate(" and ".join(["x > 1"] * MAX_ATOMS)).text
    assert parse_predicate(" and ".join(["(not a)"] * (MAX_NESTING + 1))).text
    longest = "x" * MAX_CHARACTERS
    assert parse_predicate(longest).text == longest


INSTANT = "2026-01-31T15:00:00Z"
WORTH = [
    ("x > 100000", number(105000), True),
    ("x > 100000", number(95000), False),
    ("x > 100000", number(100000), False),
    ("x >= 100000", number(100000.0), True),
    ("x == 0.3", number(0.1 + 0.2), False),
    ("x == 0.1", number(0.1), True),
    ("x == 9007199254740993", number(9007199254740992), False),
    ("x == 9007199254740993", number(9007199254740993), True),
    ("x != 1", number(1), False),
    ("1 <= x", number(1), True),
    ("x between 1 and 2", number(2), True),
    ("x between 1 and 2", number(2.1), False),
    ("x in (1, 2)", number(2), True),
    ("x not in (1, 2)", number(2), False),
    ("x > 1", number(float("nan")), None),
    ("x > 1", number(float("inf")), None),
    ("x > 1", number(10**400), True),
    ("x > 1", Value("numeric", "5"), None),
    ("x > 1", Value("numeric", True), None),
    ("x > 1", Value("numeric", 2, high="3"), None),
    ("x > 1", Value("numeric", None), None),
    ("x > 1", Value("numeric", [2]), None),
    ("x > 1", Value("quotation", "5"), None),
    ("x > 1", text("5"), None),
    ("x == 1", text("1"), None),
    ("x == 1", TRUE, None),
    ("x", number(1), None),
    ("x", TRUE, True),
    ("not x", TRUE, False),
    ("x == false", FALSE, True),
    ("x > false", TRUE, None),
    ("x == 'final'", text("  ＦＩＮＡＬ\n"), True),
    ("x == 'Straße  1'", text("STRASSE 1"), True),
    ("x != 'final'", text("finally"), True),
    ("x in ('Final', 'Official')", text("official"), True),
    ("x > 'a'", text("b"), None),
    ("x > 5", number(6, high=9), True),
    ("x > 5", number(1, high=5), False),
    ("x > 5", number(5, high=6), None),
    ("x >= 5", number(5, high=6), True),
    ("x < 5", number(5, high=6), False),
    ("x <= 5", number(5, high=6), None),
    ("x == 5", number(5, high=6), None),
    ("x == 5", number(5, high=5), True),
    ("x == 7", number(5, high=6), False),
    ("x != 7", number(5, high=6), True),
    ("x > 1", number(6, high=5), None),
    ("x between 5 and 6", number(5, high=6), True),
    ("x > 5 USD", number(6, "USD"), True),
    ("x > 5 USD", number(6), True),
    ("x > 5", number(6, "USD"), True),
    ("x > 5 %", number(6), None),
    ("x > 5 USD", number(6, "EUR"), None),
    ("x == 1 h", number(60, "min"), True),
    ("x > 2 h", Value("duration", 7201, None, "s"), True),
    ("x > 2 h", Value("duration", 7200, None, "s"), False),
    ("x > 2 h", Value("duration", 3, None, "h"), True),
    ("x > 7200", Value("duration", 7201, None, "s"), None),
    ("x > 2 km", Value("duration", 7201, None, "s"), None),
    ("x <= 2026-01-31", time("2026-01-31"), True),
    ("x < 2026-01-31", time("2026-01-31"), False),
    ("x == 2026-01-31", time("2026-01-31"), True),
    ("x == 2026-01-31", time("2026-02-01"), False),
    ("x <= 2026-01-31", time(INSTANT), None),
    ("x == 2026-01-31", time(INSTANT), None),
    ("x < 2026-02-01", time(INSTANT), True),
    ("x > 2026-01-30", time(INSTANT), True),
    ("x > 2026-01-31", time("2026-02-01T00:00:00Z"), True),
    ("x < 2026-01-31", time("2026-01-31T00:00:00Z"), None),
    ("x < 2026-01-31", time("2026-02-01T00:00:00Z"), False),
    ("x >= 2026-01-31", time("2026-01-31T00:00:00Z"), None),
    ("x < 2026-02-01T00:00:00Z", time("2026-01-31"), True),
    ("x > 2026-01-31T12:00", time("2026-01-31"), None),
    ("x == 2026-01-31T12:00:00Z", time("2026-01-31T14:00:00+02:00"), True),
    ("x == 2026-01-31T12:00:00Z", time("2026-01-31T12:00:00"), True),
    ("x == 2026-01-31T12:00:00Z", time("2026-01-31T09:30:00-02:30"), True),
    ("x == 2026-01-31T12:00:00Z", time("2026-01-31T12:00:00.000001Z"), False),
    ("x < 2026-02-15", time("2026-02-01", "2026-02-14"), True),
    ("x < 2026-02-15", time("2026-02-01", "2026-02-15"), None),
    ("x < 2026-02-15", time("2026-02-01", "2026-02-14T12:00:00Z"), True),
    ("x < 2026-02-15", time("2026-02-01", "2026-01-01"), None),
    ("x < 2026-02-15", time("yesterday"), None),
    ("x < 2026-02-15", text("2026-02-01"), None),
    ("x < 2026-02-15", Value("timestamp", 1769860800), None),
    ("x >= 2.9.0", Value("version", "2.10"), True),
    ("x == v2.10", Value("version", "2.10.0"), True),
    ("x < '2.10'", Value("version", "v2.9"), True),
    ("x < 2.0.0", Value("version", "2.0.0-rc1"), None),
    ("x < 3.0.0", Value("version", "2.0.0-rc1"), True),
    ("x == 2.0.0-rc1", Value("version", "2.0.0-rc1"), True),
    ("x >= 2.9.0", Value("version", "new"), None),
    ("x >= 2.9", Value("version", "2.10"), None),
]


@pytest.mark.parametrize(("predicate", "value", "expected"), WORTH)
def test_what_a_comparison_is_worth(predicate: str, value: Value, expected: bool | None) -> None:
    assert worth(predicate, x=value) is expected


def test_names_of_the_specification_and_entities_are_looked_up() -> None:
    known = Known({"p(A)": number(2), "t": time(INSTANT)}, {}, {"threshold": number(1), "deadline": time("2026-02-01")})
    assert evaluate(parse_predicate("p(A) > threshold and t < deadline"), known).value is True
    assert evaluate(parse_predicate("p > threshold"), known) == Evaluation(None, ("p has no known value",))
    result = evaluate(parse_predicate("t > window.start and p(B) > 1"), known)
    assert result.reasons == ("window.start has no known value", "p(B) has no known value")


def test_units_are_converted_or_told() -> None:
    assert worth("x == 1 mile", x=number(1.609344, "km")) is True
    assert worth("x > 1 mile", x=number(1.6, "km")) is False
    assert worth("x > 1 mile", x=number(1, "km", 3)) is None
    assert worth("x > 20 °C", x=number(70, "°F")) is True
    result = evaluate(parse_predicate("x > 1 mile"), Known({"x": number(2, "kg")}))
    assert result.reasons == ("x > 1 mile: 2 kg and 1 mile do not compare",)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"a": 11, "b": 12, "c": 1}, True),
        ({"a": 11, "b": 2, "c": 1}, False),
        ({"a": 11, "b": 2, "c": None}, None),
        ({"a": 1, "b": 2, "c": None}, False),
        ({"a": 11, "b": 12, "c": None}, True),
        ({"a": 11}, None),
        ({"a": 1}, None),
        ({}, None),
    ],
)
def test_a_quorum_counts_distinct_sources(told: Mapping[str, int | None], expected: bool | None) -> None:
    sources = {"x": {name: None if value is None else number(value) for name, value in told.items()}}
    result = evaluate(parse_predicate("at_least(2, x > 10)"), Known({}, sources))
    assert (result.value, bool(result.reasons)) == (expected, expected is None)


def test_a_quorum_over_two_fields_compares_within_each_source() -> None:
    sources = {"high": {"a": number(2), "b": number(9)}, "low": {"a": number(1), "c": number(0)}}
    result = evaluate(parse_predicate("at_least(2, high > low)"), Known({}, sources))
    assert result.value is None
    assert result.reasons[0] == "at_least(2, high > low): 1 of 3 sources hold it, 2 unknown"
    assert evaluate(parse_predicate("at_least(1, high > low)"), Known({}, sources)).value is True


def test_reasons_are_few_and_once_each() -> None:
    result = evaluate(parse_predicate(" and ".join(f"f{n} > 1 and f{n} < 5" for n in range(50))), Known())
    assert result.reasons == tuple(f"f{n} has no known value" for n in range(MOST_REASONS))
    assert evaluate(parse_predicate("a > 1 and b > 1"), Known({"b": number(0)})) == Evaluation(False)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("true", True),
        ("1 < 2", True),
        ("threshold > 5", True),
        ("price == price", True),
        ("at_least(2, price == price)", True),
        ("at_least(2, 1 < 2)", True),
        ("threshold > 5 and price > 1", True),
        ("price in (1, price)", True),
        ("price between price and 5", True),
        ("price > 1 or true", True),
        ("price > 1 or 1 < 2", True),
        ("price > 1 or price <= 1", True),
        ("price > 1 or 1 >= price", True),
        ("price > threshold or not price > threshold", True),
        ("price > threshold and threshold >= price", True),
        ("price == threshold or price != threshold", True),
        ("a or not a", True),
        ("a == true or a == false", True),
        ("at_least(2, x > 1) or not at_least(2, x > 1)", True),
        ("price > 1 or price <= 2", True),
        ("price > 2 and price < 1", True),
        ("price > 1 or price <= 2 or volume > 5", True),
        ("x in (1, 2) or x < 1 or x between 1 and 2 or x > 2", True),
        ("s == 'a' and s == 'b'", True),
        ("s != 'a' or s != 'b'", True),
        ("s == 'a' and s != 'Ａ'", True),
        ("t > 2026-01-01 or t < 2026-02-01", True),
        ("t > 2026-01-01T12:00 and t < 2025-01-01", True),
        ("price <= threshold or price > threshold", True),
        ("price > 1", False),
        ("price >= 1", False),
        ("price <= 1", False),
        ("price <= threshold and price < threshold", False),
        ("t > 2026-01-31", False),
        ("t < 2026-01-31", False),
        ("price > 1 and price < 2", False),
        ("price > 1 and volume > 1", False),
        ("price between 1 and 1", False),
        ("t == 2026-01-31", False),
        ("t > 2026-01-31 and t < 2026-02-02", False),
        ("t > 2026-01-31T10:00 and t < 2026-01-31T10:01", False),
        ("s in ('yes', 'no')", False),
        ("s == 'yes' or s == true", False),
        ("high > low", False),
        ("at_least(2, price > 1)", False),
        ("v > 1.2.3", False),
        ("v >= '1.2' and v < '1.3'", False),
        ("price > 5 USD or price < 1 EUR", False),
        ("high > low or low >= high", True),
        ("x > 5 and x > y or x <= 5 or y >= x", True),
        ("at_least(1, x > 1) and at_least(1, x <= 1)", False),
        ("v > v2.9.0 and v < v2.10.0", False),
        ("v >= '1.9' and v < '1.10'", False),
        ("x == 1e99", False),
        ("not cancelled and price > threshold", False),
    ],
)
def test_what_says_nothing_about_the_evidence_is_vacuous(written: str, expected: bool) -> None:
    assert parse_predicate(written).is_vacuous is expected


# Properties

FIELDS = [FieldRef("x"), FieldRef("y"), FieldRef("data[0].price"), FieldRef("p", "BTC_USD"), FieldRef("p", "New York")]
NUMBERS = st.one_of(
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda each: int(each) if each.is_integer() else each),
)
LITERALS = st.one_of(
    st.builds(
        number,
        NUMBERS.filter(lambda each: abs(each) < 1e99 and (each == 0 or abs(each) > 1e-99)),
        st.sampled_from(["", "USD", "%", "km/h", "°C"]),
    ),
    st.builds(Value, st.just("duration"), st.integers(0, 10**9), st.none(), st.just("s")),
    st.sampled_from([TRUE, FALSE]),
    st.text(st.characters(codec="utf-8")).filter(lambda each: not ("'" in each and '"' in each)).map(text),
    st.dates().map(lambda each: time(each.isoformat())),
    st.sampled_from(["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.500000Z"]).map(time),
    st.sampled_from(["1.2.3", "2.0", "1.0.0-rc.1"]).map(lambda each: Value("version", each)),
)
OPERANDS = st.one_of(st.sampled_from(FIELDS), st.sampled_from(SPEC_NAMES).map(SpecName), LITERALS)
COMPARISONS = st.one_of(
    st.builds(Compared, OPERANDS, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), OPERANDS),
    st.builds(Compared, st.sampled_from(FIELDS), st.just("=="), st.just(TRUE)),
)


def negation(condition: Condition) -> Junction:
    return Junction("not", (condition,))


def quorum(count: int, condition: Compared) -> SourceQuorum:
    return SourceQuorum(count, condition, f"at_least({count}, {written_as(condition)})")


def written_as(condition: Condition) -> str:
    """Return a condition as somebody may write it, with more parentheses than needed."""
    if isinstance(condition, Compared):
        return f"{operand_text(condition.left)} {condition.operator} {operand_text(condition.right)}"
    if isinstance(condition, SourceQuorum):
        return condition.text
    if condition.word == "not":
        return f"not ({written_as(condition.conditions[0])})"
    return f" {condition.word} ".join(f"({written_as(each)})" for each in condition.conditions)


CONDITIONS = st.recursive(
    COMPARISONS
    | st.builds(
        quorum,
        st.integers(1, 3),
        st.builds(Compared, st.sampled_from(FIELDS), st.sampled_from([">", "=="]), LITERALS),
    ),
    lambda inner: st.one_of(
        inner.map(negation),
        st.builds(Junction, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)


@given(CONDITIONS)
def test_every_condition_is_read_back(condition: Condition) -> None:
    written = written_as(condition)
    if len(written) <= MAX_CHARACTERS:
        found = parse_predicate(written)
        assert (found.condition, found.text) == (condition, written)


WORDS = """
x price(BTC) 'a' " ' 1 1,000 $5 % 2026-01-31 1.2.3 ( ) , and or not in between at_least(2, true threshold
< <= == => && . - e k [0]
"""
PIECES = st.sampled_from(WORDS.split())


@given(st.one_of(st.text(), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join)))
def test_every_text_is_a_predicate_or_refused(written: str) -> None:
    error = None
    try:
        found = parse_predicate(written)
    except PredicateError as refusal:
        error = refusal
    if error is None:
        assert parse_predicate(found.text) == found
    else:
        assert 0 <= error.offset <= len(written)
        assert error.sentence.isprintable()


TRUTH = st.sampled_from([Evaluation(True), Evaluation(False), Evaluation(None, ("unknown",))])


@given(CONDITIONS, CONDITIONS, st.data())
def test_kleene_s_laws_hold(first: Condition, second: Condition, data: st.DataObject) -> None:
    chosen: dict[object, Evaluation] = {}

    def value(condition: Condition) -> bool | None:
        def judged(atom: Compared | SourceQuorum) -> Evaluation:
            if atom not in chosen:
                chosen[atom] = data.draw(TRUTH)
            return chosen[atom]

        return combined(condition, judged).value

    both, either = Junction("and", (first, second)), Junction("or", (first, second))
    assert value(negation(negation(first))) is value(first)
    assert value(negation(both)) is value(Junction("or", (negation(first), negation(second))))
    assert value(both) is value(Junction("and", (second, first)))
    assert value(either) is value(Junction("or", (second, first)))
    assert value(Junction("and", (first, either))) is value(first)
    assert value(Junction("or", (first, both))) is value(first)
    order = {False: 0, None: 1, True: 2}
    assert order[value(both)] == min(order[value(first)], order[value(second)])
    assert order[value(either)] == max(order[value(first)], order[value(second)])


SMALL = st.integers(0, 4)
RANGES = st.builds(lambda low, more: number(low, high=low + more), SMALL, SMALL)
POINTS = st.one_of(
    RANGES,
    st.builds(number, SMALL, st.sampled_from(["", "USD", "h"])),
    st.sampled_from([TRUE, FALSE, text("a"), time("2026-01-31"), time(INSTANT), Value("version", "1.2.3")]),
)
SIMPLE = st.builds(
    Compared,
    st.sampled_from(FIELDS),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    st.one_of(st.sampled_from(FIELDS), POINTS.filter(lambda each: each.high is None)),
)
SIMPLE_CONDITIONS = st.recursive(
    SIMPLE | st.builds(quorum, st.integers(1, 3), SIMPLE),
    lambda inner: st.one_of(
        inner.map(negation),
        st.builds(Junction, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


def narrowed(value: Value | None, data: st.DataObject) -> Value | None:
    """Return the value with more known of it: something for nothing, a part for a range."""
    if value is None:
        return data.draw(st.none() | POINTS)
    if value.high is None:
        return value
    low = data.draw(st.integers(int(value.value), int(value.high)))
    return replace(value, value=low, high=data.draw(st.integers(low, int(value.high))))


@given(SIMPLE_CONDITIONS, st.data())
def test_more_that_is_known_never_turns_an_answer_around(condition: Condition, data: st.DataObject) -> None:
    maybe = st.none() | POINTS
    values = {f"{each.name}({each.entity})" if each.entity else each.name: data.draw(maybe) for each in FIELDS}
    sources = {each.name: {source: data.draw(maybe) for source in "abc"} for each in FIELDS}
    more_sources = {name: {key: narrowed(each, data) for key, each in told.items()} for name, told in sources.items()}
    predicate = EventPredicate(written_as(condition), condition, False)
    before = evaluate(predicate, Known(values, sources))
    after = evaluate(predicate, Known({name: narrowed(each, data) for name, each in values.items()}, more_sources))
    assert before.value is None or after.value is before.value
    assert (before.value is None) is bool(before.reasons)


@given(st.data())
def test_the_time_of_a_day_never_turns_an_answer_around(data: st.DataObject) -> None:
    days = st.sampled_from(["2026-01-30", "2026-01-31", "2026-02-01"])
    day, other, later = data.draw(days), data.draw(days), data.draw(days)
    hour = data.draw(st.sampled_from(["00:00", "12:00", "23:59:59.9"]))
    ends = sorted((day, later))
    for operator in ("<", "<=", ">", ">=", "==", "!="):
        predicate = f"x {operator} {other}{data.draw(st.sampled_from(['', 'T00:00', 'T12:00']))}"
        whole = worth(predicate, x=time(*ends))
        inside = worth(predicate, x=time(f"{data.draw(st.sampled_from(ends))}T{hour}"))
        assert {whole, inside} != {True, False}


@given(
    st.recursive(
        SIMPLE.filter(lambda each: each.left != each.right),
        lambda inner: st.one_of(
            inner.map(negation),
            st.builds(Junction, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple)),
        ),
        max_leaves=5,
    ),
    st.lists(st.dictionaries(st.sampled_from(FIELDS), POINTS | st.integers(-9, 9).map(number)), max_size=20),
)
def test_what_may_be_true_and_may_be_false_is_not_vacuous(
    condition: Condition, worlds: list[dict[FieldRef, Value]]
) -> None:
    predicate = parse_predicate(written_as(condition))
    answers = set()
    for world in worlds:
        values = {f"{each.name}({each.entity})" if each.entity else each.name: world[each] for each in world}
        answers.add(evaluate(predicate, Known(values)).value)
    assert not (predicate.is_vacuous and {True, False} <= answers)


def calls(written: str) -> int:
    profile = cProfile.Profile()
    with suppress(PredicateError):
        profile.runcall(parse_predicate, written)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # the stubs leave it out


@pytest.mark.parametrize(
    "part",
    [
        "x",
        " ",
        "9",
        "a.",
        "x>1 or ",
        "x in (1,1,",
        "'",
        "1,000",
        "! ",
        "$",
        "2026-01-31",
        "1.",
        "x[0]",
        "(a or ",
        "x \t",
    ],
)
def test_work_grows_with_the_length_and_no_faster(part: str) -> None:
    short, long = (calls((part * count)[:count]) for count in (500, 4000))
    assert long < 12 * short + 2000
