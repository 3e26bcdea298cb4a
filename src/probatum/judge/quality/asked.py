"""Whether an output has what its request asks for by number or by name; read from ``original_query`` of the context.

Only what can be counted is: numbered questions, "three examples", sections that are named. A request in other words
asks nothing that is found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from probatum.judge.quality.parts import OutputPart, PartKind
from probatum.judge.quality.scoring import QualityHit
from probatum.judge.quality.text import sentences_of

_NUMBERS: Final = dict(
    zip(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve"],
        (*range(2, 11), 12),
        strict=True,
    )
)
_KINDS: Final = (
    "examples|reasons|steps|ways|tips|items|points|ideas|suggestions|paragraphs|sentences|benefits|advantages"
    "|disadvantages|options|alternatives|facts|questions|recommendations"
)
_COUNTED: Final = re.compile(
    rf"(?<!top )(?<!the )\b(?P<count>{'|'.join(_NUMBERS)}|\d{{1,2}}) (?:[a-z-]+ ){{0,2}}?(?P<what>{_KINDS})\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(r"^[ \t]*(?:Q(?:uestion)? ?)?(\d{1,2})[.):] +\S", re.MULTILINE | re.IGNORECASE)
_ANSWER: Final = re.compile(r"^[ \t>*#_]*(?:(?:Q|A|Question|Answer) ?)?(\d{1,2})[.):]", re.MULTILINE | re.IGNORECASE)
_ITEM: Final = re.compile(r"^(?:[-*+•]|\d{1,2}[.)]|#{2,6} |\*\*\d{1,2}[.)])[ \t]*\S", re.MULTILINE)
_SECTIONS: Final = re.compile(
    r"\bsections? (?:named |called |titled |on |for |entitled )?:? ?(?P<names>[^.\n?]{3,200})", re.IGNORECASE
)
_NAME: Final = re.compile(
    r"[\"“'‘]([^\"”'’\n]{2,60})[\"”'’]|\b([A-Z]\w+(?: (?:[A-Z]\w+|and|of|the)(?= [A-Z]))*(?: [A-Z]\w+)*)"
)


def asked_hits(query: object, parts: Sequence[OutputPart]) -> Iterator[QualityHit]:
    """Yield what a request asks for and the prose of the output does not have."""
    text = "\n\n".join(part.text for part in parts if part.kind is PartKind.PROSE)
    if not isinstance(query, str) or not text.strip() or len(query) > 100_000:
        return
    asked, answered = (
        set(map(int, pattern.findall(where))) for pattern, where in ((_QUESTION, query), (_ANSWER, text))
    )
    if len(asked) > 1 and answered:
        for number in sorted(asked - answered):
            yield QualityHit("asked_item", slots={"what": "numbered answers", "name": f"answer {number}"})
    for match in _COUNTED.finditer(query):
        wanted = _NUMBERS.get(match["count"].lower()) or int(match["count"])
        found = _count(match["what"].lower(), text)
        if found is not None and found < wanted:
            yield QualityHit("asked_count", slots={"what": f"{match['count']} {match['what']}", "name": found})
    for match in _SECTIONS.finditer(query):
        for quoted, plain in _NAME.findall(match["names"]):
            name = quoted or plain
            if name.lower() not in text.lower():
                yield QualityHit("asked_item", slots={"what": "a section", "name": name})


def _count(what: str, text: str) -> int | None:
    """Return how many of a kind a text has; None where that cannot be counted."""
    if what == "paragraphs":
        return sum(bool(each.strip()) for each in re.split(r"\n[ \t]*\n", text))
    if what == "sentences":
        return len(sentences_of(text))
    if what == "questions":
        return text.count("?") + text.count("？")
    return len(_ITEM.findall(text)) or None
