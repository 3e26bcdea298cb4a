"""Reads what a reader sees of a page, and knows where in the source each character stands.

Never read: scripts, styles, titles, templates, comments. Left out, but told: what is hidden by an attribute or by its
own style, struck out, or in a field of a form. Read, but doubtful: what elements show or hide by means that are not
followed here, other inline styles among them. Rules of style sheets are not applied: what they alone hide is read. A
page that is too long or has too many tags raises BudgetError (`reader.too_large`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final, Literal

from justhtml import JustHTML, Node, Template, Text

from probatum.core.errors import BudgetError
from probatum.readers.conventions import require_length
from probatum.readers.vocabulary import one_of, words_of

MAX_TAGS: Final = 300_000

_NEVER: Final = words_of("title script style template noscript iframe noembed noframes rp")
_LEFT_OUT: Final = words_of("textarea select datalist object audio video canvas math desc metadata defs del s strike")
_UNCLEAR: Final = words_of("progress meter bdo svg marquee blockquote q")
_UNCLEAR_ATTRIBUTES: Final = words_of("style popover color bgcolor text")
_BLOCKS: Final = words_of(
    """address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary table tbody text tfoot
    thead tr ul"""
)
_RAISED: Final = {"sup": "^", "sub": "_"}
_HIDDEN: Final = re.compile(
    r"(?:display:none|visibility:(?:hidden|collapse)|(?:opacity|font-size):(?=[.0])0*+(?:\.0*+)?(?:%|[a-z]*+)"
    r"|text-decoration(?:-line)?:.*line-through.*)\s*+(?:!\s*+important)?",
    re.DOTALL,
)
_CSS_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_INVISIBLE: Final = frozenset("\u00ad\u200b\u2060\ufeff")
_WHITE: Final = frozenset(" \t\n\r\f")
_FORMATS: Final = words_of("a b big code em font i nobr s small strike strong tt u")
_SPREADING: Final = _FORMATS | {"col", "colgroup"}
_FORMATTING: Final = re.compile(rf"(</?)({one_of(_FORMATS)})(?=[\s/>])", re.IGNORECASE | re.ASCII)
_GAP: Final = r"[^\S\v]"
# As HTML and XHTML both read them; a tag that is written otherwise is not understood, so that no ">" is misplaced.
_REST: Final = rf"""(?:{_GAP}++[^\s"'<>/=]++(?:{_GAP}*+={_GAP}*+(?:"[^"<]*+"|'[^'<]*+'|[^\s"'=<>`]++))?+)*+{_GAP}*+"""
_ENDED_AT_ONCE: Final = re.compile(f"(?ai)<[a-z]+{_REST}(?:/|(?<=/))>")
_IN_LINE: Final = one_of(_FORMATS | words_of("abbr br cite img ins kbd mark q span sub sup time var wbr"))
_RUN: Final = re.compile(rf"(?ai)<([a-z]+){_REST}>(?:[^<]++|</?(?!\1\b)(?:{_IN_LINE}){_REST}/?>)*+(</\1(?=[\s/>]))?+")
_RENAMED: Final = dict(zip("abcefinstu", "xyzxwzvwzv", strict=True))
_NAME: Final = re.compile("<([a-zA-Z][a-zA-Z0-9]*)")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,12};?|#[xX][0-9a-fA-F]{1,12};?|[a-zA-Z][a-zA-Z0-9]{1,32};?)")
_TAG: Final = re.compile(r"<!--.*?(?:-->|\Z)|<[a-zA-Z/!?](?:[^<>\"']++|\"[^\"]*+\"|'[^']*+'|[\"'])*+>", re.DOTALL)
_END_OF_CELL: Final = "|"
_BREAK: Final = "\n"
_TAB: Final = "\t"
_Fate = Literal["read", "doubtful", "left out", "never"]


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The visible text of a page, and the place of each character in its source."""

    text: str
    starts: array[int]
    ends: array[int]
    doubtful: tuple[tuple[int, int], ...] = ()
    """Stretches of the text, in order and apart, that may not be shown, or not in this direction."""
    left_out: str = ""
    """What the page has besides, hidden, struck out or in fields, written as the text is, with its parts in lines."""

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
    page, rest = _Page(html), _Page(html)
    page.read([JustHTML(page.parsed, sanitize=False, track_node_locations=True).root])
    rest.read(page.left_out, is_rest=True)
    text, left_out = "".join(page.characters), "".join(rest.characters)
    return VisibleText(text, page.starts, page.ends, tuple(page.doubtful), left_out)


class _Page:
    """A page while it is read: the characters so far, and what stands between them and the next one."""

    def __init__(self, html: str) -> None:
        self.characters: list[str] = []
        self.starts = array("q")
        self.ends = array("q")
        self.doubtful: list[tuple[int, int]] = []
        self.left_out: list[Node | Text | str] = []
        self._html = html
        # HTML opens formatting elements that are not closed again in every block, which takes quadratic time; elements
        # that mean nothing stay where they are. Names and text keep their lengths, and so all their places.
        self.parsed = _FORMATTING.sub(_renamed, " " + html[1:] if html.startswith("\ufeff") else html)
        self._between = ""
        self._mark = ""
        self._filled = 0
        self._left = 2 * len(html)
        self._doubtful_until = 0

    def read(self, nodes: list[Node | Text | str], *, is_rest: bool = False) -> None:
        """Read these parts of a page and note what is left out, or read what was left out."""
        # A page can be nested as deep as it is long, so this does not recurse.
        waiting: list[tuple[Node | Text | str, bool, bool]] = [(each, False, False) for each in reversed(nodes)]
        while waiting:
            node, kept, in_doubt = waiting.pop()
            if isinstance(node, str):
                self._separate(node)
            elif isinstance(node, Text):
                self._add(node, kept, in_doubt)
            elif (fate := self._fate(node)) == "left out" and not is_rest:
                self.left_out += [node, _BREAK]
            elif fate != "never":
                kept, in_doubt, steps = kept or node.name == "pre", in_doubt or fate == "doubtful", self._steps(node)
                is_closed = node.name == "details" and "open" not in (node.attrs or {})
                summary = next((each for each in node.children or () if is_closed and each.name == "summary"), None)
                waiting.extend((each, kept, in_doubt or (is_closed and each is not summary)) for each in steps[::-1])

    def _steps(self, node: Node) -> list[Node | Text | str]:
        """Return what an element is: its children, and what is between them."""
        children = node.children or []
        if isinstance(node, Template) and node.template_content is not None:
            return [*children, node.template_content]
        if node.name == "tr":
            steps: list[Node | Text | str] = [each for each in children if each.name not in {"td", "th", "#text"}]
            for place, cell in enumerate(each for each in children if each.name in {"td", "th"}):
                steps += [_TAB] * (place > 0) + [cell, _END_OF_CELL]
            return [_BREAK, *steps, _BREAK]
        if node.name in _RAISED:
            return [_RAISED[node.name], *children, ""]
        return [_BREAK, *children, _BREAK] if node.name in _BLOCKS else [*children]

    def _fate(self, node: Node) -> _Fate:
        """Return what becomes of the text below an element."""
        place, attributes = node.origin_offset, node.attrs or {}
        written = None if place is None else _NAME.match(self._html, place)
        name = written[1].lower() if written else node.name
        if name in _NEVER or node.name.startswith("#comment"):
            # XHTML ends such an element at once where HTML reads on, and a browser shows the other two.
            is_shown = place is not None and _ENDED_AT_ONCE.match(self._html, place)
            return "left out" if is_shown or {"style", "shadowrootmode"} & attributes.keys() else "never"
        is_hidden = "hidden" in attributes or (name == "dialog" and "open" not in attributes)
        is_replaced = any(each.name == "template" and "shadowrootmode" in each.attrs for each in node.children or ())
        is_unclear = name in _UNCLEAR or not _UNCLEAR_ATTRIBUTES.isdisjoint(attributes)
        fate: _Fate = "read"
        if is_hidden or name in _LEFT_OUT or _hides(attributes.get("style") or ""):
            fate = "left out"
        elif is_unclear or (attributes.get("dir") or "ltr").lower() != "ltr" or is_replaced:
            fate = "doubtful"
        if fate != "read" and place is not None and name in _SPREADING:
            # A browser opens a formatting element again in each block until its end tag.
            run = _RUN.match(self._html, place) if self._left > 0 else None
            self._left -= run.end() - place if run else 0
            self._doubtful_until = max(self._doubtful_until, run.end() if run and run[2] else len(self._html))
        return fate

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

    def _add(self, node: Text, kept: bool, in_doubt: bool) -> None:
        for sign, start, end in self._places(node):
            if sign in _INVISIBLE:
                continue
            if sign in _WHITE and not kept:
                self._between = self._between or " "
                continue
            before, after = (self.ends[-1], start) if self.ends else (start, start)
            between, filled = self._between or self._mark, len(self.characters)
            if self.characters or _TAB in between:
                for separator in between:
                    self._put(separator, min(before, after), max(before, after))
            self._put(sign, start, end)
            self._between = self._mark = ""
            if in_doubt or start < self._doubtful_until:
                goes_on = self.doubtful and self.doubtful[-1][1] == filled
                first = self.doubtful.pop()[0] if goes_on else len(self.characters) - 1
                self.doubtful.append((first, len(self.characters)))

    def _put(self, sign: str, start: int, end: int) -> None:
        self.characters.append(sign)
        self.starts.append(start)
        self.ends.append(end)

    def _places(self, node: Text) -> Iterator[tuple[str, int, int]]:
        """Yield the characters of a piece of text and where each stands; tags that were ignored may be between them."""
        data, place, done = node.data or "", node.origin_offset, 0
        if place is not None and self.parsed.startswith(data, place):
            for sign in self._html[place : place + len(data)]:
                yield sign, place, place + 1
                place += 1
            return
        while place is not None and done < len(data) and place < len(self.parsed):
            sign, there = data[done], self.parsed[place]
            reference = _REFERENCE.match(self.parsed, place) if there == "&" else None
            tag = _TAG.match(self.parsed, place) if there == "<" and self._left > 0 else None
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


def _hides(style: str) -> bool:
    """Return whether an inline style hides or strikes out, by the last declaration of each property."""
    declared = [part.partition(":") for part in _CSS_COMMENT.sub(" ", style.lower()).split(";")]
    last = {name.strip(): value.strip() for name, _, value in sorted(declared, key=lambda part: "!" in part[2])}
    return any(_HIDDEN.fullmatch(f"{name}:{value}") for name, value in last.items())
