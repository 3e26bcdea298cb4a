"""Shortening to a number of bytes: the table of the requirement, and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.contracts.truncation import truncate_utf8_bytes

TEXT = "h\u00e9llo\u20ac\U0001f600"
VECTORS = {0: 0, 1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 5, 8: 5, 9: 6, 10: 6, 11: 6, 12: 6, 13: 7, 14: 7, 10**9: 7}
"""By number of bytes: how many characters stay."""


@pytest.mark.parametrize("limit", VECTORS)
@pytest.mark.parametrize("given_as", [str, str.encode])
def test_f21_the_vectors(limit: int, given_as: type[str]):
    assert truncate_utf8_bytes(given_as(TEXT), limit) == TEXT[: VECTORS[limit]]


@pytest.mark.parametrize(
    ("content", "limit", "expected"),
    [
        (b"\xff\xfeok", 100, "\ufffd\ufffdok"),
        (b"\xff\xfeok", 2, ""),
        (b"\xff\xfeok", 3, "\ufffd"),
        (b"\xff\xfeok", 5, "\ufffd"),
        (b"\xff\xfeok", 7, "\ufffd\ufffdo"),
        (b"\xf0\x9f\x98", 3, "\ufffd"),
        (b"a\xf0\x9f\x98\x80", 4, "a"),
        (b"a\xf0\x9f\x98\x80", 5, "a\U0001f600"),
        ("\ud83d", 100, "\ufffd"),
        ("a\udc80b", 4, "a\ufffd"),
        ("", 0, ""),
    ],
)
def test_f22_what_is_no_utf8_is_replaced_before_it_is_counted(content: str | bytes, limit: int, expected: str):
    assert truncate_utf8_bytes(content, limit) == expected


@pytest.mark.parametrize("limit", [-1, 1.0, None, True, "1"])
def test_f23_a_limit_is_a_whole_number_of_0_or_more(limit: object):
    with pytest.raises(ValueError):
        truncate_utf8_bytes(TEXT, limit)  # type: ignore[arg-type]  # refused


@given(st.text(st.characters()) | st.binary(), st.integers(0, 40))
def test_the_longest_beginning_that_fits(content: str | bytes, limit: int):
    found = truncate_utf8_bytes(content, limit)
    whole = truncate_utf8_bytes(content, 10_000)
    assert whole.startswith(found)
    assert len(found.encode()) <= limit
    if found != whole:
        assert len(whole[: len(found) + 1].encode()) > limit
    if isinstance(content, bytes):
        assert whole == content.decode("utf-8", errors="replace")
