"""A cache of limited size that forgets its oldest entries."""


def remembered(requests: list[str], room: int) -> list[str]:
    """Return what a cache with room for so many entries holds after these requests, the oldest entry first.

    A request for something that is held changes nothing. Without room nothing is held.

    >>> remembered(["a", "b", "c", "d"], 2)
    ['c', 'd']
    >>> remembered(["a", "b", "a", "c"], 2)
    ['b', 'c']
    >>> remembered(["a", "b"], 3)
    ['a', 'b']
    >>> remembered(["a", "b"], 1)
    ['b']
    >>> remembered(["a"], 0)
    []
    >>> remembered([], 2)
    []
    """
    held: dict[str, None] = {}
    for request in requests:
        held[request] = None
        if len(held) > room:
            held.popitem()
    return list(held)
