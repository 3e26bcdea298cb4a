"""Claims about quantities with units."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.frozen import thaw
from probatum.exact import check
from probatum.exact.claim import CannotDecideError
from probatum.exact.units.quantities import resolved
from probatum.exact.units.table import BASES, known_names, meanings_of
from tests.exact.claims import (
    ANSWERS,
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
    "1 mile == 1.609344 km",
    "1 mile = 1.609344 km",
    "1 nautical_mile == 1.852 km",
    "1000 m == 1 km",
    "1 m == 100cm",
    "100 °C == 212 °F",
    "0 °C == 273.15 K",
    "-40 degC == -40 degF",
    "0 K == -459.67 °F",
    "98.6 °F ~= 37.0 °C",
    "72 °F ≈ 295 K",
    "1 mi ~= 1.6e3 m",
    "-40 °F ~= -40.0 °C",
    "20 °C + 5 delta_C == 25 °C",
    "25 °C - 20 °C == 5 K",
    "10 °C < 60 °F",
    "60 km/h == 50/3 m/s",
    "60 km/h ~= 16.67 m/s",
    "(60 km)/(2 h) == 30 km/h",
    "9.80665 m/s^2 == 1 standard_gravity",
    "1 J/(kg*K) == 1 m^2/(s^2*K)",
    "1 N*m == 1 J",
    "5 coulomb * 2 V == 10 J",
    "1 kWh == 3.6 MJ",
    "1 psi ~= 6894.76 Pa",
    "760 torr == 1 atm",
    "5 ft + 3 in == 63 in",
    "-(5 ft + 3 in) == -63 in",
    "2 h + 30 min == 150 min",
    "1 KiB == 1024 B",
    "1 MiB > 1 MB",
    "8 Mb == 1 MB",
    "1 us_gallon == 3.785411784 L",
    "1 short_ton < 1 tonne < 1 long_ton",
    "180 deg == pi*rad",
    "180 deg ~= 3.14159 rad",
    "57 deg < 1 rad < 58 deg",
    "1 turn == 360 degrees",
    "3.26 ly < 1 pc < 3.27 ly",
    "50% == 0.5",
    "1 ft**3 == 1728 in^3",
    "1 µm == 1e-6 m",
    "1 acre == 43560 ft^2",
    "120 km / 2 h == 60 km/h",
    "60 km/h * 2 h == 120 km",
    "(5 ft + 3 in) / 2 == 31.5 in",
    "1000 g == 1 kg",
    "4.184 J/(g*°C) == 4184 J/(kg*K)",
    "1e-5 /°C == 1e-5 /K",
    "9 Δ°F == 5 Δ°C",
    "20 °C + 5 K == 25 °C",
    "1 kilowatt_hour == 3.6 MJ",
    "1 Nm == 1 J",
    "100 Mbps == 12.5 MB/s",
    "2 * 3 m != 5 m",
    "1 Hz == 1 s^-1",
    "1 Hz == 1 s^(-1)",
]
FALSE = [
    ("1 mm == 0 km", "units.fails"),
    ("1 mile == 1.6 km", "units.fails"),
    ("60 km/h == 16.666 m/s", "units.fails"),
    ("72 °F ~= 23 °C", "units.fails"),
    ("1 mi ~= 1.7e3 m", "units.fails"),
    ("10 delta_C == 18.1 delta_F", "units.fails"),
    ("10 °C == 18 °F", "units.fails"),
    ("1 GB == 1 GiB", "units.fails"),
    ("60 km/h ~= 16.66 m/s", "units.fails"),
    ("100 °C == 213 °F", "units.fails"),
    ("10 K == 10 °C", "units.fails"),
    ("180 deg == 3.14159 rad", "units.fails"),
    ("1 kg == 2.2 lb", "units.fails"),
    ("1 m < 2 m < 200 cm", "units.fails"),
    ("1 lb == 1 lbf", "units.dimension"),
    ("5 == 5 m", "units.dimension"),
    ("1 m == 1 kg", "units.dimension"),
    ("1 km/h == 1 km", "units.dimension"),
    ("1 m + 1 s == 2 m", "units.dimension"),
]
OPEN = [
    ("1 ton == 1000 kg", UNDECIDED, "units.ambiguous"),
    ("1 ton > 900 kg", UNDECIDED, "units.ambiguous"),
    ("100 C == 212 F", UNDECIDED, "units.ambiguous"),
    ("1 gallon == 3.785411784 L", UNDECIDED, "units.ambiguous"),
    ("1 oz == 31.1034768 g", UNDECIDED, "units.ambiguous"),
    ("1 kcal == 4184 J", UNDECIDED, "units.ambiguous"),
    ("1 KB == 1024 B", UNDECIDED, "units.ambiguous"),
    ("1 year == 365 days", UNDECIDED, "units.ambiguous"),
    ("20 °C + 5 °C == 25 °C", UNDECIDED, "units.temperature_unclear"),
    ("25 °C - 298.15 K == 0 K", UNDECIDED, "units.temperature_unclear"),
    ("2 * 10 °C == 20 °C", UNDECIDED, "units.temperature_unclear"),
    ("5 delta_C == 5 °C", UNDECIDED, "units.temperature_unclear"),
    ("-5 K == -5000 mK", UNDECIDED, "units.temperature_unclear"),
    ("60 rpm == 1 Hz", UNDECIDED, "units.angle_unclear"),
    ("180 deg + 1 rad == 4 rad", UNDECIDED, "units.beyond"),
    ("1 m != 1 kg", UNDECIDED, "units.dimension"),
    ("1 m ~= 3 ft + 3 in", UNDECIDED, "math.rounding_unclear"),
    ("25 mm ~= 2 cm", UNDECIDED, "math.rounding_unclear"),
    ("3 m ~= 3 m - m", UNDECIDED, "math.rounding_unclear"),
    ("100 m + 10% == 110 m", UNDECIDED, "units.dimension"),
    ("°C == K", UNDECIDED, "units.temperature_unclear"),
    ("20 * (5 °C) == 100 K", UNDECIDED, "units.temperature_unclear"),
    ("0 °C - (-(5 °C)) == 551.3 K", UNDECIDED, "units.temperature_unclear"),
    ("2 °C * 3 m == 6 K*m", UNDECIDED, "units.temperature_unclear"),
    ("1/0 m == 1 m", UNDECIDED, "units.undefined"),
    ("1 m / (1 m - 1 m) == 1", UNDECIDED, "units.undefined"),
    ("((((1 km)^20)^20)^20)^20 == 1 m", UNDECIDED, "engine.out_of_budget"),
    ("1e999 m * 1e999 m == 1 m^2", UNDECIDED, "engine.out_of_budget"),
    ("(" * 100 + "1 m" + ")" * 100 + " == 1 m", UNDECIDED, "engine.too_large"),
    ("1 m == " + "1 m + " * 400 + "1 m", UNDECIDED, "engine.too_large"),
    ("-300 °C == -26.85 K", BLOCKED, "units.below_absolute_zero"),
    ("-500 °F < 0 °F", BLOCKED, "units.below_absolute_zero"),
    ("-300 °C + 100 delta_C == -200 °C", BLOCKED, "units.below_absolute_zero"),
    ("-1 K == -274.15 °C", BLOCKED, "units.below_absolute_zero"),
    ("10 J/kg*K == 10 J/(kg*K)", BLOCKED, "units.syntax"),
    ("1 / 4 s == 0.25 Hz", BLOCKED, "units.syntax"),
    ("1 N m == 1 J", BLOCKED, "units.syntax"),
    ("5 ft 3 in == 63 in", BLOCKED, "units.syntax"),
    ("1,000 m == 1 km", BLOCKED, "units.syntax"),
    ("3 m² == 3 m^2", BLOCKED, "units.syntax"),
    ("3 m^2^2 == 3 m^4", BLOCKED, "units.syntax"),
    ("5 °C m == 5 m", BLOCKED, "units.syntax"),
    ("1 m ~= 1 m ~= 1 m", BLOCKED, "units.syntax"),
    ("60 km/h == 16.666… m/s", BLOCKED, "units.syntax"),
    ("3 square metres == 3 m^2", BLOCKED, "units.unknown"),
    ("60 miles per hour == 60 mph", BLOCKED, "units.syntax"),
    ("1 mile is 1.609344 km", BLOCKED, "units.syntax"),
    ("1 mile is less than 2 km", BLOCKED, "units.syntax"),
    ("", BLOCKED, "units.syntax"),
    ("1 m", BLOCKED, "units.syntax"),
    ("1 m == 1 m and 2 m == 2 m", BLOCKED, "units.syntax"),
    ("about 1 mile == 1.6 km", BLOCKED, "units.unknown"),
    ("1 MBAR == 0.001 bar", BLOCKED, "units.unknown"),
    ("1 Mw == 1 W", BLOCKED, "units.unknown"),
    ("1 dB == 0.1 B", BLOCKED, "units.unknown"),
    ("5 apples == 5 oranges", BLOCKED, "units.unknown"),
]


@pytest.mark.parametrize("statement", TRUE)
def test_true_claims_are_proved_and_every_digit_of_the_certificate_counts(statement: str) -> None:
    assert ruled("units", statement).outcome is PROVED
    require_every_digit_counts(claim_of("units", statement))


@pytest.mark.parametrize(("statement", "constraint"), FALSE)
def test_false_claims_are_refuted(statement: str, constraint: str) -> None:
    assert outcome_of("units", statement) == (REFUTED, constraint)


@pytest.mark.parametrize(("statement", "outcome", "constraint"), OPEN)
def test_other_claims_say_what_stands_in_their_way(statement: str, outcome: object, constraint: str) -> None:
    assert outcome_of("units", statement) == (outcome, constraint)


@pytest.mark.parametrize(
    "side", ["m" + "*m" * 480, "m^20" + "*m^20" * 180, "1" + "+1" * 499, "m*(" * 15 + "m" + ")" * 15]
)
def test_long_statements_are_decided_or_refused(side: str) -> None:
    assert outcome_of("units", f"{side} == {side}") in ((PROVED, "units.holds"), (UNDECIDED, "engine.out_of_budget"))


def test_an_ambiguous_unit_is_named() -> None:
    assert "metric_ton" in ruled("units", "1 ton == 1000 kg").detail


def test_a_certificate_does_not_serve_another_statement() -> None:
    certificate = thaw(ruled("units", "1 mile == 1609.344 m").evidence)
    for other in ("1 mile = 1.6 km", "2 miles = 3218.688 m", "1 mile != 1609.344 m", "1 ton = 1 ton"):
        with pytest.raises(ValueError):
            check(claim_of("units", other), certificate)  # type: ignore[arg-type]  # JSON


def test_every_definition_leads_to_base_units_or_has_several_meanings() -> None:
    for name in known_names():
        if len(meanings_of(name)) > 1:
            with pytest.raises(CannotDecideError):
                resolved(name)
        else:
            assert all(each in BASES for each, _ in resolved(name).dimensions)


def test_a_claim_is_printed_as_it_is_read() -> None:
    rows = {
        "1 N * m=1J": "1 N*m == 1 J",
        "-( 5 ft+3in )≠1 m": "-(5 ft + 3 in) != 1 m",
        "120 km/ 2 h > 1 m/s": "120 km / 2 h > 1 m/s",
    }
    for statement, stated in rows.items():
        assert ruled("units", statement).stated == stated
        assert ruled("units", stated).stated == stated


@given(
    st.fractions(-1000, 1000, max_denominator=1000), st.sampled_from(["mile", "hour", "lb", "kPa", "GiB", "eV", "acre"])
)
def test_a_quantity_is_itself_and_nothing_near_it(value: Fraction, unit: str) -> None:
    near = value + Fraction(1, 10**9)
    shown = str(value).replace("-", "- ")
    assert outcome_of("units", f"{value} {unit} = {shown} {unit}")[0] is PROVED
    assert outcome_of("units", f"{value} {unit} = {near} {unit}")[0] is REFUTED
    assert outcome_of("units", f"{value} {unit} < {near} {unit}")[0] is PROVED


WORDS = ("not", "about", "false", "and", "or later", "exactly not", "at least")


@given(st.sampled_from(TRUE), st.sampled_from(WORDS), st.integers(0, 12))
def test_a_word_more_is_never_left_out(statement: str, word: str, place: int) -> None:
    parts = statement.split(" ")
    parts.insert(min(place, len(parts)), word)
    assert outcome_of("units", " ".join(parts))[0] in (BLOCKED, UNDECIDED)


PIECES = (
    *("1", "2.5", "1/2", "0", "1e3", "m", "km", "s", "kg", "g", "C", "°C", "°F", "K", "delta_C", "ton", "oz", "per"),
    *("/", "*", "+", "-", "(", ")", "^", "-2", "²", "squared", "square", "in", "=", "<", "~=", "is", "pi", "rad"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_statement_crashes(pieces: list[str]) -> None:
    assert outcome_of("units", " ".join(pieces))[0] in ANSWERS


SCALES: dict[str, tuple[Fraction, Fraction]] = {
    "K": (Fraction(0), Fraction(1)),
    "°C": (Fraction("273.15"), Fraction(1)),
    "°F": (Fraction("459.67"), Fraction(5, 9)),
}


@given(st.integers(-30_000, 60_000), st.sampled_from(list(SCALES)), st.sampled_from(list(SCALES)), st.integers(-1, 1))
def test_temperatures_are_those_of_their_scales(hundredths: int, one: str, two: str, slip: int) -> None:
    value = Fraction(hundredths, 100)
    kelvins = (value + SCALES[one][0]) * SCALES[one][1]
    other = kelvins / SCALES[two][1] - SCALES[two][0] + Fraction(slip, 1000)
    outcome = outcome_of("units", f"{value} {one} = {other} {two}")[0]
    if min(kelvins, (other + SCALES[two][0]) * SCALES[two][1]) < 0:
        assert outcome in (BLOCKED, UNDECIDED)
    else:
        assert outcome is (REFUTED if slip else PROVED)


def test_definitions_are_those_of_a_registry_of_units() -> None:
    pint = pytest.importorskip("pint")
    registry = pint.UnitRegistry(non_int_type=Fraction)
    names = {
        **{"cal_th": "calorie", "us_gallon": "gallon", "us_cup": "cup", "us_fl_oz": "fluid_ounce"},
        **{"us_tbsp": "tablespoon", "us_tsp": "teaspoon", "mechanical_horsepower": "hp", "c": "speed_of_light"},
        **{"avoirdupois_ounce": "ounce", "oil_barrel": "oil_bbl", "imperial_pint": "imperial_pint"},
    }
    units = "mile inch nautical_mile angstrom light_year lb stone grain carat short_ton long_ton hectare knot"
    for name in (*units.split(), *names, "imperial_gallon", "kgf", "lbf", "psi", "atm", "torr", "erg", "week", "eV"):
        theirs = registry.Quantity(Fraction(1), names.get(name, name)).to_base_units()
        ours = resolved(name)
        mass = dict(ours.dimensions).get("mass", 0)
        assert ours.value / 1000**mass == theirs.magnitude, name
