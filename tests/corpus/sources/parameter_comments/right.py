"""Interpolation in a table of tax brackets."""


def effective_rate(
    income: float,  # positive
    limits: list[float],  # non-empty, sorted, positive
    rates: list[float],  # one more than limits, each between 0 and 1
) -> float:
    """Return the share of an income that is paid as tax.

    Each rate holds for the part of the income between two limits. The result is between 0 and 1.

    >>> effective_rate(10_000.0, [10_000.0, 50_000.0], [0.0, 0.2, 0.4])
    0.0
    >>> effective_rate(20_000.0, [10_000.0, 50_000.0], [0.0, 0.2, 0.4])
    0.1
    >>> effective_rate(100_000.0, [10_000.0, 50_000.0], [0.0, 0.2, 0.4])
    0.28
    >>> effective_rate(50.0, [100.0], [0.5, 1.0])
    0.5
    """
    tax, lower = 0.0, 0.0
    for limit, rate in zip([*limits, income], rates, strict=True):
        upper = min(limit, income)
        if upper > lower:
            tax += (upper - lower) * rate
            lower = upper
    return tax / income
