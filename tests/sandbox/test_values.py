"""Values travel exactly: type, bits, sharing; what is not plain stays inside; nothing else gets through."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import PosixPath, PurePosixPath, PureWindowsPath
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import UsageError
from probatum.core.limits import JobLimits
from probatum.sandbox import (
    Candidate,
    Declared,
    Derived,
    Handle,
    Lost,
    LostReason,
    NotPlain,
    Program,
    Raised,
    Returned,
    Sandbox,
    SourceArgument,
)

SOURCE = b"""
import collections, dataclasses, enum, typing

@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5
    seen: list = dataclasses.field(default_factory=list, init=False)
    def doubled(self): return Point(self.x * 2, self.y * 2)

@dataclasses.dataclass(frozen=True)
class Tag:
    text: str

class Colour(enum.Enum):
    RED = 1
    GREEN = "g"

class Level(enum.IntEnum):
    LOW = 1

class Bits(enum.Flag):
    A = 1
    B = 2

class Pair(typing.NamedTuple):
    left: int
    right: int

class Small(int): pass
class Word(str): pass
class Plain: pass
class Outer:
    @dataclasses.dataclass
    class Inner:
        value: int

def same(value): return value
def kind(value): return type(value).__name__
def twice(value): return [value, value]
def first_is_second(first, second): return first is second
def loop():
    made = [1]; made.append(made); return made
def tangled():
    made = {}; made["self"] = made; made["list"] = [made]; return made
def tuple_in_itself():
    made = []; made.append((made,)); return made[0]
def small(): return Small(3)
def word(): return Word("x")
def plain(): return Plain()
def member(name): return Colour[name]
def both(): return Bits.A | Bits.B
def low(): return Level.LOW
def inner(): return Outer.Inner(3)
def local():
    @dataclasses.dataclass
    class Local:
        x: int
    return Local(1)
def deep(count):
    made = []
    for _ in range(count): made = [made]
    return made
