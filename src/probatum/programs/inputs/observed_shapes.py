"""From documented values to a shape: what further values would look as legal as these.

Heuristics, and stated as such: signs, magnitudes, alphabets, lengths, order and equal rows are taken over from the
values seen; nothing here knows what the function really accepts. What a document writes as an expression keeps its
text but for the literals. Refuses other values that are not plain data.
"""

from __future__ import annotations

import string
from collections.abc import Sequence

from probatum.programs.inputs.container_shapes import (
    FixedShape,
    GridShape,
    ListShape,
    MappingShape,
    Order,
    RecordShape,
    Sequenced,
    in_order,
)
from probatum.programs.inputs.fingerprints import fingerprint
from probatum.programs.inputs.scalar_shapes import (
    STEPPED,
    ConstantShape,
    FloatShape,
    IntShape,
    SteppedShape,
    UnionShape,
    ValueShape,
)
from probatum.programs.inputs.source_literals import Literals
from probatum.programs.inputs.source_shapes import SampleShape
from probatum.programs.inputs.text_shapes import BytesShape, TextShape
from probatum.sandbox import SourceArgument

TRUTH = ConstantShape((False, True))
_LONGEST = 12
_SEQUENCED: tuple[Sequenced, ...] = (list, tuple, set, frozenset)
_CLASSES = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
_ENOUGH_LETTERS = 5


def shape_of_values(
    values: Sequence[object], literals: Literals, hinted: ValueShape | None = None
) -> ValueShape | None:
    """Return a shape that all the values have, None when there are none or one is not plain data.

    ``hinted`` is what the annotation says; it fills in what the values leave open (the items of an empty list).
    """
    groups: dict[type, list[object]] = {}
    for value in values:
        groups.setdefault(type(value), []).append(value)
    shapes: list[ValueShape] = []
    for kind in sorted(groups, key=lambda each: each.__name__):
        shape = _of_one_type(kind, groups[kind], literals, hinted)
        if shape is None:
            return None
        shapes.append(shape)
    if not shapes:
        return None
    return shapes[0] if len(shapes) == 1 else UnionShape(tuple(shapes))


def _of_one_type(kind: type, values: list[object], literals: Literals, hinted: ValueShape | None) -> ValueShape | None:
    if kind is type(None):
        return ConstantShape((None,))
    if kind is bool:
        return TRUTH
    if kind is int:
        return _of_numbers([value for value in values if isinstance(value, int)], literals)
    if kind is float:
        return _of_floats([value for value in values if isinstance(value, float)], literals)
    if kind is str:
        return _of_texts([value for value in values if isinstance(value, str)], literals)
    if kind is bytes:
        texts = [value.decode("latin-1") for value in values if isinstance(value, bytes)]
        return BytesShape(text_shape(texts, Literals()))
    if kind is SourceArgument:
        return SampleShape(tuple(value for value in values if isinstance(value, SourceArgument)))
    if kind is dict:
        return _of_mappings([value for value in values if isinstance(value, dict)], literals, hinted)
    for sequenced in _SEQUENCED:
        if kind is sequenced:
            return _of_sequences(sequenced, values, literals, hinted)
    return SteppedShape(tuple(values)) if kind in map(type, STEPPED.values()) else None


def _of_numbers(values: list[int], literals: Literals) -> ValueShape:
    low, high = min(values), max(values)
    if len(values) >= 4 and set(values) == {0, 1}:
        return ConstantShape((0, 1))
    floor = min(low, 2) if low >= 0 else 2 * low
    ceiling = max(2 * high, high + 5, 10) if high > 0 else max(0, floor + 10)
    specials = [each for each in literals.numbers if (each >= 0 or low < 0) and abs(each) <= max(1000, 4 * abs(high))]
    return IntShape(floor, ceiling, tuple(specials))


def _of_floats(values: list[float], literals: Literals) -> ValueShape:
    finite = [value for value in values if abs(value) < 1e15] or [1.0]
    low, high = min(finite), max(finite)
    digits = (
        max(len(repr(value).partition(".")[2]) for value in finite) if all("e" not in repr(v) for v in finite) else 6
    )
    specials = tuple(each for each in literals.fractions if each >= 0 or low < 0)
    floor = 0.0 if low >= 0 else 2 * low
    return FloatShape(floor, max(2 * high, high + 5, 10.0), min(max(digits, 1), 6), specials)


def _of_texts(values: list[str], literals: Literals) -> ValueShape:
    distinct = tuple(sorted(set(values)))
    shape = text_shape(values, literals)
    if len(values) >= 4 and len(distinct) <= len(values) // 2 and min(len(value) for value in distinct) > 1:
        # Repeated words are names of a mode or a unit more often than free text.
        return UnionShape((*(ConstantShape((value,)) for value in distinct), shape))
    return shape


def text_shape(values: Sequence[str], literals: Literals) -> TextShape:
    """Return the shape of documented texts: their alphabet, widened to a whole class once enough of it is seen."""
    seen = sorted(set("".join(values)))
    alphabet = set(seen)
    for letters in _CLASSES:
        if len(alphabet & set(letters)) >= _ENOUGH_LETTERS:
            alphabet |= set(letters)
    mentioned = {character for text in literals.texts for character in text if len(text) <= 3}
    alphabet |= {character for character in mentioned if _sort(character) in set(map(_sort, seen))}
    lengths = [len(value) for value in values] or [8]
    spoken = [word for text in literals.texts for word in (text, *text.split()) if alphabet >= set(word)]
    has_spaces = any(" " in value for value in values)
    words = {word for value in values for word in value.split()} | {word for word in spoken if word.strip()}
    known = sorted((word for word in words if has_spaces or len(word) > 1), key=lambda word: (len(word), word))
    structured = [value for value in sorted(set(values)) if len(value) <= 60 and _is_structured(value)]
    return TextShape(
        "".join(sorted(alphabet)) or "ab",
        min([*lengths, 1]),
        max(4, min(max(lengths) + 2, 16)),
        tuple([word for word in known if len(word) <= 20][:32]),
        tuple(structured) if 2 * len(structured) > len({value for value in values if value}) else (),
    )


