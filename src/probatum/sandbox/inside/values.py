"""Plain values to and from tagged lists: the half of the codec that runs inside; the judge shares its tables.

Runs inside the sandbox, standard library only. Exact built-in types travel by value; instances of their subclasses
as content, with the type's name; what the program declares as dataclass, enum or named tuple by name and fields; every
other object stays here and travels as a number. Content and fields are read through the built-in types' own slots, and
nothing is asked of the object: no method, property or ``repr`` of the program runs here. Nothing is pickled. Shared
objects and cycles travel as the index of their first occurrence. Refuses values that are deeper or larger than the
reply may be.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .slots import COPIES, bases_of, marks, maximum_length, stored

# Bound before the program runs: it can put others in their place.
_id = id
# What ``json`` makes and takes; a recursive alias would say the same at the price of a cast at every step.
Wire = Any

# From here on a whole number travels as text: other readers of JSON would round it.
SMALL = 1 << 53
SEQUENCES: dict[type, str] = {
    list: "l", tuple: "t", set: "s", frozenset: "z", collections.deque: "q",
}  # fmt: skip
MAPPINGS: dict[type, str] = {
    dict: "d", collections.OrderedDict: "od", collections.Counter: "co", collections.defaultdict: "dd",
}  # fmt: skip
_FROZEN = (tuple, frozenset)


class TooLargeError(Exception):
    """The value is deeper or has more parts than a reply may have."""


class Declarations:
    """The classes that the program declares, found by qualified name, and the objects that stay here, by number."""

    def __init__(self) -> None:
        self.modules: dict[str, dict[str, Any]] = {}
        self._kept: dict[int, object] = {}
        self._numbers: dict[int, int] = {}
        self._next = 1

    def declared(self, kind: type) -> bool:
        """True when the class's module and qualified name lead to this very class."""
        namespace = self.modules.get(kind.__module__)
        return namespace is not None and _by_path(namespace, kind.__qualname__) is kind

    def named(self, name: str) -> type:
        """Return the class with this qualified name; raises LookupError."""
        for module, namespace in self.modules.items():
            if name.startswith(module + "."):
                found = _by_path(namespace, name[len(module) + 1 :])
                if isinstance(found, type):
                    return found
        raise LookupError(f"the program declares no class {name}")

    def keep(self, value: object) -> int:
        """Return the number of an object, the same for the same object; it stays alive until dropped."""
        number = self._numbers.get(_id(value))
        if number is None:
            # Never a number that was dropped before: the judge may still name it.
            number = self._numbers[_id(value)] = self._next
            self._next += 1
            self._kept[number] = value
        return number

    def kept(self, number: int) -> object:
        """Return the object with this number; raises LookupError."""
        if number not in self._kept:
            raise LookupError(f"no object has the number {number}")
        return self._kept[number]


def _by_path(namespace: Mapping[str, Any], path: str) -> object:
    first, *rest = path.split(".")
    found: object = namespace.get(first)
    for name in rest:
        found = vars(found).get(name) if isinstance(found, type) else None
    return found


def type_name(kind: type) -> str:
    """Return ``ValueError`` for a built-in class and ``module.Name`` for every other."""
    module, name = str(kind.__module__), str(kind.__qualname__)
    return name[:200] if module == "builtins" else f"{module}.{name}"[:200]


