"""Distances on a map with slow roads."""


class RoadMap:
    """Travel times in minutes between places; roads have the same time in both directions.

    >>> roads = RoadMap({("a", "b"): 5, ("b", "c"): 10, ("a", "c"): 20, ("d", "e"): 1})
    >>> roads.minutes("a", "c")
    15
    >>> roads.minutes("c", "a")
    15
    >>> roads.minutes("a", "c", avoid="b")
    20
    >>> roads.minutes("a", "c")
    15
    >>> roads.minutes("a", "d")
    -1
    >>> roads.minutes("a", "a")
    0
    >>> roads.minutes("e", "d")
    1
    """

    def __init__(self, roads: dict[tuple[str, str], int]) -> None:
        self._roads = {**roads, **{(end, start): time for (start, end), time in roads.items()}}
        self._known: dict[tuple[str, str], int] = {}

    def minutes(self, start: str, end: str, avoid: str = "") -> int:
        """Return the shortest time, without going through ``avoid``; -1 if there is no way."""
        key = (start, end)
        if key not in self._known:
            self._known[key] = self._search(start, end, avoid)
        return self._known[key]

    def _search(self, start: str, end: str, avoid: str) -> int:
        times = {start: 0}
        waiting = [start]
        while waiting:
            place = waiting.pop(0)
            for (here, there), time in self._roads.items():
                if here == place and there != avoid and times[place] + time < times.get(there, 10**9):
                    times[there] = times[place] + time
                    waiting.append(there)
        return times.get(end, -1)
