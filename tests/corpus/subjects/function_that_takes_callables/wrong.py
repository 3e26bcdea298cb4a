"""Grouping of values."""

from collections.abc import Callable, Iterable


def grouped(
    items: Iterable[str], key: Callable[[str], int] = len, best: Callable[[str, str], str] | None = None
) -> dict[int, list[str]]:
    """Return the items by key, keys in ascending order and items in their order.

    With ``best``, each group holds one item: the one that is left when two of them after the other are compared.

    >>> grouped(["pear", "fig", "plum", "kiwi", "yam"])
    {3: ['fig', 'yam'], 4: ['pear', 'plum', 'kiwi']}
    >>> grouped(["pear", "fig", "plum"], key=lambda word: word.count("p"))
    {0: ['fig'], 1: ['pear', 'plum']}
    >>> grouped(["pear", "fig", "plum", "kiwi"], best=min)
    {3: ['fig'], 4: ['kiwi']}
    >>> grouped(["pear", "plum", "kiwi"], best=lambda first, second: second)
    {4: ['kiwi']}
    >>> grouped(["pear", "plum", "kiwi"], best=lambda first, second: first)
    {4: ['pear']}
    >>> grouped([])
    {}
    """
    groups: dict[int, list[str]] = {}
    for item in sorted(items, key=key):
        group = groups.setdefault(key(item), [])
        if best is not None and group:
            group[0] = best(item, group[0])
        else:
            group.append(item)
    return groups
