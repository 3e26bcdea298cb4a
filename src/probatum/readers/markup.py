"""Reads what a reader sees of a page, and knows where in the source each character stands.

Left out: scripts, styles, the head, templates, comments, what is hidden by an attribute or a style of its own, and what
is struck out. Rules of style sheets are not applied: what they alone hide is read. A page that is too long or has too
many tags raises BudgetError (`reader.too_large`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final

from justhtml import JustHTML, Node, Text

from probatum.core.errors import BudgetError
from probatum.readers.conventions import require_length
from probatum.readers.vocabulary import words_of

MAX_TAGS: Final = 300_000

_UNSEEN: Final = words_of(
    """head title script style template noscript textarea select datalist iframe object noembed noframes audio video
    canvas math desc metadata defs rp del s strike"""
)
_BLOCKS: Final = words_of(
    """address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol p pre section summary table tbody text tfoot thead tr
    ul"""
)
_RAISED: Final = {"sup": "^", "sub": "_"}
_HIDDEN: Final = re.compile(
    r"(?:^|;)\s*+(?:display\s*+:\s*+none|visibility\s*+:\s*+(?:hidden|collapse)|opacity\s*+:\s*+0(?:\.0*+)?(?![.0-9])"
    r"|font-size\s*+:\s*+0(?![.0-9])|text-decoration(?:-line)?\s*+:[^;]*line-through)",
    re.IGNORECASE,
)
_CSS_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_INVISIBLE: Final = frozenset("\u00ad\u200b\u2060\ufeff")
_WHITE: Final = frozenset(" \t\n\r\f")
_FORMATTING: Final = re.compile(
    r"(</?)(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE | re.ASCII
)
_RENAMED: Final = dict(zip("abcefinstu", "xyzxwzvwzv", strict=True))
_NAME: Final = re.compile("<([a-zA-Z][a-zA-Z0-9]*)")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,12};?|#[xX][0-9a-fA-F]{1,12};?|[a-zA-Z][a-zA-Z0-9]{1,32};?)")
_TAG: Final = re.compile(r"<!--.*?(?:-->|\Z)|<[a-zA-Z/!?](?:[^<>\"']++|\"[^\"]*+\"|'[^']*+'|[\"'])*+>", re.DOTALL)
_END_OF_CELL: Final = "|"
_BREAK: Final = "\n"
_TAB: Final = "\t"


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The visible text of a page, and the place of each character in its source."""

    text: str
    starts: array[int]
    ends: array[int]
    doubtful: tuple[tuple[int, int], ...] = ()
    left_out: str = ""

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the source between which the characters from start to end stand.

        Where a page is so crooked that the place of a character cannot be told, it is the whole page. Raises ValueError
        for an empty or impossible span.
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no span of the text: {start} to {end}")
        return min(self.starts[start:end]), max(self.ends[start:end])


def visible_text(html: str) -> VisibleText:
    """Return what a reader sees of a page: blocks in lines, cells apart by tabs, white space collapsed.

    What stands raised directly after a digit has a "^" before it, and what stands lowered a "_", so that 10 to the
    power of 6 is not 106. Raises BudgetError where the page is too long or has too many tags.
    """
    require_length(html, "page")
    if html.count("<") > MAX_TAGS:
        raise BudgetError("reader.too_large", f"The page has more than {MAX_TAGS:,} tags.")
    page = _Page(html)
    page.read()
    return VisibleText("".join(page.characters), page.starts, page.ends)


