"""Values as Python source: integers that Python refuses to write, having thousands of digits, are hexadecimal."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from fractions import Fraction

from probatum.sandbox import SourceArgument


def value_text(value: object) -> str:
    """Return what ``repr`` writes, with integers in hexadecimal where Python refuses to write them in decimal."""
    try:
        return repr(value)
    except ValueError:
        return _with_hexadecimal(value)


def pasteable_text(value: object) -> str:
    """Write an argument as Python that can be pasted, also a number that is not finite."""
    if isinstance(value, SourceArgument):
        return value.text
    is_unwritable = isinstance(value, float) and not abs(value) < float("inf")
    return f"float({str(value)!r})" if is_unwritable else value_text(value)


def _with_hexadecimal(value: object) -> str:
    if isinstance(value, int):
        return hex(value)
    if isinstance(value, Fraction):
        return f"Fraction({value_text(value.numerator)}, {value_text(value.denominator)})"
    if isinstance(value, range):
        return f"range({', '.join(map(value_text, (value.start, value.stop, value.step)))})"
    if isinstance(value, dict):
        pairs = ", ".join(f"{value_text(key)}: {value_text(held)}" for key, held in value.items())
        return _named(value, f"{{{pairs}}}")
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list | deque):
        return _named(value, f"[{', '.join(map(value_text, value))}]")
    if isinstance(value, set | frozenset):
        return _named(value, f"{{{', '.join(map(value_text, value))}}}")
    return f"<{type(value).__name__}>"


def _named(value: object, inner: str) -> str:
    """Put the name of its type around the content of a collection that has no brackets of its own."""
    if isinstance(value, defaultdict):
        return f"defaultdict({value.default_factory!r}, {inner})"
    is_named = isinstance(value, Counter | OrderedDict | deque | frozenset)
    return f"{type(value).__name__}({inner})" if is_named else inner
