"""One module of Python as its rules see it: every node once, its parent, its function, and what its names stand for.

Nothing here recurses, so that no nesting exhausts the stack. Nothing is run or imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from probatum.judge.quality.scoring import QualityHit

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
LoopNode: TypeAlias = ast.For | ast.AsyncFor | ast.While
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
MOST_DEPTH: Final = 150
_SILENCED: Final = re.compile(rb"#\s*noqa\b", re.IGNORECASE)


class CodeModule:
    """A tree with what the rules ask of it."""

    def __init__(self, tree: ast.Module, source: str, *, is_excerpt: bool = False) -> None:
        self.tree, self.source, self.is_excerpt = tree, source, is_excerpt
        self.lines = source.removeprefix("\ufeff").encode("utf-8", "surrogatepass").split(b"\n")
        self.nodes: list[ast.AST] = []
        self.parent: dict[ast.AST, ast.AST] = {}
        self.own: dict[ast.AST, list[ast.AST]] = {tree: []}
        """By function, or by the module: the nodes that stand in it and in no function within."""
        self.loop: dict[ast.AST, LoopNode] = {}
        """The innermost loop of the same function whose body holds a node."""
        self.imported: dict[str, str] = {}
        self.depth = 0
        self._lists: dict[ast.AST, frozenset[str]] = {}
        self._visit()
        self.functions = [node for node in self.nodes if isinstance(node, FUNCTIONS)]
        self.by_name = {each.name: each for each in self.functions}

    def _visit(self) -> None:
        pending: list[tuple[ast.AST, ast.AST, LoopNode | None, int]] = [(self.tree, self.tree, None, 0)]
        while pending:
            node, scope, loop, depth = pending.pop()
            self.nodes.append(node)
            self.own[scope].append(node)
            self.depth = max(self.depth, depth)
            if loop is not None:
                self.loop[node] = loop
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imported |= dict(imports_of(node))
            if isinstance(node, FUNCTIONS):
                scope, loop = node, None
                self.own[node] = []
            children: list[tuple[ast.AST, ast.AST, LoopNode | None, int]] = []
            for name, value in ast.iter_fields(node):
                inner = node if isinstance(node, LOOPS) and name in ("body", "test") else loop
                for child in value if isinstance(value, list) else (value,):
                    if isinstance(child, ast.AST):
                        # A context such as Load is one object for the whole tree.
                        if isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
                            continue
                        self.parent[child] = node
                        children.append((child, scope, inner, depth + 1))
            pending += reversed(children)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what a node stands in, the innermost first."""
        while node in self.parent:
            node = self.parent[node]
            yield node

    def function_of(self, node: ast.AST) -> FunctionNode | None:
        """Return the function that a node stands in."""
        return next((each for each in self.ancestors(node) if isinstance(each, FUNCTIONS)), None)

    def text(self, node: ast.AST) -> str:
        """Return the source of a node."""
        first, last = getattr(node, "lineno", 1) - 1, (getattr(node, "end_lineno", 0) or 1) - 1
        begin, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        rows = self.lines[first : last + 1]
        if not rows:
            return ""
        rows[-1] = rows[-1][:end]
        rows[0] = rows[0][begin:]
        return b"\n".join(rows).decode("utf-8", "replace")

    def named(self, node: ast.AST) -> str:
        """Return the full name of what a name stands for, as ``os.path.join``; empty where it is none."""
        spelled = dotted(node)
        first, dot, rest = spelled.partition(".")
        return f"{self.imported.get(first, first)}{dot}{rest}" if spelled else ""

    def called(self, node: ast.AST) -> str:
        """Return the full name of what a call calls."""
        return self.named(node.func) if isinstance(node, ast.Call) else ""

    def lists(self, scope: ast.AST) -> frozenset[str]:
        """Return the names of a function, or of the module, that evidently are lists and nothing else."""
        if scope not in self._lists:
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
            self._lists[scope] = frozenset(lists - others)
        return self._lists[scope]

    def is_silenced(self, line: int) -> bool:
        """Return whether a comment of the line says that its style is meant."""
        return 0 < line <= len(self.lines) and _SILENCED.search(self.lines[line - 1]) is not None


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


def within(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield every node of some statements, those of functions within too."""
    return (node for statement in body for node in ast.walk(statement))


def imports_of(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield what an import binds, and the full name that it stands for."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            yield (top := alias.name.partition(".")[0]), top


def imported_names(tree: ast.Module) -> set[str]:
    """Return every name that imports of some code bind."""
    imports = (each for each in ast.walk(tree) if isinstance(each, ast.Import | ast.ImportFrom))
    return {name for each in imports for name, _ in imports_of(each)}


def parameters_of(function: FunctionNode | ast.Lambda) -> list[ast.arg]:
    """Return all parameters in order."""
    given = function.args
    rest = [each for each in (given.vararg, given.kwarg) if each is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]


def bound_names(module: CodeModule) -> set[str]:
    """Return every name that the code binds anywhere."""
    found = set(module.imported)
    for node in module.nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.Global(names=names):
                found.update(names)
            case _ if type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):
                found.add(str(getattr(node, "name", "")))
    return found
