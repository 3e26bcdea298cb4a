"""Frames and values between the judge and a sandboxed process: the half that believes nothing.

Whatever arrives is bytes from a stranger. Size is checked before anything is read, depth before anything is parsed,
shape before anything is built; only exact built-in types and our own frozen values come out. Everything else is a
``ProtocolError``: a reply has no second way to be right.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from probatum.core.errors import UsageError
from probatum.core.json_text import outside_strings
from probatum.core.limits import (
    MAX_REPLY_PARTS,
    MAX_TERM_DIGITS,
    ExtentError,
    require_digits,
    require_few_collisions,
)
from probatum.sandbox.inside.slots import READS, SPEAKS, WORDED
from probatum.sandbox.inside.values import MADE_MAPPINGS, SMALL, Declarations, Encoder
from probatum.sandbox.outcome import Declared, Derived, Handle, NotPlain, SourceArgument

# What ``json`` makes and takes.
Wire = Any

# Four bytes of length, sixteen of the request's number.
HEADER = 20
_HEXADECIMAL = re.compile(r"-?[0-9a-f]+", re.ASCII)
_FLOAT = re.compile(r"-?(?:0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}|inf)|nan", re.ASCII)
_DECIMAL = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?(?:E[+-][0-9]{1,18})?|Infinity|s?NaN[0-9]*)", re.ASCII)
# At least: its brackets and its tag.
_BYTES_OF_A_LIST = 5
_NO_BRACKETS = bytes(range(256)).translate(None, b"[]")


class ProtocolError(Exception):
    """The other side sent something that is not what the protocol allows."""


def frame(number: bytes, payload: bytes) -> bytes:
    """Return one frame; ``number`` has 16 bytes."""
    return len(payload).to_bytes(4, "little") + number + payload


def dump(content: Wire) -> bytes:
    """Return the bytes of a request."""
    return _ENCODE(content).encode("ascii")


def parse(payload: bytes, depth: int) -> Wire:
    """Return the content of a reply that is nested at most ``depth`` deep; raises ProtocolError."""
    # Counting is fast and settles nearly all replies; only then is it told which brackets stand in texts.
    try:
        text = payload.decode("ascii")
        if payload.count(b"[") > depth:
            bare = outside_strings(text).encode()
            if _is_deeper(bare, depth) or bare.count(b"[") * _BYTES_OF_A_LIST > len(payload):
                raise ProtocolError("the reply is nested too deep, or little else than brackets")
        return _DECODE(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("the reply is not well formed") from error


def _is_deeper(payload: bytes, depth: int) -> bool:
    # Innermost first: every round takes away one level.
    brackets = payload.translate(None, _NO_BRACKETS)
    while brackets and depth:
        brackets, depth = brackets.replace(b"[]", b""), depth - 1
    return bool(brackets)


def _refuse(found: object) -> object:
    raise ValueError(f"a reply has no {type(found).__name__} of this kind")


# Made once: making one for every frame costs as much as the frame.
_ENCODE = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_DECODE = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_refuse).decode


def source_text(source: bytes) -> str:
    """Return bytes in a form that a frame can carry."""
    return base64.b64encode(source).decode("ascii")


class ArgumentWriter(Encoder):
    """Writes the judge's own values of one request; refuses those that a candidate could not be given."""

    def __init__(self) -> None:
        super().__init__(Declarations(), sys.maxsize, sys.maxsize, {})

    def arguments(self, positional: Iterable[object], keyword: Mapping[str, object]) -> tuple[Wire, Wire]:
        """Return the wire forms of all arguments of a call; raises UsageError for a value that is not plain."""
        return [self.encode(part) for part in positional], [
            part for name, value in keyword.items() for part in (name, self.encode(value))
        ]

    def _head(self, value: Any, kind: type) -> Wire:
        return ["e" if value.is_member else "o", value.type_name]

    def _fields(self, value: Any, kind: type) -> Iterable[tuple[Wire, Any]] | None:
        return value.fields if kind is Declared else None

    def _base(self, kind: type) -> None:
        return None

    def _foreign(self, value: Any, kind: type) -> Wire:
        match value:
            case Derived(body=body):
                return self.encode(body)
            case Handle(number=number, type_name=name):
                return ["h", number, name]
            case NotPlain(type_name=name):
                return ["n", name]
            case SourceArgument(text=text):
                return ["S", text]
        raise UsageError(
            "sandbox.argument_not_plain",
            f"A value of type {kind.__name__} cannot be given to a sandboxed program.",
            "Use built-in values, Declared, Handle or SourceArgument.",
        )


