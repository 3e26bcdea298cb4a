"""Request lines: which become requests, which get an answer that refuses them, which cannot be answered at all."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.app.request_lines import Identified, identify
from probatum.core.command import Given
from probatum.core.errors import UsageError
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.verification.kind import Request
from tests.kinds.lines import request_of
from tests.services import Answer, Level, ProgramRequest

UNANSWERABLE = {
    "no JSON": b"{",
    "no object": b"[1]",
    "a number": b"1",
    "no id": b'{"kind": "program"}',
    "an id that is no text": b'{"id": 1}',
    "an empty id": b'{"id": ""}',
    "not UTF-8": b'{"id": "\xff"}',
    "NaN": b'{"id": "a", "source": NaN}',
    "too deep": b"[" * 200_000,
}
INVALID: dict[str, dict[str, object]] = {
    "no kind": {"source": "x"},
    "an unknown kind": {"kind": "poem", "source": "x"},
    "a kind that is no text": {"kind": ["program"], "source": "x"},
    "no source": {"kind": "program"},
    "a source that is no text": {"kind": "program", "source": 1},
    "an unknown field": {"kind": "program", "source": "x", "contracts": "y"},
    "an unknown level": {"kind": "program", "source": "x", "level": "heroic"},
    "a function that is no text": {"kind": "program", "source": "x", "function": 3},
    "siblings that are no object": {"kind": "program", "source": "x", "siblings": ["shop"]},
    "a sibling that cannot be imported": {"kind": "program", "source": "x", "siblings": {"shop/tax": ""}},
    "a sibling that is no text": {"kind": "program", "source": "x", "siblings": {"shop": 1}},
    "a module that cannot be imported": {"kind": "program", "source": "x", "module": "shop/cart.py"},
    "a lone surrogate": {"kind": "program", "source": "\ud800"},
}


def parsed(fields: dict[str, object]) -> Request | Answer:
    line = json.dumps({"id": "a", **fields}).encode()
    return request_of(identify(line, 1, "in.jsonl"))


@pytest.mark.parametrize("line", UNANSWERABLE.values(), ids=UNANSWERABLE)
def test_a_line_without_an_id_is_refused_by_its_number(line: bytes) -> None:
    with pytest.raises(UsageError, match=r"in\.jsonl, line 7"):
        identify(line, 7, "in.jsonl")


@pytest.mark.parametrize("fields", INVALID.values(), ids=INVALID)
def test_an_unusable_request_is_answered_as_blocked(fields: dict[str, object]) -> None:
    answer = parsed(fields)
    assert isinstance(answer, Answer)
    assert (answer.verdict.status.value, answer.verdict.constraint_id) == ("BLOCKED", "request.invalid")


def test_a_misspelt_field_names_the_nearest_one() -> None:
    answer = parsed({"kind": "program", "source": "x", "contracts": "y"})
    assert isinstance(answer, Answer)
    assert answer.sheet.next_step == "Did you mean 'contract'?"


def test_a_whole_request_is_read() -> None:
    fields = {"function": "f", "contract": "c", "tests": "t", "against": "o", "level": "quick"}
    request = parsed({"kind": "program", "source": "x = 'é'", **fields})
    assert request == ProgramRequest("x = 'é'".encode(), "a", "f", "c", b"t", b"o", Level.QUICK, module="artifact")


def test_what_a_request_is_called_is_no_name_of_a_module() -> None:
    told = [parsed({"kind": "program", "source": "x = 1", "id": each}) for each in ("csv", "a")]
    assert {each.module for each in told if isinstance(each, ProgramRequest)} == {"artifact"}


def test_the_level_of_the_batch_is_taken_where_the_request_names_none() -> None:
    request = request_of(
        Identified("a", {"id": "a", "kind": "program", "source": ""}), Given(options={"level": "thorough"})
    )
    assert isinstance(request, ProgramRequest)
    assert request.level is Level.THOROUGH


@pytest.mark.parametrize("key", ["source", "tests", "against"])
def test_more_than_the_budget_is_undecided(key: str) -> None:
    answer = parsed({"kind": "program", "source": "x", key: "#" * (MAX_SOURCE_BYTES + 1)})
    assert isinstance(answer, Answer)
    assert (answer.exit_code, answer.verdict.constraint_id) == (3, "program.too_large")


@given(st.binary(max_size=60) | st.from_regex(rb'\{"id": ?"[ -~]*\}?', fullmatch=True))
def test_any_bytes_are_a_request_or_a_named_error(line: bytes) -> None:
    with suppress(UsageError):
        found = identify(line, 1, "in.jsonl")
        assert isinstance(request_of(found, Given(options={"level": "quick"})), ProgramRequest | Answer)


def test_modules_beside_the_program_come_along() -> None:
    fields = {"source": "from shop import tax", "module": "shop.cart", "siblings": {"shop.tax": "x = 1", "a": ""}}
    request = parsed({"kind": "program", **fields})
    assert isinstance(request, ProgramRequest)
    assert request.module == "shop.cart"
    # What it cannot import takes no part.
    assert (request.name, request.siblings) == ("shop/cart.py", (("shop.tax", b"x = 1"),))


def test_too_many_modules_are_undecided() -> None:
    answer = parsed({"kind": "program", "source": "x", "siblings": {f"m{number}": "" for number in range(201)}})
    assert isinstance(answer, Answer)
    assert answer.exit_code == 3
