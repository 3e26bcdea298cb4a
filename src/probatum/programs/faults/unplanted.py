"""Places where code of a function may come from without a fault having been planted there.

A name that is bound again, text or bytes that are run as code, and whatever reaches into functions, modules, frames
and the interpreter can hide a table of the documented examples. Such a place counts where it can run: in what the
function reaches by name, and in what runs when the file is imported; an import, where that may use what it binds.
Reading is not rebinding: ``sys.modules.get``, ``globals().get`` and ``setattr(self, …)`` are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from probatum.core.errors import BudgetError
from probatum.programs.faults.targets import definitions_of, targets_of
from probatum.programs.parsing.expressions import called_name
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.signatures import bound_by

_RUNS_TEXT = frozenset({"eval", "exec"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
REACHES_IN = word_set(
    "__builtins__ __closure__ __code__ __globals__ __kwdefaults__ _current_frames _getframe addaudithook"
    " cell_contents co_code co_consts cr_frame currentframe extract_stack f_back f_builtins f_code f_globals"
    " f_locals format_stack get_objects get_referents get_referrers getinnerframes getouterframes gettrace"
    " gi_frame meta_path monitoring path_hooks setprofile setprofile_all_threads settrace settrace_all_threads"
    " tb_frame walk_stack"
)
"""Names that lead to code, frames or all objects, wherever they are used."""
_OPENS = frozenset({"_ctypes", "cffi", "ctypes"})
"""Modules that do, by whatever name."""
MAKES_CODE = frozenset({"CodeType", "FunctionType", "LambdaType"})
FROM_BYTES = frozenset({"cloudpickle", "dill", "marshal", "pickle"})
_NAMESPACES = frozenset({"__import__", "globals", "import_module", "locals", "reload", "vars"})
_CHANGES = frozenset({"__ior__", "__setattr__", "__setitem__", "clear", "pop", "setdefault", "update"})
_ALL_OF_THEM = frozenset({"copy", "items", "values"})
# What a program sets without changing what anything computes.
_HARMLESS = frozenset({"argv", "displayhook", "excepthook", "path", "stderr", "stdin", "stdout"})
_USES = (ast.Name, ast.Attribute, ast.Constant)
# What a file is asked for whose names may come from anywhere.
_NAMELESS = frozenset({"", "__getattr__"})
_RUNS, _REBINDS, _REACHES = "runs text with", "binds names through", "reaches what it calls through"


def unplanted_places(tree: ast.Module, qualname: str) -> tuple[str, ...]:
    """Return a sentence for each such place of a file."""
    name = qualname.partition(".")[0]
    lines = sorted(_binding_lines(tree.body, name))
    # Faults are planted in the last definition; an unconditional one replaces whatever was bound before it.
    defined = [statement.lineno for statement in tree.body if _defines(statement, name)]
    planted = defined[-1] if defined else min(lines, default=0)
    again = [line for line in lines if line > planted]
    places = [f"{name} is bound again at line {line}, where no mutant was made" for line in again]
    return (*places, *unplanted_routes(tree, qualname))


def unplanted_routes(tree: ast.Module, qualname: str) -> tuple[str, ...]:
    """Return a sentence for each place that may bind names without naming them, and runs for this one or on import."""
    routes = dict.fromkeys(_routes(tree))
    if any(verb != _RUNS for _, verb, _ in routes):
        running = _lines_that_run(tree, qualname)
        idle = () if _may_use_openers(tree, qualname.partition(".")[0], running) else _OPENS
        routes = {
            (line, verb, what): None
            for line, verb, what in routes
            if verb == _RUNS or (line in running and what.partition(".")[0] not in idle)
        }
    return tuple(f"line {line} {verb} {what}, where no mutant was made" for line, verb, what in routes)


def _may_use_openers(tree: ast.Module, name: str, running: set[int]) -> bool:
    """Tell whether these lines, or whoever asks for this name, may use a module of `_OPENS` that the file imports."""
    nodes = list(ast.walk(tree))
    bound = {each for node in nodes if _opened(node) for each in (*bound_by(node), *_names_of(node))}
    wanted = {*bound, *_OPENS, *_NAMESPACES, "__dict__", "getattr", "modules"}
    used = (_names_of(node) for node in nodes if isinstance(node, _USES) and node.lineno in running)
    return not bound.isdisjoint({name, "*"}) or name in _NAMELESS or any(not wanted.isdisjoint(each) for each in used)


def _lines_that_run(tree: ast.Module, qualname: str) -> set[int]:
    """Return the lines of what the function reaches by name, and of what may run when the file is imported."""
    definitions = definitions_of(tree)
    inside = {line for node in definitions.values() if isinstance(node, _FUNCTIONS) for line in _lines(node)}
    running = set(range(1, max(each.end_lineno or each.lineno for each in tree.body) + 1)) - inside
    at_import = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.lineno in running}
    try:
        for name in ({qualname} | at_import) & definitions.keys():
            running.update(
                line for target in targets_of(tree, name) for line in range(target.first_line, target.last_line + 1)
            )
    except BudgetError:
        return running | inside
    return running


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> range:
    # Decorators and default arguments stand before the first statement and run when the file is imported.
    return range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)


def _routes(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the verb and the text of each place that may bind names without naming them."""
    nodes = list(ast.walk(tree))
    imported = {name for node in nodes if isinstance(node, ast.Import) for name in bound_by(node)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in _RUNS_TEXT and isinstance(node.ctx, ast.Load):
            yield node.lineno, _RUNS, node.id
        elif isinstance(node, ast.Import | ast.ImportFrom | ast.Attribute | ast.Name | ast.Constant):
            for found in REACHES_IN.intersection(_names_of(node)) or _opened(node):
                yield node.lineno, _REACHES, found
        if isinstance(node, ast.Call) and _rebinding_call(node, imported):
            yield node.lineno, _REBINDS, ast.unparse(node.func)
        elif isinstance(node, ast.Subscript | ast.Attribute) and _rebinding_store(node, imported):
            yield node.lineno, _REBINDS, ast.unparse(node)


def _names_of(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.name for alias in node.names]
    name = getattr(node, "attr", getattr(node, "id", getattr(node, "value", None)))
    return [name] if isinstance(name, str) else []


def _opened(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [getattr(node, "module", None) or "", *_names_of(node)]
        return [each for each in modules if each.partition(".")[0] in _OPENS]
    is_frames = isinstance(node, ast.Attribute) and node.attr == "stack" and getattr(node.value, "id", "") == "inspect"
    return ["inspect.stack"] if is_frames else []


def _rebinding_call(node: ast.Call, imported: set[str]) -> bool:
    called = called_name(node)
    if called in MAKES_CODE:
        return True
    if called in {"setattr", "delattr"} and node.args:
        return _is_namespace(node.args[0], imported)
    if called in {"load", "loads", "Unpickler"} and isinstance(node.func, ast.Attribute):
        is_copy = bool(node.args) and isinstance(node.args[0], ast.Call)
        return getattr(node.func.value, "id", "") in FROM_BYTES and not is_copy
    if called in _ALL_OF_THEM and isinstance(node.func, ast.Attribute) and _is_modules(node.func.value):
        return True
    return (
        called in _CHANGES
        and isinstance(node.func, ast.Attribute)
        and not isinstance(node.func.value, ast.Name)
        and _is_namespace(node.func.value, imported)
    )


def _rebinding_store(node: ast.Subscript | ast.Attribute, imported: set[str]) -> bool:
    if isinstance(node.ctx, ast.Load):
        # A module found by a computed name may be the program's own: what is done with it cannot be followed.
        return isinstance(node, ast.Subscript) and _is_modules(node.value) and not isinstance(node.slice, ast.Constant)
    if isinstance(node, ast.Attribute):
        return node.attr not in _HARMLESS and _is_namespace(node.value, imported)
    return not isinstance(node.value, ast.Name) and _is_namespace(node.value, imported)


def _is_namespace(node: ast.expr, imported: set[str]) -> bool:
    """Tell whether an expression is a module, or what holds the names of one."""
    if isinstance(node, ast.Name):
        return node.id in imported
    if isinstance(node, ast.Call):
        is_of_object = called_name(node) == "vars" and bool(node.args) and not _is_namespace(node.args[0], imported)
        return called_name(node) in _NAMESPACES and not is_of_object
    if isinstance(node, ast.Subscript):
        return _is_modules(node.value)
    return _is_modules(node) or (
        isinstance(node, ast.Attribute) and node.attr == "__dict__" and _is_namespace(node.value, imported)
    )


def _is_modules(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "modules" and getattr(node.value, "id", "") == "sys"


def _binding_lines(body: list[ast.stmt], name: str) -> Iterator[int]:
    for statement in body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            if _defines(statement, name):
                yield statement.lineno
            continue
        for node in ast.walk(statement):
            is_deleted = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) and node.id == name
            if is_deleted or name in bound_by(node):
                yield getattr(node, "lineno", statement.lineno)


def _defines(statement: ast.stmt, name: str) -> bool:
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    marks = {ast.unparse(decorator).rpartition(".")[2] for decorator in statement.decorator_list}
    return statement.name == name and "overload" not in marks
