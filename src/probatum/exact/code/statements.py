"""Reads claims about Python code: ``imports('math') and not calls_out``.

A claim is a formula of the facts below. Refuses any other name, with the list of those that there are.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.code.tables import BUILTIN_NAMES
from probatum.exact.formulas import called, constant

SYNTAX: Final = "code.no_claim"
OUTSIDE_FORMS: Final[Mapping[str, str]] = {
    "calls_out": "all",
    "uses_network": "network",
    "uses_files": "files",
    "opens_files": "opened",
    "starts_processes": "processes",
    "runs_dynamic_code": "dynamic",
}
"""What code may do that leaves it, by the name of the fact."""
_ARGUMENTS: Final[Mapping[str, tuple[int, int]]] = {
    **dict.fromkeys((*OUTSIDE_FORMS, "valid"), (0, 0)),
    **dict.fromkeys(("calls", "imports", "defines", "parameters"), (1, 1)),
    "imports_only": (0, 50),
}
"""By the name of the fact: the fewest and the most texts that it takes."""


@dataclass(frozen=True, slots=True)
class CodeFact:
    """One fact: its name, and the names in the code that it is about."""

    sort: str
    about: tuple[str, ...] = ()
    count: int = 0
    """Of parameters: how many there are said to be."""


def read_fact(node: ast.expr) -> CodeFact:
    """Return the fact that a formula without ``and``, ``or`` and ``not`` states; raises NotAttemptedError."""
    call, count = node, None
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) and len(node.ops) == 1:
        call, count = node.left, constant(node.comparators[0])
    name, about = called(call) or ("", ())
    is_counted = isinstance(count, Fraction) and count.denominator == 1 and count >= 0
    least, most = _ARGUMENTS.get(name, (1, 0))
    is_name = all(isinstance(each, str) and all(map(str.isidentifier, each.split("."))) for each in about)
    is_fitting = is_counted if name == "parameters" else call is node
    if not least <= len(about) <= most or not is_name or not is_fitting:
        sentence = f"{ast.unparse(node)[:80]!r} is not a fact about code."
        hint = f"Facts are {', '.join(_ARGUMENTS)}, as in: imports('math') and parameters('f') == 2"
        raise NotAttemptedError(SYNTAX, sentence, f"{hint} (see docs/reference/claims/code.md).")
    if name == "calls" and str(about[0]) not in BUILTIN_NAMES and "." not in str(about[0]):
        hint = "Write a built-in name or one with its module, such as calls('os.system')."
        raise NotAttemptedError(SYNTAX, f"{about[0]!r} is not a function whose calls are known.", hint)
    return CodeFact(name, tuple(map(str, about)), int(count) if isinstance(count, Fraction) else 0)
