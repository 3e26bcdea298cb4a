"""What words a text contains, and what it leaves open whatever models say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.messages import built_in_sentences
from probatum.exact import check, decide
from tests.exact.claims import BLOCKED, PROVED, UNDECIDED, claim_of, outcome_of, require_every_digit_counts, ruled

REPORT = (
    "The company reported revenue of $5.2 million. The director is Jane Smith.\nSales   rose by 1,200 units. "
    "It is false that Acme was founded by Erin."
)
CONTAINED = {
    "a sentence": "The director is Jane Smith.",
    "a sentence without its stop": "The director is Jane Smith",
    "other white space": "Sales rose  by 1,200\tunits.",
    "a part of a sentence": "revenue of $5.2 million",
    "the whole": REPORT,
}
NOT_CONTAINED = {
    "another number": "The company reported revenue of $52 million.",
    "a part of a number": "revenue of $5",
    "the end of a number": "200 units",
    "a part of a word": "The director is Jane Smit",
    "another case": "the director is Jane Smith.",
    "another spelling of a number": "Sales rose by 1200 units.",
    "other words": "Jane Smith is the director.",
    "one word more": "The director is not Jane Smith.",
    "a question": "Is the director Jane Smith?",
}


@pytest.mark.parametrize("statement", CONTAINED.values(), ids=CONTAINED)
def test_words_that_the_text_contains_are_proved_to_stand_there(statement: str) -> None:
    ruling = ruled("facts", statement, context=REPORT)
    assert (ruling.outcome, ruling.constraint) == (PROVED, "facts.stated")
    start, length = ruling.evidence["offset"], ruling.evidence["length"]
    assert REPORT[start : start + length].split() == statement.split()  # type: ignore[operator]  # whole numbers
    require_every_digit_counts(claim_of("facts", statement, context=REPORT))


@pytest.mark.parametrize("statement", NOT_CONTAINED.values(), ids=NOT_CONTAINED)
def test_words_that_the_text_does_not_contain_are_left_open(statement: str) -> None:
    assert outcome_of("facts", statement, context=REPORT) == (UNDECIDED, "facts.not_stated")


TAKEN_BACK = (
    "The bridge opened in 1932. However, none of this happened.",
    "It is false that the following holds: The bridge opened in 1932.",
    "Myths: The bridge opened in 1932.",
)


@pytest.mark.parametrize("context", TAKEN_BACK)
def test_a_proof_says_that_the_words_stand_there_and_no_more(context: str) -> None:
    ruling = ruled("facts", "The bridge opened in 1932.", context=context)
    assert ruling.stated == "the text contains the words 'The bridge opened in 1932.'"
    assert "what it says about them elsewhere was not judged" in built_in_sentences()[ruling.constraint]


@pytest.mark.parametrize(("statement", "context"), [("", REPORT), (" \n", REPORT), ("Bob", ""), ("Bob", " \n")])
def test_an_empty_statement_or_text_is_blocked(statement: str, context: str) -> None:
    assert outcome_of("facts", statement, context=context) == (BLOCKED, "facts.empty")


@pytest.mark.parametrize(
    "certificate",
    [
        {},
        {"form": "quotation", "offset": 4, "length": 8},
        {"form": "quotation", "offset": 3, "length": 9},
        {"form": "quotation", "offset": 0, "length": 3},
        {"form": "quotation", "offset": -1, "length": 3},
        {"form": "quotation", "offset": 99, "length": 3},
    ],
)
def test_a_certificate_of_another_place_is_refused(certificate: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("facts", "bit", context="The bite and a bit."), certificate)


@given(st.lists(st.sampled_from(["a", "b", "ab", "1.5", "a."]), min_size=1, max_size=8), st.data())
def test_every_run_of_words_is_contained(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    spaces = data.draw(st.lists(st.sampled_from([" ", "\n", "  "]), min_size=len(words), max_size=len(words)))
    text = "".join(map("".join, zip(words, spaces, strict=True)))
    assert ruled("facts", " ".join(words[start:end]), context=text).outcome is PROVED


SUPPORTED = {"provider": "a", "label": "SUPPORTED", "score": 0.65}


@pytest.mark.parametrize(
    ("advice", "constraint"),
    [
        ([SUPPORTED], "facts.llm_fallback"),
        ([{"provider": "a", "label": "supported", "score": 1}], "facts.llm_fallback"),
        ([SUPPORTED, {"provider": "b", "label": "SUPPORTED"}], "facts.llm_fallback"),
        ([SUPPORTED, {"provider": "b", "label": "REFUTED", "score": 0.9}], "facts.provider_drift"),
        ([SUPPORTED, {"provider": "a", "label": "REFUTED", "score": 0.65}], "facts.provider_drift"),
        ([{"provider": "a", "error": "timeout after 30 s"}], "facts.llm_fallback"),
        ([{"label": "SUPPORTED"}], "facts.llm_fallback"),
        ([{"provider": "heuristic", "label": "SUPPORTED"}], "facts.heuristic_supported"),
        ('[{"provider": "heuristic", "label": "SUPPORTED", "score": 0.99}]', "facts.heuristic_supported"),
        ([], "facts.not_stated"),
    ],
)
def test_advice_is_reported_and_decides_nothing(advice: object, constraint: str) -> None:
    claim = claim_of("facts", "The company reported revenue of $52 million.", context=REPORT, advice=advice)
    ruling = decide(claim)
    assert (ruling.outcome, ruling.constraint) == (UNDECIDED, constraint)
    assert not any(digit in built_in_sentences()[constraint] for digit in "0123456789")
    if advice:
        evidence = json.loads(json.dumps(ruling.to_json()))["evidence"]
        assert evidence["reason"] == "facts.not_stated"
        assert all(each["advisory_only"] is True for each in evidence["advisory"])


def test_a_proof_is_the_same_byte_for_byte_with_any_advice() -> None:
    plain = decide(claim_of("facts", "The director is Jane Smith.", context=REPORT))
    for label in ("SUPPORTED", "REFUTED"):
        advice = [{"provider": "a", "label": label, "score": 1}]
        assert decide(claim_of("facts", "The director is Jane Smith.", context=REPORT, advice=advice)) == plain


@pytest.mark.parametrize(
    "advice",
    ["no JSON", "[" * 5_000, {"label": "SUPPORTED"}, [{"provider": "a"}], [{"label": 1}], [{"label": "X", "score": 2}]],
)
def test_advice_of_another_form_is_blocked(advice: object) -> None:
    assert outcome_of("facts", "Bob is happy.", context=REPORT, advice=advice) == (BLOCKED, "engine.invalid")


@pytest.mark.parametrize("text", ["a " * 40_000, "(" * 50_000, "A. " * 30_000, "is " * 30_000, "a" * 200_000])
@pytest.mark.parametrize("statement", ["Bob is happy.", "a " * 5_000 + "b", "is " * 5_000 + "not"])
def test_a_long_text_is_decided(statement: str, text: str) -> None:
    assert outcome_of("facts", statement, context=text)[0] is UNDECIDED
