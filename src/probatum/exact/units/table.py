"""What units are: exact definitions, as data, and the names and prefixes by which they are found.

A name that people use for several units has all of them, ``ton`` for instance, and stands for none. Prefixes are those
of the SI, and the binary ones for bits and bytes: ``kB`` is 1000 bytes and ``KiB`` 1024.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

BASES: Final = frozenset(
    {"length", "mass", "time", "current", "temperature", "amount", "luminosity", "information", "angle", "pi"}
)
"""What no definition leads beyond; a power of pi is carried along like a unit."""
OFFSETS: Final = {"celsius": "273.15", "fahrenheit": "459.67"}
"""Scales that do not begin at absolute zero: where zero lies, in degrees of their own above it."""
_LARGE: Final = {"k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21, "Y": 24}
_SMALL: Final = {
    **{"da": 1, "h": 2, "d": -1, "c": -2, "m": -3, "u": -6, "µ": -6, "μ": -6, "n": -9, "p": -12, "f": -15, "a": -18},
}
_LARGE_WORDS: Final = {"kilo": 3, "mega": 6, "giga": 9, "tera": 12, "peta": 15, "exa": 18}
_SMALL_WORDS: Final = {
    **{"deca": 1, "hecto": 2, "deci": -1, "centi": -2, "milli": -3, "micro": -6, "nano": -9, "pico": -12, "femto": -15},
}
_BINARY: Final = {
    **{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60},
    **{"kibi": 10, "mebi": 20, "gibi": 30, "tebi": 40, "pebi": 50},
}
_OF_BITS: Final = ("bit", "B", "byte")
_UNPREFIXED: Final = ("celsius", "fahrenheit", "standard_gravity")
"""Meanings that a prefix rules out."""
_DEFINITIONS: Final = """
*m *metre *meter = length; *gram *gramme *g = mass; *s *second sec secs = time
*A *ampere *amp = current; *K *kelvin = temperature; *mol *mole = amount; *cd *candela = luminosity
+bit = information; *rad *radian = angle; pi = pi
celsius = 1 kelvin; fahrenheit = 5/9 kelvin; degC °C ℃ deg_C degrees_C degrees_celsius degree_celsius = celsius
degF °F ℉ deg_F degrees_F degrees_fahrenheit degree_fahrenheit = fahrenheit
delta_C delta_degC delta_°C Δ°C Δ_°C = 1 kelvin; delta_F delta_degF delta_°F Δ°F Δ_°F = 5/9 kelvin
degR °R rankine = 5/9 kelvin; *C = coulomb | celsius; *F = farad | fahrenheit
+B +byte = 8 bit; +bps = 1 bit/s; b = 1 bit; kb = 1e3 bit; Mb = 1e6 bit; Gb = 1e9 bit; KB = 1000 byte | 1024 byte
% percent = 1/100; ppm = 1e-6; dozen = 12
min mins minute = 60 s; h hr hrs hour = 3600 s; d day = 86400 s; week wk = 7 day; fortnight = 14 day
year yr yrs = 365 day | 365.25 day | 365.2425 day | 366 day
month = 28 day | 29 day | 30 day | 31 day | 30.4375 day | 30.436875 day
in inch inches = 0.0254 m; ft foot feet = 0.3048 m; yd yard = 0.9144 m; mi mile = 1609.344 m
nmi nautical_mile = 1852 m; thou = 1/1000 inch; furlong = 220 yard; fathom = 6 ft; micron = 1e-6 m
angstrom Å = 1e-10 m
au AU astronomical_unit = 149597870700 m; ly light_year lightyear = 9460730472580800 m; *pc *parsec = 648000 au/pi
t +tonne metric_ton = 1000 kg; short_ton us_ton = 2000 lb; long_ton imperial_ton = 2240 lb
ton = metric_ton | short_ton | long_ton; kt = knot | 1e6 kg; Mt = 1e9 kg; Gt = 1e12 kg; lb lbs pound = 453.59237 gram
avoirdupois_ounce = 1/16 lb; troy_ounce ozt = 31.1034768 gram
oz ounce = avoirdupois_ounce | troy_ounce | us_fl_oz | imperial_fl_oz; grain = 1/7000 lb; carat ct = 0.2 gram
st stone = 14 lb
*L *l *litre *liter = 1e-3 m^3; cc = 1e-6 m^3; us_gallon us_gal = 231 in^3; imperial_gallon uk_gallon = 4.54609 L
gallon gal = us_gallon | imperial_gallon; us_quart us_qt = 1/4 us_gallon; imperial_quart = 1/4 imperial_gallon
quart qt = us_quart | imperial_quart; us_pint us_pt = 1/8 us_gallon; imperial_pint uk_pint = 1/8 imperial_gallon
pint = us_pint | imperial_pint; pt = us_pint | imperial_pint | 1/72 inch; us_cup = 1/16 us_gallon; metric_cup = 250 mL
cup = us_cup | metric_cup | 240 mL | 1/16 imperial_gallon; us_fl_oz us_fluid_ounce = 1/128 us_gallon
imperial_fl_oz imperial_fluid_ounce uk_fl_oz = 1/160 imperial_gallon
fl_oz floz fluid_ounce = us_fl_oz | imperial_fl_oz; us_tbsp us_tablespoon = 1/2 us_fl_oz
us_tsp us_teaspoon = 1/6 us_fl_oz; tbsp tablespoon = us_tbsp | 15 mL | 20 mL; tsp teaspoon = us_tsp | 5 mL
oil_barrel = 42 us_gallon; barrel bbl = oil_barrel | 31.5 us_gallon | 31 us_gallon | 7056 in^3 | 36 imperial_gallon
ha hectare = 1e4 m^2; acre = 4840 yd^2
mph = 1 mile/hour; kph kmh = 1 km/hour; knot knots kn = 1 nautical_mile/hour; rpm = 1 turn/min
turn rev revolution = 2 pi*rad; deg degree ° = 1/180 pi*rad; arcmin arcminute = 1/60 degree
arcsec arcsecond = 1/3600 degree; gradian gon = 1/200 pi*rad
*Hz *hertz = 1/s; *N *newton = 1 kg*m/s^2; dyn dyne = 1e-5 N; kgf kilogram_force = 9.80665 N
lbf pound_force = 4.4482216152605 N; standard_gravity = 9.80665 m/s^2; c speed_of_light = 299792458 m/s
*Pa *pascal = 1 N/m^2; *bar = 1e5 Pa; atm atmosphere = 101325 Pa; torr = 101325/760 Pa; mmHg = 133.322387415 Pa
psi = 1 lbf/in^2
*J *joule *Nm newton_metre newton_meter = 1 N*m; ft_lb foot_pound = 1 ft*lbf | 1 ft*lb; *W *watt = 1 J/s
*Wh watt_hour = 3600 J; kilowatt_hour = 1 kWh; *eV electronvolt = 1.602176634e-19 J; erg = 1e-7 J
cal_th thermochemical_calorie = 4.184 J; cal_IT international_calorie = 4.1868 J; cold_calorie = 4.204 J
*cal *calorie = cal_th | cal_IT | cold_calorie; Cal = 1000 cal_th | 1000 cal_IT | 1000 cold_calorie
btu_IT = 1055.05585262 J; BTU Btu = btu_IT | 1897.83047608/1.8 J | 1055.056 J; mechanical_horsepower = 550 ft*lbf/s
metric_horsepower PS = 735.49875 W; hp horsepower = mechanical_horsepower | metric_horsepower | 746 W
*V *volt = 1 W/A; *ohm *Ω *Ω = 1 V/A; *S *siemens = 1 A/V; coulomb = 1 A*s; farad = 1 A*s/V; *Wb *weber = 1 V*s
*T *tesla = 1 Wb/m^2; *H *henry = 1 Wb/A; *Ah = 3600 A*s
"""
"""``*`` before a name: with every prefix; ``+``: with those for multiples. ``|`` stands between several meanings."""


@lru_cache(maxsize=1)
def _names() -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    meanings, marks = dict[str, tuple[str, ...]](), dict[str, str]()
    for definition in _DEFINITIONS.strip().replace("\n", "; ").split("; "):
        names, _, defined = definition.partition(" = ")
        for name in names.split():
            bare = name.lstrip("*+")
            meanings[bare] = tuple(each.strip() for each in defined.split(" | "))
            marks[bare] = name[0] if name != bare else ""
    return meanings, marks


def known_names() -> tuple[str, ...]:
    """Return every name without a prefix."""
    return tuple(_names()[0])


@lru_cache(maxsize=1000)
def meanings_of(name: str) -> tuple[str, ...]:
    """Return what a unit can mean, as definitions in other units; empty where there is no such unit."""
    if (found := _meanings(name, is_word=False)) or len(name) <= 3:
        return found
    # Words alone have a plural and can be written in capitals; a symbol would become another one.
    singular = name.removesuffix("s")
    spellings = (singular, name.lower(), singular.lower())
    return next((found for each in spellings if (found := _meanings(each, is_word=True))), ())


def _meanings(name: str, *, is_word: bool) -> tuple[str, ...]:
    meanings, marks = _names()
    if name in meanings:
        return meanings[name]
    for length in range(1, 6):
        prefix, rest = name[:length], name[length:]
        mark = marks.get(rest, "")
        powers = dict[str, int]()
        if mark and len(rest) >= 3:
            powers |= _LARGE_WORDS if mark == "+" else {**_LARGE_WORDS, **_SMALL_WORDS}
        if mark and len(rest) <= 3 and not is_word:
            powers |= _LARGE if mark == "+" else {**_LARGE, **_SMALL}
        factor = f"1e{powers[prefix]}" if prefix in powers else str(2 ** _BINARY.get(prefix, 0))
        if prefix in powers or (prefix in _BINARY and rest in _OF_BITS):
            several = tuple(each for each in meanings[rest] if each not in _UNPREFIXED)
            return tuple(f"{factor} {each}" for each in (several if len(meanings[rest]) > 1 else (rest,)))
    return ()
