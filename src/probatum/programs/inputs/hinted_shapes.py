"""From a type annotation to a shape, by its syntax alone.

Understands builtins, the typing and PEP 585/604 forms, ``Annotated`` with simple bounds, functions, iterators, random
generators, and what the same file declares: enumerations, records, typed dictionaries, classes with annotated
constructors, protocols and abstract classes, aliases.
Refuses every name that it does not know: such a value cannot be generated.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from probatum.programs.inputs.choices import SeededChoices
from probatum.programs.inputs.container_shapes import FixedShape, ListShape, MappingShape, RecordShape, Sequenced
from probatum.programs.inputs.observed_shapes import TRUTH, shape_of_values, text_shape
from probatum.programs.inputs.scalar_shapes import STEPPED, ConstantShape, FloatShape, IntShape, UnionShape, ValueShape
from probatum.programs.inputs.source_literals import Literals
from probatum.programs.inputs.source_shapes import (
    ArgumentsShape,
    DoubleShape,
    FieldShape,
    WrittenShape,
    function_texts,
    written,
)
from probatum.programs.inputs.text_shapes import BytesShape, TextShape
from probatum.programs.parsing.annotations import alternatives_of, literal_values, name_of, parse_annotation, parts_of
from probatum.programs.parsing.declared_types import DeclaredTypes
from probatum.programs.parsing.expressions import called_name
from probatum.sandbox import SourceArgument

_ANY_TEXT = ("abc", "Hello World", "a1 b2", "xyzzy")
_SEQUENCES: dict[str, Sequenced] = {
    "list": list, "List": list, "Sequence": list, "MutableSequence": list, "Iterable": list,
    "Collection": list, "Container": list, "Reversible": list,
    "set": set, "Set": set, "AbstractSet": set, "MutableSet": set,
    "frozenset": frozenset, "FrozenSet": frozenset,
}  # fmt: skip
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_WRITTEN: dict[str, tuple[str, str]] = {
    "Iterator": ("list", "iter("), "Generator": ("list", "iter("),
    "deque": ("list", "__import__('collections').deque("), "Deque": ("list", "__import__('collections').deque("),
    "Counter": ("list", "__import__('collections').Counter("),
    "OrderedDict": ("dict", "__import__('collections').OrderedDict("),
}  # fmt: skip
_TEXT_STREAMS = frozenset({"TextIO", "StringIO"})
_CONSTANT_FUNCTIONS = 2
_GENERATORS = 5
_DEEPEST = 6
_DEEPEST_ITSELF = 2
"""How many objects of a class may stand inside each other."""


def shape_of_annotation(text: str, literals: Literals, declared: DeclaredTypes, depth: int = 0) -> ValueShape | None:
    """Return the shape of the values that an annotation allows, None where they cannot be generated."""
    node = parse_annotation(text)
    return None if node is None else _shape(node, literals, declared, depth)


def _shape(node: ast.expr, literals: Literals, declared: DeclaredTypes, depth: int) -> ValueShape | None:
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
    if name in declared.names:
        return _of_declared(name, literals, declared, depth)
    return (
        _of_scalar(name, literals)
        or _of_container(name, node, literals, declared, depth)
        or _of_written(name, node, literals, declared, depth)
    )


def _of_declared(name: str, literals: Literals, declared: DeclaredTypes, depth: int) -> ValueShape | None:
    """Return the shape of what the file itself calls by this name."""
    if name in declared.dictionaries:
        return _of_typed_dictionary(declared.dictionaries[name], literals, declared, depth)
    if name in declared.enums:
        return _of_texts(f"{name}.{member}" for member in declared.enums[name])
    if name in declared.aliases:
        return _shape(declared.aliases[name], literals, declared, depth + 1)
    if name in declared.records:
        return _of_record(name, literals, declared, depth)
    if heirs := declared.heirs.get(name):
        known = [_of_record(heir, literals, declared, depth) for heir in heirs]
        shapes = tuple(shape for shape in known if shape is not None)
        return UnionShape(shapes) if shapes else None
    return _of_double(name, literals, declared, depth) if name in declared.doubles else None


def _of_double(name: str, literals: Literals, declared: DeclaredTypes, depth: int) -> ValueShape | None:
    if _is_deep_enough(name, declared):
        return None
    inside = replace(declared, making=(*declared.making, name))
    members = declared.doubles[name]
    shapes = [(each, _shape(each.annotation, literals, inside, depth + 1)) for each in members]
    known = [(each, shape) for each, shape in shapes if shape is not None]
    attributes = tuple((each.name, shape) for each, shape in known if not each.is_method)
    methods = tuple((each.name, shape) for each, shape in known if each.is_method)
    return DoubleShape(name, attributes, methods) if len(known) == len(members) else None


def _of_texts(texts: Iterable[str]) -> ValueShape:
    return ConstantShape(tuple(map(SourceArgument, texts)))


def _of_record(name: str, literals: Literals, declared: DeclaredTypes, depth: int) -> ValueShape | None:
    if _is_deep_enough(name, declared):
        return None
    inside = replace(declared, making=(*declared.making, name))
    fields: list[FieldShape] = []
    for field in declared.records[name]:
        shape = _shape(field.annotation, literals, inside, depth + 1)
        if shape is not None:
            fields.append(FieldShape(field.name, shape, field.is_required, field.by_position))
        elif field.is_required:
            return None
    return WrittenShape(ArgumentsShape(tuple(fields)), f"{name}(", ")")


def _is_deep_enough(name: str, declared: DeclaredTypes) -> bool:
    return declared.making.count(name) >= _DEEPEST_ITSELF


def _of_written(
    name: str, node: ast.expr, literals: Literals, declared: DeclaredTypes, depth: int
) -> ValueShape | None:
    """Return the shape of functions, iterators and containers that are written as expressions."""
    if name == "Callable":
        return _of_functions(parts_of(node), literals, declared, depth)
    if name == "Random":
        return _of_texts(f"__import__('random').Random({seed})" for seed in range(_GENERATORS))
    if name in _TEXT_STREAMS:
        return WrittenShape(text_shape(_ANY_TEXT, literals), "__import__('io').StringIO(", ")")
    if name not in _WRITTEN:
        return None
    container, before = _WRITTEN[name]
    parts = parts_of(node)[: 2 if container == "dict" else 1]
    bare = ast.Name(container)
    like = ast.Subscript(bare, ast.Tuple(list(parts))) if parts else bare
    inner = _of_container(container, like, literals, declared, depth)
    return WrittenShape(inner, before, ")") if inner is not None else None


def _of_functions(parts: list[ast.expr], literals: Literals, declared: DeclaredTypes, depth: int) -> ValueShape | None:
    takes = [name_of(each) for each in parts[0].elts] if parts and isinstance(parts[0], ast.List) else None
    gives = parts[1] if len(parts) == 2 else ast.Constant(None)
    result = _shape(gives, literals, declared, depth + 1)
    if result is None:
        return None
    # The seed is the annotation itself: the same type has the same functions in every program.
    choices = SeededChoices(ast.unparse(gives))
    constants = sorted({written(result.draw(choices)) for _ in range(_CONSTANT_FUNCTIONS)})
    return _of_texts(function_texts(takes, name_of(gives), constants))


def _of_scalar(name: str, literals: Literals) -> ValueShape | None:
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
    return shape_of_values([STEPPED[name]], literals) if name in STEPPED else None


def _of_container(
    name: str, node: ast.expr, literals: Literals, declared: DeclaredTypes, depth: int
) -> ValueShape | None:
    parts = parts_of(node)
    if name in {"tuple", "Tuple"} and parts and not _is_open(parts):
        places = [_shape(part, literals, declared, depth + 1) for part in parts]
        known = tuple(place for place in places if place is not None)
        return FixedShape(known) if len(known) == len(places) else None
    inner = [_shape(part, literals, declared, depth + 1) if not _is_dots(part) else IntShape() for part in parts]
    if any(shape is None for shape in inner):
        ends = any(_is_deep_enough(each, declared) for part in parts for each in _names_in(part))
        return ListShape(IntShape(), 0, 0, _SEQUENCES[name]) if ends and name in _SEQUENCES else None
    shapes = [shape for shape in inner if shape is not None]
    item = shapes[0] if shapes else IntShape()
    if name in {"tuple", "Tuple"}:
        return ListShape(item, kind=tuple)
    if name in _SEQUENCES:
        return ListShape(item, kind=_SEQUENCES[name])
    if name in _MAPPINGS:
        return MappingShape(
            item if shapes else text_shape(("abc",), Literals()), shapes[1] if len(shapes) > 1 else IntShape()
        )
    return None


def _names_in(node: ast.expr) -> list[str]:
    """Return the names that an annotation mentions, also in quotes."""
    names: list[str] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            names.append(part.id)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            inner = parse_annotation(part.value)
            names += _names_in(inner) if inner is not None and not isinstance(inner, ast.Constant) else []
    return names


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _is_open(parts: list[ast.expr]) -> bool:
    return len(parts) == 2 and _is_dots(parts[1])


def _of_typed_dictionary(
    node: ast.ClassDef, literals: Literals, declared: DeclaredTypes, depth: int
) -> ValueShape | None:
    is_total = not any(
        keyword.arg == "total" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in node.keywords
    )
    fields: list[tuple[str, ValueShape]] = []
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


def _bounded(shape: ValueShape, bounds: list[ast.expr]) -> ValueShape:
    """Narrow a shape by ``Gt(0)``, ``Interval(ge=1, le=6)``, ``MinLen(1)``, ``Len(1, 5)`` and the like.

    The rest is ignored.
    """
    for bound in bounds:
        if not isinstance(bound, ast.Call):
            continue
        named = {keyword.arg.lower(): keyword.value for keyword in bound.keywords if keyword.arg}
        name = called_name(bound)
        if name == "Len" and bound.args:
            named |= dict(zip(("min_length", "max_length"), bound.args, strict=False))
        elif len(bound.args) == 1:
            named[name.lower()] = bound.args[0]
        for kind, value in named.items():
            shape = _narrowed(shape, kind.replace("minlen", "min_length").replace("maxlen", "max_length"), value)
    return shape


def _narrowed(shape: ValueShape, kind: str, node: ast.expr) -> ValueShape:
    try:
        limit = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return shape
    if not isinstance(limit, int | float):
        return shape
    if isinstance(shape, UnionShape):
        return UnionShape(tuple(_narrowed(option, kind, node) for option in shape.options))
    if isinstance(shape, ListShape | TextShape):
        shortest = max(shape.shortest, int(limit)) if kind == "min_length" else shape.shortest
        longest = int(limit) if kind == "max_length" else max(shape.longest, shortest + 4)
        return replace(shape, shortest=min(shortest, longest), longest=longest)
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
