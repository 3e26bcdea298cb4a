"""Every call that the annotations of a function allow, where these are so few that all of them can be made.

Truth values, None, literals, members of enumerations, and unions and tuples of those. Refuses, by answering nothing, a
parameter of another type, an annotation of which a part could mean more than it says, and a product above the limit.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import product
from math import prod

from probatum.programs.inputs.generate import Call
from probatum.programs.parsing.annotations import alternatives_of, literal_values, name_of, parse_annotation, parts_of
from probatum.programs.parsing.expressions import called_name, last_name
from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.sure_types import SureTypes, sure_types
from probatum.programs.parsing.value_texts import pasteable_text
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.readings.syntax import NotReadableError
from probatum.sandbox import SourceArgument

MOST_CALLS = 256
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum"})
_Values = tuple[object, ...] | None
_WRITTEN = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.Load, ast.USub)


def every_call(function: FunctionSpec, tree: ast.Module) -> tuple[Call, ...]:
    """Return every call that the annotations allow, none where they allow too many or nothing certain."""
    types = sure_types(tree)
    rows = _product([_values_of(each, types, tree) for each in function.taken]) if function.taken else None
    by_place = [each.name for each in function.taken if each.kind != "keyword_only"]
    by_name = [each.name for each in function.taken[len(by_place) :]]
    cut = len(by_place)
    return tuple(Call(row[:cut], tuple(zip(by_name, row[cut:], strict=True))) for row in rows or ())


def _product(domains: Sequence[_Values]) -> tuple[tuple[object, ...], ...] | None:
    known = [each for each in domains if each is not None]
    is_small = len(known) == len(domains) and prod(map(len, known)) <= MOST_CALLS
    return tuple(product(*known)) if is_small else None


def _values_of(parameter: Parameter, types: SureTypes, tree: ast.Module) -> _Values:
    node = parse_annotation(parameter.annotation or "")
    # What an alias of itself means is not certain, so all others end.
    if node is None or parameter.kind.startswith("var_") or types.words(parameter.annotation or "") is None:
        return None
    values = _values(node, types, tree)
    if values is None or parameter.default is None or parameter.default in map(pasteable_text, values):
        return values
    try:
        return _joined([values, (read_value(parameter.default),)])
    except NotReadableError:
        return None


def _values(node: ast.expr, types: SureTypes, tree: ast.Module) -> _Values:
    """Return the values that an annotation allows, each once, None where they are not finitely many and known."""
    node = types.meant(node)
    name, parts = name_of(node), alternatives_of(node) or parts_of(node)
    if name == "Literal":
        listed = literal_values(node)
        return None if listed is None else _joined([tuple(listed)])
    if name in types.declared.enums:
        found = [members_of(each) for each in tree.body if isinstance(each, ast.ClassDef) and each.name == name]
        return tuple(SourceArgument(f"{name}.{each}") for each in found[0]) if len(found) == 1 and found[0] else None
    inner = [_values(each, types, tree) for each in parts]
    if alternatives_of(node) is not None:
        return _joined(inner)
    if name in {"tuple", "Tuple"} and parts:
        has_source = any(isinstance(value, SourceArgument) for each in inner for value in each or ())
        return None if has_source else _product(inner)
    return {"bool": (False, True), "None": (None,)}.get(name)


def _joined(found: Sequence[_Values]) -> _Values:
    if any(each is None for each in found):
        return None
    return tuple({pasteable_text(value): value for each in found for value in each or ()}.values())


def members_of(node: ast.ClassDef) -> tuple[str, ...] | None:
    """Return the members of an enumeration whose body shows them all: constants, ``auto()`` and methods, no more."""
    if node.decorator_list or node.keywords or len(node.bases) != 1 or last_name(node.bases[0]) not in _ENUMS:
        return None
    members: list[str] = []
    for each in node.body:
        match each:
            case ast.FunctionDef(name=method, decorator_list=[]) if method not in {"__new__", "__init__"}:
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(targets=[ast.Name(id=member)], value=value) if member[0] != "_" and _is_plain(value):
                members.append(member)
            case _:
                return None
    return tuple(members) or None


def _is_plain(value: ast.expr) -> bool:
    is_auto = isinstance(value, ast.Call) and called_name(value) == "auto" and not value.args
    return is_auto or all(isinstance(each, _WRITTEN) for each in ast.walk(value))
