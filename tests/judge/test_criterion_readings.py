"""Criteria in words with readings: met or not met where those that count quote every word, open otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from probatum import judge_output
from probatum.core.errors import UsageError
from probatum.core.validation import ValidationResult
from probatum.judge import Judge
from probatum.judge.criteria.altered import altered
from probatum.judge.criteria.tools import CriteriaTools
from probatum.kinds.judge.running import SandboxRunner
from probatum.proof.stores import MemoryStore

RISKS = "Lists at least three risks"
THREE = "python: len(output['risks']) >= 3"
MANY, FEW = {"risks": ["cost", "time", "law"]}, {"risks": ["cost"]}
SHORT = "Has at most 300 words"
COUNTED = "count: words <= 300"
PROSE = "A short answer.\nIt names Lisbon."
BY_ADA = {"accepted": {"by": "Ada", "on": "2026-01-31"}}
NOT_ADA = {"rejected": {"by": "Ada", "on": "2026-01-31"}}


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    runner = SandboxRunner()
    yield Judge(CriteriaTools(runner))
    runner.close()


def read(passage: str, criterion: str, **more: Any) -> dict[str, Any]:
    return {"passage": passage, "criterion": criterion, **more}


def narrative(passage: str) -> dict[str, Any]:
    return {"passage": passage, "narrative": True}


def judged(
    judge: Judge, output: Any, criteria: list[str], records: list[list[dict[str, Any]]], policy: str = "proposed"
) -> ValidationResult:
    readings: Any = [{"reader": f"model-{at}", "criteria": rows} for at, rows in enumerate(records)]
    return judge.validate(output, ["criteria"], acceptance_criteria=criteria, readings=readings, readings_policy=policy)


def codes(result: ValidationResult) -> list[str]:
    return [each.message.partition("(")[2].partition(")")[0] for each in result.issues if "refused" in each.message]


VERIFIED, REFUTED, OPEN = (True, True), (False, False), (True, False)
"""Whether the output is valid, and VERIFIED."""
POLICIES = {
    "nobody accepted it": ([[read(RISKS, THREE)]], "accepted", OPEN),
    "somebody did": ([[read(RISKS, THREE, **BY_ADA)]], "accepted", VERIFIED),
    "somebody rejected it": ([[read(RISKS, THREE, **NOT_ADA)]], "proposed", OPEN),
    "proposals count": ([[read(RISKS, THREE)]], "proposed", VERIFIED),
    "nothing counts": ([[read(RISKS, THREE, **BY_ADA)]], "none", OPEN),
    "one reader of two": ([[read(RISKS, THREE)]], "consensus:2", OPEN),
    "two readers who write the same": ([[read(RISKS, THREE)]] * 2, "consensus:2", VERIFIED),
    "two readers who say the same": (
        [[read(RISKS, THREE)], [read(RISKS, "python: len(output['risks']) > 2")]],
        *("consensus:2", VERIFIED),
    ),
    "two readers who say different things that both hold": (
        [[read(RISKS, THREE)], [read(RISKS, "jsonpath: $.risks[2]")]],
        *("consensus:2", OPEN),
    ),
    "two readers, of whom one calls it narrative": (
        [[read(RISKS, THREE)], [narrative(RISKS)]],
        *("consensus:2", OPEN),
    ),
}


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_says_which_readings_of_criteria_count(judge: Judge, name: str) -> None:
    records, policy, expected = POLICIES[name]
    result = judged(judge, MANY, [RISKS], records, policy)
    assert (result.valid, result.verdict["status"] == "VERIFIED") == expected


BOTH = "Lists at least three risks, and has at most 300 words"
LEAST = "at most 300 words"
READ: dict[str, tuple[Any, str, list[dict[str, Any]], tuple[bool, bool]]] = {
    "a criterion that is not met": (FEW, RISKS, [read(RISKS, THREE)], REFUTED),
    "a part of the words": (MANY, BOTH, [read("at least three risks", THREE)], OPEN),
    "a part that is not met": (FEW, "Lists three risks, or says why", [read("Lists three risks", THREE)], OPEN),
    "both parts": (PROSE, f"Is text, {LEAST}", [read("Is text", "regex: [a-z]"), read(LEAST, COUNTED)], VERIFIED),
    "one part fails": (PROSE, f"Is text, {LEAST}", [read("Is text", "regex: z"), read(LEAST, COUNTED)], REFUTED),
    "a part that is narrative": (PROSE, f"Please: {LEAST}", [narrative("Please:"), read(LEAST, COUNTED)], VERIFIED),
    "narrative alone": (PROSE, "Please be brief", [narrative("Please be brief")], OPEN),
    "words that have changed": (MANY, "Lists at least four risks", [read(RISKS, THREE)], OPEN),
    "words that were added": (MANY, f"{RISKS} for each market", [read(RISKS, THREE)], OPEN),
    "words that were put before": (MANY, f"Never {RISKS}", [read(RISKS, THREE)], OPEN),
    "the same but for white space": (MANY, "Lists at  least\nthree risks", [read(RISKS, THREE)], VERIFIED),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_every_word_is_quoted_or_the_criterion_is_open(judge: Judge, name: str) -> None:
    output, criterion, rows, expected = READ[name]
    result = judged(judge, output, [criterion], [rows])
    assert (result.valid, result.verdict["status"] == "VERIFIED") == expected


REFUSED: dict[str, tuple[Any, str, str, str]] = {
    "always true": (MANY, RISKS, "python: len(output) >= 0", "criterion_says_nothing"),
    "true by itself": (PROSE, "Begins well", "python: output.startswith(output[:5])", "criterion_says_nothing"),
    "true by an or": (PROSE, "Is short", "python: len(output) < 100 or len(output) > 99", "criterion_says_nothing"),
    "a count of nothing": (PROSE, "Has words", "count: words >= 0", "criterion_says_nothing"),
    "a pattern that is everywhere": (PROSE, "Has words", "regex: .*", "criterion_says_nothing"),
    "a path to everything": (MANY, "Has risks", "jsonpath: $", "criterion_says_nothing"),
    "the text of the output": (PROSE, "Names a capital", f"python: output == {PROSE!r}", "criterion_repeats_output"),
    "the output as a pattern": (PROSE, "Is short", r"regex: ^A short.*\nIt names Lisbon.$", "criterion_repeats_output"),
    "the value of the output": (MANY, "Names risks", f"python: output == {MANY!r}", "criterion_repeats_output"),
    "another number": (PROSE, SHORT, "count: words <= 3000", "values_missing"),
    "words for a criterion": (PROSE, "Is short", "It is short", "criterion_undecided"),
    "beyond the subset": (PROSE, "Is short", "python: open(output)", "criterion_undecided"),
    "no truth value": (PROSE, "Is short", "python: output", "criterion_undecided"),
    "an exception": (MANY, "Is short", "python: output['text'] < 3", "criterion_undecided"),
    "values called narrative": (PROSE, SHORT, "", "narrative_has_values"),
    "no end": (PROSE, "Is short", "python: len(output) > sum(1 for each in range(10**9))", "criterion_undecided"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_reading_that_says_nothing_of_its_words_is_refused(judge: Judge, name: str) -> None:
    output, words, formal, code = REFUSED[name]
    row = read(words, formal) if formal else narrative(words)
    result = judged(judge, output, [words], [[{**row, **BY_ADA}]])
    assert codes(result) == [code]
    assert (result.valid, result.verdict["status"] == "VERIFIED") == OPEN


HOLDS: dict[str, tuple[Any, str, str]] = {
    "a count": (PROSE, SHORT, COUNTED),
    "a pattern": (PROSE, "Names the capital of Portugal", "regex: Lisbon"),
    "no such pattern": (PROSE, "Names no capital of Spain", "not regex: Madrid"),
    "a path": (MANY, "Lists risks", "jsonpath: count($.risks[*]) > 0"),
    "a number": (12, "The answer is 12", "python: output == 12"),
    "JSON": ('{"a": 1}', "Is JSON", "valid: json"),
    "a call": ("def half(x):\n    return x / 2\n", "Half of 3 is 1.5", "call: half(3) == 1.5"),
}


@pytest.mark.parametrize("name", HOLDS)
def test_each_notation_can_be_what_words_say(judge: Judge, name: str) -> None:
    output, words, formal = HOLDS[name]
    result = judged(judge, output, [words], [[read(words, formal)]])
    assert (codes(result), result.verdict["status"]) == ([], "VERIFIED")
    assert result.confidence == 0.9


@pytest.mark.parametrize(
    "readings",
    [
        {"reader": "a"},
        {"reader": "a", "criteria": [{"passage": RISKS}]},
        {"reader": "a", "criteria": [{"passage": RISKS, "source": "log", "quote": "x"}]},
        {"reader": "a", "claims": [read(RISKS, THREE)]},
    ],
)
def test_a_reading_of_another_form_is_the_callers_fault(readings: Any) -> None:
    with pytest.raises(UsageError):
        Judge().validate(MANY, ["criteria"], acceptance_criteria=[RISKS], readings=readings)


def test_sentence_and_proof_name_reader_and_policy() -> None:
    store = MemoryStore()
    readings: Any = {"reader": "alice", "criteria": [read(RISKS, THREE)]}
    asked: dict[str, Any] = {"acceptance_criteria": [RISKS], "readings": readings, "readings_policy": "proposed"}
    verdict = judge_output(MANY, ["criteria"], store=store, **asked)
    assert (verdict.constraint_id, bool(verdict.proof_ref)) == ("judge.read", True)
    [told] = verdict.developer_fields["readings"]["criteria[0]"]
    assert dict(told) == {
        **{"reader": "alice", "check": "python", "passage": RISKS, "criterion": THREE},
        **{"added": ["3"], "observed": "the expression is True"},
    }
    artifact = store.fetch(str(verdict.proof_ref)).decode()
    assert '"reader":"alice"' in artifact
    assert '"readings_policy":"proposed"' in artifact


@pytest.mark.parametrize("output", [MANY, PROSE, 12, 2.5, True, None, [], "", {"a": {"b": ["c" * 50_000] * 50}}])
def test_an_altered_output_is_another_one(output: Any) -> None:
    others = altered(output, "no risks")
    assert 5 <= len(others) <= 50
    assert not any(each == output and type(each) is type(output) for each in others[:-5])
