"""Reading what a model wrote: each repair told, nothing guessed, everything bounded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.contracts.reading import read_output
from probatum.core.errors import BudgetError
from probatum.core.json_text import DEEPEST
from probatum.readers.json_schema.parsing import MAX_CAREFUL, NotJsonError, parse, strict_json

READ: list[tuple[str, str, object, list[str]]] = [
    ("plain", ' {"a": [1, 2.5, true, null, "x"]}\n', {"a": [1, 2.5, True, None, "x"]}, []),
    ("a scalar", "5", 5, []),
    ("null", "null", None, []),
    ("a byte order mark", '\ufeff{"a":1}', {"a": 1}, ["byte_order_mark"]),
    ("a fence", '```json\n{"a":1}\n```', {"a": 1}, ["fenced"]),
    ("a fence of waves", '~~~\n{"a":1}\n~~~\n', {"a": 1}, ["fenced"]),
    ("a scalar in a fence", "```\ntrue\n```", True, ["fenced"]),
    ("a fence that never closes", '```json\n{"a":1}\n', {"a": 1}, ["fenced"]),
    ("a fence with lines of Windows", '```json\r\n{"a":1}\r\n```\r\n', {"a": 1}, ["fenced"]),
    ("text before", 'Here it is: {"a":1}', {"a": 1}, ["text_around"]),
    ("text after", '{"a":1} I hope it helps!', {"a": 1}, ["text_around"]),
    ("text around a fence", 'Sure:\n```json\n{"a":1}\n```\nBye.', {"a": 1}, ["fenced", "text_around"]),
    ("brackets in the text", 'See [Note] and {this}: {"a":1}', {"a": 1}, ["text_around"]),
    ("a trailing comma", '{"a":[1,2,],}', {"a": [1, 2]}, ["trailing_comma"]),
    ("commas inside text stay", 'x {"a":"1,]", "b": [1,],}', {"a": "1,]", "b": [1]}, ["text_around", "trailing_comma"]),
    ("a key twice", '{"a":1,"b":{"c":1,"c":2},"a":3}', {"a": 3, "b": {"c": 2}}, ["duplicate_key", "duplicate_key"]),
    ("a whole number beyond 2^53", "9007199254740993", 9007199254740993, []),
    ("a whole number with a point", "9007199254740993.0", 9007199254740993, []),
    ("a whole number with an exponent", "[123456789012345678e3, 1e23]", [123456789012345678000, 1e23], []),
    ("nothing with many signs", "[0e-99999999999999999999, 0.00000000000000000000]", [0.0, 0.0], []),
    ("a number that needs no more signs", "1.0000000000000000000", 1.0, []),
    ("a pair of surrogates", r'"\ud83d\ude00"', "\U0001f600", []),
    (
        "all repairs at once",
        '\ufeffSure:\n```\n[1,{"a":1,"a":2},]\n```',
        [1, {"a": 2}],
        ["byte_order_mark", "fenced", "text_around", "trailing_comma", "duplicate_key"],
    ),
]


@pytest.mark.parametrize(("text", "value", "kinds"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_what_is_read(text: str, value: object, kinds: list[str]) -> None:
    read = read_output(text.encode())
    assert read.value == value
    assert type(read.value) is type(value)
    assert [each.kind for each in read.findings] == [f"output.{kind}" for kind in kinds]
    assert read.is_readable


REFUSED: list[tuple[str, str, str]] = [
    ("nothing", "", "not_json"),
    ("spaces", " \n ", "not_json"),
    ("prose", "I cannot answer that.", "not_json"),
    ("two objects", '{"a":1}\n{"b":2}', "ambiguous"),
    ("two objects in prose", 'First {"a":1}, then {"b":2}.', "ambiguous"),
    ("two fences", '```json\n{"a":1}\n```\n```json\n{"a":1}\n```', "ambiguous"),
    ("a citation beside an object", 'See [1]: {"a":1}', "ambiguous"),
    ("a part of something broken", '{"a": {"b": 1}, oops}', "not_json"),
    ("the rest of an object", '"answer": {"yes": true}}', "not_json"),
    ("the end of an object", '"answer": {"yes": true}', "not_json"),
    ("the end of an object behind much space", '"answer"' + " " * 600 + ":" + "\n" * 600 + '{"yes": true}', "not_json"),
    ("more entries behind much space", '{"a": 1}' + " " * 600 + ', "b": 2', "not_json"),
    ("more entries behind", '{"a": 1}, "b": 2', "not_json"),
    ("too short", '{"a": [1, 2', "not_json"),
    ("too short inside a text", '{"a": "x', "not_json"),
    ("too short in a fence", '```json\n{"a": [{"b": 1}', "not_json"),
    ("single quotes", "{'a': 1}", "not_json"),
    ("bare keys", "{a: 1}", "not_json"),
    ("a comment", '{"a": 1 // one\n}', "not_json"),
    ("words of Python", '{"a": True}', "not_json"),
    ("NaN", "[NaN]", "not_json"),
    ("minus infinity", '{"a": -Infinity}', "not_json"),
    ("a leading zero", "[01]", "not_json"),
    ("half a surrogate pair", r'{"a": "\ud800"}', "not_json"),
    ("half a surrogate pair as a key", r'{"\udc00": 1}', "not_json"),
    ("a raw line break in a text", '{"a": "x\ny"}', "not_json"),
    ("a double comma", "[1,,2]", "not_json"),
    ("a comma alone", "[,]", "not_json"),
    ("ten thousand brackets of prose", "[a] " * 20_000 + "{}", "not_json"),
]


@pytest.mark.parametrize(("text", "kind"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_not_read(text: str, kind: str) -> None:
    read = read_output(text.encode())
    assert read.value is None
    assert not read.is_readable
    assert [each.kind for each in read.findings] == [f"output.{kind}"]


LONG: list[tuple[str, Callable[[], bytes]]] = [
    ("a fence and spaces", lambda: b"```" + b" " * 1_000_000 + b"x"),
    ("a fence and line ends", lambda: b'```json\n{"a":1}' + b"\n" * 1_000_000 + b"x"),
    ("fences", lambda: b"```\n" * 500_000),
    ("ticks", lambda: b"`" * 2_000_000),
    ("closing brackets", lambda: b"]" * 1_000_000),
    ("quotes", lambda: b'"' * 1_000_000),
    ("backslashes", lambda: b'"' + b"\\" * 1_000_001),
    ("spaces before and after", lambda: b" " * 1_000_000 + b"{" + b" " * 1_000_000),
    ("a colon after spaces", lambda: b'"' + b" " * 1_000_000 + b':{"a":1}'),
    ("a key twice in much else", lambda: b'{"a":1,"a":2,"b":[' + b"0," * 500_000 + b"0]}"),
    ("escaped pairs", lambda: b"[" + b'"\\ud83d\\ude00",' * 100_000 + b"1]"),
]


@pytest.mark.parametrize("make", [row[1] for row in LONG], ids=[row[0] for row in LONG])
def test_long_texts_end(make: Callable[[], bytes]) -> None:
    read = read_output(make())
    assert read.is_readable or read.value is None


@pytest.mark.parametrize(("part", "times"), [(b"{", 1_000_000), (b"[", 50_000), (b"0,", 2_000_000)])
def test_more_parts_than_are_read_are_beyond_the_budget(part: bytes, times: int) -> None:
    with pytest.raises(BudgetError) as caught:
        read_output(b"[" + part * times + b"0]")
    assert caught.value.code == "json.too_large"


def test_brackets_and_commas_in_a_text_are_no_parts() -> None:
    assert read_output(b'["' + b"[,{" * 1_000_000 + b'\\"[,"]').value is not None


def test_bytes_that_are_no_utf_8_are_an_error() -> None:
    for content in (b"\xff\xfe{\x00}\x00", b'{"a": "\xe9"}', b"\xed\xa0\x80"):
        assert not read_output(content).is_readable


def test_the_place_of_an_error_is_told() -> None:
    finding = read_output(b'{\n  "a": [1, oops]\n}').findings[0]
    assert finding.location is not None
    assert (finding.location.line, finding.location.column) == (2, 11)
    assert "$.a[1]" in finding.message


BEYOND: list[tuple[str, bytes]] = [
    ("nested too deep", b"[" * 10_001 + b"]" * 10_001),
    ("nested far too deep and never closed", b'{"a":' * 1_000_000),
    ("a number too large for a float", b"[1e400]"),
    ("a number too small for a float", b"[1e-400]"),
    ("a number that no float tells from a whole one", b"[1.00000000000000000001]"),
    ("a large number that no float tells from a whole one", b"[1,30000000000000000.4,]"),
    ("a long decimal", b"1" * 400 + b".5"),
    ("a number of very many digits", b"1" * 5000),
]


@pytest.mark.parametrize("content", [row[1] for row in BEYOND], ids=[row[0] for row in BEYOND])
def test_beyond_the_budget_is_a_named_error(content: bytes) -> None:
    with pytest.raises(BudgetError):
        read_output(content)


def test_more_bytes_than_the_budget_are_a_named_error() -> None:
    with pytest.raises(BudgetError, match="more than 50 bytes"):
        read_output(b"[" + b" " * 49 + b"]", max_bytes=50)


def test_ten_thousand_nested_arrays_are_read() -> None:
    value = read_output(b"[" * 10_000 + b"]" * 10_000).value
    depth = 0
    while isinstance(value, list):
        value, depth = (value[0] if value else None), depth + 1
    assert depth == 10_000


def test_a_deep_value_with_everything_in_it() -> None:
    content = b'{"a":[' * 2000 + b'1, "x\\u00e9", -2.5e3, true, null, {}, []' + b"]}" * 2000
    read = read_output(content)
    assert read.is_readable
    assert json.dumps(strict_json(b'{"a": 1}')) == '{"a": 1}'


def test_a_contract_has_no_key_twice() -> None:
    with pytest.raises(NotJsonError, match="twice"):
        strict_json(b'{"a": 1, "a": 1}')


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.booleans())
@settings(max_examples=200, deadline=None)
def test_what_was_written_is_read_without_a_finding(value: object, ascii_only: bool) -> None:
    content = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", errors="surrogatepass")
    read = read_output(content)
    assert read.value == value
    assert read.findings == ()


@given(st.text(alphabet='{}[]",:0a1 \n`\\u', max_size=40))
@settings(max_examples=500, deadline=None)
def test_any_text_gives_a_value_or_one_error_and_nothing_that_json_refuses_silently(text: str) -> None:
    read = read_output(text.encode())
    try:
        plain = json.loads(text)
    except ValueError:
        assert read.findings
    else:
        if read.is_readable:
            assert read.value == plain


@given(JSON)
@settings(max_examples=100, deadline=None)
def test_the_careful_reader_reads_what_the_quick_one_reads(value: object) -> None:
    text = json.dumps(value)
    careful = parse(f'[{text}, {{"twice": 1, "twice": 2}}]')
    assert careful.duplicates == ((1, "twice"),)
    assert careful.value == [value, {"twice": 2}]


MANY = b"1, " * (MAX_CAREFUL + 1)
LONG: dict[str, tuple[bytes, str]] = {
    "broken at the end": (b"[" + MANY + b"}", "column 300005"),
    "a constant of JavaScript": (b"[" + MANY + b"NaN]", "NaN is not a JSON number."),
    "half a surrogate pair": (b"[" + MANY + b'"\\ud800"]', "half a surrogate pair, which no text has."),
    "a comma behind the last item": (b"[" + MANY + b"]", "at line 1, column 30000"),
}


@pytest.mark.parametrize("name", LONG)
def test_a_text_too_long_to_be_read_with_care_is_no_json_all_the_same(name: str) -> None:
    content, said = LONG[name]
    read = read_output(content)
    assert not read.is_readable
    assert said in read.findings[0].message


@pytest.mark.parametrize(
    ("depth", "closing"),
    [
        (DEEPEST, b"]" * DEEPEST),
        (5_000, b"]" * 5_000),
        (5_000, b""),
        (5_000, b"\x01"),
        (5_000, b", NaN"),
        (5_000, b", 1e400"),
    ],
)
def test_what_is_both_long_and_deep_is_beyond_the_budget(depth: int, closing: bytes) -> None:
    """On every Python, whatever flaw follows: some of them read so deep without care."""
    with pytest.raises(BudgetError, match="nested deep"):
        read_output(b"[" * depth + b"[]," * MAX_CAREFUL + b"1" + closing)


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (b"[" + b'{"a": 1, "a": 2},' * 20_000 + b"1]", 20_000),
        (b"{" + b'"a": 1,' * 20_000 + b'"b": 1}', 19_999),
        (b"[" * 400 + b'{"a":1,"a":2},' + b"[]," * 200_000 + b"1" + b"]" * 400, 1),
        (b'{"x": {"a": 1, "a": 2}, "x": 3}', 2),
    ],
)
def test_keys_that_stand_twice_are_all_counted(content: bytes, count: int) -> None:
    told = read_output(content).findings
    assert all(finding.kind == "output.duplicate_key" for finding in told)
    beyond = re.fullmatch(r"… and (\d+) more keys are given twice\.", told[-1].message)
    assert (len(told) - 1 + int(beyond.group(1)) if beyond else len(told)) == count
