"""Where the words of readings stand, and when readings lapse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.specification import FunctionSpec
from probatum.programs.statements.documented import documented, of_function, signature_of
from probatum.readings.documented import Documentation
from probatum.readings.lapses import lapses, noted, places
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing

NET = '''def net(price: int, rate: float = 0.2) -> int:
    """Return the price without tax. The price is
    never negative.

    Args:
        rate: A share of one.
    """
'''


def _functions(text: str) -> tuple[FunctionSpec, ...]:
    return extract_module(text).functions


def _documented(text: str) -> Documentation | None:
    return documented(of_function("net", _functions(text)))


def _record(*quotes: str) -> ReadingRecord:
    record = ReadingRecord("net", tuple(Reading(each, ReadingKind.RESULT, "result >= 0") for each in quotes))
    now = _documented(NET)
    assert now is not None
    return noted(record, now)


@pytest.mark.parametrize(
    ("quote", "statements"),
    [
        ("The price is never negative.", ["The price is never negative."]),
        ("The price   is\n never", ["The price is never negative."]),
        ("without tax. The price", ["Return the price without tax.", "The price is never negative."]),
        ("A share of one.", ["A share of one."]),
        ("the price is never negative", []),
        ("Args:", ["Args:"]),
        ("  ", []),
    ],
)
def test_the_statements_that_are_quoted(quote: str, statements: list[str]) -> None:
    [found] = places([quote], _documented(NET))
    assert [each.text for each in found or ()] == statements


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("never negative", True),
        ("Args: rate: A share", True),
        ("rate: float = 0.2", True),
        ("Never negative", False),
        ("", False),
    ],
)
def test_words_that_stand_there(quote: str, stands: bool) -> None:
    [found] = places([quote], _documented(NET))
    assert (found is not None) is stands


@pytest.mark.parametrize(
    ("old", "new", "reason", "now"),
    [
        ("", "", "", ""),
        (
            "never negative",
            "always positive",
            "its words are not in the documentation",
            "The price is always positive.",
        ),
        (
            "The price is\n",
            "If asked, the price is\n",
            "its words are not in",
            "If asked, the price is never negative.",
        ),
        (
            "negative.",
            "negative but for refunds.",
            "its words are not in",
            "The price is never negative but for refunds.",
        ),
        (
            "rate: float = 0.2",
            "rate: float = 0.3",
            "the signature has changed",
            "def net(price: int, rate: float = 0.3)",
        ),
        ("-> int", "-> float", "the signature has changed", "def net("),
        ("A share of one", "A share of ten", "", ""),
        ('    """\n', '    """\n    return 1\n', "", ""),
        ("def net", "def gross", "its function is not defined any more", ""),
    ],
)
def test_what_makes_a_reading_lapse(old: str, new: str, reason: str, now: str) -> None:
    found = lapses(_record("The price is never negative."), _documented(NET.replace(old, new) if old else NET))
    assert [each.reason.startswith(reason) for each in found] == ([True] if reason else [])
    assert [each.then for each in found] == (["The price is never negative."] if reason else [])
    assert all(each.now.startswith(now) for each in found)


def test_words_around_a_quote_make_it_lapse_too() -> None:
    record = _record("price is never negative")
    [lapse] = lapses(record, _documented(NET.replace("The price is", "Unless refunded, the price is")))
    assert lapse.reason == "the statement around its words has changed"
    assert lapse.now == "Unless refunded, the price is never negative."


def test_what_was_rejected_does_not_lapse() -> None:
    record = _record("The price is never negative.")
    rejected = replace(record, readings=(replace(record.readings[0], standing=Standing.REJECTED),))
    assert lapses(rejected, None) == ()


def test_what_nobody_noted_is_not_compared() -> None:
    record = ReadingRecord("net", (Reading("The price is", ReadingKind.RESULT, "result >= 0"),))
    assert lapses(record, _documented(NET.replace("-> int", "-> float"))) == ()


@pytest.mark.parametrize(
    "signature",
    [
        "def f()",
        "def f(a, b: int = 3, *rest, c=4, **more) -> str",
        "def f(a, /, b, *, c)",
        "def f(a, /)",
        "async def f(a) -> int",
    ],
)
def test_signatures_are_written_as_they_are(signature: str) -> None:
    [function] = _functions(f"{signature}: ...\n")
    assert signature_of(function) == signature


def test_a_signature_tells_nothing_private() -> None:
    [function] = _functions("def f(a: _Hidden, b=_missing): ...\n")
    assert signature_of(function) == "def f(a: ..., b=...)"
