"""What is markup in documentation: white space, punctuation and the signs that formats draw lists and tables with.

No letter, digit or sign of any language is.
"""

from __future__ import annotations

import unicodedata

_SIGNS = frozenset("$+<=>^`|~")
_MARKUP = ("P", "Z", "Cc", "Cf")
_BOXES = range(0x2500, 0x2600)


def says_something(text: str) -> bool:
    """True where anything in a text is neither white space nor markup."""
    return not all(map(is_markup, text))


def is_markup(sign: str) -> bool:
    """True for white space, punctuation and the signs that formats draw with."""
    return sign.isspace() or sign in _SIGNS or ord(sign) in _BOXES or unicodedata.category(sign).startswith(_MARKUP)
