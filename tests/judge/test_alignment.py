"""Claims against the sentences of sources: what contradicts, what supports, where, and at what cost."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.core.validation import ClaimStatus
from probatum.judge.facts.alignment import Alignment, aligned
from probatum.judge.facts.claims import spans_of
from probatum.judge.facts.opposition import Conflict
from probatum.judge.facts.passages import CANDIDATES, MOST_EXHAUSTIVE, Passages
from probatum.judge.facts.words import folded, opposed, rounds_to, stem, words_of
from probatum.judge.request import TrustedSource

SUBJECTS = ("The museum", "A library", "The new bridge", "This engine", "The old mill")
VERBS = ("is open to visitors", "is made of grey stone", "is famous in the region", "is heated by steam")
PLACES = ("near the harbour", "behind the station", "at the edge of town", "below the castle")

SENTENCES = st.builds("{} {} {}.".format, st.sampled_from(SUBJECTS), st.sampled_from(VERBS), st.sampled_from(PLACES))


def ruled(claim: str, *texts: str) -> Alignment:
    sources = [TrustedSource(f"source {number}", text) for number, text in enumerate(texts)]
    found = aligned(claim, Passages(sources))
    if found.source >= 0:
        assert 0 <= found.start < found.end <= len(texts[found.source])
    assert 0 <= found.score <= 100
    assert found.reason
    return found


@pytest.mark.parametrize(
    ("claim", "source", "conflict"),
    [
        ("The tower is 330 metres tall.", "The tower is 300 metres tall.", Conflict.NUMBER),
        ("The band released its first album in 1999.", "The band released its second album in 1999.", Conflict.NUMBER),
        ("The city has more than 40 parks.", "The city has 35 parks.", Conflict.NUMBER),
        ("The tower was built in 1889.", "The tower was built in 1887.", Conflict.DATE),
        ("The treaty was signed after 1950.", "The treaty was signed in 1948.", Conflict.DATE),
        ("Alice was born in Paris.", "Alice was born in Berlin.", Conflict.NAME),
        ("The bridge is open to cars.", "The bridge is not open to cars.", Conflict.NEGATION),
        ("The bridge is not open to cars.", "The bridge is open to cars.", Conflict.NEGATION),
        ("The river never freezes.", "The river freezes.", Conflict.NEGATION),
        ("Sales increased by 12 percent in May.", "Sales decreased by 12 percent in May.", Conflict.OPPOSITE),
        ("The medicine is safe.", "The medicine is unsafe.", Conflict.OPPOSITE),
        ("All members voted for the motion.", "Some members voted for the motion.", Conflict.OPPOSITE),
        ("The meeting is on Monday.", "The meeting is on Tuesday.", Conflict.KIND),
        ("The flag is red.", "The flag is blue.", Conflict.KIND),
        ("She lost her passport.", "He lost his passport.", Conflict.GENDER),
        ("Alice beat Bob in the final.", "Bob beat Alice in the final.", Conflict.ROLE),
    ],
)
def test_what_stands_in_the_place_of_a_claim_contradicts_it(claim: str, source: str, conflict: Conflict) -> None:
    found = ruled(claim, f"The weather was fine. {source} Nobody was surprised.")
    assert (found.status, found.conflict) == (ClaimStatus.CONTRADICTED, conflict), found.reason


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The company has about 2.5 million users.", "The company has 2,534,100 users."),
        ("The city has more than 40 parks.", "The city has 52 parks."),
        ("The treaty was signed before 1950.", "The treaty was signed in 1948."),
        ("The USA signed the treaty.", "The United States signed the treaty."),
        ("Alice met Bob.", "Bob met Alice."),
        ("The race was won in the nineteenth century.", "The race was won in 1850."),
        ("The film came out in the 1960s.", "The film came out in 1963."),
        ("Twenty-five people were hurt.", "25 people were hurt."),
        ("The physician wrote a novel.", "The doctor wrote a book."),
        ("Café visitors applauded.", "Cafe visitors applauded."),
        ("The medicine is not safe.", "The medicine is unsafe."),
    ],
)
def test_what_is_said_in_other_words_is_supported(claim: str, source: str) -> None:
    found = ruled(claim, f"The weather was fine. {source} Nobody was surprised.")
    assert found.status is ClaimStatus.SUPPORTED, found.reason


@pytest.mark.parametrize(
    "claim", ["The moon is made of cheese.", "Quantum chemists adore marmalade.", "", "   ", "?!", "the of and"]
)
def test_what_no_sentence_speaks_of_is_unsupported(claim: str) -> None:
    found = ruled(claim, "The museum is open on Sundays.")
    assert found.status is ClaimStatus.UNSUPPORTED
    assert ruled(claim).source == -1


def test_a_claim_that_is_no_sentence_any_more_is_not_compared() -> None:
    assert ruled("word " * 1_000, "word " * 1_000).status is ClaimStatus.UNSUPPORTED


@given(st.lists(SENTENCES, min_size=1, max_size=12, unique=True), st.data())
@settings(max_examples=60, deadline=None)
def test_a_sentence_that_stands_in_a_source_is_supported_where_it_stands(found: list[str], data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, len(found) - 1))
    text = "\n\n".join(found)
    ruling = ruled(found[chosen], "Something else is said here.", text)
    start = text.index(found[chosen])
    assert ruling.status is ClaimStatus.SUPPORTED
    assert (ruling.source, ruling.start, ruling.end) == (1, start, start + len(found[chosen]))


@given(SENTENCES)
@settings(max_examples=60, deadline=None)
def test_a_sentence_is_contradicted_by_its_negation(sentence: str) -> None:
    negated = sentence.replace(" is ", " is not ")
    for claim, source in ((negated, sentence), (sentence, negated)):
        found = ruled(claim, source)
        assert (found.status, found.conflict) == (ClaimStatus.CONTRADICTED, Conflict.NEGATION)


@given(st.text(max_size=300), st.lists(st.text(max_size=400), max_size=3))
@settings(max_examples=150, deadline=None)
def test_any_text_gets_the_same_ruling_twice(claim: str, texts: list[str]) -> None:
    assert ruled(claim, *texts) == ruled(claim, *texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith met J. R. Jones. He left.", ["Dr. Smith met J. R. Jones.", "He left."]),
        ("It costs 3.5 euros. Cheap!  Really?", ["It costs 3.5 euros.", "Cheap!", "Really?"]),
        ("A heading\n\n- one\n- two", ["A heading", "one", "two"]),
        ("これは本です。それはペンです。", ["これは本です。", "それはペンです。"]),
        ("wrapped\nline", ["wrapped\nline"]),
    ],
)
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in spans_of(text)] == expected


HOSTILE = {
    "huge": "a" * 200_000,
    "spaces": " " * 200_000,
    "newlines": "\n" * 200_000,
    "marks": ".!?" * 60_000,
    "numbers": "1 " * 60_000,
    "digits": "9" * 100_000,
    "names": "Alice Bob " * 20_000,
    "zero width": "\u200bwo\u200drd\ufeff " * 5_000,
    "right to left": "\u202eשלום עולם. مرحبا بالعالم؟ " * 2_000,
    "combining": "e" + "\u0301" * 50_000,
    "surrogate": "\ud800 is not \udfff. " * 1_000,
    "apostrophes": "a'" * 50_000,
    "negations": "not never no " * 10_000,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_gets_a_ruling(name: str) -> None:
    text = HOSTILE[name]
    assert ruled("Alice is not 9 years old.", text).status in ClaimStatus
    assert ruled(text[:1_500], text, "Alice is 9 years old.").status in ClaimStatus


def test_zero_width_characters_change_nothing() -> None:
    plain, odd = "The tower is 330 metres tall.", "The to\u200bwer is 330 met\u00adres tall."
    assert ruled(odd, plain).status is ruled(plain, odd).status is ClaimStatus.SUPPORTED


def _calls(work: Callable[[], object]) -> int:
    """Return how many calls of Python and C functions some work takes."""
    count = 0

    def tell(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(tell)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "sentence", ["The tower is 330 metres tall.", "Alice Smith met Bob Jones 7 times in May 2019.", "1 2 3 4 5 6 7 8 9"]
)
def test_work_grows_with_the_sources_and_no_faster(sentence: str) -> None:
    def judge(times: int) -> Callable[[], object]:
        return lambda: ruled("The tower is 300 metres tall, says Bob.", f"{sentence}\n\n" * times)

    judge(50)()  # What is remembered of words is not counted.
    assert _calls(judge(200)) < 2.3 * _calls(judge(100))


def test_many_sentences_are_ranked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"Room {number} has a window." for number in range(2 * MOST_EXHAUSTIVE))
    text += " The tower is 300 metres tall."
    passages = Passages([TrustedSource("rooms", text)])
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(NotAttemptedError, match="retrieval") as missing:
        aligned("The tower is 330 metres tall.", passages)
    assert missing.value.code == "judge.retrieval_missing"
    monkeypatch.delitem(sys.modules, "bm25s")
    pytest.importorskip("bm25s")
    assert len(passages.candidates(words_of("The tower is 330 metres tall."))) == CANDIDATES
    for _ in range(2):
        found = aligned("The tower is 330 metres tall.", passages)
        assert (found.status, text[found.start : found.end]) == (
            ClaimStatus.CONTRADICTED,
            "The tower is 300 metres tall.",
        )


@pytest.mark.parametrize(
    "forms",
    [
        ("increase", "increases", "increased", "increasing"),
        ("write", "writes", "wrote", "written", "writing"),
        ("city", "cities"),
        ("sell", "sells", "sold", "sale", "sales"),
        ("creation", "create", "created", "creator"),
        ("marriage", "marries", "married"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_what_is_opposed_is_so_in_both_directions() -> None:
    assert opposed(stem("increased"), stem("decreases"))
    assert opposed(stem("decreases"), stem("increased"))
    assert opposed(stem("happy"), stem("unhappy"))
    assert not opposed(stem("form"), stem("inform"))
    assert not opposed("non", "com")


@pytest.mark.parametrize(
    ("said", "other", "expected"),
    [
        ("about 40", "43", True),
        ("about 40", "47", False),
        ("40", "43", False),
        ("2.5 million", "2,534,100", True),
        ("2.5 million", "2,584,100", False),
    ],
)
def test_a_rounded_number_stands_for_others(said: str, other: str, *, expected: bool) -> None:
    one, two = (next(word for word in words_of(text) if word.number is not None) for text in (said, other))
    assert rounds_to(one, two) is expected


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_words_lie_in_their_text_in_order(text: str) -> None:
    words = words_of(text)
    assert all(text[word.start : word.end] == word.text for word in words)
    assert all(one.end <= other.start for one, other in itertools.pairwise(words))
    assert all(folded(word.text) for word in words)
