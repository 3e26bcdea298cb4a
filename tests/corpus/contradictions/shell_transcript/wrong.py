"""Sizes for people, as `du -h` prints them."""

_UNITS = ("B", "K", "M", "G", "T")


def readable(size):
    """Return a size in the largest unit that keeps it at or above one.

    $ python -m sizes 2048
    2K
    $ python -m sizes readable(1536)
    1.5K
    $ echo 1048576 | python -m sizes -
    -> 1M
    $ python -m sizes 999 && echo ok
    999B
    ok

    >>> readable(0)
    '0B'
    """
    amount, unit = float(size), 0
    while amount >= 1024 and unit < len(_UNITS) - 1:
        amount /= 1024
        unit += 1
    text = f"{amount:.1f}".strip(".0")
    return text + _UNITS[unit]
