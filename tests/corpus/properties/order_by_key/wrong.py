"""Results of a race."""


def podium(times: dict[str, int]) -> list[tuple[str, int]]:
    """Return the runners with their times.

    The result is sorted by time in ascending order; runners with the same time keep their order.

    >>> podium({"zoe": 60, "ada": 75, "bob": 58})
    [('bob', 58), ('zoe', 60), ('ada', 75)]
    >>> podium({"zoe": 60, "ada": 60})
    [('zoe', 60), ('ada', 60)]
    >>> podium({"ada": 9, "zoe": 10})
    [('ada', 9), ('zoe', 10)]
    >>> podium({})
    []
    """
    return sorted(times.items(), key=lambda runner: (runner[1], runner[0]))
