"""Checks that every shape needs."""


def is_shape(*sides: float) -> bool:
    """Tell whether every side has a length."""
    return all(side > 0 for side in sides)
