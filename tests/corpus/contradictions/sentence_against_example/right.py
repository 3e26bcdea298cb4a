"""News for the start page."""


def headlines(stories: dict[str, int], count: int) -> list[int]:
    """Return the times of the latest stories.

    The result is sorted in ascending order.

    >>> headlines({"a": 10, "b": 30, "c": 20}, 2)
    [30, 20]
    >>> headlines({"a": 10, "b": 30}, 5)
    [30, 10]
    >>> headlines({"a": 7, "b": 7, "c": 7}, 2)
    [7, 7]
    >>> headlines({}, 3)
    []
    """
    return sorted(stories.values(), reverse=True)[:count]
