"""Places in a league table."""

from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Place:
    """A team in the table: more points first, then more goals, then by name.

    >>> sorted([Place.of("Reds", 3, 5), Place.of("Blues", 4, 0), Place.of("Greens", 3, 7)])[0].team
    'Blues'
    >>> table = [Place.of("Reds", 3, 5), Place.of("Greens", 3, 7), Place.of("Ants", 3, 5)]
    >>> [place.team for place in sorted(table)]
    ['Greens', 'Ants', 'Reds']
    >>> Place.of("Reds", 3, 5) == Place.of("Reds", 3, 5)
    True
    >>> Place.of("Reds", 3, 5) == Place.of("Reds", 3, 6)
    False
    >>> len({Place.of("Reds", 3, 5), Place.of("Reds", 3, 5)})
    1
    >>> Place.of("Reds", 3, 5).points
    3
    >>> Place.of("Reds", 3, 5).goals = 9
    Traceback (most recent call last):
        ...
    dataclasses.FrozenInstanceError: cannot assign to field 'goals'
    """

    rank: tuple[int, int] = field(repr=False)
    team: str
    points: int
    goals: int

    @classmethod
    def of(cls, team: str, points: int, goals: int) -> "Place":
        """Make a place; its rank follows from the points and the goals.

        >>> Place.of("Reds", 3, 5)
        Place(team='Reds', points=3, goals=5)
        """
        return cls((-points, goals), team, points, goals)