class ReplyReader:
    """Builds the values of one reply, and nothing but values.

    A container that stands in several places is written once; whoever looks at the value meets it in each of them. So
    a reference counts as much as what it stands for.
    """

    __slots__ = ("_count", "_outermost", "_parts", "_reached", "_seen", "_texts", "_wires")

    def __init__(self) -> None:
        self._seen: list[object] = []
        self._wires: list[list[Wire]] = []
        # Of each container: the parts in it; 0 while it is being read.
        self._parts: list[int] = []
        # The first container that something in this one refers to while both are being read, where there is one.
        self._outermost: dict[int, int] = {}
        self._texts: dict[int, int] = {}
        self._count = 0
        self._reached = _NOTHING

    def read(self, wire: Wire) -> Any:
        """Return the value; raises ProtocolError for every other wire form, ExtentError for what is too large."""
        if type(wire) is not list:
            if type(wire) is int and not -SMALL < wire < SMALL:
                raise ProtocolError("a large whole number in the wrong form")
            return wire
        try:
            tag = wire[0]
            reader = _READERS.get(tag)
            if reader is not None:
                return reader(*wire[1:])
            if tag == "r":
                return self._again(*wire[1:])
            return self._container(tag, wire)
        except ExtentError:
            raise
        except (LookupError, TypeError, ValueError, OverflowError, ArithmeticError, InvalidOperation) as error:
            raise ProtocolError("the reply has a value in the wrong form") from error

    def arguments(self, positional: Wire, keyword: Wire) -> tuple[tuple[object, ...], dict[str, object]]:
        """Return the arguments of a call; raises as `read`, and ProtocolError for arguments in another form."""
        if type(positional) is not list or type(keyword) is not list or len(keyword) % 2:
            raise ProtocolError("arguments in the wrong form")
        names = keyword[::2]
        if not all(type(name) is str for name in names):
            raise ProtocolError("arguments without names")
        given = tuple([self.read(part) for part in positional])
        return given, {name: self.read(part) for name, part in zip(names, keyword[1::2], strict=True)}

    def _all(self, parts: list[Wire]) -> list[object]:
        # What stands for itself is most of every reply, and a call for each of it is most of the time.
        made: list[object] = []
        add, read = made.append, self.read
        for part in parts:
            kind = type(part)
            add(part if kind in _PLAIN or (kind is int and -SMALL < part < SMALL) else read(part))
        return made

    def _again(self, index: int) -> object:
        if type(index) is not int or index < 0:
            raise ProtocolError("a reference to nothing")
        found = self._seen[index]
        if found is _UNFINISHED:
            raise ProtocolError("a value that would have to contain itself")
        if not self._parts[index]:
            self._reached = min(self._reached, index)
            return found
        # From there every way leads back into what is around it: nobody could walk them all.
        if index in self._outermost:
            raise ExtentError("the value contains itself in several places")
        self._count += self._parts[index] + self._text_in(self._wires[index])
        if self._count > MAX_REPLY_PARTS:
            raise ExtentError(_MANY_PARTS)
        return found

    def _text_in(self, wire: list[Wire]) -> int:
        """Return how many characters of text are in a container, and in what it refers to."""
        if wire[0] == "r":
            return self._texts.get(id(self._wires[wire[1]]), 0)
        known = self._texts.get(id(wire))
        if known is None:
            inner = (len(part) if type(part) is str else self._text_in(part) for part in wire if type(part) in _LONG)
            known = self._texts[id(wire)] = sum(inner)
        return known

    def _container(self, tag: str, wire: list[Wire]) -> object:
        index, begin, around = len(self._seen), self._count, self._reached
        self._wires.append(wire)
        self._parts.append(0)
        self._seen.append(_UNFINISHED)
        self._count = begin + len(wire) + _EMPTY_SIZES.get(tag, 0)
        if self._count > MAX_REPLY_PARTS:
            raise ExtentError(_MANY_PARTS)
        self._reached = _NOTHING
        made: Any
        if tag == "d":
            made = self._seen[index] = {}
            self._fill(made, wire)
        elif tag == "l":
            made = self._seen[index] = []
            made.extend(self._all(wire[1:]))
        elif tag in ("t", "z"):
            parts = self._all(wire[1:])
            made = tuple(parts) if tag == "t" else frozenset(require_few_collisions(parts))
        elif tag == "s":
            made = self._seen[index] = set()
            made.update(require_few_collisions(self._all(wire[1:])))
        elif tag == "q":
            made = self._seen[index] = deque(maxlen=None if wire[1] is None else _whole(wire[1]))
            made.extend(self._all(wire[2:]))
        elif tag in ("o", "e"):
            made = self._declared(wire)
        elif tag == "u":
            made = self._derived(*wire[1:])
        else:
            made = self._seen[index] = MADE_MAPPINGS[tag]()
            self._fill(made, wire)
        self._seen[index] = made
        self._parts[index] = self._count - begin
        if self._reached < index:
            self._outermost[index] = self._reached
            self._reached = min(around, self._reached)
        else:
            self._reached = around
        return made

    def _fill(self, made: dict[object, object], wire: list[Wire]) -> None:
        # In the order of the wire: a later value may refer to an earlier key.
        parts = self._all(wire[1:])
        if len(parts) % 2:
            raise ProtocolError("a key without a value")
        pairs = zip(require_few_collisions(parts[::2]), parts[1::2])  # noqa: B905  # just checked
        if type(made) is dict:
            made.update(pairs)
            return
        # One by one: Counter.update would add numbers up.
        for key, value in pairs:
            made[key] = value

    def _declared(self, wire: list[Wire]) -> Declared:
        hidden = frozenset(name[0] for name in wire[2::2] if type(name) is list and len(name) == 1)
        names = [name[0] if type(name) is list and len(name) == 1 else name for name in wire[2::2]]
        if len(wire) % 2 or not all(type(name) is str for name in (wire[1], *names)):
            raise ProtocolError("fields without names")
        fields = tuple((name, self.read(part)) for name, part in zip(names, wire[3::2], strict=True))
        return Declared(wire[1], fields, wire[0] == "e", hidden)

    def _derived(self, marks: Wire, body: list[Wire], content: Wire) -> Derived:
        # The object and its content are one value on the wire, and have one place among those that are referred to.
        held = self._declared(body) if body[0] in ("o", "e") else _READERS["h"](*body[1:])
        assert isinstance(held, Declared | Handle)
        return Derived(held, self.read(content), bool(_whole(marks) & SPEAKS), bool(marks & READS))


