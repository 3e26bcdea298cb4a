"""Criteria in Python: ``python: EXPRESSION`` of ``output``, evaluated in the sandbox.

An expression may use built-in functions, ``json``, ``math`` and ``re``. Refuses what reaches beyond the output, what
may change it, what depends on the order of a set, and a value that is not a bool.
"""

from __future__ import annotations

import ast
from typing import Final

from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, RunEnd, ruled, unknown
from probatum.judge.layers import Basis
from probatum.judge.outputs import OutputView
from probatum.programs.source import UNPARSABLE
from probatum.readers.vocabulary import words_of

_NAMES: Final = words_of(
    "output json math re abs all any bool bytes chr dict divmod enumerate filter float frozenset int isinstance len "
    "list map max min ord pow range repr reversed round set sorted str sum tuple type zip"
)
_OF_MODULES: Final = words_of(
    "loads dumps search match fullmatch findall finditer split sub compile escape I M S X A IGNORECASE MULTILINE "
    "DOTALL ASCII VERBOSE ceil floor trunc sqrt isclose isnan isinf isfinite fabs fsum prod gcd lcm log log2 log10 exp "
    "pi e comb perm factorial hypot inf nan isqrt copysign fmod"
)
_MODULES: Final = frozenset({"json", "math", "re"})
_CHANGING: Final = words_of("append clear extend insert pop popitem remove reverse setdefault sort update")
_ORDERED: Final = words_of("pop list tuple str repr join enumerate zip dumps map filter format")


def python_ruling(expression: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    """Return what comes of an expression."""
    try:
        flaw = _flaw(list(ast.walk(ast.parse(expression, mode="eval"))))
    except UNPARSABLE as error:
        flaw = f"the expression is not Python: {error}"
    if flaw or tools.runner is None:
        return unknown(flaw[:200] or "there is no sandbox to evaluate it in")
    reply, again = (tools.runner.evaluated(expression, view.output) for _ in range(2))
    if reply != again:
        return unknown("the expression gives another value each time")
    if reply.end is not RunEnd.RETURNED:
        return unknown(f"the expression has no value: {reply.detail}"[:300])
    if not isinstance(reply.value, bool):
        return unknown(f"the value of the expression is not a bool but {type(reply.value).__name__}")
    return ruled(reply.value, Basis.EXACT, f"the expression is {reply.value}")


def _flaw(nodes: list[ast.AST]) -> str:
    """Return why the value of an expression does not follow from the output alone; empty where it does."""
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    bound = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in nodes if isinstance(each, ast.arg)}
    attributes = [each for each in nodes if isinstance(each, ast.Attribute)]
    if "output" not in names:
        return "the expression does not look at the output"
    if changing := _CHANGING.intersection(each.attr for each in attributes):
        return f"the expression may change the output: {', '.join(sorted(changing))}"
    strange = (names - bound - _NAMES) | (bound & _NAMES)
    for each in attributes:
        is_of_module = isinstance(each.value, ast.Name) and each.value.id in _MODULES
        if each.attr.startswith("_") or "format" in each.attr or (is_of_module and each.attr not in _OF_MODULES):
            strange.add(each.attr)
    if strange or any(isinstance(each, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await) for each in nodes):
        return (
            f"the expression uses what reaches beyond the output: {', '.join(sorted(strange))[:100] or 'a statement'}"
        )
    iterated = [part for each in nodes if isinstance(each, ast.comprehension) for part in ast.walk(each.iter)]
    is_ordered = any(isinstance(each, ast.JoinedStr | ast.Starred) for each in nodes) or any(map(_makes_set, iterated))
    is_ordered = is_ordered or bool((names | {each.attr for each in attributes}) & _ORDERED)
    if is_ordered and any(map(_makes_set, nodes)):
        return "the expression may depend on the order of a set, which is none"
    return ""


def _makes_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Set | ast.SetComp) or (isinstance(node, ast.Name) and node.id in {"set", "frozenset"})
