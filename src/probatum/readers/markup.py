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
from probatum.readers.conventions import MAX_CHARACTERS, require_length

MAX_TAGS: Final = 300_000

_UNSEEN: Final = frozenset(
    {"head", "script", "style", "template", "noscript", "title", "textarea", "select", "datalist", "iframe", "object"}
    | {"noembed", "noframes", "audio", "video", "canvas", "svg", "math", "del", "s", "strike"}
)
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog", "div", "dl"}
    | {"dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"}
    | {"legend", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_CELLS: Final = frozenset({"td", "th"})
_HIDDEN: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE)
_FORMATTING: Final = re.compile(
    r"(</?)(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE | re.ASCII
)
_NAME: Final = re.compile("<([a-zA-Z][a-zA-Z0-9]*)")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,12};?|#[xX][0-9a-fA-F]{1,12};?|[a-zA-Z][a-zA-Z0-9]{1,32};?)")
_TAG: Final = re.compile(r"<!--.*?(?:-->|\Z)|<[a-zA-Z/!?](?:[^<>\"']++|\"[^\"]*+\"|'[^']*+'|[<\"'])*?>", re.DOTALL)
_BREAK: Final = -1
_WHITE: Final = " \t\n\r\f"


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The visible text of a page, and the place of each character in its source."""

    text: str
    starts: array[int]
    ends: array[int]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the source between which the characters from start to end stand.

        Where a page is so crooked that the place of a character cannot be told, it is the whole page. Raises ValueError
        for an empty or impossible span.
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no span of the text: {start} to {end}")
        return min(self.starts[start:end]), max(self.ends[start:end])