class Encoder:
    """Writes the values of one frame; an object that occurs twice in it is written once."""

    def __init__(self, declarations: Declarations, depth: int, parts: int, sources: Mapping[int, str]) -> None:
        self._declarations = declarations
        self._depth = depth
        self._parts = parts
        self._sources = sources
        self._seen: dict[int, int] = {}
        self._open: set[int] = set()
        # Keeps values that were made on the way: another object at the same address would count as the same.
        self._alive: list[object] = []

    def encode(self, value: Any, depth: int = 0) -> Wire:
        """Return the wire form of one value; raises TooLargeError."""
        kind = type(value)
        if kind is int:
            return value if -SMALL < value < SMALL else ["i", f"{value:x}"]
        if value is None or kind is bool or kind is str:
            return value
        if kind is float:
            return ["f", value.hex()]
        # By identity: the class of a class says what it is equal to.
        plain = _SCALARS.get(_id(kind))
        if plain is not None:
            return plain(value)
        if depth >= self._depth:
            raise TooLargeError("the value is nested deeper than a reply may be")
        tag = _SEQUENCES.get(_id(kind))
        if tag is not None:
            head = [tag, value.maxlen] if tag == "q" else [tag]
            return self._again(value) or self._parts_of(value, head, value, depth)
        tag = _MAPPINGS.get(_id(kind))
        if tag is not None:
            flat = (part for pair in value.items() for part in pair)
            return self._again(value) or self._parts_of(value, [tag], flat, depth, 2)
        return self._object(value, kind, depth)

    def encode_result(self, value: Any) -> Wire:
        """Return the wire form of a result: by value, even if it is an argument that came as source."""
        sources, self._sources = self._sources, {}
        try:
            return self.encode(value)
        finally:
            self._sources = sources

    def _again(self, value: object) -> Wire:
        index = self._seen.get(_id(value))
        if index is None:
            return None
        if _id(value) in self._open:
            return ["n", type_name(type(value))]
        return ["r", index]

    def _parts_of(self, value: Any, head: list[Wire], parts: Iterable[Any], depth: int, times: int = 1) -> Wire:
        self._parts -= times * len(value)
        if self._parts < 0:
            raise TooLargeError("the value has more parts than a reply may have")
        self._seen[_id(value)] = len(self._seen)
        self._alive.append(value)
        # What cannot be changed cannot be built before its parts: a reference to it from inside has no meaning.
        frozen = type(value) in _FROZEN
        if frozen:
            self._open.add(_id(value))
        encode = self.encode
        head += [encode(part, depth + 1) for part in parts]
        if frozen:
            self._open.discard(_id(value))
        return head

    def _object(self, value: Any, kind: type, depth: int) -> Wire:
        if _id(value) in self._sources:
            return ["S", self._sources[_id(value)]]
        again = self._again(value)
        if again is not None:
            return again
        fields, base = self._fields(value, kind), self._base(kind)
        if fields is None and base is None:
            return self._foreign(value, kind)
        self._seen[_id(value)] = len(self._seen)
        self._alive.append(value)
        self._open.add(_id(value))
        if fields is None:
            wire = self._foreign(value, kind)
        else:
            wire = self._head(value, kind)
            for name, part in fields:
                wire += [name, self.encode(part, depth + 1)]
        if base is not None:
            wire = ["u", marks(kind, base), wire, self._content(value, base, depth + 1)]
        self._open.discard(_id(value))
        return wire

    def _base(self, kind: type) -> type | None:
        """Return the built-in type as whose content an object travels."""
        return next((base for base in bases_of(kind) if _id(base) in _CONTENT), None)

    def _content(self, value: Any, base: Any, depth: int) -> Wire:
        if base in COPIES:
            return self.encode(COPIES[base](value), depth)
        if base in MAPPINGS:
            parts = [part for pair in base.items(value) for part in pair]
            return self._parts_of(parts, [MAPPINGS[base]], parts, depth)
        parts = list(base.__iter__(value))
        head = ["q", maximum_length(value)] if base is collections.deque else [SEQUENCES[base]]
        return self._parts_of(parts, head, parts, depth)

    def _foreign(self, value: object, kind: type) -> Wire:
        """Return the wire form of an object that cannot travel."""
        return ["h", self._declarations.keep(value), type_name(kind)]

    def _head(self, _value: Any, kind: type) -> Wire:
        """Return what stands before an object's fields: whether it is a member of an enum, and its qualified name."""
        return ["e" if issubclass(kind, enum.Enum) else "o", type_name(kind)]

    def _fields(self, value: Any, kind: type) -> Iterable[tuple[Wire, Any]] | None:
        """Return the fields of an object that travels by them, None for every other."""
        if not self._declarations.declared(kind):
            return None
        if issubclass(kind, enum.Enum):
            return [("name", stored(value, kind, "_name_")), ("value", stored(value, kind, "_value_"))]
        if dataclasses.is_dataclass(kind):
            # Of those that its text leaves out, the name travels in a list.
            return [
                (field.name if field.repr else [field.name], stored(value, kind, field.name))
                for field in dataclasses.fields(kind)
            ]
        names = getattr(kind, "_fields", None)
        if issubclass(kind, tuple) and type(names) is tuple:
            return list(zip(names, tuple.__iter__(value), strict=True))
        return None


