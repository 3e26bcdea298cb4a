"""Order statistics of small samples."""


def kth_best(scores: list[int], k: int) -> int:
    """Return the score that takes place ``k`` when the best comes first.

    Args:
        scores: The scores, in any order.
        k: The place, 0 for the best. 0 <= k < len(scores).

    Returns:
        An element of scores.

    >>> kth_best([70, 90, 80], 0)
    90
    >>> kth_best([70, 90, 80], 1)
    80
    >>> kth_best([70, 90, 80, 60], 3)
    60
    >>> kth_best([5, 5, 7], 1)
    5
    """
    places = sorted(set(scores), reverse=True)
    return places[k] if k < len(places) else 0
