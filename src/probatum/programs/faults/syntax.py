"""Small questions about concrete syntax that several parts of fault planting ask.

Answers about code only: white space, commas, brackets, annotations and decorators do not exist here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache

import libcst

from probatum.programs.parsing.scanning import word_set

_SEARCHES = frozenset({"index", "find", "rfind", "rindex", "count"})

_NOT_CODE = word_set(
    "annotation asynchronous colon comma decorators dot equal first_colon footer header lbrace lbracket"
    " leading_lines lpar rbrace rbracket returns rpar second_colon semicolon trailing_whitespace"
    " type_parameters"
)


def children(node: libcst.CSTNode) -> Iterator[libcst.CSTNode]:
    """Yield the direct children that are code: no white space, commas, brackets, annotations or decorators."""
    for name in _code_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, libcst.CSTNode):
            yield value
        elif isinstance(value, list | tuple):
            yield from (item for item in value if isinstance(item, libcst.CSTNode))


def call_name(node: libcst.CSTNode | None) -> str:
    """Return the name that a call calls: ``f`` for ``f(…)``, ``m`` for ``x.m(…)``, else an empty string."""
    if isinstance(node, libcst.Call):
        if isinstance(node.func, libcst.Name):
            return node.func.value
        if isinstance(node.func, libcst.Attribute):
            return node.func.attr.value
    return ""


@cache
def _code_fields(node_type: type[libcst.CSTNode]) -> tuple[str, ...]:
    return tuple(
        field.name
        for field in fields(node_type)
        if field.name not in _NOT_CODE and not field.name.startswith("whitespace")
    )


def descendants(node: libcst.CSTNode) -> Iterator[libcst.CSTNode]:
    """Yield the node and everything below it in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(list(children(current))))


def only_statement(body: libcst.BaseSuite) -> libcst.CSTNode | None:
    """Return the statement that is the whole body, None where there are more."""
    only = body.body[0] if len(body.body) == 1 else None
    return only.body[0] if isinstance(only, libcst.SimpleStatementLine) and len(only.body) == 1 else only


def uses_characters(around: libcst.CSTNode, node: libcst.CSTNode) -> bool:
    """Tell whether ``around`` looks an item up in ``node``, its child, or goes through its items."""
    if isinstance(around, libcst.ComparisonTarget):
        return isinstance(around.operator, libcst.In | libcst.NotIn)
    if isinstance(around, libcst.For | libcst.CompFor):
        return around.iter is node
    return isinstance(around, libcst.Attribute) and around.value is node and around.attr.value in _SEARCHES


def searched_names(code: libcst.CSTNode) -> frozenset[str]:
    """Return the names in which items are looked up, or whose items are gone through."""
    return frozenset(
        inner.value
        for around in descendants(code)
        for inner in children(around)
        if isinstance(inner, libcst.Name) and uses_characters(around, inner)
    )
