"""Finds what each name in Python code is bound to, by scopes, without running anything.

A name that is bound in more than one place, or declared ``global`` or ``nonlocal``, is not evidently anything. Refuses
code that is empty, does not compile, is written in another language, or declares an encoding other than UTF-8, which
another reader would decode to other code.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.code.tables import BUILTIN_NAMES, FOREIGN

MAX_SOURCE: Final = 100_000
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 120
_COOKIE: Final = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8: Final = frozenset(("utf-8", "utf8", "utf_8", "ascii", "us-ascii"))
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """One place where a name is bound: how, and to what."""

    sort: str
    """``function``, ``import``, ``parameter``, ``rest``, ``value``, ``changed``, ``element`` or ``other``."""
    node: ast.AST
    """Of a value: the expression; of an element: what is iterated over; else what binds the name."""
    qualified: str = ""
    path: tuple[int, ...] = ()
    """Which part of an element it is."""


@dataclass(frozen=True, slots=True, eq=False)
class NameScope:
    """The module, a function, a class or a comprehension, with the names that are bound in it."""

    node: ast.AST
    parent: NameScope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)

    @property
    def function(self) -> NameScope:
        """Return the scope of the function or module around a comprehension."""
        scope = self
        while isinstance(scope.node, COMPREHENSIONS) and scope.parent is not None:
            scope = scope.parent
        return scope


def parsed(source: str) -> tuple[ast.Module, CodeType]:
    """Return code as a tree and compiled; it is never run. Raises NotAttemptedError and BudgetError."""
    if not source.strip():
        raise NotAttemptedError("code.empty", "There is no code.")
    if len(source) > MAX_SOURCE:
        raise BudgetError("engine.too_large", f"Code has at most {MAX_SOURCE:,} characters.")
    for line in re.split(r"\r\n?|\n", source.lstrip("\ufeff"), maxsplit=2)[:2]:
        cookie = _COOKIE.match(line)
        if cookie is not None and cookie[1].lower() not in _UTF8:
            raise NotAttemptedError("code.encoding", "The code declares an encoding other than UTF-8.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            _require_small(tree)
            compiled = compile(source, "<code>", "exec", dont_inherit=True)
    except SyntaxError as error:
        place = f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
        raise NotAttemptedError("code.syntax", f"This is not Python: {place}.") from error
    except ValueError as error:
        raise NotAttemptedError("code.syntax", "The text holds characters that no code holds.") from error
    except (RecursionError, MemoryError) as error:
        raise BudgetError("engine.too_large", "The code is nested too deeply.") from error
    return tree, compiled


def _require_small(tree: ast.Module) -> None:
    nodes: list[ast.AST] = [tree]
    count = 0
    for _ in range(MAX_DEPTH):
        count += len(nodes)
        nodes = [child for node in nodes for child in ast.iter_child_nodes(node)]
        if count > MAX_NODES:
            raise BudgetError("engine.too_large", f"Code has at most {MAX_NODES:,} parts.")
    if nodes:
        raise BudgetError("engine.too_large", "The code is nested too deeply.")


class Names:
    """The scopes of some code, and what every name in it is bound to."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.module = NameScope(tree, None)
        self.scope_of: dict[ast.AST, NameScope] = {}
        self.bound: set[str] = set()
        self._shared: set[str] = set()
        self._visit_all(tree.body, self.module)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in FOREIGN and node.id not in self.bound:
                raise NotAttemptedError("code.not_python", "This seems to be code of another language than Python.")

    def bindings(self, name: ast.Name) -> list[Binding] | None:
        """Return what binds a name where it is used; None where nothing in the code does."""
        if name.id in self._shared:
            other = Binding("other", name)
            return [other, other]
        start = self.scope_of.get(name, self.module)
        scope: NameScope | None = start
        while scope is not None:
            is_hidden = isinstance(scope.node, ast.ClassDef) and scope is not start
            if name.id in scope.bindings and not is_hidden:
                return scope.bindings[name.id]
            scope = scope.parent
        return None

    def only(self, name: ast.Name) -> Binding | None:
        """Return the one binding of a name; None where there is none, or more, or a built-in name is bound."""
        found = self.bindings(name)
        return found[0] if found and len(found) == 1 and name.id not in BUILTIN_NAMES else None

    def is_builtin(self, name: ast.Name) -> bool:
        """Return whether a name is evidently Python's own: nothing in the code binds it anywhere."""
        return name.id in BUILTIN_NAMES and name.id not in self.bound and "*" not in self.bound

    def qualified(self, node: ast.expr, hops: int = 4) -> str:
        """Return the full spelling of what an expression evidently is; empty where that is not evident."""
        match node:
            case ast.Name():
                if self.is_builtin(node):
                    return f"builtins.{node.id}"
                binding = self.only(node)
                if binding is not None and binding.sort == "value" and hops and isinstance(binding.node, ast.expr):
                    return self.qualified(binding.node, hops - 1)
                return binding.qualified if binding is not None else ""
            case ast.Attribute():
                inner = self.qualified(node.value, hops)
                return f"{inner}.{node.attr}" if inner else ""
            case ast.Call():
                inner = self.qualified(node.func, hops)
                return f"{inner}()" if inner else ""
            case _:
                return ""

    def _bind(self, scope: NameScope, name: str, binding: Binding) -> None:
        self.bound.add(name)
        scope.bindings.setdefault(name, []).append(binding)

    def _visit_all(self, nodes: list[ast.stmt] | list[ast.expr] | list[ast.AST], scope: NameScope) -> None:
        for node in nodes:
            self._visit(node, scope)

    def _visit(self, node: ast.AST, scope: NameScope) -> None:
        self.scope_of[node] = scope
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node, scope)
            case ast.ClassDef():
                self._bind(scope, node.name, Binding("other", node))
                self._visit_all([*node.decorator_list, *node.bases, *node.keywords], scope)
                self._visit_all(node.body, NameScope(node, scope))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope)
            case ast.Assign(targets=[ast.Name() as target]):
                self._target(target, scope, "value", node.value)
                self._visit(node.value, scope)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                self._target(target, scope, "value", value)
                self._visit_all([node.annotation, value], scope)
            case ast.AugAssign(target=ast.Name() as target):
                self._target(target, scope, "changed", node)
                self._visit(node.value, scope)
            case ast.For():
                self._target(node.target, scope, "element", node.iter)
                self._visit(node.iter, scope)
                self._visit_all([*node.body, *node.orelse], scope)
            case ast.NamedExpr():
                self._target(node.target, scope.function, "other", node)
                self._visit(node.value, scope)
            case ast.Name(ctx=ast.Store() | ast.Del()):
                self._bind(scope, node.id, Binding("other", node))
            case ast.Global() | ast.Nonlocal():
                self._shared.update(node.names)
                self.bound.update(node.names)
            case ast.Import() | ast.ImportFrom():
                self._import(node, scope)
            case _:
                self._named_part(node, scope)
                self._visit_all(list(ast.iter_child_nodes(node)), scope)

    def _named_part(self, node: ast.AST, scope: NameScope) -> None:
        """Bind the names that stand as plain text in a node."""
        for part in ("name", "rest"):
            name = getattr(node, part, None)
            if isinstance(name, str):
                self._bind(scope, name, Binding("other", node))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: NameScope) -> None:
        inner, arguments = NameScope(node, scope), node.args
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self._bind(inner, arg.arg, Binding("parameter", arg))
        for rest, kind in ((arguments.vararg, "tuple"), (arguments.kwarg, "dict")):
            if rest is not None:
                self._bind(inner, rest.arg, Binding("rest", rest, kind))
        outer: list[ast.AST] = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        outer += [each.annotation for each in ast.walk(arguments) if isinstance(each, ast.arg) and each.annotation]
        if isinstance(node, ast.Lambda):
            self._visit_all(outer, scope)
            self._visit(node.body, inner)
            return
        self._bind(scope, node.name, Binding("function", node))
        self._visit_all([*outer, *node.decorator_list, *([node.returns] if node.returns else [])], scope)
        self._visit_all(node.body, inner)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: NameScope
    ) -> None:
        inner = NameScope(node, scope)
        for place, each in enumerate(node.generators):
            self._visit(each.iter, inner if place else scope)
            self._target(each.target, inner, "element", each.iter)
            self._visit_all(each.ifs, inner)
        self._visit_all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt], inner)

    def _target(self, target: ast.expr, scope: NameScope, sort: str, node: ast.AST, path: tuple[int, ...] = ()) -> None:
        self.scope_of[target] = scope
        match target:
            case ast.Name():
                self._bind(scope, target.id, Binding(sort, node, path=path))
            case ast.Tuple() | ast.List() if not any(isinstance(each, ast.Starred) for each in target.elts):
                for place, each in enumerate(target.elts):
                    self._target(each, scope, sort, node, (*path, place))
            case _:
                self._visit(target, scope)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: NameScope) -> None:
        for alias, bound, qualified in imported(node):
            self.scope_of[alias] = scope
            self._bind(scope, bound, Binding("import", alias, qualified))


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[ast.alias, str, str]]:
    """Yield each part of an import, the name that it binds, and the full spelling of what that is."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias, alias.asname or alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}"
        elif alias.asname:
            yield alias, alias.asname, alias.name
        else:
            top = alias.name.partition(".")[0]
            yield alias, top, top
