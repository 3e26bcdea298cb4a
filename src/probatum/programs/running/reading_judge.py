"""The readings of one record as one program: its helpers, a function for each clause, and one that asks them all.

It runs in a sandboxed process of its own, never where the program or the judge runs, and its work is counted: clauses
and helpers are strangers' code. It only tells what each clause gave; the judge decides. Refuses a record
whose helpers and clauses are no Python, with the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from probatum.core.errors import NotAttemptedError
from probatum.programs.faults.work_limit import with_work_limit
from probatum.programs.parsing.expressions import free_names
from probatum.programs.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.programs.source import expression_of
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.sandbox import Program

RESULT = "result"
AFTER = "__after"
JUDGE = "_probatum_judge"
INPUT = "_probatum_input"
WORK_PER_CALL = 400_000
"""How much counted work the clauses of one record may do for one call."""
SPEAKS_OF_RESULTS = frozenset({ReadingKind.RESULT, ReadingKind.EFFECT})

_JUDGE = f"""

def {JUDGE}(given, wanted):
    from copy import deepcopy
    told = []
    for index in wanted:
        clause, needs = _probatum_clauses[index]
        try:
            told.append(bool(clause(**{{name: deepcopy(given[name]) for name in needs}})))
        except BaseException as error:
            told.append(type(error).__name__)
    return told


def {INPUT}(index):
    return _probatum_inputs[index]()
"""


@dataclass(frozen=True, slots=True)
class JudgedClause:
    """One clause that can be asked."""

    id: str
    reading: Reading
    needs: tuple[str, ...]
    """The values that it is given: parameters, ``NAME__after`` and ``result``."""

    @property
    def kind(self) -> ReadingKind:
        """What it says of a call."""
        return self.reading.kind


@dataclass(frozen=True, slots=True)
class ReadingJudge:
    """What judges calls of one function by the readings of one record."""

    record: ReadingRecord
    parameters: tuple[Parameter, ...]
    """Those that a caller fills."""
    clauses: tuple[JudgedClause, ...]
    program: Program

    def of_kind(self, *kinds: ReadingKind) -> tuple[int, ...]:
        """Return the places of the clauses of these kinds."""
        return tuple(index for index, each in enumerate(self.clauses) if each.kind in kinds)


def judge_of(record: ReadingRecord, function: FunctionSpec) -> ReadingJudge | str:
    """Return what judges by the readings of a record that have a clause about calls, or why there is no such thing."""
    parameters = tuple(each for each in function.parameters if each.name not in {"self", "cls"})
    clauses = [
        JudgedClause(record.id_of(each), each, needs)
        for each in record.readings
        if each.clause and each.kind not in {ReadingKind.SESSION, ReadingKind.NARRATIVE}
        if (needs := _needs(each, (parameter.name for parameter in parameters))) is not None
    ]
    source = "\n".join([record.helpers, *_functions(clauses), *_inputs(record.inputs), _JUDGE])
    try:
        counted = with_work_limit(source.encode(), WORK_PER_CALL, fresh_for=JUDGE)
    except (NotAttemptedError, UnicodeEncodeError) as error:
        return f"its helpers and clauses are no Python: {error}"
    return ReadingJudge(record, parameters, tuple(clauses), Program(counted, "readings"))


def _needs(reading: Reading, parameters: Iterable[str]) -> tuple[str, ...] | None:
    tree = expression_of(reading.clause)
    if tree is None:
        return None
    names = frozenset(parameters)
    bindable = names | ({f"{each}{AFTER}" for each in names} | {RESULT} if reading.kind in SPEAKS_OF_RESULTS else set())
    return tuple(sorted(free_names(tree) & bindable))


def _functions(clauses: list[JudgedClause]) -> Iterable[str]:
    for index, each in enumerate(clauses):
        yield f"def _probatum_clause_{index}({', '.join(each.needs)}):\n    return {_one_line(each.reading.clause)}"
    rows = [f"(_probatum_clause_{index}, {list(each.needs)!r})" for index, each in enumerate(clauses)]
    yield f"_probatum_clauses = [{', '.join(rows)}]"


def _inputs(inputs: tuple[str, ...]) -> Iterable[str]:
    rows = [f"lambda: {_one_line(text)}" if expression_of(text) is not None else "None" for text in inputs]
    yield f"_probatum_inputs = [{', '.join(rows)}]"


def _one_line(expression: str) -> str:
    # As Python writes it, it cannot end before or after the place where it is put.
    return f"({ast.unparse(ast.parse(expression.strip(), mode='eval'))})"
