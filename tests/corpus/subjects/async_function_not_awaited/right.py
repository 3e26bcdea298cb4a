"""Look-up of customers in a remote directory."""

import asyncio


async def _lookup(directory: dict[str, str], name: str) -> str | None:
    await asyncio.sleep(0)
    return directory.get(name.lower())


async def addresses(directory: dict[str, str], names: list[str]) -> list[str]:
    """Return the addresses of the names that the directory knows, in order of the names. Case does not matter.

    >>> book = {"ada": "ada@example.org", "alan": "alan@example.org"}
    >>> asyncio.run(addresses(book, ["Alan", "Grace", "ADA"]))
    ['alan@example.org', 'ada@example.org']
    >>> asyncio.run(addresses(book, ["Grace"]))
    []
    >>> asyncio.run(addresses({}, []))
    []
    """
    found = []
    for name in names:
        address = await _lookup(directory, name)
        if address is not None:
            found.append(address)
    return found
