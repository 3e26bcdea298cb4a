"""Python as people write it into documents and readings, parsed within limits of length and depth.

Refuses, with a reason for people, what is not Python, what is too long and what is nested too deeply.
"""

from __future__ import annotations

import ast

from probatum.core.errors import ProbatumError

MAX_DEPTH = 60
"""Deepest nesting of an expression that is read."""
_MAX_LENGTH = 100_000


class NotReadableError(ProbatumError):
    """A text is not a value; ``sentence`` says why, in the words of the person who wrote it."""

    exit_code = 3

    def __init__(self, reason: str) -> None:
        super().__init__("program.value_not_readable", reason)


def parse_expression(text: str) -> ast.expr:
    """Parse one expression within the limits of length and depth; raises `NotReadableError`."""
    tree = _parse(text.strip(), "eval")
    assert isinstance(tree, ast.Expression)
    return tree.body


def expression_or_none(text: str) -> ast.expr | None:
    """Return what `parse_expression` does, None for a text that it refuses."""
    try:
        return parse_expression(text)
    except NotReadableError:
        return None


def parse_statements(text: str) -> list[ast.stmt]:
    """Parse statements within the limits of length and depth; raises `NotReadableError`."""
    tree = _parse(text, "exec")
    assert isinstance(tree, ast.Module)
    return tree.body


def _parse(text: str, mode: str) -> ast.AST:
    if len(text) > _MAX_LENGTH:
        raise NotReadableError(f"it is longer than {_MAX_LENGTH:,} characters")
    try:
        # ast.parse does not take the flag for "await" outside of a function, which documents write.
        tree = compile(text, "<document>", mode, ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError) as error:
        raise NotReadableError("it is not written as Python writes it") from error
    except (RecursionError, MemoryError) as error:
        raise NotReadableError("it is nested too deeply") from error
    assert isinstance(tree, ast.AST)
    # A text that is shorter than the limit cannot be deeper; the nodes of the whole text and of a statement count too.
    if len(text) > MAX_DEPTH and depth_of(tree) > MAX_DEPTH + 2:
        raise NotReadableError("it is nested too deeply")
    return tree


def depth_of(tree: ast.AST) -> int:
    """Return how deeply a tree is nested, counted no further than anything is read."""
    level: list[ast.AST] = [tree]
    for depth in range(MAX_DEPTH + 3):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return depth
    return MAX_DEPTH + 3
