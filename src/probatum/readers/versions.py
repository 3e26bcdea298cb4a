"""Reads versions: 1.2.3, v2.0, version 3.11, with what semantic versioning allows after the digits.

Two numbers with a point are a version only where the text says so, a V8 is an engine, and four are an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from probatum.readers.conventions import ReadValue

_PART: Final = "(?:0|[1-9][0-9]{0,9}+)"
_CORE: Final = rf"{_PART}(?:\.{_PART}){{0,5}}+"
_STAGE: Final = r"(?:[-.]?(?:alpha|beta|rc|a|b|pre|preview|dev|post|snapshot|SNAPSHOT)(?:[-.]?[0-9]{1,9}+)?)?+"
_BUILD: Final = r"(?:\+[0-9A-Za-z](?:[0-9A-Za-z.-]{0,98}[0-9A-Za-z])?+)?+"
_SEMANTIC: Final = r"(?:-[0-9A-Za-z-]{1,99}+(?:\.[0-9A-Za-z-]{1,99}+){0,9}+)"
_IN_TEXT: Final = re.compile(
    rf"(?<![\w.@/,:-])(?P<said>(?:[Vv]ersion|[Rr]elease)[ \u00a0])?(?P<v>[vV]\.?)?(?P<digits>{_CORE}{_STAGE}{_BUILD})"
    r"(?![\w/:@-]|[.,][0-9A-Za-z])"
)
_WHOLE: Final = re.compile(rf"(?:[Vv]ersion )?[vV]?\.?(?P<digits>{_CORE}(?:{_STAGE}|{_SEMANTIC}){_BUILD})")
_LIKE_A_DATE: Final = re.compile(r"(?:0?[1-9]|[12][0-9]|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)[0-9]{2}")


def read_versions(text: str) -> Iterator[ReadValue]:
    """Yield the versions of a text, in order."""
    for match in _IN_TEXT.finditer(text):
        digits = match["digits"]
        parts = re.split("[^0-9.]", digits)[0].count(".") + 1
        is_said = "." in digits and bool(match["said"] or match["v"])
        if is_said or (parts == 3 and not _LIKE_A_DATE.fullmatch(digits)):
            yield ReadValue("version", digits, match.end() - len(digits) - len(match["v"] or ""), match.end())


def whole_version(text: str) -> ReadValue | None:
    """Return the version that a text is, or None."""
    match = _WHOLE.fullmatch(text)
    return None if match is None else ReadValue("version", match["digits"], 0, len(text))
