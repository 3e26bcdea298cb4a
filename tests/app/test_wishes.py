"""Requests as frames, and the fields of a body: they come out as they went in, or there is a named error."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.app.wishes import Wish, fields_of
from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError
from probatum.workers.frames import FrameReader

BODIES = st.binary(max_size=50) | st.just(b'{"size": 9}\n') | st.just(b"\n\n")


@given(body=BODIES, layer=st.sampled_from(Layer), flags=st.tuples(st.booleans(), st.booleans()))
def test_a_request_comes_out_as_it_went_in(body: bytes, layer: Layer, flags: tuple[bool, bool]) -> None:
    wish = Wish("judge", "an id", layer, body, *flags)
    (frame,) = FrameReader().feed(wish.frame().to_bytes())
    assert Wish.of(frame) == wish


@given(body=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: f'{{"a": "{text}"}}'.encode()))
def test_any_bytes_are_fields_or_a_named_error(body: bytes) -> None:
    try:
        fields, _ = fields_of(body)
    except UsageError:
        return
    assert json.loads(body.decode("utf-8-sig")) == fields


@pytest.mark.parametrize(("digits", "is_exact"), [("0.1", True), ("1e2", True), ("0.1000000000000000055", False)])
def test_a_number_that_no_float_holds_is_told(digits: str, is_exact: bool) -> None:
    _, told = fields_of(f'{{"a": {digits}}}'.encode())
    assert (told == "") is is_exact
