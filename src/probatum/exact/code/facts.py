"""What code imports and defines, read off its tree.

Refuses to say where a name is bound in several ways, or where code could import by a text.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from probatum.exact.claim import Ruling, proved, refuted, undecided
from probatum.exact.code.findings import alive
from probatum.exact.code.names import Names, imported
from probatum.exact.code.statements import CodeFact
from probatum.exact.code.tables import words

_DYNAMIC: Final = words(
    "__import__ eval exec compile globals locals vars getattr attrgetter methodcaller import_module import_string "
    "locate load_module exec_module modules __builtins__ __loader__ __class__ __self__ __dict__ __globals__ "
    "__getattribute__"
)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOADERS: Final = words(
    "importlib runpy pkgutil imp builtins pydoc pickle marshal dill code pdb ctypes timeit cProfile"
)


def fact_of(each: CodeFact, names: Names) -> Ruling:
    """Return whether a plain fact of the code holds; the evidence holds the fact."""
    match each.sort:
        case "valid":
            return _as_claimed(each, {"valid": True}, holds=True)
        case "imports_only":
            return _imports(each, names)
        case "imports":
            modules = imported_modules(names.tree)
            is_there = any(_is_within(module, each.about[0]) for module in modules)
            if is_there and not _is_alive(names.tree, each.about[0]):
                return undecided("code.not_evident", "The import is not evidently reached.")
            if not is_there and (_may_import(names, modules) or _is_like_imported(names.tree, each.about[0])):
                return undecided("code.not_evident", "The code may import it in another way.")
            return _as_claimed(each, {"imports": modules}, holds=is_there)
        case "defines":
            kinds, reached = (*_FUNCTIONS, ast.ClassDef), {id(node) for node in alive(names.tree)}
            found = [node for node in names.tree.body if isinstance(node, kinds) and id(node) in reached]
            defined = sorted({node.name for node in found})
            if _is_bound_otherwise(names, each.about[0], is_defined=each.about[0] in defined):
                return undecided("code.not_evident", "The name is bound, but not as a function of the module itself.")
            return _as_claimed(each, {"defined": defined}, holds=each.about[0] in defined)
        case _:
            return _parameters(each, names)


def _is_bound_otherwise(names: Names, name: str, *, is_defined: bool) -> bool:
    """Return whether a name may be bound, or unbound, by anything but the definition that was found."""
    if "*" in names.bound or _may_import(names, imported_modules(names.tree)):
        return True
    if not is_defined:
        return name in names.bound
    declared = any(isinstance(node, ast.Global) and name in node.names for node in ast.walk(names.tree))
    deleted = any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Del)
        for node in ast.walk(names.tree)
    )
    return declared or deleted or len(names.module.bindings.get(name, ())) != 1


def imported_modules(tree: ast.Module) -> list[str]:
    """Return the modules that the code imports anywhere, each once, in order."""
    modules = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            modules.add("." * node.level + (node.module or ""))
    return sorted(modules)


def _is_alive(tree: ast.Module, known: str) -> bool:
    there = ast.Module([node for node in alive(tree) if isinstance(node, ast.Import | ast.ImportFrom)], [])
    return any(_is_within(module, known) for module in imported_modules(there))


def _is_like_imported(tree: ast.Module, known: str) -> bool:
    """Return whether a part of the module, or one of nearly its name, is imported."""
    known = known.lower()
    for node in ast.walk(tree):
        for alias, _, spelled in imported(node) if isinstance(node, ast.Import | ast.ImportFrom) else ():
            qualified = spelled.lower().lstrip(".")
            if f".{known}." in f".{qualified}." or _is_within(known, alias.name.lower()):
                return True
    return False


def _imports(each: CodeFact, names: Names) -> Ruling:
    modules = imported_modules(names.tree)
    strangers = [module for module in modules if not any(_is_within(module, known) for known in each.about)]
    if not strangers and _may_import(names, modules):
        return undecided("code.not_evident", "The code may import by a text.")
    return _as_claimed(each, {"imports": modules}, holds=not strangers)


def _parameters(each: CodeFact, names: Names) -> Ruling:
    name = each.about[0]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = [node for node in ast.walk(names.tree) if isinstance(node, kinds) and node.name == name]
    if (
        len(found) != 1
        or not isinstance(found[0], ast.FunctionDef)
        or found[0] not in names.tree.body
        or found[0].decorator_list
        or _is_bound_otherwise(names, name, is_defined=True)
    ):
        return undecided("code.not_evident", "There is not exactly one function of this name in the module.")
    arguments = found[0].args
    if arguments.vararg or arguments.kwarg:
        return undecided("code.not_evident", "The function takes any number of arguments.")
    count = len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)
    return _as_claimed(each, {"function": name, "parameters": count}, holds=count == each.count)


def _as_claimed(each: CodeFact, facts: Mapping[str, object], *, holds: bool) -> Ruling:
    evidence = {"form": each.sort, "facts": facts}
    if holds:
        return proved("code.holds", evidence)
    return refuted("code.fails", "The code says otherwise.", evidence)


def _is_within(module: str, known: str) -> bool:
    return module == known or module.startswith(f"{known}.")


def _may_import(names: Names, modules: list[str]) -> bool:
    words = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(names.tree)}
    return bool(words & _DYNAMIC) or any(module.partition(".")[0] in _LOADERS for module in modules)
