"""What accepted readings are asked about, and what is told of those that nothing was asked about."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from probatum.kinds.program.observed import VerifiedFunction
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from tests.programs.readers import accepted
from tests.services import Answer, ProgramRequest, Service

RESULT, RAISES, REQUIRES, SESSION = ReadingKind.RESULT, ReadingKind.RAISES, ReadingKind.REQUIRES, ReadingKind.SESSION
ROOT = '''def root(n: int) -> int:
    """The result squared is at most n. n is not negative."""
    if n < 0:
        return 7
    k = 0
    while (k + 1) ** 2 <= n:
        k += 1
    return k
'''
SQUARED = Reading("The result squared is at most n.", RESULT, "result ** 2 <= n < (result + 1) ** 2")
OPENED = Reading("n is not negative.", RESULT, "open(result)")
BOX = '''class Box:
    """A box of things."""

    def __init__(self, n: int) -> None:
        self.n = n

    def is_full(self) -> bool:
        """Whether there are more than nine."""
        return self.n > {full}

    @staticmethod
    def thrice(k: int) -> int:
        """Return k thrice."""
        return 3 * k + (k == {odd})

    @classmethod
    def empty(cls, k: int) -> int:
        """Return k again."""
        return k + (k == {twice})
'''
FULL = Reading("Whether there are more than nine.", SESSION, "assert not Box(9).is_full() and Box(10).is_full()")
THRICE = Reading("Return k thrice.", RESULT, "result == 3 * k")
AGAIN = Reading("Return k again.", RESULT, "result == k")
SAME = '''def same(n: int) -> int:
    """Return n. Negative numbers are refused.

    Raises:
        ValueError: If n is under -5.
    """
    if n {condition}:
        raise {error}(n)
    return n
'''
MEANT = Reading("Return n.", RESULT, "result == n")
UNDER = Reading("If n is under -5.", RAISES, "n < -5", "ValueError")
NEGATIVE = Reading("Negative numbers are refused.", RAISES, "n < 0", "OverflowError")
MEAN = '''def mean(xs: list[int]) -> float:
    """Return the mean.

    Raises:
        ValueError: If there is nothing.
    """
    if xs == []:
        raise ValueError(xs)
    return sum(xs) / len(xs)
'''
ABOUT = Reading("Return the mean.", RESULT, "abs(result * len(xs) - sum(xs)) < 1e-6")
NOTHING = Reading("If there is nothing.", RAISES, "not xs", "ValueError")
HALF = '''def _half(n: int) -> int:
    """Return half of it."""
    return n // 2


def quarter(n: int) -> int:
    """
    >>> quarter(9)
    2
    >>> quarter(0)
    0
    """
    return _half(_half(n))
'''
HALVED = Reading("Return half of it.", RESULT, "result == n // 2")
ABOVE = '''def above(val):
    """Return a check that refuses all that is not above it."""
    def check(x):
        if x {} val:
            raise ValueError(x)
    return check
'''
REFUSED = (
    "def refused(x):\n    try:\n        above(5)(x)\n    except ValueError:\n        return True\n    return False\n"
)
CHECKED = Reading(
    "Return a check that refuses all that is not above it.", SESSION, f"{REFUSED}assert refused(5) and not refused(6)"
)
SAVE = '''import json
import pathlib


def save(path: pathlib.Path, rows: list) -> int:
    """Write the rows to the path, and return how many there are."""
    path.write_text(json.dumps({}))
    return len(rows)
'''
WRITTEN = "import json\nfile = tmp_path / 'a.json'\nassert save(file, [1, 2]) == 2\n"
SAVED = Reading(
    "Write the rows to the path, and return how many there are.",
    SESSION,
    f"{WRITTEN}assert json.loads(file.read_text()) == [1, 2]",
)
PLAIN = 'def f(n):\n    """Return n."""\n    return n\n'
ENDLESS = 'def spin(n: int) -> int:\n    """Return n."""\n    while n == 3:\n        pass\n    return n\n'
EXITING = (
    'import os\n\n\ndef leave(n: int) -> int:\n    """Return n."""\n    if n == 3:\n        os._exit(0)\n    return n\n'
)
SIX = tuple(f"({n},)" for n in (0, 1, 2, 3, 7, 9))


def of(name: str, *readings: Reading, inputs: tuple[str, ...] = (), reader: str = "a") -> ReadingRecord:
    return ReadingRecord(name, accepted(*readings), reader, inputs=inputs)


class Case(NamedTuple):
    source: str
    records: tuple[ReadingRecord, ...]
    outcome: str
    not_asked: str = ""
    """A part of what is told of a reading that nothing was asked about; empty where all were asked."""
    function: str | None = None


def _box(full: int = 9, odd: int = -1, twice: int = -1) -> str:
    return BOX.format(full=full, odd=odd, twice=twice)


def _same(condition: str, error: str = "ValueError") -> str:
    return SAME.format(condition=condition, error=error)


_INPUTS = ("(1,)", "(5,)", "(0,)", "(6,)")
_MEMBERS = (of("Box.is_full", FULL), of("Box.thrice", THRICE, inputs=_INPUTS), of("Box.empty", AGAIN, inputs=_INPUTS))
_LIMIT = of("root", Reading("n is not negative.", REQUIRES, "n >= 0"), reader="b")
_ROOTS = ("(0,)", "(4,)", "(-1,)", "(15,)", "(17,)")
_SAME = ("(1,)", "(-7,)", "(3,)", "(0,)")
CASES = {
    "a requirement of another record": Case(ROOT, (of("root", SQUARED, inputs=_ROOTS), _LIMIT), "tested"),
    "no requirement": Case(ROOT, (of("root", SQUARED, inputs=_ROOTS),), "refuted"),
    "members of a class": Case(_box(), _MEMBERS, "undecided"),
    "a session of a method": Case(_box(full=8), _MEMBERS, "refuted"),
    "a session of a method, asked alone": Case(_box(full=8), _MEMBERS, "refuted", function="Box.is_full"),
    "a session of a method, asked with its class": Case(_box(full=8), _MEMBERS, "refuted", function="Box"),
    "a clause of a static method": Case(_box(odd=5), _MEMBERS, "refuted"),
    "a clause of a class method": Case(_box(twice=6), _MEMBERS, "refuted"),
    "a clause of a method": Case(
        _box(), (*_MEMBERS, of("Box.is_full", Reading("more than nine", RESULT, "result in (0, 1)"))), "undecided",
        "no input that begins with an object of its class",
    ),
    "an exception that nobody announces": Case(
        _same("== 3", "KeyError"), (of("same", MEANT, inputs=_SAME),), "refuted"
    ),
    "an announced one where no reading says that it is due": Case(
        _same("< -5 or n == 3"), (of("same", MEANT, UNDER, inputs=_SAME),), "undecided"
    ),
    "one that another record announces": Case(
        _same("< 0", "OverflowError"),
        (of("same", MEANT, inputs=("(1,)", "(-1,)", "(3,)")), of("same", NEGATIVE, inputs=("(-2,)",), reader="b")),
        "undecided",
    ),
    "an input that contradicts its type": Case(
        MEAN, (of("mean", ABOUT, NOTHING, inputs=("([],)", "([1],)", "([2, 3],)", "('',)", "('abc',)")),), "tested"
    ),
    "inputs that contradict the signature alone": Case(
        "class Box:\n    pass\n\n\ndef size(b: Box, n: int) -> int:\n    \"\"\"Return n.\"\"\"\n    return n\n",
        (of("size", MEANT, inputs=("([1], 2)",)),), "undecided", "contradict the signature: b is declared as Box",
    ),
    "no input": Case(PLAIN, (of("f", MEANT),), "undecided", "no input"),
    "an exception that no input is due for": Case(
        MEAN, (of("mean", ABOUT, NOTHING, inputs=("([1],)", "([2, 3],)")),), "tested"
    ),
    "what is not judged with its file": Case(
        HALF, (of("_half", HALVED, inputs=SIX),), "tested", "_half is not judged with its file"
    ),
    "what is not defined any more": Case(HALF, (of("third", HALVED, inputs=SIX),), "tested", "not defined any more"),
    "code that is not in the subset": Case(
        ROOT, (of("root", SQUARED, OPENED, inputs=_ROOTS[:2]),), "undecided", "'open'"
    ),
    "a call that does not end": Case(ENDLESS, (of("spin", MEANT, inputs=SIX),), "undecided"),
    "a call that ends its process": Case(EXITING, (of("leave", MEANT, inputs=SIX),), "refuted"),
    "a session that calls what was given back": Case(ABOVE.format("<="), (of("above", CHECKED),), "tested"),
    "a session that calls what was given back, and fails": Case(ABOVE.format("<"), (of("above", CHECKED),), "refuted"),
    "a session with a folder": Case(SAVE.format("rows"), (of("save", SAVED),), "tested"),
    "a session with a folder, and fails": Case(SAVE.format("rows[1:]"), (of("save", SAVED),), "refuted"),
    "a first parameter called cls": Case(
        "def double(cls: int) -> int:\n    \"\"\"Return it twice.\"\"\"\n    return cls * 2\n",
        (of("double", Reading("Return it twice.", RESULT, "result == 2 * cls"), inputs=SIX),), "tested",
    ),
}  # fmt: skip


def answered(service: Service, case: Case) -> Answer:
    request = ProgramRequest(case.source.encode(), "m.py", case.function, readings=case.records)
    return service.verify_program(request)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_accepted_reading_is_asked_or_listed(case: Case, service: Service) -> None:
    answer = answered(service, case)
    assert answer.verdict.outcome == case.outcome, answer.verdict.developer_fields
    observed = answer.parts[0].observed if answer.parts else answer.observed
    assert isinstance(observed, VerifiedFunction)
    told = observed.record.not_asked
    if answer.verdict.outcome == "refuted":
        return
    assert bool(told) is bool(case.not_asked)
    assert case.not_asked in "".join(told)
    details = answer.parts[0].details if answer.parts else answer.details
    result = details["result"]
    assert isinstance(result, dict)
    assert list(result.get("not_asked", [])) == list(told)
    sheet = observed.sheet(answer.verdict)
    assert ("not asked" in sheet.headline) is bool(told)


def test_a_doubtful_reading_names_the_call_and_what_it_gave(service: Service) -> None:
    source = 'def span(start: float, end: float, least: float) -> float:\n    """Return at least least."""\n'
    source += "    return max(end, start + least) - start\n"
    reading = Reading("Return at least least.", RESULT, "result >= least")
    records = (of("span", reading, inputs=("(0.0, 1.0, 2.0)", "(0.0, 3.0, 2.0)")),)
    fields = answered(service, Case(source, records, "undecided")).verdict.developer_fields
    assert str(fields["counterexample"]).startswith("span(")
    assert f"{fields['counterexample']} gives " in str(fields["reasons"])
