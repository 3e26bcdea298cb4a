"""Criteria in Python: ``python: EXPRESSION`` of ``output``, which is a clause of a reading with one parameter.

It is in the subset of readings, with ``json``, ``math`` and ``re``, and asked as their clauses are, under both hash
seeds. Refuses what does not look at the output, what may change it, what depends on the order of a set, and a value
that is not a bool.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, Outcomes, RunReply, ruled, unknown
from probatum.judge.layers import Basis
from probatum.judge.outputs import OutputView
from probatum.readers.vocabulary import words_of
from probatum.readings.rules import SubsetError
from probatum.readings.subset import Around, require_clause, require_helpers
from probatum.readings.syntax import parse_expression
from probatum.readings.values import Reading, ReadingKind, ReadingRecord

OUTPUT: Final = "output"
_MODULES: Final = "import json, math, re"
_CHANGING: Final = words_of("append clear extend insert pop popitem remove reverse setdefault sort update")
_ORDERED: Final = words_of("pop list tuple str repr join enumerate zip dumps map filter format")


def python_ruling(expression: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    """Return what comes of an expression."""
    [ruling] = python_rulings(expression, [view.output], tools)
    return ruling


def python_rulings(expression: str, outputs: Sequence[object], tools: CriteriaTools) -> list[CriterionRuling]:
    """Return what comes of an expression for each of some outputs."""
    clause = Reading(expression, ReadingKind.REQUIRES, expression)
    try:
        require_clause(clause, Around((OUTPUT,), require_helpers(_MODULES)))
        flaw = _flaw(list(ast.walk(parse_expression(expression))))
    except SubsetError as error:
        flaw = str(error)
    if flaw or tools.runner is None:
        return [unknown(flaw[:200] or "there is no sandbox to evaluate it in")] * len(outputs)
    is_bool = Reading(expression, ReadingKind.REQUIRES, f"isinstance({expression}, bool)")
    found = tools.runner.evaluated(ReadingRecord(OUTPUT, (clause, is_bool), helpers=_MODULES), outputs)
    return [_ruled(each) for each in found]


def _ruled(found: Outcomes | RunReply) -> CriterionRuling:
    holds, is_bool = (found.detail, False) if isinstance(found, RunReply) else found
    if isinstance(holds, str):
        return unknown(f"the expression has no value: {holds}"[:300])
    if is_bool is not True:
        return unknown("the value of the expression is not a bool")
    return ruled(holds, Basis.EXACT, f"the expression is {holds}")


def _flaw(nodes: list[ast.AST]) -> str:
    """Return why the value of an expression does not follow from the output alone; empty where it does."""
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    bound = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    attributes = {each.attr for each in nodes if isinstance(each, ast.Attribute)}
    if OUTPUT not in names:
        return "the expression does not look at the output"
    if OUTPUT in {each.arg for each in nodes if isinstance(each, ast.arg)} | bound:
        return "the expression gives 'output' another meaning"
    if changing := _CHANGING & attributes:
        return f"the expression may change the output: {', '.join(sorted(changing))}"
    iterated = [part for each in nodes if isinstance(each, ast.comprehension) for part in ast.walk(each.iter)]
    is_ordered = any(isinstance(each, ast.JoinedStr | ast.Starred) for each in nodes) or any(map(_makes_set, iterated))
    if (is_ordered or (names | attributes) & _ORDERED) and any(map(_makes_set, nodes)):
        return "the expression may depend on the order of a set, which is none"
    return ""


def _makes_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Set | ast.SetComp) or (isinstance(node, ast.Name) and node.id in {"set", "frozenset"})
