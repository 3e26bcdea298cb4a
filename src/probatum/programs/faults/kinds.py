"""What kind of value an expression gives, as far as its own text shows it: number, text, list …

It serves to leave out faults that are type errors everywhere, such as ``-`` between two texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import libcst

from probatum.programs.faults.syntax import call_name, descendants

Kind = Literal["number", "text", "list", "tuple", "set", "dict", "truth"]
Kinds = Mapping[str, Kind]

_OF_ANNOTATION: dict[str, Kind] = {
    "int": "number", "float": "number", "complex": "number", "str": "text", "bool": "truth",
    "list": "list", "List": "list", "tuple": "tuple", "Tuple": "tuple", "set": "set", "Set": "set",
    "dict": "dict", "Dict": "dict",
}  # fmt: skip
_OF_CALL: dict[str, Kind] = {
    "len": "number", "int": "number", "float": "number", "sum": "number", "abs": "number", "ord": "number",
    "round": "number", "pow": "number", "count": "number", "index": "number", "find": "number", "sqrt": "number",
    "floor": "number", "ceil": "number", "gcd": "number",
    "str": "text", "chr": "text", "repr": "text", "bin": "text", "hex": "text", "oct": "text", "format": "text",
    "join": "text", "strip": "text", "lstrip": "text", "rstrip": "text", "lower": "text", "upper": "text",
    "replace": "text", "title": "text", "capitalize": "text", "zfill": "text", "rjust": "text", "ljust": "text",
    "list": "list", "sorted": "list", "split": "list", "splitlines": "list", "tuple": "tuple",
    "set": "set", "frozenset": "set", "dict": "dict",
    "isinstance": "truth", "any": "truth", "all": "truth", "bool": "truth", "startswith": "truth",
    "endswith": "truth", "isdigit": "truth", "isalpha": "truth",
}  # fmt: skip
_OF_NODE: tuple[tuple[tuple[type[libcst.CSTNode], ...], Kind], ...] = (
    ((libcst.Integer, libcst.Float, libcst.Imaginary), "number"),
    ((libcst.SimpleString, libcst.FormattedString, libcst.ConcatenatedString), "text"),
    ((libcst.List, libcst.ListComp), "list"),
    ((libcst.Tuple,), "tuple"),
    ((libcst.Set, libcst.SetComp), "set"),
    ((libcst.Dict, libcst.DictComp), "dict"),
    ((libcst.Comparison,), "truth"),
)
_NUMBERS_ONLY = (
    libcst.Subtract, libcst.Divide, libcst.FloorDivide, libcst.Power, libcst.LeftShift, libcst.RightShift,
)  # fmt: skip


def kinds_of(code: libcst.CSTNode) -> Kinds:
    """Return the kind of each local name that has one and the same kind wherever this code shows it."""
    collector = _Collector()
    for node in descendants(code):
        collector.read(node)
    return {name: kind for name, kind in collector.kinds.items() if kind is not None}


def kind_of(node: libcst.CSTNode, kinds: Kinds) -> Kind | None:
    """Return the kind of an expression, None where its text does not show it."""
    for types, kind in _OF_NODE:
        if isinstance(node, types):
            return kind
    if isinstance(node, libcst.Name):
        return "truth" if node.value in {"True", "False"} else kinds.get(node.value)
    if isinstance(node, libcst.Call):
        return _OF_CALL.get(call_name(node))
    if isinstance(node, libcst.UnaryOperation):
        return "truth" if isinstance(node.operator, libcst.Not) else "number"
    if isinstance(node, libcst.BinaryOperation):
        return _kind_of_operation(node, kinds)
    if isinstance(node, libcst.IfExp):
        return kind_of(node.body, kinds) or kind_of(node.orelse, kinds)
    if isinstance(node, libcst.Subscript) and kind_of(node.value, kinds) == "text":
        return "text"
    return None


def _kind_of_operation(node: libcst.BinaryOperation, kinds: Kinds) -> Kind | None:
    left, right = kind_of(node.left, kinds), kind_of(node.right, kinds)
    if isinstance(node.operator, libcst.Subtract) and "set" in (left, right):
        return "set"
    if isinstance(node.operator, _NUMBERS_ONLY):
        return "number"
    if isinstance(node.operator, libcst.Modulo):
        return "text" if left == "text" else ("number" if "number" in (left, right) else None)
    if isinstance(node.operator, libcst.Multiply):
        repeated: tuple[Kind, ...] = ("text", "list", "tuple")
        for kind in repeated:
            if kind in (left, right):
                return kind
        return "number" if left == right == "number" else None
    return left or right


class _Collector:
    """Collects what annotations, assignments and uses say of each name; two different kinds give None."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind | None] = {}

    def read(self, node: libcst.CSTNode) -> None:
        """Take what this one node says about names."""
        if isinstance(node, libcst.Param):
            self._read_parameter(node)
        elif isinstance(node, libcst.AnnAssign):
            self._note(node.target, _kind_of_annotation(node.annotation.annotation))
        elif isinstance(node, libcst.Assign):
            for target in node.targets:
                self._note(target.target, kind_of(node.value, self._known()))
        elif isinstance(node, libcst.For | libcst.CompFor):
            self._read_loop(node.target, node.iter)
        elif isinstance(node, libcst.BinaryOperation):
            self._read_operation(node)
        elif isinstance(node, libcst.Comparison) and any(
            isinstance(each.comparator, libcst.Integer | libcst.Float) for each in node.comparisons
        ):
            self._note_weakly(node.left, "number")

    def _read_parameter(self, node: libcst.Param) -> None:
        if node.annotation is not None:
            self._note(node.name, _kind_of_annotation(node.annotation.annotation))
        elif node.default is not None:
            self._note(node.name, kind_of(node.default, {}))

    def _read_operation(self, node: libcst.BinaryOperation) -> None:
        if isinstance(node.operator, (*_NUMBERS_ONLY, libcst.Modulo)):
            sides = (node.right,) if isinstance(node.operator, libcst.Modulo) else (node.left, node.right)
            if any(isinstance(side, libcst.Integer | libcst.Float) for side in sides):
                self._note_weakly(node.left, "number")
                self._note_weakly(node.right, "number")

    def _read_loop(self, target: libcst.BaseAssignTargetExpression, iterable: libcst.BaseExpression) -> None:
        called = call_name(iterable)
        if called == "range":
            self._note(target, "number")
        elif called == "enumerate" and isinstance(target, libcst.Tuple) and target.elements:
            self._note(target.elements[0].value, "number")
        elif kind_of(iterable, self._known()) == "text":
            self._note(target, "text")

    def _known(self) -> dict[str, Kind]:
        return {name: kind for name, kind in self.kinds.items() if kind is not None}

    def _note(self, target: libcst.CSTNode, kind: Kind | None) -> None:
        if isinstance(target, libcst.Name):
            name = target.value
            self.kinds[name] = kind if self.kinds.get(name, kind) == kind else None

    def _note_weakly(self, target: libcst.CSTNode, kind: Kind) -> None:
        if isinstance(target, libcst.Name):
            self.kinds.setdefault(target.value, kind)


def _kind_of_annotation(annotation: libcst.BaseExpression) -> Kind | None:
    if isinstance(annotation, libcst.Subscript):
        annotation = annotation.value
    if isinstance(annotation, libcst.Attribute):
        annotation = annotation.attr
    return _OF_ANNOTATION.get(annotation.value) if isinstance(annotation, libcst.Name) else None
