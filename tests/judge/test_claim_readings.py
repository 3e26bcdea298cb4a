"""Claims in words with claim readings: VERIFIED where those that count speak for every word, and never otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from probatum import judge_output
from probatum.core.errors import UsageError
from probatum.core.frozen import frozen_dict
from probatum.core.validation import ValidationResult
from probatum.exact.claim import ExactClaim
from probatum.exact.engines import decide
from probatum.judge import Judge, TrustedSource
from probatum.judge.criteria.tools import CriteriaTools
from probatum.proof.stores import MemoryStore

pytest.importorskip("probatum.readings.claims")

LOG = TrustedSource("log", "The bridge was opened on 5 March 1932. It carries 1200 cars.")
DATA = TrustedSource("data", '{"units": 1200, "returned": 600, "total": 42}')
SAID = "The bridge opened in 1932."
ACCEPTED = {"accepted": {"by": "bob", "on": "2026-01-31"}}
CITED = {"passage": SAID, "source": "log", "quote": "The bridge was opened on 5 March 1932."}
TOOLS = CriteriaTools(exact=lambda engine, statement, given: decide(ExactClaim(engine, statement, frozen_dict(given))))


def judged(output: Any, *claims: dict[str, Any], policy: str = "accepted", layer: str = "facts") -> ValidationResult:
    readings = {"reader": "alice", "claims": list(claims)} if claims else None
    asked = {"trusted_sources": [LOG, DATA], "readings": readings, "readings_policy": policy}
    return Judge(TOOLS).validate(output, [layer], **asked)  # type: ignore[arg-type]  # as a request has them


HALF = "Half of the units, 600 units, were returned."
SUM = "The sum of the 12 and 30 listed is 42"
WRONG = "The sum of the 12 and 30 listed is 43"
CASES: dict[str, tuple[Any, tuple[dict[str, Any], ...], str, str]] = {
    "an accepted citation": (SAID, ({**CITED, **ACCEPTED},), "accepted", "VERIFIED"),
    "one that nobody accepted": (SAID, (CITED,), "accepted", "UNVERIFIABLE"),
    "one that nobody accepted, under a policy that counts it": (SAID, (CITED,), "proposed", "VERIFIED"),
    "no policy at all": (SAID, ({**CITED, **ACCEPTED},), "none", "UNVERIFIABLE"),
    "one reader of two": (SAID, (CITED,), "consensus:2", "UNVERIFIABLE"),
    "no reading": (SAID, (), "proposed", "UNVERIFIABLE"),
    "a value that the quote does not have": (
        *("The bridge opened in 1933.", ({**CITED, "passage": "The bridge opened in 1933.", **ACCEPTED},)),
        *("accepted", "UNVERIFIABLE"),
    ),
    "a quote that no source has": (
        *(SAID, ({**CITED, "quote": "It opened in 1932.", **ACCEPTED},)),
        *("accepted", "UNVERIFIABLE"),
    ),
    "a sentence that nobody reads": (f"{SAID} It is red.", ({**CITED, **ACCEPTED},), "accepted", "UNVERIFIABLE"),
    "a path and its value": (
        *(HALF, ({"passage": HALF, "source": "data", "path": ["returned"], "value": 600, **ACCEPTED},)),
        *("accepted", "VERIFIED"),
    ),
    "a path with another value": (
        *(HALF, ({"passage": HALF, "source": "data", "path": ["units"], "value": 1200, **ACCEPTED},)),
        *("accepted", "UNVERIFIABLE"),
    ),
    "a formal claim": (
        *(SUM, ({"passage": SUM, "engine": "math", "statement": "12 + 30 = 42", **ACCEPTED},)),
        *("accepted", "VERIFIED"),
    ),
    "a false formal claim": (
        *(WRONG, ({"passage": WRONG, "engine": "math", "statement": "12 + 30 = 43", **ACCEPTED},)),
        *("accepted", "UNVERIFIABLE"),
    ),
    "narrative alone": (
        *("Here it is:", ({"passage": "Here it is:", "narrative": True, **ACCEPTED},)),
        *("accepted", "UNVERIFIABLE"),
    ),
    "narrative beside a citation": (
        *(f"Here it is: {SAID}", ({"passage": "Here it is:", "narrative": True, **ACCEPTED}, {**CITED, **ACCEPTED})),
        *("accepted", "VERIFIED"),
    ),
    "a member of an object beside an exact one": (
        {"total": 42, "note": SAID}, ({**CITED, **ACCEPTED},), "accepted", "VERIFIED",
    ),
    "a reading of what a path contradicts": (
        {"total": 41}, ({"passage": "41", "narrative": True, **ACCEPTED},), "accepted", "UNVERIFIABLE",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_readings_that_count_decide(name: str) -> None:
    output, claims, policy, status = CASES[name]
    result = judged(output, *claims, policy=policy)
    assert result.verdict["status"] == status
    assert status != "VERIFIED" or (result.valid and result.confidence == 0.9)
    # A reading never refutes: what is refuted is so without it.
    assert result.valid or not judged(output).valid


def test_the_verdict_names_readings_and_the_proof_holds_reader_and_policy() -> None:
    store = MemoryStore()
    readings = {"reader": "alice", "claims": [CITED]}
    asked: dict[str, Any] = {"trusted_sources": [LOG], "readings": readings, "readings_policy": "proposed"}
    verdict = judge_output(SAID, ["facts"], store=store, **asked)
    assert (verdict.constraint_id, bool(verdict.proof_ref)) == ("judge.read", True)
    assert verdict.proof_ref is not None
    artifact = store.fetch(verdict.proof_ref).decode()
    assert '"reader":"alice"' in artifact
    assert '"readings_policy":"proposed"' in artifact
    assert '"compared":[["1932","5 March 1932"]]' in artifact


def test_a_result_holds_what_was_compared_and_the_words_around_the_quote() -> None:
    source = TrustedSource("log", "The café opened in 1932. However, none of this happened.")
    cited = {"passage": SAID, "source": "log", "quote": "opened in 1932."}
    readings = {"reader": "alice", "claims": [cited]}
    asked: dict[str, Any] = {"trusted_sources": [source], "readings": readings, "readings_policy": "proposed"}
    result = Judge().validate(SAID, ["facts"], **asked)
    [read] = result.verdict["developer_fields"]["readings"]["facts[0]"]
    assert dict(read) == {
        **{"reader": "alice", "check": "quote", "compared": [["1932", "1932"]], **cited},
        **{"before": "The café", "after": "However, none of this happened."},
    }
    [claim] = result.claims
    assert source.text[claim.source_start : claim.source_end] == cited["quote"]
    fields = judge_output(SAID, ["facts"], store=MemoryStore(), **asked).developer_fields
    assert fields["readings"]["facts[0]"][0]["after"] == "However, none of this happened."


SCORES = TrustedSource("scores", 'name,year,score\nNorth,2023,24 - 7\nNorth,2024,1\nSouth,2024,"200,baltimore"\n')
CELLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a row by two columns": (
        *("24 - 7", {"path": {"row": {"name": "North", "year": "2023"}, "column": "score"}, "value": "24 - 7"}),
        "",
    ),
    "a row that two have": (
        *("24 - 7", {"path": {"row": "North", "column": "score"}, "value": "24 - 7"}),
        "2 rows of the table with 'North', expected one. Name further columns of the row.",
    ),
    "two cells that look like one number": ("North sold 2024 and 1", {"quote": "North,2024,1"}, ""),
    "the number that they look like": ("North sold 2,024,1", {"quote": "North,2024,1"}, "does not state"),
    "a score beside a word": ("24 - 7", {"quote": "2023,24 - 7"}, ""),
    "a mark within a cell": ("200", {"quote": '"200,baltimore"'}, ""),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_table_is_read_cell_by_cell(name: str) -> None:
    passage, rest, refusal = CELLS[name]
    claim = {"passage": passage, "source": "scores", **rest}
    readings = {"reader": "alice", "claims": [claim]}
    result = Judge().validate(passage, ["facts"], trusted_sources=[SCORES], readings=readings)
    refused = [each.message for each in result.issues if "refused" in each.message]
    assert len(refused) == bool(refusal)
    assert all(refusal in each for each in refused)


REFUSALS: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "a quote": (
        *("It opened in 1933.", {"source": "log", "quote": "opened on 5 March 1932."}),
        ("(values_missing)", "The quote does not state '1933'", "Passage: 'It opened in 1933.'"),
    ),
    "a statement": (
        *("It cost £12 in Café 1.", {"engine": "math", "statement": "2 + 2 = 4"}),
        ("(values_missing)", "The statement does not state '£12'", "Café"),
    ),
    "a control character": (
        *("It is \u202e1932.", {"source": "log", "quote": "5 March 1932"}),
        ("(hidden_characters)", "\\u202e"),
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refused_reading_says_code_passage_and_values(name: str) -> None:
    passage, rest, parts = REFUSALS[name]
    [found] = [each for each in judged(passage, {"passage": passage, **rest}).issues if "refused" in each.message]
    assert [each for each in parts if each not in found.message] == []


def test_a_judge_without_engines_says_what_to_use() -> None:
    claim = {"passage": SUM, "engine": "math", "statement": "12 + 30 = 42"}
    result = Judge().validate(SUM, ["facts"], trusted_sources=[LOG], readings={"reader": "alice", "claims": [claim]})
    assert any("Judge has no engine math. Use judge_output" in each.message for each in result.issues)


def test_readings_that_cannot_be_read_are_the_callers_fault() -> None:
    for claims in ({"passag": "x"}, {"passage": "x", "engine": 1, "statement": "y"}):
        with pytest.raises(UsageError):
            judged(SAID, claims)
    with pytest.raises(UsageError, match="policy"):
        judged(SAID, CITED, policy="all")
