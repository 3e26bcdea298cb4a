"""Criteria that are decided by what stands in the output: what passes, what fails and what stays open."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.judge.criteria.layer import NO_TOOLS, criteria_report
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.layers import DECISIVE, CheckOutcome
from probatum.judge.request import ValidationRequest, ValidationType

SORT = '''from typing import List


def sort_list(items: List[int]) -> List[int]:
    """Return the items in order."""
    return sorted(items)
'''
BARE = "def sortList(items):\n    print(items)\n    return sorted(items)  # TO" + "DO: faster\n"
TESTS = "from solution import sort_list\n\ndef test_sorts():\n    assert sort_list([2, 1]) == [1, 2]\n"
EMPTY_TESTS = "def test_sorts():\n    pass\n\ndef test_true():\n    assert True\n"
REPORT = """# Report

## Executive Summary

Revenue grew by 12 % in the third quarter, and the main reason was the launch of the new product in Berlin.
It is the best result that the company has had for a long time, and it is not yet the end of the growth.

## Risks

- Supply chain
- Staff turnover
- Currency

More at https://example.org/report.
"""
GERMAN = (
    "Die Katze sitzt auf dem Dach und sieht die Vögel. Es ist ein schöner Tag, und die Sonne scheint über der Stadt. "
    "Der Hund liegt im Garten und schläft, weil es warm ist und nicht regnet."
)
ORDER = {
    "id": "A-17",
    "status": "shipped",
    "items": [{"sku": "x1", "price": 10.5}, {"sku": "x2", "price": 3}],
    "total": 13.5,
    "tags": ["b", "a", "a"],
    "scores": [1, 2, 3],
    "notes": "",
    "shipped_at": "2024-03-01",
}
CODE = {"code": SORT, "tests": TESTS}
BAD_CODE = {"code": BARE}


def state_of(criterion: str, output: object, tools: CriteriaTools = NO_TOOLS) -> str:
    request = ValidationRequest(output, (ValidationType.CRITERIA,), (criterion,))
    return criteria_report(request, tools).checks[0].state.value


OUTPUTS: Mapping[str, object] = {
    "code": CODE,
    "bad": BAD_CODE,
    "report": REPORT,
    "german": GERMAN,
    "order": ORDER,
    "yes": "yes",
    "fenced": f"Here it is:\n\n```python\n{SORT}```\n",
    "json": '{"answer": 42}',
    "mail": "Write to bob@example.org.",
    "call": "Call 555-123-4567.",
    "plain": "All is well here.",
    "two": {"summary": "All is well.", "body": "It rains in Berlin."},
    "versions": f"Before:\n```python\n{BARE.replace('sortList', 'sort_list')}```\nAfter:\n```python\n{SORT}```\n",
    "quote": '"Wonderful!" he said to them.',
    "fruit": "An apple a day is enough.",
    "bold": "**Note**\n\nAll is well.",
    "mixed": f"{REPORT}\n\nDie Zahlen sind nicht von uns und auch nicht für die Presse.\n",
    "broken": "```python\ndef f(:\n```\n",
    "eval": {"code": "def f(text):\n    return eval(text)\n"},
    "lazy": {"code": SORT, "tests": EMPTY_TESTS},
    "numpy": {"code": "import numpy as np\n\n\ndef f(x):\n    return np.sum(x)\n"},
    "loop": {"code": "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\n"},
    "empty": "  ",
    "draft": "Dear [Your Name], lorem ipsum.",
    "list": [1, 2],
}

PASSED = [
    ("two", "The body has at most 9 words and mentions Berlin"),
    ("code", "Tests are included"),
    ("code", "includes unit tests"),
    ("code", "Includes at least 1 unit test"),
    ("code", "has a docstring"),
    ("fenced", "The function must have a docstring."),
    ("code", "All functions have docstrings"),
    ("code", "Code should include type hints"),
    ("code", "Function has proper naming"),
    ("code", "Code follows PEP 8 naming"),
    ("code", "defines a function named sort_list"),
    ("code", "The function is named `sort_list`"),
    ("code", "No external dependencies"),
    ("code", "Uses only the standard library"),
    ("code", "does not use eval"),
    ("code", "does not use recursion"),
    ("loop", "Uses recursion"),
    ("code", "Code is under 20 lines"),
    ("code", "Code parses"),
    ("code", "No TODO comments"),
    ("code", "- [ ] Has a docstring and type hints"),
    ("code", "does not import numpy"),
    ("numpy", "Uses the numpy library"),
    ("code", "Lines do not exceed 79 characters"),
    ("report", "Contains a section on risks"),
    ("report", "Contains an executive summary"),
    ("report", "Report is under 200 words"),
    ("report", "Has at least three bullet points"),
    ("report", "Written in English"),
    ("german", "The text is in German"),
    ("report", "Mentions Berlin"),
    ("report", "does not mention 'Paris'"),
    ("report", "contains the word 'revenue'"),
    ("report", "Must not contain the words 'promise' or 'guarantee'"),
    ("report", "formatted as Markdown"),
    ("report", "starts with '# Report'"),
    ("report", "uses bullet points"),
    ("report", "no email addresses"),
    ("report", "No phone numbers"),
    ("report", "includes executive summary and risks sections"),
    ("plain", "is a single paragraph"),
    ("plain", "at most 280 characters"),
    ("plain", "no placeholder text"),
    ("plain", "No bullet points"),
    ("german", "Exactly 3 sentences"),
    ("json", "Response is valid JSON"),
    ("order", "Output is a JSON object"),
    ("order", "field 'status' is present"),
    ("order", "All prices are positive"),
    ("order", "total is between 10 and 20"),
    ("order", "items has 2 items"),
    ("order", "status is 'shipped'"),
    ("order", "Status is one of 'new' or 'shipped'"),
    ("order", "total is at least 13.5"),
    ("json", "Answer is 42"),
    ("yes", "Answer is 'yes' or 'no'"),
    ("yes", "Output is not empty"),
]
FAILED = [
    ("two", "The summary is under 10 words and contains the word 'Berlin'"),
    ("bad", "Tests are included"),
    ("lazy", "Tests are included"),
    ("bad", "has a docstring"),
    ("bad", "has type hints"),
    ("bad", "Function has proper naming"),
    ("bad", "Function names use snake_case"),
    ("code", "defines a class named Sorter"),
    ("numpy", "No external dependencies"),
    ("numpy", "Uses only the standard library"),
    ("eval", "does not use eval"),
    ("bad", "No print statements"),
    ("loop", "does not use recursion"),
    ("code", "Uses recursion"),
    ("bad", "No TODO comments"),
    ("code", "Code is under 3 lines"),
    ("broken", "Code parses"),
    ("numpy", "no imports"),
    ("report", "Contains a section titled 'Methodology'"),
    ("report", "at least 500 words"),
    ("report", "no more than 2 bullet points"),
    ("german", "Written in English"),
    ("report", "does not mention Berlin"),
    ("report", "contains the word 'guarantee'"),
    ("mail", "no email addresses"),
    ("call", "No phone numbers"),
    ("mail", "Contains no personal data"),
    ("draft", "no placeholder text"),
    ("plain", "uses bullet points"),
    ("plain", "is valid JSON"),
    ("order", "field 'discount' is present"),
    ("order", "total is negative"),
    ("order", "All prices are greater than 5"),
    ("order", "status is 'new'"),
    ("order", "notes must not be empty"),
    ("order", "items has at least 3 items"),
    ("plain", "Answer is 'yes' or 'no'"),
    ("empty", "Output is not empty"),
    ("list", "Output is a JSON object"),
    ("code", "has a docstring and does not import typing"),
]
OPEN = [
    ("code", "Code is good"),
    ("code", "Tests are included unless the code is trivial"),
    ("code", "Tests are not included"),
    ("code", "Comprehensive tests are included"),
    ("code", "Most functions have docstrings"),
    ("code", "Edge cases are handled"),
    ("code", "Every function has a meaningful docstring"),
    ("code", "Has type hints where helpful"),
    ("code", "Does not use heavy libraries"),
    ("code", "Uses a caching library"),
    ("code", "Defines a function that sorts"),
    ("code", "Includes a function docstring"),
    ("code", "Code may use eval"),
    ("code", "No more than 3 TO" + "DOs"),
    ("report", "Contains a section on risks or opportunities"),
    ("report", "Contains no section on risks"),
    ("report", "About 100 words"),
    ("report", "at least 2 characters"),
    ("report", "Written in plain English"),
    ("report", "Mentions Berlin or Paris"),
    ("report", "Mentions the company's goals and the team's plans"),
    ("report", "Mentions pricing"),
    ("mail", "No email addresses other than bob@example.org"),
    ("report", "All links work"),
    ("order", "Total is approximately 13"),
    ("order", "Most prices are positive"),
    ("order", "Status is not 'shipped'"),
    ("order", "Contains field validation"),
    ("order", "price is positive"),
    ("order", "title is positive"),
    ("order", "notes are non-empty when status is shipped"),
    ("plain", "Contains no personal data"),
    ("plain", "No profanity"),
    ("versions", "has a docstring"),
    ("quote", "exactly 2 sentences"),
    ("report", "Contains an introduction"),
    ("report", "Has a conclusion"),
    ("order", "Has a conclusion"),
    ("two", "The summary is under 10 words and 100 characters"),
    ("fruit", "mentions Apple"),
    ("bold", "has at least 1 heading"),
    ("mixed", "written in English"),
    ("yes", "Answer is 'yes' followed by a reason"),
    ("report", "does not mention 'a' and 'Berlin'"),
    ("plain", "written in English"),
    ("plain", "has a docstring"),
    ("code", ""),
    ("code", "   "),
    ("code", "has a docstring or type hints"),
    ("code", "has a docstring and is fast"),
]


@pytest.mark.parametrize(("name", "criterion"), PASSED)
def test_what_the_output_shows_passes(name: str, criterion: str) -> None:
    assert state_of(criterion, OUTPUTS[name]) == "passed"


@pytest.mark.parametrize(("name", "criterion"), FAILED)
def test_what_the_output_lacks_fails(name: str, criterion: str) -> None:
    assert state_of(criterion, OUTPUTS[name]) == "failed"


@pytest.mark.parametrize(("name", "criterion"), OPEN)
def test_what_is_not_understood_to_the_last_word_stays_open(name: str, criterion: str) -> None:
    assert state_of(criterion, OUTPUTS[name]) == "undecided"


EXECUTABLE = [
    ("jsonpath: $.total", "passed"),
    ("jsonpath: $.missing", "failed"),
    ("jsonpath: $.items[0].price == 10.5", "passed"),
    ("jsonpath: $.items[-1].sku == 'x2'", "passed"),
    ("jsonpath: $['status'] != \"new\"", "passed"),
    ("jsonpath: count($.items[*]) == 2", "passed"),
    ("jsonpath: all($..price) > 5", "failed"),
    ("jsonpath: any($..price) > 5", "passed"),
    ("jsonpath: $.items[*].price > 1", "undecided"),
    ("jsonpath: all($.none[*]) == 1", "undecided"),
    ("jsonpath: $.scores == [1, 2, 3]", "passed"),
    ("jsonpath: $.status > 3", "undecided"),
    ("jsonpath: $.total == true", "failed"),
    ("jsonpath: $.items[", "undecided"),
    ("jsonpath: total > 3", "undecided"),
    ("jsonpath: $.scores[0] == 1.0", "passed"),
    ("jsonpath: $" + "[0]" * 400, "failed"),
    ("jsonpath:", "undecided"),
]


@pytest.mark.parametrize(("criterion", "state"), EXECUTABLE)
def test_a_path_is_compared_exactly(criterion: str, state: str) -> None:
    assert state_of(criterion, ORDER) == state


@pytest.mark.parametrize(
    ("criterion", "state"),
    [
        ("regex: Ber.in", "passed"),
        ("not regex: Paris", "passed"),
        ("regex: ^Paris", "failed"),
        ("regex: (", "undecided"),
        ("regex: (?=a)", "undecided"),
        (r"regex: (a)\1", "undecided"),
        ("regex: (x+x+)+y", "failed"),
    ],
)
def test_a_pattern_is_matched_in_linear_time(criterion: str, state: str) -> None:
    assert state_of(criterion, REPORT + "x" * 5000) == state


def test_the_issues_are_those_of_the_schema() -> None:
    criteria = ("Tests are included", "Code is good", "has type hints")
    report = criteria_report(ValidationRequest(BAD_CODE, (ValidationType.CRITERIA,), criteria))
    assert [(each.severity.value, each.kind) for each in report.issues] == [
        ("error", "criteria_not_met"),
        ("warning", "criteria_ambiguous"),
        ("error", "criteria_not_met"),
    ]
    assert report.issues[0].message == "Acceptance criterion not met: Tests are included"
    assert "'Code is good'" in report.issues[1].message
    assert [each.about for each in report.checks] == list(criteria)
    assert [each.id for each in report.checks] == ["criteria[0]", "criteria[1]", "criteria[2]"]


def has_float(value: object) -> bool:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return isinstance(value, float) or any(map(has_float, parts))


WORDS = [
    "code",
    "tests",
    "function",
    "has",
    "no",
    "not",
    "all",
    "every",
    "at",
    "least",
    "most",
    "two",
    "3",
    "section",
    "on",
    "'x'",
    "is",
    "are",
    "included",
    "and",
    "or",
    "unless",
    "sorted",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=9), st.sampled_from(sorted(OUTPUTS)))
def test_any_words_give_a_result_that_is_canonical_and_the_same_each_time(words: list[str], name: str) -> None:
    request = ValidationRequest(OUTPUTS[name], (ValidationType.CRITERIA,), (" ".join(words),))
    report = criteria_report(request)
    assert report == criteria_report(request)
    check = report.checks[0]
    assert (check.basis in DECISIVE) is (check.state is not CheckOutcome.UNDECIDED)
    assert canonical_bytes(check.evidence)
    assert not has_float(check.evidence)


LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40)
JSON = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
ALL = [criterion for _, criterion in [*PASSED, *FAILED, *OPEN]] + [criterion for criterion, _ in EXECUTABLE]


@settings(max_examples=150, deadline=None)
@given(JSON, st.lists(st.sampled_from(ALL), max_size=12), st.text(max_size=60))
def test_any_output_gives_one_check_a_criterion(output: object, criteria: list[str], other: str) -> None:
    asked = (*criteria, other)
    report = criteria_report(ValidationRequest(output, (ValidationType.CRITERIA,), asked))
    assert [each.about for each in report.checks] == list(asked)
    for check in report.checks:
        canonical_bytes(check.evidence)


@pytest.mark.parametrize(("name", "criterion"), PASSED)
def test_a_hedge_an_exception_or_a_negation_takes_the_meaning_away(name: str, criterion: str) -> None:
    bare = criterion.rstrip(".")
    for changed in (
        f"{bare} unless it is hard",
        f"Ideally {bare}",
        f"It is not the case that {bare}",
        f"{bare} mostly",
    ):
        assert state_of(changed, OUTPUTS[name]) == "undecided"
