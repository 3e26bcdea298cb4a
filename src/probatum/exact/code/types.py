"""Says which built-in type an expression evidently has, from literals, annotations and what pure calls give.

A type is text: its name, then those of its parts, such as ``list str``. Every binding of a name must agree; where one
is unknown, or parts could have been changed since, nothing is said.
"""

from __future__ import annotations

import ast
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.code.names import Binding, Names
from probatum.exact.code.tables import GIVES, METHODS

MAX_STEPS: Final = 100_000
MAX_CHAIN: Final = 60
"""How many names a type is followed through."""
_DISPLAYS: Final = {
    ast.JoinedStr: "str",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.GeneratorExp: "iter",
}
_ANNOTATED: Final = frozenset(("str", "bytes", "list", "dict", "set", "tuple", "int", "float", "bool"))
_TYPING: Final = {f"typing.{name}": name.lower() for name in ("List", "Dict", "Set", "Tuple")}
_PASSES_PARTS: Final = frozenset(("builtins.sorted", "builtins.reversed", "builtins.list", "builtins.set"))
NUMBERS: Final = frozenset(("int", "float", "bool"))


class Types:
    """The evident types in some code."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: dict[Binding, str] = {}
        self._assumed: dict[Binding, str] = {}
        self._left = MAX_STEPS

    def of(self, node: ast.expr) -> str:
        """Return the type of an expression; empty where it is not evident."""
        self._left -= 1
        if self._left < 0:
            raise BudgetError("engine.out_of_budget", "The types in the code take too many steps to find.")
        match node:
            case ast.Constant(value=str() | bytes() | bool() | int() | float() as value):
                return type(value).__name__
            case ast.Name():
                return self._of_name(node)
            case ast.Call():
                return self._of_call(node)
            case ast.BinOp(left=left, op=ast.Add() | ast.Mult()) if self.base(left) in ("str", "list", "tuple"):
                return self.base(left)
            case ast.BinOp(left=left, op=ast.Mod()) if self.base(left) == "str":
                return "str"
            case ast.BinOp(left=left, right=right):
                both = {self.base(left), self.base(right)}
                return (both.pop() if len(both) == 1 else "float") if both <= NUMBERS else ""
            case ast.IfExp(body=body, orelse=other):
                return self.of(body) if self.of(body) == self.of(other) else ""
            case ast.Subscript(value=value, slice=ast.Slice()):
                return self.of(value)
            case ast.Subscript(value=value):
                return "str" if self.base(value) == "str" else self._part(self.of(value))
            case _:
                return _DISPLAYS.get(type(node), "")

    def base(self, node: ast.expr) -> str:
        """Return the name of an expression's type without its parts."""
        return self.of(node).partition(" ")[0]

    def _of_name(self, node: ast.Name) -> str:
        bindings = self._names.bindings(node)
        if not bindings:
            return ""
        first = bindings[0]
        if first in self._assumed:
            return self._assumed[first]
        if first in self._known:
            return self._known[first]
        if len(self._assumed) > MAX_CHAIN:
            raise BudgetError("engine.out_of_budget", "The types in the code take too many steps to find.")
        guess = next(filter(None, self._each(bindings, "")), "")
        kind = guess if guess and all(each == guess for each in self._each(bindings, guess)) else ""
        if not self._assumed:
            self._known[first] = kind
        return kind

    def _each(self, bindings: list[Binding], assumed: str) -> list[str]:
        self._assumed[bindings[0]] = assumed
        try:
            return [self._of_binding(each, assumed) for each in bindings]
        finally:
            del self._assumed[bindings[0]]

    def _of_binding(self, binding: Binding, assumed: str) -> str:
        match binding.sort, binding.node:
            case "value", ast.expr() as value if not binding.path:
                # What a variable holds may be given other parts later on.
                kind = self.of(value)
                return kind if isinstance(value, ast.Name) else kind.partition(" ")[0]
            case "changed", ast.AugAssign(op=op, value=value):
                if assumed in NUMBERS:
                    return assumed if self.of(value) == assumed and not isinstance(op, ast.Div | ast.Pow) else ""
                grows = isinstance(op, ast.Add | ast.Mult) and assumed.partition(" ")[0] in ("str", "list", "tuple")
                return assumed if grows else ""
            case "parameter", ast.arg(annotation=ast.expr() as annotation):
                return self.annotated(annotation)
            case "rest", _:
                return binding.qualified
            case "element", ast.expr() as iterated:
                kind = self.element(iterated)
                for place in binding.path:
                    kind = _parts(kind)[place] if kind.startswith("tuple") and place < len(_parts(kind)) else ""
                return kind
            case _:
                return ""

    def annotated(self, annotation: ast.expr) -> str:
        """Return the type that an annotation says; empty for one of which nothing is known."""
        head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        spelled = self._names.qualified(head)
        name = _TYPING.get(spelled, spelled.removeprefix("builtins.") if spelled.startswith("builtins.") else "")
        if name not in _ANNOTATED:
            return ""
        if not isinstance(annotation, ast.Subscript):
            return name
        inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        parts = [self.annotated(each) for each in inner]
        return " ".join((name, *parts)) if all(part in ("str", "bytes", *NUMBERS) for part in parts) else name

    def element(self, iterated: ast.expr) -> str:
        """Return the type of what an iteration over an expression gives; empty where that is not evident."""
        if isinstance(iterated, ast.Call) and iterated.args:
            spelled = self._names.qualified(iterated.func)
            if spelled == "builtins.range":
                return "int"
            if spelled in _PASSES_PARTS:
                return self.element(iterated.args[0])
            if spelled == "builtins.enumerate":
                return f"tuple int {self._one(self.element(iterated.args[0]))}"
            if spelled == "builtins.zip":
                return " ".join(("tuple", *(self._one(self.element(each)) for each in iterated.args)))
        if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Attribute) and not iterated.args:
            held = self.of(iterated.func.value)
            key, value = _parts(held) if held.startswith("dict ") and len(_parts(held)) == 2 else ("", "")
            return {"keys": key, "values": value, "items": f"tuple {self._one(key)} {self._one(value)}"}.get(
                iterated.func.attr, self._part(self.of(iterated))
            )
        kind = self.of(iterated)
        return "str" if kind == "str" else self._part(kind)

    def _one(self, kind: str) -> str:
        return kind if kind and " " not in kind else "?"

    def _part(self, kind: str) -> str:
        parts = _parts(kind)
        if kind.startswith(("list ", "set ")) and len(parts) == 1:
            return parts[0]
        if kind.startswith("dict ") and len(parts) == 2:
            return parts[0]
        return parts[0] if kind.startswith("tuple ") and len(set(parts)) == 1 else ""

    def _of_call(self, node: ast.Call) -> str:
        spelled = self._names.qualified(node.func)
        if spelled in GIVES:
            return GIVES[spelled]
        if isinstance(node.func, ast.Attribute):
            return METHODS.get(self.base(node.func.value), {}).get(node.func.attr, "")
        return ""


def _parts(kind: str) -> tuple[str, ...]:
    return tuple(kind.split(" ")[1:])
