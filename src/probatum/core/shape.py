"""Values as JSON and back: typed members of foreign JSON, and an error that names the place of what has another type.

A `Shape` is a value and its place, such as ``observations[2].mutants[0]``. Its readers take a key, or an index of a
list; without one they read the value itself. Refuses a boolean as a number, a number that is not finite, an unknown
key, and a text that is not a value of the enumeration asked for.

`json_of` writes a dataclass by its fields, `Shape.into` reads it back by their types; a field with the metadata `RARE`
is written only where it holds something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from math import inf, isfinite
from types import NoneType, UnionType
from typing import Any, Final, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from probatum.core.canonical import JsonValue
from probatum.core.errors import nearest
from probatum.core.outside import visible

Member = TypeVar("Member", bound=Enum)
Made = TypeVar("Made")
Step = str | int | None
SHOWN: Final = 60
RARE: Final[Mapping[str, bool]] = {"rare": True}
"""The metadata of a field with a default that JSON leaves out where it is empty."""


class ShapeError(ValueError):
    """Something has another shape than was asked for: its place, what was expected and what came."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Shape:
    """A JSON value and its place; the place of a whole document is empty."""

    value: object
    place: str = ""

    def text(self, step: Step = None, least: int = 0) -> str:
        """Return text of at least so many characters."""
        value = self._at(step)
        if type(value) is str and len(value) >= least:
            return value
        return self.refuse(f"expected text, got {shown(value)}", step)

    def words(self, step: Step = None) -> str:
        """Return text that is not blank."""
        text = self.text(step)
        return text if text and not text.isspace() else self.refuse(f"expected text, got {shown(text)}", step)

    def texts(self, step: Step = None) -> tuple[str, ...]:
        """Return a list of texts."""
        items = self.raw_list(step)
        # A Shape for each item is only made to name the place of a wrong one.
        if any(type(item) is not str for item in items):
            return tuple(each.text() for each in self.items(step))
        return tuple(items)  # type: ignore[arg-type]  # just checked

    def whole(self, step: Step = None, least: float = -inf, most: float = inf) -> int:
        """Return a whole number within bounds."""
        value = self._at(step)
        if type(value) is int and least <= value <= most:
            return value
        return self.refuse(f"expected a whole number{_bounds(least, most)}, got {shown(value)}", step)

    def number(self, step: Step = None, least: float = -inf, most: float = inf) -> int | float:
        """Return a finite number within bounds."""
        value = self._at(step)
        # Not isinstance: a boolean is an int for Python.
        is_number = type(value) is int or (type(value) is float and isfinite(value))
        if is_number and least <= value <= most:  # type: ignore[operator]  # just checked
            return value  # type: ignore[return-value]  # likewise
        return self.refuse(f"expected a number{_bounds(least, most)}, got {shown(value)}", step)

    def flag(self, step: Step = None) -> bool:
        """Return true or false."""
        value = self._at(step)
        return value if type(value) is bool else self.refuse(f"expected true or false, got {shown(value)}", step)

    def choice(self, among: type[Member], step: Step = None) -> Member:
        """Return the member of an enumeration that has this value."""
        value = self._at(step)
        if type(value) is str:
            try:  # suppress() would take longer than the rest of this reader.
                return among(value)
            except ValueError:
                pass
        known = ", ".join(str(each.value) for each in among)
        return self.refuse(f"expected one of {known}, got {shown(value)}", step)

    def raw(self, step: Step = None) -> JsonValue:
        """Return whatever stands there."""
        return self._at(step)  # type: ignore[return-value]  # what is read is JSON

    def raw_list(self, step: Step = None, least: int = 0, most: float = inf) -> list[JsonValue]:
        """Return a list with a number of items within bounds, as it is."""
        value = self._at(step)
        if not isinstance(value, list):
            return self.refuse(f"expected a list, got {shown(value)}", step)
        if not least <= len(value) <= most:
            return self.refuse(f"expected a list of items{_bounds(least, most)}, got {shown(value)}", step)
        return value

    def raw_object(self, step: Step = None) -> dict[str, JsonValue]:
        """Return an object, as it is."""
        value = self._at(step)
        return value if isinstance(value, dict) else self.refuse(f"expected an object, got {shown(value)}", step)

    def items(self, step: Step = None, least: int = 0, most: float = inf) -> Iterator[Shape]:
        """Yield the items of a list, each with its place."""
        place, values = self.place_of(step), self.raw_list(step, least, most)
        return (Shape(item, f"{place}[{index}]") for index, item in enumerate(values))

    def member(self, step: Step = None) -> Shape:
        """Return an object, whatever its keys."""
        return Shape(self.raw_object(step), self.place_of(step))

    def exactly(self, *keys: str, may: tuple[str, ...] = ()) -> Shape:
        """Return this object, which has all of these keys and no other key than those that it may have."""
        value = self.raw_object()
        for key in value:
            if key not in keys and key not in may:
                known = (*keys, *may)
                near = nearest(str(key), known)
                hint = f" ({near})" if near else ""
                self.refuse(f"unknown key {shown(str(key))}{hint}; known are {', '.join(known)}")
        for key in keys:
            if key not in value:
                self.refuse(f"the key {key!r} is missing")
        return self

    def has(self, key: str) -> bool:
        """True where an object has a member of this name other than null."""
        return self.raw_object().get(key) is not None

    def optional(self, read: Callable[[Shape, Step], Made], key: str) -> Made | None:
        """Return what a reader gives of a member; None where it is missing or null."""
        return read(self, key) if self.has(key) else None

    def through(self, read: Callable[[JsonValue], Made], step: Step = None) -> Made:
        """Return what a function reads from a member; a ValueError of it becomes one about this place or one in it."""
        try:
            return read(self.raw(step))
        except ValueError as error:
            inner = error.place if isinstance(error, ShapeError) else ""
            problem = error.problem if isinstance(error, ShapeError) else str(error)
            place = self.place_of(step)
            dot = "." if place and inner and not inner.startswith("[") else ""
            raise ShapeError(f"{place}{dot}{inner}", problem) from error

    def into(self, kind: type[Made]) -> Made:
        """Return a value of a dataclass: its fields are exactly the keys, and their types say what is read.

        A rare field may be missing. Raises ShapeError for another shape, or a value that the class itself refuses.
        """
        readers, rare = _plan(kind)  # type: ignore[arg-type]  # a class can be hashed
        given = self.raw_object()
        if given.keys() != readers.keys():
            self.exactly(*(name for name in readers if name not in rare), may=rare)
        values = {name: read(self, name) for name, read in readers.items() if name in given}
        try:
            return kind(**values)
        except ShapeError:
            raise
        except ValueError as error:
            return self.refuse(str(error))

    def refuse(self, problem: str, step: Step = None) -> NoReturn:
        """Raise ShapeError about a member, or about the value itself."""
        raise ShapeError(self.place_of(step), problem)

    def place_of(self, step: Step) -> str:
        """Return the place of a member."""
        if step is None:
            return self.place
        if type(step) is int:
            return f"{self.place}[{step}]"
        name = str(step)
        if not (name.isascii() and name.replace("_", "a").isalnum() and len(name) <= SHOWN):
            return f"{self.place}[{shown(name)}]"
        return f"{self.place}.{name}" if self.place else name

    def _at(self, step: Step) -> object:
        value = self.value
        if step is None:
            return value
        if isinstance(value, dict) and step in value:
            return value[step]
        if type(step) is int:
            items = self.raw_list()
            return items[step] if step < len(items) else self.refuse(f"expected more than {step} items")
        self.raw_object()
        return self.refuse("it is missing", step)


