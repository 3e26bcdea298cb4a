"""Values beside a given one at which programs often go wrong: near-duplicates, empty parts, the ends of a range.

Each value says what it is about, so that those come first that a clause is about. Refuses what no documented value
speaks for: capitals and blanks where no text has any, numbers outside of their shape's range, repetitions and other
orders where documented sequences have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from probatum.programs.inputs.container_shapes import FixedShape, GridShape, ListShape, MappingShape, RecordShape
from probatum.programs.inputs.scalar_shapes import ConstantShape, FloatShape, IntShape, Shape, UnionShape
from probatum.programs.inputs.text_shapes import TextShape

__all__ = ["About", "Letters", "Telling", "letters_of", "telling_values"]

About = Literal["size", "repeated", "member", "order", "bound"]


@dataclass(frozen=True, slots=True)
class Telling:
    """One value, and what it is about: how many there are, repetitions, membership, order, or the ends of a range."""

    about: About
    value: object


@dataclass(frozen=True, slots=True)
class Letters:
    """Which sorts of characters the texts among the arguments have."""

    small: bool = False
    capital: bool = False
    blank: bool = False


def letters_of(shapes: Sequence[Shape]) -> Letters:
    """Return the sorts of characters that texts of these shapes have, wherever they stand in them."""
    seen = "".join(text for shape in shapes for text in _alphabets(shape))
    return Letters(any(map(str.islower, seen)), any(map(str.isupper, seen)), " " in seen)


def telling_values(shape: Shape, value: object, letters: Letters) -> Iterator[Telling]:
    """Yield values beside ``value``, the most telling of each sort first; nothing for shapes that are only written."""
    if isinstance(shape, UnionShape):
        yield from _of_options(shape, value, letters)
    elif isinstance(shape, TextShape) and isinstance(value, str):
        yield from _of_text(shape, value, letters)
    elif isinstance(shape, ListShape) and isinstance(value, list | tuple):
        yield from _of_items(shape, list(value), letters)
    elif isinstance(shape, FixedShape) and isinstance(value, list | tuple):
        yield from _of_places(shape, list(value), letters)
    elif isinstance(shape, MappingShape) and isinstance(value, dict):
        yield from _of_entries(shape, value, letters)
    elif isinstance(shape, RecordShape) and isinstance(value, dict):
        yield from _of_fields(shape, value, letters)
    elif isinstance(shape, GridShape) and isinstance(value, list):
        if len(value) > 1:
            yield Telling("repeated", [*value[:-1], value[0]])
            yield Telling("order", value[::-1])
    elif isinstance(shape, IntShape) and type(value) is int:
        yield from (Telling("bound", each) for each in _ends(shape, value))
    elif isinstance(shape, FloatShape) and type(value) is float:
        yield from (Telling("bound", float(each)) for each in _ends(shape, value))


def _ends(shape: IntShape | FloatShape, value: float) -> Iterator[float]:
    """Yield the numbers of a range at which programs change their mind: its ends, zero, one, the other sign."""
    for each in dict.fromkeys((shape.low, shape.high, 0, 1, -value)):
        if shape.low <= each <= shape.high:
            yield each


def _alphabets(shape: Shape) -> Iterator[str]:
    waiting: list[Shape] = [shape]
    while waiting:
        match waiting.pop():
            case TextShape() as text:
                yield text.alphabet
            case ConstantShape() as constant:
                yield from (each for each in constant.values if isinstance(each, str))
            case ListShape() | GridShape() as sequence:
                waiting.append(sequence.item)
            case FixedShape() as fixed:
                waiting.extend(fixed.items)
            case UnionShape() as union:
                waiting.extend(union.options)
            case MappingShape() as mapping:
                waiting += [mapping.key, mapping.value]
            case RecordShape() as record:
                waiting.extend(shape for _, shape in record.fields)
            case _:
                continue


def _of_options(shape: UnionShape, value: object, letters: Letters) -> Iterator[Telling]:
    fitting = [option for option in shape.options if option.fits(value)]
    if fitting:
        yield from telling_values(fitting[0], value, letters)
    for option in dict.fromkeys(shape.options):
        if isinstance(option, ConstantShape) and not option.fits(value):
            yield from (Telling("member", each) for each in option.values)


def _of_text(shape: TextShape, value: str, letters: Letters) -> Iterator[Telling]:
    yield from (Telling("member", each) for each in _near(shape, value, letters))
    if (empty := _empty(shape)) is not None:
        yield Telling("size", empty)
    if not shape.templates:
        yield Telling("repeated", value + value)
        yield Telling("order", value[::-1])
        yield Telling("size", value[:1])


def _of_items(shape: ListShape, items: list[object], letters: Letters) -> Iterator[Telling]:
    empty = _empty(shape.item)
    if items:
        nears = [_near(shape.item, item, letters) for item in items]
        most = max(map(len, nears))
        for kind in range(most):
            yield Telling("repeated", shape.made([*items, *nears[-1][kind : kind + 1]]))
            changed = [(near[kind : kind + 1] or [item])[0] for item, near in zip(items, nears, strict=True)]
            yield Telling("member", shape.made(changed))
        for each in telling_values(shape.item, items[0], letters):
            if each.about == "bound":
                yield Telling("bound", shape.made([each.value]))
        yield Telling("repeated", shape.made([*items, items[-1]]))
        yield Telling("repeated", shape.made([items[0]] * (len(items) + 1)))
        yield from (Telling("repeated", shape.made([*items, crossed])) for crossed in _crossed(items[0], items[-1]))
        yield Telling("order", shape.made(items[::-1]))
    if empty is not None:
        yield Telling("size", shape.made([*items, empty]))
        yield Telling("size", shape.made([empty, *items]))
    if items:
        yield Telling("size", shape.made(items[:1]))
        yield Telling("size", shape.made((items * 2)[: shape.longest]))
    if shape.shortest == 0:
        yield Telling("size", shape.made([]))


def _of_places(shape: FixedShape, items: list[object], letters: Letters) -> Iterator[Telling]:
    for at, (inner, item) in enumerate(zip(shape.items, items, strict=False)):
        for each in telling_values(inner, item, letters):
            changed = [*items[:at], each.value, *items[at + 1 :]]
            yield Telling(each.about, tuple(changed) if shape.kind is tuple else changed)


def _of_entries(shape: MappingShape, value: Mapping[object, object], letters: Letters) -> Iterator[Telling]:
    keys, held = list(value), list(value.values())
    if keys:
        yield Telling("repeated", dict.fromkeys(keys, held[0]))
        yield from (Telling("member", {**value, near: held[-1]}) for near in _near(shape.key, keys[-1], letters))
        if (empty := _empty(shape.value)) is not None:
            yield Telling("size", {**value, keys[-1]: empty})
        yield Telling("order", dict(list(value.items())[::-1]))
        yield Telling("size", {keys[0]: held[0]})
    if shape.shortest == 0:
        yield Telling("size", {})


def _of_fields(shape: RecordShape, value: Mapping[object, object], letters: Letters) -> Iterator[Telling]:
    for name, inner in shape.fields:
        if name in value:
            for each in telling_values(inner, value[name], letters):
                yield Telling(each.about, {**value, name: each.value})
        if name in value and name in shape.optional:
            yield Telling("member", {key: held for key, held in value.items() if key != name})


def _near(shape: Shape, value: object, letters: Letters) -> list[object]:
    """Return what is easily taken for the value: other letters, blanks around it, another sign, another order."""
    if isinstance(shape, UnionShape):
        return next((_near(option, value, letters) for option in shape.options if option.fits(value)), [])
    if isinstance(value, str):
        found = [value.upper()] * letters.capital + [value.lower()] * letters.small
        found += [f" {value}", f"{value} "] * (letters.blank and bool(value))
        return [each for each in dict.fromkeys(found) if each != value]
    if isinstance(value, int | float) and isinstance(shape, IntShape | FloatShape):
        return [-value] if value and shape.low <= -value <= shape.high else []
    return [value[::-1]] if isinstance(value, list) and isinstance(shape, ListShape) and len(value) > 1 else []


def _crossed(first: object, last: object) -> Iterator[object]:
    """Yield records that agree with the first one in all but one place, where they have what the last one has."""
    if isinstance(first, tuple) and isinstance(last, tuple) and len(first) == len(last) > 1:
        for at, item in enumerate(last):
            yield (*first[:at], item, *first[at + 1 :])
    elif isinstance(first, dict) and isinstance(last, dict):
        for key in (key for key in first if key in last):
            yield {**first, key: last[key]}


def _empty(shape: Shape) -> object:
    """Return the empty or smallest value of a shape, None where nothing speaks for one."""
    match shape:
        case TextShape():
            return "" if shape.shortest == 0 or not shape.templates else None
        case ListShape():
            return shape.made([]) if shape.shortest == 0 else None
        case MappingShape():
            return {} if shape.shortest == 0 else None
        case IntShape():
            return 0 if shape.low <= 0 <= shape.high else None
        case UnionShape():
            return next((empty for option in shape.options if (empty := _empty(option)) is not None), None)
        case _:
            return None
