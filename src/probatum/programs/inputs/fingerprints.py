"""One text for each plain value: equal exactly for equal values of equal types.

Needed wherever values are compared, counted or put in order: ``==`` holds for 1, 1.0 and True, ``hash`` fails for
lists, and ``repr`` depends on the order of sets and refuses enormous numbers.
"""

from __future__ import annotations


def fingerprint(value: object) -> str:
    """Return the text of a plain value; the order of sets does not matter, the order of mappings does."""
    if type(value) is int:
        return hex(value) if value.bit_length() > 64 else str(value)
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}{{{','.join(sorted(fingerprint(item) for item in value))}}}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}[{','.join(fingerprint(item) for item in value)}]"
    if isinstance(value, dict):
        return f"dict({','.join(f'{fingerprint(key)}:{fingerprint(held)}' for key, held in value.items())})"
    return repr(value)
