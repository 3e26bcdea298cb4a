"""Score tables."""


def ranking(points: dict[str, int]) -> list[int]:
    """Return the points of all players for the score table.

    The points are sorted in descending order.

    >>> ranking({"ada": 10, "bob": 30})
    [30, 10]
    >>> ranking({"ada": 5})
    [5]
    >>> ranking({"ada": 7, "bob": 7})
    [7, 7]
    >>> ranking({})
    []
    """
    return sorted(points.values(), reverse=True)
