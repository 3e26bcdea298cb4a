"""What counts as true for a request: trusted sources, and of the context facts by key and texts.

What was asked is no evidence: it settles no claim, but a detail of it is not invented either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import BudgetError
from probatum.judge.facts.texts import FoldedText, fold, path_of, stems_of_key
from probatum.judge.request import TrustedSource
from probatum.readers.places import json_scalars
from probatum.readers.vocabulary import words_of

_ASKED: Final = words_of("original_query query question topic prompt task goal instructions language type source_date")
_TEXTS: Final = ("text", "content", "body", "snippet", "page_content")
_NAMES: Final = ("title", "name", "url", "source", "id")
_SENTENCE: Final = 9
"""A text of so many words speaks for itself, whatever its key."""


@dataclass(frozen=True, slots=True)
class Material:
    """A text that counts as true, or the value of one key; ``offset`` is where it stands in what is named."""

    name: str
    folded: FoldedText
    key: tuple[str, ...] = ()
    """The stems of the key that it is the value of; empty for a text."""
    label: str = ""
    """The key as it is written."""
    offset: int = 0
    steps: tuple[str | int, ...] = ()
    """The way to it in what is named, the empty way for what is a text itself."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return a span of the compared text in what is named."""
        begin, stop = self.folded.span(start, end)
        return begin + self.offset, stop + self.offset


def materials_of_source(source: TrustedSource) -> Iterator[Material]:
    """Yield a source as it is compared; one that is JSON by its values."""
    if source.text.lstrip()[:1] in {"{", "["}:
        try:
            yield from [_of_scalar(source, each.steps, each.start, each.end) for each in json_scalars(source.text)]
            return
        except (ValueError, BudgetError, RecursionError):
            # It only looks like JSON, so it is read as text.
            pass
    yield Material(source.name, fold(source.text))


def _of_scalar(source: TrustedSource, steps: tuple[str | int, ...], start: int, end: int) -> Material:
    said = source.text[start:end]
    is_plain = said[:1] == '"' and "\\" not in said
    text, offset = (said[1:-1], start + 1) if is_plain else (said, start)
    return _keyed(source.name, steps, text, offset)


def _keyed(name: str, steps: tuple[str | int, ...], text: str, offset: int = 0) -> Material:
    label = next((step for step in reversed(steps) if isinstance(step, str)), "")
    key = stems_of_key(label) if len(text.split()) < _SENTENCE else ()
    return Material(name, fold(text), key, label if key else "", offset, steps)


def materials_of_context(context: Mapping[str, object]) -> Iterator[Material]:
    """Yield the facts and the texts of a context."""
    for key, value in context.items():
        if key not in _ASKED:
            yield from _facts(f"context.{key}", ("context", key), value)


def _facts(name: str, steps: tuple[str | int, ...], value: object) -> Iterator[Material]:
    waiting: list[tuple[tuple[str | int, ...], object]] = [(steps, value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            text = next((value[each] for each in _TEXTS if isinstance(value.get(each), str)), None)
            if text is not None:
                title = next((value[each] for each in _NAMES if isinstance(value.get(each), str)), "")
                yield Material(str(title) or path_of(path), fold(str(text)))
            else:
                waiting.extend(reversed([((*path, str(step)), member) for step, member in value.items()]))
        elif isinstance(value, list):
            waiting.extend(reversed([((*path, step), member) for step, member in enumerate(value)]))
        elif value is not None:
            is_item = len(path) > 2 and isinstance(path[-1], int) and isinstance(path[-2], str) and len(path) == 3
            told = value if isinstance(value, str) else json.dumps(value)
            # An item of a list of facts is a text; the name of the list says nothing of it.
            yield Material(path_of(path), fold(told)) if is_item else _keyed(path_of(path), path, told)


def asked_text(context: Mapping[str, object]) -> str:
    """Return what was asked, as text."""
    asked = [each if isinstance(each, str) else json.dumps(each) for key, each in context.items() if key in _ASKED]
    return "\n".join(asked)
