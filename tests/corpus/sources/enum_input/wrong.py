"""Postage."""

from enum import Enum


class Zone(Enum):
    """Where a letter goes."""

    HOME = "home"
    EUROPE = "europe"
    WORLD = "world"


_BASE = {Zone.HOME: 85, Zone.EUROPE: 110, Zone.WORLD: 110}


def postage(grams: int, zone: Zone) -> int:
    """Return the postage of a letter in cents.

    Up to 20 grams cost the base price of the zone; up to 50 grams cost 15 more at home and 60 more elsewhere.
    Whatever is heavier is a parcel: -1.

    >>> postage(20, Zone.HOME)
    85
    >>> postage(21, Zone.HOME)
    100
    >>> postage(50, Zone.EUROPE)
    170
    >>> postage(50, Zone.WORLD)
    170
    >>> postage(20, Zone.WORLD)
    110
    >>> postage(51, Zone.HOME)
    -1
    """
    if grams > 50:
        return -1
    if grams <= 20:
        return _BASE[zone]
    return _BASE[zone] + (60 if zone is Zone.WORLD else 15)
