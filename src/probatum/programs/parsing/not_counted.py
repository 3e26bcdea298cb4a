"""Text of a file that is no documentation of a definition: its module docstring, other texts, comments.

It is named in one line of the report, so that nobody takes it for checked.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from probatum.core.messages import counted, listed
from probatum.programs.parsing.places import FOR_MACHINES
from probatum.programs.parsing.signatures import is_text
from probatum.programs.parsing.surface import DEFINITIONS

_MOST = 8


def not_counted(text: str, tree: ast.Module) -> str:
    """Return the line of the report, empty where everything counts."""
    parts = [*_texts(tree)]
    comments = _comments(text)
    parts += [counted(comments, "comment")] if comments else []
    return f"Not counted: {listed(parts, _MOST)}" if parts else ""


def _texts(tree: ast.Module) -> Iterator[str]:
    for before, statement in zip((None, *tree.body), tree.body, strict=False):
        if is_text(statement) and not isinstance(before, DEFINITIONS):
            end = statement.end_lineno or statement.lineno
            lines = f"line {statement.lineno}" if end == statement.lineno else f"lines {statement.lineno} to {end}"
            yield f"{'the module docstring' if before is None else 'a text'} ({lines})"


def _comments(text: str) -> int:
    """Count the comments; lines one below the other that hold nothing else are one."""
    count, last = 0, -1
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and not FOR_MACHINES.match(token.string):
                line = token.start[0]
                alone = token.line.lstrip().startswith("#")
                count += not (alone and last == line - 1)
                last = line if alone else -1
    except (tokenize.TokenError, SyntaxError):
        return count
    return count
