"""Arguments of Python callers, checked once at the door: a wrong type is the caller's, and becomes no verdict.

Refuses a boolean where a number is asked for, and names that are empty or that no file can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import NoneType
from typing import Final, cast

from probatum.core.errors import UsageError
from probatum.core.ports import Store

Types = tuple[type, ...]
TEXT: Final[Types] = (str,)
BYTES: Final = (bytes, bytearray, memoryview)
TEXT_OR_BYTES: Final = (*TEXT, *BYTES)
# For type checkers it is no type, for `isinstance` it is one.
CALLABLE: Final = cast("type", Callable)
_CALLED: Final[Mapping[type, str]] = {
    str: "text",
    **dict.fromkeys(BYTES, "bytes"),
    **dict.fromkeys((int, float), "a number"),
    bool: "True or False",
    Mapping: "a mapping",
    **dict.fromkeys((list, tuple), "a list"),
    Path: "a path",
    CALLABLE: "a function",
    Store: "a store",
    NoneType: "None",
}


def require_types(arguments: Mapping[str, object], due: Mapping[str, Types]) -> None:
    """Raise UsageError for the first argument that has none of the types that are due for its name."""
    for name, types in due.items():
        value = arguments[name]
        # For Python a boolean is a number.
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            expected = " or ".join(dict.fromkeys(_CALLED[each] for each in types))
            raise UsageError("request.invalid", f"{name!r} must be {expected}, got {type(value).__name__}.")


def require_name(name: str) -> None:
    """Raise UsageError for what nothing can be called in a report."""
    if not name or any("\ud800" <= sign <= "\udfff" for sign in name):
        raise UsageError(
            "request.invalid", f"'name' must be text that is not empty and has a UTF-8 form, got {name!r}."
        )


def bytes_of(given: str | bytes | bytearray | memoryview) -> bytes:
    """Return text or bytes as the bytes of a file."""
    # A lone surrogate becomes bytes that are not UTF-8, and the reader of the file says so.
    return given.encode("utf-8", "surrogatepass") if isinstance(given, str) else bytes(given)
