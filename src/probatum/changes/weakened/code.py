"""Reads a module of tests by syntax: its tests, fixtures and other functions, and keys to compare code by.

Two pieces of code have the same key if they differ in layout, comments or names of local variables alone. Nothing is
imported or run. A file that is no valid Python, or too large or too deep to be read, is refused with ``None``.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.changes.syntax.node_syntax import BLOCKS, last_name, tree_of

# Longer keys are replaced by their digest where a name stands for them, so that no key grows without end.
_LONG: Final = 300
_WITHOUT_MEANING: Final = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_FIXTURES: Final = ("fixture", "yield_fixture")
Function = ast.FunctionDef | ast.AsyncFunctionDef
# How far apart numbers may be, and what holds where nothing is said. Of digits fewer are looser.
TOLERANCES: Final = {
    **{"rel": 1e-6, "abs": 1e-12, "rtol": 1e-7, "atol": 0.0, "rel_tol": 1e-9, "abs_tol": 0.0, "delta": 0.0},
    **{"places": 7.0, "decimal": 6.0, "significant": 7.0, "ndigits": 15.0},
}
DIGITS: Final = frozenset({"places", "decimal", "significant", "ndigits"})
# Comparisons that tolerate something, and which tolerances they take by their place.
_TOLERANT: Final = {
    **{"approx": "rel abs", "round": "ndigits", "isclose": "", "allclose": "rtol atol", "assert_allclose": "rtol atol"},
    **dict.fromkeys(("assertAlmostEqual", "assertAlmostEquals", "assertNotAlmostEqual"), "places"),
    **dict.fromkeys(("assert_almost_equal", "assert_array_almost_equal"), "decimal"),
}
_CARRIERS: Final = ("approx", "round")


@dataclass(frozen=True, slots=True, eq=False)
class Routine:
    """One function of a test module."""

    node: Function
    is_test: bool
    is_fixture: bool


class Module:
    """A test module: functions as pytest writes them (``TestA::test_b``), constants, imports, code run at import."""

    def __init__(self, tree: ast.Module) -> None:
        """Read the module."""
        self.tree = tree
        self.units: dict[str, Routine] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.values: dict[str, ast.expr] = {}
        self.names: dict[str, str] = {}
        self.imports = set[str]()
        self.statements: list[ast.stmt] = []
        nodes = list(ast.walk(tree))
        self._bases = {last_name(base) for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases}
        self.used = {last_name(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute)}
        self._read(tree.body, "", True)
        for name, value in self.values.items():
            self.names[name] = folded(key(value, self.names))

    @property
    def defined(self) -> dict[str, int]:
        """The names that the module defines, each with its line."""
        nodes = {**self.values, **self.classes, **{name: unit.node for name, unit in self.units.items()}}
        return {name: node.lineno for name, node in nodes.items()}

    def _read(self, block: list[ast.stmt], place: str, collected: bool) -> None:
        for node in block:
            if isinstance(node, Function):
                is_fixture = any(last_name(each) in _FIXTURES for each in node.decorator_list)
                is_test = collected and node.name.startswith("test") and not is_fixture
                self.units[place + node.name] = Routine(node, is_test, is_fixture)
            elif isinstance(node, ast.ClassDef):
                # A second class of the name stands for the first.
                self.units = {
                    name: unit for name, unit in self.units.items() if not name.startswith(f"{place}{node.name}::")
                }
                self.classes[place + node.name] = node
                has_base = any(last_name(base) != "object" for base in node.bases)
                named = node.name.startswith("Test") or node.name in self._bases or has_base
                self._read(node.body, f"{place}{node.name}::", collected and named)
            elif isinstance(node, ast.If | ast.Try | ast.With):
                for inner in blocks_of(node):
                    self._read(inner, place, collected)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self.imports |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            elif not place:
                self.statements.append(node)
                value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
                for target in targets_of(node):
                    if isinstance(target, ast.Name) and value is not None:
                        self.values.pop(target.id, None)
                        self.values[target.id] = value


def read_module(content: bytes | None) -> Module | None:
    """Return the test module, or None if there is none, or no Python that can be read within bounds."""
    tree = tree_of(content) if content is not None else None
    return Module(tree) if tree is not None else None


def targets_of(node: ast.stmt) -> list[ast.expr]:
    """Return what an assignment binds."""
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign | ast.AugAssign) else []


def blocks_of(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements inside a compound statement."""
    for name in BLOCKS:
        value = getattr(node, name, None) or []
        if value and isinstance(value[0], ast.stmt):
            yield value
        else:
            yield from (each.body for each in value)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement without those of the statements inside it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        inner = ast.stmt | ast.ExceptHandler | ast.match_case
        waiting += [child for child in ast.iter_child_nodes(each) if not isinstance(child, inner)]


def key(node: object, names: Mapping[str, str], bare: bool = False) -> str:
    """Return what the code says, without layout, and without tolerances where ``bare``.

    A name in ``names`` stands for the key that it is given there.
    """
    if isinstance(node, ast.Name):
        return names.get(node.id, f"Name {node.id}")
    if bare and isinstance(node, ast.Call):
        node = _without_tolerance(node)
    if isinstance(node, ast.AST):
        fields = (key(value, names, bare) for name, value in ast.iter_fields(node) if name not in _WITHOUT_MEANING)
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(key(each, names, bare) for each in node)}]"
    return repr(node)


def tolerances_of(call: ast.Call) -> dict[str, ast.expr]:
    """Return the tolerances that a comparison is given."""
    if last_name(call) not in _TOLERANT:
        return {}
    first = 1 if last_name(call) in _CARRIERS else 2
    placed = dict(zip(_TOLERANT[last_name(call)].split(), call.args[first:], strict=False))
    return placed | {each.arg: each.value for each in call.keywords if each.arg in TOLERANCES}


def _without_tolerance(call: ast.Call) -> ast.expr:
    if last_name(call) in _CARRIERS and call.args:
        return _without_tolerance(call.args[0]) if isinstance(call.args[0], ast.Call) else call.args[0]
    given = [*tolerances_of(call).values()]
    keywords = [each for each in call.keywords if each.value not in given]
    return ast.Call(call.func, [each for each in call.args if each not in given], keywords)


def folded(text: str) -> str:
    """Return the key, or its digest if it is long."""
    return text if len(text) <= _LONG else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def constant(node: ast.AST | None) -> object:
    """Return the value of a constant, negative numbers included; ``Ellipsis`` for whatever is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = constant(node.operand)
        return -value if isinstance(value, int | float) else ...
    return node.value if isinstance(node, ast.Constant) else None if node is None else ...


def is_literal(node: ast.AST) -> bool:
    """Return whether the code names and calls nothing, so that it has one value."""
    free = ast.Name | ast.Call | ast.Attribute | ast.Await | ast.Yield | ast.Lambda
    return not any(isinstance(each, free) for each in ast.walk(node))
