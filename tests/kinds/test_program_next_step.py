"""What an undecided program's report says is next: a command that exists, for every reason that there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from probatum.kinds.program.next_step import AskedFunction, NextStep, next_step
from probatum.kinds.program.request import ProgramRequest
from probatum.programs import decide
from probatum.programs.decide import EvidencePolicy, Level
from probatum.programs.judging.suggestions import Suggested, Suggestion
from probatum.programs.record import FunctionRecord, MutantRecord, MutantState, StatementOutcome
from probatum.programs.specification import StatementKind, StatementState

UNDECIDED = sorted(
    set(re.findall(r'\(record, "(programs?\.\w+)"', Path(decide.__file__).read_text()))
    | {"program.tests_not_carried", "program.out_of_budget", "program.lost", "program.flaky_clock"}
)
OPEN = StatementOutcome("s1", "It is right.", StatementKind.SUMMARY, "docstring", 2, StatementState.OPEN)
SURVIVOR = MutantRecord("m1", "constant", 3, "line 3 uses 1 for 0", MutantState.SURVIVED, told_apart_by="f(0)")


def step(
    constraint: str,
    record: FunctionRecord,
    *further: str,
    suggested: Suggested | None = None,
    level: Level = Level.STANDARD,
    evidence: EvidencePolicy = EvidencePolicy.SHARED,
) -> NextStep:
    request = ProgramRequest(b"", "a b.py", level=level, evidence=evidence, repeated_with=further)
    return next_step(record, constraint, ["line 4: f(1)\n    2 is open"], AskedFunction(request, "f", 0, suggested))


@pytest.mark.parametrize("constraint", UNDECIDED)
def test_every_reason_has_a_command_and_a_line_about_it(constraint: str) -> None:
    record = FunctionRecord("f", 1, statements=(OPEN,), unmet=("the contract is empty",), not_judged="f is a name")
    told = step(constraint, record)
    assert shlex.split(told.command)[:1] == ["probatum"]
    assert "a b.py" in told.command
    assert "what it names" not in told.told
    assert "\n" not in told.told


def test_words_that_are_open_are_read_with_what_they_were_asked_with() -> None:
    record = FunctionRecord("f", 1, statements=(OPEN,))
    told = step("program.statement_unchecked", record, "--contract", "It is fast.", "--min-strength", "0.5")
    assert told.command == "probatum read 'a b.py::f' --ask --contract 'It is fast.'"


def test_without_words_an_example_is_asked_for() -> None:
    told = step("program.no_specification", FunctionRecord("f", 1))
    assert told == NextStep(
        "probatum verify 'a b.py::f'", "after you have written an example of f in its docstring: a call with its result"
    )


def test_what_was_not_measured_is_measured_at_the_next_level() -> None:
    told = step("program.strength_not_measured", FunctionRecord("f", 1), level=Level.QUICK)
    assert told.command == "probatum verify 'a b.py::f' --level standard"


def test_evidence_that_may_not_be_shared_is_asked_for_as_shared() -> None:
    told = step(
        "program.not_forge_resistant", FunctionRecord("f", 1), "--evidence", "split", evidence=EvidencePolicy.SPLIT
    )
    assert told.command == "probatum verify 'a b.py::f' --evidence shared"


WEAK = FunctionRecord("f", 1, mutants=(SURVIVOR,), strength_measured=True)
ONE_KILLED = FunctionRecord("f", 1, mutants=(MutantRecord("m1", "constant", 3, "x", MutantState.NOTICED),))
SET_ASIDE = FunctionRecord("f", 1, mutants=(MutantRecord("m1", "constant", 3, "x", MutantState.EQUIVALENT),))


@pytest.mark.parametrize(
    ("record", "suggested", "command"),
    [
        (WEAK, None, "probatum verify 'a b.py::f' --suggest"),
        (WEAK, Suggested((Suggestion(">>> f(0)\n?", ("x",)),), 1), "probatum verify 'a b.py::f'"),
        (WEAK, Suggested(faults=1), "probatum verify 'a b.py::f'"),
        (ONE_KILLED, None, "probatum verify 'a b.py::f'"),
        (SET_ASIDE, None, "probatum verify 'a b.py::f' --level thorough"),
    ],
    ids=[
        "survivors",
        "examples that are suggested",
        "no example is known",
        "one mutant",
        "mutants that differ on nothing",
    ],
)
def test_weak_checks_become_stronger(record: FunctionRecord, suggested: Suggested | None, command: str) -> None:
    assert step("program.weak_checks", record, suggested=suggested).command == command
