"""Tallies of votes."""


class Tally(dict[str, int]):
    """Votes by name; who has no votes is not stored and counts 0.

    >>> tally = Tally()
    >>> tally["ann"]
    0
    >>> tally
    {}
    >>> tally.vote("ann"), tally.vote("bob"), tally.vote("ann")
    (1, 1, 2)
    >>> tally.vote("eve", 3)
    3
    >>> tally.winner()
    'eve'
    >>> tally.vote("eve", -1)
    2
    >>> tally.winner()
    'ann'
    >>> tally.vote("bob", -1)
    0
    >>> tally
    {'ann': 2, 'eve': 2}
    >>> Tally().winner()
    ''
    """

    def __missing__(self, name: str) -> int:
        return 0

    def vote(self, name: str, votes: int = 1) -> int:
        """Count votes, or take them back, and return how many there are now."""
        self.setdefault(name, 0)
        self[name] += votes
        return self[name]

    def winner(self) -> str:
        """Return who has most votes, of several the first who got one; "" if nobody has."""
        return max(self, key=lambda name: self[name], default="")
