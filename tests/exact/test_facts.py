"""What a text states in so many words, and what it leaves open whatever models say."""

from __future__ import annotations

import json

import pytest

from probatum.core.claim_sentences import CLAIM_SENTENCES
from probatum.core.errors import ProbatumError
from probatum.exact import check, decide
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
)

REPORT = (
    "The company reported revenue of $5.2 million. The director is Jane Smith. Sales rose by 1,200 units. "
    "Alice, Bob and Carl are happy. Dave did not go home. Acme was founded by Erin in Q1? "
    "Beta was founded by Frank. Gina probably owns Acme. Hal is tall or rich. If Ivy left then Jack is sad. "
    "According to Kim, Lea is old. The door is locked at night."
)
STATED = [
    "The company reported revenue of $5.2 million.",
    "the company reported revenue of $5.2 million",
    "The director is Jane Smith.",
    "Sales rose by 1,200 units.",
    "Sales rose by 1200 units.",
    "Alice is happy.",
    "Carl and Alice are happy.",
    "Dave did not go home.",
    "Dave didn't go home.",
    "Frank founded Beta.",
    "Beta was founded by Frank and Bob is happy.",
    "Gina probably owns Acme.",
    "Hal is tall or rich.",
]
DENIED = ["The director is not Jane Smith.", "Bob is not happy.", "Dave went home.", "Beta was not founded by Frank."]
OPEN = [
    ("The company reported revenue of $52 million.", "facts.figures"),
    ("The company reported revenue of $5.2 billion.", "facts.figures"),
    ("The company reported revenue of 5.2 million.", "facts.figures"),
    ("Sales rose by 12,00 units.", "facts.figures"),
    ("Revenue did not exceed $5.2 million.", "facts.not_stated"),
    ("Revenue exceeded $5.2 million.", "facts.not_stated"),
    ("It is not true that the director is not Jane Smith.", "facts.pronoun"),
    ("The director is John Smith.", "facts.not_stated"),
    ("The director was Jane Smith.", "facts.not_stated"),
    ("Jane Smith is the director.", "facts.not_stated"),
    ("Gina owns Acme.", "facts.not_stated"),
    ("Hal is tall.", "facts.not_stated"),
    ("Jack is sad.", "facts.not_stated"),
    ("Ivy left.", "facts.not_stated"),
    ("Lea is old.", "facts.not_stated"),
    ("Acme was founded by Erin in Q1.", "facts.not_stated"),
    ("The door is locked.", "facts.not_stated"),
    ("The door is not locked.", "facts.not_stated"),
    ("Alice and Mary are happy.", "facts.partial"),
    ("He is happy.", "facts.pronoun"),
    ("Everyone is happy.", "facts.not_stated"),
    ("Somebody is happy.", "facts.not_stated"),
    ("hello", "facts.not_stated"),
]


@pytest.mark.parametrize("statement", STATED)
def test_what_the_text_states_is_proved(statement: str) -> None:
    assert outcome_of("facts", statement, context=REPORT) == (PROVED, "facts.stated")
    require_every_digit_counts(claim_of("facts", statement, context=REPORT))


@pytest.mark.parametrize("statement", DENIED)
def test_the_opposite_of_what_the_text_states_is_refuted(statement: str) -> None:
    assert outcome_of("facts", statement, context=REPORT) == (REFUTED, "facts.denied")


@pytest.mark.parametrize(("statement", "constraint"), OPEN)
def test_whatever_else_is_left_open(statement: str, constraint: str) -> None:
    assert outcome_of("facts", statement, context=REPORT) == (UNDECIDED, constraint)


@pytest.mark.parametrize(
    ("statement", "context"),
    [
        ("", REPORT),
        ("Bob is happy.", ""),
        ("Bob is happy.", " \n"),
        ("Bob is happy.", 5),
        ("Is Bob happy?", REPORT),
        ("Bob is happy!", REPORT),
        ("Bob is happy. Alice is happy.", REPORT),
    ],
)
def test_what_is_no_claim_about_a_text_is_blocked(statement: str, context: object) -> None:
    assert outcome_of("facts", statement, context=context)[0] is BLOCKED


