"""Conversion of prices through a slow service, a few at a time."""

import asyncio


async def _convert(cents: int, rate: int) -> int:
    await asyncio.sleep(0)
    return cents * rate // 100


async def convert_all(amounts: list[int], rate: int, size: int = 2) -> list[int]:
    """Convert amounts in cents at a rate in percent, ``size`` at a time, and keep their order.

    Raises:
        ValueError: ``size`` is not positive.

    >>> asyncio.run(convert_all([100, 250, 30], 50))
    [50, 125, 15]
    >>> asyncio.run(convert_all([1, 2, 3, 4], 200, size=3))
    [2, 4, 6, 8]
    >>> asyncio.run(convert_all([7], 150, size=1))
    [10]
    >>> asyncio.run(convert_all([], 50))
    []
    >>> asyncio.run(convert_all([1], 50, size=-1))
    Traceback (most recent call last):
        ...
    ValueError: size must be positive
    >>> asyncio.run(convert_all([], 50, size=0))
    Traceback (most recent call last):
        ...
    ValueError: size must be positive
    """
    if size < 1:
        raise ValueError("size must be positive")
    converted: list[int] = []
    for start in range(0, len(amounts) - size + 1, size):
        batch = amounts[start : start + size]
        converted += await asyncio.gather(*(_convert(cents, rate) for cents in batch))
    return converted
