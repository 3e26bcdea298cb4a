"""Documentation prose as sentences, each with its exact place in the document.

Lines that show calls, sessions and headings of examples are left out; what stands under a heading of parameters or
exceptions is told apart from what describes the result. Refuses to join what a blank line or a bullet separates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.programs.reading.documents import Document

__all__ = ["Sentence", "lower", "sentences_of"]

_CAPITALS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_SESSION = re.compile(r"\s*(?:>>>|\.\.\. |\.\.\.$|In \[|\$ )")
_CODE = re.compile(r"==|=>|➞|➜|→|-->|\s->\s|^\s*[\w.]+\(.*\)\s*(?:#.*)?$|^\s*[\]})]|^\s*(?:#|//)")
_EXAMPLES = re.compile(
    r"\s*(?:[#*=\-]*\s*)?(?:for\s+)?(?:examples?|e\.g\.|usage|doctests?|sample|samples|test cases?|input|output"
    r"|explanation)\b[\w\s/\[\]().*]{0,24}[:.=]?[*=\-]*\s*$",
    re.IGNORECASE,
)
_EXAMPLE_BEGIN = re.compile(r"\s*(?:for example|for instance|e\.g\.|example|examples|ex)\b\s*[:,.\d]", re.IGNORECASE)
_HEADING = re.compile(r"\s*(\w[\w ]{2,22}?)\s*:\s*$")
_FIELD = re.compile(r"\s*:(\w+)[^:]*:\s*")
_RULE = re.compile(r"\s*-{3,}\s*$")
_BULLET = re.compile(r"\s*(?:[-*•+]|\d{1,2}[.)]|\([a-z\d]\))\s+")
_OPENING = re.compile(r"\s*(?:Returns?|Note|Notes|Raises|Otherwise|If|Given|The|It|You|Assume|Find|Write)\b")
_STOP = re.compile(r"[.!?]+[\"'`)]*(?=\s|$)")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|resp|fig|eq|approx)\.$", re.IGNORECASE)
_TYPE_PREFIX = re.compile(
    r"\s*(?:``?)?[A-Za-z_][\w.]*(?:\[[\w\[\], .|]*\])?(?:``?)?(?: or None| \| None)?\s*:\s+(?=\S)"
)

_ROLES = {
    "return": "result", "returns": "result", "rtype": "other", "type": "other", "yield": "result", "yields": "result",
    "args": "arguments", "arguments": "arguments", "parameters": "arguments", "params": "arguments",
    "param": "arguments", "arg": "arguments", "inputs": "arguments", "variables": "arguments",
    "keyword args": "arguments", "keyword arguments": "arguments", "attributes": "arguments",
    "other parameters": "arguments", "constraints": "arguments", "constrain": "arguments", "raise": "other",
    "raises": "other", "except": "other", "warns": "other", "see also": "other", "references": "other",
    "todo": "other", "note": "prose", "notes": "prose",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its words on one line, and where it stands in the document."""

    text: str
    begin: int
    end: int
    role: str = "prose"
    """``prose``, ``result`` (under a heading of what is returned), ``arguments`` or ``other``."""


def lower(text: str) -> str:
    """Return the text with ASCII letters in lower case: every character stays at its offset."""
    return text.translate(_CAPITALS)


def sentences_of(document: Document) -> tuple[Sentence, ...]:
    """Return the sentences of the prose in order of appearance."""
    found: list[Sentence] = []
    for begin, end, role in _blocks(document.text):
        found.extend(_sentences(document.text, begin, end, role))
    return tuple(found)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield at, end
        at = end + 1


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places of paragraphs and bullets with the role that the heading above gives them."""
    role, indent, begin, end = "prose", -1, -1, -1
    in_session = in_example = False
    for first, last in _lines(text):
        line = text[first:last]
        stripped = line.strip()
        depth = len(line) - len(line.lstrip())
        if not stripped:
            in_session = in_example = False
        if role != "prose" and stripped and depth <= indent and not _RULE.match(line):
            role, indent = "prose", -1
        heading = _heading(line, text, last)
        field = _FIELD.match(line)
        in_session = in_session or bool(_SESSION.match(line))
        in_example = in_example or bool(_EXAMPLES.match(line) or _EXAMPLE_BEGIN.match(line))
        is_left_out = not stripped or in_session or in_example or bool(_CODE.search(line)) or bool(_RULE.match(line))
        is_new = is_left_out or heading is not None or field is not None or bool(_BULLET.match(line))
        if begin >= 0 and (is_new or (_OPENING.match(line) and not text[begin:end].rstrip().endswith(","))):
            yield begin, end, role
            begin = -1
        if heading is not None:
            role, indent = heading, depth - (1 if _is_underlined(text, last) else 0)
        elif field is not None:
            yield first + field.end(), last, _ROLES.get(field.group(1).lower(), "other")
        elif not is_left_out:
            begin = first if begin < 0 else begin
            end = last
            if stripped.endswith(":"):
                yield begin, end, role
                begin = -1
    if begin >= 0:
        yield begin, end, role


def _heading(line: str, text: str, line_end: int) -> str | None:
    """Return the role that a heading line gives to what follows, None for other lines."""
    match = _HEADING.match(line)
    name = match.group(1).lower() if match else line.strip().lower() if _is_underlined(text, line_end) else ""
    return _ROLES.get(name)


def _is_underlined(text: str, line_end: int) -> bool:
    after = text.find("\n", line_end + 1)
    return bool(_RULE.match(text[line_end + 1 : len(text) if after < 0 else after]))


def _sentences(text: str, begin: int, end: int, role: str) -> Iterator[Sentence]:
    bullet = _BULLET.match(text, begin, end)
    begin = bullet.end() if bullet else begin
    if role == "result" and (prefix := _TYPE_PREFIX.match(text, begin, end)):
        begin = prefix.end()
    at = begin
    while at < end:
        stop = _next_stop(text, at, end)
        sentence = _sentence(text, at, stop, role)
        if sentence is not None:
            yield sentence
        at = stop


def _next_stop(text: str, at: int, end: int) -> int:
    for match in _STOP.finditer(text, at, end):
        if match.group().startswith("...") or _ABBREVIATED.search(text, max(at, match.start() - 8), match.start() + 1):
            continue
        return match.end()
    return end


def _sentence(text: str, begin: int, end: int, role: str) -> Sentence | None:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    words = " ".join(text[begin:end].replace("`", "").split()).rstrip(".!?;: ")
    return Sentence(words, begin, end, role) if words else None
