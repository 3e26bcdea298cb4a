"""Compression of runs, first version."""


def run_lengths(text: str) -> list[tuple[str, int]]:
    """Return every run of equal signs with its length."""
    runs = []
    position = 0
    while position < len(text):
        end = position
        while end < len(text) and text[end] == text[position]:
            end += 1
        runs.append((text[position], end - position))
        position = end
    return runs
