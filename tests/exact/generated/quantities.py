"""Claims about quantities: every unit is a number of base units by its international definition."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families, last_digit_changed, nearly, related, rounded, written

Unit = tuple[str, Fraction]
"""How a unit is written, and how many base units it is."""
_TABLE: Final = {
    "length": (
        "mm|millimetres=0.001; cm|centimeters=0.01; m|metres|meters=1; km|kilometres=1000; in|inch|inches=0.0254; "
        "ft|feet=0.3048; yd|yards=0.9144; mile|miles=1609.344; nautical_miles=1852; µm|micrometres=0.000001"
    ),
    "mass": "mg|milligrams=0.001; g|grams=1; kg|kilograms=1000; lb|pounds=453.59237; metric_ton|tonnes=1000000",
    "time": "ms|milliseconds=0.001; s|seconds=1; min|minutes=60; h|hours=3600; days=86400; weeks=604800",
    "volume": "mL|millilitres=0.001; L|litres|liters=1; us_gallons=3.785411784; imperial_gallons=4.54609; m^3=1000",
    "energy": "J|joules=1; kJ=1000; MJ=1000000; kWh=3600000; W*h=3600; N*m=1; cal_th=4.184",
    "pressure": "Pa|pascals=1; kPa=1000; hPa=100; bar=100000; atm=101325; mbar=100",
    "data": "bit|bits=1; B|bytes=8; kB=8000; KiB=8192; MB=8000000; MiB=8388608; GB=8e9; GiB=8589934592; Mb=1e6",
    "area": "m^2=1; ha|hectares=10000; acres=4046.8564224; km^2=1e6; cm^2=0.0001",
    "power": "W|watts=1; kW=1000; MW|megawatts=1000000; mW=0.001",
    "angle": "deg|degrees=1; arcmin=1/60; turns=360",
    "frequency": "Hz|hertz=1; kHz=1000; MHz=1000000; GHz=1000000000",
    "speed": "m/s=1; km/h=5/18; mph=0.44704; ft/s=0.3048",
    "density": "kg/m^3=1; g/cm^3=1000; g/L=1",
    "acceleration": "m/s^2=1; km/(h*s)=5/18; standard_gravity=9.80665; ft/s^2=0.3048",
}
_UNITS: Final = {
    name: [(names.split("|"), Fraction(value)) for names, value in (row.strip().split("=") for row in rows.split(";"))]
    for name, rows in _TABLE.items()
}
_SUMS: Final = (
    ("ft", "in", 12),
    ("h", "min", 60),
    ("min", "s", 60),
    ("days", "h", 24),
    ("lb", "avoirdupois_ounces", 16),
)
_EQUAL: Final = (
    ("{} N", "{} kg*m/s^2"),
    ("{} J", "{} N*m"),
    ("{} W", "{} J/s"),
    ("{} Pa", "{} N/m^2"),
    ("{} V", "{} W/A"),
    ("{} coulomb * 2 V", "2 * {} J"),
    ("{} Hz", "{} s^-1"),
    ("{} ohm", "{} V/A"),
    ("{} J/(kg*K)", "{} m^2/(s^2*K)"),
)
_SCALES: Final = {
    "°C": (Fraction(1), Fraction(27315, 100)),
    "degC": (Fraction(1), Fraction(27315, 100)),
    "°F": (Fraction(5, 9), Fraction(45967, 180)),
    "degF": (Fraction(5, 9), Fraction(45967, 180)),
    "K": (Fraction(1), Fraction(0)),
}


def _amount(random: Random) -> Fraction:
    return Fraction(random.randint(1, random.choice([9, 99, 10**6])), random.choice([1, 1, 2, 10, 100]))


def _number(random: Random, value: Fraction) -> str:
    if value.denominator == 1 and random.random() < 0.3:
        return f"{value.numerator}"
    if value.numerator % 1000 == 0 and value.denominator == 1 and value:
        return f"{value.numerator // 1000}e3"
    return written(value, random)


def _picked(random: Random, dimension: str | None = None) -> tuple[str, Unit, Unit]:
    dimension = dimension or random.choice(list(_UNITS))
    (one, a), (two, b) = random.sample(_UNITS[dimension], 2)
    return dimension, (random.choice(one), a), (random.choice(two), b)


def _equals(random: Random) -> str:
    return random.choice(["=", "=="])


def _conversion(random: Random, truth: bool) -> Made:
    _, (one, a), (two, b) = _picked(random)
    amount = _amount(random)
    value = amount * a / b
    told = value if truth and random.random() < 0.5 else nearly(random, value)
    sign = _equals(random) if (told == value) is truth else ""
    sign = sign if sign and random.random() < 0.6 else related(random, value, told, truth)
    return f"{_number(random, amount)} {one} {sign} {_number(random, told)} {two}", {}


def _rounded(random: Random, truth: bool) -> Made:
    while True:
        _, (one, a), (two, b) = _picked(random)
        amount, places = _amount(random), random.randint(0, 6)
        text = rounded(amount * a / b, places)
        if text is not None and len(text) > 1 and Fraction(text):
            break
    if not truth:
        text = last_digit_changed(random, text)
    return f"{written(amount)} {one} {random.choice(['~=', '≈'])} {text} {two}", {}


def _sum_of_two_units(random: Random, truth: bool) -> Made:
    high, low, times = random.choice(_SUMS)
    first, second = random.randint(1, 40), random.randint(1, times - 1)
    total = Fraction(first * times + second)
    told = total if truth else nearly(random, total)
    sum_ = f"{first} {high} + {second} {low}"
    if random.random() < 0.3:
        return f"{sum_} = {written(told / times)} {high}", {}
    sides = [sum_, f"{written(told)} {low}"]
    return " = ".join(sides if random.random() < 0.6 else sides[::-1]), {}


def _quotient_and_power(random: Random, truth: bool) -> Made:
    """A quotient of two units, with powers, in two other units of the same dimensions."""
    while True:
        first, (one, a), (two, b) = _picked(random, random.choice(["length", "mass", "energy", "data", "volume"]))
        second, (three, c), (four, d) = _picked(random, random.choice(["time", "length", "mass"]))
        # A product behind a quotient needs brackets, and a power of a product or a power binds another part.
        if first != second and not any(each in unit for unit in (one, two, three, four) for each in "*/^"):
            break
    power = random.choice([1, 1, 2, 3])
    amount = _amount(random)
    value = amount * (a / b) / (c / d) ** power
    told = value if truth else nearly(random, value)
    raised = {1: "{}", 2: "{}^2", 3: "{}**3"}[power]
    per = random.choice(["/", " / "])
    sides = [f"{written(n)} {x}{per}{raised.format(y)}" for n, x, y in ((amount, one, three), (told, two, four))]
    return " = ".join(sides), {}


def _dimensions(random: Random, truth: bool) -> Made:
    number = written(_amount(random))
    if truth:
        return " = ".join(each.format(number) for each in random.choice(_EQUAL)), {}
    one, two = random.sample([each for each in _UNITS if each not in {"data", "angle", "frequency"}], 2)
    pair = [random.choice(random.choice(_UNITS[each])[0]) for each in (one, two)]
    return f"{number} {pair[0]} {random.choice(['=', '<', '>='])} {number} {pair[1]}", {}


def _temperature(random: Random, truth: bool) -> Made:
    (one, (a, zero)), (two, (b, start)) = random.sample(list(_SCALES.items()), 2)
    amount = Fraction(random.randint(-40, 400) if zero else random.randint(230, 500))
    kelvin = amount * a + zero
    value = (kelvin - start) / b
    told = value if truth else nearly(random, value)
    if told * b + start < 0:
        told = value + 1
    if random.random() < 0.3:
        return f"{amount} {one} {related(random, value, told, truth)} {written(told)} {two}", {}
    if random.random() < 0.2:
        step = random.randint(1, 30)
        return f"{amount} °C + {step} delta_C = {amount + step + (not truth)} °C", {}
    return f"{amount} {one} {_equals(random)} {written(value if truth else told)} {two}", {}


def _chain(random: Random, truth: bool) -> Made:
    units = random.sample(_UNITS[random.choice(["length", "time", "data", "mass"])], 3)
    amount = _amount(random)
    sides = [amount * units[0][1] / scale for _, scale in units]
    if not truth:
        sides[2] = nearly(random, sides[2])
    return " = ".join(f"{written(n)} {random.choice(names)}" for n, (names, _) in zip(sides, units, strict=True)), {}


FAMILIES: Final = families(
    "units", _conversion, _rounded, _sum_of_two_units, _quotient_and_power, _dimensions, _temperature, _chain
)
