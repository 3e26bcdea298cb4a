"""Dictionaries and lists that cannot be changed in place, all the way down.

They equal and print like the plain ones. In-process Python cannot be sealed: this stops accidents, not attackers
(authority comes from re-checking a proof, never from an object in memory).
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

if TYPE_CHECKING:
    from collections.abc import Mapping


def _refuse(self: object, *_args: object, **_kwargs: object) -> NoReturn:
    raise TypeError(f"{type(self).__name__} cannot be changed")


def _itself(self: Any, *_memo: object) -> Any:
    """Copy what cannot be changed: the copy is the original."""
    return self


class FrozenDict(dict[str, object]):
    """A dictionary whose in-place operations raise TypeError."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse
    __copy__ = __deepcopy__ = _itself

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, object]]]:
        return FrozenDict, (dict(self),)


class FrozenList(list[object]):
    """A list whose in-place operations raise TypeError."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse
    __copy__ = __deepcopy__ = _itself

    # A pickle would append the items one by one, which a frozen list refuses; only this hook comes before that.
    def __reduce_ex__(self, _protocol: SupportsIndex) -> tuple[type[FrozenList], tuple[list[object]]]:
        return FrozenList, (list(self),)


def freeze(value: object) -> object:
    """Return ``value`` with every dictionary and list in it (also inside tuples) frozen; what is so is shared."""
    if isinstance(value, dict):
        return frozen_dict(value)
    if isinstance(value, list):
        items = [freeze(item) for item in value]
        is_frozen = type(value) is FrozenList and all(map(is_, value, items))
        return value if is_frozen else FrozenList(items)
    if type(value) is tuple:
        return tuple(freeze(item) for item in value)
    return value


def frozen_dict(mapping: Mapping[str, object]) -> FrozenDict:
    """Return a mapping deeply frozen: itself where it is so already, else a copy."""
    entries = {key: freeze(item) for key, item in mapping.items()}
    if type(mapping) is FrozenDict and all(map(is_, mapping.values(), entries.values())):
        return mapping
    return FrozenDict(entries)


def frozen_in_place(value: object) -> object:
    """Return ``value`` frozen; what it is made of is used up on the way, so that it is not held twice."""
    if isinstance(value, dict):
        for key in value:
            value[key] = frozen_in_place(value[key])
        return FrozenDict(value)
    if isinstance(value, list):
        for index, item in enumerate(value):
            value[index] = frozen_in_place(item)
        return FrozenList(value)
    return value


def thaw(value: object) -> object:
    """Return a plain, independent copy of a frozen value."""
    if isinstance(value, dict):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, list):
        return [thaw(item) for item in value]
    if type(value) is tuple:
        return tuple(thaw(item) for item in value)
    return value
