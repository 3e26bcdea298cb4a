"""The state of each statement, from what was observed: what checks it, what shows it, and what nothing vouches for."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.programs.extract import extract_module
from probatum.programs.specification import FunctionSpec, Span, Statement, StatementKind, StatementState
from probatum.programs.statements.judged import (
    UNCHANGED,
    CountedQuote,
    Evidence,
    JudgedStatement,
    judged_statements,
)
from probatum.programs.statements.words import (
    is_naming,
    is_narrative,
    is_title,
    names_behaviour,
    only_explains,
    shows_in_results,
)
from probatum.programs.units import units_of
from probatum.readings.coverage import Quote

CHECKED, SHOWN, DEFINITION = StatementState.CHECKED, StatementState.SHOWN, StatementState.DEFINITION
NARRATIVE, UNCHECKED = StatementState.NARRATIVE, StatementState.UNCHECKED


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
        TypeError: If the text is no text. Or is None.

    >>> encode("aa")
    '2a'
    >>> encode("b")
    '1b'
    >>> encode("bb")
    '2b'
    >>> encode("b", -1)
    Traceback (most recent call last):
    ValueError: negative

    See also :func:`decode`.

    .. versionadded:: 3.2
    """
    return text
'''
)
ALL = frozenset(each.id for each in ENCODE.examples)
PAGE = (Path(__file__).parents[2] / "docs/reference/statements.md").read_text(encoding="utf-8")


def states(function: FunctionSpec, evidence: Evidence) -> dict[str, StatementState]:
    return {each.statement.text: each.state for each in judged_statements(function, evidence)}


def counted(text: str, state: StatementState = CHECKED, *names: str) -> CountedQuote:
    return CountedQuote(Quote(f"r-{text}", text), state, frozenset(names))


def test_without_evidence_only_what_surely_says_nothing_is_not_unchecked() -> None:
    found = states(ENCODE, Evidence())
    assert {text: state for text, state in found.items() if state is not UNCHECKED} == {
        "Defaults to 3.": CHECKED,
        "See also :func:`decode`.": NARRATIVE,
        "3.2": NARRATIVE,
    }


def test_examples_show_main_sentences_and_exceptions() -> None:
    found = states(ENCODE, Evidence(held=ALL, raised=frozenset({"ValueError"})))
    assert {text: state for text, state in found.items() if state not in {UNCHECKED, NARRATIVE}} == {
        "Encode a text.": SHOWN,
        "str": SHOWN,
        'The encoded text, empty for "".': SHOWN,
        "The text to encode.": DEFINITION,
        "The widths of runs.": DEFINITION,
        "Defaults to 3.": CHECKED,
        "If the width is negative.": CHECKED,
    }


@pytest.mark.parametrize(
    "held",
    [
        {"e1", "e2"},
        {"e1", "e2", "e4"},
        set(),
    ],
)
def test_too_few_results_show_nothing(held: set[str]) -> None:
    assert SHOWN not in states(ENCODE, Evidence(held=frozenset(held))).values()


def test_one_result_three_times_shows_nothing() -> None:
    source = 'def f(n):\n    """Sign.\n\n    >>> f(1)\n    1\n    >>> f(2)\n    1\n    >>> f(3)\n    1\n    """\n'
    function = unit(source)
    assert states(function, Evidence(held=frozenset({"e1", "e2", "e3"}))) == {"Sign.": UNCHECKED}
    function = unit(source.replace("f(3)\n    1", "f(-3)\n    -1"))
    assert states(function, Evidence(held=frozenset({"e1", "e2", "e3"}))) == {"Sign.": SHOWN}


@pytest.mark.parametrize(
    ("summary", "needed"),
    [
        ("Sign of a number.", 3),
        ("Return 1 if a number is positive.", 3),
        ("Return 1 if a number is positive, otherwise -1.", 6),
        ("Return 1 if a number is positive, -1 if it is negative, else 0.", 9),
        ("Return the sign of a number, or 0 in case it is small.", 3),
    ],
)
def test_a_sentence_that_tells_cases_apart_needs_examples_for_each(summary: str, needed: int) -> None:
    for count in (needed - 1, needed):
        rows = "".join(f"    >>> f({n})\n    {(n % 2) * 2 - 1}\n" for n in range(count))
        function = unit(f'def f(n):\n    """{summary}\n\n{rows}    """\n')
        held = frozenset(each.id for each in function.examples)
        assert states(function, Evidence(held=held)) == {summary: SHOWN if count == needed else UNCHECKED}


@pytest.mark.parametrize("entry", ["TypeError", "KeyError"])
def test_an_exception_of_several_conditions_is_not_shown_by_one_call(entry: str) -> None:
    found = states(ENCODE, Evidence(raised=frozenset({entry})))
    assert found["If the text is no text."] is found["Or is None."] is UNCHECKED


def test_quotes_check_what_they_cover_and_the_rest_is_a_statement() -> None:
    quotes = (counted("Runs are kept short"), counted("text: The text to encode.", DEFINITION))
    rows = judged_statements(ENCODE, Evidence(quotes=quotes))
    [whole, rest] = [each for each in rows if each.statement.id.startswith("s2")]
    assert (whole.state, whole.by) == (CHECKED, ("r-Runs are kept short",))
    assert (rest.statement.id, rest.statement.text, rest.state) == ("s2.1", "but never empty", UNCHECKED)
    assert states(ENCODE, Evidence(quotes=quotes))["The text to encode."] is DEFINITION


def test_a_quote_that_notices_nothing_checks_nothing() -> None:
    [row] = [
        each
        for each in judged_statements(ENCODE, Evidence(quotes=(counted("Runs are kept short", UNCHECKED),)))
        if each.statement.id == "s2"
    ]
    assert (row.state, row.by, row.reason) == (
        UNCHECKED,
        ("r-Runs are kept short",),
        "no fault breaks what reads it",
    )


def test_a_definition_counts_where_what_it_defines_is_checked() -> None:
    about = "The widths of runs."
    assert states(ENCODE, Evidence(quotes=(counted("Runs are kept short", CHECKED, "text"),)))[about] is UNCHECKED
    assert states(ENCODE, Evidence(quotes=(counted("Runs are kept short", CHECKED, "width"),)))[about] is DEFINITION
    assert states(ENCODE, Evidence(quotes=(counted("Runs are kept short", NARRATIVE, "width"),)))[about] is UNCHECKED
    assert states(ENCODE, Evidence(agrees=True))[about] is DEFINITION
    assert states(ENCODE, Evidence(held=ALL - {"e4"}))[about] is UNCHECKED


def test_clauses_check_the_words_that_state_them() -> None:
    function = unit(
        '''
