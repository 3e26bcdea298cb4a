"""JSON paths, as requirements declare them: ``price``, ``data.price``, ``rows[*].close``, ``$['odd key'][0]``.

A path that is itself a key of the value means that key. Where the value is a list and the path begins with a name, it
is looked up in every item. Refuses what is no such path: filters, slices and recursive descent are not offered.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

Steps = tuple[str | int, ...]
_STEP: Final = re.compile(r"\.?([^.\[\]$*'\"]+)|\[(\d{1,9})\]|\[(\*)\]|\[(?:'([^']*)'|\"([^\"]*)\")\]")
_PLAIN: Final = re.compile(r"[^.\[\]$*'\"]+")
_INDEX: Final = re.compile(r"\[(?:\d+|\*)\]")


class JsonPathError(ValueError):
    """The text is no path."""


def found_at(value: object, path: str) -> list[tuple[Steps, tuple[int, ...], object]]:
    """Return what stands at a path, in order: its steps, the indices that the path left open, and the value.

    Raises JsonPathError for what is no path.
    """
    if isinstance(value, dict) and path in value:
        if _PLAIN.fullmatch(path) is None and _found(value, path):
            raise JsonPathError(f"{path[:80]!r} is a key, and a path to something else")
        return [((path,), (), value[path])]
    return _found(value, path)


def _found(value: object, path: str) -> list[tuple[Steps, tuple[int, ...], object]]:
    try:
        steps = parsed_path(path)
    except JsonPathError:
        if isinstance(value, dict) and path in value:
            return []
        raise
    every = isinstance(value, list) and isinstance(steps[0], str)
    whole = (None, *steps) if every else steps
    found: list[tuple[Steps, object]] = [((), value)]
    for step in whole:
        found = [each for at, item in found for each in _at(at, item, step)]
    return [(at, tuple(int(at[n]) for n, step in enumerate(whole) if step is None), item) for at, item in found]


def with_indices(name: str, indices: tuple[int, ...]) -> str:
    """Return the name of one of several values: ``rows[*].close`` becomes ``rows[3].close``, ``price`` ``price[3]``."""
    for index in indices:
        name = name.replace("[*]", f"[{index}]", 1) if "[*]" in name else f"{name}[{index}]"
    return name


def without_indices(name: str) -> str:
    """Return what all values of a list are called: ``rows.close`` of ``rows[3].close``."""
    return _INDEX.sub("", name)


@lru_cache(maxsize=1024)
def parsed_path(path: str) -> tuple[str | int | None, ...]:
    """Return the steps of a path, None for every item of a list; raises JsonPathError for what is no path."""
    steps: list[str | int | None] = []
    at = 1 if path.startswith("$") and path != "$" else 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise JsonPathError(f"{path[:80]!r} is not a path: it cannot be read from {path[at : at + 10]!r} on")
        name, index, every, single, double = match.groups()
        steps.append(None if every else int(index) if index else name or single or double or "")
        at = match.end()
    if not steps:
        raise JsonPathError(f"{path[:80]!r} is not a path: it names nothing")
    return tuple(steps)


def _at(at: Steps, item: object, step: str | int | None) -> list[tuple[Steps, object]]:
    if isinstance(item, list):
        if step is None:
            return [((*at, index), each) for index, each in enumerate(item)]
        return [((*at, step), item[step])] if isinstance(step, int) and step < len(item) else []
    return [((*at, step), item[step])] if isinstance(item, dict) and isinstance(step, str) and step in item else []
