"""Faults that lie in another documented definition of the file, and that its own examples notice.

A class may extend another one whose documentation lies elsewhere. A fault there that nothing here shows is not
unmeasured if the examples of that other definition notice it; it never counts as noticed here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from probatum.programs.judging.strength import Yardstick, examine, yardstick
from probatum.programs.record import MutantRecord, MutantState
from probatum.programs.running.checks import plan_checks
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec, ModuleSpec
from probatum.programs.units import units_of

if TYPE_CHECKING:
    from probatum.programs.faults.planting import Mutant


def with_owners(records: Sequence[MutantRecord], mutants: Sequence[Mutant], rod: Yardstick) -> tuple[MutantRecord, ...]:
    """Return the records with the definition named whose examples notice a fault that was set aside here."""
    lying: dict[str, list[int]] = {}
    units = _documented(rod.source.module, rod.function)
    for index, record in enumerate(records):
        owner = _owner(rod.source, units, record.line) if record.state is MutantState.EQUIVALENT else ""
        if owner:
            lying.setdefault(owner, []).append(index)
    named = list(records)
    for owner, indices in lying.items():
        checks = plan_checks(units[owner], rod.source.module)
        other = yardstick(rod.sandbox, rod.source, owner, checks, (), (), ())
        if other is None:
            continue
        for index, trial in zip(indices, examine([mutants[index] for index in indices], other), strict=True):
            if trial.noticed_by:
                named[index] = replace(records[index], settled_by=owner)
    return tuple(named)


def _documented(module: ModuleSpec, function: str) -> Mapping[str, FunctionSpec]:
    own = function.partition(".")[0]
    units = units_of(module, None, None)
    return {unit.qualname: unit for unit in units if unit.examples and unit.qualname != own}


def _owner(source: Source, units: Mapping[str, FunctionSpec], line: int) -> str:
    definitions = [
        node
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name in units
    ]
    inside = (node.name for node in definitions if node.lineno <= line <= (node.end_lineno or node.lineno))
    return next(inside, "")
