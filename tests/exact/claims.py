"""What tests of engines ask: the ruling on a claim, and its certificate checked and tampered with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from probatum.core.decision import Outcome
from probatum.core.errors import ProbatumError
from probatum.core.frozen import FrozenDict, frozen_dict, thaw
from probatum.exact import ExactClaim, Ruling, check, decide

PROVED, REFUTED, UNDECIDED = Outcome.PROVED, Outcome.REFUTED, Outcome.UNDECIDED
BLOCKED = Outcome.NOT_ATTEMPTED
ANSWERS = (PROVED, REFUTED, UNDECIDED, BLOCKED)
_DIGIT = re.compile("[0-9]")


def ruled(engine: str, statement: str, **given: object) -> Ruling:
    """Return the ruling on a claim; a certificate is checked as well."""
    claim = claim_of(engine, statement, **given)
    ruling = decide(claim)
    if ruling.outcome is PROVED:
        assert check(claim, thaw(ruling.evidence)) == ruling.constraint
        assert Ruling.from_json(json.loads(json.dumps(ruling.to_json()))) == ruling
    return ruling


def outcome_of(engine: str, statement: str, **given: object) -> tuple[Outcome, str]:
    """Return the outcome and the constraint of a claim, errors included."""
    try:
        ruling = ruled(engine, statement, **given)
    except ProbatumError as error:
        blocked = UNDECIDED if type(error).__name__ == "BudgetError" else BLOCKED
        return blocked, error.code
    return ruling.outcome, ruling.constraint


def claim_of(engine: str, statement: str, **given: object) -> ExactClaim:
    """Return a claim; an underscore in a name of an input stands for a dash."""
    return ExactClaim(engine, statement, frozen_dict({name.replace("_", "-"): value for name, value in given.items()}))


def altered(certificate: FrozenDict) -> Iterator[dict[str, object]]:
    """Yield the certificate with each of its digits replaced by another one."""
    text = json.dumps(thaw(certificate))
    for match in _DIGIT.finditer(text):
        digit = str((int(match.group()) + 1) % 10)
        try:
            yield json.loads(text[: match.start()] + digit + text[match.end() :])
        except ValueError:
            continue


def require_every_digit_counts(claim: ExactClaim) -> None:
    """Assert that no digit of a claim's certificate can be another one."""
    ruling = decide(claim)
    assert ruling.outcome is PROVED
    for changed in altered(ruling.evidence):
        with pytest.raises(ValueError):
            check(claim, changed)