def f(n: int) -> int:
    """Take one away. The arguments are not modified.

    Args:
        n: Must be positive.

    Raises:
        ValueError: If n < 0.
    """
    return n - 1
'''
    )
    [claim] = function.raises
    assert states(function, Evidence(checked=frozenset({claim.id, UNCHANGED}))) == {
        "Take one away.": UNCHECKED,
        "The arguments are not modified.": CHECKED,
        "Must be positive.": UNCHECKED if not function.preconditions else DEFINITION,
        "If n < 0.": CHECKED,
    }
    assert states(function, Evidence())["If n < 0."] is UNCHECKED


def test_labels_of_conditions_and_notes_for_machines_say_nothing() -> None:
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
    assert states(function, Evidence(checked=frozenset({needed.id, kept.id}))) == {
        "Halve.": UNCHECKED,
        "pre: n >= 0": DEFINITION,
        "post: 2 * result <= n": CHECKED,
    }


def test_what_leads_to_checked_rows_is_carried_by_them() -> None:
    function = unit(
        'def f(n):\n    """Take one.\n\n    Raises `ValueError` for\n\n    * a big n,\n    * a small n.\n    """\n'
    )
    one, both = counted("a big n"), counted("a small n")
    assert states(function, Evidence(quotes=(one,)))["Raises `ValueError` for"] is UNCHECKED
    assert states(function, Evidence(quotes=(one, both)))["Raises `ValueError` for"] is DEFINITION


def test_a_demand_of_a_contract_is_shown_by_its_own_examples_alone() -> None:
    demanded = replace(ENCODE, statements=tuple(replace(each, source="contract") for each in ENCODE.statements))
    held = Evidence(held=frozenset(each.id for each in ENCODE.examples), agrees=True)
    assert states(ENCODE, held)["Encode a text."] is SHOWN
    assert states(demanded, held)["Encode a text."] is UNCHECKED
    theirs = replace(demanded, examples=tuple(replace(each, source="contract") for each in ENCODE.examples))
    assert states(theirs, held)["Encode a text."] is SHOWN


def test_a_contract_that_repeats_the_docstring_is_carried_by_a_reference_and_not_by_the_docstrings_examples() -> None:
    demand = replace(ENCODE.statements[0], id="c1", source="contract")
    function = replace(ENCODE, statements=(*ENCODE.statements, demand))
    held = frozenset(each.id for each in ENCODE.examples)

    def state(evidence: Evidence) -> StatementState:
        return next(each.state for each in judged_statements(function, evidence) if each.statement.id == "c1")

    assert state(Evidence(held=held)) is UNCHECKED
    assert state(Evidence(held=held, agrees=True)) is SHOWN
    assert state(Evidence(quotes=(counted("Encode a text."),))) is CHECKED


def test_methods_are_shown_by_their_own_examples() -> None:
    function = unit(
        '''
