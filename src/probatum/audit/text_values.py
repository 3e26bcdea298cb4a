"""Values in text: after declared labels and by declared patterns, and whether the text says no more about them.

A text claims what a declared label or pattern finds in it. Whatever else its line says, wherever else the label stands
and whatever a page may hide is noted, because nobody here knows what it makes of the value. Refuses negated values.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

from probatum.audit.claims import BOOLEAN, NUMERIC, TEXT
from probatum.audit.contents import Content
from probatum.audit.declarations import DeclaredField, compiled_pattern
from probatum.audit.reasoning import CheckResult
from probatum.audit.single_values import CLAIMED_AS, MAX_TEXT, FoundValue, ItemReader, value_of_read
from probatum.readers.values import negated_spans, read_values, whole_value

LABEL: Final = 1
"""The group of a label in its pattern."""
MAX_MATCHES: Final = 100
"""Of one pattern in one item: an engine that starts again after each match would not be linear without it."""
_IN_TEXT: Final = ("money", "percentage", "timestamp", "number")
_BETWEEN: Final = r"(?:\s{0,3}(?:[:=|]|(?:is|was|are|were|of|stood at|closed at|reached)\b)\s{0,3}|\s{1,3})"
_SAYS_MORE: Final = re.compile(r"[^\s.;:|•*>()\[\]^–—-]|\.\.")
"""Anything but white space and what sets lines off."""
_MIXED: Final = re.compile(r"[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z]")
_ARTICLES: Final = re.compile(r"\b(?:the|an?|its)\b", re.IGNORECASE)


class TextReader(ItemReader):
    """Reads values in the text of one item."""

    def of_text(self, content: Content) -> Iterator[FoundValue]:
        """Yield every value that is declared for text, in the order of the declarations."""
        text = content.text
        context = _Context(content)
        for declared in (*self.declared.fields, *self._implied_time()):
            found = self._matches(declared, text)
            if len(found) > MAX_MATCHES:
                most = f"{declared.name} matches more than {MAX_MATCHES} times."
                self.note(CheckResult.failed, "claim.too_many", most, path=declared.name)
                continue
            read: list[tuple[int, int]] = []
            for match in found:
                if match.start in context.negated:
                    self.note(CheckResult.warning, "claim.negated", f"{declared.name} is negated.", path=declared.name)
                    continue
                value = self._in_text(declared, text, match)
                if value is not None:
                    kind, claimed, unit, at, to = value
                    read.append((min(match.start, at), max(match.end, to)))
                    yield FoundValue(declared, declared.name, kind, claimed, *content.source_span(at, to), unit)
            self._note_context(declared, context, read)

    def _implied_time(self) -> list[DeclaredField]:
        """Return the field of the time stamp, where it is not declared: a text may tell it under its name."""
        name = self.declared.timestamp_field
        is_declared = any(each.name == name and (each.label or each.pattern) for each in self.declared.fields)
        return [] if is_declared else [DeclaredField(name, label=name.replace("_", " "), kind="timestamp")]

    def _matches(self, declared: DeclaredField, text: str) -> list[_Match]:
        """Return where a field stands, with where its value does: of a label that is what follows it."""
        if declared.pattern is not None:
            return _matches(declared.pattern, text, declared.group or 0)
        pattern = _label_pattern(declared.label) if declared.label else None
        return [] if pattern is None else [each._replace(at=each.end) for each in _matches(pattern, text, LABEL, LABEL)]

    def _in_text(self, declared: DeclaredField, text: str, match: _Match) -> tuple[str, object, str, int, int] | None:
        """Return kind, value, unit and place of what a match claims."""
        value = declared.value
        if value is not None:
            kind = BOOLEAN if isinstance(value, bool) else NUMERIC if isinstance(value, int | float) else TEXT
            return kind, value, declared.unit, match.start, match.end
        if declared.pattern is None:
            return self._after_label(declared, text, match.at)
        read = self.scalar(declared, declared.name, text[match.at : match.to])
        return None if read is None else (*read, match.at, match.to)

    def _note_context(self, declared: DeclaredField, context: _Context, read: list[tuple[int, int]]) -> None:
        """Tell where a text says more than what was declared: nobody here knows what the rest of a line makes of it."""
        doubt = next((doubt for start, end in read if (doubt := context.doubt(start, end))), "")
        if declared.pattern is None and declared.label:
            doubt = context.doubt_of_label(declared.label, len(read)) or doubt
        if doubt and not (declared.kind == "timestamp" and not read):
            self.note(CheckResult.warning, "claim.context", f"{declared.name}: {doubt}.", path=declared.name)

    def _after_label(self, declared: DeclaredField, text: str, start: int) -> tuple[str, object, str, int, int] | None:
        line = text[start : start + MAX_TEXT + 1].split("\n", 1)[0]
        is_time = declared.name == self.declared.timestamp_field
        kinds = (declared.kind,) if declared.kind else ("timestamp",) if is_time else _IN_TEXT
        found = [
            read for kind in kinds if kind != "text" for read in read_values(line, kind, self.declared.conventions)
        ]
        begins = [read for read in found if not line[: read.start].strip()]
        if begins:
            read = max(begins, key=lambda each: each.end)
            place = start + read.start, start + read.end
            return CLAIMED_AS[read.kind], value_of_read(read), self.unit(declared, read, line), *place
        # Words say something only where the label introduces them, as in a form or a table.
        said = line.split("\t")[0].strip()
        is_introduced = text[max(0, start - 8) : start].rstrip(" ").endswith((":", "=", "|", "\t"))
        if not is_introduced or not 0 < len(said) <= MAX_TEXT:
            return None
        if is_time:
            self.note(CheckResult.failed, "time.unread", f"A time stamp cannot be read: {said[:40]!r}.")
            return None
        at = start + line.index(said)
        truth = whole_value(said, "boolean", self.declared.conventions)
        if truth is not None and declared.kind in {"", "boolean"}:
            return BOOLEAN, truth.value, "", at, at + len(said)
        return (TEXT, said, "", at, at + len(said)) if declared.kind in {"", "text"} else None


class _Match(NamedTuple):
    """Where something declared stands, and within it where its value does."""

    start: int
    end: int
    at: int
    to: int


def _matches(pattern: Any, text: str, group: int, begins: int = 0) -> list[_Match]:
    """Return where a pattern and a group of it match, one match too many where there are more than are read.

    ``begins`` is the group with which what is declared begins.
    """
    found: list[_Match] = []
    for match in pattern.finditer(text):
        start = match.start(begins)
        if match.start(group) >= 0 and match.end() > start:
            found.append(_Match(start, match.end(), *match.span(group)))
        if len(found) > MAX_MATCHES:
            break
    return found


class _Context:
    """What surrounds the values of one text; looked at once for all of them."""

    def __init__(self, content: Content) -> None:
        self.text: Final = content.text
        self.negated: Final = _Scopes(negated_spans(self.text))
        self._doubtful: Final = _Scopes(content.doubtful)
        self._shown: Final = _without_hidden(self.text)
        self._hidden: Final = _without_hidden(content.left_out)
        self._is_mixed: Final = _MIXED.search(self.text) is not None

    def doubt(self, start: int, end: int) -> str:
        """Return why a value that stands here may mean something else; nothing where its line is plain."""
        # So far a line is looked at: whatever is longer says more.
        before = self.text[max(0, start - MAX_TEXT) : start].rpartition("\n")
        after = self.text[end : end + MAX_TEXT].partition("\n")
        is_long = (not before[1] and start > MAX_TEXT) or (not after[1] and end + MAX_TEXT < len(self.text))
        if is_long or _SAYS_MORE.search(_ARTICLES.sub("", f"{before[2]} {after[0]}")):
            return "its line says more than what is declared"
        line_start = start - len(before[2])
        if self.negated.meet(max(0, line_start - MAX_TEXT, self._line_before(line_start)), line_start - 1):
            return "the line before denies something"
        return "it may not be shown as it is read" if self._doubtful.meet(start, end) else ""

    def doubt_of_label(self, label: str, read: int) -> str:
        """Return why a label may stand for more than the values that were read after it."""
        if self._is_mixed:
            return "the text has words in letters of several scripts"
        mentioned = _mention_pattern(label)
        if sum(1 for _ in mentioned.finditer(self._shown)) > read:
            return "it is mentioned where no value is read"
        return "it is mentioned in what a page hides" if mentioned.search(self._hidden) else ""

    def _line_before(self, line_start: int) -> int:
        """Return where the line before begins, as far as it is looked at."""
        end = max(0, line_start - 1)
        return self.text.rfind("\n", max(0, end - MAX_TEXT), end) + 1


class _Scopes:
    """Stretches of a text that may lie in each other."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts: Final = [start for start, _ in spans]
        self._ends: Final = list(accumulate((end for _, end in spans), max))

    def meet(self, start: int, end: int) -> bool:
        """Return whether one of them has a part of this stretch."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._ends[before - 1] > start

    def __contains__(self, place: int) -> bool:
        before = bisect_left(self._starts, place)
        return before > 0 and self._ends[before - 1] > place


def _without_hidden(text: str) -> str:
    """Return text without signs that nobody sees, and with look-alikes as what they look like."""
    if text.isascii():
        return text
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")


@lru_cache(maxsize=256)
def _label_pattern(label: str) -> Any:
    # At the beginning of what is said, so that "previous price" is not read as "price".
    return compiled_pattern(rf"(?i)(?:^|[\n\t.;:|,(>•*–—-])\s*((?:the\s+|its\s+)?{_words(label)}){_BETWEEN}")


@lru_cache(maxsize=256)
def _mention_pattern(label: str) -> Any:
    return compiled_pattern(rf"(?i)(?:^|[^\pL\pN_]){_words(label)}(?:[^\pL\pN_]|$)")


def _words(label: str) -> str:
    return r"\s+".join(re.escape(word) for word in label.split())
