"""Data as they are written: lists, numbers between commas, columns of CSV."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.statistics.datasets import Dataset, read_dataset
from tests.exact.claims import claim_of


def read(data: object, column: str | None = None) -> Dataset:
    return read_dataset(claim_of("stats", "", data=data), "data", column)


@pytest.mark.parametrize(
    ("data", "numbers"),
    [
        ("1, 2", [1, 2]),
        ("1,2", [1, 2]),
        ("[100,200,300]", [100, 200, 300]),
        ("100, 200, 300", [100, 200, 300]),
        (" 1 ,\n2 ,\n3 ", [1, 2, 3]),
        ("1\n2\r\n3", [1, 2, 3]),
        ("−1.50", [Fraction(-3, 2)]),
        (".5, 5., +1e-3, 2E2", [Fraction(1, 2), 5, Fraction(1, 1000), 200]),
        ("50%", [Fraction(1, 2)]),
        ([0.1, 10**25, -2], [Fraction(1, 10), 10**25, -2]),
        (["0.10000000000000000000001"], [Fraction(10**22 + 1, 10**23)]),
        ("1e400", [10**400]),
    ],
)
def test_numbers_are_read_exactly(data: object, numbers: list[Fraction]) -> None:
    assert list(read(data).fractions()) == numbers


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        ("", "engine.data_empty", "data"),
        ("[]", "engine.data_empty", "data"),
        ([], "engine.data_empty", "data"),
        ("[1, True, 2]", "engine.data_mixed_types", "data[1]"),
        ("[1, true, 2]", "engine.data_mixed_types", "data[1]"),
        ([1, True, 2], "engine.data_mixed_types", "data[1]"),
        (["a", False], "engine.data_mixed_types", "data[1]"),
        ([1, "2"], "engine.data_mixed_types", "data[1]"),
        ('[1, "2"]', "engine.data_mixed_types", "data[1]"),
        ([1, [2]], "engine.data_mixed_types", "data[1]"),
        ("[nan, nan, 1]", "engine.non_finite", "data[0]"),
        ('["a", NaN]', "engine.non_finite", "NaN"),
        ("1, -inf", "engine.non_finite", "data[1]"),
        ([1, "Infinity"], "engine.non_finite", "data[1]"),
        ("1,,2", "engine.data_missing", "data[1]"),
        ("1, null", "engine.data_missing", "data[1]"),
        ([1, None], "engine.data_missing", "data[1]"),
        ("1,000", "engine.data_ambiguous", "1,000"),
        ("1,234, 5,678", "engine.data_ambiguous", "1,234"),
        ("100,200,300", "engine.data_ambiguous", "100,200,300"),
        ("1,5\n2,5", "engine.data_ambiguous", "line"),
        ("1, 007", "engine.data_ambiguous", "data[1]"),
        ("1;2", "engine.data_unreadable", "data[0]"),
        ("1 2", "engine.data_unreadable", "data[0]"),
        ("a, b", "engine.data_unreadable", "data[0]"),
        ("$5, $6", "engine.data_unreadable", "data[0]"),
        ("１, 2", "engine.data_unreadable", "data[0]"),
        ("1_000", "engine.data_unreadable", "data[0]"),
        ("0x10", "engine.data_unreadable", "data[0]"),
        ("[1, 2", "engine.data_unreadable", "data"),
        ("[[1], [2]]", "engine.data_unreadable", "data[0]"),
        ('["a", "b"', "engine.data_unreadable", "data"),
        ({"a": 1}, "engine.data_unreadable", "data"),
        (5, "engine.data_unreadable", "data"),
    ],
)
def test_what_cannot_be_read_tells_the_place(data: object, code: str, place: str) -> None:
    with pytest.raises(NotAttemptedError) as caught:
        read(data)
    assert caught.value.code == code
    assert place in caught.value.sentence


@pytest.mark.parametrize(
    ("table", "code", "place"),
    [
        ("a,b\n1,2\n3", "engine.data_ragged", "Row 3"),
        ("a,b\n1,2\n\n3,4", "engine.data_ragged", "Row 3"),
        ("a,b\n,2", "engine.data_missing", "Row 2"),
        ("a,b\n1,2\nx,3", "engine.data_mixed_types", "row 3"),
        ("a,b\n1,2\nNA,3", "engine.data_missing", "row 3"),
        ("a,b\n1,2\nnan,3", "engine.non_finite", "row 3"),
        ('a,b\n1,2\n"1,000",3', "engine.data_ambiguous", "row 3"),
        ("a,a\n1,2", "engine.data_column", "twice"),
        ("b\n1", "engine.data_column", "'a'"),
        ("", "engine.data_column", "'a'"),
        ("a,b", "engine.data_empty", "data"),
        ('a,b\n"1,2', "engine.data_unreadable", "CSV"),
        ([1, 2], "engine.data_column", "CSV"),
    ],
)
def test_a_column_that_cannot_be_read_tells_the_row(table: object, code: str, place: str) -> None:
    with pytest.raises(NotAttemptedError) as caught:
        read(table, "a")
    assert caught.value.code == code
    assert place in caught.value.sentence


def test_a_column_is_numbers_or_texts() -> None:
    assert list(read('a,b\n"1",x\n2,y\n', "a").fractions()) == [1, 2]
    assert read("a,b\n1,007\n2,8th\n", "b").texts == ("007", "8th")


@pytest.mark.parametrize(
    "data", ["1e9999", "9" * 3000, [10**7000], "1e-4000, " * 9000 + "1", "1\n" * 1_000_001, "1" * (16 * 2**20 + 1)]
)
def test_what_is_too_large_is_told(data: object) -> None:
    with pytest.raises(BudgetError):
        read(data)


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9), min_size=1))
def test_decimals_come_back_as_they_are(values: list[Decimal]) -> None:
    expected = [Fraction(each) for each in values]
    text = ", ".join(map(str, values))
    assert list(read(text).fractions()) == list(read(f"[{text}]").fractions()) == expected
