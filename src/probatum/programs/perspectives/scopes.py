"""Which names a scope of a program binds, and by which statements: what a name means where it stands.

Refuses to say what a name means that is bound in more than one way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.signatures import bound_by

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True, slots=True)
class UseScope:
    """The names that a module, a class, a function or a comprehension binds, each with what binds it."""

    node: ast.AST
    binders: Mapping[str, Sequence[ast.AST]]
    elsewhere: frozenset[str] = frozenset()
    """Names that are bound around it: ``global`` and ``nonlocal``."""

    def only(self, name: str) -> ast.AST | None:
        """Return the one thing that binds a name; None where several do."""
        found = self.binders.get(name, ())
        return found[0] if len(found) == 1 else None


class _Bindings:
    """Collects what the nodes of one scope bind."""

    def __init__(self) -> None:
        self.binders: dict[str, list[ast.AST]] = {}
        self.elsewhere = set[str]()

    def note(self, names: Iterable[str], node: ast.AST) -> None:
        for name in names:
            self.binders.setdefault(name, []).append(node)

    def all_of(self, nodes: Iterable[ast.AST | None]) -> None:
        waiting = [each for each in nodes if each is not None]
        while waiting:
            node = waiting.pop()
            self.note(_bound(node), node)
            match node:
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    self.elsewhere.update(names)
                case ast.FunctionDef(args=taken) | ast.AsyncFunctionDef(args=taken):
                    waiting += [*node.decorator_list, *_defaults(taken)]
                case ast.Lambda(args=taken):
                    waiting += _defaults(taken)
                case ast.ClassDef():
                    waiting += [*node.decorator_list, *node.bases, *node.keywords]
                case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    waiting += [part.target for part in ast.walk(node) if isinstance(part, ast.NamedExpr)]
                case _:
                    waiting += ast.iter_child_nodes(node)


def _defaults(taken: ast.arguments) -> list[ast.AST]:
    return [each for each in (*taken.defaults, *taken.kw_defaults) if each is not None]


def _bound(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Del()) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return [name]
        case _:
            return bound_by(node)


def module_scope(tree: ast.Module) -> UseScope:
    """Return the scope of a module; what a function binds there by ``global`` counts."""
    found = _Bindings()
    found.all_of(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            found.note(node.names, node)
    return UseScope(tree, found.binders)


def scope_of(node: Function | ast.ClassDef | Comprehension) -> UseScope:
    """Return the scope of a function, a class or a comprehension."""
    found = _Bindings()
    found.note((each.name for each in getattr(node, "type_params", ())), node)
    if isinstance(node, FUNCTIONS):
        taken = node.args
        given = (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg)
        for each in given:
            if each is not None:
                found.note([each.arg], each)
        found.all_of([node.body] if isinstance(node, ast.Lambda) else node.body)
    elif isinstance(node, ast.ClassDef):
        found.all_of(node.body)
    else:
        for part in node.generators:
            found.all_of([part.target])
    own = {name: rows for name, rows in found.binders.items() if name not in found.elsewhere}
    return UseScope(node, own, frozenset(found.elsewhere))


def is_plain_method(node: ast.AST) -> bool:
    """Whether the first parameter of a function in a class is the object or the class itself."""
    decorators = {last_name(each) for each in getattr(node, "decorator_list", ())}
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "staticmethod" not in decorators
