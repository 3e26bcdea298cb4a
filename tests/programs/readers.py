"""Programs, and what readers wrote about them."""

from __future__ import annotations

from dataclasses import replace

from probatum.kinds.program.request import ProgramRequest
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing

NET = b'''def net_price(gross: float, rate: float) -> float:
    """Return the price without tax.

    >>> net_price(119.0, 0.19)
    100.0
    >>> net_price(0.0, 0.19)
    0.0

    Raises:
        ValueError: If the rate is not a rate of this country.
    """
    if rate < 0:
        raise ValueError("rate")
    return gross / (1 + rate)
'''
WRONG_NET = NET.replace(b"gross / (1 + rate)", b"gross / (1 + rate) if rate < 0.5 else gross")
UNGUARDED_NET = NET.replace(b'    if rate < 0:\n        raise ValueError("rate")\n', b"")
PLAIN_NET = b'''def net_price(gross: float, rate: float) -> float:
    """Return the price without tax.

    >>> net_price(119.0, 0.19)
    100.0
    >>> net_price(60.0, 0.5)
    40.0
    """
    return gross / (1 + rate)
'''
REMARKED_NET = PLAIN_NET.replace(b"without tax.", b"without tax.\n\n    Rates are shares of one.")
GOOD = Reading(
    "Return the price without tax.",
    ReadingKind.RESULT,
    "abs(result * (1 + rate) - gross) <= 1e-6 * max(1, abs(gross))",
    confidence=0.9,
)
GUARD = Reading("If the rate is not a rate of this country.", ReadingKind.RAISES, "rate < 0", "ValueError")
BAD = replace(GOOD, clause="result == gross - rate * gross")
INPUTS = ("(100.0, 0.25)", "(50.0, 0.0)", "(20.0, 1.0)")


def accepted(*readings: Reading) -> tuple[Reading, ...]:
    return tuple(replace(each, standing=Standing.ACCEPTED, by="Ann", on="2026-01-02") for each in readings)


def record(
    *readings: Reading, function: str = "net_price", inputs: tuple[str, ...] = INPUTS, helpers: str = ""
) -> ReadingRecord:
    return ReadingRecord(function, readings, "a reader", helpers, inputs=inputs)


def asked(source: bytes, *records: ReadingRecord, policy: str = "accepted", tolerant: bool = False) -> ProgramRequest:
    return ProgramRequest(source, "shop.py", readings=records, readings_policy=policy, allow_unchecked=tolerant)
