"""How the parts of a run stand: which of them fail it, which are known, and the exit code that follows.

By default everything that is not VERIFIED fails; a caller may ask for less. What a baseline knows does not fail.
Refuses to let a file pass whose own verdict is weaker than those of its functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from probatum.app.answers import Answer
from probatum.app.baseline import Line, known_name, lines_of
from probatum.core.decision import Outcome

_RANK: Final[Mapping[str, int]] = {
    "refuted": Outcome.REFUTED.rank,
    "blocked": Outcome.NOT_ATTEMPTED.rank,
    "undecided": Outcome.UNDECIDED.rank,
}
SEPARATOR: Final = "::"


@dataclass(frozen=True, slots=True)
class Unit:
    """One function of a file, or a file that has none."""

    name: str
    answer: Answer
    # What a baseline says of it.
    lines: frozenset[Line]
    is_known: bool
    fails: bool


@dataclass(slots=True)
class RunStanding:
    """Every part of a run; ``fail_on`` is the least that fails, ``known`` what a baseline in ``root`` holds."""

    fail_on: str
    known: frozenset[Line] = frozenset()
    root: Path = Path()
    units: list[Unit] = field(default_factory=list)

    def add(self, answer: Answer) -> list[Unit]:
        """Take an answer in; return its parts."""
        found = self.units_of(answer)
        self.units += found
        return found

    def units_of(self, answer: Answer) -> list[Unit]:
        """Return the parts of an answer."""
        return [self._unit(name, part) for name, part in _parts(answer)]

    def is_new(self, unit: Unit) -> bool:
        """Return whether the baseline holds nothing of this function that has the same constraint.

        With less work more of its documentation is open, so that a line more is no sign of something new.
        """
        known = {(name, constraint) for name, constraint, _ in self.known}
        return known.isdisjoint((name, constraint) for name, constraint, _ in unit.lines)

    @property
    def exit_code(self) -> int:
        """That of the weakest that fails; 0 where none does."""
        failing = [each.answer for each in self.units if each.fails]
        return min(failing, key=lambda each: each.rank).exit_code if failing else 0

    @property
    def counts(self) -> Counter[Outcome]:
        """How many parts have each outcome; proved and tested ones count as tested."""
        outcomes = (Outcome(each.answer.verdict.outcome or Outcome.UNDECIDED) for each in self.units)
        return Counter(Outcome.TESTED if each is Outcome.PROVED else each for each in outcomes)

    @property
    def lines(self) -> frozenset[Line]:
        """Everything that a baseline would know of this run."""
        return frozenset(line for each in self.units for line in each.lines)

    def _unit(self, name: str, part: Answer) -> Unit:
        path, separator, inner = name.partition(SEPARATOR)
        lines = lines_of(known_name(path, self.root) + separator + inner, part)
        is_known = bool(lines) and lines <= self.known
        return Unit(name, part, lines, is_known, part.rank <= _RANK[self.fail_on] and bool(lines) and not is_known)


def _parts(answer: Answer) -> Iterator[tuple[str, Answer]]:
    if not answer.parts or answer.rank < min(part.rank for part in answer.parts):
        yield answer.name, answer
    for part in answer.parts:
        yield f"{answer.name}{SEPARATOR}{part.name}", part