class _Page:
    """A page while it is read: the characters so far, and what stands between them and the next one."""

    def __init__(self, html: str) -> None:
        self.characters: list[str] = []
        self.starts = array("q")
        self.ends = array("q")
        self._html = html
        # HTML opens formatting elements that are not closed again in every block, which takes quadratic time; elements
        # that mean nothing stay where they are. Names and text keep their lengths, and so all their places.
        self._parsed = _FORMATTING.sub(_renamed, " " + html[1:] if html.startswith("\ufeff") else html)
        self._between = ""
        self._mark = ""
        self._filled = 0
        self._left = 2 * len(html)

    def read(self) -> None:
        # A page can be nested as deep as it is long, so this does not recurse.
        root = JustHTML(self._parsed, sanitize=False, track_node_locations=True).root
        waiting: list[tuple[Node | Text | str, bool]] = [(root, False)]
        while waiting:
            node, kept = waiting.pop()
            if isinstance(node, str):
                self._separate(node)
            elif isinstance(node, Text):
                self._add(node, kept)
            elif not self._is_unseen(node):
                waiting.extend(reversed(self._steps(node, kept)))

    def _steps(self, node: Node, kept: bool) -> list[tuple[Node | Text | str, bool]]:
        """Return what an element is: its children, and what is between them."""
        children = node.children or ()
        kept = kept or node.name == "pre"
        if node.name == "tr":
            cells = [child for child in children if child.name in {"td", "th"}]
            steps: list[tuple[Node | Text | str, bool]] = []
            for place, cell in enumerate(cells):
                steps += [(_TAB, False)] * (place > 0) + [(cell, kept), (_END_OF_CELL, False)]
            return [(_BREAK, False), *steps, (_BREAK, False)]
        if node.name in _RAISED:
            return [(_RAISED[node.name], False), *((child, kept) for child in children), ("", False)]
        if node.name in _BLOCKS:
            return [(_BREAK, False), *((child, kept) for child in children), (_BREAK, False)]
        return [(child, kept) for child in children]

    def _is_unseen(self, node: Node) -> bool:
        place = node.origin_offset
        written = None if place is None else _NAME.match(self._html, place)
        name = written[1].lower() if written else node.name
        attributes = node.attrs or {}
        if name in _UNSEEN or node.name.startswith("#comment") or "hidden" in attributes:
            return True
        style = attributes.get("style")
        is_hidden = style is not None and _HIDDEN.search(_CSS_COMMENT.sub("", style)) is not None
        return is_hidden or (name == "dialog" and "open" not in attributes)

    def _separate(self, sign: str) -> None:
        """Note what has to stand before the next character; a new line is none next to another separation."""
        if sign == _END_OF_CELL:
            if len(self.characters) > self._filled:
                self._between = ""
            self._filled = len(self.characters)
        elif sign == _TAB:
            self._between += sign
        elif sign == _BREAK:
            self._between = self._between if self._between.strip(" ") else sign
        else:
            is_after_digit = not self._between and self.characters and self.characters[-1].isdigit()
            self._mark = sign if is_after_digit else ""

    def _add(self, node: Text, kept: bool) -> None:
        for sign, start, end in self._places(node):
            if sign in _INVISIBLE:
                continue
            if sign in _WHITE and not kept:
                self._between = self._between or " "
                continue
            before, after = (self.ends[-1], start) if self.ends else (start, start)
            between = self._between or self._mark
            if self.characters or _TAB in between:
                for separator in between:
                    self._put(separator, min(before, after), max(before, after))
            self._put(sign, start, end)
            self._between = self._mark = ""

    def _put(self, sign: str, start: int, end: int) -> None:
        self.characters.append(sign)
        self.starts.append(start)
        self.ends.append(end)

    def _places(self, node: Text) -> Iterator[tuple[str, int, int]]:
        """Yield the characters of a piece of text and where each stands; tags that were ignored may be between them."""
        data, place, done = node.data or "", node.origin_offset, 0
        if place is not None and self._parsed.startswith(data, place):
            for sign in self._html[place : place + len(data)]:
                yield sign, place, place + 1
                place += 1
            return
        while place is not None and done < len(data) and place < len(self._parsed):
            sign, there = data[done], self._parsed[place]
            reference = _REFERENCE.match(self._parsed, place) if there == "&" else None
            tag = _TAG.match(self._parsed, place) if there == "<" and self._left > 0 else None
            meant = unescape(reference.group()) if reference else ""
            if reference and meant != reference.group() and data.startswith(meant, done):
                yield from ((each, place, reference.end()) for each in meant)
                done, place = done + len(meant), reference.end()
            elif tag:
                self._left -= tag.end() - place
                place = tag.end()
            elif there == sign:
                yield self._html[place], place, place + 1
                done, place = done + 1, place + 1
            elif there in "\r\n\0":
                place += 1
            else:
                break
        yield from ((each, 0, len(self._html)) for each in data[done:])


def _renamed(tag: re.Match[str]) -> str:
    return tag[1] + _RENAMED[tag[2][0].lower()] + tag[2][1:]