def _sort(character: str) -> str:
    if character.isalpha():
        return "letter"
    return "digit" if character.isdigit() else "space" if character.isspace() else "sign"


def _is_structured(text: str) -> bool:
    """Signs or spaces between letters or digits: a date, an expression, a sentence; random characters are not one."""
    return len(text) > 2 and len(set(map(_sort, text))) > 1


def _of_sequences(
    kind: Sequenced, values: list[object], literals: Literals, hinted: ValueShape | None
) -> ValueShape | None:
    sequences: list[list[object]] = [
        list(value) for value in values if isinstance(value, list | tuple | set | frozenset)
    ]
    items = [item for sequence in sequences for item in sequence]
    lengths = [len(sequence) for sequence in sequences]
    if kind in {list, tuple} and _is_record_like(kind, sequences):
        return _of_places(kind, sequences, literals)
    if kind is list and items and all(type(item) is list for item in items):
        grid = _of_rows([[row for row in each if isinstance(row, list)] for each in sequences], literals)
        if grid is not None:
            return grid
    inner = hinted.item if isinstance(hinted, ListShape) else None
    item = shape_of_values(items, literals, inner) if items else inner or IntShape(0, 20)
    if item is None:
        return None
    return ListShape(
        item,
        0 if 0 in lengths else 1,
        min(max(max(lengths) + 3, 6), max(_LONGEST, max(lengths) + 1)),
        kind,
        _common_order(sequences) if kind in {list, tuple} else "any",
        _is_always_distinct(sequences),
    )


def _is_record_like(kind: Sequenced, sequences: list[list[object]]) -> bool:
    """Tuples of one length, or lists of one length whose places hold different types, are read place by place."""
    lengths = {len(sequence) for sequence in sequences}
    if len(lengths) != 1 or not 1 <= max(lengths) <= 8:
        return False
    if kind is tuple:
        return len(sequences) > 1 or max(lengths) <= 3
    return any(len({type(item) for item in sequence}) > 1 for sequence in sequences) and all(
        len({type(sequence[place]) for sequence in sequences}) == 1 for place in range(max(lengths))
    )


def _of_places(kind: Sequenced, sequences: list[list[object]], literals: Literals) -> ValueShape | None:
    shapes: list[ValueShape] = []
    for place in range(len(sequences[0])):
        shape = shape_of_values([sequence[place] for sequence in sequences], literals)
        if shape is None:
            return None
        shapes.append(shape)
    return FixedShape(tuple(shapes), kind)


def _of_rows(tables: list[list[list[object]]], literals: Literals) -> ValueShape | None:
    """Return the shape of tables with equal rows, None where rows differ in length within a table."""
    if any(len({len(row) for row in table}) > 1 for table in tables):
        return None
    if all(len(table) < 2 for table in tables):
        return None
    item = shape_of_values([cell for table in tables for row in table for cell in row], literals)
    if item is None:
        return None
    full = [table for table in tables if table]
    most_rows = min(max(len(table) for table in full) + 1, 8)
    most_columns = min(max(len(table[0]) for table in full) + 1, 8)
    is_square = all(len(table) == len(table[0]) for table in full)
    return GridShape(item, (1, most_rows), (1, most_columns), is_square)


def _common_order(sequences: list[list[object]]) -> Order:
    telling = [sequence for sequence in sequences if len(sequence) > 2]
    if len(telling) >= 2:
        orders: tuple[Order, ...] = ("ascending", "descending")
        for order in orders:
            if all(
                in_order(sequence, order) == sequence and len(set(map(fingerprint, sequence))) > 1
                for sequence in telling
            ):
                return order
    return "any"


def _is_always_distinct(sequences: list[list[object]]) -> bool:
    telling = [sequence for sequence in sequences if len(sequence) > 3]
    return len(telling) >= 3 and all(len(set(map(fingerprint, sequence))) == len(sequence) for sequence in telling)


def _of_mappings(
    values: list[dict[object, object]], literals: Literals, hinted: ValueShape | None
) -> ValueShape | None:
    keys = {tuple(value) for value in values}
    held = [item for value in values for item in value.values()]
    if isinstance(hinted, RecordShape) or (
        len(values) > 1 and len(keys) == 1 and all(type(k) is str for k in values[0])
    ):
        return _of_records(values, literals)
    inner = hinted if isinstance(hinted, MappingShape) else None
    names = [key for value in values for key in value]
    key = shape_of_values(names, literals) if names else (inner.key if inner else TextShape("abc"))
    value = shape_of_values(held, literals) if held else (inner.value if inner else IntShape(0, 20))
    if key is None or value is None:
        return None
    lengths = [len(each) for each in values]
    return MappingShape(key, value, 0 if 0 in lengths else 1, min(max(lengths) + 2, 8))


def _of_records(values: list[dict[object, object]], literals: Literals) -> ValueShape | None:
    fields: list[tuple[str, ValueShape]] = []
    names = list(dict.fromkeys(str(key) for value in values for key in value))
    for name in names:
        shape = shape_of_values([value[name] for value in values if name in value], literals)
        if shape is None:
            return None
        fields.append((name, shape))
    return RecordShape(tuple(fields), frozenset(name for name in names if any(name not in value for value in values)))
