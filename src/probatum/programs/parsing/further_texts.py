"""Documentation of a definition besides its docstring, read from syntax.

It is in annotations (``Annotated[int, "…"]``, ``Doc("…")``, ``Field(description="…")``), in the strings of a class's
body (behind fields, after PEP 257, and methods), behind the attributes of its ``__init__``, in ``field(doc="…")``, in
other definitions of the same name (overloads, setters, the branches of a condition), and in what the file writes into
``__doc__`` where it stands as a literal. Refuses to evaluate anything: what only running can show is read at run time,
see `running.shown_names`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeGuard

from probatum.programs.parsing.documents import Document, SourceText, docstring_of
from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.signatures import Definition, arguments_of, is_text
from probatum.programs.parsing.surface import DEFINITIONS, in_scope

ADDED = "__doc__"
"""The source of a text that the file writes into ``__doc__``."""
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


def further_texts(source: SourceText, tree: ast.Module, node: Definition | ast.ClassDef) -> Iterator[FurtherText]:
    """Yield what a definition's own syntax holds besides its docstring, in order."""
    literals = _of_class(node) if isinstance(node, ast.ClassDef) else _of_signature(tree, node)
    for each in literals:
        yield FurtherText(docstring_of(source, each, str(each.value)))


def added_texts(source: SourceText, tree: ast.Module) -> Mapping[str, tuple[FurtherText, ...]]:
    """Return the literals that the file writes into ``__doc__``, by the qualified name that they document."""
    found: dict[str, list[FurtherText]] = {}
    for owner, statement in _statements(tree.body):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        value = getattr(statement, "value", None)
        for target in targets:
            if isinstance(target, ast.Attribute) and target.attr == "__doc__" and isinstance(value, ast.expr):
                literals = _joined(value)
                texts = [FurtherText(docstring_of(source, each, str(each.value)), ADDED) for each in literals]
                found.setdefault(owner + ast.unparse(target.value), []).extend(texts)
    return {name: tuple(texts) for name, texts in found.items()}


def _joined(value: ast.expr) -> list[ast.Constant]:
    """Return the literals of ``"…"``, ``f.__doc__ + "…"`` and ``(f.__doc__ or "") + "…"``; none of anything else."""
    match value:
        case ast.Constant(value=str()):
            return [value]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_joined(left), *_joined(right)]
    return []


def _statements(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.stmt]]:
    for node in in_scope(body):
        yield owner, node
        if isinstance(node, ast.ClassDef):
            yield from _statements(node.body, f"{owner}{node.name}.")


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


def _behind_attributes(body: Sequence[ast.stmt]) -> Iterator[ast.Constant]:
    for before, statement in pairwise(body):
        if isinstance(before, _ASSIGNMENTS) and is_text(statement):
            yield from (each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.Constant))


def _of_signature(tree: ast.Module, node: Definition) -> Iterator[ast.Constant]:
    for argument, _, default in arguments_of(node):
        yield from _of_annotation(_meant(tree, argument.annotation))
        yield from _of_call(default)
    yield from _of_annotation(_meant(tree, node.returns))


def _meant(tree: ast.Module, annotation: ast.expr | None) -> ast.expr | None:
    """Return what an annotation is, where the file names it: ``Rate = Annotated[float, "in percent"]``."""
    if not isinstance(annotation, ast.Name):
        return annotation
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == annotation.id:
                return value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name == annotation.id:
                return value
    return annotation


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
    statements: list[ast.stmt], main: Definition | ast.ClassDef, alternatives: Iterable[ast.AST]
) -> Iterator[Definition | ast.ClassDef]:
    """Yield the other definitions of a name that document it: ``alternatives``, and those of other branches.

    One that a later definition of the same block replaces documents nothing: nobody can call it.
    """
    aside = {id(each) for each in alternatives}
    blocks = {id(each): number for number, block in enumerate(_blocks(statements)) for each in block}
    for node in in_scope(statements):
        if not isinstance(node, DEFINITIONS) or node.name != main.name or node is main:
            continue
        if id(node) in aside or blocks[id(node)] != blocks[id(main)]:
            yield node


def _blocks(statements: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    yield statements
    for node in in_scope(statements):
        if not isinstance(node, DEFINITIONS):
            for inner in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                for field in ("body", "orelse", "finalbody"):
                    if isinstance(block := getattr(inner, field, None), list):
                        yield block
