"""From a type annotation to a shape, by its syntax alone.

Understands builtins, the typing and PEP 585/604 forms, ``Annotated`` with simple bounds, and typed dictionaries that
the same file declares. Refuses callables and every name that it does not know: such a value cannot be generated.
"""

from __future__ import annotations

import ast
import datetime
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from probatum.programs.annotations import alternatives_of, literal_values, name_of, parse_annotation, parts_of
from probatum.programs.container_shapes import FixedShape, ListShape, MappingShape, RecordShape, Sequenced
from probatum.programs.observed_shapes import TRUTH, shape_of_values, text_shape
from probatum.programs.scalar_shapes import ConstantShape, FloatShape, IntShape, Shape, UnionShape
from probatum.programs.source_literals import Literals
from probatum.programs.text_shapes import BytesShape

__all__ = ["TypedDictionaries", "shape_of_annotation", "typed_dictionaries"]

TypedDictionaries = Mapping[str, ast.ClassDef]

_ANY_TEXT = ("abc", "Hello World", "a1 b2", "xyzzy")
_SEQUENCES: dict[str, Sequenced] = {
    "list": "list", "List": "list", "Sequence": "list", "MutableSequence": "list", "Iterable": "list",
    "Collection": "list", "Container": "list", "Reversible": "list",
    "set": "set", "Set": "set", "AbstractSet": "set", "MutableSet": "set",
    "frozenset": "frozenset", "FrozenSet": "frozenset",
}  # fmt: skip
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_STEPPED: dict[str, object] = {
    "date": datetime.date(2020, 2, 28), "datetime": datetime.datetime(2020, 2, 28, 12, 30),
    "timedelta": datetime.timedelta(days=1), "time": datetime.time(12, 30),
    "Decimal": Decimal("1.5"), "Fraction": Fraction(1, 2), "complex": 1 + 2j, "range": range(5),
}  # fmt: skip
_DEEPEST = 6


def shape_of_annotation(text: str, literals: Literals, declared: TypedDictionaries, depth: int = 0) -> Shape | None:
    """Return the shape of the values that an annotation allows, None where they cannot be generated."""
    node = parse_annotation(text)
    return None if node is None else _shape(node, literals, declared, depth)


