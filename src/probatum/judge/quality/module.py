"""One module of Python as its rules see it: every node once, its parent, its function, and what its names stand for.

Nothing here recurses, so that no nesting exhausts the stack. Nothing is run or imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, TypeAlias

from probatum.exact.code.names import imported
from probatum.judge.quality.scoring import QualityHit

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
# A context such as Load is one object for the whole tree.
_SHARED: Final = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)


class CodeModule:
    """A tree with what the rules ask of it."""

    def __init__(self, tree: ast.Module, source: str, *, is_excerpt: bool = False) -> None:
        self.tree, self.is_excerpt = tree, is_excerpt
        self.lines = [line.removesuffix("\r") for line in source.split("\n")]
        self.nodes: list[ast.AST] = []
        self.parent: dict[ast.AST, ast.AST] = {}
        self.scope: dict[ast.AST, ast.AST] = {}
        """By node: the function that it stands in, or the module."""
        self.own: dict[ast.AST, list[ast.AST]] = {tree: []}
        """By function, or by the module: the nodes that stand in it and in no function within."""
        self.loop: dict[ast.AST, ast.AST] = {}
        """The innermost loop of the same function whose body holds a node."""
        self.imported: dict[str, str] = {}
        self.depth = 0
        self._visit()
        self.functions = [node for node in self.nodes if isinstance(node, FUNCTIONS)]
        self.by_name = {each.name: each for each in self.functions}
        self.lists = {scope: self._lists(scope) for scope in self.own}
        """By function, or by the module: names that evidently are lists and nothing else."""

    def _visit(self) -> None:
        pending: list[tuple[ast.AST, ast.AST, ast.AST | None, int]] = [(self.tree, self.tree, None, 0)]
        while pending:
            node, scope, loop, depth = pending.pop()
            self.nodes.append(node)
            self.scope[node] = scope
            self.own[scope].append(node)
            self.depth = max(self.depth, depth)
            if loop is not None:
                self.loop[node] = loop
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imported |= {bound: full for _, bound, full in imported(node)}
            if isinstance(node, FUNCTIONS):
                scope, loop = node, None
                self.own[node] = []
            children: list[tuple[ast.AST, ast.AST, ast.AST | None, int]] = []
            for name, value in ast.iter_fields(node):
                inner = node if isinstance(node, LOOPS) and name in ("body", "test") else loop
                for child in value if isinstance(value, list) else (value,):
                    if isinstance(child, ast.AST) and not isinstance(child, _SHARED):
                        self.parent[child] = node
                        children.append((child, scope, inner, depth + 1))
            pending += reversed(children)

    def _lists(self, scope: ast.AST) -> frozenset[str]:
        lists, others = set[str](), set[str]()
        for node in self.own[scope]:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    is_list = isinstance(value, ast.List | ast.ListComp) or self.called(value) in ("list", "sorted")
                    (lists if is_list else others).add(name)
                case ast.arg(arg=name, annotation=ast.Subscript(value=ast.Name(id="list" | "List"))):
                    lists.add(name)
        return frozenset(lists - others)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what a node stands in, the innermost first."""
        while node in self.parent:
            node = self.parent[node]
            yield node

    def is_tried(self, node: ast.AST) -> bool:
        """Return whether a node stands in a ``try``."""
        return any(isinstance(each, ast.Try) for each in self.ancestors(node))

    def named(self, node: ast.AST) -> str:
        """Return the full name of what a name stands for, as ``os.path.join``; empty where it is none."""
        spelled = dotted(node)
        first, dot, rest = spelled.partition(".")
        return f"{self.imported.get(first, first)}{dot}{rest}" if spelled else ""

    def called(self, node: ast.AST) -> str:
        """Return the full name of what a call calls."""
        return self.named(node.func) if isinstance(node, ast.Call) else ""


def at(rule: str, node: ast.AST, **slots: object) -> QualityHit:
    """Return what a rule found at a node."""
    return QualityHit(rule, getattr(node, "lineno", 1), slots=slots)


def of_function(rule: str, function: FunctionNode, **slots: object) -> QualityHit:
    """Return what a rule found in a function as a whole."""
    return QualityHit(rule, function.lineno, function.name, {"name": function.name, **slots})


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` where a node is such a chain of names."""
    steps: list[str] = []
    while isinstance(node, ast.Attribute):
        steps.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(steps)]) if isinstance(node, ast.Name) else ""


def names_in(node: ast.AST) -> set[str]:
    """Return every name that is used in a node."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def parameters_of(function: FunctionNode) -> list[ast.arg]:
    """Return all parameters in order, but that of the object or class of a method."""
    given = function.args
    found = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [each for each in found if each is not None and each.arg not in ("self", "cls")]
