"""Finds what evidently calls out, or is not pure: calls of functions that are known to.

A call counts where the name that is called is evidently bound to that function, and where the code around it is not
evidently dead. Comments and texts are no calls, nor is a name that only looks alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.exact.code.names import Names
from probatum.exact.code.tables import BY_NAME

_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True, slots=True)
class KnownCall:
    """One call: where, of what by its full spelling, and what that does."""

    line: int
    what: str
    why: str

    def to_json(self) -> dict[str, object]:
        """Return the finding as JSON."""
        return {"line": self.line, "what": self.what, "why": self.why}


def calls_among(names: Names, known: Mapping[str, str]) -> list[KnownCall]:
    """Return the calls of functions that evidently are among these, in their order; the values say what each does."""
    # What the code replaces is no longer what it was.
    replaced = {
        names.qualified(node)
        for node in ast.walk(names.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    found = []
    for call in _calls(names):
        spelled = names.qualified(call.func)
        if spelled in known and spelled not in replaced and (spelled not in BY_NAME or _opens_by_name(call)):
            found.append(KnownCall(call.lineno, spelled, known[spelled]))
    return found


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
    if isinstance(node, ast.If | ast.While | ast.IfExp) and _is_fixed(node.test):
        return
    if isinstance(node, ast.BoolOp) and any(_is_fixed(each) for each in node.values):
        return
    for _, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from alive(each)
            if isinstance(each, _LEAVES):
                break


def _is_fixed(test: ast.expr) -> bool:
    if isinstance(test, ast.Name | ast.Attribute):
        return ast.unparse(test).endswith("TYPE_CHECKING")
    if isinstance(test, ast.UnaryOp):
        return _is_fixed(test.operand)
    if isinstance(test, ast.Compare):
        return all(map(_is_fixed, (test.left, *test.comparators)))
    return isinstance(test, ast.Constant)
