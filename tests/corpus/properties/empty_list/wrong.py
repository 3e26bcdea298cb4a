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
    means = [values[0]] if values else [0.0]
    for count, value in enumerate(values[1:], start=2):
        means.append(means[-1] + (value - means[-1]) / count)
    return means
