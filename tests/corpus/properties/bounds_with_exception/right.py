"""Battery display."""


def charge_percent(voltage: int, empty: int, full: int) -> int:
    """Return the charge of a battery from its voltage in millivolts.

    The result is between 0 and 100, except when the battery is missing: then it is -1.

    Args:
        voltage: What was measured; 0 if the battery is missing.
        empty: The voltage of an empty battery. Positive.
        full: The voltage of a full battery. Greater than empty.

    >>> charge_percent(3700, 3400, 4000)
    50
    >>> charge_percent(4100, 3400, 4000)
    100
    >>> charge_percent(0, 3400, 4000)
    -1
    >>> charge_percent(3418, 3400, 4000)
    3
    """
    if voltage == 0:
        return -1
    inside = min(max(voltage, empty), full)
    return (inside - empty) * 100 // (full - empty)
