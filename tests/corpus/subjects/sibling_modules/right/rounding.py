"""Rounding as shops do it."""


def half_up(numerator: int, denominator: int) -> int:
    """Return the quotient of two positive numbers, rounded to the nearest whole number, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)
