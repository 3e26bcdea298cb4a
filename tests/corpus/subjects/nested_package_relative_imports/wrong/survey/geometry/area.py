"""Areas and perimeters of rectangular plots."""

from ..units import METRES, to_metres
from . import is_shape


def plot_area(width: float, depth: float, unit: str = "m") -> float:
    """Return the area in square metres, rounded to 3 decimals; 0.0 if a side is not positive.

    >>> plot_area(20.0, 30.5)
    610.0
    >>> plot_area(200.0, 300.0, "cm")
    6.0
    >>> plot_area(0.5, 3.0, "km")
    1500000.0
    >>> plot_area(-2.0, -3.0)
    0.0
    >>> plot_area(0.0, 3.0)
    0.0
    >>> plot_area(0.1, 0.1111)
    0.011
    """
    if not is_shape(width, depth):
        return 0.0
    return round(to_metres(width * depth, unit), 3)


def fence_length(*sides: float, unit: str = "m") -> float:
    """Return the sum of all sides in metres, rounded to 3 decimals; 0.0 if a side is not positive.

    >>> fence_length(10.0, 20.0, 15.5)
    45.5
    >>> fence_length(120.0, 80.0, unit="cm")
    2.0
    >>> fence_length(4.0, 0.0)
    0.0
    >>> fence_length(1.2344, unit="m")
    1.234
    """
    if not is_shape(*sides):
        return 0.0
    return round(sum(sides), 3)
