"""Exact claims from Python that cannot be read: the answer is BLOCKED, as on the command line, and no exception."""

from __future__ import annotations

import pytest

from probatum import check_claim
from probatum.core.errors import ProbatumError

NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("engine", "statement", "given", "constraint"),
    [
        ("stats", "mode = 1", {"data": [NAN, NAN, 1]}, "engine.non_finite"),
        ("stats", "mean = 1", {"data": [1, -INFINITE]}, "engine.non_finite"),
        ("linear", "eigenvalues = [0, 1]", {"matrix": [[NAN, 0], [0, 1]]}, "engine.non_finite"),
        ("finance", "irr(flows) = 0.1", {"flows": [-1000, INFINITE]}, "engine.non_finite"),
        ("schema", "valid", {"document": {"a": NAN}, "schema": {}}, "engine.non_finite"),
        ("image", "format == 'PNG'", {"image": "no base64!"}, "engine.invalid"),
    ],
)
def test_what_cannot_be_read_is_blocked(engine: str, statement: str, given: dict[str, object], constraint: str) -> None:
    verdict = check_claim(engine, statement, given)
    assert (verdict.status.value, verdict.constraint_id) == ("BLOCKED", constraint)
    assert "nan" not in verdict.agent_message
    assert verdict.proof_ref is None


def test_what_is_no_engine_or_no_input_is_still_raised() -> None:
    for engine, given in (("maths", {}), ("math", {"premise": ["p"]})):
        with pytest.raises(ProbatumError):
            check_claim(engine, "1 = 1", given)


WORDED = [
    ("graph", "there is a path from A to B", {"edge": ["A -> B"]}),
    ("dates", "2024-01-31 is a Wednesday", {}),
    ("units", "1 mile is 1.609344 km", {}),
    ("reasoning", r"\[3 + 4 = 9\] \[-2 = 7\]", {}),
    ("reasoning", "31^2 is 600 greater than 19^2", {}),
]


@pytest.mark.parametrize(("engine", "statement", "given"), WORDED)
def test_a_sentence_is_answered_with_what_to_write_instead(
    engine: str, statement: str, given: dict[str, object]
) -> None:
    verdict = check_claim(engine, statement, given)  # type: ignore[arg-type]  # JSON
    assert (verdict.status.value, verdict.proof_ref) == ("BLOCKED", None)
    assert f"docs/reference/claims/{engine}.md" in str(verdict.developer_fields["hint"])


def test_an_engine_that_there_is_not_is_answered_with_the_one_that_decides_the_like() -> None:
    with pytest.raises(ProbatumError) as caught:
        check_claim("rules", "Tom is cold.", {"context": "Tom is a penguin. All penguins are cold."})
    assert "probatum claim logic" in caught.value.hint
    assert "docs/reference/claims/logic.md" in caught.value.hint


def test_a_claim_is_printed_back_in_canonical_form_in_verdict_and_proof() -> None:
    from probatum.proof.stores import MemoryStore

    store = MemoryStore()
    verdict = check_claim("units", "3km=3000   m", store=store)
    assert verdict.developer_fields["stated"] == "3 km == 3000 m"
    assert b"3 km == 3000 m" in store.fetch(verdict.proof_ref or "")
