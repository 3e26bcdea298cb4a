"""Two versions of one file or unit side by side: which units belong together, which statements have no counterpart.

Statements are compared without their depth, so that what is wrapped into a new `if` is not new itself; one that is now
below another header than before is. Refuses to take long: where too many statements are alike, all of them differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from probatum.changes.syntax.file_syntax import Bearing, FileSyntax, SyntaxItem, UnitKind, UnitSyntax, is_compared

Hunk = tuple[int, int, int, int]
"""A stretch of the base's row without a counterpart, and the stretch of the head's row that is in its place."""
UnitPair = tuple[UnitSyntax | None, UnitSyntax | None]
"""A unit of the base and what became of it; the first is None for an added one, the second for a removed one."""
# Comparing takes as many steps as there are equal pairs, once for each stretch that is found.
_MOST_PAIRS: Final = 50_000


@dataclass(frozen=True, slots=True)
class FilePair:
    """A Python file in both versions; one of them may be missing, and the paths may differ."""

    base: FileSyntax | None
    head: FileSyntax | None
    units: tuple[UnitPair, ...]

    @property
    def path(self) -> str:
        """The path in the head, or the one in the base where the file is gone; empty where it is in neither."""
        file = self.head or self.base
        return file.path if file else ""


def file_pair(base: FileSyntax | None, head: FileSyntax | None) -> FilePair:
    """Return two versions of a file with their units side by side."""
    return FilePair(base, head, tuple(unit_pairs(base.units if base else (), head.units if head else ())))


def hunks_of(base: Sequence[Hashable], head: Sequence[Hashable]) -> list[Hunk]:
    """Return the stretches in which two rows differ, in order."""
    shorter = min(len(base), len(head))
    begin = next((index for index in range(shorter) if base[index] != head[index]), shorter)
    rest = shorter - begin
    end = next((index for index in range(rest) if base[-1 - index] != head[-1 - index]), rest)
    old, new = base[begin : len(base) - end], head[begin : len(head) - end]
    counts = Counter(old)
    if sum(counts[key] for key in new) > _MOST_PAIRS:
        return [(begin, len(base) - end, begin, len(head) - end)]
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(a + begin, b + begin, c + begin, d + begin) for tag, a, b, c, d in found if tag != "equal"]


def compared_items(unit: UnitSyntax) -> list[int]:
    """Return the indices of the items of a unit that are compared."""
    return [index for index, item in enumerate(unit.items) if is_compared(item)]


def unmatched_items(base: UnitSyntax, head: UnitSyntax) -> tuple[list[SyntaxItem], list[SyntaxItem]]:
    """Return the statements and headers of the base and of the head that have no counterpart in the other one."""
    old, new = compared_items(base), compared_items(head)
    matched, behind = dict[int, int](), (0, 0)
    for a, b, c, d in [*hunks_of(_keys(base, old), _keys(head, new)), (len(old), len(old), len(new), len(new))]:
        matched.update(zip(old[behind[0] : a], new[behind[1] : c], strict=True))
        behind = (b, d)
    above_old, above_new = _ancestors(base, set(matched)), _ancestors(head, set(matched.values()))
    kept = {
        index: other
        for index, other in matched.items()
        if (matched.get(above_old[index][0], -1), above_old[index][1]) == above_new[other]
    }
    return _without(base, old, set(kept)), _without(head, new, set(kept.values()))


def lines_of_items(items: Iterable[SyntaxItem]) -> tuple[int, ...]:
    """Return the lines of statements, each once and in order."""
    return tuple(sorted({line for item in items for line in range(item.first_line, item.last_line + 1)}))


def behaviour_of(unit: UnitSyntax) -> list[SyntaxItem]:
    """Return the statements and headers of a unit that say what it does."""
    return [item for item in unit.items if item.bearing is Bearing.BEHAVIOUR]


def unit_pairs(base: Iterable[UnitSyntax], head: Iterable[UnitSyntax]) -> list[UnitPair]:
    """Return the units of two versions of a file by name, those of the head in their order, then those that are gone.

    Of several units of one name those belong together that are the same, the others in their order.
    """
    waiting: dict[tuple[UnitKind, str], list[UnitSyntax]] = {}
    for unit in base:
        waiting.setdefault((unit.kind, unit.qualname), []).append(unit)
    new, pairs = list(head), dict[int, UnitSyntax]()
    for by_shape in (True, False):
        for index, unit in enumerate(new):
            group = waiting.get((unit.kind, unit.qualname), [])
            found = next((each for each in group if not by_shape or each.shape == unit.shape), None)
            if index not in pairs and found is not None:
                group.remove(found)
                pairs[index] = found
    gone = [unit for group in waiting.values() for unit in group]
    return [*((pairs.get(index), unit) for index, unit in enumerate(new)), *((unit, None) for unit in gone)]


def moved_units(gone: Sequence[UnitSyntax], new: Sequence[UnitSyntax]) -> dict[int, int]:
    """Return which of the units that are gone is which of the new ones, by index: the same syntax elsewhere.

    One of another name has to have some statements, since short functions are the same by chance.
    """
    places: dict[tuple[UnitKind, bytes], list[int]] = {}
    for index, unit in enumerate(gone):
        places.setdefault((unit.kind, unit.shape), []).append(index)
    found, taken = dict[int, int](), set[int]()
    for same_name in (True, False):
        for index, unit in enumerate(new):
            group = places.get((unit.kind, unit.shape), [])
            fit = [each for each in group if _own_name(gone[each]) == _own_name(unit)] if same_name else group[:1]
            if index not in taken and fit and (same_name or len(behaviour_of(unit)) > 2):
                taken.add(index)
                found[fit[0]] = index
                group.remove(fit[0])
    return found


def _own_name(unit: UnitSyntax) -> str:
    return unit.qualname.rpartition(".")[2]


def _keys(unit: UnitSyntax, indices: Sequence[int]) -> list[bytes]:
    return [unit.items[index].key for index in indices]


def _ancestors(unit: UnitSyntax, matched: set[int]) -> list[tuple[int, str]]:
    """Return for each item the next header above it that has a counterpart, and in which block of that one it is."""
    found: list[tuple[int, str]] = []
    for item in unit.items:
        own = (item.parent, item.slot)
        found.append(own if item.parent < 0 or item.parent in matched else found[item.parent])
    return found


def _without(unit: UnitSyntax, indices: Sequence[int], kept: set[int]) -> list[SyntaxItem]:
    items = [unit.items[index] for index in indices if index not in kept]
    return [item for item in items if item.bearing is Bearing.BEHAVIOUR]
