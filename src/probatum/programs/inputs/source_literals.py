"""The constants that a function's own text mentions: the numbers it compares with, the texts it looks for.

An input near one of them reaches branches that no random input would. Read from the syntax tree only; docstrings and
annotations are not constants of the program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.core.errors import BudgetError, UsageError
from probatum.programs.faults.targets import targets_of
from probatum.programs.parsing.signatures import is_text

_MOST = 24
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Literals:
    """Constants in order of size, without repetitions."""

    numbers: tuple[int, ...] = ()
    fractions: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()


def literals_of(tree: ast.Module, qualname: str) -> Literals:
    """Return the constants of ``qualname`` and of what it calls in the same file; none where it is not there."""
    try:
        lines = [(target.first_line, target.last_line) for target in targets_of(tree, qualname)]
    except (UsageError, BudgetError):
        return Literals()
    values = [node.value for node in _constants(tree) if any(first <= node.lineno <= last for first, last in lines)]
    numbers = {value for value in values if type(value) is int}
    fractions = {value for value in values if isinstance(value, float) and abs(value) < float("inf")}
    texts = {value for value in values if isinstance(value, str) and 0 < len(value) <= _LONGEST}
    # Comparisons go wrong by one, and at the sign: neighbours and negatives of a constant are tried too.
    near = {each + shift for each in numbers for shift in (-1, 0, 1)} | {-each for each in numbers}
    return Literals(
        tuple(sorted(near, key=lambda number: (abs(number), number))[: 3 * _MOST]),
        tuple(sorted(fractions)[:_MOST]),
        tuple(sorted(texts, key=lambda text: (len(text), text))[:_MOST]),
    )


def _constants(node: ast.AST) -> Iterator[ast.Constant]:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if isinstance(current, ast.Constant):
            yield current
        for name, value in ast.iter_fields(current):
            if name in {"annotation", "returns", "decorator_list"}:
                continue
            children = value if isinstance(value, list) else [value]
            waiting.extend(child for child in children if isinstance(child, ast.AST) and not is_text(child))
