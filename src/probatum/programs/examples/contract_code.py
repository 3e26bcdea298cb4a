"""Functions that a contract in Python defines besides the one that is judged: "decode(encode(text)) == text" needs one.

They are text here and run only in the clerk. Stubs, coroutines, long code and names of built-ins are left out.
"""

from __future__ import annotations

import ast
import re

from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.parsing.signatures import is_stub
from probatum.programs.source import module_or_none
from probatum.programs.specification import Definitions, Example, FunctionSpec, ModuleSpec, ValueIs

DECLARED = "declared"
"""The notation of a check that a program defines what the contract defines."""
_LONGEST = 20_000
_KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def completed(contract: str) -> tuple[str, ...]:
    """Return the texts that a contract in Python may stand for: itself, and with the last body still to be written."""
    return contract, contract.rstrip() + "\n    pass\n"


def definitions_of(contract: str, qualname: str) -> Definitions | None:
    """Return the functions that a contract defines whole besides the one that is judged, None where there is none."""
    tree = _parsed(contract)
    if tree is None or len(contract) > _LONGEST:
        return None
    kept: list[ast.stmt] = [
        node
        for node in tree.body
        if isinstance(node, _KEPT) and getattr(node, "name", "") != qualname.partition(".")[0]
    ]
    names = tuple(dict.fromkeys(
        node.name for node in kept if isinstance(node, ast.FunctionDef) and not all(map(is_stub, node.body))
    ))  # fmt: skip
    names = tuple(name for name in names if name not in BUILTIN_NAMES)
    return Definitions(names, ast.unparse(ast.Module(kept, []))) if names else None


def lacking(
    stub: FunctionSpec, declared: ModuleSpec, definitions: Definitions, defined: tuple[str, ...]
) -> Example | None:
    """Return the check of the first definition that the documentation speaks of and the program does not show."""
    for spec in declared.functions:
        is_named = re.search(rf"(?<!\w){re.escape(spec.qualname)}(?!\w)", stub.document) is not None
        if spec.qualname in definitions.names and spec.qualname not in defined and is_named:
            text = f"def {spec.qualname}({', '.join(each.name for each in spec.parameters)})"
            is_there = ValueIs(True, "True")
            return Example("", f"callable({spec.qualname})", is_there, spec.span, text, DECLARED, setup=())
    return None


def _parsed(contract: str) -> ast.Module | None:
    return next((tree for text in completed(contract) if (tree := module_or_none(text)) is not None), None)
