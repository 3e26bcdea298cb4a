"""Cuts text into claims: sentences, items of lists and rows of tables, each with its place.

Code blocks, questions and lines that only announce something are no claims. A full stop in a number, behind an
abbreviation or an initial ends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 1_200
"""Characters of one claim."""
_FENCE: Final = re.compile(
    r"^[ \t]{0,8}(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n(?:(?![ \t]{0,8}(?P=mark))[^\n]*+(?:\n|\Z))*+[^\n]*+", re.M
)
_LINE: Final = re.compile(r"[^\n\r]++")
_LEAD: Final = re.compile(
    r"[ \t]*+(?:#{1,6}[ \t]++|>[ \t]?|(?:[-*+•–]|[0-9]{1,3}[.)]|[a-z][.)])[ \t]++(?:\[[ xX]\][ \t]++)?)?+"
)
_STOP: Final = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]{0,4}+(?:\[[0-9]{1,4}\]){0,4}+(?=\s|$)|[。！？]"
    r"|(?<=[a-z]{3})[.!?](?=[A-Z][a-z]*+\s[a-z])"
)
_BREAK: Final = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\u2022\u25a0-\u25ff\u2028\u2029\ufe0f\u200d]++"
    r"|<(?:!--|/?(?:p|br|hr|li|[uod]l|h[1-6]|d[dtiv]+|t[rdh]|table|section)\b[^<>]{0,80}>)|-->"
)
"""What parts sentences without a stop: pictures, bullets inside a line, tags and comments."""
_JOINT: Final = re.compile(r";\s|\s[-–—]{1,3}\s")
_VERB: Final = r"(?:is|are|was|were|has|have|had|will|can|could|does|did|should|must|may)\b"
_HAS_VERB: Final = re.compile(rf"\b{_VERB}", re.IGNORECASE)
_OPENS_CLAUSE: Final = re.compile(
    rf"(?:(?:and|but|so)\s)?(?!(?:which|who|that|whose|where|when|while|if|{_VERB})\b)[^\s;]++(?:\s[^\s;.,]++){{0,4}}?\s{_VERB}",
    re.IGNORECASE,
)
_ABBREVIATED: Final = re.compile(
    r"(?:^|[\s(\"'“])(?:(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Lt|Sgt|Rev|Hon|Gov|Sen|Rep|Capt|vs|No|Nos|Fig|Eq|Sec|cf|ca|approx"
    r"|al|etc|e\.g|i\.e|Inc|Ltd|Co|Corp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|p|pp|Vol|vol|ed|eds)|(?:[^\W\d_]\.){1,4}[^\W\d_]|[A-Z])$"
)
_STARTS: Final = re.compile(r"[ \t]++(?:[^\w\s]{1,4}[ \t]*+)?(?:[^\W\da-z_]|[0-9])")
_WORD_BEFORE: Final = re.compile(r"(?<![\w.])[a-z]{4,}$|[a-z][!?]$")
_RULE: Final = re.compile(r"[\s|:=+*_~-]*+$")
_PARAGRAPH: Final = re.compile(r"\n[ \t\r]*+\n|\n(?=[ \t]*+(?:#{1,6}[ \t]|>|[-*+•–][ \t]|[0-9]{1,3}[.)][ \t]|\|))")


@dataclass(frozen=True, slots=True)
class ClaimSpan:
    """Where a claim stands in its text."""

    start: int
    end: int


def spans_of(text: str, *, with_code: bool = False) -> Iterator[ClaimSpan]:
    """Yield every sentence, list item and row of a table in order, and where that is asked for the lines of code."""
    place = 0
    for fence in _FENCE.finditer(text):
        yield from _blocks(text, place, fence.start())
        place = fence.end()
        if with_code:
            yield from (ClaimSpan(*line.span()) for line in _LINE.finditer(text, fence.start(), place))
    yield from _blocks(text, place, len(text))


def is_claim(said: str) -> bool:
    """Return whether a span states something: a question, a rule of a table or an announcement does not."""
    bare = said.strip(" *_\"'”’»)#|>`")
    return any(sign.isalnum() for sign in bare) and not bare.endswith(("?", ":"))


def _blocks(text: str, start: int, end: int) -> Iterator[ClaimSpan]:
    place = start
    for gap in _PARAGRAPH.finditer(text, start, end):
        yield from _block(text, place, gap.start())
        place = gap.end()
    yield from _block(text, place, end)


def _block(text: str, start: int, end: int) -> Iterator[ClaimSpan]:
    """Yield the sentences of one paragraph, item, heading or row; a break of a line inside is a space."""
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    if text.startswith("|", start):
        row = _LINE.match(text, start, end)
        stop = row.end() if row else end
        if not _RULE.match(text, start, stop):
            yield from _trimmed(text, start, stop)
        start = stop
    for part in _BREAK.finditer(text, start, end):
        yield from _sentences(text, start, part.start())
        start = part.end()
    yield from _sentences(text, start, end)


def _sentences(text: str, start: int, end: int) -> Iterator[ClaimSpan]:
    begun = start
    for mark in _STOP.finditer(text, start, end):
        if mark.end() >= end or _ends(text, mark, end):
            yield from _clauses(text, begun, mark.end())
            begun = mark.end()
    yield from _clauses(text, begun, end)


def _clauses(text: str, start: int, end: int) -> Iterator[ClaimSpan]:
    """Yield the main clauses of a sentence that a semicolon or a dash joins."""
    begun = start
    for joint in _JOINT.finditer(text, start, end):
        if _HAS_VERB.search(text, max(begun, joint.start() - 400), joint.start()) and _OPENS_CLAUSE.match(
            text, joint.end(), end
        ):
            yield from _trimmed(text, begun, joint.start() + (text[joint.start()] == ";"))
            begun = joint.end()
    yield from _trimmed(text, begun, end)


def _ends(text: str, stop: re.Match[str], end: int) -> bool:
    if stop[0][0] in "。！？":
        return True
    if text[stop.end()] in "\n\r" or not text[stop.end()].isspace():
        return True
    if stop[0] == "." and _ABBREVIATED.search(text[max(0, stop.start() - 12) : stop.start()]):
        return False
    word = _WORD_BEFORE.search(text[max(0, stop.start() - 40) : stop.start() + (stop[0][0] in "!?")])
    return word is not None or _STARTS.match(text, stop.end(), end) is not None


def _trimmed(text: str, start: int, end: int) -> Iterator[ClaimSpan]:
    """Yield a span without white space around it; what is too long for a sentence is cut at a space."""
    while start < end:
        while start < end and text[start].isspace():
            start += 1
        stop = end
        if end - start > LONGEST:
            space = text.rfind(" ", start + 1, start + LONGEST)
            stop = space if space > start else start + LONGEST
        last = stop
        while last > start and text[last - 1].isspace():
            last -= 1
        if start < last:
            yield ClaimSpan(start, last)
        start = stop
