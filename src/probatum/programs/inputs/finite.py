"""Every call that the annotations of a function allow, where these are so few that all of them can be made.

Truth values, None, literals, members of enumerations, and unions and tuples of those. Refuses, by answering nothing, a
parameter of another type, an annotation of which a part could mean more than it says, and a product above the limit.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import product

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
_VALUES = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.Load, ast.USub)


def every_call(function: FunctionSpec, tree: ast.Module) -> tuple[Call, ...]:
    """Return every call that the annotations allow, none where they allow too many or nothing certain."""
    types = sure_types(tree)
    domains = [_values_of(each, types, tree) for each in function.taken]
    count = 1
    for values in domains:
        count *= 0 if values is None else len(values)
    if not domains or not 0 < count <= MOST_CALLS:
        return ()
    first = [each for each in function.taken if each.kind != "keyword_only"]
    rows = product(*(values for values in domains if values is not None))
    return tuple(_called(function.taken, row, len(first)) for row in rows)


def _called(parameters: Sequence[Parameter], row: Sequence[object], by_place: int) -> Call:
    named = tuple((each.name, value) for each, value in zip(parameters[by_place:], row[by_place:], strict=True))
    return Call(tuple(row[:by_place]), named)


def _values_of(parameter: Parameter, types: SureTypes, tree: ast.Module) -> tuple[object, ...] | None:
    node = parse_annotation(parameter.annotation or "")
    if node is None or parameter.kind.startswith("var_") or types.words(parameter.annotation or "") is None:
        return None
    values = _values(node, types, tree, 0)
    if values is None or parameter.default is None:
        return values
    known = {pasteable_text(each) for each in values}
    if parameter.default in known:
        return values
    try:
        default = read_value(parameter.default)
    except NotReadableError:
        return None
    return values if pasteable_text(default) in known else (*values, default)


def _values(node: ast.expr, types: SureTypes, tree: ast.Module, depth: int) -> tuple[object, ...] | None:
    """Return the values that an annotation allows, each once, None where they are not finitely many and known."""
    if depth > 5:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        quoted = parse_annotation(node.value)
        return None if quoted is None else _values(quoted, types, tree, depth + 1)
    if isinstance(node, ast.Name) and node.id in types.direct:
        return _values(types.direct[node.id], types, tree, depth + 1)
    alternatives = alternatives_of(node)
    if alternatives is not None:
        return _joined([_values(each, types, tree, depth + 1) for each in alternatives])
    name, parts = name_of(node), parts_of(node)
    if name == "Literal":
        found = literal_values(node)
        return None if found is None else _joined([tuple(found)])
    if name in types.declared.enums:
        return _members(name, tree)
    if name in {"tuple", "Tuple"} and parts:
        inner = [_values(each, types, tree, depth + 1) for each in parts]
        known = [each for each in inner if each is not None]
        if len(known) < len(inner) or any(isinstance(value, SourceArgument) for each in known for value in each):
            return None
        size = 1
        for each in known:
            size *= len(each)
        return tuple(product(*known)) if size <= MOST_CALLS else None
    return {"bool": (False, True), "None": (None,)}.get(name)


def _joined(found: Sequence[tuple[object, ...] | None]) -> tuple[object, ...] | None:
    if any(each is None for each in found):
        return None
    return tuple({pasteable_text(value): value for each in found if each is not None for value in each}.values())


def _members(name: str, tree: ast.Module) -> tuple[object, ...] | None:
    """Return the members of an enumeration whose body shows them all: constants, ``auto()`` and methods, no more."""
    found = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef) and each.name == name]
    if len(found) != 1 or found[0].decorator_list or found[0].keywords:
        return None
    if [last_name(base) for base in found[0].bases if last_name(base) not in _ENUMS] or len(found[0].bases) != 1:
        return None
    members: list[object] = []
    for each in found[0].body:
        match each:
            case ast.FunctionDef(name=method, decorator_list=[]) if method not in {"__new__", "__init__"}:
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(targets=[ast.Name(id=member)], value=value) if member[0] != "_" and _is_plain(value):
                members.append(SourceArgument(f"{name}.{member}"))
            case _:
                return None
    return tuple(members) or None


def _is_plain(value: ast.expr) -> bool:
    is_auto = isinstance(value, ast.Call) and called_name(value) == "auto" and not value.args
    return is_auto or all(isinstance(each, _VALUES) for each in ast.walk(value))
