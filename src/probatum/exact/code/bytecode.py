"""Looks at what Python compiles code to, as a second opinion that shares nothing with the analysis of the tree.

Refuses code whose instructions load, import or read a name that is not listed, or that build classes, enter contexts,
await, or set attributes. Nothing is run.
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Final

from probatum.exact.code.tables import words

_LOADS: Final = frozenset(("LOAD_NAME", "LOAD_GLOBAL"))
_STORES: Final = frozenset(("STORE_NAME", "STORE_GLOBAL"))
_READS: Final = frozenset(("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM"))
_REFUSED: Final = words(
    "STORE_ATTR DELETE_ATTR LOAD_BUILD_CLASS BEFORE_WITH BEFORE_ASYNC_WITH LOAD_SPECIAL SETUP_WITH GET_AITER GET_ANEXT "
    "GET_AWAITABLE IMPORT_STAR LOAD_CLASSDEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_FROM_DICT_OR_DEREF LOAD_LOCALS "
    "LOAD_SUPER_ATTR MATCH_CLASS LOAD_BUILTINS BUILD_TEMPLATE BUILD_INTERPOLATION"
)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all that are nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


def require_listed(code: CodeType, listed: Iterable[str]) -> None:
    """Raise ValueError where compiled code uses a name from outside that is not listed by its full spelling."""
    spelled = set(listed)
    tops = {each.removeprefix("builtins.") for each in spelled if each.startswith("builtins.")}
    parts = {part for each in spelled if not each.startswith("builtins.") for part in (each.rpartition(".")[2], each)}
    modules = parts | {each.rpartition(".")[0] for each in spelled}
    instructions = [each for one in codes_in(code) for each in dis.get_instructions(one)]
    stored = {each.argval for each in instructions if each.opname in _STORES}
    for each in instructions:
        if each.opname in _REFUSED:
            raise ValueError("the compiled code does what is not analysed")
        known = {**dict.fromkeys(_LOADS, stored | tops), **dict.fromkeys(_READS, parts), "IMPORT_NAME": modules}
        if each.opname in known and each.argval not in known[each.opname]:
            raise ValueError("the compiled code uses a name that is not listed")
