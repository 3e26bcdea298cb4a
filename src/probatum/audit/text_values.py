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
        negated = _Scopes(negated_spans(text))
        for declared in (*self.declared.fields, *self._implied_time()):
            found = self._matches(declared, text)
            if len(found) > MAX_MATCHES:
                most = f"{declared.name} matches more than {MAX_MATCHES} times."
                self.note(CheckResult.failed, "claim.too_many", most, path=declared.name)
                continue
            read: list[tuple[int, int]] = []
            for match in found:
                if match.start in negated:
                    self.note(CheckResult.warning, "claim.negated", f"{declared.name} is negated.", path=declared.name)
                    continue
                value = self._in_text(declared, text, match)
                if value is not None:
                    kind, claimed, unit, at, to = value
                    read.append((min(match.start, at), max(match.end, to)))
                    yield FoundValue(declared, declared.name, kind, claimed, *content.source_span(at, to), unit)
            self._note_context(declared, content, read, negated)

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

    def _note_context(
        self, declared: DeclaredField, content: Content, read: list[tuple[int, int]], negated: _Scopes
    ) -> None:
        """Tell where a text says more than what was declared: nobody here knows what the rest of a line makes of it."""
        text, doubt = content.text, ""
        for start, end in read:
            line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
            rest = text[line_start:start] + text[end : len(text) if line_end < 0 else line_end]
            if _SAYS_MORE.search(_ARTICLES.sub("", rest)):
                doubt = "its line says more than what is declared"
            if start > line_start - 2 and negated.meets(text.rfind("\n", 0, max(line_start - 1, 0)) + 1, line_start):
                doubt = "the line before denies something"
            if any(low < end and start < high for low, high in content.doubtful):
                doubt = "it may not be shown as it is read"
        if declared.pattern is None and declared.label:
            if _MIXED.search(text):
                doubt = "the text has words in letters of several scripts"
            mentions = len(_mention_pattern(declared.label).findall(_without_hidden(text)))
            if mentions > len(read):
                doubt = "it is mentioned where no value is read"
            elif _mention_pattern(declared.label).search(_without_hidden(content.left_out)):
                doubt = "it is mentioned in what a page hides"
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


class _Scopes:
    """Stretches of a text that may lie in each other."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts: Final = [start for start, _ in spans]
        self._ends: Final = list(accumulate((end for _, end in spans), max))

    def meets(self, start: int, end: int) -> bool:
        """Return whether one of them begins here."""
        return bisect_left(self._starts, start) < bisect_left(self._starts, end)

    def __contains__(self, place: int) -> bool:
        before = bisect_left(self._starts, place)
        return before > 0 and self._ends[before - 1] > place


def _without_hidden(text: str) -> str:
    """Return text without signs that nobody sees, and with look-alikes as what they look like."""
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