def json_of(value: object) -> dict[str, JsonValue]:
    """Return a value of a dataclass as JSON that nothing else holds, which `Shape.into` reads back."""
    readers, rare = _plan(type(value))  # type: ignore[arg-type]  # a class can be hashed
    written = {name: _json(getattr(value, name)) for name in readers}
    for name in rare:
        if not written[name]:
            del written[name]
    return written


def _json(value: object) -> JsonValue:
    if value is None or type(value) in _PLAIN:
        return value  # type: ignore[return-value]  # just checked
    if isinstance(value, dict):
        return {key: _json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, Enum):
        return value.value  # type: ignore[no-any-return]  # text or a number
    return json_of(value) if is_dataclass(value) else value  # type: ignore[return-value]  # JSON by its declared type


def shown(value: object) -> str:
    """Return a value in a few printable characters."""
    if value is None or type(value) is bool:
        return {None: "null", True: "true", False: "false"}[value]
    if type(value) is str:
        # What a stranger wrote must not steer a terminal or reverse a line.
        text = visible(repr(value[:SHOWN]))
        return text if len(text) <= SHOWN and len(value) <= SHOWN else f"{text[: SHOWN - 1]}…'"
    if isinstance(value, dict | list):
        what, each = ("an object", "key") if isinstance(value, dict) else ("a list", "item")
        return f"{what} of {len(value)} {each}{'' if len(value) == 1 else 's'}"
    if type(value) is int:
        # Python refuses to write integers of more than 4300 digits.
        return str(value) if value.bit_length() <= 128 else f"a number of {value.bit_length()} bits"
    return repr(value) if type(value) is float else f"a Python {type(value).__name__}"


def _bounds(least: float, most: float) -> str:
    if least == -inf and most == inf:
        return ""
    if most == inf:
        return f", {least} or more"
    return f", at most {most}" if least == -inf else f", {least} to {most}"


_Reader = Callable[[Shape, Step], Any]


@lru_cache(maxsize=64)
def _plan(kind: type) -> tuple[Mapping[str, _Reader], tuple[str, ...]]:
    """Return the reader of each field, and which are rare; resolving type hints takes longer than reading a value."""
    hints = get_type_hints(kind)
    own = [field for field in fields(kind) if field.init]
    rare = tuple(field.name for field in own if field.metadata == RARE)
    return {field.name: _reader_of(hints[field.name]) for field in own}, rare


def _reader_of(hint: Any) -> _Reader:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda shape, step: shape.choice(hint, step)
    if is_dataclass(hint):
        return lambda shape, step: Shape(shape.raw(step), shape.place_of(step)).into(hint)  # type: ignore[arg-type]  # a dataclass
    if get_origin(hint) is Mapping or (isinstance(hint, type) and issubclass(hint, dict)):
        return Shape.raw_object
    if get_origin(hint) is tuple:
        read = _reader_of(get_args(hint)[0])
        return lambda shape, step: tuple(read(each, None) for each in shape.items(step))
    options = get_args(hint) if get_origin(hint) in {Union, UnionType} else ()
    if len(options) == 2 and NoneType in options:
        inner = _reader_of(next(each for each in options if each is not NoneType))
        return lambda shape, step: None if shape.raw(step) is None else inner(shape, step)
    return Shape.raw


_PLAIN: Final = frozenset({str, int, float, bool})
_SIMPLE: Final[Mapping[Any, _Reader]] = {
    str: Shape.text,
    int: Shape.whole,
    float: Shape.number,
    bool: Shape.flag,
    tuple[str, ...]: Shape.texts,
}
