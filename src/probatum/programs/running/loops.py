"""Which loops depend on nothing but plain local values: for those, a state that comes back proves that they never end.

A ``while`` loop is *closed* when it uses only names with plain values, pure built-in functions, methods of plain values
and pure functions of the file. Names that only collect (``total += x``) do not steer it. Nothing is concluded about a
loop with anything else in it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.signatures import bound_by, defined_names

_PURE_FUNCTIONS = word_set(
    "abs all any bin bool chr dict divmod enumerate float hex int isinstance len list max min oct ord pow range repr"
    " reversed round sorted str sum tuple zip"
)
_PURE_METHODS = word_set(
    "append capitalize clear copy count endswith extend find get index insert isalnum isalpha isdigit islower isspace"
    " isupper items join keys lower lstrip pop remove replace reverse rfind rstrip setdefault sort split startswith"
    " strip swapcase title update upper values zfill"
)
_COLLECTING_METHODS = frozenset({"append", "extend"})
_COLLECTING_OPERATORS = (ast.Add, ast.Sub, ast.Mult)
_OPAQUE = word_set(
    "AsyncFor AsyncWith Await ClassDef FunctionDef AsyncFunctionDef GeneratorExp Global Import ImportFrom"
    " Lambda Match Nonlocal Set SetComp Try TryStar With Yield YieldFrom"
)


@dataclass(frozen=True, slots=True)
class ClosedLoop:
    """One loop whose course is determined by the plain values of some names."""

    line: int
    column: int
    steering: tuple[str, ...]
    collecting: tuple[str, ...]


def closed_loops(tree: ast.Module) -> tuple[ClosedLoop, ...]:
    """Return the closed loops of all functions of a module, in order of position."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree)):
        return ()
    pure = _pure_functions(tree)
    bound = frozenset(name for node in ast.walk(tree) for name in bound_by(node))
    found = [
        loop
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and not _is_generator(node)
        for loop in _loops_of(node, pure, bound)
    ]
    return tuple(sorted(found, key=lambda loop: (loop.line, loop.column)))


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal) for node in ast.walk(function))


def _loops_of(
    function: ast.FunctionDef, pure: Mapping[str, ast.FunctionDef], bound: frozenset[str]
) -> Iterator[ClosedLoop]:
    for node in ast.walk(function):
        if isinstance(node, ast.While) and (loop := _closed(node, function, pure, bound)) is not None:
            yield loop


def _closed(
    loop: ast.While, function: ast.FunctionDef, pure: Mapping[str, ast.FunctionDef], bound: frozenset[str]
) -> ClosedLoop | None:
    inside = [*ast.walk(loop.test), *(node for statement in loop.body for node in ast.walk(statement))]
    local = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
    local |= set(defined_names(function.body))
    if not all(_is_transparent(node, local | (bound - pure.keys()), pure) for node in inside):
        return None
    collecting = _collecting_names(loop)
    read = {node.id for node in inside if isinstance(node, ast.Name)}
    called = {node.func.id for node in inside if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    for name in called & pure.keys():
        read |= _names_outside(pure[name], pure)
    inner = {name for node in inside if isinstance(node, ast.comprehension) for name in names_in(node.target)}
    steering = read - (called - local) - collecting - (inner - local)
    return ClosedLoop(loop.lineno, loop.col_offset, tuple(sorted(steering)), tuple(sorted(collecting)))


def _is_transparent(node: ast.AST, own: set[str], pure: Mapping[str, ast.FunctionDef]) -> bool:
    if type(node).__name__ in _OPAQUE:
        return False
    if isinstance(node, ast.Attribute):
        return node.attr in _PURE_METHODS and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return node.func.attr in _PURE_METHODS
        if not isinstance(node.func, ast.Name) or node.func.id in own:
            return False
        return node.func.id in pure or node.func.id in _PURE_FUNCTIONS
    return True


def _collecting_names(loop: ast.While) -> set[str]:
    # What the loop only adds to does not steer it.
    harmless: list[ast.Name] = []
    for statement in loop.body:
        for node in ast.walk(statement):
            match node:
                case ast.AugAssign(target=ast.Name() as target, op=op) if isinstance(op, _COLLECTING_OPERATORS):
                    harmless.append(target)
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as target, attr=method))) if (
                    method in _COLLECTING_METHODS
                ):
                    harmless.append(target)
    everywhere = [node for part in (loop.test, *loop.body) for node in ast.walk(part) if isinstance(node, ast.Name)]
    names = {each.id for each in harmless}
    known = {id(each) for each in harmless}
    return names - {node.id for node in everywhere if id(node) not in known}


def _pure_functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    bound = [name for node in ast.walk(tree) for name in bound_by(node)]
    candidates = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and bound.count(node.name) == 1 and _may_be_pure(node)
    }
    while True:
        strange = frozenset(bound) - candidates.keys()
        kept = {name: node for name, node in candidates.items() if _calls_only_pure(node, candidates, strange)}
        if len(kept) == len(candidates):
            return kept
        candidates = kept


def _may_be_pure(node: ast.FunctionDef) -> bool:
    defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
    plain = all(isinstance(each, ast.Constant) for each in defaults)
    return plain and not node.decorator_list and node.name not in _PURE_FUNCTIONS


def _calls_only_pure(node: ast.FunctionDef, pure: Mapping[str, ast.FunctionDef], strange: frozenset[str]) -> bool:
    local = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
    local |= set(defined_names(node.body))
    inside = [inner for statement in node.body for inner in ast.walk(statement)]
    return all(_is_transparent(inner, local | strange, pure) for inner in inside)


def _names_outside(node: ast.FunctionDef, pure: Mapping[str, ast.FunctionDef]) -> set[str]:
    # A pure function may call others, so their names count as well.
    seen: set[str] = set()
    waiting = [node]
    values: set[str] = set()
    while waiting:
        current = waiting.pop()
        if current.name in seen:
            continue
        seen.add(current.name)
        local = {argument.arg for argument in ast.walk(current.args) if isinstance(argument, ast.arg)}
        local |= set(defined_names(current.body))
        for inner in ast.walk(ast.Module(current.body, [])):
            if isinstance(inner, ast.comprehension):
                local |= names_in(inner.target)
        names = {name for part in current.body for name in names_in(part)} - local
        waiting += [pure[name] for name in names & pure.keys()]
        values |= names - pure.keys() - _PURE_FUNCTIONS
    return values
