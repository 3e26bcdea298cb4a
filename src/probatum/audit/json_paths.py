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


class JsonPathError(ValueError):
    """The text is no path."""


def found_at(value: object, path: str) -> list[tuple[str, Steps, object]]:
    """Return what stands at a path, in order: where each value stands as text and as steps, and the value.

    Raises JsonPathError for what is no path.
    """
    if isinstance(value, dict) and path in value:
        return [(path, (path,), value[path])]
    steps = parsed_path(path)
    every = isinstance(value, list) and isinstance(steps[0], str)
    found: list[tuple[Steps, object]] = [((), value)]
    for step in (None, *steps) if every else steps:
        found = [each for at, item in found for each in _at(at, item, step)]
    return [(_shown(at) if every or None in steps else path, at, item) for at, item in found]


@lru_cache(maxsize=1024)
def parsed_path(path: str) -> tuple[str | int | None, ...]:
    """Return the steps of a path, None for every item of a list; raises JsonPathError for what is no path."""
    steps: list[str | int | None] = []
    at = 1 if path.startswith("$") and path != "$" else 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise JsonPathError(f"{path[:80]!r} is no path: it cannot be read from {path[at : at + 10]!r} on")
        name, index, every, single, double = match.groups()
        steps.append(None if every else int(index) if index else name or single or double or "")
        at = match.end()
    if not steps:
        raise JsonPathError(f"{path[:80]!r} is no path: it names nothing")
    return tuple(steps)


def _at(at: Steps, item: object, step: str | int | None) -> list[tuple[Steps, object]]:
    if isinstance(item, list):
        if step is None:
            return [((*at, index), each) for index, each in enumerate(item)]
        return [((*at, step), item[step])] if isinstance(step, int) and step < len(item) else []
    return [((*at, step), item[step])] if isinstance(item, dict) and isinstance(step, str) and step in item else []


def _shown(steps: Steps) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
