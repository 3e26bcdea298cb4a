"""The reader of JSON shapes: what it gives, and that whatever is otherwise is refused with its place named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.canonical import JsonValue
from probatum.core.frozen import freeze
from probatum.core.json_text import DuplicateKeyError, JsonTextError, read_json
from probatum.core.outside import is_seen
from probatum.core.shape import RARE, Shape, ShapeError, json_of
from tests.core.strategies import ENCODABLE, JSON, JSON_OBJECTS, SAFE_INTEGERS


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Dot:
    x: int
    colour: Colour
    is_round: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    name: str
    scale: float
    dots: tuple[Dot, ...]
    words: tuple[str, ...] = ()
    content: JsonValue = None
    first: Dot | None = None
    note: str = field(default="", metadata=RARE)

    def __post_init__(self) -> None:
        if not self.scale > 0:
            raise ValueError("a scale is positive")


DOTS = st.builds(Dot, SAFE_INTEGERS, st.sampled_from(Colour), st.booleans())
DRAWINGS = st.builds(
    Drawing,
    ENCODABLE,
    st.floats(0.1, 1e9),
    st.lists(DOTS, max_size=3).map(tuple),
    st.lists(ENCODABLE, max_size=3).map(tuple),
    JSON,
    st.none() | DOTS,
    ENCODABLE,
)
READERS: dict[str, tuple[Callable[[Shape, str | int | None], object], Callable[[object], bool]]] = {
    "text": (Shape.text, lambda v: type(v) is str),
    "whole": (Shape.whole, lambda v: type(v) is int),
    "number": (Shape.number, lambda v: type(v) in {int, float}),
    "flag": (Shape.flag, lambda v: type(v) is bool),
    "raw_list": (Shape.raw_list, lambda v: type(v) is list),
    "raw_object": (Shape.raw_object, lambda v: type(v) is dict),
    "raw": (Shape.raw, lambda _: True),
    "words": (Shape.words, lambda v: type(v) is str and bool(v.strip())),
    "texts": (Shape.texts, lambda v: type(v) is list and all(type(each) is str for each in v)),
}


@given(value=JSON, name=st.sampled_from(sorted(READERS)))
def test_a_reader_gives_the_value_or_names_its_place(value: object, name: str) -> None:
    read, fits = READERS[name]
    for holder, step, place in (
        (value, None, ""),
        ({"a": value}, "a", "a"),
        ([0, value], 1, "[1]"),
    ):
        shape = Shape(holder)
        if fits(value):
            given_back = read(shape, step)
            assert (list(given_back) if isinstance(given_back, tuple) else given_back) == value
        else:
            with pytest.raises(ShapeError) as refused:
                read(shape, step)
            assert refused.value.place.startswith(place)
            assert str(refused.value).removeprefix(f"{refused.value.place}: ").startswith("expected ")


@given(drawing=DRAWINGS, is_frozen=st.booleans())
def test_a_dataclass_comes_back_from_its_json(drawing: Drawing, is_frozen: bool) -> None:
    written = json_of(drawing)
    assert {"note": "", **written} == json.loads(json.dumps(asdict(drawing)))
    assert ("note" in written) is bool(drawing.note)
    told = json.loads(json.dumps(written))
    assert Shape(freeze(told) if is_frozen else told).into(Drawing) == drawing


PLACES: dict[str, Callable[[dict[str, object]], object]] = {
    "name": lambda d: d.update(name=1),
    "scale": lambda d: d.update(scale=True),
    "dots": lambda d: d.update(dots={}),
    "dots[1]": lambda d: d.update(dots=[d["first"], 3]),
    "dots[0].x": lambda d: d.update(dots=[{"x": False, "colour": "red", "is_round": True}]),
    "dots[0].colour": lambda d: d.update(dots=[{"x": 1, "colour": "rde", "is_round": True}]),
    "dots[0]": lambda d: d.update(dots=[{"x": 1}]),
    "words[2]": lambda d: d.update(words=["a", "b", None]),
    "first": lambda d: d.update(first=[]),
    "first.is_round": lambda d: d.update(first={"x": 1, "colour": "red", "is_round": 1}),
    "": lambda d: d.update(nmae="x"),
    " again": lambda d: d.pop("content"),
}


@pytest.mark.parametrize("place", PLACES)
def test_what_is_otherwise_in_a_dataclass_is_refused_with_its_place(place: str) -> None:
    told: dict[str, object] = json.loads(json.dumps(asdict(Drawing("n", 1.5, (), first=Dot(1, Colour.BLUE)))))
    assert Shape(told).into(Drawing).first == Dot(1, Colour.BLUE)
    PLACES[place](told)
    with pytest.raises(ShapeError) as refused:
        Shape(told).into(Drawing)
    assert refused.value.place == place.removesuffix(" again")


def test_what_the_class_refuses_has_a_place_and_near_words_are_hinted_at() -> None:
    told = {**asdict(Drawing("", 1, ())), "scale": 0, "dots": [], "words": []}
    with pytest.raises(ShapeError, match=r"drawings\[3\]: a scale is positive"):
        Shape(told, "drawings[3]").into(Drawing)
    with pytest.raises(ShapeError, match=r"^a\[1\]\.b: expected text, got 1$"):
        list(Shape({"a": [0, {"b": 1}]}).items("a"))[1].through(lambda row: Shape(row).text("b"))
    with pytest.raises(ShapeError, match="c: expected one of red, blue, got 'rde'"):
        Shape({"c": "rde"}).choice(Colour, "c")
    with pytest.raises(ShapeError, match=r"a: unknown key 'nmae' \(Did you mean 'name'\?\); known are name"):
        Shape({"nmae": 1}, "a").exactly("name")


@given(value=JSON_OBJECTS, key=ENCODABLE)
def test_a_missing_member_is_refused_by_its_name(value: dict[str, JsonValue], key: str) -> None:
    value.pop(key, None)
    assert not Shape(value).has(key)
    for read, _ in READERS.values():
        with pytest.raises(ShapeError, match="it is missing"):
            read(Shape(value), key)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), True, "1", None, 11, -1, 10**400, 0.5])
def test_a_bounded_whole_number_is_that_alone(value: object) -> None:
    with pytest.raises(ShapeError, match=r"n: expected a whole number, 0 to 10, got "):
        Shape({"n": value}).whole("n", 0, 10)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, "1", None, 11, -0.1, 10**400])
def test_a_bounded_number_is_finite_and_no_truth(value: object) -> None:
    with pytest.raises(ShapeError, match=r"n: expected a number, 0 to 10, got "):
        Shape({"n": value}).number("n", 0, 10)


@given(text=st.text(), value=st.integers() | st.text())
def test_a_message_is_short_and_printable(text: str, value: int | str) -> None:
    with pytest.raises(ShapeError) as refused:
        Shape({text: {text: value}}).member(text).flag(text)
    assert is_seen(str(refused.value))
    assert len(str(refused.value)) < 1000


def test_a_list_has_the_length_that_is_asked_for() -> None:
    assert [each.place for each in Shape({"a": [1, 2]}).items("a", 1, 2)] == ["a[0]", "a[1]"]
    for items in ([], [1, 2, 3]):
        with pytest.raises(ShapeError, match="a: expected a list of items, 1 to 2, got a list of"):
            Shape({"a": items}).items("a", 1, 2)


@given(value=JSON)
def test_json_text_is_read_as_it_was_written(value: JsonValue) -> None:
    text = json.dumps(value)
    assert read_json(text) == read_json(text.encode()) == value


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"a": 1, "a": 1}', "the same key twice"),
        (b"NaN", "NaN is not a JSON number"),
        (b"[-Infinity]", "-Infinity is not a JSON number"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b'"abc', "Unterminated string"),
        (b"", "Expecting value"),
        (b"1 2", "Extra data"),
        (b"[" * 101 + b"]" * 101, "nested deeper than 100 levels"),
        (b'{"a":' * 101 + b"1" + b"}" * 101, "nested deeper than 100 levels"),
        (b"[" * 3_000, "nested deeper than 100 levels"),
        (b"[" * 3_000 + b"NaN", "nested deeper than 100 levels"),
        (b'"' + b"[" * 3_000 + b'", 1', "Extra data"),
        (b"[" * 30_000, "one list or object in 3 characters"),
        (b"9" * 5000, "digits"),
        (b"1" * 300, "more than 200 bytes"),
    ],
)
def test_other_text_is_refused_by_name(content: bytes, reason: str) -> None:
    with pytest.raises(JsonTextError, match=reason):
        read_json(content, 200 if content == b"1" * 300 else 1_000_000)


def test_the_bounds_are_reached_and_not_passed() -> None:
    assert read_json(b"[" * 100 + b"]" * 100)
    assert read_json(b"[[[]]]", 6, depth=3) == [[[]]]
    with pytest.raises(DuplicateKeyError):
        read_json(b'[{"a":{"b":1,"b":2}}]')
