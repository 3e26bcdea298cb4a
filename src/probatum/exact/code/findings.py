"""Finds what evidently calls out: calls of functions that are known to.

A call counts where the name that is called is evidently bound to that function, and where the code around it is not
evidently dead. Comments and texts are no calls, nor is a name that only looks alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.shape import json_of
from probatum.exact.code.names import Names
from probatum.exact.code.tables import BY_NAME

_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_EXITS: Final = ("exit", "quit", "sys.exit", "os._exit", "os.abort")
_SHOWN: Final = ("annotation", "returns")
"""The parts of a node that say what a value is meant to be; whether they run depends on Python."""


@dataclass(frozen=True, slots=True)
class KnownCall:
    """One call: where, of what by its full spelling, and what that does."""

    line: int
    what: str
    why: str

    def to_json(self) -> dict[str, object]:
        """Return the finding as JSON."""
        return {**json_of(self)}


def calls_among(names: Names, known: Mapping[str, str]) -> list[KnownCall]:
    """Return the calls of functions that evidently are among these, in their order; the values say what each does."""
    # What the code replaces is no longer what it was.
    replaced = {
        names.qualified(node)
        for node in ast.walk(names.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    if any(map(_rebinds, ast.walk(names.tree))):
        return []
    found = []
    for call in _calls(names):
        spelled = names.qualified(call.func)
        if spelled in known and spelled not in replaced and (spelled not in BY_NAME or _opens_by_name(call)):
            found.append(KnownCall(call.lineno, spelled, known[spelled]))
    return found


def _rebinds(node: ast.AST) -> bool:
    """Return whether names may be given another meaning by a text: nothing is evident then."""
    match node:
        case ast.Subscript(value=ast.Call(func=ast.Name(id="globals" | "vars" | "locals")), ctx=ast.Store()):
            return True
        case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name() | ast.Attribute(), *_]):
            return isinstance(node.args[0], ast.Name) and node.args[0].id not in ("self", "cls", "obj")
        case ast.Attribute(value=ast.Name(id="__builtins__"), ctx=ast.Store()):
            return True
        case ast.Call(func=ast.Name(id="patch") | ast.Attribute(attr="patch" | "setattr")):
            return True
        case _:
            return False


def _opens_by_name(call: ast.Call) -> bool:
    first = call.args[0] if call.args else None
    return isinstance(first, ast.JoinedStr) or (isinstance(first, ast.Constant) and _is_path(first.value))


def _is_path(value: object) -> bool:
    return isinstance(value, str) and value != ":memory:"


def _calls(names: Names) -> list[ast.Call]:
    calls = [node for node in alive(names.tree) if isinstance(node, ast.Call)]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def alive(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of some code that are not evidently dead."""
    yield node
    # What a constant decides may never be reached; it is left to whoever reads the code.
    decisive = [getattr(node, name, None) for name in ("test", "subject", "iter")]
    decisive += [each.iter for each in getattr(node, "generators", ())]
    if not isinstance(node, ast.Assert) and any(isinstance(each, ast.expr) and _is_fixed(each) for each in decisive):
        return
    if isinstance(node, ast.BoolOp) and _is_fixed(node):
        return
    for name, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST) and name not in _SHOWN:
                yield from alive(each)
            if isinstance(each, _LEAVES) or _never_ends(each):
                break


def _never_ends(node: object) -> bool:
    if isinstance(node, ast.While):
        return _is_fixed(node.test)
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) in _EXITS


def _is_fixed(test: ast.expr) -> bool:
    match test:
        case ast.Name() | ast.Attribute():
            return ast.unparse(test).endswith("TYPE_CHECKING")
        case ast.UnaryOp(operand=operand):
            return _is_fixed(operand)
        case ast.BoolOp(values=values):
            return any(map(_is_fixed, values))
        case ast.Compare(left=left, comparators=others) | ast.BinOp(left=left, right=others):
            return all(map(_is_fixed, (left, *(others if isinstance(others, list) else [others]))))
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(keys=parts):
            return not parts
        case _:
            return isinstance(test, ast.Constant)
