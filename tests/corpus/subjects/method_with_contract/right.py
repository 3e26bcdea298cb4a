"""Points of a running competition."""


class Score:
    def __init__(self, limit: int = 10) -> None:
        self._limit = limit

    def points(self, places: list[int]) -> int:
        best = sorted(places)[:3]
        return sum(max(self._limit - place + 1, 0) for place in best)