class Decoder:
    """Reads the values of one frame from the judge, and builds what it names."""

    def __init__(self, declarations: Declarations, evaluate: Callable[[str], object]) -> None:
        self._declarations = declarations
        self._evaluate = evaluate
        self._seen: list[object] = []
        self.sources: dict[int, str] = {}

    def decode(self, wire: Wire) -> Any:
        """Return the value; raises whatever building it raised."""
        if type(wire) is not list:
            return wire
        tag = wire[0]
        if tag in _READERS:
            return _READERS[tag](wire)
        if tag in ("h", "n"):
            return self._stranger(wire)
        if tag == "S":
            value = self._evaluate(wire[1])
            self.sources[_id(value)] = wire[1]
            return value
        if tag == "r":
            return self._seen[wire[1]]
        return self._container(tag, wire)

    def arguments(self, positional: Wire, keyword: Wire) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments of a call; raises whatever building them raised."""
        given = tuple([self.decode(part) for part in positional])
        return given, {keyword[i]: self.decode(keyword[i + 1]) for i in range(0, len(keyword), 2)}

    def _container(self, tag: str, wire: Wire) -> Any:
        index = len(self._seen)
        self._seen.append(None)
        if tag in ("o", "e"):
            self._seen[index] = self._build(wire)
        elif tag in ("t", "z"):
            parts = [self.decode(part) for part in wire[1:]]
            self._seen[index] = tuple(parts) if tag == "t" else frozenset(parts)
        else:
            self._fill(tag, wire, index)
        return self._seen[index]

    def _fill(self, tag: str, wire: Wire, index: int) -> None:
        """Put an empty container in place before its parts are read: they may refer to it."""
        if tag in MADE_MAPPINGS:
            made: Any = MADE_MAPPINGS[tag]()
            self._seen[index] = made
            for position in range(1, len(wire), 2):
                key = self.decode(wire[position])
                made[key] = self.decode(wire[position + 1])
            return
        made = collections.deque(maxlen=wire[1]) if tag == "q" else [] if tag == "l" else set()
        self._seen[index] = made
        parts = (self.decode(part) for part in wire[2 if tag == "q" else 1 :])
        if tag == "s":
            made.update(parts)
        else:
            made.extend(parts)

    def _stranger(self, wire: Wire) -> object:
        """Return the object that stayed here and is named by its number."""
        if wire[0] == "n":
            raise ValueError(f"an object of type {wire[1]} cannot be given back")
        return self._declarations.kept(wire[1])

    def _build(self, wire: Wire) -> object:
        """Return an instance of a class that the program declares."""
        kind: Any = self._declarations.named(wire[1])
        fields = {wire[i]: self.decode(wire[i + 1]) for i in range(2, len(wire), 2)}
        if issubclass(kind, enum.Enum):
            # A flag that combines members has a value and no name.
            return kind[fields["name"]] if fields.get("name") in kind.__members__ else kind(fields["value"])
        if dataclasses.is_dataclass(kind):
            asked = {field.name for field in dataclasses.fields(kind) if field.init}
            fields = {name: value for name, value in fields.items() if name in asked}
        return kind(**fields)


def _zone(value: datetime.tzinfo | None) -> Wire:
    if value is None:
        return None
    offset = value.utcoffset(None)
    if offset is None:
        raise ValueError("a zone without an offset")
    return [offset.days, offset.seconds, offset.microseconds, value.tzname(None)]


def _clocked(tag: str, value: datetime.datetime | datetime.time, *parts: int) -> Wire:
    if value.tzinfo is not None and type(value.tzinfo) is not datetime.timezone:
        return ["n", type_name(type(value))]
    return [tag, *parts, value.fold, _zone(value.tzinfo)]


def _moment(v: datetime.datetime) -> Wire:
    return _clocked("dt", v, v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond)


def _whole(value: int) -> Wire:
    return value if -SMALL < value < SMALL else ["i", f"{value:x}"]


def _read_whole(wire: Wire) -> int:
    return wire if type(wire) is int else int(wire[1], 16)


def _read_zone(wire: Wire) -> datetime.timezone | None:
    if wire is None:
        return None
    offset = datetime.timedelta(*wire[:3])
    plain = datetime.timezone(offset)
    return plain if plain.tzname(None) == wire[3] else datetime.timezone(offset, wire[3])


SCALARS: dict[type, Callable[[Any], Wire]] = {
    complex: lambda v: ["c", v.real.hex(), v.imag.hex()],
    bytes: lambda v: ["b", v.hex()],
    bytearray: lambda v: ["B", v.hex()],
    range: lambda v: ["R", _whole(v.start), _whole(v.stop), _whole(v.step)],
    decimal.Decimal: lambda v: ["D", str(v)],
    fractions.Fraction: lambda v: ["Q", f"{v.numerator:x}", f"{v.denominator:x}"],
    datetime.datetime: _moment,
    datetime.date: lambda v: ["da", v.year, v.month, v.day],
    datetime.time: lambda v: _clocked("ti", v, v.hour, v.minute, v.second, v.microsecond),
    datetime.timedelta: lambda v: ["td", v.days, v.seconds, v.microseconds],
    datetime.timezone: lambda v: ["tz", _zone(v)],
    type(...): lambda _: ["E"],
}


_SCALARS = {_id(kind): writer for kind, writer in SCALARS.items()}
_SEQUENCES = {_id(kind): tag for kind, tag in SEQUENCES.items()}
_MAPPINGS = {_id(kind): tag for kind, tag in MAPPINGS.items()}
_CONTENT = {*_SEQUENCES, *_MAPPINGS, *map(_id, COPIES)}
_READERS: dict[str, Callable[[Wire], Any]] = {
    "i": lambda w: int(w[1], 16),
    "f": lambda w: float.fromhex(w[1]),
    "c": lambda w: complex(float.fromhex(w[1]), float.fromhex(w[2])),
    "b": lambda w: bytes.fromhex(w[1]),
    "B": lambda w: bytearray.fromhex(w[1]),
    "R": lambda w: range(_read_whole(w[1]), _read_whole(w[2]), _read_whole(w[3])),
    "D": lambda w: decimal.Decimal(w[1]),
    "Q": lambda w: fractions.Fraction(int(w[1], 16), int(w[2], 16)),
    "dt": lambda w: datetime.datetime(*w[1:8]).replace(tzinfo=_read_zone(w[9]), fold=w[8]),
    "da": lambda w: datetime.date(w[1], w[2], w[3]),
    "ti": lambda w: datetime.time(*w[1:5]).replace(tzinfo=_read_zone(w[6]), fold=w[5]),
    "td": lambda w: datetime.timedelta(w[1], w[2], w[3]),
    "tz": lambda w: _read_zone(w[1]),
    "E": lambda _: ...,
}
MADE_MAPPINGS: dict[str, Callable[[], Any]] = {tag: kind for kind, tag in MAPPINGS.items()}
