"""Prices of the parcel service."""

from __future__ import annotations


def parcel_price(grams: int, *, express: bool = False, insured: bool = False) -> int:
    """Return the price of a parcel in cents.

    Up to 1 kg costs 490, up to 5 kg 690, up to 20 kg 1190. Express doubles the price, insurance adds 250 after that.

    Raises:
        ValueError: the parcel weighs nothing or more than 20 kg.

    >>> parcel_price(800)
    490
    """
    if not 0 < grams <= 20_000:
        raise ValueError("a parcel weighs more than 0 g and at most 20 kg")
    if grams <= 1_000:
        price = 490
    elif grams <= 5_000:
        price = 690
    else:
        price = 1190
    if express:
        price *= 2
    if insured:
        price += 250
    return price
