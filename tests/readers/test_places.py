"""Where the values of JSON and CSV stand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import BudgetError
from probatum.readers.places import csv_table, json_scalars

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def _at(value: object, steps: tuple[str | int, ...]) -> object:
    for step in steps:
        value = value[step]  # type: ignore[index]  # steps lead through lists and objects
    return value


def _leaves(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_leaves, value.values()))
    return sum(map(_leaves, value)) if isinstance(value, list) else 1


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_every_scalar_is_found_at_its_place(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = list(json_scalars(text))
    assert [json.loads(text[each.start : each.end]) for each in found] == [_at(value, each.steps) for each in found]
    assert len(found) == _leaves(value)
    assert [each.start for each in found] == sorted(each.start for each in found)


@pytest.mark.parametrize("text", ["]", "5,", '{"a": "b', "[1] x!", "!"])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        list(json_scalars(text))


def test_deep_json_is_refused() -> None:
    with pytest.raises(BudgetError):
        list(json_scalars("[" * 1_000 + "]" * 1_000))


def test_tables() -> None:
    text = 'a,"b ""c"""\r\n1,"2,\n3"\n\n,x'
    rows = csv_table(text)
    assert [[cell.text for cell in row] for row in rows] == [["a", 'b "c"'], ["1", "2,\n3"], ["", "x"]]
    assert [text[cell.start : cell.end] for row in rows for cell in row] == ["a", '"b ""c"""', "1", '"2,\n3"', "", "x"]
    assert [[cell.text for cell in row] for row in csv_table("a;b\n1;2\n", ";")] == [["a", "b"], ["1", "2"]]
    assert csv_table("") == ()


@pytest.mark.parametrize(
    ("text", "line"), [("a,b\n1\n", 2), ('a\n"x\n', 2), ('a\n"x"y\n', 2), ('a\nx"y\n', 2), ("a,b\n1,2\n1,2,3", 3)]
)
def test_what_is_no_table_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ValueError, match=f"line {line} "):
        csv_table(text)
