"""Whether a Python value is JSON, and where it is not.

Callers hand over objects as well as bytes. Finds what the engine would not look at: bytes, sets, tuples, NaN, keys that
are not text, half a surrogate pair, and a structure that contains itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.frozen import FrozenDict, FrozenList
from probatum.readers.json_schema.parsing import MAX_DEPTH, Steps

_MAX_SHARED: Final = 1_000_000
"""How many parts a value may seem to have in which something stands in several places."""
_HARMLESS: Final = frozenset({int, bool, type(None)})


def first_flaw(value: object) -> tuple[Steps, str] | None:
    """Return the place and the reason of the first thing in a value that is not JSON; None for JSON.

    Raises BudgetError where it is JSON so large or so deep that nobody could write it out.
    """
    return None if _is_tree_of_json(value) else _flaw(value)


def _is_tree_of_json(value: object) -> bool:
    """Return whether a value is JSON in which nothing is shared; the quick answer, level by level."""
    # By exact type and without recursion: this runs for every value, and most are sound.
    level = [value]
    seen: set[int] = set()
    count = 0
    for _ in range(MAX_DEPTH + 1):
        below: list[object] = []
        containers: list[int] = []
        for item in level:
            kind = type(item)
            if kind is str:
                if not item.isascii() and _has_half_pair(item):  # type: ignore[attr-defined,arg-type]  # text
                    return False
            elif kind is dict or kind is FrozenDict:
                if not _are_texts(item):  # type: ignore[arg-type]  # a dictionary
                    return False
                containers.append(id(item))
                below += item.values()  # type: ignore[attr-defined]  # a dictionary
            elif kind is list or kind is FrozenList:
                containers.append(id(item))
                below += item  # type: ignore[arg-type]  # a list
            elif kind not in _HARMLESS and not (kind is float and isfinite(item)):  # type: ignore[arg-type]  # a float
                return False
        seen.update(containers)
        count += len(containers)
        if len(seen) != count:
            return False
        level = below
        if not level:
            return True
    return False


def _are_texts(keys: Iterable[object]) -> bool:
    try:
        return all(map(str.isascii, keys)) or not any(map(_has_half_pair, keys))  # type: ignore[arg-type]  # or refused
    except (TypeError, AttributeError):
        return False


def _has_half_pair(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _flaw(value: object) -> tuple[Steps, str] | None:
    """Walk a value in depth, and know the place of everything."""
    steps: list[str | int] = []
    above: list[int] = []
    pending: list[Iterator[tuple[str | int, object]]] = [iter([(0, value)])]
    count = 0
    while pending:
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
            if above:
                above.pop()
                steps.pop()
            continue
        count += 1
        if count > _MAX_SHARED or len(pending) > MAX_DEPTH + 1:
            raise BudgetError("json.too_large", "The value has more parts or levels than the budget allows.")
        step, item = entry
        here = (*steps, step)[1:]
        reason = _reason(item, above)
        if reason:
            return here, reason
        if isinstance(item, (dict, list)):
            above.append(id(item))
            steps.append(step)
            pending.append(iter(item.items()) if isinstance(item, dict) else iter(enumerate(item)))
    return None


def _reason(item: object, above: list[int]) -> str:
    if isinstance(item, str):
        return "half a surrogate pair, which no text has" if _has_half_pair(item) else ""
    if isinstance(item, (dict, list)):
        if id(item) in above:
            return "a structure that contains itself"
        wrong = [key for key in item if type(key) is not str or _has_half_pair(key)] if isinstance(item, dict) else []
        return f"a key that is not text: {ascii(wrong[0])[:80]}" if wrong else ""
    if item is None or isinstance(item, int) or (isinstance(item, float) and isfinite(item)):
        return ""
    return (
        f"{item!r} is not a JSON number" if isinstance(item, float) else f"a {type(item).__name__} is not a JSON value"
    )
