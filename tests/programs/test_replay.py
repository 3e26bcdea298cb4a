"""A replay gives the program what it was given the first time, to the last detail that a program can see."""

from __future__ import annotations

import pytest

from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from tests.services import ProgramRequest, Service

PODIUM = '''
def podium(points: dict[str, int]) -> list[tuple[str, int]]:
    """
    post: len(result) == len(points)

    >>> podium({"zoe": 60, "ada": 60})
    [('zoe', 60), ('ada', 60)]
    >>> podium({"kim": 3, "bo": 9})
    [('bo', 9), ('kim', 3)]
    >>> podium({})
    []
    """
    return sorted(points.items(), key=lambda entry: -entry[1])
'''
VECTOR = '''
class Vector:
    """
    >>> v = Vector([1, 2])
    >>> (v + Vector([1, 1])).numbers == [2, 3]
    True
    >>> v == Vector([1, 2])
    True
    >>> v == Vector([2, 3])
    False
    >>> (v + Vector([1, 1])).numbers
    [2, 3]
    """

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def __add__(self, other):
        return Vector(a + b for a, b in zip(self.numbers, other.numbers))

    def __eq__(self, other):
        return self.numbers == (other.numbers if isinstance(other, Vector) else other)
'''
REQUIRES = '''
def root(number: int) -> int:
    """
    Args:
        number: number >= 0

    Raises:
        ValueError

    >>> root(0)
    0
    >>> root(8)
    2
    >>> root(9)
    3
    >>> root(50)
    7
    """
    if number < 0:
        raise ValueError(number)
    found = 0
    while (found + 1) * (found + 1) <= number:
        found += 1
    return found
'''
PROGRAMS = {"the order of a dictionary": PODIUM, "equality of objects": VECTOR, "requirements and exceptions": REQUIRES}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_proof_is_replayed_in_another_service(name: str) -> None:
    store = MemoryStore()
    with Service(store) as service:
        verdict = service.verify_program(ProgramRequest(PROGRAMS[name].encode(), "subject.py")).verdict
    assert verdict.proof_ref is not None, verdict
    with Service(store) as another:
        report = recheck(verdict.proof_ref, store, another.recheckers(), replay=True)
    assert report.holds, report


def test_a_program_in_another_encoding_is_replayed_with_its_tests() -> None:
    source = "# coding: latin-1\ndef shout(text: str) -> str:\n    return text.upper() + '!'  # \u00e9\n"
    tests = (
        b"from artifact import shout\n\n\ndef test_shout():\n    assert shout('a') == 'A!'\n    assert shout('') == '!'"
    )
    store = MemoryStore()
    with Service(store) as service:
        request = ProgramRequest(source.encode("latin-1"), "subject.py", tests=tests, min_strength=0.0)
        verdict = service.verify_program(request).verdict
        assert verdict.proof_ref is not None, verdict
        report = recheck(verdict.proof_ref, store, service.recheckers(), replay=True)
    assert report.holds, report
