"""What the functions of a file use, as far as its text tells what that is: names, attributes of modules, calls.

What is used where code expects that it may be missing (`guards`) is left out, and so is what a name means that is bound
more than once. Whether the rest is there and fits, only the installed things themselves can tell (`fits`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from probatum.programs.perspectives.guards import ends, is_caught, is_feature, is_taken
from probatum.programs.perspectives.scopes import (
    FUNCTIONS,
    Comprehension,
    Function,
    UseScope,
    is_plain_method,
    module_scope,
    scope_of,
)

_REBINDS = frozenset({"globals", "exec", "eval", "locals", "__builtins__", "builtins", "setattr", "vars"})
_MISSES = frozenset({"__getattr__", "__getattribute__"})
"""Functions that answer by an error what is not there."""
_CONSTANTS = (str, bytes)
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Name)
_BINDING = {"staticmethod", "classmethod"}
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Use:
    """One use of something that is not a local value."""

    line: int
    text: str
    kind: str
    """``unbound`` name, ``global`` name, ``import`` in a function, ``constant``, or ``method`` of the class around."""
    module: str
    """Of an import: what is imported, with its dots."""
    root: str
    path: tuple[str, ...] = ()
    call: tuple[int, tuple[str, ...]] | None = None
    """How many arguments a call gives by position, and which by name."""


def uses_of(tree: ast.Module) -> tuple[Use, ...]:
    """Return what the functions of a file use; what runs when the file is imported has been run.

    Raises `RecursionError` for a file that is nested too deep.
    """
    return tuple(dict.fromkeys(_UseReader(tree).read()))


class _UseReader:
    """Walks the functions of one module; ``_quiet`` is where nothing is sure, ``_runs`` where a function runs."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._module = module_scope(tree)
        self._scopes: list[UseScope] = []
        self._found: list[Use] = []
        self._quiet = False
        self._words = frozenset(each.id for each in ast.walk(tree) if isinstance(each, ast.Name))
        # What is set somewhere, or looked for by its text, may come and go.
        self._told = frozenset(name for each in ast.walk(tree) if (name := _name_told(each)))

    def read(self) -> list[Use]:
        self._block(self._tree.body)
        return self._found

    @property
    def _runs(self) -> bool:
        return any(isinstance(each.node, FUNCTIONS) for each in self._scopes)

    def _block(self, body: Sequence[ast.stmt]) -> None:
        before = self._quiet
        for each in body:
            self._visit(each)
            is_test = isinstance(each, ast.If) and (ends(each.body) or ends(each.orelse))
            if isinstance(each, ast.If | ast.Assert) and (is_test or isinstance(each, ast.Assert)):
                self._quiet |= is_feature(each.test, self._module)
            self._quiet |= ends([each])
        self._quiet = before

    def _under(self, quiet: bool, nodes: Iterable[ast.AST]) -> None:
        before, self._quiet = self._quiet, self._quiet or quiet
        for each in nodes:
            self._visit(each)
        self._quiet = before

    def _blocks(self, quiet: bool, *bodies: Sequence[ast.stmt]) -> None:
        before, self._quiet = self._quiet, self._quiet or quiet
        for each in bodies:
            self._block(each)
        self._quiet = before

    def _within(self, node: Function | ast.ClassDef | Comprehension, nodes: Sequence[ast.AST]) -> None:
        self._scopes.append(scope_of(node))
        if nodes and all(isinstance(each, ast.stmt) for each in nodes):
            self._block([each for each in nodes if isinstance(each, ast.stmt)])
        else:
            self._under(False, nodes)
        self._scopes.pop()

    def _visit(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node)
            case ast.ClassDef():
                self._under(False, [*node.decorator_list, *node.bases, *node.keywords])
                self._within(node, node.body)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node)
            case ast.If(test=test, body=body, orelse=orelse) | ast.While(test=test, body=body, orelse=orelse):
                self._visit(test)
                self._blocks(is_feature(test, self._module), body, orelse)
            case ast.IfExp(test=test, body=value, orelse=other):
                self._visit(test)
                self._under(is_feature(test, self._module), [value, other])
            case ast.BoolOp(values=values):
                before = self._quiet
                for each in values:
                    self._visit(each)
                    self._quiet |= is_feature(each, self._module)
                self._quiet = before
            case ast.Try() | ast.TryStar():
                self._blocks(is_caught(node), node.body)
                self._under(is_caught(node), node.handlers)
                self._blocks(False, node.orelse, node.finalbody)
            case ast.With() | ast.AsyncWith():
                self._under(False, node.items)
                self._blocks(is_taken(node), node.body)
            case ast.For() | ast.AsyncFor():
                self._under(False, [node.iter, node.target])
                self._blocks(False, node.body, node.orelse)
            case ast.ExceptHandler():
                self._under(False, [] if node.type is None else [node.type])
                self._block(node.body)
            case ast.match_case():
                self._under(False, [] if node.guard is None else [node.guard])
                self._block(node.body)
            case ast.ImportFrom(names=aliases, level=level, module=module) if self._runs and not self._quiet:
                path = "." * level + (module or "")
                text = f"from {path} import "
                named = [each.name for each in aliases if each.name != "*"]
                self._found += [Use(node.lineno, text + e, "import", path, "", (e,)) for e in named]
            case ast.AnnAssign():
                self._under(False, [node.target] if node.value is None else [node.target, node.value])
            case ast.Call():
                self._called(node)
            case ast.Attribute() | ast.Name():
                self._read(node, None)
            case _ if type(node).__name__ != "TypeAlias":
                self._under(False, ast.iter_child_nodes(node))

    def _function(self, node: Function) -> None:
        taken = node.args
        outer = [*taken.defaults, *(each for each in taken.kw_defaults if each is not None)]
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        self._under(False, [*outer, *decorators])
        before = self._quiet
        # What a test skips, or a function is registered for, is asked there.
        self._quiet |= any(isinstance(each, ast.Call) and is_feature(each, self._module) for each in decorators)
        self._quiet |= getattr(node, "name", "") in _MISSES
        self._within(node, [node.body] if isinstance(node, ast.Lambda) else node.body)
        self._quiet = before

    def _comprehension(self, node: Comprehension) -> None:
        self._under(False, [node.generators[0].iter])
        tests = [each for part in node.generators for each in part.ifs]
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        before = self._quiet
        self._quiet |= any(is_feature(each, self._module) for each in tests)
        self._within(node, [*(part.iter for part in node.generators[1:]), *tests, *results])
        self._quiet = before

    def _called(self, node: ast.Call) -> None:
        self._under(False, [*node.args, *(each.value for each in node.keywords)])
        is_open = any(isinstance(each, ast.Starred) for each in node.args) or any(e.arg is None for e in node.keywords)
        names = tuple(each.arg for each in node.keywords if each.arg is not None)
        shape = None if is_open else (len(node.args), names)
        if isinstance(node.func, ast.Attribute | ast.Name):
            self._read(node.func, shape, node)
        else:
            self._visit(node.func)

    def _read(
        self,
        node: ast.Attribute | ast.Name,
        call: tuple[int, tuple[str, ...]] | None,
        whole: ast.AST | None = None,
    ) -> None:
        path: list[str] = []
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            path.append(base.attr)
            base = base.value
        path.reverse()
        if isinstance(base, ast.Name) and not isinstance(base.ctx, ast.Load):
            return
        if not isinstance(base, ast.Name):
            self._constant(base, tuple(path), call, node)
            return
        if self._quiet or not self._runs or any(each[:2] == "__" for each in (base.id, *path)):
            return
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            path.pop()
        shown = ast.unparse(whole or node)
        shown = shown if len(shown) <= _LONGEST else f"{ast.unparse(node)}(…)"
        use = self._meant(base, Use(node.lineno, shown, "", "", base.id, tuple(path), call))
        if use is not None:
            self._found.append(use)

    def _constant(
        self, base: ast.expr, path: tuple[str, ...], call: tuple[int, tuple[str, ...]] | None, node: ast.AST
    ) -> None:
        self._visit(base)
        value = base.value if isinstance(base, ast.Constant) else "" if isinstance(base, ast.JoinedStr) else None
        if not self._quiet and self._runs and isinstance(value, _CONSTANTS) and isinstance(node, ast.Attribute):
            kind = type(value).__name__
            self._found.append(Use(node.lineno, ast.unparse(node)[:_LONGEST], "constant", "", kind, path, call))

    def _meant(self, base: ast.Name, use: Use) -> Use | None:
        name = base.id
        for index, scope in reversed(list(enumerate(self._scopes))):
            is_inner = index == len(self._scopes) - 1
            if name in scope.elsewhere:
                return None
            if isinstance(scope.node, ast.ClassDef) and not is_inner and scope.node not in scope.binders.get(name, ()):
                continue  # Its own names are not seen in its methods, but for those of its types.
            if name in scope.binders:
                return self._local(scope, index, use)
        return self._global(use)

    def _global(self, use: Use) -> Use | None:
        name = use.root
        if name not in self._module.binders:
            # Of a name that nothing binds, what is read from it matters less than that.
            is_open = name[:2] == "__" or name == "_" or not _REBINDS.isdisjoint(self._words)
            if use.path or use.call is not None:
                self._found.extend([] if is_open else [replace(use, kind="unbound", text=name, path=(), call=None)])
                return replace(use, kind="global")
            return None if is_open else replace(use, kind="unbound")
        binder = self._module.only(name)
        if binder is None or not self._told.isdisjoint(use.path):
            return None
        return replace(use, kind="global") if isinstance(binder, _DEFINED) else None

    def _local(self, scope: UseScope, index: int, use: Use) -> Use | None:
        binder = scope.only(use.root)
        if binder is None or not self._told.isdisjoint(use.path):
            return None
        match binder:
            case ast.Import(names=aliases) if isinstance(scope.node, FUNCTIONS):
                found = [e for e in aliases if (e.asname or e.name.partition(".")[0]) == use.root]
                root = "" if found[0].asname else use.root
                return replace(use, kind="import", module=found[0].name, root=root)
            case ast.ImportFrom(names=aliases, level=level, module=module) if isinstance(scope.node, FUNCTIONS):
                if not use.path and use.call is None:
                    return None  # The import itself is asked about.
                found = [each for each in aliases if (each.asname or each.name) == use.root]
                path = (found[0].name, *use.path)
                return replace(use, kind="import", module="." * level + (module or ""), root="", path=path)
            case ast.arg() if len(use.path) == 1 and use.call is not None and index > 0:
                return self._method(scope, index, binder, use)
            case _:
                return None

    def _method(self, scope: UseScope, index: int, binder: ast.arg, use: Use) -> Use | None:
        """Return the call of a method by the first parameter of another, where the class is the module's own."""
        owners = self._scopes[:index]
        names = [each.node.name for each in owners if isinstance(each.node, ast.ClassDef)]
        if len(names) < len(owners) or not isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        taken = scope.node.args
        first = [*taken.posonlyargs, *taken.args][:1]
        if first != [binder] or not is_plain_method(scope.node) or self._module.only(names[0]) is not owners[0].node:
            return None
        defined = owners[-1].only(use.path[0])
        if not isinstance(defined, ast.FunctionDef | ast.AsyncFunctionDef) or _may_change(defined):
            return None
        return replace(use, kind="method", root=".".join(names))


def _name_told(node: ast.AST) -> str:
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) | ast.Constant(value=str(name)):
            return name
        case _:
            return ""


def _may_change(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method waits for a class that gives it its meaning, or something else stands in its place."""
    body = [each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    decorators = {ast.unparse(each) for each in node.decorator_list}
    return all(isinstance(each, ast.Pass | ast.Raise) for each in body) or not decorators <= _BINDING
