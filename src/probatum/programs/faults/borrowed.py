"""What of other people's modules the names of a file may stand for.

By syntax, and by scope: a name stands for what imports, plain assignments, loops over written-out values and default
arguments give it anywhere in its scope, in whatever order these run.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from probatum.programs.parsing.expressions import called_name

IMPORTS = frozenset({"__import__", "import_module"})
"""Functions that import a module by its name."""
_IN_OTHERS = frozenset({"builtins", "ctypes", "gc", "importlib", "os", "posix", "sys"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_MOST = 20
_Key = tuple[int, str]


class Borrowed:
    """The names of one file. ``is_own`` tells whether a module is of the user's own project."""

    def __init__(
        self, tree: ast.Module, nodes: list[ast.AST], is_own: Callable[[str], bool], stars: dict[str, frozenset[str]]
    ) -> None:
        self._is_own, self._stars = is_own, stars
        # The scope of the name at each node, by the identity of the node.
        self._keys, self.around_classes = _keys(tree)
        self.modules: set[str] = set()
        self._aliases: dict[_Key, set[str]] = defaultdict(set)
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                for scope, name, target in self._imported(node):
                    self._aliases[scope, name].add(target)
        self._given = [(self._keys[id(target)], value) for node in nodes for target, value in _assigned(node)]
        self._stores = Counter(self._keys[id(node)] for node in nodes if is_store(node))
        self._follow()

    def _imported(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[int, str, str]]:
        """Yield the scope and the name that an import binds, and what it stands for."""
        module = "" if isinstance(node, ast.Import) else "." * node.level + (node.module or "")
        for each in node.names:
            scope, name = self._keys[id(each)]
            if self._is_own(module or each.name):
                continue
            if not module:
                self.modules.add(each.name if each.asname else name)
                yield scope, name, each.name if each.asname else name
            elif each.name == "*":
                yield from ((scope, inner, f"{module}.{inner}") for inner in self._stars.get(module, ()))
            else:
                yield scope, name, f"{module}.{each.name}"

    def _follow(self) -> None:
        grown = True
        while grown:
            grown = False
            for key, value in self._given:
                known = self._aliases.get(key, set())
                if len(known) < _MOST and (found := self.of(value) - known):
                    self._aliases[key] = known | found
                    grown = True

    def of(self, node: ast.expr) -> set[str]:
        """Return the dotted names, from a module of others on, that an expression may stand for."""
        match node:
            case ast.Name():
                return self._aliases.get(self._keys[id(node)], set())
            case ast.Attribute(value=value, attr=attr):
                # Whatever has a ``sys`` inside has the one of Python.
                inside = {attr.lstrip("_")} & _IN_OTHERS
                return {f"{each}.{attr}" for each in self.of(value) if each.count(".") < _MOST} or inside
            case ast.NamedExpr(value=value):
                return self.of(value)
            case ast.IfExp(body=first, orelse=second):
                return self.of(first) | self.of(second)
            case ast.BoolOp(values=values):
                return {each for value in values for each in self.of(value)}
            case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(attr)), *_]):
                return {f"{each}.{attr}" for each in self.of(value)}
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if called_name(node) in IMPORTS:
                return set() if self._is_own(name) else {name}
        return set()

    def always(self, node: ast.expr, holds: Callable[[ast.expr], bool]) -> bool:
        """True for a name that nothing gives a value but expressions of this kind."""
        if not isinstance(node, ast.Name):
            return False
        key = self._keys[id(node)]
        given = [value for name, value in self._given if name == key]
        return bool(given) and len(given) == self._stores[key] and all(map(holds, given))

    def ever(self, node: ast.expr, holds: Callable[[ast.expr], bool]) -> bool:
        """True for a name that something gives such a value."""
        return isinstance(node, ast.Name) and any(
            holds(value) for name, value in self._given if name == self._keys[id(node)]
        )


def is_store(node: ast.AST) -> bool:
    """True where a name gets or loses a value."""
    return isinstance(node, ast.arg | ast.alias) or (isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))


def _assigned(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Yield the targets that a statement gives a value, each with that value or one of which it is taken."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from (pair for target in targets for pair in _paired(target, value))
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield from _paired(target, value)
        case (
            ast.For(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values))
            | ast.comprehension(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values))
        ):
            yield from (pair for value in values for pair in _paired(target, value))
        case ast.arguments():
            positional = [*node.posonlyargs, *node.args]
            given = zip(positional[len(positional) - len(node.defaults) :], node.defaults, strict=True)
            yield from given
            by_name = zip(node.kwonlyargs, node.kw_defaults, strict=True)
            yield from ((argument, default) for argument, default in by_name if default is not None)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.AST, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, ast.Tuple | ast.List):
        if isinstance(value, ast.Tuple | ast.List):
            for inner, given in zip(target.elts, value.elts, strict=False):
                yield from _paired(inner, given)
        elif target.elts and isinstance(target.elts[0], ast.Name):
            # What is unpacked is known by its first: a descriptor and a path.
            yield target.elts[0], value


def _keys(tree: ast.Module) -> tuple[dict[int, _Key], set[str]]:
    """Return for each name, argument and import the scope that it belongs to, by the identities of the nodes.

    Beside them the names that are bound around a class.
    """
    keys: dict[int, _Key] = {}
    seen: set[str] = set()
    bound: dict[int, set[str]] = {}
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while waiting:
        scope, around = waiting.pop()
        inside = list(_within(scope))
        bound[id(scope)] = set(_bound_in(scope, inside))
        # What a class binds is not seen by the functions in it.
        chain = (scope, *(each for each in around if not isinstance(each, ast.ClassDef)))
        for node in inside:
            if name := bound_name(node):
                owner = next((each for each in chain if name in bound[id(each)]), tree)
                keys[id(node)] = (id(owner), name)
            elif node is not scope and isinstance(node, _SCOPES):
                waiting.append((node, chain))
        if isinstance(scope, ast.ClassDef):
            seen |= {name for each in chain[1:] for name in bound[id(each)]}
    return keys, seen


def bound_name(node: ast.AST) -> str:
    """Return the name that stands at a node, or that an import binds there; empty where none does."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name):
            return name
        case ast.alias(name=name, asname=asname):
            return asname or name.partition(".")[0]
    return ""


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of one scope, and the functions and classes that it defines without what is in them."""
    waiting = [scope]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _SCOPES):
            outer = list(_outer(node))
            kept = set(map(id, outer))
            waiting += [each for each in _children(node) if id(each) not in kept] if node is scope else outer
        else:
            waiting += ast.iter_child_nodes(node)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a definition, those of its arguments too."""
    for each in ast.iter_child_nodes(node):
        yield from ast.iter_child_nodes(each) if isinstance(each, ast.arguments) else (each,)


def _outer(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a definition that belong to the scope around it."""
    yield from getattr(node, "decorator_list", ())
    if isinstance(node, ast.ClassDef):
        yield from (*node.bases, *node.keywords)
    elif isinstance(node, _FUNCTIONS):
        yield from (*node.args.defaults, *filter(None, node.args.kw_defaults))


def _bound_in(scope: ast.AST, nodes: list[ast.AST]) -> Iterator[str]:
    elsewhere = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    for node in nodes:
        match node:
            case ast.Name(ctx=ast.Load()):
                continue
            case ast.Name() | ast.arg() | ast.alias():
                name = bound_name(node)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                pass
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if node is scope:
                    continue
            case _:
                continue
        if name not in elsewhere:
            yield name
