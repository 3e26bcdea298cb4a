"""Documentation of a definition besides its docstring, read from syntax.

It is in annotations (``Annotated[int, "…"]``, ``Doc("…")``, ``Field(description="…")``), in the strings of a class's
body (behind fields, after PEP 257, and methods), behind the attributes of its ``__init__``, in ``field(doc="…")``, and
in other definitions of the same name (overloads, setters, the branches of a condition). Refuses to evaluate anything:
what only running can show, ``__doc__`` that code writes included, is read at run time, see `running.shown_names`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeGuard

from probatum.programs.parsing.documents import Document, SourceText, docstring_of
from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.signatures import Definition, arguments_of, is_text
from probatum.programs.parsing.surface import DEFINITIONS, in_scope, is_alternative

_KEYWORDS = frozenset({"doc", "description", "help"})
"""Keywords by which the standard library, pydantic, attrs, typer and FastAPI take the documentation of one value."""
_DOC = "Doc"
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


@dataclass(frozen=True, slots=True)
class FurtherText:
    """One text with the source that it is reported under."""

    document: Document
    source: str = "docstring"


def docstring_literal(node: Definition | ast.ClassDef) -> ast.Constant | None:
    """Return the docstring of a definition.

    Some authors write it below the first statement, where Python sees no docstring.
    """
    for before, statement in zip((None, *node.body), node.body, strict=False):
        match statement:
            case ast.Expr(value=ast.Constant(value=str()) as literal):
                if not (isinstance(node, ast.ClassDef) and isinstance(before, _ASSIGNMENTS)):
                    return literal
    return None


def further_texts(source: SourceText, node: Definition | ast.ClassDef) -> Iterator[FurtherText]:
    """Yield what a definition's own syntax holds besides its docstring, in order."""
    literals = _of_class(node) if isinstance(node, ast.ClassDef) else _of_signature(node)
    for each in literals:
        yield FurtherText(docstring_of(source, each, str(each.value)))


def _of_class(node: ast.ClassDef) -> Iterator[ast.Constant]:
    docstring = docstring_literal(node)
    for statement in in_scope(node.body):
        if is_text(statement):
            yield from (each for each in ast.iter_child_nodes(statement) if _is_literal(each) and each is not docstring)
        if isinstance(statement, ast.AnnAssign):
            yield from _of_annotation(statement.annotation)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield from _of_call(statement.value)
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            yield from _behind_attributes(statement.body)


def _behind_attributes(body: list[ast.stmt]) -> Iterator[ast.Constant]:
    for before, statement in pairwise(in_scope(body)):
        if isinstance(before, _ASSIGNMENTS) and is_text(statement):
            yield from (each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.Constant))


def _of_signature(node: Definition) -> Iterator[ast.Constant]:
    for argument, _, default in arguments_of(node):
        yield from _of_annotation(argument.annotation)
        yield from _of_call(default)
    yield from _of_annotation(node.returns)


def _of_annotation(annotation: ast.expr | None) -> Iterator[ast.Constant]:
    for node in ast.walk(annotation) if annotation is not None else ():
        match node:
            case ast.Subscript(value=value, slice=ast.Tuple(elts=[_, *texts])) if last_name(value) == "Annotated":
                for each in texts:
                    if _is_literal(each):
                        yield each
                    yield from _of_call(each)


def _of_call(value: ast.expr | None) -> Iterator[ast.Constant]:
    """Yield the texts of ``Doc("…")`` and of ``field(doc="…")``, ``Field(description="…")``, ``Option(help="…")``."""
    if isinstance(value, ast.Call):
        arguments = value.args[:1] if last_name(value.func) == _DOC else []
        arguments += [each.value for each in value.keywords if each.arg in _KEYWORDS]
        yield from (each for each in arguments if _is_literal(each))


def _is_literal(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def other_definitions(
    scope: ast.Module | ast.ClassDef, main: Definition | ast.ClassDef
) -> Iterator[Definition | ast.ClassDef]:
    """Yield the other definitions of a name that document it: other signatures, and those of other branches.

    One that a later definition of the same block replaces documents nothing: nobody can call it.
    """
    found = _definitions_by_name(scope).get(main.name, ())
    own = {block for block, node in found if node is main}
    yield from (node for block, node in found if node is not main and (is_alternative(node) or block not in own))


@lru_cache(maxsize=8)
def _definitions_by_name(
    scope: ast.Module | ast.ClassDef,
) -> Mapping[str, Sequence[tuple[int, Definition | ast.ClassDef]]]:
    """Return the definitions of a scope by their names, each with the number of its block."""
    blocks = {id(each): number for number, block in enumerate(_blocks(scope.body)) for each in block}
    found = defaultdict(list)
    for node in in_scope(scope.body):
        if isinstance(node, DEFINITIONS):
            found[node.name].append((blocks[id(node)], node))
    return found


def _blocks(statements: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    yield statements
    for node in in_scope(statements):
        if not isinstance(node, DEFINITIONS):
            for inner in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                for field in ("body", "orelse", "finalbody"):
                    if isinstance(block := getattr(inner, field, None), list):
                        yield block
