"""What the claims of an output are held against: trusted texts, and the facts and texts of the context.

Read once for all claims: the values at the paths of structured sources, and every value that any source states. Refuses
to read without bounds: a source beyond the budget is named as left out.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.frozen import thaw
from probatum.judge.facts.structured import SourceTable, cells_of, data_of, leaves_in, table_of
from probatum.judge.facts.values import Stated, stated_values
from probatum.judge.outputs import Leaf
from probatum.judge.request import ValidationRequest

MOST_CHARACTERS: Final = 4_000_000
"""Of all sources together."""
FACTS: Final = ("facts", "ground_truth_facts")
"""Members of the context whose paths begin at themselves: ``context.facts.price`` is the fact at ``price``."""
SUMMARY: Final = "summary"
"""The member of an output, or of a source, whose paths begin at itself: the document's own ``summary:cvss_score``."""
Way = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A text that counts as true, with the JSON or the table that it writes."""

    name: str
    text: str
    data: object = None
    table: SourceTable | None = None


@dataclass(frozen=True, slots=True)
class PathValue:
    """The value at a path of a structured source."""

    source: str
    path: str
    value: object


@dataclass(frozen=True, slots=True)
class Library:
    """Everything that counts as true."""

    sources: tuple[Source, ...]
    by_way: Mapping[Way, tuple[PathValue, ...]]
    values: tuple[Stated, ...]
    keys: frozenset[tuple[object, ...]]
    folded: str
    """All texts without case, for what is compared as it is written."""
    left_out: tuple[str, ...]

    def has(self, value: Stated) -> bool:
        """Return whether a source states an equal value, or has its very text."""
        return value.key in self.keys or (value.kind in {"quotation", "digits"} and str(value.value) in self.folded)


def trusted_sources(request: ValidationRequest) -> Iterator[Source]:
    """Yield the trusted sources."""
    for each in request.trusted_sources:
        data = data_of(each.text)
        yield Source(each.name, each.text, data, None if data is not None else table_of(each.text))


def context_sources(request: ValidationRequest) -> Iterator[Source]:
    """Yield the members of the context, each text and each document as a source."""
    for key, member in request.context.items():
        value = thaw(member)
        if key in FACTS or not isinstance(value, str | list):
            yield Source(f"context.{key}", json.dumps(value, ensure_ascii=False), {key: value})
            continue
        for place, item in enumerate(value if isinstance(value, list) else [value]):
            text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
            name = f"context.{key}[{place}]" if isinstance(value, list) else f"context.{key}"
            yield Source(name, text, data_of(text), table_of(text) if isinstance(item, str) else None)


def library_of(sources: Iterable[Source]) -> Library:
    """Return what sources say, in order, as far as the budget reaches."""
    kept, left_out, characters = list[Source](), list[str](), 0
    for each in sources:
        characters += len(each.text)
        (kept if characters <= MOST_CHARACTERS else left_out).append(
            each if characters <= MOST_CHARACTERS else each.name
        )  # type: ignore[arg-type]
    by_way: defaultdict[Way, list[PathValue]] = defaultdict(list)
    values = list[Stated]()
    for each in kept:
        for leaf in _leaves(each):
            by_way[way_of(leaf.steps)].append(PathValue(each.name, leaf.path, leaf.value))
            values += stated_values(str(leaf.value))
        if each.data is None and each.table is None:
            values += stated_values(each.text)
    folded = "\n".join(" ".join(each.text.casefold().split()) for each in kept)
    ways = {way: tuple(found) for way, found in by_way.items()}
    return Library(tuple(kept), ways, tuple(values), frozenset(each.key for each in values), folded, tuple(left_out))


def way_of(steps: Way) -> Way:
    """Return a path from where it begins: behind ``summary``, and behind the facts of a context."""
    return steps[1:] if len(steps) > 1 and steps[0] in (SUMMARY, *FACTS) else steps


def _leaves(source: Source) -> Iterator[Leaf]:
    if source.table is not None:
        yield from cells_of(source.table)
    elif source.data is not None:
        yield from leaves_in(source.data)
