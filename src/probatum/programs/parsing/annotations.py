"""Type annotations as text: what plain values they allow, and what shape such values have.

Annotations are parsed, never evaluated: a name that is not one of the well-known ones means "cannot tell". Numbers
follow the numeric tower (an int is fine for a float, a bool for an int).
"""

from __future__ import annotations

import ast
import datetime
from collections.abc import Callable, Collection
from decimal import Decimal
from fractions import Fraction
from itertools import islice

from probatum.programs.parsing.scanning import word_set
from probatum.programs.source import expression_of

# Python parses deeply nested text slowly; no annotation that people write is longer.
_LONGEST, _MOST_PARTS = 2000, 100
_PREFIXES = word_set("typing t tp typing_extensions te abc collections builtins datetime decimal fractions random")
_EXACT: dict[str, tuple[type, ...]] = {
    "int": (int, bool), "float": (float, int, bool), "complex": (complex, float, int, bool), "bool": (bool,),
    "str": (str,), "Text": (str,), "LiteralString": (str,), "bytes": (bytes, bytearray), "None": (type(None),),
    "range": (range,), "date": (datetime.date, datetime.datetime), "datetime": (datetime.datetime,),
    "time": (datetime.time,), "timedelta": (datetime.timedelta,), "bytearray": (bytearray,),
    # The sum of no numbers is 0.
    "Decimal": (Decimal, int), "Fraction": (Fraction, int),
}  # fmt: skip
_COLLECTIONS: dict[str, tuple[type, ...]] = {
    "list": (list,), "List": (list,), "set": (set,), "Set": (set,), "MutableSet": (set,),
    "MutableSequence": (list, bytearray),
    "frozenset": (frozenset,), "FrozenSet": (frozenset,), "AbstractSet": (set, frozenset),
    "Sequence": (list, tuple, str, bytes, range, bytearray),
    "Iterable": (list, tuple, str, bytes, range, set, frozenset, dict, bytearray),
    "Collection": (list, tuple, str, bytes, range, set, frozenset, dict, bytearray),
    "Container": (list, tuple, str, bytes, range, set, frozenset, dict, bytearray),
    "Reversible": (list, tuple, str, bytes, range, dict, bytearray),
    # Nothing plain is one.
    "Iterator": (), "Generator": (), "AsyncIterator": (), "AsyncGenerator": (), "AsyncIterable": (),
    "Callable": (), "type": (),
}  # fmt: skip
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_WRAPPERS = frozenset({"Annotated", "Final", "Required", "NotRequired", "ReadOnly"})
_ANYTHING = frozenset({"Any", "object"})
KNOWN_TYPES = frozenset({*_EXACT, *_COLLECTIONS, *_MAPPINGS, *_ANYTHING}) | word_set("tuple Tuple Optional Union")
"""The names of types that mean the same in every module, and to which values are held."""
PLAIN_TYPES = (
    type(None), bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict, range, datetime.date,
    datetime.datetime, datetime.time, datetime.timedelta, Decimal, Fraction, bytearray,
)  # fmt: skip


def accepts(annotation: str, value: object) -> bool | None:
    """Tell whether a plain value satisfies an annotation; None where that cannot be told.

    Unknown names, callables and values that are not plain data cannot be told.
    """
    node = parse_annotation(annotation)
    if node is None:
        return None
    return _accepts(node, value)


def parse_annotation(text: str) -> ast.expr | None:
    """Return the syntax of an annotation, None for what Python cannot parse and for more than people write."""
    is_usual = len(text) <= _LONGEST and text.count("[") + text.count("|") <= _MOST_PARTS
    return expression_of(text) if is_usual else None


def name_of(node: ast.expr) -> str:
    """Return the well-known name that an annotation (or the part before its bracket) is; empty for anything else."""
    if isinstance(node, ast.Subscript):
        return name_of(node.value)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        return node.attr if owner in _PREFIXES else ""
    return "None" if isinstance(node, ast.Constant) and node.value is None else ""


def parts_of(node: ast.expr) -> list[ast.expr]:
    """Return what stands in the brackets of an annotation."""
    if not isinstance(node, ast.Subscript):
        return []
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def alternatives_of(node: ast.expr) -> list[ast.expr] | None:
    """Return the members of a union in any of its spellings, None for anything else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [node.left, node.right]
    if name_of(node) == "Union":
        return parts_of(node)
    if name_of(node) == "Optional" and isinstance(node, ast.Subscript):
        return [node.slice, ast.Constant(None)]
    return None


def literal_values(node: ast.expr) -> list[object] | None:
    """Return the values that ``Literal[…]`` lists, None where one is not a plain constant."""
    try:
        return [ast.literal_eval(part) for part in parts_of(node)]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _accepts(node: ast.expr, value: object) -> bool | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        inner = parse_annotation(node.value)
        return None if inner is None else _accepts(inner, value)
    alternatives = alternatives_of(node)
    if alternatives is not None:
        return _joined([_accepts(each, value) for each in alternatives], any)
    name = name_of(node)
    if name in _ANYTHING:
        return True
    if type(value) not in PLAIN_TYPES:
        return None
    if name == "Literal":
        listed = literal_values(node)
        return None if listed is None else any(type(value) is type(each) and value == each for each in listed)
    if name in _WRAPPERS:
        parts = parts_of(node)
        return _accepts(parts[0], value) if parts else None
    if name in _EXACT and not isinstance(node, ast.Subscript):
        return type(value) in _EXACT[name]
    return _accepts_container(name, node, value)


def _accepts_container(name: str, node: ast.expr, value: object) -> bool | None:
    parts = parts_of(node)
    if name in {"tuple", "Tuple"}:
        return _accepts_tuple(parts, value, is_bare=not isinstance(node, ast.Subscript))
    if name in _MAPPINGS:
        if not isinstance(value, dict):
            return False
        if len(parts) != 2:
            return True if not parts else None
        keys, held = [_accepts(parts[0], key) for key in value], [_accepts(parts[1], each) for each in value.values()]
        return _joined(keys + held, all)
    if name not in _COLLECTIONS:
        return None
    if type(value) not in _COLLECTIONS[name]:
        return False
    if len(parts) != 1:
        return True if not parts else None
    items = value if isinstance(value, Collection) else ()
    # A range may have billions of items; the first ones are enough to find a wrong type.
    return _joined([_accepts(parts[0], item) for item in islice(items, 1000)], all)


def _accepts_tuple(parts: list[ast.expr], value: object, *, is_bare: bool) -> bool | None:
    if not isinstance(value, tuple):
        return False
    if is_bare:
        return True
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
        return _joined([_accepts(parts[0], item) for item in value], all)
    if any(isinstance(part, ast.Starred) for part in parts):
        return None
    if len(parts) != len(value):
        return False
    return _joined([_accepts(part, item) for part, item in zip(parts, value, strict=True)], all)


def _joined(answers: list[bool | None], join: Callable[[list[bool]], bool]) -> bool | None:
    """Join answers of which some are unknown: known only if the unknown ones could not change it."""
    pessimist = join([answer is True for answer in answers])
    optimist = join([answer is not False for answer in answers])
    return pessimist if pessimist == optimist else None
