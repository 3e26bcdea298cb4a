"""Durations as people write them in configuration files."""

import re

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_duration(text: str) -> int:
    """Read a duration such as ``1h30m``.

    :param text: numbers, each followed by one of the units ``d``, ``h``, ``m``, ``s``
    :type text: str
    :returns: the duration in seconds
    :rtype: int
    :raises ValueError: if a unit is unknown or a number is missing

    >>> parse_duration("90s")
    90
    >>> parse_duration("1h30m")
    5400
    >>> parse_duration("2d")
    172800
    >>> parse_duration("1m1s")
    61
    >>> parse_duration("5w")
    Traceback (most recent call last):
        ...
    ValueError: not a duration: '5w'
    >>> parse_duration("h")
    Traceback (most recent call last):
        ...
    ValueError: not a duration: 'h'
    """
    parts = re.findall(r"(\d+)([a-z])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"not a duration: {text!r}")
    total = 0
    for number, unit in parts:
        if unit not in _SECONDS:
            raise ValueError(f"not a duration: {text!r}")
        total += int(number) * _SECONDS[unit]
    return total
