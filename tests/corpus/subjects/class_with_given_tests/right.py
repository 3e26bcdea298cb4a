"""Seats of a small theatre."""


class Hall:
    """Rows of seats that can be booked side by side."""

    def __init__(self, rows: int, seats: int) -> None:
        self._free = [[True] * seats for _ in range(rows)]

    def book(self, count: int) -> list[tuple[int, int]]:
        """Book seats side by side in the first row that has them, as far left as possible; [] if there are none."""
        for row, free in enumerate(self._free):
            for start in range(len(free) - count + 1):
                if all(free[start : start + count]):
                    free[start : start + count] = [False] * count
                    return [(row, seat) for seat in range(start, start + count)]
        return []

    def release(self, row: int, seat: int) -> bool:
        """Give a seat back; tell whether it was booked."""
        was_booked = not self._free[row][seat]
        self._free[row][seat] = True
        return was_booked

    @property
    def free(self) -> int:
        """How many seats are free."""
        return sum(sum(row) for row in self._free)
