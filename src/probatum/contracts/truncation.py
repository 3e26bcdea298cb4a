"""Shortening text to a number of bytes without breaking a character.

Bytes are decoded before they are cut, so that a replacement character counts with its own three bytes.
"""

from __future__ import annotations

import re
from typing import Final

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
LONGEST_CHARACTER: Final = 4
"""How many bytes a character can have."""


def truncate_utf8_bytes(text: str | bytes, max_bytes: int) -> str:
    """Return the longest beginning of a text whose UTF-8 form has at most ``max_bytes``.

    Bytes that are not UTF-8 become replacement characters first.

    Raises ValueError: ``max_bytes`` is negative or no whole number.
    """
    if type(max_bytes) is not int or max_bytes < 0:
        raise ValueError(f"max_bytes is a whole number of 0 or more, got {max_bytes!r}")
    if isinstance(text, str):
        whole = _LONE_SURROGATE.sub("\ufffd", text[: max_bytes + 1])
    else:
        # What lies further behind cannot be part of the result: a replacement is never shorter than what it replaces.
        whole = bytes(text[: max_bytes + LONGEST_CHARACTER]).decode("utf-8", errors="replace")
    return whole.encode()[:max_bytes].decode("utf-8", errors="ignore")
