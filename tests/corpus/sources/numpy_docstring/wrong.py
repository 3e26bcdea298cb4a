"""Smoothing of evenly spaced measurements."""


def moving_average(values: list[float], window: int) -> list[float]:
    """
    Average every run of neighbouring values.

    Parameters
    ----------
    values : list of float
        The measurements, oldest first.
    window : int
        How many neighbours each average takes in. At least 1.

    Returns
    -------
    list of float
        One average for every full window; empty where there is none.

    Examples
    --------
    >>> moving_average([1.0, 2.0, 3.0, 4.0], 2)
    [1.5, 2.5, 3.5]
    >>> moving_average([4.0, 8.0, 6.0], 3)
    [6.0]
    >>> moving_average([5.0, 7.0], 1)
    [5.0, 7.0]
    >>> moving_average([5.0, 7.0], 3)
    []
    """
    averages = []
    for start in range(len(values) - window):
        averages.append(sum(values[start : start + window]) / window)
    return averages
