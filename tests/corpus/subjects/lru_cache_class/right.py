"""A cache of limited size."""

from collections import OrderedDict


class RecentlyUsed:
    """Keeps the ``capacity`` entries that were read or written last.

    >>> cache = RecentlyUsed(2)
    >>> cache.put("a", 1)
    >>> cache.put("b", 2)
    >>> cache.get("a")
    1
    >>> cache.put("c", 3)
    >>> cache.get("b")
    -1
    >>> cache.get("a"), cache.get("c")
    (1, 3)
    >>> cache.put("a", 10)
    >>> cache.put("d", 4)
    >>> cache.get("c"), cache.get("a"), cache.get("d")
    (-1, 10, 4)
    >>> cache.keys()
    ['a', 'd']
    >>> cache.get("x"), cache.keys()
    (-1, ['a', 'd'])
    >>> cache.put("d", 40)
    >>> cache.keys()
    ['a', 'd']
    >>> small = RecentlyUsed(1)
    >>> small.put("a", 1)
    >>> small.put("b", 2)
    >>> small.keys()
    ['b']
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[str, int] = OrderedDict()

    def get(self, key: str) -> int:
        """Return the value, -1 if it was forgotten or never known."""
        if key not in self._entries:
            return -1
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key: str, value: int) -> None:
        """Keep a value; where there is no room for it, forget another one."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._capacity:
            self._entries.popitem(last=False)

    def keys(self) -> list[str]:
        """Return the keys, the one that would be forgotten first at the front."""
        return list(self._entries)
