"""Spelling suggestions."""


def distance(first: str, second: str) -> int:
    """Return how many letters must be inserted, deleted or replaced to get from one text to the other.

    post: result >= 0
    post: result == distance(second, first)

    >>> distance("kitten", "sitting")
    3
    >>> distance("", "abc")
    3
    >>> distance("abc", "abc")
    0
    >>> distance("house", "mouse")
    1
    >>> distance("a", "b")
    1
    """
    common, place = 0, 0
    for letter in first:
        found = second.find(letter, place)
        if found >= 0:
            common, place = common + 1, found + 1
    return max(len(first), len(second)) - common
