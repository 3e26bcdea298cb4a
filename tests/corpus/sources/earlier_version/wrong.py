"""Compression of runs."""


def run_lengths(text: str) -> list[tuple[str, int]]:
    """Return every run of equal signs with its length.

    >>> run_lengths("aab")
    [('a', 2), ('b', 1)]
    """
    return [(sign, text.count(sign)) for sign in dict.fromkeys(text)]
