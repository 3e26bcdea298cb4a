"""Sessions that leave things out: what nothing is shown after is in doubt, never refuted; shown values are compared."""

from __future__ import annotations

import pytest

from probatum.core.decision import Outcome
from tests.services import Level, ProgramRequest, Service

CHAIN = '''
class Text:
    """Collects words.

    >>> text = Text()
    >>> text.add("a")
    >>> text.add("b")
    >>> text.words
    ['a', 'b']
    """

    def __init__(self):
        self.words = []

    def add(self, word):
        self.words.append(word)
        return self
'''
NONE_MEANT = '''
def first(items: list[int]) -> int | None:
    """Return the first item.

    >>> first([])
    >>> first([3, 4])
    3
    """
    return items[0] if items else -1
'''
INSIDE = '''
def halves(n):
    """Yield n and what is left when it is halved.

    >>> for each in halves(4):
    ...     each
    4
    2
    1
    """
    while n:
        yield n
        n //= {divisor}
'''
CASES = {
    "a method that gives its object": (CHAIN, Outcome.UNDECIDED),
    "None is among the results": (NONE_MEANT, Outcome.REFUTED),
    "values shown inside a statement": (INSIDE.replace("{divisor}", "2"), Outcome.UNDECIDED),
    "other values inside a statement": (INSIDE.replace("{divisor}", "3"), Outcome.REFUTED),
}


@pytest.mark.parametrize(("source", "outcome"), CASES.values(), ids=CASES)
def test_what_a_session_leaves_out_does_not_refute(service: Service, source: str, outcome: Outcome) -> None:
    answer = service.verify_program(ProgramRequest(source.encode(), "program.py", level=Level.QUICK))
    assert answer.verdict.developer_fields["outcome"] == outcome.value
