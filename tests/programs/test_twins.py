"""Second opinions only ever soften, and only where they agree with the program."""

from __future__ import annotations

import pytest

from probatum.programs.running.checks import DirectCall
from probatum.programs.running.twins import TWINS, second_opinion
from tests.services import ProgramRequest, Service

WRONG_DOCUMENT = '''
def lcm(a, b):
    """
    >>> lcm(4, 6)
    24
    >>> lcm(3, 5)
    15
    >>> lcm(2, 7)
    14
    """
    import math
    return {body}
'''

# name: body, outcome, constraint
CASES = {
    "the program and the library agree against the document": (
        "math.lcm(a, b)",
        "undecided",
        "program.doubtful_document",
    ),
    "the program follows the document": ("a * b", "tested", "program.tested"),
    "the program agrees with nobody": ("a + b", "refuted", "program.counterexample"),
}


@pytest.mark.parametrize("name", CASES)
def test_outcome(name: str, service: Service) -> None:
    body, outcome, constraint = CASES[name]
    answer = service.verify_program(ProgramRequest(WRONG_DOCUMENT.format(body=body).encode(), "subject.py"))
    assert answer.verdict.outcome == outcome
    assert answer.verdict.constraint_id == constraint


def test_no_twin_takes_large_or_strange_arguments() -> None:
    for name in TWINS:
        assert second_opinion(DirectCall(name, (10**9,))) is None
        assert second_opinion(DirectCall(name, ("text",))) is None
