"""How the parts of a run stand: which of them fail it, which are known, and the exit code that follows.

By default everything that is not VERIFIED fails; a caller may ask for less. What a baseline knows does not fail.
Refuses to let a file pass whose own verdict is weaker than those of its functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from probatum.app.answers import Answer
from probatum.app.baseline import Line, known_name, lines_of
from probatum.core.approval import Approval, approval
from probatum.core.decision import EXIT_CODE, DiagnosticStatus, Outcome
from probatum.core.disclosure import Layer, named
from probatum.core.shape import json_of
from probatum.core.sheet import Entry, Mark
from probatum.core.subject import shown_path
from probatum.verification.files import Gated, GateStepResult

_RANK: Final[Mapping[str, int]] = {
    "refuted": Outcome.REFUTED.rank,
    "blocked": Outcome.NOT_ATTEMPTED.rank,
    "undecided": Outcome.UNDECIDED.rank,
}
_MARK: Final = {Outcome.TESTED: Mark.HOLDS, Outcome.REFUTED: Mark.FAILS, None: Mark.NOTE}
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
    # The confidence at which something may be acted on without a person; None where nobody asks.
    approve_at: float | None = None
    # What the gates before the verdicts say.
    gated: list[Gated] = field(default_factory=list)
    # What is left out at the wish of its author.
    ignored: list[str] = field(default_factory=list)

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
        """That of the weakest that fails; 0 where none does, and whatever was to be approved is."""
        approved = self.approval()
        # What a caller tolerates, or a baseline knows, is not approved for that.
        failing = [e.answer for e in self.units if e.fails or (approved is not None and e.answer.exit_code)]
        found = [(each.rank, each.exit_code) for each in failing]
        found += [(each.ended.rank, EXIT_CODE[each.ended]) for each in self.gated if each.ended is not None]
        if found:
            return min(found)[1]
        return EXIT_CODE[Outcome.UNDECIDED] if approved is not None and not approved.approved else 0

    def approval(self) -> Approval | None:
        """Return whether all may be acted on without a person, by the weakest; None where nobody asks."""
        at = self.approve_at
        if at is None:
            return None
        ended = next((f"the gates end at {each.path.subject}" for each in self.gated if each.ended is not None), "")
        left_out = next((f"{each} is ignored by its author" for each in self.ignored), "")
        if against := ended or left_out or ("" if self.units else "nothing was verified"):
            return approval(DiagnosticStatus.UNVERIFIABLE, 0.0, at, against)
        found = [_approval_of(each, at, several=len(self.units) > 1) for each in self.units]
        least = min(found, key=lambda each: (each.approved, each.confidence))
        if not least.approved or len(found) == 1:
            return least
        return replace(least, reason=f"all are VERIFIED with confidence {least.confidence!r} or more, at least {at!r}")

    def document(self, layer: Layer) -> dict[str, object]:
        """Return what the document of a run tells of gates and approval."""
        told: dict[str, object] = {}
        if self.gated:
            rows = ((named(each.path.subject, layer), each.steps) for each in self.gated)
            told["gates"] = {name: [_told(step, layer) for step in steps] for name, steps in rows}
        if (found := self.approval()) is not None:
            told["approval"] = {"approved": found.approved} if layer is Layer.AGENT else found.to_dict()
        return told

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


def entries_of_gates(gated: Gated, layer: Layer) -> list[Entry]:
    """Return a line for each gate; the agent's layer sees what came of it alone."""
    found = []
    for step in gated.steps:
        errors = (f"{e.line}:{e.column or 1}: {e.message}" if e.line else e.message for e in step.errors)
        text = f"{shown_path(gated.path.path)}: {step.step}: {step.message}"
        entry = Entry(_MARK.get(step.outcome, Mark.UNDECIDED), text, detail=tuple(errors), word=step.state.upper())
        found.append(replace(entry, text=step.step, detail=()) if layer is Layer.AGENT else entry)
    return found


def _told(step: GateStepResult, layer: Layer) -> dict[str, object]:
    told: dict[str, object] = {"gate": step.step, "state": step.state}
    if layer is not Layer.AGENT:
        told |= {"message": step.message, "errors": [json_of(each) for each in step.errors]}
    return told


def _approval_of(unit: Unit, at: float, *, several: bool) -> Approval:
    result = unit.answer.details.get("result")
    value = result.get("confidence") if isinstance(result, Mapping) else None
    found = approval(unit.answer.verdict.status, value, at)
    return replace(found, reason=f"{unit.name}: {found.reason}") if several else found


def _parts(answer: Answer) -> Iterator[tuple[str, Answer]]:
    if not answer.parts or answer.rank < min(part.rank for part in answer.parts):
        yield answer.name, answer
    for part in answer.parts:
        yield f"{answer.name}{SEPARATOR}{part.name}", part
