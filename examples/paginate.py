"""Pages of a long list."""

from __future__ import annotations


def page_count(items: int, per_page: int) -> int:
    """Return how many pages hold ``items`` items at ``per_page`` items a page.

    >>> page_count(0, 10)
    0
    >>> page_count(1, 10)
    1
    >>> page_count(25, 10)
    3
    >>> page_count(30, 10)
    3
    """
    if items == 0:
        return 0
    return items // per_page + 1


def page(items: list[int], number: int, per_page: int = 3) -> list[int]:
    """Return the items on page ``number``; the first page is 1, and a page after the last one is empty.

    >>> page([1, 2, 3, 4, 5, 6, 7], 1)
    [1, 2, 3]
    >>> page([1, 2, 3, 4, 5, 6, 7], 3)
    [7]
    >>> page([1, 2, 3, 4, 5, 6, 7], 4)
    []
    >>> page([1, 2, 3, 4, 5, 6, 7], 2, per_page=2)
    [3, 4]
    """
    start = (number - 1) * per_page
    return items[start : start + per_page]
