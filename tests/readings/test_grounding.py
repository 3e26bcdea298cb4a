"""Which claim readings count, and what is open beside them."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import UsageError
from probatum.readings.claims import ClaimReading, ClaimRecord, claim_records
from probatum.readings.grounding import grounding
from probatum.readings.paths import CitableSource
from probatum.readings.verbatim import uncovered
from tests.readings.grounds import grounded_by, open_in, prove

OUTPUT = "It opened in 1932.\nIt is blue."
SOURCE = "The bridge opened in 1932."
OPENED: dict[str, object] = {"passage": "It opened in 1932.", "source": "doc", "quote": "opened in 1932"}
BY_ADA = {"by": "Ada", "on": "2026-01-31"}
BOTH = ["It opened in 1932.", "It is blue."]
BLUE = ["It is blue."]


@pytest.mark.parametrize(
    ("policy", "readers", "claim", "still_open"),
    [
        ("accepted", 1, OPENED, BOTH),
        ("accepted", 1, {**OPENED, "accepted": BY_ADA}, BLUE),
        ("accepted", 1, {**OPENED, "rejected": BY_ADA}, BOTH),
        ("accepted", 1, {**OPENED, "accepted": {**BY_ADA, "by": "MODEL-1\u200b"}}, BOTH),
        ("proposed", 1, OPENED, BLUE),
        ("proposed", 1, {**OPENED, "rejected": BY_ADA}, BOTH),
        ("consensus:2", 1, OPENED, BOTH),
        ("consensus:2", 2, OPENED, BLUE),
        ("consensus:3", 2, OPENED, BOTH),
        ("consensus:2", 1, {**OPENED, "accepted": BY_ADA}, BLUE),
        ("none", 2, {**OPENED, "accepted": BY_ADA}, BOTH),
    ],
)
def test_what_a_policy_leaves_open(policy: str, readers: int, claim: dict[str, object], still_open: list[str]) -> None:
    found = grounded_by(OUTPUT, SOURCE, claim, policy=policy, readers=readers)
    assert open_in(OUTPUT, found) == still_open
    json.dumps([each.document() for each in found.grounded])


def test_a_policy_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="Did you mean 'proposed'"):
        grounded_by(OUTPUT, SOURCE, OPENED, policy="propose")


def test_readers_agree_on_words_however_they_cut_them() -> None:
    whole = {"passage": "It opened in 1932. It is blue.", "source": "doc", "quote": SOURCE}
    parts = [OPENED, {"passage": "It is blue.", "source": "doc", "quote": "The bridge"}]
    records = [{"reader": "a", "claims": [whole]}, {"reader": "b", "claims": parts}]
    found = grounding(OUTPUT, [CitableSource("doc", SOURCE)], claim_records(records), prove, "consensus:2")
    assert not found.open


def test_a_reader_does_not_agree_with_itself_nor_on_whether_something_is_said() -> None:
    narrative = {"passage": "It is blue.", "narrative": True}
    cited = {"passage": "It is blue.", "source": "doc", "quote": "The bridge"}
    for records in (
        [{"reader": "a", "claims": [cited]}, {"reader": " a ", "claims": [cited]}],
        [{"reader": "m", "claims": [cited]}, {"reader": "M\u200b ", "claims": [cited]}],
        [{"reader": "gpt-4", "claims": [cited]}, {"reader": "GPT\u2011 4.", "claims": [cited]}],
        [{"reader": "a", "claims": [cited]}, {"reader": "b", "claims": [narrative]}],
    ):
        found = grounding("It is blue.", [CitableSource("doc", SOURCE)], claim_records(records), prove, "consensus:2")
        assert open_in("It is blue.", found) == BLUE


def test_words_that_come_twice_are_quoted_twice() -> None:
    output = "It opened in 1932. Then: It opened in 1932."
    once = grounded_by(output, SOURCE, OPENED)
    assert open_in(output, once) == ["Then: It opened in 1932."]
    assert open_in(output, grounded_by(output, SOURCE, OPENED, OPENED)) == ["Then:"]


def test_passages_may_overlap() -> None:
    first = {"passage": "It opened in 1932.", "source": "doc", "quote": SOURCE}
    second = {"passage": "in 1932. It is blue.", "source": "doc", "quote": SOURCE}
    assert not grounded_by(OUTPUT, SOURCE, first, second).open


def test_readings_that_are_refused_close_nothing() -> None:
    wrong = {**OPENED, "quote": "opened in 1933"}
    found = grounded_by(OUTPUT, SOURCE, wrong)
    assert open_in(OUTPUT, found) == BOTH
    [refused] = found.refused
    assert (refused.reader, refused.refusal.code) == ("model-1", "quote_not_in_source")
    assert refused.refusal.detail == "The source 'doc' does not have the quote; it departs at 'opened in 1933'."


@pytest.mark.parametrize(
    ("output", "claims", "speaking"),
    [
        ("", [], 0),
        ("It opened in 1932. ❌", [OPENED], 0),
        ("It is blue.", [{"passage": "It is blue.", "narrative": True}], 1),
        ("It opened in 1932.", [OPENED], 1),
        (OUTPUT, [OPENED], 0),
        (OUTPUT, [OPENED, {"passage": "It is blue.", "narrative": True}], 2),
    ],
)
def test_readings_speak_for_a_stretch_where_they_quote_all_of_it(
    output: str, claims: list[dict[str, object]], speaking: int
) -> None:
    assert len(grounded_by(output, SOURCE, *claims).of(0, len(output))) == speaking


@given(st.lists(st.sampled_from([*OUTPUT.split(), OUTPUT, "in 1932.", "1933", ""]), min_size=2, max_size=6))
def test_what_a_policy_does_not_count_changes_nothing(words: list[str]) -> None:
    accepted: dict[str, object] = {**OPENED, "accepted": BY_ADA}
    drawn = [ClaimReading(passage=each, source="doc", quote=other) for each, other in pairwise(words)]
    records = claim_records({"reader": "a", "claims": [accepted]})
    sources = [CitableSource("doc", SOURCE)]
    alone = grounding(OUTPUT, sources, records, prove)
    beside = grounding(OUTPUT, sources, (*records, ClaimRecord("b", tuple(drawn))), prove)
    assert alone.open == beside.open
    assert alone.grounded == beside.counting


@given(st.text(alphabet="ab1 .\n-", max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_every_letter_and_digit_is_quoted_or_open(text: str, drawn: list[tuple[int, int]]) -> None:
    spans = [(min(pair), max(pair)) for pair in drawn]
    quoted = {at for start, end in spans for at in range(start, end)}
    left = {at for start, end in uncovered(text, spans) for at in range(start, end)}
    assert not quoted & left
    assert all(at in quoted | left for at, sign in enumerate(text) if sign.isalnum())
