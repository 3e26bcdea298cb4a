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
        ("schema", "the document satisfies the schema", {"document": {"a": NAN}, "schema": {}}, "engine.non_finite"),
        ("image", "is a PNG", {"image": "no base64!"}, "engine.invalid"),
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
