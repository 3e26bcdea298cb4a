"""Numbers of canonical JSON against their definition in exact arithmetic: no code is shared with what writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from tests.core.ecmascript import bits_of, double_of, doubles, number_text

COUNT = 20_000

TEXTS = {
    0x0000000000000000: "0",
    0x8000000000000000: "0",
    0x0000000000000001: "5e-324",
    0x8000000000000001: "-5e-324",
    0x7FEFFFFFFFFFFFFF: "1.7976931348623157e+308",
    0x4340000000000000: "9007199254740992",
    0x44B52D02C7E14AF5: "9.999999999999997e+22",
    0x44B52D02C7E14AF6: "1e+23",
    0x44B52D02C7E14AF7: "1.0000000000000001e+23",
    0x444B1AE4D6E2EF4F: "999999999999999900000",
    0x444B1AE4D6E2EF50: "1e+21",
    0x3EB0C6F7A0B5ED8C: "9.999999999999997e-7",
    0x3EB0C6F7A0B5ED8D: "0.000001",
    0x41B3DE4355555555: "333333333.3333333",
    0x0010000000000000: "2.2250738585072014e-308",
    0x43143FF3C1CB0959: "1424953923781206.2",
}
"""By the bits of a double, what its definition gives."""


@pytest.mark.parametrize("bits", TEXTS, ids=hex)
def test_the_definition_and_canonical_json_give_the_known_texts(bits: int) -> None:
    assert number_text(double_of(bits)) == TEXTS[bits]
    assert canonical_bytes(double_of(bits)).decode() == TEXTS[bits]


def test_edges_and_random_doubles_are_written_by_the_definition() -> None:
    values = list(doubles(COUNT, seed=8785))
    assert len(set(map(bits_of, values))) > COUNT * 0.9
    assert [value.hex() for value in values if canonical_bytes(value).decode() != number_text(value)] == []


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_double_is_written_by_the_definition(value: float) -> None:
    assert canonical_bytes([value]).decode() == f"[{number_text(value)}]"


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_number_has_no_text(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        number_text(value)
