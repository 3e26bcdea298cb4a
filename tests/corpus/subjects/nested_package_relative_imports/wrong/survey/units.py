"""Conversion between units of length."""

METRES = {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0}


def to_metres(amount: float, unit: str) -> float:
    """Return a length in metres.

    >>> to_metres(250.0, "cm")
    2.5
    """
    return amount * METRES[unit]