_UNFINISHED = object()
_MANY_PARTS = "the value has more parts than a reply may have, where each counts as often as it occurs"
# After every container.
_NOTHING = 1 << 62
# In parts: a deque without members takes nearly a kilobyte, a counter three hundred bytes.
_EMPTY_SIZES = {"q": 60, "co": 8}
_PLAIN = frozenset({str, bool, type(None)})
# What may hold text.
_LONG = (str, list)


def _whole(wire: Wire) -> int:
    if type(wire) is int and -SMALL < wire < SMALL:
        return wire
    if type(wire) is list and len(wire) == 2 and wire[0] == "i":
        return _large(wire[1])
    raise ProtocolError("not a whole number")


def _large(text: Wire) -> int:
    if type(text) is not str or not _HEXADECIMAL.fullmatch(text):
        raise ProtocolError("not a whole number")
    return int(require_digits(text), 16)


def _float(text: Wire) -> float:
    if type(text) is not str or not _FLOAT.fullmatch(text):
        raise ProtocolError("not a floating-point number")
    return float.fromhex(text)


def _decimal(text: Wire) -> Decimal:
    if type(text) is not str or not _DECIMAL.fullmatch(text):
        raise ProtocolError("not a decimal number")
    return Decimal(require_digits(text))


def _fraction(numerator: Wire, denominator: Wire) -> Fraction:
    require_digits(numerator + denominator, MAX_TERM_DIGITS)
    return Fraction(_large(numerator), _large(denominator))


def _zone(wire: Wire) -> timezone | None:
    if wire is None:
        return None
    days, seconds, microseconds, name = wire
    offset = timedelta(_whole(days), _whole(seconds), _whole(microseconds))
    plain = timezone(offset)
    return plain if plain.tzname(None) == name else timezone(offset, name)


def _datetime(*parts: Wire) -> datetime:
    year, month, day, hour, minute, second, microsecond, fold = map(_whole, parts[:-1])
    return datetime(year, month, day, hour, minute, second, microsecond, _zone(parts[-1]), fold=fold)


def _time(*parts: Wire) -> time:
    hour, minute, second, microsecond, fold = map(_whole, parts[:-1])
    return time(hour, minute, second, microsecond, _zone(parts[-1]), fold=fold)


def _text(wire: Wire) -> str:
    if type(wire) is not str:
        raise ProtocolError("a name or a source that is not text")
    return wire


_READERS: dict[Wire, Callable[..., object]] = {
    "i": _large,
    "f": _float,
    "c": lambda real, imaginary: complex(_float(real), _float(imaginary)),
    "b": bytes.fromhex,
    "B": bytearray.fromhex,
    "R": lambda start, stop, step: range(_whole(start), _whole(stop), _whole(step)),
    "D": _decimal,
    "Q": _fraction,
    "dt": _datetime,
    "da": lambda year, month, day: date(_whole(year), _whole(month), _whole(day)),
    "ti": _time,
    "td": lambda days, seconds, micro: timedelta(_whole(days), _whole(seconds), _whole(micro)),
    "tz": _zone,
    "E": lambda: ...,
    "x": lambda name, text: WORDED[name](_text(text)),
    "h": lambda number, name: Handle(_whole(number), _text(name)),
    "n": lambda name: NotPlain(_text(name)),
    "S": lambda text: SourceArgument(_text(text)),
}