def wide(count): return list(range(count))
def apply(function, value): return function(value)
def change(values): values.append(9); values.sort(); return values
def counter(): return collections.defaultdict(list, {"a": [1]})
"""


@pytest.fixture(scope="module")
def candidate(sandbox: Sandbox) -> Candidate:
    job = sandbox.candidate(Program(SOURCE), JobLimits(cpu_seconds=60))
    assert isinstance(job.load(), Returned)
    return job


EXACT: dict[str, object] = {
    "nothing": None,
    "true": True,
    "small integer": -7,
    "largest safe integer": 2**53,
    "large negative integer": -(2**80),
    "huge integer": 7**5000,
    "float": 0.1,
    "negative zero": -0.0,
    "infinity": float("-inf"),
    "smallest float": 5e-324,
    "text": "héllo\n\x00🎉",
    "lone surrogate": "\ud800",
    "bytes": bytes(range(256)),
    "bytearray": bytearray(b"ab"),
    "nested": [1, (2, [3, {"k": {4, 5}}]), frozenset({(1, 2)})],
    "keys of many types": {1: "a", (1, "x"): [2], None: 3, 2.5: {}, b"k": ()},
    "complex": complex(-0.0, float("inf")),
    "range": range(10, -(2**70), -3),
    "naive moment": datetime(2024, 2, 29, 23, 59, 59, 999999, fold=1),
    "moment in a zone": datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
    "moment in a named zone": datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1), "CET")),
    "date": date(1, 1, 1),
    "time": time(12, 30, tzinfo=timezone.utc),  # noqa: UP017
    "duration": timedelta(days=-1, seconds=5, microseconds=7),
    "zone": timezone(timedelta(seconds=1)),
    "decimal": Decimal("-1.50E+20"),
    "decimal zero with exponent": Decimal("0E-8"),
    "infinite decimal": Decimal("-Infinity"),
    "fraction": Fraction(-22, 7),
    "path": PurePosixPath("a/../b"),
    "relative path of a drive": PureWindowsPath("c:a\\b"),
    "path of here": PosixPath("."),
    "identifier": UUID(int=2**127 + 1),
    "addresses": [IPv4Address(1), IPv6Address("fe80::1%eth0"), IPv4Network("10.0.0.0/8"), IPv6Network("::/0")],
    "ordered dict": OrderedDict([("b", 1), ("a", 2)]),
    "counter": Counter("banana"),
    "deque": deque([1, 2, 3], maxlen=5),
    "default dict": defaultdict(None, {"a": 1}),
    "ellipsis": ...,
    "empty things": [[], (), {}, set(), frozenset(), "", b""],
}


def _identical(left: object, right: object) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, float) and isinstance(right, float):
        return left.hex() == right.hex()
    if isinstance(left, list | tuple | deque) and isinstance(right, list | tuple | deque):
        return len(left) == len(right) and all(map(_identical, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return all(map(_identical, left.items(), right.items())) and len(left) == len(right)
    return bool(left == right)


@pytest.mark.parametrize("name", EXACT)
def test_a_plain_value_comes_back_exactly(name: str, candidate: Candidate) -> None:
    value = EXACT[name]
    reply = candidate.call("same", [value], {})
    assert isinstance(reply, Returned)
    assert _identical(reply.value, value)
    assert _identical(reply.arguments[0], value)
    assert candidate.call("kind", [value]) == Returned(type(value).__name__, (value,))


def test_not_a_number_stays_that(candidate: Candidate) -> None:
    reply = candidate.call("same", [[math.nan, Decimal("NaN")]])
    assert isinstance(reply, Returned)
    assert isinstance(reply.value, list)
    assert math.isnan(reply.value[0])
    assert reply.value[1].is_nan()


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(st.characters()), st.binary(),
    st.complex_numbers(allow_nan=False), st.decimals(allow_nan=False), st.fractions(), st.datetimes(), st.timedeltas(),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner), st.tuples(inner, inner), st.dictionaries(SCALARS, inner), st.frozensets(SCALARS)
    ),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(value=VALUES)
def test_every_plain_value_comes_back_exactly(value: object, candidate: Candidate) -> None:
    reply = candidate.call("same", [value])
    assert isinstance(reply, Returned)
    assert _identical(reply.value, value)


def test_sharing_is_kept_between_value_and_arguments(candidate: Candidate) -> None:
    shared: list[object] = []
    assert candidate.call("first_is_second", [shared, shared]) == Returned(True, ([], []))
    assert candidate.call("first_is_second", [[], []]) == Returned(False, ([], []))
    reply = candidate.call("twice", [shared])
    assert isinstance(reply, Returned)
    assert isinstance(reply.value, list)
    assert reply.value[0] is reply.value[1] is reply.arguments[0]


def test_cycles_come_back_as_cycles(candidate: Candidate) -> None:
    reply = candidate.call("loop")
    assert isinstance(reply, Returned)
    assert isinstance(reply.value, list)
    assert reply.value[1] is reply.value
    reply = candidate.call("tangled")
    assert isinstance(reply, Returned)
    assert isinstance(reply.value, dict)
    assert reply.value["self"] is reply.value["list"][0] is reply.value


def test_a_tuple_in_itself_is_not_plain(candidate: Candidate) -> None:
    reply = candidate.call("tuple_in_itself")
    assert isinstance(reply, Returned)
    assert isinstance(reply.value, tuple)
    assert reply.value[0] == [NotPlain("tuple")]


def test_arguments_come_back_as_they_are_after_the_call(candidate: Candidate) -> None:
    reply = candidate.call("change", [], {"values": [3, 1]})
    assert reply == Returned([1, 3, 9], (), (("values", [1, 3, 9]),))


KEPT = {
    "plain": "artifact.Plain",
    "local": "artifact.local.<locals>.Local",
}


SUBCLASSES = {
    "int": ("7", 7),
    "float": ("0.1", 0.1),
    "str": ("'a\\ud800'", "a\ud800"),
    "complex": ("1j", 1j),
    "bytes": ("b'ab'", b"ab"),
    "bytearray": ("b'ab'", bytearray(b"ab")),
    "list": ("[1, [2]]", [1, [2]]),
    "tuple": ("(1, 2)", (1, 2)),
    "set": ("{1, 2}", {1, 2}),
    "frozenset": ("{1, 2}", frozenset({1, 2})),
    "dict": ("{'a': [1]}", {"a": [1]}),
    "collections.OrderedDict": ("{2: 1, 1: 2}", OrderedDict({2: 1, 1: 2})),
    "collections.Counter": ("{'a': 2}", Counter("aa")),
    "collections.defaultdict": ("None, {'a': 1}", defaultdict(None, {"a": 1})),
    "collections.deque": ("[1, 2, 3], 2", deque([2, 3], 2)),
    "decimal.Decimal": ("'1.10'", Decimal("1.10")),
    "fractions.Fraction": ("2, 6", Fraction(1, 3)),
    "datetime.date": ("2024, 2, 29", date(2024, 2, 29)),
    "datetime.datetime": (
        "2024, 2, 29, 1, 2, 3, 4, tzinfo=datetime.timezone.utc, fold=1",
        datetime(2024, 2, 29, 1, 2, 3, 4, tzinfo=UTC, fold=1),
    ),
    "datetime.time": ("1, 2, 3, 4, fold=1", time(1, 2, 3, 4, fold=1)),
    "datetime.timedelta": ("-1, 2, 3", timedelta(-1, 2, 3)),
}
LYING = """
import collections, datetime, decimal, fractions
ASKED = []
def lie(name):
    def method(*_args, **_kwargs):
        ASKED.append(name)
        raise RuntimeError(name)
    return method
