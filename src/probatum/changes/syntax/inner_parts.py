"""Parts of a changed statement: each expression in it that differs by itself, put back while all else stays.

One line can hold a fix and something else. Two versions of a function or of the head of a class are compared node by
node; where the shape is another, the expression around is the part. A regular expression is a program of its own, and
has parts as well. Refuses to take annotations, documentation and statements of another kind apart.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from probatum.changes.syntax.file_syntax import FileText

MOST_PARTS: Final = 12
"""So many of one definition are put back."""
_SKIPPED: Final = frozenset({"annotation", "returns", "type_comment", "type_params", "ctx"})
# What has no places of its own before Python 3.12.
_WHOLE: Final = (ast.JoinedStr, ast.Constant)
_SIMPLE: Final = (ast.Expr, ast.Return, ast.Raise, ast.Assert, ast.If, ast.AugAssign, ast.Delete)
_Part = ast.expr | ast.stmt
_Pair = tuple[_Part, _Part]


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


def own_of(node: ast.AST) -> ast.AST:
    """Return a class or a module without the functions and classes in it, which are definitions of their own."""
    if not isinstance(node, ast.ClassDef | ast.Module):
        return node
    inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    body = [each for each in node.body if not isinstance(each, inner)]
    if isinstance(node, ast.Module):
        return ast.Module(body, [])
    return ast.ClassDef(node.name, node.bases, node.keywords, body, node.decorator_list)


def _names(node: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}


def _part(was: _Part, node: _Part, now: FileText) -> InnerPart:
    end_line = node.end_lineno or node.lineno
    start, end = now.offset(node.lineno, node.col_offset), now.offset(end_line, node.end_col_offset or 0)
    text = ast.unparse(was).replace("\n", "\n" + " " * node.col_offset)
    if isinstance(was, ast.Tuple) and not hasattr(was, "lineno"):
        # Two bases of a class.
        text = text[1:-1]
    is_whole = isinstance(was, (*_WHOLE, ast.Name, ast.Call, ast.stmt)) or not hasattr(was, "lineno")
    return InnerPart(start, end, text if is_whole else f"({text})", node.lineno, end_line)


def _pairs(old: ast.AST, new: ast.AST) -> list[_Pair]:
    """Return what differs: an expression or statement of the base, and that of the head which takes its place."""
    if ast.dump(old) == ast.dump(new):
        return []
    inner = _inner(old, new) if type(old) is type(new) and not isinstance(new, _WHOLE) else None
    if inner is not None:
        return inner
    if isinstance(old, ast.expr) and isinstance(new, ast.expr):
        return [(old, new)]
    return [(old, new)] if isinstance(old, _SIMPLE) and isinstance(new, _SIMPLE) else []


def _inner(old: ast.AST, new: ast.AST) -> list[_Pair] | None:
    """Return what differs within two nodes of one kind; None where they differ as a whole."""
    found: list[_Pair] = []
    if isinstance(new, ast.Expr) and isinstance(new.value, ast.Constant):
        return found
    if isinstance(new, ast.Assign) and isinstance(old, ast.Assign) and _dumps(old.targets) != _dumps(new.targets):
        return found
    for name in new._fields:
        was, value = getattr(old, name, None), getattr(new, name, None)
        if name in _SKIPPED or was == value:
            continue
        if name == "keywords" and isinstance(new, ast.Call) and isinstance(old, ast.Call):
            found += _keywords(old, new)
        elif name == "bases" and isinstance(new, ast.ClassDef) and isinstance(old, ast.ClassDef):
            found += _bases(old, new)
        elif isinstance(was, list) and isinstance(value, list):
            both = _aligned(was, value)
            if both is None:
                if isinstance(new, ast.stmt):
                    continue
                return None
            patterns = _patterns(old, new) if name == "args" else None
            found += _stretches(*patterns) if patterns else ()
            found += [pair for one, other in both[bool(patterns) :] for pair in _pairs(one, other)]
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


def _patterns(old: ast.AST, new: ast.AST) -> tuple[ast.Constant, ast.Constant] | None:
    """Return the patterns of two calls of `re`, where they are plain texts and differ."""
    found = []
    for call in (old, new):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
            return None
        first = call.args[0]
        if ast.unparse(call.func.value) != "re" or not isinstance(first, ast.Constant) or type(first.value) is not str:
            return None
        found.append(first)
    was, now = found
    return (was, now) if was.value != now.value else None


def _stretches(old: ast.Constant, new: ast.Constant) -> Iterator[_Pair]:
    """Yield a pattern with each stretch of its text that differs as it was."""
    was, now = str(old.value), str(new.value)
    for kind, start, end, first, last in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if kind != "equal":
            yield ast.Constant(now[:first] + was[start:end] + now[last:]), new


def _keywords(old: ast.Call, new: ast.Call) -> Iterator[_Pair]:
    """Yield the keywords of a call that differ, are new or are gone, each as the call with that one as it was."""
    was, now = ({each.arg: each for each in call.keywords if each.arg} for call in (old, new))
    for name in sorted(now.keys() & was.keys()):
        yield from _pairs(was[name].value, now[name].value)
    for name in sorted(now.keys() ^ was.keys()):
        kept = [each for each in new.keywords if each.arg != name]
        back = [was[name]] if name in was else []
        yield ast.Call(new.func, new.args, [*kept, *back]), new


def _bases(old: ast.ClassDef, new: ast.ClassDef) -> Iterator[_Pair]:
    """Yield a base that stands at the place of another one, and the first with each that is gone put back before it."""
    for was, node in zip(old.bases, new.bases, strict=False):
        if ast.dump(was) != ast.dump(node):
            yield was, node
    gone = [each for each in old.bases if ast.dump(each) not in _dumps(new.bases)]
    for each in gone if new.bases else ():
        first = new.bases[0]
        yield ast.Tuple([each, first], ast.Load()), first


def _dumps(nodes: Sequence[ast.AST]) -> list[str]:
    return [ast.dump(each) for each in nodes]