def typed_dictionaries(source: str) -> TypedDictionaries:
    """Return the classes of the file that inherit from ``TypedDict`` directly, by name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.ClassDef) and [name_of(base) for base in node.bases] == ["TypedDict"]
    }


def _shape(node: ast.expr, literals: Literals, declared: TypedDictionaries, depth: int) -> Shape | None:
    if depth > _DEEPEST:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return shape_of_annotation(node.value, literals, declared, depth + 1)
    alternatives = alternatives_of(node)
    if alternatives is not None:
        shapes = [_shape(each, literals, declared, depth + 1) for each in alternatives]
        known = tuple(shape for shape in shapes if shape is not None)
        return UnionShape(known) if known else None
    name = name_of(node)
    if name == "Literal":
        values = literal_values(node)
        return ConstantShape(tuple(values)) if values else None
    if name in {"Annotated", "Final", "Required", "NotRequired", "ReadOnly"}:
        parts = parts_of(node)
        inner = _shape(parts[0], literals, declared, depth + 1) if parts else None
        return _bounded(inner, parts[1:]) if inner is not None else None
    if name in declared:
        return _of_typed_dictionary(declared[name], literals, declared, depth)
    return _of_scalar(name, literals) or _of_container(name, node, literals, declared, depth)


def _of_scalar(name: str, literals: Literals) -> Shape | None:
    if name == "int":
        return IntShape(specials=literals.numbers)
    if name == "float":
        return UnionShape((FloatShape(specials=literals.fractions), IntShape(specials=literals.numbers)))
    if name in {"str", "Text", "LiteralString"}:
        return text_shape(_ANY_TEXT, literals)
    if name == "bytes":
        return BytesShape(text_shape(_ANY_TEXT, Literals()))
    if name == "bool":
        return TRUTH
    if name == "None":
        return ConstantShape((None,))
    if name in {"Any", "object"}:
        return UnionShape(
            (IntShape(specials=literals.numbers), text_shape(_ANY_TEXT, literals), ConstantShape((None,)))
        )
    return shape_of_values([_STEPPED[name]], literals) if name in _STEPPED else None


def _of_container(
    name: str, node: ast.expr, literals: Literals, declared: TypedDictionaries, depth: int
) -> Shape | None:
    parts = parts_of(node)
    if name in {"tuple", "Tuple"} and parts and not _is_open(parts):
        places = [_shape(part, literals, declared, depth + 1) for part in parts]
        known = tuple(place for place in places if place is not None)
        return FixedShape(known) if len(known) == len(places) else None
    inner = [_shape(part, literals, declared, depth + 1) if not _is_dots(part) else IntShape() for part in parts]
    if any(shape is None for shape in inner):
        return None
    shapes = [shape for shape in inner if shape is not None]
    item = shapes[0] if shapes else IntShape()
    if name in {"tuple", "Tuple"}:
        return ListShape(item, kind="tuple")
    if name in _SEQUENCES:
        return ListShape(item, kind=_SEQUENCES[name])
    if name in _MAPPINGS:
        return MappingShape(
            item if shapes else text_shape(("abc",), Literals()), shapes[1] if len(shapes) > 1 else IntShape()
        )
    return None


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _is_open(parts: list[ast.expr]) -> bool:
    return len(parts) == 2 and _is_dots(parts[1])


def _of_typed_dictionary(
    node: ast.ClassDef, literals: Literals, declared: TypedDictionaries, depth: int
) -> Shape | None:
    is_total = not any(
        keyword.arg == "total" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in node.keywords
    )
    fields: list[tuple[str, Shape]] = []
    optional: set[str] = set()
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            shape = _shape(statement.annotation, literals, declared, depth + 1)
            if shape is None:
                return None
            fields.append((statement.target.id, shape))
            wrapper = name_of(statement.annotation)
            if wrapper == "NotRequired" or (not is_total and wrapper != "Required"):
                optional.add(statement.target.id)
    return RecordShape(tuple(fields), frozenset(optional))


def _bounded(shape: Shape, bounds: list[ast.expr]) -> Shape:
    """Narrow a shape of numbers by ``Gt(0)``, ``Le(10)``, ``Interval(ge=1, le=6)`` and the like; ignore the rest."""
    for bound in bounds:
        if not isinstance(bound, ast.Call):
            continue
        named = {keyword.arg.lower(): keyword.value for keyword in bound.keywords if keyword.arg}
        name = bound.func.attr if isinstance(bound.func, ast.Attribute) else getattr(bound.func, "id", "")
        if len(bound.args) == 1:
            named[str(name).lower()] = bound.args[0]
        for kind, value in named.items():
            shape = _narrowed(shape, kind, value)
    return shape


def _narrowed(shape: Shape, kind: str, node: ast.expr) -> Shape:
    try:
        limit = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return shape
    if not isinstance(limit, int | float):
        return shape
    if isinstance(shape, UnionShape):
        return UnionShape(tuple(_narrowed(option, kind, node) for option in shape.options))
    if isinstance(shape, IntShape):
        low = {"gt": int(limit) + 1, "ge": int(limit)}.get(kind, shape.low)
        high = {"lt": int(limit) - 1, "le": int(limit)}.get(kind, max(shape.high, low + 50))
        specials = tuple(each for each in shape.specials if low <= each <= high)
        return replace(shape, low=min(low, high), high=high, specials=specials)
    if isinstance(shape, FloatShape):
        step = 10.0**-shape.digits
        low_limit = {"gt": limit + step, "ge": float(limit)}.get(kind, shape.low)
        high_limit = {"lt": limit - step, "le": float(limit)}.get(kind, max(shape.high, low_limit + 50))
        return replace(shape, low=min(low_limit, high_limit), high=high_limit, specials=())
    return shape
