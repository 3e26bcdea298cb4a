"""How much of what a text has, as two numbers: no reader counts fewer than the first, or more than the second.

Refuses (None) to count what its rules do not fit: words where nothing stands between them, sentences of a list.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

from probatum.judge.criteria.reading import plain_name, unfenced

Span = tuple[int, int]
_HEADING: Final = re.compile(
    r"(?m)^[ ]{0,3}#{1,6}[ \t]+(?P<hash>[^\n]{1,300})|^(?P<under>\S[^\n]{0,120})\n(?:={3,}|-{3,})[ \t]*$"
    r"|^[ ]{0,3}\*\*(?P<bold>[^*\n]{1,120})\*\*:?[ \t]*$|(?i:<h[1-6][^>]{0,200}>(?P<tag>[^<]{1,200})</h[1-6]>)"
)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MARK_OF_FENCE: Final = re.compile(r"(?m)^ {0,3}(?:```|~~~)[^\n]*$")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_NUMBERING: Final = re.compile(r"^[\W\d]*(?:[a-z]?[\d.]+[.):]?\s+)?|[\s:*#.]+$")
_MARKED: Final = re.compile(r"(?m)^[ ]{0,3}#{1,6}[ \t]+\S")
ITEM: Final = re.compile(r"(?m)^[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")
_TOP_ITEM: Final = re.compile(r"(?m)^[ ]?(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")
_URL: Final = re.compile(r"https?://[^\s<>()\"'\]]+")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def headings(text: str) -> list[tuple[str, str]]:
    """Return the headings of a text as plain words, each with what stands below it."""
    prose = _COMMENT.sub("", unfenced(text))
    found = list(_HEADING.finditer(prose))
    ends = [*(match.start() for match in found[1:]), len(prose)][: len(found)]
    titles = (next(filter(None, match.groups())) for match in found)
    return [
        (plain_name(_NUMBERING.sub("", title.strip())), prose[match.end() : end])
        for title, match, end in zip(titles, found, ends, strict=True)
    ]


def counted(unit: str, text: str) -> Span | None:
    """Return how many of a unit a text has, with marks that are not shown and without them."""
    counter = COUNTERS.get(unit) or COUNTERS[unit.removesuffix("s")]
    bare = _TAG.sub("", _COMMENT.sub("", text)) if "<" in text else text
    # A fence may stand around the whole text.
    bare = _MARK_OF_FENCE.sub("", bare)
    spans = [counter(text), counter(bare)] if bare != text else [counter(text)]
    known = [each for each in spans if each is not None]
    return (min(map(min, known)), max(map(max, known))) if len(known) == len(spans) else None


def _words(text: str) -> Span | None:
    spaced = sum(any(sign.isalnum() for sign in word) for word in text.split())
    letters = len(re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text))
    return None if _UNSPACED.search(text) else (min(spaced, letters), max(spaced, letters))


def _sentences(text: str) -> Span | None:
    if _UNSPACED.search(text) or ITEM.search(text) or _HEADING.search(text) or "```" in text or "\n\n" in text.strip():
        return None
    # A point behind a short word may belong to an abbreviation; what goes on in lower case is one sentence for some.
    ends = re.findall(r"(\w{0,30})[.!?]{1,8}[\"')\]]{0,4}(?:\s{1,9}(?=([a-z])?)|$)", text)
    is_open = bool(text.strip()) and re.search(r"[.!?][\"')\]]{0,4}$", text.rstrip()[-20:]) is None
    sure = sum(len(word) > 4 and not goes_on for word, goes_on in ends[:-1]) + bool(ends)
    return sure + (is_open and not ends), len(ends) + is_open


def _paragraphs(text: str) -> Span:
    blocks = [each.strip() for each in re.split(r"\n[ \t]*\n", text) if each.strip()]
    # A line without an end of a sentence may be a title or a greeting.
    prose = [each for each in blocks if "\n" not in each and each[-1] in ".!?" and not ITEM.match(each)]
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    return len(prose), len(blocks) if len(prose) == len(blocks) else lines


def _characters(text: str) -> Span:
    least = len(text) if text == text.strip() else len("".join(text.split()))
    if not text.isascii():
        # A reader sees one character where a letter and its marks stand, or several signs make a picture.
        least -= sum(sign > "\uffff" or unicodedata.category(sign) in {"Mn", "Me", "Mc", "Cf"} for sign in text)
    return least, max(len(text), len(text.encode("utf-16-le", "surrogatepass")) // 2)


def _items(text: str) -> Span:
    prose = unfenced(text)
    found = len(ITEM.findall(prose))
    return len(_TOP_ITEM.findall(prose)), found if found else sum(bool(line.strip()) for line in prose.split("\n"))


def _bullets(text: str) -> Span:
    prose = unfenced(text)
    return len(re.findall(r"(?m)^[-*+•][ \t]+\S", prose)), len(ITEM.findall(prose)) + prose.count("<li")


def _links(text: str) -> Span:
    found = _URL.findall(text)
    return len(set(found)), len(found) + text.count("](") + text.count("www.") + text.count("href")


def _sections(text: str) -> Span:
    found = len(headings(text))
    return max(0, found - 1), found or len(re.split(r"\n[ \t]*\n", text))


COUNTERS: Final[Mapping[str, Callable[[str], Span | None]]] = {
    "word": _words,
    "sentence": _sentences,
    "paragraph": _paragraphs,
    "character": _characters,
    "bullet point": _bullets,
    "bullet": _bullets,
    "item": _items,
    "section": _sections,
    "heading": lambda text: (len(_MARKED.findall(unfenced(text))), len(headings(text))),
    "link": _links,
}
