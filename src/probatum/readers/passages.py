"""Finds what a text quotes.

A quotation is found where its marks can be nothing else: an apostrophe, a sign of inches or a mark that is never closed
is none.
"""

from __future__ import annotations

import re
from typing import Final

from probatum.readers.conventions import require_length

_PAIRS: Final = {"“": "”", "„": "“”", "«": "»"}
_MARKS: Final = re.compile(
    r"[\"“”„«»]|\n[ \t]*\n|(?<![^\s(\[{—–/])['‘](?=[^\W\d]|[\"“])|(?<=\S)['’](?!\w)|^>[^\n]*", re.MULTILINE
)
_CUT_SHORT: Final = re.compile(r"['‘](?:n|tis|twas|em|cause|til|till|bout|round|cuz|nuff)\b", re.IGNORECASE)


def quoted_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the quotations of a text with their marks, and its lines that begin with ">", in order, the outer ones."""
    require_length(text, "text")
    spans: list[tuple[int, int]] = []
    opened: dict[str, int] = {}
    for match in _MARKS.finditer(text):
        mark, place = match.group(), match.start()
        if mark[0] == ">":
            spans.append((place, match.end()))
        elif mark[0] == "\n":
            opened.clear()
        elif mark in "'‘’":
            _single(text, place, opened, spans)
        elif mark == '"':
            _straight(text, place, opened, spans)
        else:
            start = next(
                (opened.pop(begin) for begin, ends in _PAIRS.items() if mark in ends and begin in opened), None
            )
            if start is not None:
                spans.append((start, place + 1))
            elif mark in _PAIRS:
                opened[mark] = place
    outer: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not outer or span[0] >= outer[-1][1]:
            outer.append(span)
    return tuple(outer)


def _straight(text: str, place: int, opened: dict[str, int], spans: list[tuple[int, int]]) -> None:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if '"' in opened:
        # A sign of inches stands after a digit; so does the end of a quotation that has begun.
        if before and not before.isspace() and not after.isalnum():
            spans.append((opened.pop('"'), place + 1))
    elif after and not after.isspace() and not before.isalnum():
        opened['"'] = place


def _single(text: str, place: int, opened: dict[str, int], spans: list[tuple[int, int]]) -> None:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    may_open = (not before or before in ' \t\n([{—–/"“') and (after.isalpha() or after in {'"', "“"})
    if may_open and text[place] != "’":
        if not _CUT_SHORT.match(text, place):
            opened["'"] = place
    elif "'" in opened and (before in ".,!?" or before not in "sS"):
        spans.append((opened.pop("'"), place + 1))
    else:
        # The dogs' bowl: what has begun before may not be a quotation either.
        opened.pop("'", None)
