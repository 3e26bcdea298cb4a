"""The state of each statement, from what was observed: code that calls met, what readings quote, and what is open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.programs.extract import extract_module
from probatum.programs.specification import NO_WORDS, FunctionSpec, Statement, StatementState
from probatum.programs.statements.judged import CountedQuote, Evidence, JudgedStatement, judged_statements
from probatum.programs.units import units_of
from probatum.readings.coverage import Quote

CODE, QUOTED, OPEN = StatementState.CODE, StatementState.QUOTED, StatementState.OPEN


def unit(source: str) -> FunctionSpec:
    [found] = units_of(extract_module(source), None, None)
    return found


ENCODE = unit(
    '''
def encode(text, width=3, *, strict=False):
    """Encode a text.

    Runs are kept short, but never empty.

    Args:
        text (str): The text to encode.
        width: The widths of runs. Defaults to 3.
        strict: Whether to be strict.

    Returns:
        str: The encoded text, empty for "".

    Raises:
        ValueError: If the width is negative.

    >>> encode("aa")
    '2a'
    >>> encode("b")
    '1b'
    >>> encode("bb")
    '2b'
    >>> encode("b", -1)
    Traceback (most recent call last):
    ValueError: too narrow

    See also :func:`decode`.
    """
    return text
'''
)
WORDS = (
    "Encode a text.",
    "Runs are kept short, but never empty.",
    "The text to encode.",
    "The widths of runs.",
    "Whether to be strict.",
    'The encoded text, empty for "".',
    "If the width is negative.",
    "too narrow",
    "See also :func:`decode`.",
)


def states(function: FunctionSpec, evidence: Evidence) -> dict[str, StatementState]:
    return {each.statement.text: each.state for each in judged_statements(function, evidence)}


def counted(text: str, *, counts: bool = True) -> CountedQuote:
    return CountedQuote(Quote(f"r-{text}", text), counts)


def test_without_readings_every_word_is_open() -> None:
    assert states(ENCODE, Evidence()) == dict.fromkeys(WORDS, OPEN)


def test_what_readings_quote_is_quoted_and_nothing_else() -> None:
    found = states(ENCODE, Evidence(quotes=tuple(counted(words) for words in WORDS)))
    assert found == dict.fromkeys(WORDS, QUOTED)
    found = states(ENCODE, Evidence(quotes=(counted("width: The widths of runs."),)))
    assert {text for text, state in found.items() if state is QUOTED} == {"The widths of runs."}


def test_the_rest_of_what_quotes_cover_is_a_statement() -> None:
    rows = judged_statements(ENCODE, Evidence(quotes=(counted("Runs are kept short"),)))
    [whole, rest] = [each for each in rows if each.statement.id.startswith("s2")]
    assert (whole.state, whole.by) == (QUOTED, ("r-Runs are kept short",))
    assert (rest.statement.id, rest.statement.text, rest.state) == ("s2.1", "but never empty", OPEN)


def test_a_quote_that_notices_nothing_checks_nothing() -> None:
    rows = judged_statements(ENCODE, Evidence(quotes=(counted("Runs are kept short", counts=False),)))
    [row] = [each for each in rows if each.statement.id == "s2"]
    assert (row.state, row.by, row.reason) == (OPEN, ("r-Runs are kept short",), "no fault breaks what reads it")


def test_conditions_in_code_are_code_where_calls_met_them() -> None:
    function = unit(
        '''# coding: utf-8
def half(n: int) -> int:
    """Halve.

    pre: n >= 0
    post: 2 * result <= n
    """
    return n // 2
'''
    )
    [needed], [kept] = function.preconditions, function.properties
    assert states(function, Evidence(checked=frozenset({kept.id}))) == {
        "Halve.": OPEN,
        "n >= 0": CODE,
        "2 * result <= n": CODE,
    }
    assert states(function, Evidence(checked=frozenset({needed.id})))["2 * result <= n"] is OPEN


@pytest.mark.parametrize(
    "words",
    [
        "n must be positive.",
        "The argument is not modified.",
        "f(2) returns 4.",
        "For n = 2 the result should be 4.",
        "Input: 2",
        "Defaults to 7.",
        "New in version 3.2.",
        "See `g` for details.",
        "The count.",
    ],
)
def test_words_are_open_whatever_they_seem_to_say(words: str) -> None:
    function = unit(f'def f(n=3):\n    """\n    Args:\n        n: {words}\n\n    >>> f(2)\n    4\n    """\n')
    assert set(states(function, Evidence()).values()) == {OPEN}
    function = unit(f'def f(n=3):\n    """{words}\n\n    >>> f(2)\n    4\n    """\n')
    assert set(states(function, Evidence()).values()) == {OPEN}
    assert (function.properties, function.preconditions, function.raises) == ((), (), ())


def test_a_contract_that_repeats_the_docstring_is_quoted_as_well() -> None:
    [function] = units_of(extract_module('def f(n):\n    """Double it."""\n'), None, "Double it.")
    rows = judged_statements(function, Evidence(quotes=(counted("Double it."),)))
    assert [(each.statement.source, each.state) for each in rows] == [("docstring", QUOTED), ("contract", QUOTED)]


_QUOTES = st.builds(
    lambda text, counts: counted(text, counts=counts),
    st.sampled_from([*WORDS, "Runs are", "never empty", "no words"]),
    st.booleans(),
)
_EVIDENCE = st.builds(Evidence, st.frozensets(st.sampled_from(["p1", "r1"])), st.lists(_QUOTES, max_size=4).map(tuple))


def without_parts(rows: tuple[JudgedStatement, ...]) -> tuple[Statement, ...]:
    known = {each.id for each in ENCODE.statements}
    return tuple(each.statement for each in rows if each.statement.id in known)


@given(_EVIDENCE)
def test_every_statement_has_one_state(evidence: Evidence) -> None:
    rows = judged_statements(ENCODE, evidence)
    assert without_parts(rows) == tuple(each for each in ENCODE.statements if each.kind not in NO_WORDS)
    assert all(each.by for each in rows if each.state is not OPEN)


@given(_EVIDENCE, _QUOTES)
def test_more_that_counts_opens_no_statement(evidence: Evidence, quote: CountedQuote) -> None:
    def is_open(read: Evidence) -> set[str]:
        return {each.statement.id for each in judged_statements(ENCODE, read) if each.state is OPEN}

    more = Evidence(evidence.checked, (*evidence.quotes, quote))
    opened = is_open(more) - is_open(evidence)
    assert all("." in name for name in opened)
