"""One value, one sequence of bytes; and nothing that could be two."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction
from ipaddress import IPv6Network
from pathlib import PureWindowsPath
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
import rfc8785
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes, parse_canonical, parse_json, require_json
from probatum.core.frozen import FrozenDict, FrozenList, freeze
from probatum.core.json_text import MAX_DEPTH
from probatum.core.tagged import tagged, untagged
from tests.core.strategies import ENCODABLE, JSON, PLAIN_DATA


def nested_lists(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def cyclic_list() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


def cyclic_dict() -> dict[str, object]:
    value: dict[str, object] = {}
    value["self"] = [value]
    return value


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    ONE = 1


class Count(int):
    pass


class FakeList(list):
    pass


FakeList.__name__ = "FrozenList"

RFC_8785 = {
    "keys in order of UTF-16 units": (
        {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\x80": 6, "\xf6": 7},
        '{"\\r":2,"1":4,"\x80":6,"\xf6":7,"\u20ac":1,"\U0001f600":5,"\ufb33":3}',
    ),
    "short escapes": ('\b\t\n\f\r"\\', '"\\b\\t\\n\\f\\r\\"\\\\"'),
    "other control characters": ("\x00\x1f", '"\\u0000\\u001f"'),
    "nothing else is escaped": ("/<>\u2028é", '"/<>\u2028é"'),
    "large float": (1e30, "1e+30"),
    "float with an integer value": (4.50, "4.5"),
    "twenty digits": (1e20, "100000000000000000000"),
    "small float": (1e-6, "0.000001"),
    "smaller float": (1e-7, "1e-7"),
    "smallest float": (5e-324, "5e-324"),
    "largest integer": (2**53 - 1, "9007199254740991"),
    "negative": (-1, "-1"),
    "one as float": (1.0, "1"),
    "zero": (0.0, "0"),
    "negative zero": (-0.0, "0"),
    "empty object": ({}, "{}"),
    "nothing between": ({"a": [1, True, None, {}]}, '{"a":[1,true,null,{}]}'),
}


@pytest.mark.parametrize("name", RFC_8785)
def test_rfc_8785_spelling(name: str):
    value, spelling = RFC_8785[name]
    assert canonical_bytes(value) == spelling.encode()


REFUSED = {
    "attack 22 NaN": float("nan"),
    "attack 22 infinity": float("inf"),
    "attack 22 negative infinity inside": {"a": [float("-inf")]},
    "attack 23 Decimal": Decimal("1.5"),
    "attack 23 datetime": datetime(2020, 1, 1),
    "attack 23 bytes": b"x",
    "attack 23 set": {1},
    "attack 23 cyclic list": cyclic_list(),
    "attack 23 cyclic object": cyclic_dict(),
    "attack 24 nested 100,000 deep": nested_lists(100_000),
    "attack 24 nested one too deep": nested_lists(MAX_DEPTH + 1),
    "attack 25 integer key": {1: 2},
    "attack 25 boolean key": {True: 1},
    "attack 25 None key": {None: 1},
    "attack 25 tuple": (1, 2),
    "attack 25 text enum": Colour.RED,
    "attack 25 text enum as key": {Colour.RED: 1},
    "attack 25 integer enum": Level.ONE,
    "attack 25 integer subclass": Count(1),
    "attack 25 a list that borrows our name": FakeList([1]),
    "attack 27 lone surrogate": "\ud800",
    "attack 27 lone surrogate inside": {"a": ["\udfff"]},
    "attack 27 lone surrogate in a key": {"\ud800": 1},
    "integer beyond 2^53": 2**53,
    "negative integer beyond 2^53": -(2**53),
    "object": object(),
    "function": len,
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    with pytest.raises(ValueError, match=r"^\$") as caught:
        canonical_bytes(REFUSED[name])
    assert len(str(caught.value)) < 1000


def test_the_refusal_names_the_place():
    with pytest.raises(ValueError, match=r"^evidence\.rows\[1\]\.when: datetime is not a JSON value"):
        require_json({"rows": [{}, {"when": datetime(2020, 1, 1)}]}, path="evidence")


def test_the_deepest_nesting_is_accepted():
    assert parse_canonical(canonical_bytes(nested_lists(MAX_DEPTH))) == nested_lists(MAX_DEPTH)


def test_attack_26_unicode_is_not_normalised():
    assert canonical_bytes("\u00e9") != canonical_bytes("e\u0301")


def test_attack_26_numbers_are_compared_as_json_compares_them():
    assert canonical_bytes([1, 0]) == canonical_bytes([1.0, -0.0])


def same_json(left: object, right: object) -> bool:
    """Equality of JSON values, written without the code under test: booleans are no numbers, numbers are doubles."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same_json(left[key], right[key]) for key in left)
    return left == right


