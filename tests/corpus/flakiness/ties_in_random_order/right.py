"""Standings of a quiz."""


def standings(points: dict[str, int]) -> list[tuple[int, str]]:
    """Return (rank, name) of all teams, most points first; equal teams share a rank and stand in alphabetical order.

    After teams that share a rank, the ranks that they took up are left out.

    >>> standings({"red": 3, "blue": 9, "white": 1})
    [(1, 'blue'), (2, 'red'), (3, 'white')]
    >>> [rank for rank, name in standings({"red": 3, "blue": 9, "green": 3, "amber": 3, "white": 1})]
    [1, 2, 2, 2, 5]
    >>> sorted(name for rank, name in standings({"red": 3, "blue": 9, "green": 3}))
    ['blue', 'green', 'red']
    >>> standings({"solo": -2})
    [(1, 'solo')]
    >>> standings({})
    []
    """
    ranked = []
    for name in sorted(points, key=lambda name: (-points[name], name)):
        rank = 1 + sum(other > points[name] for other in points.values())
        ranked.append((rank, name))
    return ranked
