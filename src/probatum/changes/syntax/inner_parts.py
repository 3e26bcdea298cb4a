"""Parts of a changed statement: each expression in it that differs by itself, put back while all else stays.

One line can hold a fix and something else. Two versions of a function or of the head of a class are compared node by
node; where the shape is another, the expression around is the part. Refuses to take annotations, documentation and
statements of another kind apart.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.changes.syntax.file_syntax import FileText

MOST_PARTS: Final = 12
"""So many of one definition are put back."""
_SKIPPED: Final = frozenset({"annotation", "returns", "type_comment", "type_params", "ctx"})
# What has no places of its own before Python 3.12.
_WHOLE: Final = (ast.JoinedStr, ast.Constant)


@dataclass(frozen=True, slots=True)
class InnerPart:
    """A stretch of the head's text, by offsets, and what stands there if one expression is as it was."""

    start: int
    end: int
    text: str
    line: int
    last_line: int


def inner_parts(old: ast.AST, new: ast.AST, now: FileText, known: Collection[str]) -> tuple[InnerPart, ...]:
    """Return the parts in which two versions of a definition differ, where there are several.

    Left out are parts with a name that the definition itself does not use and that is not ``known``: every test would
    notice a missing name.
    """
    pairs = _pairs(old, new)
    names = {*_names(new), *known}
    found = [_part(was, node, now) for was, node in pairs if _names(was) <= names]
    return tuple(found[:MOST_PARTS]) if len(pairs) > 1 else ()


def head_of(node: ast.ClassDef) -> ast.ClassDef:
    """Return a class without its body."""
    return ast.ClassDef(node.name, node.bases, node.keywords, [], node.decorator_list)


def _names(node: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}


def _part(was: ast.expr, node: ast.expr, now: FileText) -> InnerPart:
    end_line = node.end_lineno or node.lineno
    start, end = now.offset(node.lineno, node.col_offset), now.offset(end_line, node.end_col_offset or 0)
    text = ast.unparse(was)
    is_whole = isinstance(was, (*_WHOLE, ast.Name, ast.Call))
    return InnerPart(start, end, text if is_whole else f"({text})", node.lineno, end_line)


_Pair = tuple[ast.expr, ast.expr]


def _pairs(old: ast.AST, new: ast.AST) -> list[_Pair]:
    """Return what differs: an expression of the base, and the one of the head that it takes the place of."""
    if ast.dump(old) == ast.dump(new):
        return []
    inner = _inner(old, new) if type(old) is type(new) and not isinstance(new, _WHOLE) else None
    if inner is not None:
        return inner
    return [(old, new)] if isinstance(old, ast.expr) and isinstance(new, ast.expr) else []


def _inner(old: ast.AST, new: ast.AST) -> list[_Pair] | None:
    """Return what differs within two nodes of one kind; None where they differ as a whole."""
    found: list[_Pair] = []
    if isinstance(new, ast.Expr) and isinstance(new.value, ast.Constant):
        return found
    for name in new._fields:
        was, value = getattr(old, name, None), getattr(new, name, None)
        if name in _SKIPPED or was == value:
            continue
        if name == "keywords" and isinstance(new, ast.Call) and isinstance(old, ast.Call):
            found += _keywords(old, new)
        elif isinstance(was, list) and isinstance(value, list):
            both = _aligned(was, value)
            if both is None:
                if isinstance(new, ast.stmt):
                    continue
                return None
            found += [pair for one, other in both for pair in _pairs(one, other)]
        elif isinstance(was, ast.AST) and isinstance(value, ast.AST):
            if isinstance(value, ast.expr) or type(was) is type(value):
                found += _pairs(was, value)
            else:
                return None
        elif not isinstance(new, ast.stmt):
            return None
    return found


def _aligned(old: Sequence[object], new: Sequence[object]) -> list[tuple[ast.AST, ast.AST]] | None:
    """Return which members stand for each other, of statements those between equal ones; None where that is unknown."""
    if not all(isinstance(each, ast.AST) for each in (*old, *new)):
        return None
    was, now = ([each for each in side if isinstance(each, ast.AST)] for side in (old, new))
    if len(was) == len(now):
        return list(zip(was, now, strict=True))
    if not all(isinstance(each, ast.stmt) for each in (*was, *now)):
        return None
    known, found = [ast.dump(each) for each in now], list[tuple[ast.AST, ast.AST]]()
    for position, each in enumerate(was[:-1]):
        # What stands between the same two neighbours is the same statement.
        before = ast.dump(was[position - 1]) if position else ""
        after = ast.dump(was[position + 1])
        for at in range(len(now) - 1):
            if known[at + 1] == after and (known[at - 1] if at else "") == before:
                found.append((each, now[at]))
    return found


def _keywords(old: ast.Call, new: ast.Call) -> Iterator[_Pair]:
    """Yield the keywords of a call that differ, are new or are gone, each as the call with that one as it was."""
    was, now = ({each.arg: each for each in call.keywords if each.arg} for call in (old, new))
    for name in sorted(now.keys() & was.keys()):
        yield from _pairs(was[name].value, now[name].value)
    for name in sorted(now.keys() ^ was.keys()):
        kept = [each for each in new.keywords if each.arg != name]
        back = [was[name]] if name in was else []
        yield ast.Call(new.func, new.args, [*kept, *back]), new
