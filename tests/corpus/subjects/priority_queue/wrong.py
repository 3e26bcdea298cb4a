"""Tickets of a help desk."""

import heapq


class TicketQueue:
    """Tickets by priority, 1 being the most urgent; of equal ones the older one first.

    >>> queue = TicketQueue()
    >>> queue.add("printer", 3)
    >>> queue.add("server", 1)
    >>> queue.add("mouse", 3)
    >>> queue.add("database", 1)
    >>> len(queue)
    4
    >>> queue.next(), queue.next()
    ('server', 'database')
    >>> queue.add("keyboard", 3)
    >>> queue.add("screen", 2)
    >>> queue.next(), queue.next(), queue.next(), queue.next()
    ('screen', 'printer', 'mouse', 'keyboard')
    >>> len(queue)
    0
    >>> queue.next()
    'nothing to do'
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, str]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, title: str, priority: int) -> None:
        """Open a ticket."""
        heapq.heappush(self._heap, (priority, len(self._heap), title))

    def next(self) -> str:
        """Take the ticket that is worked on next; without one there is nothing to do."""
        if not self._heap:
            return "nothing to do"
        return heapq.heappop(self._heap)[2]
