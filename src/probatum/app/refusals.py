"""Answers that are given without running anything: unreadable files, requests beyond the budget, broken verifiers.

A refusal is a verdict like any other, with its constraint, so that scripts meet one shape. Refuses to verify: no
function of this module can give VERIFIED, and none refutes.
"""

from __future__ import annotations

from probatum.app.answers import ProgramAnswer
from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import BudgetError, ProbatumError
from probatum.core.frozen import FrozenDict
from probatum.core.messages import CATALOGUE
from probatum.core.sheet import Entry, Mark, Section, Sheet

HARMLESS = frozenset({Outcome.UNDECIDED, Outcome.NOT_ATTEMPTED})


def refuse(name: str, outcome: Outcome, constraint_id: str, reason: str, next_step: str = "") -> ProgramAnswer:
    """Return an answer that says why the program called ``name`` was not judged.

    Raises:
        ValueError: the outcome would verify or refute, or the constraint is not in the catalogue.
    """
    if outcome not in HARMLESS:
        raise ValueError(f"a refusal is undecided or not attempted, never {outcome.value}")
    decision = decide(outcome, constraint_id, {"name": "it"}, {"reason": reason})
    verdict = DiagnosticResult(decision.status, decision.agent_message, FrozenDict(decision.developer_fields()))
    why = Section("Why", (Entry(Mark.UNDECIDED, reason),))
    sheet = Sheet(name, verdict, decision.agent_message, (why,), next_step=next_step)
    return ProgramAnswer(verdict, decision.exit_code, (), sheet)


def refuse_for(name: str, error: ProbatumError) -> ProgramAnswer:
    """Return the answer for a named error that stopped a verification: never a statement about the program."""
    outcome = Outcome.UNDECIDED if isinstance(error, BudgetError) else Outcome.NOT_ATTEMPTED
    unlisted = "program.out_of_budget" if isinstance(error, BudgetError) else "verifier.fault"
    constraint = error.code if error.code in CATALOGUE else unlisted
    return refuse(name, outcome, constraint, error.sentence, error.hint)