@given(JSON, JSON)
def test_bytes_are_equal_exactly_when_the_values_are(left: object, right: object):
    assert (canonical_bytes(left) == canonical_bytes(right)) == same_json(left, right)


@settings(max_examples=200)
@given(JSON | st.floats(allow_nan=False, allow_infinity=False) | st.floats(1e-8, 1e22))
def test_the_quick_way_and_rfc8785_spell_alike(value: object):
    assert canonical_bytes(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "character", [chr(code) for code in range(0x80)] + ["\u2028", "\ufffd", "\U0001f600"], ids=ascii
)
def test_every_character_is_spelt_as_rfc8785_spells_it(character: str):
    value = {character: [character, {"a" + character: 0.5}]}
    assert canonical_bytes(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("exponent", range(-10, 24))
def test_floats_of_every_size_are_spelt_as_rfc8785_spells_them(exponent: int):
    for digits in ("1", "1.5", "9.999999999999999", "1.2345678901234567", "-7.1"):
        value = float(f"{digits}e{exponent}")
        assert canonical_bytes([value]) == rfc8785.dumps([value])


@given(JSON)
def test_canonical_bytes_are_json_of_the_same_value(value: object):
    assert same_json(json.loads(canonical_bytes(value), parse_int=float), value)


@given(JSON)
def test_parsing_and_writing_again_gives_the_same_bytes(value: object):
    content = canonical_bytes(value)
    assert canonical_bytes(parse_canonical(content)) == content


@given(st.dictionaries(ENCODABLE, JSON, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(value: dict[str, object], random):
    shuffled = list(value.items())
    random.shuffle(shuffled)
    assert canonical_bytes(dict(shuffled)) == canonical_bytes(value)


@given(JSON)
def test_frozen_values_have_the_bytes_of_plain_ones(value: object):
    assert canonical_bytes(freeze(value)) == canonical_bytes(value)


@given(JSON)
def test_other_spellings_of_the_same_value_are_not_parsed(value: object):
    content = canonical_bytes(value)
    for spelling in (json.dumps(value, indent=1).encode(), b" " + content, content + b"\n"):
        assume(spelling != content)
        with pytest.raises(ValueError):
            parse_canonical(spelling)


@given(st.binary(max_size=60) | st.text('[]{}":,0123456789.eE-+ntrufalse\\', max_size=30).map(str.encode))
def test_any_bytes_are_parsed_or_refused_with_ValueError(content: bytes):
    try:
        value = parse_canonical(content)
    except ValueError:
        return
    assert canonical_bytes(value) == content


TAGGED = {
    "text": ("a", "a"),
    "empty object": ({}, {}),
    "boolean": (True, True),
    "one": (1, 1),
    "float one": (1.0, {"$float": "0x1.0000000000000p+0"}),
    "negative zero": (-0.0, {"$float": "-0x0.0p+0"}),
    "not a number": (float("nan"), {"$float": "nan"}),
    "large integer": (2**60, {"$int": "0x1000000000000000"}),
    "tuple": ((1,), {"$tuple": [1]}),
    "set in one order": ({2, 1}, {"$set": [1, 2]}),
    "bytes": (b"\x00\xff", {"$bytes": "00ff"}),
    "dollar key": ({"$tuple": [1]}, {"$$tuple": [1]}),
    "integer key": ({1: 2}, {"$dict": [[1, 2]]}),
    "lone surrogate": ("\ud800", {"$text": [0xD800]}),
    "decimal": (Decimal("1.50"), {"$decimal": "1.50"}),
    "fraction": (Fraction(1, 3), {"$fraction": "1/3"}),
    "date": (date(2020, 1, 2), {"$date": "2020-01-02"}),
    "time zone": (datetime(2020, 1, 2, tzinfo=UTC), {"$datetime": "2020-01-02T00:00:00+00:00"}),
    "duration": (timedelta(days=-1, microseconds=1), {"$timedelta": [-1, 0, 1]}),
    "path": (PureWindowsPath("c:/a"), {"$worded": ["PureWindowsPath", "c:\\a"]}),
    "identifier": (UUID(int=1), {"$worded": ["UUID", "00000000-0000-0000-0000-000000000001"]}),
    "network": (IPv6Network("::/8"), {"$worded": ["IPv6Network", "::/8"]}),
    "range": (range(0, 10, 2), {"$range": [0, 10, 2]}),
    "range of large integers": (range(2**60), {"$range": [0, {"$int": "0x1000000000000000"}, 1]}),
}


@pytest.mark.parametrize("name", TAGGED)
def test_tagged_form(name: str):
    value, form = TAGGED[name]
    assert tagged(value) == form
    assert tagged(untagged(form)) == form


def test_what_stands_for_itself_is_not_held_twice():
    itself = [[1, "a", None], {"a": [True]}]
    form = {"same": itself, "$$other": itself, "read": [{"$tuple": itself}]}
    value = untagged(form)
    assert value == {"same": itself, "$other": itself, "read": [(itself[0], itself[1])]}
    assert value["same"] is itself
    assert untagged(itself) is itself
    assert type(untagged(freeze(itself))) is list


LOOK_ALIKES = [
    [1, True, 1.0, "1", Decimal(1), Fraction(1), 1 + 0j, {1}, frozenset({1}), [1], (1,), b"1", {1: 1}, {"1": 1}],
    [0, False, 0.0, -0.0, None, "", b"", [], (), {}, set(), frozenset(), range(0), timedelta(0), Decimal("-0")],
    [float("nan"), float("inf"), "nan", Decimal("NaN"), Decimal("sNaN")],
    [{1: 2}, {"1": 2}, {True: 2}, {"true": 2}, {"$dict": [[1, 2]]}, {(1,): 2}],
    [{"$tuple": [1]}, (1,), {"$$tuple": [1]}, ["$tuple", 1]],
    [Decimal("1.0"), Decimal("1.00"), Decimal("1")],
    ["\u00e9", "e\u0301"],
    [date(2020, 1, 1), datetime(2020, 1, 1), "2020-01-01", datetime(2020, 1, 1, tzinfo=UTC)],
    [time(0), time(0, tzinfo=UTC), time(0, tzinfo=timezone(timedelta(hours=1)))],
]


@pytest.mark.parametrize("values", LOOK_ALIKES, ids=lambda values: repr(values[0]))
def test_attack_25_values_that_look_alike_are_written_differently(values: list[object]):
    forms = {canonical_bytes(tagged(value)) for value in values}
    assert len(forms) == len(values)


def same_data(left: object, right: object) -> bool:
    """Equality of plain data including types, negative zero and NaN, written without the code under test."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return left.hex() == right.hex()
    if isinstance(left, complex):
        return same_data(left.real, right.real) and same_data(left.imag, right.imag)
    if isinstance(left, Decimal):
        return left.as_tuple() == right.as_tuple()
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same_data, left, right))
    if isinstance(left, range):
        return (left.start, left.stop, left.step) == (right.start, right.stop, right.step)
    if isinstance(left, set | frozenset):
        return matched(list(left), list(right))
    if isinstance(left, dict):
        return matched(list(left.items()), list(right.items()))
    if isinstance(left, datetime | time):
        return left == right and left.utcoffset() == right.utcoffset()
    return left == right


def matched(left: list[object], right: list[object]) -> bool:
    rest = list(right)
    for item in left:
        index = next((i for i, other in enumerate(rest) if same_data(item, other)), None)
        if index is None:
            return False
        del rest[index]
    return not rest


@settings(max_examples=200)
@given(PLAIN_DATA)
def test_reading_back_gives_the_same_data(value: object):
    assert same_data(untagged(tagged(value)), value)


@given(PLAIN_DATA)
def test_the_tagged_form_survives_its_bytes(value: object):
    content = canonical_bytes(tagged(value))
    assert canonical_bytes(tagged(untagged(parse_canonical(content)))) == content


@settings(max_examples=200)
@given(PLAIN_DATA, PLAIN_DATA)
def test_tagging_is_injective(left: object, right: object):
    assert (canonical_bytes(tagged(left)) == canonical_bytes(tagged(right))) == same_data(left, right)


class Zone(timezone.__base__):
    def utcoffset(self, _when: object) -> timedelta:
        raise SystemExit("own code of a subject must not run here")


NOT_PLAIN = {
    "object": object(),
    "subclass of int": Count(1),
    "enum": Colour.RED,
    "named time zone": datetime(2020, 7, 1, tzinfo=ZoneInfo("UTC")),
    "own time zone": datetime(2020, 7, 1, tzinfo=Zone()),
    "own time zone of a time": time(0, tzinfo=Zone()),
    "inside a list": [object()],
    "as a key": {object(): 1},
    "cyclic": cyclic_list(),
    "cyclic dictionary": cyclic_dict(),
    "100,000 deep": nested_lists(100_000),
}


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_what_is_not_plain_data_is_not_written(name: str):
    with pytest.raises(ValueError):
        tagged(NOT_PLAIN[name])


MALFORMED_TAGS = {
    "unknown": {"$secret": "x"},
    "empty": {"$": ""},
    "with company": {"$int": "0x20000000000000", "a": 1},
    "two tags": {"$int": "0x20000000000000", "$float": "nan"},
    "small integer": {"$int": "0x1"},
    "integer in words": {"$int": "many"},
    "decimal in words": {"$decimal": "many"},
    "decimal spelt otherwise": {"$decimal": "1_0"},
    "fraction by zero": {"$fraction": "1/0"},
    "fraction not reduced": {"$fraction": "2/4"},
    "float as decimal": {"$float": "1.5"},
    "float too large": {"$float": "0x1p+99999"},
    "odd bytes": {"$bytes": "abc"},
    "bytes in upper case": {"$bytes": "AB"},
    "date that is none": {"$date": "2020-02-30"},
    "datetime spelt otherwise": {"$datetime": "2020-01-01"},
    "tag of a number": {"$tuple": 1},
    "tag of null": {"$set": None},
    "text of letters": {"$text": ["a"]},
    "text beyond Unicode": {"$text": [2**21]},
    "text of booleans": {"$text": [True]},
    "set with a list": {"$set": [[1]]},
    "set with one member twice": {"$set": [1, 1]},
    "pair of one": {"$dict": [[1]]},
    "pair of three": {"$dict": [[1, 2, 3]]},
    "pair that is text": {"$dict": ["ab"]},
    "key twice": {"$dict": [[1, 2], [1, 3]]},
    "key that is a list": {"$dict": [[[1], 2]]},
    "range of four": {"$range": [1, 2, 3, 4]},
    "range of text": {"$range": ["1"]},
    "range without a step": {"$range": [1, 2, 0]},
    "complex of integers": {"$complex": [1, 2]},
    "complex of one": {"$complex": [{"$float": "nan"}]},
    "path in another spelling": {"$worded": ["PurePosixPath", "a//b"]},
    "path that is a number": {"$worded": ["PurePosixPath", 1]},
    "worded type that is unknown": {"$worded": ["Popen", "a"]},
    "worded type that is a list": {"$worded": [[], "a"]},
    "worded alone": {"$worded": ["UUID"]},
    "endless duration": {"$timedelta": [10**12, 0, 0]},
    "100,000 deep": nested_lists(100_000),
}


@pytest.mark.parametrize("name", MALFORMED_TAGS)
def test_a_malformed_tag_is_refused(name: str):
    with pytest.raises(ValueError):
        untagged(MALFORMED_TAGS[name])


@given(JSON)
def test_any_json_is_read_or_refused_with_ValueError(value: object):
    try:
        read = untagged(value)
    except ValueError:
        return
    assert type(read) in {type(None), bool, int, float, str, list, dict}


def test_frozen_containers_are_json():
    assert canonical_bytes(FrozenDict({"a": FrozenList([1])})) == b'{"a":[1]}'


@pytest.mark.parametrize("digits", ["1e999", "-1e999", "9" * 5_000, f"-{'9' * 400}.5"], ids=lambda digits: digits[:6])
def test_a_number_out_of_range_is_told_by_its_digits(digits: str) -> None:
    with pytest.raises(ValueError, match="is out of range") as caught:
        parse_json(b'{"line": ' + digits.encode() + b"}")
    assert digits[:40] in str(caught.value)
    assert len(str(caught.value)) < 100
