"""What the claims of an output are held against: trusted texts, and the facts and texts of the context.

Read once for all claims: the values at the paths of structured sources, and every value that any source states. Refuses
to read without bounds: a source beyond the budget is named as left out.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.frozen import thaw
from probatum.judge.facts.structured import SourceTable, cells_of, data_of, leaves_in, table_of
from probatum.judge.facts.values import key_of, outer_values, words_of_value
from probatum.judge.outputs import Leaf
from probatum.judge.request import ValidationRequest
from probatum.readings.stated import StatedValue

MOST_CHARACTERS: Final = 2_000_000
"""Of all sources together."""
FACTS: Final = ("facts", "ground_truth_facts")
"""Members of the context whose paths begin at themselves: ``context.facts.price`` is the fact at ``price``."""
SUMMARY: Final = "summary"
"""The member of an output, or of a source, whose paths begin at itself: the document's own ``summary:cvss_score``."""
Way = tuple[str | int, ...]
_ALIKE: Final = str.maketrans(
    {**dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’", "'"), **dict.fromkeys("‐‑–—−", "-")}
)


@dataclass(frozen=True, slots=True)
class ComparedSource:
    """A text that counts as true, with the JSON or the table that it writes, and the values that it states."""

    name: str
    text: str
    data: object = None
    table: SourceTable | None = None

    @property
    def leaves(self) -> Iterator[Leaf]:
        """The values at its paths, where it is structured."""
        if self.table is not None:
            yield from cells_of(self.table)
        elif self.data is not None:
            yield from leaves_in(self.data)

    def values(self) -> tuple[StatedValue, ...]:
        """Return every value that it states; those of a cell or a member each by itself."""
        if self.data is None and self.table is None:
            return outer_values(self.text)
        return tuple(value for leaf in self.leaves for value in outer_values(str(leaf.value)))


@dataclass(frozen=True, slots=True)
class PathValue:
    """The value at a path of a structured source."""

    source: str
    path: str
    value: object


@dataclass(frozen=True, slots=True)
class Library:
    """Everything that counts as true."""

    sources: tuple[ComparedSource, ...]
    by_way: Mapping[Way, tuple[PathValue, ...]]
    values: tuple[StatedValue, ...]
    keys: frozenset[tuple[object, ...]]
    folded: str
    """All texts without case, for what is compared as it is written."""
    left_out: tuple[str, ...]

    def has(self, value: StatedValue) -> bool:
        """Return whether a source states an equal value, or has its very text."""
        text = fold(words_of_value(value)).rstrip(".,;!?")
        if key_of(value) in self.keys or not text:
            return True
        # The 3 of 3.5 and the 600 of 1,600 are no values.
        whole = rf"(?<!\w)(?<!\d[.,]){re.escape(text)}(?!\w)(?![.,]\d)"
        return text in self.folded and re.search(whole, self.folded) is not None


def fold(text: str) -> str:
    """Return a text as it is compared: without case, with one form of quotation marks, dashes and white space."""
    return " ".join(text.translate(_ALIKE).casefold().split())


def trusted_sources(request: ValidationRequest) -> Iterator[ComparedSource]:
    """Yield the trusted sources."""
    for each in request.trusted_sources:
        data = data_of(each.text)
        yield ComparedSource(each.name, each.text, data, None if data is not None else table_of(each.text))


def context_sources(request: ValidationRequest) -> Iterator[ComparedSource]:
    """Yield the members of the context, each text and each document as a source."""
    for key, member in request.context.items():
        value = thaw(member)
        if key in FACTS or not isinstance(value, str | list):
            yield ComparedSource(f"context.{key}", json.dumps(value, ensure_ascii=False), {key: value})
            continue
        for place, item in enumerate(value if isinstance(value, list) else [value]):
            text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
            name = f"context.{key}[{place}]" if isinstance(value, list) else f"context.{key}"
            yield ComparedSource(name, text, data_of(text), table_of(text) if isinstance(item, str) else None)


def libraries_of(trusted: Sequence[ComparedSource], context: Sequence[ComparedSource]) -> tuple[Library, Library]:
    """Return what the trusted sources say, and what they say with the context, as far as the budget reaches."""
    kept, left_out, characters = list[ComparedSource](), list[str](), 0
    for each in (*trusted, *context):
        characters += len(each.text)
        if characters <= MOST_CHARACTERS:
            kept.append(each)
        else:
            left_out.append(each.name)
    read = [(each, each.values()) for each in kept]
    count = min(len(trusted), len(kept))
    return _library(read[:count], left_out), _library(read, left_out)


def _library(read: Sequence[tuple[ComparedSource, tuple[StatedValue, ...]]], left_out: Sequence[str]) -> Library:
    by_way: defaultdict[Way, list[PathValue]] = defaultdict(list)
    for source, _ in read:
        for leaf in source.leaves:
            by_way[way_of(leaf.steps)].append(PathValue(source.name, leaf.path, leaf.value))
    values = tuple(value for _, found in read for value in found)
    folded = "\n".join(fold(source.text) for source, _ in read)
    ways = {way: tuple(found) for way, found in by_way.items()}
    keys = frozenset(key_of(each) for each in values)
    return Library(tuple(source for source, _ in read), ways, values, keys, folded, tuple(left_out))


def way_of(steps: Way) -> Way:
    """Return a path from where it begins: behind ``summary``, and behind the facts of a context."""
    return steps[1:] if len(steps) > 1 and steps[0] in (SUMMARY, *FACTS) else steps