class Stack:
    """A stack.

    >>> s = Stack()
    >>> s.push(1)
    1
    >>> s.push(2)
    2
    >>> s.push(3)
    3
    """

    def push(self, item):
        """Put it on top."""
        return item

    def pop(self):
        """Take it away."""
'''
    )
    found = states(function, Evidence(held=frozenset(each.id for each in function.examples)))
    assert found == {"A stack.": SHOWN, "Put it on top.": SHOWN, "Take it away.": UNCHECKED}


def stated(text: str, kind: StatementKind = StatementKind.SENTENCE, about: str = "") -> Statement:
    return Statement("s1", text, kind, Span(1, 0, 1, 1), about=about)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("See `other` for details.", ""),
        ("See also :func:`a.b` and :class:`~c.D`.", ""),
        ("https://example.org/page", ""),
        ("New in version 3.2.", ""),
        ("1.6", "versionadded"),
        ("Copyright 2020 by somebody.", ""),
        ("the mean of values", "see also"),
        ("[1] A. Author, 1999.", "references"),
    ],
)
def test_narrative(text: str, about: str) -> None:
    assert is_narrative(stated(text, about=about), ())
    assert not is_narrative(stated(text, StatementKind.RESULT, about), ())


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("See `other` for the order of the result.", ""),
        ("The result is sorted, see `other`.", ""),
        ("3.2", ""),
        ("3.2 Negative numbers raise.", "versionchanged"),
        ("Returns n if nothing is left.", "see also"),
        ("This is fast.", ""),
        ("Useful for tests.", ""),
    ],
)
def test_not_surely_narrative(text: str, about: str) -> None:
    assert not is_narrative(stated(text, about=about), ("n",))


@pytest.mark.parametrize(
    "text",
    ["The text to encode.", "Unit of ``text``", "the items", "A list of names", "list of int", "The number, an int"],
)
def test_naming(text: str) -> None:
    assert is_naming(stated(text, StatementKind.PARAMETER, "text"), ENCODE.parameters)


@pytest.mark.parametrize(
    "text",
    [
        "The text, stripped.",
        "The sorted items.",
        "The timeout in seconds.",
        "The mode, 'r' or 'w'.",
        "The text that is returned.",
        "A non-empty text.",
        "The first 3 items.",
        "Strip it.",
        "The text unless it is too long.",
        "The items to ignore.",
        "Not modified.",
        "Defaults to nothing.",
        "",
    ],
)
def test_more_than_a_name(text: str) -> None:
    assert not is_naming(stated(text, StatementKind.PARAMETER, "text"), ENCODE.parameters)


def test_a_switch_is_never_only_named() -> None:
    assert not is_naming(stated("The display of lines.", StatementKind.PARAMETER, "strict"), ENCODE.parameters)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It was written on a train.", False),
        ("A smooth way to go.", False),
        ("The text is kept.", True),
        ("It has 3 parts.", True),
        ("Only good ones.", True),
        ("An OwnError is due.", True),
        ("It doesn't matter.", True),
    ],
)
def test_names_of_behaviour(text: str, names: bool) -> None:
    assert names_behaviour(text, ("text",)) is names


_QUOTES = st.builds(
    counted,
    st.sampled_from([each.text for each in ENCODE.statements] + ["Runs are", "never empty", "no words"]),
    st.sampled_from([CHECKED, NARRATIVE, DEFINITION, UNCHECKED]),
    st.sampled_from(["text", "width", "strict"]),
)
_EVIDENCE = st.builds(
    Evidence,
    st.frozensets(st.sampled_from(sorted(ALL))),
    st.frozensets(st.sampled_from(["x1", "x2", UNCHANGED])),
    st.frozensets(st.sampled_from(["ValueError", "TypeError"])),
    st.booleans(),
    st.frozensets(st.sampled_from(["text", "width"])),
    st.lists(_QUOTES, max_size=4).map(tuple),
)


def without_parts(rows: tuple[JudgedStatement, ...]) -> tuple[Statement, ...]:
    known = {each.id for each in ENCODE.statements}
    return tuple(each.statement for each in rows if each.statement.id in known)


@pytest.mark.parametrize(
    ("text", "is_shown", "is_explanation"),
    [
        ("A word is good if it is read the same backwards.", True, True),
        ("You may assume that all words have the same length.", True, True),
        ("Negative numbers are ignored.", True, False),
        ("The words must not be empty.", True, False),
        ("Zero is returned for an empty list.", True, False),
        ("Raise `KeyError` where it is missing.", False, False),
        ("A LookupError tells what is missing.", False, False),
        ("Other calls fail.", False, False),
        ("The list itself is modified in place.", False, False),
        ("Every step is printed.", False, False),
    ],
)
def test_what_results_show_and_what_only_explains(text: str, is_shown: bool, is_explanation: bool) -> None:
    assert (shows_in_results(text), only_explains(text)) == (is_shown, is_explanation)


@given(_EVIDENCE)
def test_every_statement_has_exactly_one_state_and_something_that_gave_it(evidence: Evidence) -> None:
    rows = judged_statements(ENCODE, evidence)
    assert without_parts(rows) == ENCODE.statements
    assert all(each.by for each in rows if each.state in {CHECKED, SHOWN, DEFINITION})


@given(_EVIDENCE)
def test_what_counts_for_nothing_changes_no_state(evidence: Evidence) -> None:
    idle = CountedQuote(Quote("idle", ENCODE.statements[1].text), UNCHECKED, frozenset({"width"}))
    more = replace(evidence, quotes=(*evidence.quotes, idle))
    before, after = (judged_statements(ENCODE, each) for each in (evidence, more))
    assert [(each.statement, each.state) for each in before] == [(each.statement, each.state) for each in after]


@given(_EVIDENCE)
def test_less_evidence_vouches_for_no_more(evidence: Evidence) -> None:
    less = replace(
        evidence, held=frozenset(), checked=frozenset(), raised=frozenset(), agrees=False, left_out=frozenset()
    )
    before, after = (judged_statements(ENCODE, each) for each in (evidence, less))
    unchecked = {each.statement.id for each in before if each.state is UNCHECKED}
    assert unchecked <= {each.statement.id for each in after if each.state is UNCHECKED}


def test_a_summary_that_is_said_in_detail_is_a_definition() -> None:
    text = "Smooth a series.\n\n    The first value stays. Others are means.\n\n    Returns:\n        As many numbers."
    function = unit(f'def f(n):\n    """{text}\n    """\n')
    quotes = tuple(map(counted, ("The first value stays.", "Others are means.", "As many numbers.")))
    assert states(function, Evidence(quotes=quotes))["Smooth a series."] is DEFINITION
    assert states(function, Evidence(quotes=quotes[:2]))["Smooth a series."] is UNCHECKED
    assert states(function, Evidence(quotes=quotes[1:]))["Smooth a series."] is UNCHECKED


@pytest.mark.parametrize(
    "text",
    ["Smooth a series, rounded.", "Smooth 3 values.", "Smooth if positive.", "Smooth it exactly.", "Give `n` back."],
)
def test_a_summary_that_says_more_is_no_title(text: str) -> None:
    assert not is_title(stated(text, StatementKind.SUMMARY))


def test_the_page_tells_the_states_of_its_example() -> None:
    [source] = re.findall(r"```python file=prices.py\n(.*?)```", PAGE, re.DOTALL)
    told = re.findall(r"^\| ([^|]+) \| `(\w+)` \| `(\w+)` \| [^|]+ \|$", PAGE, re.MULTILINE)
    function = unit(source)
    rows = judged_statements(function, Evidence(held=frozenset({"e1", "e2", "e3"}), raised=frozenset({"ValueError"})))
    assert [(each.statement.text, each.statement.kind.value, each.state.value) for each in rows] == told