@pytest.mark.parametrize(
    "context",
    [
        "Bob said the following. Alice founded Acme.",
        "Alice founded Acme. That is false.",
        "Alice founded Acme. Just kidding.",
        "Alice founded Acme. Not!",
        "Alice founded Acme. No.",
        "Myths about Acme:\n\nAlice founded Acme.",
        "False claims:\nAlice founded Acme\nBob left",
        "The story is fictional. Alice founded Acme.",
        "None of these statements is true. Alice founded Acme.",
        "This is a hypothetical example. Alice founded Acme.",
        'Bob wrote: "Alice founded Acme."',
        "(Alice founded Acme.)",
        "Did they say that? Alice founded Acme?",
        "Alice founded Acme!",
        "Alice nearly founded Acme.",
        "Alice founded Acme in theory.",
        "Alice did not found Acme. Alice founded Acme.",
        "Nobody denies that Alice founded Acme.",
        "Alice's brother founded Acme.",
        "Alice founded Acme Limited.",
        "According to Bob\nAlice founded Acme",
        "Alice founded Acme\nif Bob is right",
        "Common misconceptions\n\nAlice founded Acme.",
        "~~Bob is rich. Alice founded Acme. Carl left.~~",
        "<del>Bob is rich. Alice founded Acme. Carl left.</del>",
        "\u201eBob is rich. Alice founded Acme. Carl left.\u201c",
        'Bob spoke. "I am rich.\n\n"Carl left. Alice founded Acme. I left."',
        "Bob told us three things. Alice founded Acme.",
        "Here is what Bob thinks. Alice founded Acme.",
        "Alice founded Acme. That was what Bob thought.",
        "Alice founded Acme. At least Bob says so.",
        "Alice founded Acme. This is not correct.",
        "Alice founded Acme. Bob doubts it.",
        "Alice founded Acme. The court found otherwise.",
        "Alice founded Acme. If Bob is right.",
        "Alice founded Acme. Scratch that.",
        "Alice founded Acme. Maybe.",
        "Alice founded Acme. Who knows?",
        "Alice founded Acme. Bob disagrees.",
        "This is a test. Alice founded Acme.",
        "Ignore the next sentence. Alice founded Acme.",
        "Alice founded Acme. On the contrary.",
        "Alice founded Acme. In a parallel universe.",
        "Do not write the next sentence. Alice founded Acme.",
        "Which of these is right? Alice founded Acme. Bob founded Acme.",
    ],
)
def test_a_text_that_may_not_mean_its_sentence_leaves_it_open(context: str) -> None:
    assert outcome_of("facts", "Alice founded Acme.", context=context)[0] is UNDECIDED


@pytest.mark.parametrize(
    "context",
    [
        "Bob said that it rains. Alice founded Acme.",
        "If it rains, all cats are wet. Alice founded Acme.",
        "Alice founded Acme. Bob is not tall.",
        "Acme (a company) is large. Alice founded Acme.",
        "  Alice   founded\nAcme.  ",
        "History of the company\n\nProfits soared. Alice founded Acme.",
    ],
)
def test_a_text_that_says_other_things_as_well_states_it(context: str) -> None:
    assert outcome_of("facts", "Alice founded Acme.", context=context)[0] is PROVED


def test_a_word_alone_states_nothing() -> None:
    assert outcome_of("facts", "Introduction", context="Introduction\n\nAlice founded Acme.")[0] is UNDECIDED


# Advice

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
        ([], "facts.figures"),
    ],
)
def test_advice_is_told_and_decides_nothing(advice: object, constraint: str) -> None:
    claim = claim_of("facts", "The company reported revenue of $52 million.", context=REPORT, advice=advice)
    ruling = decide(claim)
    assert (ruling.outcome, ruling.constraint) == (UNDECIDED, constraint)
    assert not any(digit in CLAIM_SENTENCES[constraint] for digit in "0123456789")
    if advice:
        told = json.loads(json.dumps(ruling.to_json()))["evidence"]
        assert told["reason"] == "facts.figures"
        assert all(each["advisory_only"] is True for each in told["advisory"])


@pytest.mark.parametrize("statement", [*STATED, *DENIED])
def test_what_is_established_is_the_same_byte_for_byte_with_any_advice(statement: str) -> None:
    plain = decide(claim_of("facts", statement, context=REPORT))
    for label in ("SUPPORTED", "REFUTED"):
        claim = claim_of("facts", statement, context=REPORT, advice=[{"provider": "a", "label": label, "score": 1}])
        assert decide(claim).to_json() == plain.to_json()


@pytest.mark.parametrize(
    "advice",
    ["no JSON", "[" * 5_000, {"label": "SUPPORTED"}, [{"provider": "a"}], [{"label": 1}], [{"label": "X", "score": 2}]],
)
def test_advice_of_another_form_is_blocked(advice: object) -> None:
    assert outcome_of("facts", "Bob is happy.", context=REPORT, advice=advice) == (BLOCKED, "engine.invalid")


@pytest.mark.parametrize(
    "certificate",
    [{}, {"sentence": 3}, {"sentence": 0}, {"sentence": "2"}, {"atoms": []}, {"sentence": 2, "more": 1}],
)
def test_a_certificate_that_shows_nothing_is_refused(certificate: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("facts", "The director is Jane Smith.", context=REPORT), certificate)


@pytest.mark.parametrize(
    "text", ["a " * 40_000, "(" * 50_000, "A. " * 30_000, '"' * 50_000, "is " * 30_000, "1," * 40_000]
)
def test_a_long_text_is_decided_or_refused(text: str) -> None:
    assert outcome_of("facts", "Bob is happy.", context=text)[0] in {UNDECIDED, BLOCKED}
    with pytest.raises(ProbatumError):
        decide(claim_of("facts", "Bob is happy.", context=text * 3))
