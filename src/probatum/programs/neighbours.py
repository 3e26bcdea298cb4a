"""Mutants that lie in another documented definition of the file, and that its own checks kill.

A function calls another one, a class extends another one, whose documentation lies elsewhere. A mutant there that
nothing here shows is that one's business: where its own checks kill it, it is set aside here, with their name. It never
counts as killed here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

from probatum.programs.record import FunctionRecord, MutantRecord, MutantState
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec

_OPEN = frozenset({MutantState.SURVIVED, MutantState.ONLY_DOCUMENTED, MutantState.EQUIVALENT})


def with_owners(
    record: FunctionRecord,
    source: Source,
    units: Mapping[str, FunctionSpec],
    observed: Callable[[str], FunctionRecord],
) -> FunctionRecord:
    """Return a record with the definition named whose own checks kill a mutant that nothing kills here.

    ``units`` are all definitions of the file that are judged, and ``observed`` returns what was observed of one.
    """
    own = record.qualname.partition(".")[0]

    def settled(mutant: MutantRecord) -> MutantRecord:
        owner = _owner(source, units, mutant.line) if mutant.state in _OPEN else ""
        if owner in {"", own} or not _kills(observed(owner), mutant):
            return mutant
        return replace(mutant, state=MutantState.EQUIVALENT, settled_by=owner)

    return replace(record, mutants=tuple(map(settled, record.mutants)))


def _kills(record: FunctionRecord, mutant: MutantRecord) -> bool:
    same = (each for each in record.mutants if (each.operator, each.sentence) == (mutant.operator, mutant.sentence))
    # What shows here and only in documented inputs there may be hard-coded there.
    is_shown = mutant.state is not MutantState.EQUIVALENT
    return any(each.state is MutantState.NOTICED or (bool(each.noticed_by) and not is_shown) for each in same)


def _owner(source: Source, units: Mapping[str, FunctionSpec], line: int) -> str:
    definitions = [
        node
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name in units
    ]
    inside = (node.name for node in definitions if node.lineno <= line <= (node.end_lineno or node.lineno))
    return next(inside, "")
