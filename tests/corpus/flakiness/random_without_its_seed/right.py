"""Groups for a seminar."""

import random


def groups(names: list[str], size: int, seed: int) -> list[list[str]]:
    """Return the names in groups of a size, mixed by chance; the same seed gives the same groups.

    The last group may be smaller. The list of names is not modified.

    >>> [len(group) for group in groups(["ann", "bob", "cyd", "dan", "eve", "fay", "gus"], 3, seed=1)]
    [3, 3, 1]
    >>> sorted(groups(["ann", "bob", "cyd", "dan", "eve", "fay", "gus"], 7, seed=2)[0])
    ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus']
    >>> names = ["ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "lea", "max", "nan"]
    >>> groups(names, 14, seed=1) == [names]
    False
    >>> names[:2]
    ['ann', 'bob']
    >>> groups(["ann"], 2, seed=5)
    [['ann']]
    >>> groups([], 2, seed=5)
    []
    """
    mixed = list(names)
    random.Random(seed).shuffle(mixed)
    return [mixed[start : start + size] for start in range(0, len(mixed), size)]
