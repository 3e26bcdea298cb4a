"""Retrying of requests."""


def next_delay(attempt: int, limit: int | None = None) -> float:
    """Return how long to wait before the next attempt.

    Args:
        attempt: How many attempts have failed. Positive.
        limit: How many attempts are allowed; positive, or None for as many as it takes.

    Returns:
        float: Between 0.5 and 60 seconds, or -1 if there is no further attempt.

    >>> next_delay(1)
    0.5
    >>> next_delay(2)
    1.0
    >>> next_delay(4, 5)
    4.0
    >>> next_delay(3, 3)
    -1.0
    >>> next_delay(2, 1)
    -1.0
    >>> next_delay(7)
    32.0
    """
    if limit is not None and attempt >= limit:
        return -1.0
    return min(0.5 * 2.0 ** min(attempt - 1, 10), 60.0)
