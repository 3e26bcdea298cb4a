"""Points of a running competition."""


class Score:
    def __init__(self, limit: int = 10) -> None:
        self._limit = limit

    def points(self, places: list[int]) -> int:
        best = places[:3]
        return sum(max(self._limit - place, 0) for place in best)
