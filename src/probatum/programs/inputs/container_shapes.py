"""Shapes of values that hold others: lists, tuples, sets, tables of rows, mappings and records.

Generated ones stay small, because hundreds of them are run through interpreted code. Order, distinctness and equal
rows are kept where every documented value has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from probatum.programs.inputs.choices import Choices, between, one_in, pick
from probatum.programs.inputs.fingerprints import fingerprint
from probatum.programs.inputs.scalar_shapes import ValueShape

Sequenced = type[list[object]] | type[tuple[object, ...]] | type[set[object]] | type[frozenset[object]]
Order = Literal["any", "ascending", "descending"]


@dataclass(frozen=True, slots=True)
class ListShape:
    """Any number of items of one shape."""

    item: ValueShape
    shortest: int = 0
    longest: int = 8
    kind: Sequenced = list
    order: Order = "any"
    distinct: bool = False

    def draw(self, choices: Choices) -> object:
        """Return a sequence, often with repetitions, rarely an empty or a sorted one."""
        kind = choices.below(24)
        if kind == 23:
            return self.made([])
        count = between(choices, self.shortest, self.longest)
        if kind % 2 == 0:
            count = min(count, between(choices, self.shortest, self.longest))
        if kind % 3 == 1:
            few = [self.item.draw(choices) for _ in range(3)]
            return self.made([pick(choices, few) for _ in range(count)])
        items = [self.item.draw(choices) for _ in range(count)]
        return self.made(in_order(items, "ascending") if kind == 22 else items)

    def vary(self, value: object, choices: Choices) -> object:
        """Return the sequence with one item changed, dropped, added, repeated or moved."""
        items = _listed(value)
        if not items:
            return self.made([self.item.draw(choices)])
        at = choices.below(len(items))
        other = choices.below(len(items))
        changes: tuple[Callable[[], list[object]], ...] = (
            lambda: [*items[:at], self.item.vary(items[at], choices), *items[at + 1 :]],
            lambda: [*items[:at], *items[at + 1 :]],
            lambda: [*items[:at], items[at], *items[at:]],
            lambda: [*items[:at], self.item.draw(choices), *items[at:]],
            lambda: _exchanged(items, at, other),
            lambda: [*items[:at], items[other], *items[at + 1 :]],
            lambda: items[::-1],
            lambda: items[: at + 1],
        )
        return self.made(pick(choices, changes)())

    def fits(self, value: object) -> bool:
        """Tell whether it is this kind of sequence."""
        return type(value) is self.kind

    def made(self, items: list[object]) -> object:
        """Return the items as this kind of sequence, in its order and without repetitions where it has none."""
        if self.kind in {set, frozenset}:
            items = [item for item in items if _is_hashable(item)]
        elif self.distinct:
            items = _without_repetitions(items)
        return self.kind(in_order(items, self.order))


@dataclass(frozen=True, slots=True)
class FixedShape:
    """A tuple, or a list used as one: each place has its own shape."""

    items: tuple[ValueShape, ...]
    kind: Sequenced = tuple

    def draw(self, choices: Choices) -> object:
        """Return a value for every place."""
        return self.kind([item.draw(choices) for item in self.items])

    def vary(self, value: object, choices: Choices) -> object:
        """Return the tuple with one place changed."""
        items = _listed(value)
        if len(items) != len(self.items) or not items:
            return self.draw(choices)
        at = choices.below(len(items))
        items[at] = self.items[at].vary(items[at], choices)
        return self.kind(items)

    def fits(self, value: object) -> bool:
        """Tell whether it has the type and the number of places."""
        return type(value) is self.kind and len(_listed(value)) == len(self.items)


@dataclass(frozen=True, slots=True)
class GridShape:
    """Rows of equal length, square where every documented one is."""

    item: ValueShape
    rows: tuple[int, int]
    columns: tuple[int, int]
    is_square: bool = False

    def draw(self, choices: Choices) -> object:
        """Return a list of rows."""
        rows = between(choices, *self.rows)
        columns = rows if self.is_square else between(choices, *self.columns)
        return [[self.item.draw(choices) for _ in range(columns)] for _ in range(rows)]

    def vary(self, value: object, choices: Choices) -> object:
        """Return the table with one cell changed or two rows exchanged."""
        rows = [_listed(row) for row in _listed(value)]
        if not rows or not rows[0]:
            return self.draw(choices)
        at, column = choices.below(len(rows)), choices.below(len(rows[0]))
        if one_in(choices, 4):
            return _exchanged(rows, at, choices.below(len(rows)))
        if column < len(rows[at]):
            rows[at][column] = self.item.vary(rows[at][column], choices)
        return rows

    def fits(self, value: object) -> bool:
        """Tell whether it is a list of lists."""
        return type(value) is list and all(type(row) is list for row in value)


@dataclass(frozen=True, slots=True)
class MappingShape:
    """A dictionary with keys of one shape and values of another."""

    key: ValueShape
    value: ValueShape
    shortest: int = 0
    longest: int = 5

    def draw(self, choices: Choices) -> object:
        """Return a dictionary; repeated keys make it shorter."""
        if one_in(choices, 16):
            return {}
        drawn = [
            (self.key.draw(choices), self.value.draw(choices))
            for _ in range(between(choices, self.shortest, self.longest))
        ]
        return {key: value for key, value in drawn if _is_hashable(key)}

    def vary(self, value: object, choices: Choices) -> object:
        """Return the dictionary with one entry changed, dropped or added."""
        if not isinstance(value, dict):
            return self.draw(choices)
        entries: list[tuple[object, object]] = list(value.items())
        kind = choices.below(4)
        if not entries or kind == 3:
            entries.append((self.key.draw(choices), self.value.draw(choices)))
        else:
            at = choices.below(len(entries))
            key, held = entries[at]
            if kind == 2:
                del entries[at]
            else:
                entries[at] = (
                    (self.key.vary(key, choices), held) if kind == 1 else (key, self.value.vary(held, choices))
                )
        return {key: held for key, held in entries if _is_hashable(key)}

    def fits(self, value: object) -> bool:
        """Tell whether it is a dictionary."""
        return type(value) is dict


@dataclass(frozen=True, slots=True)
class RecordShape:
    """A dictionary with fixed text keys, each with its own shape; ``optional`` ones may be missing."""

    fields: tuple[tuple[str, ValueShape], ...]
    optional: frozenset[str] = frozenset()

    def draw(self, choices: Choices) -> object:
        """Return a dictionary with every required key."""
        return {
            name: shape.draw(choices) for name, shape in self.fields if name not in self.optional or choices.below(2)
        }

    def vary(self, value: object, choices: Choices) -> object:
        """Return the record with one value changed."""
        if not isinstance(value, dict):
            return self.draw(choices)
        present = [(name, shape) for name, shape in self.fields if name in value]
        if not present:
            return self.draw(choices)
        name, shape = pick(choices, present)
        return {**value, name: shape.vary(value[name], choices)}

    def fits(self, value: object) -> bool:
        """Tell whether it is a dictionary with none but these keys."""
        names = {name for name, _ in self.fields}
        return type(value) is dict and set(value) <= names


def in_order(items: list[object], order: Order) -> list[object]:
    """Return the items in the given order, unchanged where they cannot be compared."""
    if order == "any":
        return items
    try:
        return sorted(items, reverse=order == "descending")  # type: ignore[type-var]  # the except clause is the check
    except TypeError:
        return items


def _listed(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=fingerprint)
    return []


def _exchanged(items: Sequence[object], first: int, second: int) -> list[object]:
    exchanged = list(items)
    exchanged[first], exchanged[second] = exchanged[second], exchanged[first]
    return exchanged


def _without_repetitions(items: list[object]) -> list[object]:
    kept: list[object] = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
