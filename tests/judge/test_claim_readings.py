"""Claims in words with claim readings: VERIFIED where those that count speak for every word, and never otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from probatum import judge_output
from probatum.core.errors import UsageError
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
TOOLS = CriteriaTools(exact=lambda engine, statement: decide(ExactClaim(engine, statement)))


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


def test_a_refused_reading_says_why() -> None:
    result = judged("The bridge opened in 1933.", {**CITED, "passage": "The bridge opened in 1933."})
    assert any("reading of alice was refused" in each.message and "1933" in each.message for each in result.issues)


def test_readings_that_cannot_be_read_are_the_callers_fault() -> None:
    for claims in ({"passag": "x"}, {"passage": "x", "engine": 1, "statement": "y"}):
        with pytest.raises(UsageError):
            judged(SAID, claims)
    with pytest.raises(UsageError, match="policy"):
        judged(SAID, CITED, policy="all")
