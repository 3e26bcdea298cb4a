"""Compression of runs."""


def run_lengths(text: str) -> list[tuple[str, int]]:
    """Return every run of equal signs with its length.

    >>> run_lengths("aab")
    [('a', 2), ('b', 1)]
    """
    runs: list[tuple[str, int]] = []
    for sign in text:
        if runs and runs[-1][0] == sign:
            runs[-1] = (sign, runs[-1][1] + 1)
        else:
            runs.append((sign, 1))
    return runs
