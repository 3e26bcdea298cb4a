"""Stable numbers for names, to spread them over servers."""

import zlib


def slot(name: str, slots: int = 2**32) -> int:
    """Return the slot of a name: its CRC-32 in UTF-8, modulo the number of slots. It is the same on every machine.

    Raises:
        ValueError: there are no slots.

    >>> slot("cat")
    2656977832
    >>> slot("naïve")
    3574563174
    >>> slot("")
    0
    >>> slot("catalogue", 1000000007)
    504090606
    >>> slot("cat", 1)
    0
    >>> slot("cat", 0)
    Traceback (most recent call last):
        ...
    ValueError: no slots
    """
    if slots < 1:
        raise ValueError("no slots")
    return zlib.crc32(name.encode()) % slots
