"""Colour arithmetic."""

from typing import Annotated

from annotated_types import Ge, Le

Channel = Annotated[int, Ge(0), Le(255)]
Percent = Annotated[int, Ge(0), Le(500)]


def scale_channel(channel: Channel, percent: Percent) -> Channel:
    """Make one channel of a colour darker (below 100 percent) or lighter (above).

    >>> scale_channel(0, 300)
    0
    >>> scale_channel(100, 50)
    50
    >>> scale_channel(100, 100)
    100
    >>> scale_channel(99, 150)
    148
    >>> scale_channel(200, 1)
    2
    >>> scale_channel(255, 100)
    255
    """
    return channel * percent // 100
