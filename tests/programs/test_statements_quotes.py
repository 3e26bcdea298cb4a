"""Which statements quotes lie in, what they leave over, and which stand nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.programs.specification import Span, Statement, StatementKind
from probatum.readings.coverage import Quote, covered

_TEXTS = (
    ("s1", "Sum the items, but not the odd ones; then stop.", ""),
    ("s2", "The count.", "n"),
    ("s3", "The count.", "m"),
    ("s4", "If ``n < 0`` or n is odd.", "ValueError"),
    ("s5", "an even number, or", ""),
)


def made(*rows: tuple[str, str, str]) -> tuple[Statement, ...]:
    return tuple(
        Statement(name, text, StatementKind.SENTENCE, Span(line, 0, line, 80), about=about)
        for line, (name, text, about) in enumerate(rows, 1)
    )


STATEMENTS = made(*_TEXTS)


def quotes(*texts: str) -> list[Quote]:
    return [Quote(f"q{number}", text) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("texts", "touched", "left_over"),
    [
        (["Sum the\n   items, but not the odd ones; then stop."], {"s1": ("q1",)}, {"s1": ()}),
        (["Sum the items", "not the odd ones"], {"s1": ("q1", "q2")}, {"s1": ("but", "then stop")}),
        (["Sum the items, but", "not the odd ones", "then stop"], {"s1": ("q1", "q2", "q3")}, {"s1": ()}),
        (["not the odd ones"], {"s1": ("q1",)}, {"s1": ("Sum the items, but", "then stop")}),
        (["then stop. The count."], {"s1": ("q1",), "s2": ("q1",)}, {"s1": ("Sum the items, but not the odd ones",)}),
        (["n: The count."], {"s2": ("q1",)}, {}),
        (["m (int): The count."], {"s3": ("q1",)}, {}),
        (
            ["The count.", "ValueError: If ``n < 0`` or n is odd.", "The count."],
            {"s2": ("q1", "q3"), "s4": ("q2",)},
            {},
        ),
        ([":raises ValueError: If ``n < 0``"], {"s4": ("q1",)}, {"s4": ("or n is odd",)}),
        (["If ``n < 0`` or n is odd. - an even number, or"], {"s4": ("q1",), "s5": ("q1",)}, {}),
    ],
)
def test_quotes(texts: list[str], touched: dict[str, tuple[str, ...]], left_over: dict[str, tuple[str, ...]]) -> None:
    found = covered(STATEMENTS, quotes(*texts))
    assert found.touched == touched
    assert {name: rest for name, rest in found.left_over.items() if rest or name in left_over} == left_over
    assert found.missing == ()


def test_the_same_words_are_taken_in_order() -> None:
    found = covered(STATEMENTS, quotes("Sum the items", "The count.", "n: The count.", "m: The count."))
    assert found.touched["s2"] == ("q2", "q3")
    assert found.touched["s3"] == ("q4",)


def test_another_reader_begins_anew() -> None:
    read = [Quote("a", "The count.", "one"), Quote("b", "The count.", "two")]
    assert covered(STATEMENTS, read).touched == {"s2": ("a", "b")}


def test_a_statement_that_is_said_twice_is_covered_twice() -> None:
    said = "Sum the items, or none."
    twice = made(("s1", said, ""), ("s2", "The count.", "n"), ("s3", said, ""))
    found = covered(twice, quotes("Sum the items"))
    assert found.touched == {"s1": ("q1",), "s3": ("q1",)}
    assert found.left_over == {"s1": ("or none",), "s3": ("or none",)}


@pytest.mark.parametrize("text", ["", "  ", "Multiply the items", "he count", "The cou", "x: The count.", "the count."])
def test_words_that_stand_nowhere(text: str) -> None:
    found = covered(STATEMENTS, [Quote("q", text)])
    assert (found.touched, found.missing) == ({}, ("q",))


def test_the_signature_may_be_quoted() -> None:
    assert covered(STATEMENTS, [Quote("q", "n: int, m")], "def f(n: int, m: int)").missing == ()


def test_statements_that_a_quote_lies_in() -> None:
    assert [*covered(STATEMENTS, [Quote("q", "then stop. The count.")]).touched] == ["s1", "s2"]


_WORDS = st.lists(st.sampled_from(["sum", "of", "`n`", "and", "the", "x.", "10,", "if"]), min_size=1, max_size=8)


def test_words_that_stand_across_two_statements_are_found_there_first() -> None:
    found = covered(made(("s1", "sum", ""), ("s2", "sum sum", "")), [Quote("q", "sum sum")])
    assert (found.touched, found.left_over) == ({"s1": ("q",), "s2": ("q",)}, {"s1": (), "s2": ("sum",)})


@given(st.lists(_WORDS, min_size=1, max_size=4), st.data())
def test_whatever_is_quoted_is_found_and_covers_no_other_word(parts: list[list[str]], data: st.DataObject) -> None:
    statements = made(*((f"s{n}", " ".join(words), "") for n, words in enumerate(parts)))
    chosen = data.draw(st.sampled_from(statements))
    words = chosen.text.split()
    begin = data.draw(st.integers(0, len(words) - 1))
    quote = "\n ".join(words[begin : data.draw(st.integers(begin + 1, len(words)))])
    found = covered(statements, [Quote("q", quote)])
    assert found.missing == ()
    assert covered(statements, [Quote("q", chosen.text)]).touched
    touched = [each for each in statements if each.id in found.touched]
    # The same words may also stand where one statement ends and the next begins.
    assert "".join(quote.split()) in "".join(each.text for each in touched).replace(" ", "")
    assert all(rest in each.text for each in touched for rest in found.left_over[each.id])


@given(st.lists(_WORDS, min_size=1, max_size=3), st.lists(_WORDS, max_size=4), _WORDS)
def test_a_further_quote_uncovers_nothing(parts: list[list[str]], read: list[list[str]], more: list[str]) -> None:
    statements = made(*((f"s{n}", " ".join(words), "") for n, words in enumerate(parts)))
    texts = [" ".join(words) for words in read]
    before, after = (covered(statements, quotes(*each)) for each in (texts, [*texts, " ".join(more)]))
    assert set(before.touched) <= set(after.touched)
    assert all(len(" ".join(after.left_over[name])) <= len(" ".join(before.left_over[name])) for name in before.touched)
