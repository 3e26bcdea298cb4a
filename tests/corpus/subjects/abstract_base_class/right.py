"""Shipping costs in cents."""

from abc import ABC, abstractmethod


class Carrier(ABC):
    """Somebody who takes parcels; the first kilogram is part of the base price.

    >>> Carrier()
    Traceback (most recent call last):
        ...
    TypeError: Can't instantiate abstract class Carrier with abstract method rate
    """

    base = 500

    @abstractmethod
    def rate(self, kilograms: int) -> int:
        """Return what the weight above the first kilogram costs."""

    def price(self, kilograms: int) -> int:
        """Return the whole price of a parcel.

        >>> Post().price(1)
        500
        >>> Post().price(3)
        700
        >>> Courier().price(1)
        900
        >>> Courier().price(2)
        1150
        >>> Courier().price(6)
        1950
        >>> Post().price(0)
        Traceback (most recent call last):
            ...
        ValueError: a parcel weighs something
        """
        if kilograms < 1:
            raise ValueError("a parcel weighs something")
        return self.base + self.rate(kilograms - 1)


class Post(Carrier):
    """One price for each further kilogram."""

    def rate(self, kilograms: int) -> int:
        """Return what the weight above the first kilogram costs.

        >>> Post().rate(4)
        400
        """
        return 100 * kilograms


class Courier(Carrier):
    """Dearer, and cheaper for each kilogram after the third further one."""

    base = 900

    def rate(self, kilograms: int) -> int:
        """Return what the weight above the first kilogram costs: 250 each for the first three, then 150.

        >>> Courier().rate(0)
        0
        >>> Courier().rate(3)
        750
        >>> Courier().rate(5)
        1050
        """
        return 250 * min(kilograms, 3) + 150 * max(kilograms - 3, 0)
