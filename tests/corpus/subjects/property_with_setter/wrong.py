"""Temperatures of a cold chain."""

ABSOLUTE_ZERO = -273.15


class Temperature:
    """A temperature that can be read and set in two scales.

    >>> reading = Temperature(100.0)
    >>> reading.fahrenheit
    212.0
    >>> reading.fahrenheit = 32.0
    >>> reading.celsius
    0.0
    >>> reading.fahrenheit = -40.0
    >>> reading.celsius
    -40.0
    >>> reading.celsius = 37.0
    >>> round(reading.fahrenheit, 1)
    98.6
    >>> reading.celsius = -300.0
    Traceback (most recent call last):
        ...
    ValueError: below absolute zero
    >>> reading.fahrenheit = -500.0
    Traceback (most recent call last):
        ...
    ValueError: below absolute zero
    >>> Temperature(-274.0)
    Traceback (most recent call last):
        ...
    ValueError: below absolute zero
    >>> Temperature(-273.15).celsius
    -273.15
    """

    def __init__(self, celsius: float) -> None:
        self.celsius = celsius

    @property
    def celsius(self) -> float:
        """Degrees Celsius."""
        return self._celsius

    @celsius.setter
    def celsius(self, degrees: float) -> None:
        if degrees < ABSOLUTE_ZERO:
            raise ValueError("below absolute zero")
        self._celsius = degrees

    @property
    def fahrenheit(self) -> float:
        """Degrees Fahrenheit."""
        return self._celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, degrees: float) -> None:
        self._celsius = degrees - 32 * 5 / 9
