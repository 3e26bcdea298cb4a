"""Paging through a remote list."""

import asyncio
from collections.abc import AsyncIterator


async def _page(records: list[int], number: int, size: int) -> list[int]:
    await asyncio.sleep(0)
    return records[number * size : (number + 1) * size]


async def every_record(records: list[int], size: int) -> AsyncIterator[int]:
    """Yield the records of all pages; a page that is not full is the last one.

    >>> async def read(records, size):
    ...     return [record async for record in every_record(records, size)]
    >>> asyncio.run(read([5, 6, 7], 2))
    [5, 6, 7]
    >>> asyncio.run(read([5, 6, 7, 8], 2))
    [5, 6, 7, 8]
    >>> asyncio.run(read([9], 3))
    [9]
    >>> asyncio.run(read([], 2))
    []
    """
    number = 0
    while True:
        page = await _page(records, number, size)
        if len(page) < size:
            return
        for record in page:
            yield record
        number += 1
