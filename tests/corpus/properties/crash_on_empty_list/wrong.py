def running_peaks(levels: list[int]) -> list[int]:
    """Return the running maximum of levels.

    >>> running_peaks([3, 1, 4, 1, 5])
    [3, 3, 4, 4, 5]
    >>> running_peaks([-2, -7])
    [-2, -2]
    """
    peaks = [levels[0]]
    for level in levels[1:]:
        peaks.append(level if level > peaks[-1] else peaks[-1])
    return peaks
