"""The syntax of one statement, or of the header of a compound one, without layout, comments, quotes and annotations.

An annotation counts only where it does something: it calls, or a class makes fields of it. Nothing here is recursive,
because expressions may be nested deeply. Refuses to know what a statement means.
"""

from __future__ import annotations

import ast
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Final

from probatum.programs.source import UNPARSABLE, parsed

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
"""What a definition is, in a class or in a module."""
BLOCKS: Final = ("body", "handlers", "orelse", "finalbody", "cases")
"""The fields of a compound statement that hold statements, in their order in the text."""
_NO_SYNTAX: Final = frozenset({"ctx", "kind", "type_comment", "type_ignores", "type_params", "simple"})
_ANNOTATIONS: Final = frozenset({"annotation", "returns"})
# Annotations that say how a field behaves, whatever its type.
_FIELD_FORMS: Final = frozenset({"ClassVar", "InitVar", "KW_ONLY"})


@lru_cache(64)
def tree_of(content: bytes) -> ast.Module | None:
    """Return the syntax of a file, read once for all who ask; None if it is no Python, too large or too deep."""
    try:
        tree = parsed(content)
        # What is too deep to be written is too deep for whoever follows it by recursion.
        ast.unparse(tree)
    except UNPARSABLE:
        return None
    return tree


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name, called or subscripted or not; empty for any other expression."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_generator(function: ast.AST) -> bool:
    """Return whether a function yields itself, not one that is defined in it."""
    pending = list(ast.iter_child_nodes(function))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, Definition | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))
    return False


def signature_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the parameters as they may be given: names, kinds, and which may be left out."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    needed = len(plain) - len(given.defaults)
    shown = [each.arg + ("=…" if index >= needed else "") for index, each in enumerate(plain)]
    if given.posonlyargs:
        shown.insert(len(given.posonlyargs), "/")
    if given.vararg or given.kwonlyargs:
        shown.append("*" + (given.vararg.arg if given.vararg else ""))
    shown += [
        each.arg + ("=…" if value else "") for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    shown += [f"**{given.kwarg.arg}"] if given.kwarg else []
    return f"({', '.join(shown)})"


def annotations_of(node: ast.AST) -> list[str]:
    """Return the annotations in a statement or in the header of a function, as one text each."""
    if isinstance(node, ast.AnnAssign):
        return [_plain(node.annotation)]
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    given = node.args
    every = (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg)
    found = [each.annotation if each else None for each in every]
    return [_plain(each) if each else "" for each in (*found, node.returns)]


def imported_names(statement: ast.AST) -> list[str]:
    """Return each name that an import binds and what it stands for, as ``name = what``."""
    if isinstance(statement, ast.Import):
        return [f"{each.asname or each.name.split('.')[0]} = {each.name}" for each in statement.names]
    if isinstance(statement, ast.ImportFrom):
        origin = "." * statement.level + (statement.module or "")
        return [f"{each.asname or each.name} = {origin}:{each.name}" for each in statement.names]
    return []


def bound_names(node: ast.AST) -> tuple[str, ...]:
    """Return the names that a statement, without the blocks below it, binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return tuple(each.split(" = ")[0] for each in imported_names(node))
    parts = [each for name, each in ast.iter_fields(node) if name not in BLOCKS]
    parts = [each for part in parts for each in (part if isinstance(part, list) else [part])]
    found = (each for part in parts if isinstance(part, ast.AST) for each in ast.walk(part))
    return tuple(each.id for each in found if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))


def _plain(node: ast.AST) -> str:
    return digest_of(written_syntax(node, "", False)).hex()


def digest_of(parts: list[str]) -> bytes:
    """Return a short digest of the parts of a syntax."""
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _counts(annotation: ast.AST, fields: str) -> bool:
    """Return whether an annotation changes what the program does: it calls something, or a class reads it."""
    return fields == "types" or any(
        isinstance(each, ast.Call) or (isinstance(each, ast.Name | ast.Attribute) and last_name(each) in _FIELD_FORMS)
        for each in ast.walk(annotation)
    )


@cache
def _syntax_fields(name: str) -> tuple[str, ...]:
    """Return the fields of a kind of node in which syntax is, but for annotations and blocks of statements."""
    kind: type[ast.AST] = getattr(ast, name)
    blocks = BLOCKS if issubclass(kind, ast.stmt | ast.excepthandler | ast.match_case) else ()
    return tuple(each for each in kind._fields if each not in {*_NO_SYNTAX, *_ANNOTATIONS, *blocks})


def written_syntax(root: ast.AST, fields: str, is_unit: bool) -> list[str]:
    """Return the syntax of a statement without the blocks below it; not recursive, since expressions may be deep."""
    parts, stack = list[str](), list[object]([root])
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            parts.append(f"[{len(node)}")
            stack += reversed(node)
        elif isinstance(node, ast.AST):
            name, kept = type(node).__name__, _syntax_fields(type(node).__name__)
            annotation = getattr(node, "returns" if isinstance(node, Definition) else "annotation", None)
            if annotation is not None and _counts(annotation, fields if isinstance(node, ast.AnnAssign) else ""):
                kept = (*kept, "returns" if isinstance(node, Definition) else "annotation")
            elif isinstance(node, ast.AnnAssign) and node.value is not None and not fields:
                # A name has the same value with an annotation, but where annotations make fields.
                name, node, kept = "Assign", ast.Assign([node.target], node.value), _syntax_fields("Assign")
            if is_unit and node is root:
                kept = tuple(each for each in kept if each != "name")
            parts.append(name)
            stack += [getattr(node, each, None) for each in reversed(kept)]
        else:
            # Python does not write the decimal digits of a very long number.
            parts.append(hex(node) if type(node) is int else repr(node))
    return parts
