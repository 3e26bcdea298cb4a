def running_peaks(levels: list[int]) -> list[int]:
    """Return the running maximum of levels.

    >>> running_peaks([3, 1, 4, 1, 5])
    [3, 3, 4, 4, 5]
    >>> running_peaks([-2, -7])
    [-2, -2]
    """
    peaks: list[int] = []
    for level in levels:
        peaks.append(level if not peaks or level > peaks[-1] else peaks[-1])
    return peaks