METHODS = (
    "__eq__ __hash__ __iter__ __len__ __getitem__ __contains__ __getattribute__ __repr__ __str__ __reduce__ __int__"
    " __index__ __float__ __bool__ __complex__ __bytes__ __copy__ __reduce_ex__ __reversed__ items keys values get copy"
    " as_integer_ratio isoformat hex"
).split()
ATTRIBUTES = "__class__ numerator denominator real year days hour tzinfo fold maxlen".split()
Lying = type("Lying", (BASE,), {
    "__module__": "artifact",
    **{each: lie(each) for each in METHODS},
    **{each: property(lie(each)) for each in ATTRIBUTES},
})
made = BASE.__new__(Lying, ARGUMENTS)
if BASE.__init__ is not object.__init__:
    (dict if BASE is collections.Counter else BASE).__init__(made, ARGUMENTS)
def answer(): return [made]
def asked(): return ASKED
"""


@pytest.mark.parametrize("base", SUBCLASSES)
def test_an_instance_of_a_subclass_travels_as_content_and_is_asked_nothing(base: str, sandbox: Sandbox) -> None:
    written, content = SUBCLASSES[base]
    program = LYING.replace("BASE", base).replace("ARGUMENTS", written).encode()
    with sandbox.candidate(Program(program), JobLimits()) as job:
        assert isinstance(job.load(), Returned)
        reply = job.call("answer")
        assert isinstance(reply, Returned), reply
        [value] = reply.value
        assert isinstance(value, Derived)
        assert (type(value.content), value.content) == (type(content), content)
        assert repr(value.content) == repr(content)
        assert (value.body.type_name, value.speaks, value.reads) == ("artifact.Lying", True, True)
        assert job.call("asked") == Returned([])


@pytest.mark.parametrize("target", KEPT)
def test_what_is_not_plain_stays_inside(target: str, candidate: Candidate) -> None:
    reply = candidate.call(target)
    assert isinstance(reply, Returned)
    assert isinstance(reply.value, Handle)
    assert reply.value.type_name == KEPT[target]
    assert candidate.call("first_is_second", [reply.value, reply.value]) == Returned(True, (reply.value, reply.value))


DECLARED = {
    "dataclass": Declared("artifact.Point", (("x", 3), ("y", 1.5), ("seen", []))),
    "frozen dataclass": Declared("artifact.Tag", (("text", "t"),)),
    "nested class": Declared("artifact.Outer.Inner", (("value", 3),)),
    "enum": Declared("artifact.Colour", (("name", "GREEN"), ("value", "g"))),
    "whole-number enum": Declared("artifact.Level", (("name", "LOW"), ("value", 1))),
    "flags": Declared("artifact.Bits", (("name", "A|B"), ("value", 3))),
    "named tuple": Declared("artifact.Pair", (("left", 1), ("right", 2))),
}


@pytest.mark.parametrize("name", DECLARED)
def test_what_the_program_declares_travels_by_its_fields(name: str, candidate: Candidate) -> None:
    reply = candidate.call("same", [DECLARED[name]])
    assert isinstance(reply, Returned)
    body = reply.value.body if isinstance(reply.value, Derived) else reply.value
    assert body == DECLARED[name]


def test_an_instance_that_was_sent_is_a_real_one(candidate: Candidate) -> None:
    point = Declared("artifact.Point", (("x", 3), ("y", 1.5)))
    assert candidate.call("kind", [point]) == Returned(
        "Point", (Declared("artifact.Point", (*point.fields, ("seen", []))),)
    )
    assert candidate.call("kind", [Declared("artifact.Colour", (("name", "RED"),))]) == Returned(
        "Colour", (Declared("artifact.Colour", (("name", "RED"), ("value", 1))),)
    )


NOT_BUILT = {
    "unknown class": Declared("artifact.Nothing"),
    "wrong fields": Declared("artifact.Tag", (("wrong", 1),)),
    "unknown member": Declared("artifact.Colour", (("name", "BLUE"), ("value", 9))),
    "handle of nobody": Handle(10_000, "artifact.Plain"),
    "source that does not parse": SourceArgument("lambda x:"),
    "source with an unknown name": SourceArgument("nothing_there"),
    "what was not plain": NotPlain("tuple"),
    "class of another module": Declared("os.stat_result", ()),
}


@pytest.mark.parametrize("name", NOT_BUILT)
def test_arguments_that_cannot_be_built_are_no_call(name: str, candidate: Candidate) -> None:
    reply = candidate.call("same", [NOT_BUILT[name]])
    assert isinstance(reply, Lost)
    assert reply.reason is LostReason.ARGUMENTS
    assert candidate.call("same", [1]) == Returned(1, (1,)), "the process lives on"


def test_a_callable_is_given_as_its_source(candidate: Candidate) -> None:
    argument = SourceArgument("lambda value: same(value) * 2")
    assert candidate.call("apply", [argument, 4]) == Returned(8, (argument, 4))
    assert candidate.call("apply", [SourceArgument("len"), [1]]) == Returned(1, (SourceArgument("len"), [1]))


@pytest.mark.parametrize("value", [object(), ValueError("x"), {1: object()}, lambda: 1, Candidate])
def test_the_judge_does_not_send_what_is_not_plain(value: object, candidate: Candidate) -> None:
    with pytest.raises(UsageError, match="argument_not_plain"):
        candidate.call("same", [value])


TOO_LARGE = {"deep": ("deep", 101), "very deep": ("deep", 100_000), "wide": ("wide", 600_000)}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_value_over_the_budget_is_lost_output(name: str, candidate: Candidate) -> None:
    target, size = TOO_LARGE[name]
    reply = candidate.call(target, [size])
    assert isinstance(reply, Lost)
    assert reply.reason is LostReason.OUTPUT
    assert isinstance(candidate.call("deep", [99]), Returned)


def test_a_default_dict_travels_without_its_factory(candidate: Candidate) -> None:
    reply = candidate.call("counter")
    assert isinstance(reply, Returned)
    assert reply.value == {"a": [1]}
    assert isinstance(reply.value, defaultdict)
    assert reply.value.default_factory is None


def test_a_call_of_what_is_not_there_raises(candidate: Candidate) -> None:
    reply = candidate.call("nothing_there")
    assert isinstance(reply, Raised)
    assert reply.type_name == "AttributeError"
