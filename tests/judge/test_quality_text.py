"""Quality of prose: refusals, placeholders, ends, repetition, readability, and what a request asks for."""

from __future__ import annotations

import pytest

from probatum.judge.quality import quality_score_of
from probatum.judge.quality.rules import RULES
from probatum.judge.request import ValidationRequest, ValidationType
from tests.judge import test_quality_code, test_security_flow
from tests.judge.test_quality_code import issue_of, place_of, report_of, rules_in

PLAIN = (
    "The library keeps each record in one file. A record has a name and a date. Readers may open it at any time, "
    "and writers wait for their turn. When a record is closed, its file is moved to the archive."
)
HARD = (
    "Institutional responsibilities concerning multidimensional organizational transformation necessitate "
    "comprehensive interdisciplinary administrative coordination and systematically established "
    "infrastructural capabilities for the implementation of internationally harmonized regulations. "
)
LONG = "It is known that the water of the lake and the wind of the hills are as cold as the stones in the river " * 4
CASES = [
    ("text_empty", "  \n", "Yes."),
    ("refusal", "I'm sorry, but I can't help with that.", "She said: \"I'm sorry, but I can't help with that.\""),
    ("refusal", "I cannot provide this information.", "The cat cannot provide this."),
    ("as_a_model", "As an AI, I have no view of this.", "As an aide, I have no view of this."),
    ("placeholder", "Dear [insert name], thank you.", "See [insert](https://a.b) for more."),
    ("placeholder", "Lorem ipsum dolor sit amet.", "The word is lorem."),
    ("placeholder", "TODO: write this part.", "The TODO list is long."),
    ("placeholder", "Hello {{ name }}, welcome.", "The set {a, b} has two."),
    ("text_truncated", f"{PLAIN} After that the file is", f"{PLAIN} After that it ends."),
    ("text_truncated", f"{PLAIN} It may stay (as long as no one needs", f"{PLAIN}\n\n- one\n- two"),
    ("text_unclosed", "See:\n```js\nlet a = 1;\n", "See:\n```js\nlet a = 1;\n```\n"),
    ("text_repeated", " ".join([PLAIN.split(". ")[2] + "."] * 2), PLAIN),
    ("text_loop", "and so it goes on " * 12, "and so it goes on " * 2),
    ("text_sentences", f"{LONG}. {LONG}. {LONG}.", PLAIN * 4),
    ("text_difficult", HARD.replace(". ", " of the. ") * 8, PLAIN * 4),
    ("text_wall", PLAIN * 10, "\n\n".join([PLAIN] * 10)),
    ("text_unstructured", "\n\n".join([PLAIN] * 30), "\n\n".join(["# Title", *[PLAIN] * 30])),
]
ASKED = [
    ("asked_count", "Give three examples of birds.", "- owl\n- crow", "- owl\n- crow\n- tit"),
    ("asked_count", "Name 4 reasons.", "1. a\n2. b\n3. c", "1. a\n2. b\n3. c\n4. d"),
    ("asked_count", "Write two paragraphs.", "One only.", "One.\n\nTwo."),
    ("asked_item", "1. Who?\n2. When?\n3. Where?", "1. Alice\n2. May", "1. Alice\n2. May\n3. Here"),
    ("asked_item", 'Include a section named "Risks".', "# Costs\n\nNone.", "# Risks\n\nNone."),
]


@pytest.mark.parametrize(("rule", "bad", "good"), CASES, ids=[f"{each[0]}{index}" for index, each in enumerate(CASES)])
def test_a_rule_fires_on_what_it_names_and_not_on_the_like_of_it(rule: str, bad: str, good: str) -> None:
    assert rule in rules_in(bad)
    assert rule not in rules_in(good)


@pytest.mark.parametrize(("rule", "query", "bad", "good"), ASKED)
def test_what_a_request_asks_for_is_counted(rule: str, query: str, bad: str, good: str) -> None:
    assert rule in rules_in(bad, original_query=query)
    assert rule not in rules_in(good, original_query=query)
    assert rule not in rules_in(bad)


def test_every_rule_fires_in_some_test() -> None:
    tables = (CASES, ASKED, test_quality_code.CASES, test_security_flow.CASES, test_security_flow.STRANGERS)
    assert set(RULES) - {each[0] for table in tables for each in table} == {"hidden_text", "more_issues"}


@pytest.mark.parametrize(
    "text", [PLAIN, "Ja, das ist so. Die Stadt ist alt.", "はい。これは本です。", "مرحبا بكم في المكتبة.", "😀 Done!"]
)
def test_plain_text_keeps_the_whole_score(text: str) -> None:
    assert (report_of(text).score, report_of({"answer": text}).score) == (1.0, 1.0)


def test_places_are_lines_of_the_text_and_paths_of_the_output() -> None:
    assert place_of(issue_of("placeholder", "a\n\n[insert name] b")) == "line:3"
    assert place_of(issue_of("placeholder", {"mail": {"body": "a\n[insert name] b"}})) == "mail.body:line:2"
    assert place_of(issue_of("placeholder", "```js\nx;\n```\nand\n[insert name] b")) == "line:5"


def test_a_refusal_counts_where_nobody_asked_for_quality() -> None:
    asked = ValidationRequest("I'm sorry, but I can't help with that.", (ValidationType.FACTS,))
    assert quality_score_of(asked) == report_of(asked.output).score == 0.5


@pytest.mark.parametrize(
    "text", ["\u202e" * 1_000, "\ud800 a", "a\0b", "(" * 20_000, '"' * 20_000, "\n" * 50_000, "a " * 20_000]
)
def test_hostile_text_gives_a_result(text: str) -> None:
    for output in (text, [text] * 3, {"a": {"b": text}}):
        score = report_of(output, original_query=text).score
        assert score is not None
        assert 0 <= score <= 1
