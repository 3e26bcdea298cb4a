"""Definitions that their author asks to leave out, by a comment on the line that begins them.

``def f(x):  # probatum: ignore[talks to the printer]``. The comment may also stand on a decorator's line, or on any
line up to the end of the signature. Refuses to leave something out without a reason.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Final

from probatum.core.errors import UsageError
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.source import module_or_none
from probatum.verification.files import Ignored

_COMMENT: Final = re.compile(r"#\s*probatum:\s*ignore\b(?:\[(?P<reason>[^\]]*)\])?")
_MARK: Final = b"probatum"


def ignored_in(request: ProgramRequest) -> tuple[Ignored, ...]:
    """Return the definitions that a program asks to leave out; raises UsageError for one without a reason."""
    content = request.content
    if _MARK not in content:
        return ()
    tree = request.tree or module_or_none(content)
    comments = dict(_comments(content)) if tree is not None else {}
    found = []
    for node in tree.body if tree is not None and comments else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            line = next((each for each in range(first, max(node.body[0].lineno, first + 1)) if each in comments), 0)
            if line:
                found.append(Ignored(node.name, line, _reason(request, line, comments[line])))
    return tuple(found)


def _comments(content: bytes) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.tokenize(io.BytesIO(content).readline):
            if token.type == tokenize.COMMENT and (match := _COMMENT.match(token.string)):
                yield token.start[0], (match["reason"] or "").strip()
    except (tokenize.TokenError, SyntaxError, ValueError):
        # What Python cannot read is told when it is judged.
        return


def _reason(request: ProgramRequest, line: int, reason: str) -> str:
    if not reason:
        sentence = f"{request.name}, line {line}: a function is left out without a reason."
        raise UsageError("ignore.no_reason", sentence, "Write it as: # probatum: ignore[why it is left out]")
    return reason
