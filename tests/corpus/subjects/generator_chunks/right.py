"""Pieces of long inputs."""

from collections.abc import Iterable, Iterator


def chunks(items: Iterable[int], size: int) -> Iterator[list[int]]:
    """Yield lists of ``size`` items each; the last one may be shorter.

    Raises:
        ValueError: ``size`` is not positive.

    >>> list(chunks([1, 2, 3, 4, 5], 2))
    [[1, 2], [3, 4], [5]]
    >>> list(chunks([1, 2, 3, 4], 2))
    [[1, 2], [3, 4]]
    >>> list(chunks([7, 8], 1))
    [[7], [8]]
    >>> list(chunks([7, 8], 5))
    [[7, 8]]
    >>> list(chunks([], 3))
    []
    >>> list(chunks([1], 0))
    Traceback (most recent call last):
        ...
    ValueError: size must be positive
    """
    if size < 1:
        raise ValueError("size must be positive")
    piece: list[int] = []
    for item in items:
        piece.append(item)
        if len(piece) == size:
            yield piece
            piece = []
    if piece:
        yield piece
