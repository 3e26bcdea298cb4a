"""Values in text: after declared keys and by declared patterns, and whether the text says more about them.

A declared label is a key: it stands at the beginning of a line or is one, and what follows its colon, its cell or its
line is the value, read as a whole. A pattern finds its group. Whatever else the line of a value says, wherever else the
label occurs and whatever a page may hide is a warning, because words are not read here. Nothing else is found in prose.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from probatum.audit.claims import BOOLEAN, NUMERIC, TEXT
from probatum.audit.contents import Content
from probatum.audit.declarations import DeclaredField
from probatum.audit.extras import compiled_pattern, groups_of
from probatum.audit.reasoning import CheckResult
from probatum.audit.single_values import MAX_TEXT, FoundValue, ItemReader

MAX_MATCHES: Final = 100
"""Of one pattern in one item: an engine that starts again after each match would not be linear without it."""
_SAYS_MORE: Final = re.compile(r"[^\s.;:|•*>()\[\]^–—-]|\.\.")
"""Anything but white space and what sets lines off."""
_PAGE: Final = "docs/how-to/audit-evidence.md"
_MIXED: Final = re.compile(r"[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z]")


class TextReader(ItemReader):
    """Reads values in the text of one item."""

    def of_text(self, content: Content) -> Iterator[FoundValue]:
        """Yield every value that is declared for text, in the order of the declarations."""
        text = content.text
        context = _Context(content)
        for declared in (*self.declared.reads, *self.implied):
            found = _matches(declared, text)
            if len(found) > MAX_MATCHES:
                most = f"{declared.name} matches more than {MAX_MATCHES} times."
                self.note(CheckResult.failed, "claim.too_many", most, path=declared.name)
                continue
            read: list[_Match] = []
            for match in found:
                value = self._claimed(declared, text[match.at : match.to])
                if value is not None:
                    kind, claimed, unit = value
                    read.append(match)
                    place = (match.start, match.end) if declared.value is not None else (match.at, match.to)
                    yield FoundValue(declared, declared.name, kind, claimed, *content.source_span(*place), unit)
            self._note_context(declared, context, read)

    @property
    def implied(self) -> list[DeclaredField]:
        """The keys under which a text may tell its time, and what it is about, where they are not declared."""
        known = {each.name for each in self.declared.reads if each.label or each.pattern}
        stamp = self.declared.timestamp_field
        return [
            DeclaredField(name=name, label=name.replace("_", " "), kind="timestamp" if name == stamp else "text")
            for name in dict.fromkeys((stamp, self.declared.entity_field, self.declared.status_key))
            if name and name not in known
        ]

    def _claimed(self, declared: DeclaredField, text: str) -> tuple[str, object, str] | None:
        """Return kind, value and unit of what a match claims."""
        value = declared.value
        if value is not None:
            kind = BOOLEAN if isinstance(value, bool) else NUMERIC if isinstance(value, int | float) else TEXT
            return kind, value, declared.unit
        read = self.scalar(declared, declared.name, text)
        if read is None and declared.name == self.declared.timestamp_field:
            self.note(CheckResult.failed, "time.unread", f"A time stamp cannot be read: {text[:40]!r}.")
        return read

    def _note_context(self, declared: DeclaredField, context: _Context, read: list[_Match]) -> None:
        """Tell where a text says more than what was declared: nobody here knows what the rest of a line makes of it."""
        doubt = next((doubt for each in read if (doubt := context.doubt(each.start, each.end))), "")
        if declared.label and not declared.pattern:
            doubt = context.doubt_of_label(declared.label, len(read)) or doubt
        if doubt and (read or declared not in self.implied):
            self.note(CheckResult.warning, "claim.context", f"{declared.name}: {doubt}.", path=declared.name)


class _Match(NamedTuple):
    """Where something declared is, and within it where its value is."""

    start: int
    end: int
    at: int
    to: int


def _matches(declared: DeclaredField, text: str) -> list[_Match]:
    """Return where a field is in a text, one match too many where there are more than are read."""
    if not declared.pattern and not declared.label:
        return []
    groups = groups_of(declared.pattern)
    group = groups[min(1, len(groups) - 1) if declared.group is None else declared.group] if groups else 2
    pattern = compiled_pattern(declared.pattern) if groups else _key_pattern(declared.label)
    found: list[_Match] = []
    for match in pattern.finditer(text):
        start = match.start(0 if groups else 1)
        if match.start(group) >= 0 and match.end() > start:
            found.append(_Match(start, match.end(), *match.span(group)))
        if len(found) > MAX_MATCHES:
            break
    return found


class _Context:
    """What surrounds the values of one text; looked at once for all of them."""

    def __init__(self, content: Content) -> None:
        self.text: Final = content.text
        self._doubtful: Final = content.doubtful
        self._shown: Final = _without_hidden(self.text)
        self._hidden: Final = _without_hidden(content.left_out)
        self._is_mixed: Final = _MIXED.search(self.text) is not None

    def doubt(self, start: int, end: int) -> str:
        """Return why a value here may mean something else; nothing where its line is plain."""
        # So far a line is looked at: whatever is longer says more.
        before = self.text[max(0, start - MAX_TEXT) : start].rpartition("\n")
        after = self.text[end : end + MAX_TEXT].partition("\n")
        is_long = (not before[1] and start > MAX_TEXT) or (not after[1] and end + MAX_TEXT < len(self.text))
        if is_long or _SAYS_MORE.search(f"{before[2]} {after[0]}"):
            return "its line says more than what is declared"
        # They are in order and apart.
        near = bisect_left(self._doubtful, (end,)) - 1
        return "it may not be shown as it is read" if near >= 0 and self._doubtful[near][1] > start else ""

    def doubt_of_label(self, label: str, read: int) -> str:
        """Return why a label may stand for more than the values that were read after it."""
        if self._is_mixed:
            return "the text has words in letters of several scripts"
        mentioned = _mention_pattern(label)
        if sum(1 for _ in mentioned.finditer(self._shown)) > read:
            return f"it is mentioned where no value is read; in a sentence, a value needs a pattern: {_PAGE}"
        return "it is mentioned in what a page hides" if mentioned.search(self._hidden) else ""


def _without_hidden(text: str) -> str:
    """Return text without signs that nobody sees, and with look-alikes as what they look like."""
    if text.isascii():
        return text
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")


@lru_cache(maxsize=256)
def _key_pattern(label: str) -> Any:
    # At the beginning of a line, so that "previous price" is not read as "price"; the value is the rest of the line, or
    # the next line where the key has one of its own.
    return compiled_pattern(
        rf"(?im)^[\s|•*>–—-]*({_words(label)})(?:[ \t]*[:=|\t][ \t:=|]*\n?|[ \t]*\n)[ \t]*"
        r"((?:[^\n]*[^\s|]))[ \t|]*$"
    )


@lru_cache(maxsize=256)
def _mention_pattern(label: str) -> Any:
    return compiled_pattern(rf"(?i)(?:^|[^\pL\pN_]){_words(label)}(?:[^\pL\pN_]|$)")


def _words(label: str) -> str:
    return r"\s+".join(re.escape(word) for word in label.split())
