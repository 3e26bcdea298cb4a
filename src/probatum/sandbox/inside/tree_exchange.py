"""Puts the functions of another text of a file in the place of those that were made from it.

Runs inside the sandbox, standard library only. Refuses, so that the file has to be imported anew: another constant,
class body, decorator, default value, annotation or docstring, other variables that a function borrows, functions that
nobody finds or that nobody can tell apart, and a file that was imported by another name.
"""

from __future__ import annotations

import gc
import os
import sys
import types
from collections import Counter, defaultdict
from collections.abc import Iterator

_OPTIMIZED = 1
_HAS_DOCSTRING = 1 << 26
# What computes the annotations of something, once, when it is asked for them: from Python 3.14 on.
_ANNOTATES = "__annotate__"
_PASSING = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})
_Key = tuple[str, int]


def exchange(place: str, before: bytes, now: bytes) -> bool:
    """Let every function of a file, by absolute path, do what another text says; False where that cannot be.

    A file that nobody has imported so far needs nothing: it is read when it is imported.
    """
    functions: dict[_Key, list[types.FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and each.__code__.co_filename == place:
            functions[_key(each.__code__)].append(each)
    names = {name for each in list(sys.modules.values()) if isinstance(name := getattr(each, "__file__", None), str)}
    real, own = os.path.realpath(place), os.path.basename(place)
    # Another path leads to the same file by another folder; that a link has another name is rare, and looked at too.
    others = (name for name in names if name != place and (os.path.basename(name) == own or os.path.islink(name)))
    if any(os.path.realpath(name) == real for name in others):
        return False
    if not functions and place not in names:
        return True
    try:
        old, new = (compile(text, place, "exec", dont_inherit=True) for text in (before, now))
    except (SyntaxError, ValueError, RecursionError):
        return False
    found = list(_pairs(old, new))
    pairs = [pair for pair in found if pair is not None]
    if len(pairs) < len(found):
        return False
    count = Counter(_keys(old))
    keys = [_key(each) for each, _, _ in pairs]
    # Two lambdas on one line have the same name.
    if any(count[key] > 1 for key in keys):
        return False
    return all(_put(pair, functions.get(key, [])) for pair, key in zip(pairs, keys, strict=True))


def _key(code: types.CodeType) -> _Key:
    return code.co_qualname, code.co_firstlineno


def _keys(code: types.CodeType) -> Iterator[_Key]:
    yield _key(code)
    for each in _inner(code):
        yield from _keys(each)


def _pairs(
    old: types.CodeType, new: types.CodeType, is_inner: bool = False
) -> Iterator[tuple[types.CodeType, types.CodeType, bool] | None]:
    """Yield what differs of functions, with whether another function makes it; None for a difference around them."""
    inner_old, inner_new = _lasting(old), _lasting(new)
    if old.co_name == _ANNOTATES and _differs(old, new):
        yield None
        return
    is_function = bool(old.co_flags & _OPTIMIZED)
    is_paired = [each.co_name for each in inner_old] == [each.co_name for each in inner_new]
    is_own = _own(old) != _own(new) or not is_paired or _passing_differs(old, new)
    if is_own and (not is_function or _docstring(old) != _docstring(new)):
        yield None
        return
    if is_function and (is_own or _differs(old, new)):
        yield old, new, is_inner
    if not is_paired and inner_old:
        yield None
        return
    for one, other in zip(inner_old, inner_new, strict=False):
        yield from _pairs(one, other, is_inner or is_function)


def _differs(old: types.CodeType, new: types.CodeType) -> bool:
    parts_old, parts_new = _inner(old), _inner(new)
    if _own(old) != _own(new) or len(parts_old) != len(parts_new):
        return True
    return any(map(_differs, parts_old, parts_new))


def _passing_differs(old: types.CodeType, new: types.CodeType) -> bool:
    before, now = ([each for each in _inner(code) if each.co_name in _PASSING] for code in (old, new))
    return len(before) != len(now) or any(map(_differs, before, now))


def _lasting(code: types.CodeType) -> list[types.CodeType]:
    """Return what code makes that may outlive it: a comprehension is part of the code around it."""
    return [each for each in _inner(code) if each.co_name not in _PASSING]


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [each for each in code.co_consts if isinstance(each, types.CodeType)]


def _docstring(code: types.CodeType) -> str | None:
    # Before Python 3.14 what could be one: the function has it from when it was made.
    if sys.version_info >= (3, 14) and not code.co_flags & _HAS_DOCSTRING:
        return None
    return first if code.co_consts and isinstance(first := code.co_consts[0], str) else None


def _own(code: types.CodeType) -> tuple[object, ...]:
    # With their types: 1 and True are equal.
    values = tuple(repr(each) for each in code.co_consts if not isinstance(each, types.CodeType))
    return (
        code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags,
        code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_exceptiontable, values,
    )  # fmt: skip


def _put(pair: tuple[types.CodeType, types.CodeType, bool], functions: list[types.FunctionType]) -> bool:
    _, new, is_inner = pair
    try:
        for each in functions:
            each.__code__ = new
    except ValueError:
        return False
    # What another function makes may not have been made so far.
    return bool(functions) or is_inner
