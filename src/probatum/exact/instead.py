"""What to write instead of a sentence: the claim itself where it can be written mechanically, else an example.

Used for hints alone: nothing that is written here decides a claim.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_DATE: Final = re.compile(r"\b([0-9]{4})-0?([0-9]{1,2})-0?([0-9]{1,2})\b")
_DAY: Final = r"(date\([0-9, ]+\))"
_NODE: Final = r"['\"]?(\w+)['\"]?"
_COUNT: Final = r"([0-9]+) (day|week|month|year)s?"
_INSTEAD: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "graph": (
        (rf"(?:there is a )?path from {_NODE} to {_NODE}(?: exists)?", r"path('\1', '\2')"),
        (rf"{_NODE} (?:reaches|leads to|is connected to) {_NODE}", r"path('\1', '\2')"),
        (rf"{_NODE} is reachable from {_NODE}", r"path('\2', '\1')"),
        (
            rf"(?:the )?(?:shortest path|distance) (?:from|between) {_NODE} (?:to|and) {_NODE} (?:is|has length) (\d+)",
            r"distance('\1', '\2') == \3",
        ),
        (r"(?:the graph|it) (?:is (acyclic|connected)|has no cycle)", r"\1"),
    ),
    "dates": (
        (rf"{_DAY} (?:is|was) an? (\w+day)", r"weekday(\1) == '\2'"),
        (rf"{_DAY} (?:is|was) before {_DAY}", r"\1 < \2"),
        (rf"{_DAY} (?:is|was) after {_DAY}", r"\1 > \2"),
        (rf"{_DAY} ([+-]) {_COUNT} (?:==?|is) {_DAY}", r"\1 \2 \4s(\3) == \5"),
        (rf"{_COUNT} after {_DAY} (?:==?|is) {_DAY}", r"\3 + \2s(\1) == \4"),
        (rf"{_COUNT} before {_DAY} (?:==?|is) {_DAY}", r"\3 - \2s(\1) == \4"),
        (rf"there are ([0-9]+) days (?:between|from) {_DAY} (?:and|to) {_DAY}", r"\3 - \2 == days(\1)"),
    ),
    "units": (
        (
            r"(\S+) (?:degrees? )?°?([CF])(?:elsius|ahrenheit)? (?:is|are|equals?|=) (\S+) (?:degrees? )?°?([CF])\w*",
            r"\1 °\2 == \3 °\4",
        ),
        (r"(.*[0-9].*?) (?:is equal to|is the same as|is|are|equals?) (.*[0-9].*)", r"\1 == \2"),
    ),
    "image": (
        (r"(?:it|the image|the picture) is an? (\w+)(?: file| image)?", r"format == '\1'"),
        (
            r"(?:it is |the image is )?([0-9]+) ?(?:x|×|by) ?([0-9]+) ?(?:pixels|px)?",
            r"width == \1 and height == \2",
        ),
    ),
    "logic": ((r"if (.+?),? then (.+)", r"(\1) -> (\2)"),),
    "code": ((r"(?:the code|it) imports (\w+)", r"imports('\1')"),),
}
"""By engine: sentences, and the same as claims."""
_ACYCLIC: Final = "acyclic"


def written_instead(engine: str, statement: str) -> str:
    """Return the formal claim for a sentence; empty where there is none that says the same for certain."""
    dated = _DATE.sub(r"date(\1, \2, \3)", statement) if engine == "dates" else statement
    for sentence, claim in _INSTEAD.get(engine, ()):
        if found := re.fullmatch(rf"\s*{sentence}\s*\.?\s*", dated, re.IGNORECASE):
            return found.expand(claim) or _ACYCLIC
    return ""
