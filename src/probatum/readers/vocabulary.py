"""Words and signs of values, as data: scales, units, currencies, months and time zones.

Holds nothing that has two meanings: CST and IST are zones of several countries, kr and Rs currencies of several, a
pound is money or mass. What is missing here is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final


def one_of(words: Iterable[str]) -> str:
    """Return a pattern for any of these words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def words_of(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


def _table(lines: str) -> Mapping[str, str]:
    """Map each word of a line to the line's first one."""
    rows = [line.split() for line in lines.splitlines() if line.strip()]
    return {word.replace("_", " "): row[0] for row in rows for word in row}


SCALES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("k", "K", "thousand"), 3),
    **dict.fromkeys(("lakh", "lakhs"), 5),
    **dict.fromkeys(("m", "M", "mn", "Mn", "mio", "Mio", "Mio.", "million", "millions"), 6),
    **dict.fromkeys(("crore", "crores"), 7),
    **dict.fromkeys(("b", "B", "bn", "Bn", "BN", "Mrd", "Mrd.", "billion", "billions"), 9),
    **dict.fromkeys(("T", "tn", "trn", "trillion", "trillions"), 12),
}
"""By word: the power of ten."""
SCALES_OF_MONEY: Final = frozenset({"m", "b", "T", "K"})
"""Mean something else, metres, bytes and kelvins among them, unless they follow an amount of money."""
GLUED_SCALES: Final = tuple(word for word in SCALES if len(word) <= 3 and not word.startswith("Mi"))

UNITS: Final = _table("""
    km kilometre kilometer kilometres kilometers
    m metre meter metres meters
    cm centimetre centimeter centimetres centimeters
    mm millimetre millimeter millimetres millimeters
    nm nanometre nanometer nanometres nanometers
    mile miles mi
    ft foot feet
    inch inches
    yard yards yd
    nautical_mile nautical_miles
    kg kilogram kilograms kilo kilos
    g gram grams
    mg milligram milligrams
    tonne tonnes
    lb lbs
    oz ounce ounces
    liter litre liters litres l L
    ml mL millilitre milliliter millilitres milliliters
    m² m2 sq_m square_metres square_meters square_metre square_meter
    km² km2 sq_km square_kilometres square_kilometers square_kilometre square_kilometer
    mile² sq_mi square_miles square_mile
    ft² ft2 sq_ft square_feet square_foot
    m³ m3 cubic_metres cubic_meters
    hectare hectares ha
    acre acres
    km/h kph kmh
    mph
    m/s
    knot knots
    °C degC
    °F degF
    K kelvin kelvins
    W watt watts
    kW kilowatt kilowatts
    MW megawatt megawatts
    GW gigawatt gigawatts
    TW terawatt terawatts
    kWh
    MWh
    GWh
    TWh
    J joule joules
    kJ kilojoule kilojoules
    kcal
    V volt volts
    kV
    Hz hertz
    kHz
    MHz
    GHz
    Pa pascal pascals
    hPa
    kPa
    kB KB kilobyte kilobytes
    MB megabyte megabytes
    GB gigabyte gigabytes
    TB terabyte terabytes
    KiB
    MiB
    GiB
    byte bytes
    year years
    month months
""")
"""By word: the name of the unit as pint understands it. Years and months are not durations: they differ in length."""

PERCENTAGES: Final = _table("""
    % ％ percent per_cent pct
    pp ppt percentage_points percentage_point %-points %-point %_points
    bp bps basis_points basis_point
""")

SECONDS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("week", "weeks", "wk", "wks"), 604_800_000_000),
    **dict.fromkeys(("day", "days", "d"), 86_400_000_000),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h"), 3_600_000_000),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), 60_000_000),
    **dict.fromkeys(("second", "seconds", "sec", "secs", "s"), 1_000_000),
    **dict.fromkeys(("millisecond", "milliseconds", "ms"), 1_000),
    **dict.fromkeys(("microsecond", "microseconds", "µs", "μs"), 1),
}
"""By word of time: how many microseconds it is."""
MINUTE: Final = 60_000_000

CURRENCY_SIGNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("$", "US$", "U.S.$", "US $"), "USD"),
    **dict.fromkeys(("A$", "AU$"), "AUD"),
    **dict.fromkeys(("C$", "CA$", "CAD$"), "CAD"),
    **{"HK$": "HKD", "NZ$": "NZD", "S$": "SGD", "R$": "BRL", "NT$": "TWD", "MX$": "MXN", "CN¥": "CNY", "RMB": "CNY"},
    **{"€": "EUR", "£": "GBP", "¥": "JPY", "JP¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH"},
    **{"₪": "ILS", "₫": "VND", "₱": "PHP", "₦": "NGN", "฿": "THB"},
}
CURRENCY_WORDS: Final = _table("""
    USD dollars dollar US_dollars US_dollar U.S._dollars
    EUR euros euro
    JPY yen
    GBP pounds_sterling
    CHF Swiss_francs
""")
CURRENCY_CODES: Final = words_of(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
    CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
    IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
    MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB
    RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
    UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
    """
)
"""ISO 4217, the codes of money in circulation."""
CODES_LIKE_WORDS: Final = words_of("ALL BAM COP CUP GEL MAD MOP PEN RON SOS TOP TRY")
"""Are read as money where they stand with an amount alone, not in a sentence."""
OTHER_MONEY: Final = ("kr", "Rs", "Rs.", "Fr", "Fr.")

MONTHS: Final[Mapping[str, int]] = {
    word: number
    for number, words in enumerate(
        (
            "January Jan Januar Jänner janvier enero",
            "February Feb Februar février febrero",
            "March Mar März mars marzo",
            "April Apr avril abril",
            "May Mai mai mayo",
            "June Jun Juni juin junio",
            "July Jul Juli juillet julio",
            "August Aug août agosto",
            "September Sept Sep septembre septiembre",
            "October Oct Oktober Okt octobre octubre",
            "November Nov novembre noviembre",
            "December Dec Dezember Dez décembre diciembre",
        ),
        start=1,
    )
    for word in words.split()
}
ZONES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("Z", "UTC", "GMT", "WET"), 0),
    **{"EST": -300, "EDT": -240, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420},
    **{"WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "MSK": 180},
    **{"HKT": 480, "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780},
}
"""By abbreviation: minutes ahead of UTC."""
