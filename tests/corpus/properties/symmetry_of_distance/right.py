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
    row = list(range(len(second) + 1))
    for position, letter in enumerate(first, start=1):
        above, row = row, [position]
        for column, other in enumerate(second, start=1):
            replaced = above[column - 1] + (letter != other)
            row.append(min(above[column] + 1, row[-1] + 1, replaced))
    return row[-1]
