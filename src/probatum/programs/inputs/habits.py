"""What documented calls have in common across their arguments, and how to give it to a generated call.

Two lists of equal length, an index within a list, a lower before an upper bound, a member of a list: a call without
such a habit is often not a legal call at all. Heuristics: they hold for the documented calls, not by any promise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from probatum.programs.inputs.fingerprints import fingerprint

Arguments = dict[str, object]


@dataclass(frozen=True, slots=True)
class Habit:
    """A relation between two parameters that every documented call has."""

    kind: str
    first: str
    second: str

    def holds(self, call: Mapping[str, object]) -> bool:
        """Tell whether a call has the habit."""
        return _RELATIONS[self.kind].holds(call[self.first], call[self.second])

    def given_to(self, call: Arguments) -> Arguments:
        """Return the call with the first argument, or both, changed so that it has the habit where it can."""
        if self.first not in call or self.second not in call:
            return call
        first, second = _RELATIONS[self.kind].mend(call[self.first], call[self.second])
        return {**call, self.first: first, self.second: second}


def habits_of(calls: Sequence[Mapping[str, object]]) -> tuple[Habit, ...]:
    """Return the relations that all the calls have, if there are enough calls to show them."""
    if len(calls) < 2:
        return ()
    names = [name for name in calls[0] if all(name in call for call in calls)]
    found: list[Habit] = []
    for kind, relation in _RELATIONS.items():
        if len(calls) < relation.least:
            continue
        for first in names:
            for second in names:
                if first == second or any(habit.first == first for habit in found):
                    continue
                if relation.is_symmetric and names.index(first) > names.index(second):
                    continue
                habit = Habit(kind, first, second)
                if all(habit.holds(call) for call in calls):
                    found.append(habit)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Relation:
    least: int
    is_symmetric: bool
    holds: Callable[[object, object], bool]
    mend: Callable[[object, object], tuple[object, object]]


def _length(value: object) -> int:
    return len(value) if isinstance(value, list | tuple | str) else -1


def _has_equal_length(first: object, second: object) -> bool:
    return _length(first) == _length(second) >= 0


def _cut_to_equal(first: object, second: object) -> tuple[object, object]:
    shorter = min(_length(first), _length(second))
    if isinstance(first, list | tuple | str) and isinstance(second, list | tuple | str):
        return first[:shorter], second[:shorter]
    return first, second


def _is_index(first: object, second: object) -> bool:
    return type(first) is int and 0 <= first < _length(second)


def _as_index(first: object, second: object) -> tuple[object, object]:
    return (first % _length(second) if isinstance(first, int) and _length(second) > 0 else first), second


def _is_count(first: object, second: object) -> bool:
    return type(first) is int and 0 <= first <= _length(second)


def _as_count(first: object, second: object) -> tuple[object, object]:
    return (first % (_length(second) + 1) if isinstance(first, int) and _length(second) >= 0 else first), second


def _is_member(first: object, second: object) -> bool:
    return isinstance(second, list | tuple) and first in second


def _as_member(first: object, second: object) -> tuple[object, object]:
    if isinstance(second, list | tuple) and second and first not in second:
        return second[len(fingerprint(first)) % len(second)], second
    return first, second


def _is_lower(first: object, second: object) -> bool:
    return type(first) in {int, float} and type(second) in {int, float} and first <= second  # type: ignore[operator]  # both are numbers


def _exchange(first: object, second: object) -> tuple[object, object]:
    return (first, second) if not _is_lower(second, first) else (second, first)


_RELATIONS: dict[str, _Relation] = {
    "equal length": _Relation(2, True, _has_equal_length, _cut_to_equal),
    "index": _Relation(2, False, _is_index, _as_index),
    "count": _Relation(2, False, _is_count, _as_count),
    "member": _Relation(3, False, _is_member, _as_member),
    "lower": _Relation(3, False, _is_lower, _exchange),
}
