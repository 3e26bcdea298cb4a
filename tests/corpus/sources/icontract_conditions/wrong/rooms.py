"""Reservations of a meeting room."""

import icontract


@icontract.require(lambda taken: all(start < end for start, end in taken))
@icontract.require(lambda opens, closes: opens < closes)
@icontract.ensure(lambda result: all(start < end for start, end in result))
@icontract.ensure(lambda opens, closes, result: all(opens <= start and end <= closes for start, end in result))
def free_slots(taken: list[tuple[int, int]], opens: int, closes: int) -> list[tuple[int, int]]:
    """Return when a room is free between opening and closing.

    >>> free_slots([(9, 10), (12, 13)], 8, 18)
    [(8, 9), (10, 12), (13, 18)]
    >>> free_slots([(12, 13), (9, 12)], 9, 18)
    [(13, 18)]
    >>> free_slots([], 8, 9)
    [(8, 9)]
    >>> free_slots([(8, 11), (9, 10)], 8, 12)
    [(11, 12)]
    """
    slots, free_from = [], opens
    for start, end in sorted(taken):
        if start > free_from:
            slots.append((free_from, start))
        free_from = max(free_from, end)
    if free_from < closes:
        slots.append((free_from, closes))
    return slots
