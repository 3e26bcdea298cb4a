"""What a file shows to whoever imports it: the names that it defines, what it exports, names without a definition.

Read from syntax alone: an ``__all__`` that is computed exports nothing here, and whether what an expression gives can
be called only running shows (`running.shown_names`).
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from probatum.programs.parsing.expressions import called_name, last_name, names_in
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.signatures import Definition, bound_by, defined_names

IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DECLARES = word_set(
    "namedtuple NamedTuple TypedDict NewType TypeVar ParamSpec TypeVarTuple Enum IntEnum StrEnum Flag IntFlag"
)
"""What declares a type without code: there is nothing in it to judge."""


def in_scope(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a scope, those inside of other statements included, in order."""
    waiting: list[ast.AST] = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(node, DEFINITIONS):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def definitions(statements: list[ast.stmt]) -> Iterator[Definition | ast.ClassDef]:
    """Yield the functions and classes of a scope, those inside of other statements included, in order."""
    found = [node for node in in_scope(statements) if isinstance(node, DEFINITIONS)]
    # What only looks like another signature, of a name that nothing else defines, is its definition.
    whole = {node.name for node in found if not is_alternative(node)}
    yield from (node for node in found if node.name not in whole or not is_alternative(node))


def is_alternative(node: Definition | ast.ClassDef) -> bool:
    """Whether a definition only gives another signature of a name that is defined elsewhere."""
    # Overloads and property setters are other signatures of a name that is defined elsewhere.
    return any(last_name(decorator) in {"overload", "setter", "deleter"} for decorator in node.decorator_list)


def own_names(tree: ast.Module, project: Collection[str]) -> frozenset[str]:
    """Return the names that a file defines or imports from its project, and those of the project's modules."""
    ours = (each for each in tree.body if not isinstance(each, IMPORTS) or _is_of(each, project))
    return frozenset((*defined_names(list(ours)), *project))


def imported_packages(tree: ast.Module, project: Iterable[str]) -> frozenset[str]:
    """Return the top-level packages that a file imports anywhere, and its project's, but for the standard library's."""
    found = {each.partition(".")[0] for each in project}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return frozenset(found - sys.stdlib_module_names)


def _is_of(statement: ast.stmt, modules: Collection[str]) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return bool(statement.level) or statement.module in modules
    return isinstance(statement, ast.Import) and any(each.name in modules for each in statement.names)


def uses_own(steps: Iterable[ast.Module | None], own: Collection[str]) -> bool:
    """Return whether steps use one of these names before they bind it otherwise; of what cannot be read, they may."""
    bound: set[str] = set()
    for step in steps:
        if step is None or any(_is_of(node, own) for node in in_scope(step.body)):
            return True
        arguments = {node.arg for node in ast.walk(step) if isinstance(node, ast.arg)}
        if (names_in(step, ast.Load) - bound - arguments) & set(own):
            return True
        # What a document imports by a name of the program may be the program by another module's name.
        bound.update(defined_names([each for each in step.body if not isinstance(each, IMPORTS)]))
    return False


def exported(tree: ast.Module) -> frozenset[str]:
    """Return the texts that a file writes into its ``__all__``, or adds by a method of it."""
    lists = [node for node in in_scope(tree.body) if _assigned(node) == "__all__" or _is_call_of(node, "__all__")]
    parts = [part for each in lists for part in ast.walk(each)]
    return frozenset(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _is_call_of(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=called)))):
            return called == name
        case _:
            return False


def bound_names(tree: ast.Module, defined: Collection[str], project: Collection[str]) -> Iterator[NameBinding]:
    """Yield the public names that no definition makes and that may be callable, the last binding of each.

    ``defined`` are the qualified names of what the file defines.
    """
    public = exported(tree)
    found: dict[str, NameBinding] = {}
    bindings: Counter[str] = Counter()
    for node in in_scope(tree.body):
        for each in _imported(node, public, project) if isinstance(node, IMPORTS) else _made(node, defined):
            if not each.name.startswith("_") or each.name in public:
                found.pop(each.name, None)
                found[each.name] = each
        bindings.update(bound_by(node) or [_assigned(node)])
    for each in found.values():
        if each.name not in defined:
            # Of a name that is bound twice nobody knows which binding holds.
            yield replace(each, leads_to="") if each.leads_to and bindings[each.name] > 1 else each


def made_at_import(tree: ast.Module, names: Iterable[str]) -> Iterator[NameBinding]:
    """Yield names that the loaded module has and that no statement of the file binds."""
    for name in names:
        yield NameBinding(name, "code that runs at import makes it", tree.body[0])


def explained_names(tree: ast.Module) -> frozenset[str]:
    """Return the names that imports bind, and those of declared types: there is nothing of this file in them."""
    names: set[str] = set()
    for node in in_scope(tree.body):
        value = getattr(node, "value", None)
        if isinstance(node, IMPORTS) or (isinstance(value, ast.Call) and called_name(value) in _DECLARES):
            names.update(defined_names([node]))
    return frozenset(names)


def imports_all(tree: ast.Module) -> bool:
    """Whether the file takes in names that it does not name: ``from x import *``."""
    imports = (node for node in in_scope(tree.body) if isinstance(node, ast.ImportFrom))
    return any(alias.name == "*" for node in imports for alias in node.names)


@dataclass(frozen=True, slots=True)
class NameBinding:
    """What binds a name, and what that says of it; see `specification.BoundName`."""

    name: str
    reason: str
    node: ast.stmt
    leads_to: str = ""
    may_be_data: bool = False
    is_ours: bool = True


def _imported(node: ast.stmt, public: Collection[str], project: Collection[str]) -> Iterator[NameBinding]:
    """Yield the names that an import takes in for others: those in ``__all__``, and ``import x as x``."""
    module = f"{'.' * node.level}{node.module or ''}" if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names if isinstance(node, IMPORTS) else ():
        name = alias.asname or alias.name.partition(".")[0]
        if name in public or (alias.asname == alias.name and not name.startswith("_")):
            where = module or alias.name
            yield NameBinding(name, f"it comes from {where}", node, may_be_data=True, is_ours=_is_of(node, project))


def _made(node: ast.stmt, defined: Collection[str]) -> Iterator[NameBinding]:
    name, value = _assigned(node), getattr(node, "value", None)
    while isinstance(value, ast.NamedExpr):
        value = value.value
    if not name or not isinstance(value, ast.expr):
        return
    if isinstance(value, ast.Name | ast.Attribute) and ast.unparse(value) in defined:
        yield NameBinding(name, f"it is another name of {ast.unparse(value)}", node, leads_to=ast.unparse(value))
    elif isinstance(value, ast.Lambda):
        yield NameBinding(name, "a lambda is assigned to it", node)
    elif isinstance(value, ast.Call) and called_name(value) not in _DECLARES:
        yield NameBinding(name, f"a call of {called_name(value) or 'something'} gives it", node, may_be_data=True)
    elif isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.IfExp | ast.BoolOp):
        yield NameBinding(name, "an expression gives it", node, may_be_data=True)


def _assigned(node: ast.stmt) -> str:
    """Return the one plain name that a statement assigns to; empty where that is not what it does."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""
