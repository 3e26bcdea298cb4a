"""Reads a module of tests by syntax: its tests, fixtures and other functions, and keys to compare code by.

Two pieces of code have the same key if they differ in layout, comments or names of local variables alone. Nothing is
imported or run. A file that is no valid Python, or too large or too deep to be read, is refused with ``None``.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_MOST_BYTES: Final = 2_000_000
# Longer keys are replaced by their digest where a name stands for them, so that no key grows without end.
_LONG: Final = 300
_WITHOUT_MEANING: Final = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, eq=False)
class Routine:
    """One function of a test module: ``name`` is its place as pytest writes it (``TestA::test_b``)."""

    name: str
    node: Function
    is_test: bool
    is_fixture: bool
    # Conditions at module or class level under which it is defined at all.
    conditions: tuple[ast.expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A test module: functions by name, constants, imported names, and the code that runs at import."""

    path: str
    tree: ast.Module
    units: Mapping[str, Routine]
    classes: Mapping[str, ast.ClassDef]
    values: Mapping[str, ast.expr]
    names: Mapping[str, str]
    imports: frozenset[str]
    statements: tuple[ast.stmt, ...]


class _ModuleReading:
    def __init__(self) -> None:
        self.units: dict[str, Routine] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.values: dict[str, ast.expr] = {}
        self.imports: set[str] = set()
        self.statements: list[ast.stmt] = []
        self.not_collected: set[str] = set()
        self.bases: set[str] = set()


def read_tree(content: bytes) -> ast.Module | None:
    """Return the syntax tree, or None if the bytes are no Python that can be read within bounds."""
    if len(content) > _MOST_BYTES:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
        # What is too deep for a key is too deep for all that follows.
        key(tree, {})
        ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree


def read_module(path: str, content: bytes) -> Module | None:
    """Return the test module, or None if the bytes are no Python that can be read within bounds."""
    tree = read_tree(content)
    if tree is None:
        return None
    reading = _ModuleReading()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            reading.bases |= {last_name(base) for base in node.bases}
    _read_block(reading, tree.body, "", True, ())
    names = dict[str, str]()
    for name, value in reading.values.items():
        names[name] = folded(key(value, names))
    units = {
        name: unit
        if name not in reading.not_collected and "__test__" not in reading.not_collected
        else Routine(name, unit.node, False, False, unit.conditions)
        for name, unit in reading.units.items()
    }
    return Module(
        path,
        tree,
        units,
        reading.classes,
        reading.values,
        names,
        frozenset(reading.imports),
        tuple(reading.statements),
    )


def _read_block(
    reading: _ModuleReading, block: list[ast.stmt], place: str, collected: bool, conditions: tuple[ast.expr, ...]
) -> None:
    for node in block:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_fixture = any(last_name(each) in ("fixture", "yield_fixture") for each in node.decorator_list)
            is_test = collected and node.name.startswith("test") and not is_fixture
            reading.units[place + node.name] = Routine(place + node.name, node, is_test, is_fixture, conditions)
            reading.not_collected.discard(place + node.name)
        elif isinstance(node, ast.ClassDef):
            named = node.name.startswith("Test") or node.name in reading.bases
            has_base = any(last_name(base) != "object" for base in node.bases)
            reading.classes[place + node.name] = node
            # A second class of the name stands for the first.
            for name in [each for each in reading.units if each.startswith(f"{place}{node.name}::")]:
                del reading.units[name]
            inside = collected and (named or has_base) and not _turned_off(node.body)
            _read_block(reading, node.body, f"{place}{node.name}::", inside, conditions)
        elif isinstance(node, ast.If):
            _read_block(reading, node.body, place, collected, (*conditions, node.test))
            _read_block(reading, node.orelse, place, collected, (*conditions, ast.UnaryOp(ast.Not(), node.test)))
        elif isinstance(node, ast.Try | ast.With):
            for inner in blocks_of(node):
                _read_block(reading, inner, place, collected, conditions)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            reading.imports |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif not place:
            _read_statement(reading, node)


def _read_statement(reading: _ModuleReading, node: ast.stmt) -> None:
    reading.statements.append(node)
    targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    for target in targets:
        written = ast.unparse(target)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(target, ast.Name) and value is not None:
            reading.values.pop(target.id, None)
            reading.values[target.id] = value
        if not written.endswith(".__test__") or not constant(value):
            reading.not_collected.add(written.removesuffix(".__test__").replace(".", "::"))


def _turned_off(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Assign) and last_name(node.targets[0]) == "__test__" and not constant(node.value)
        for node in body
    )


def blocks_of(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements inside a compound statement."""
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value:
            if isinstance(value[0], ast.stmt):
                yield value
            elif isinstance(value[0], ast.ExceptHandler | ast.match_case):
                for inner in value:
                    yield from blocks_of(inner)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement without those of the statements inside it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += [
            child
            for child in ast.iter_child_nodes(each)
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]


def key(node: object, names: Mapping[str, str]) -> str:
    """Return what the code says, without layout; a name in ``names`` stands for the key it is given there."""
    if isinstance(node, ast.Name):
        return names.get(node.id, f"Name {node.id}")
    if isinstance(node, ast.AST):
        fields = (key(value, names) for name, value in ast.iter_fields(node) if name not in _WITHOUT_MEANING)
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(key(each, names) for each in node)}]"
    return repr(node)


def folded(text: str) -> str:
    """Return the key, or its digest if it is long."""
    return text if len(text) <= _LONG else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def last_name(node: ast.AST) -> str:
    """Return the last part of what is named or called: ``raises`` of ``pytest.raises(ValueError)``."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def constant(node: ast.expr | None) -> object:
    """Return the value of a constant, negative numbers included; ``Ellipsis`` for whatever is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = constant(node.operand)
        return -value if isinstance(value, int | float) else ...
    if node is None or isinstance(node, ast.Constant):
        return node.value if node else None
    return ...


def is_literal(node: ast.AST) -> bool:
    """Return whether the code names and calls nothing, so that it has one value."""
    free = ast.Name | ast.Call | ast.Attribute | ast.Await | ast.Yield | ast.Lambda
    return not any(isinstance(each, free) for each in ast.walk(node))
