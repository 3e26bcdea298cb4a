"""Law 9. No accepted reading is ever lost or misapplied, whatever a program imports, misses or finds around it.

A clause that is false on a legal call of its reader refutes; where what the call met is missing here, it bars VERIFIED
and is named with the excuse. Each accepted reading is asked, or listed with the reason why not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from probatum.kinds.program.observed import VerifiedFunction
from probatum.proof.stores import MemoryStore
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from tests.programs.readers import accepted
from tests.services import Answer, ProgramRequest, Service

TRY = "try:\n    import not_there\nexcept ImportError:\n    not_there = None\n"
HEADS = {
    "nothing": ("", "1"),
    "an optional module elsewhere": (TRY, "1"),
    "an optional module that decides": (TRY, "{n} if not_there else 1"),
    "a file elsewhere": ("import os\nFOUND = os.path.exists('/etc/passwd')\n", "1"),
    "a file that decides": ("import os\nFOUND = os.path.exists('/etc/passwd')\n", "{n} if FOUND else 1"),
    "an import that fails": ("try:\n    import broken\nexcept ValueError:\n    broken = None\n", "1"),
    "an import that fails and decides": (
        "try:\n    import broken\nexcept ValueError:\n    broken = 0\n",
        "1 + (broken or 0)",
    ),
    "the environment": ("import os\nHOME = os.environ.get('NOT_SET', '')\n", "1"),
    "another module with an optional one": ("import other\n", "1"),
    "another module that decides": ("import other\n", "{n} if other.fast else 1"),
}
EXCUSED = frozenset(name for name in HEADS if name.endswith("decides") and "fails" not in name)
BESIDE = (
    ("broken", b"raise ValueError\n"),
    ("other", b"try:\n    import not_there as fast\nexcept ImportError:\n    fast = None\n"),
)
BODY = '''

def _half(n: int) -> int:
    """Return half of it."""
    return n // 2


def clip(n: int) -> int:
    """The result is n from -3 to 9, else the nearer end. It is called with small numbers. Six stays six."""
    if n == {bug}:
        return {answer}
    return max(-3, min(9, n))
'''
CLIPPED = Reading(
    "The result is n from -3 to 9, else the nearer end.", ReadingKind.RESULT, "result == max(-3, min(9, n))"
)
SMALL = Reading("It is called with small numbers.", ReadingKind.REQUIRES, "abs(n) < {most}")
SIX = Reading("Six stays six.", ReadingKind.SESSION, "assert clip(6) == 6")
HALF = Reading("Return half of it.", ReadingKind.RESULT, "result == n // 2")


@dataclass(frozen=True)
class Case:
    head: str
    bug: int
    """Where the program gives 1; -100 for nowhere."""
    most: int
    """Calls are legal below it, by a reading of another record; 0 where nobody says so."""
    inputs: tuple[int, ...]
    has_session: bool
    has_private: bool

    @property
    def request(self) -> ProgramRequest:
        head, answer = HEADS[self.head]
        source = head + BODY.format(bug=self.bug, answer=answer.format(n=max(-3, min(9, self.bug))))
        mine = [CLIPPED, *([SIX] if self.has_session else [])]
        told = [ReadingRecord("clip", accepted(*mine), "a", inputs=tuple(f"({n},)" for n in self.inputs))]
        if self.most:
            limit = replace(SMALL, clause=SMALL.clause.format(most=self.most))
            told.append(ReadingRecord("clip", accepted(limit), "b", inputs=("(0,)",)))
        if self.has_private:
            told.append(ReadingRecord("_half", accepted(HALF), "a", inputs=("(5,)",)))
        siblings = BESIDE if "import broken" in head or "import other" in head else ()
        return ProgramRequest(source.encode(), "m.py", readings=tuple(told), siblings=siblings, allow_unchecked=True)

    @property
    def is_broken(self) -> bool:
        """Whether a reading is false in plain Python, on a call that its reader wrote and nobody calls illegal."""
        legal = [n for n in self.inputs if not self.most or abs(n) < self.most]
        is_wrong = self.bug != -100 and max(-3, min(9, self.bug)) != 1
        return is_wrong and (self.bug in legal or (self.has_session and self.bug == 6))


NUMBERS = some.integers(-12, 12)
CASES = some.builds(
    Case,
    some.sampled_from(sorted(HEADS)),
    NUMBERS | some.sampled_from((-100, 6)),
    some.sampled_from((0, 0, 5, 20)),
    some.lists(NUMBERS, min_size=4, max_size=9, unique=True).map(tuple),
    some.booleans(),
    some.booleans(),
)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as opened:
        yield opened


def judged(answer: Answer) -> VerifiedFunction:
    observed = answer.parts[0].observed if answer.parts else answer.observed
    assert isinstance(observed, VerifiedFunction)
    return observed


@settings(max_examples=25, deadline=None)
@given(case=CASES)
def test_no_accepted_reading_is_lost(service: Service, case: Case) -> None:
    answer = service.verify_program(case.request)
    record = judged(answer).record
    told = {name for check in record.checks for name in (check.id, *dict(check.inputs or {}).get("readings", ()))}
    for each in case.request.readings:
        ids = {each.id_of(reading) for reading in each.readings if reading.kind is not ReadingKind.REQUIRES}
        assert all(name in told or any(name in said for said in record.not_asked) for name in ids)
    if not case.is_broken:
        assert answer.verdict.outcome != "refuted"
    elif case.head in EXCUSED:
        assert answer.verdict.outcome == "undecided"
        assert any("does not have" in check.note for check in record.checks)
    else:
        assert answer.verdict.outcome == "refuted"
