"""Seats in a parliament."""


def apportion(votes: dict[str, int], seats: int) -> dict[str, int]:
    """Share out seats by largest remainder.

    Args:
        votes: Votes by party, each positive; at least one party.
        seats: How many seats there are. Not negative.

    >>> apportion({"a": 60, "b": 40}, 10)
    {'a': 6, 'b': 4}
    >>> apportion({"a": 2, "b": 1}, 2)
    {'a': 1, 'b': 1}
    >>> apportion({"a": 47, "b": 16, "c": 37}, 5)
    {'a': 2, 'b': 1, 'c': 2}
    >>> apportion({"a": 7}, 3)
    {'a': 3}
    """
    assert votes and all(count > 0 for count in votes.values()) and seats >= 0
    total = sum(votes.values())
    shares = {party: count * seats // total for party, count in votes.items()}
    left_over = seats - sum(shares.values())
    by_remainder = sorted(votes, key=lambda party: -(votes[party] * seats % total))
    for party in by_remainder[:left_over]:
        shares[party] += 1
    assert sum(shares.values()) == seats
    return shares
