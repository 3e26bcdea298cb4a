"""Mutants of the other definitions that sessions use: a statement about one thing may be tried on another.

What documents a class without code, an exception or a whole life cycle is shown by what uses it. A session that no
mutant of its own definition breaks is so held against mutants of those that it names. Refuses to count a mutant that
the session does not fail on.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import suppress

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.programs.faults.field_faults import field_faults
from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.judging.strength import Yardstick, copy_of, yardstick
from probatum.programs.parsing.expressions import names_in
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import SharedRuns
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_sessions import run_sessions, session_id
from probatum.programs.source import module_or_none
from probatum.readings.values import ReadingRecord
from probatum.sandbox import Program

MOST_FAULTS = 20
"""For each definition that a session names."""


def broken_elsewhere(
    records: Sequence[ReadingRecord], idle: Collection[str], sessions: Sequence[SharedRuns], rod: Yardstick
) -> Counter[str]:
    """Return how many mutants of other definitions break each session of ``idle``, by the ids of their readings."""
    texts = [each.clause for record in records for each in record.readings if record.id_of(each) in idle]
    used = _names_used(texts)
    # A clause about a new object names the class by no word.
    owners = sorted(used | {rod.function})
    lacking = [mutant for name in owners for mutant in field_faults(rod.source, name)[:MOST_FAULTS]]
    copies = [*_of_functions(used, rod), *(copy_of(mutant, rod) for mutant in lacking)]
    broken: Counter[str] = Counter()
    for each in sessions if copies else ():
        for names in each.broken(rod.source.program, copies):
            broken.update(name for name in map(session_id, names) if name in idle)
    return broken


def tried_elsewhere(question: FunctionQuestion, benches: Benches) -> tuple[tuple[CheckRecord, ...], Counter[str]]:
    """Return what came of the sessions about a definition without code, and how many mutants of others break each."""
    checks: list[CheckRecord] = []
    broken: Counter[str] = Counter()
    source, name = question.source, question.function.qualname
    runs = [(record, told) for record in question.counted for told in run_sessions(question, record, benches)]
    for record, told in runs:
        checks += told.records
        held = {each.id for each in told.records if each.state is CheckState.HOLDS}
        given = () if told.shared is None else (told.shared,)
        rod = yardstick(benches.first, source, name, (), given, (), ()) if given else None
        if rod is not None:
            broken.update(broken_elsewhere((record,), held, given, rod))
    return tuple(checks), broken


def _names_used(texts: Sequence[str]) -> set[str]:
    return {name for text in texts if (tree := module_or_none(text)) is not None for name in names_in(tree, ast.Load)}


def _of_functions(names: Set[str], rod: Yardstick) -> Iterator[Program]:
    for each in rod.source.module.functions:
        if each.qualname in names and each.qualname != rod.function:
            with suppress(BudgetError, NotAttemptedError):
                mutants = plan_mutants(rod.source, each.qualname, limit=MOST_FAULTS, seed=0)
                yield from (copy_of(mutant, rod) for mutant in mutants)
