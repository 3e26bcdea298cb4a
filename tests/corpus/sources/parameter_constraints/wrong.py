"""Levels of an audio signal."""


def peak_level(samples: list[float], gain: float) -> float:
    """Return how far a signal goes from silence after amplification.

    Args:
        samples (list[float]): Non-empty. Each between -1 and 1.
        gain (float): Positive.

    Returns:
        float: Non-negative.

    >>> peak_level([0.5, -0.25], 1.0)
    0.5
    >>> peak_level([0.125, 0.75, -0.5], 2.0)
    1.5
    >>> peak_level([0.0, 0.0, 0.0], 5.0)
    0.0
    >>> peak_level([1.0], 0.5)
    0.5
    """
    return gain * max(samples)
