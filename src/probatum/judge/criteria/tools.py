"""What deciding a criterion gives, and what it needs from elsewhere: a sandbox, a verifier of programs.

Every tool may be missing; what only it could decide is undecided then. Refuses a ruling without a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Protocol, TypeVar

from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.exact.claim import Ruling
from probatum.judge.layers import Basis, CheckOutcome
from probatum.readings.values import ReadingRecord

T = TypeVar("T")


class RunEnd(StrEnum):
    """How something that ran in the sandbox ended."""

    RETURNED = "returned"
    RAISED = "raised"
    LEFT = "left"
    """It raised SystemExit with the status 0."""
    LOST = "lost"
    """It used up its budget, ended its process, or gave what cannot leave it: nothing is known."""


@dataclass(frozen=True, slots=True)
class RunReply:
    """What came of one run: a value of built-in types, or the names of an exception's classes, its own first."""

    end: RunEnd
    value: object = None
    names: tuple[str, ...] = ()
    detail: str = ""


Outcomes = Sequence[bool | str]
"""Of clauses: whether each holds; a text says why one has no truth value."""


class PythonRunner(Protocol):
    """Runs Python of strangers in a sandbox; raises NotAttemptedError where the sandbox itself fails."""

    def evaluated(self, clauses: ReadingRecord, outputs: Sequence[object]) -> list[Outcomes | RunReply]:
        """Return for each JSON value what clauses over ``output`` give, which stay in order; a loss is a reply."""

    def called(self, source: str, function: str, calls: Sequence[tuple[object, ...]]) -> tuple[RunReply, ...]:
        """Return what a function of a program gives for each of these arguments, in order."""

    def loaded(self, source: str) -> RunReply:
        """Return how a program ends that is run as a module."""

    def tested(self, source: str, tests: str, modules: Sequence[str]) -> Mapping[str, str]:
        """Return how each test of a file ended: ``passed``, ``failed`` with what it said, or anything else."""


class BudgetedRunner:
    """The same runner for all criteria of one request, which together may run so much, and lose so many processes.

    It counts and never measures: the same request is judged the same way on a slower machine.
    """

    def __init__(self, runner: PythonRunner, runs: int = 400, losses: int = 5) -> None:
        """Keep how much is left."""
        self._runner = runner
        self._runs = runs
        self._losses = losses

    def evaluated(self, clauses: ReadingRecord, outputs: Sequence[object]) -> list[Outcomes | RunReply]:
        """Return what the runner gives; raises BudgetError where nothing is left."""
        run = partial(self._runner.evaluated, clauses, outputs)
        return self._asked(run, lambda rows: any(isinstance(each, RunReply) for each in rows))

    def called(self, source: str, function: str, calls: Sequence[tuple[object, ...]]) -> tuple[RunReply, ...]:
        """Return what the runner gives; raises BudgetError where nothing is left."""
        run = partial(self._runner.called, source, function, calls)
        return self._asked(run, lambda replies: any(each.end is RunEnd.LOST for each in replies))

    def loaded(self, source: str) -> RunReply:
        """Return what the runner gives; raises BudgetError where nothing is left."""
        return self._asked(partial(self._runner.loaded, source), lambda reply: reply.end is RunEnd.LOST)

    def tested(self, source: str, tests: str, modules: Sequence[str]) -> Mapping[str, str]:
        """Return what the runner gives; raises BudgetError where nothing is left."""
        run = partial(self._runner.tested, source, tests, modules)
        return self._asked(run, lambda ends: set(ends.values()) != {"passed"})

    def _asked(self, run: Callable[[], T], is_lost: Callable[[T], bool]) -> T:
        if self._runs <= 0 or self._losses <= 0:
            raise BudgetError("judge.criteria_budget", "The criteria before it used up what may be run.")
        self._runs -= 1
        try:
            reply = run()
        except OSError as error:
            raise NotAttemptedError("judge.sandbox_failed", f"The sandbox failed: {error}.") from error
        self._losses -= is_lost(reply)
        return reply


class ProgramJudge(Protocol):
    """Judges a program by its documentation."""

    def judged(self, source: str) -> CriterionRuling:
        """Return whether the program does what its documentation says."""


@dataclass(frozen=True, slots=True)
class CriteriaTools:
    """What there is to decide criteria, and the formal claims of readings, with."""

    runner: PythonRunner | None = None
    programs: ProgramJudge | None = None
    exact: Callable[[str, str, Mapping[str, JsonValue]], Ruling] | None = None
    """Decides a statement of an exact engine with its inputs; raises a ProbatumError where it cannot."""


@dataclass(frozen=True, slots=True)
class CriterionRuling:
    """How one criterion came out, why, and by what it was decided."""

    state: CheckOutcome
    basis: Basis
    why: str
    evidence: FrozenDict = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        if not self.why:
            raise ValueError("a ruling needs a reason")


def ruled(holds: bool | None, basis: Basis, why: str, **evidence: object) -> CriterionRuling:
    """Return the ruling of a criterion that holds, does not hold, or cannot be decided (None)."""
    why = why.removesuffix(".")
    if holds is None:
        return CriterionRuling(CheckOutcome.UNDECIDED, Basis.NOTHING, why)
    state = CheckOutcome.PASSED if holds else CheckOutcome.FAILED
    return CriterionRuling(state, basis, why, frozen_dict({"observed": why[:300], **evidence}))


def unknown(why: str) -> CriterionRuling:
    """Return that a criterion could not be decided."""
    return ruled(None, Basis.NOTHING, why)
