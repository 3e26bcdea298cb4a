"""Statistics for a chart."""


def running_mean(values: list[float]) -> list[float]:
    """Return the mean of all values so far, for every value.

    Returns an empty list if values is empty.

    >>> running_mean([2.0, 4.0])
    [2.0, 3.0]
    >>> running_mean([1.0, 1.0, 4.0])
    [1.0, 1.0, 2.0]
    >>> running_mean([5.0])
    [5.0]
    """
    means = []
    total = 0.0
    for count, value in enumerate(values, start=1):
        total += value
        means.append(total / count)
    return means
