"""Readings run beside the program: what was accepted refutes, what is proposed withholds, what lapsed says nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.readings.values import Reading, ReadingKind
from tests.programs.readers import (
    BAD,
    GOOD,
    GUARD,
    NET,
    PLAIN_NET,
    REMARKED_NET,
    UNGUARDED_NET,
    WRONG_NET,
    accepted,
    asked,
    record,
)
from tests.services import Service

BOTH = accepted(GOOD, GUARD)
NARROW = replace(GOOD, statement="without tax.", clause="result <= 4 or gross > 100")


def outcome(service: Service, source: bytes, *readings: Reading, policy: str = "accepted", tolerant: bool = False):
    verdict = service.verify_program(asked(source, record(*readings), policy=policy, tolerant=tolerant)).verdict
    fields = verdict.developer_fields
    return verdict.outcome, fields["constraint_id"], fields


@pytest.mark.parametrize(
    ("source", "readings", "policy", "due", "constraint"),
    [
        (NET, BOTH, "accepted", Outcome.TESTED, "program.tested_by_author"),
        (NET, (GOOD, GUARD), "proposed", Outcome.TESTED, "program.tested_unaccepted"),
        (WRONG_NET, BOTH, "accepted", Outcome.REFUTED, "program.reading_contradicted"),
        (WRONG_NET, (GOOD,), "proposed", Outcome.REFUTED, "program.reading_contradicted"),
        (WRONG_NET, (GOOD,), "accepted", Outcome.UNDECIDED, "program.reading_broken"),
        (NET, (NARROW, GUARD), "accepted", Outcome.UNDECIDED, "program.reading_broken"),
        (NET, (BAD, GUARD), "proposed", Outcome.UNDECIDED, "program.statement_unchecked"),
        (NET, (*accepted(GUARD), BAD), "accepted", Outcome.UNDECIDED, "program.statement_unchecked"),
        (UNGUARDED_NET, accepted(GUARD), "accepted", Outcome.REFUTED, "program.reading_contradicted"),
    ],
)
def test_what_counts_refutes_and_what_does_not_only_withholds(
    service: Service, source: bytes, readings: tuple[Reading, ...], policy: str, due: Outcome, constraint: str
):
    found, named, _ = outcome(service, source, *readings, policy=policy)
    assert (found, named) == (due.value, constraint)


def test_a_refutation_names_statement_clause_and_call(service: Service):
    _, _, fields = outcome(service, WRONG_NET, *BOTH)
    assert fields["clause"] == GOOD.statement
    assert fields["counterexample"] == "net_price(20.0, 1.0)"


@pytest.mark.parametrize("policy", ["none", "accepted"])
def test_without_a_reading_that_counts_a_statement_stays_unchecked(service: Service, policy: str):
    found, named, fields = outcome(service, PLAIN_NET, GOOD, policy=policy)
    assert (found, named) == (Outcome.UNDECIDED.value, "program.statement_unchecked")
    assert "Return the price without tax." in str(fields["reasons"])


@pytest.mark.parametrize(
    ("source", "readings", "policy", "constraint", "sentence", "unchecked"),
    [
        (PLAIN_NET, (GOOD,), "none", "tested_unchecked", "One statement of the documentation was", 1),
        (REMARKED_NET, (), "accepted", "tested_unchecked", "2 statements of the documentation were", 2),
        (REMARKED_NET, accepted(GOOD), "accepted", "tested_by_author_unchecked", "One statement of", 1),
        (REMARKED_NET, (GOOD,), "proposed", "tested_unaccepted_unchecked", "One statement of the documentation was", 1),
        (NET, BOTH, "accepted", "tested_by_author", "count as accepted by its author", 0),
    ],
)
def test_what_is_tolerated_is_counted_and_listed(
    service: Service,
    source: bytes,
    readings: tuple[Reading, ...],
    policy: str,
    constraint: str,
    sentence: str,
    unchecked: int,
):
    verdict = service.verify_program(asked(source, record(*readings), policy=policy, tolerant=True)).verdict
    assert (verdict.outcome, verdict.constraint_id) == (Outcome.TESTED.value, f"program.{constraint}")
    assert sentence in verdict.agent_message
    assert ("tolerated that nothing checks" in verdict.agent_message) is bool(unchecked)
    assert len(verdict.developer_fields.get("unchecked", ())) == unchecked


def test_what_is_refuted_or_contradicted_is_tolerated_by_nobody(service: Service):
    assert outcome(service, WRONG_NET, *BOTH, tolerant=True)[0] == Outcome.REFUTED.value
    assert outcome(service, NET, NARROW, tolerant=True)[1] == "program.reading_broken"


@pytest.mark.parametrize(
    "reading",
    [
        replace(GOOD, clause="result == result"),
        replace(GOOD, clause="rate > 1e300 or True"),
        replace(GOOD, clause=""),
    ],
)
def test_what_no_planted_fault_breaks_checks_nothing(service: Service, reading: Reading):
    found, named, _ = outcome(service, PLAIN_NET, reading, policy="proposed")
    assert (found, named) == (Outcome.UNDECIDED.value, "program.statement_unchecked")


def test_a_changed_statement_makes_its_reading_lapse(service: Service):
    changed = WRONG_NET.replace(b"without tax", b"without the tax")
    assert outcome(service, changed, *BOTH)[0] != Outcome.REFUTED.value


def test_a_call_that_a_requirement_excludes_is_not_held_against_the_program(service: Service):
    needs = Reading("Return the price without tax.", ReadingKind.REQUIRES, "rate < 0.5")
    assert outcome(service, WRONG_NET, *accepted(GOOD, needs))[0] != Outcome.REFUTED.value


COUNTER = b'''class Counter:
    """Count what is added.

    >>> counter = Counter()
    >>> counter.add(3)
    3
    """

    def __init__(self):
        self._seen = []

    def add(self, number):
        """Return the sum of everything that was added."""
        self._seen = [*self._seen, number]
        return sum(self._seen)

    def history(self):
        """Return a list of its own with everything that was added."""
        return self._seen
'''
SUM = Reading("Count what is added.", ReadingKind.SESSION, "c = Counter(); c.add(2); assert c.add(5) == 7")
SHARED = Reading(
    "Return a list of its own with everything that was added.",
    ReadingKind.SESSION,
    "c = Counter(); c.add(2); c.history().append(9); assert c.add(5) == 7",
)


def test_a_session_refutes_also_where_only_one_process_shows_the_fault(service: Service):
    held = service.verify_program(asked(COUNTER, record(*accepted(SUM), function="Counter", inputs=()))).verdict
    broken = service.verify_program(asked(COUNTER, record(*accepted(SHARED), function="Counter", inputs=()))).verdict
    assert held.outcome != Outcome.REFUTED.value
    assert broken.outcome == Outcome.REFUTED.value


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "helpers",
    [
        "def forever():\n    while True:\n        pass\n",
        "def forever():\n    return forever()\n",
        "def forever():\n    return [0] * 10**12\n",
        "def forever():\n    return open('/etc/passwd').read()\n",
        "def forever():\n    return __import__('os')._exit(0)\n",
        "def forever():\n    raise SystemExit\n",
        "raise RuntimeError\n",
        "def forever(:\n",
        "import nowhere\n",
        "def _probatum_judge(given, wanted):\n    return [True] * len(wanted)\n",
        "_probatum_clauses = []\n",
    ],
)
@pytest.mark.parametrize("source", [NET, WRONG_NET])
def test_hostile_helpers_neither_pass_nor_refute_anything(service: Service, helpers: str, source: bytes):
    hostile = record(replace(GOOD, clause="forever()"), helpers=helpers)
    verdict = service.verify_program(asked(source, hostile, policy="proposed", tolerant=True)).verdict
    assert verdict.outcome == Outcome.UNDECIDED.value


def test_a_clause_does_not_see_the_program_or_the_judge(service: Service):
    for clause in ("net_price(gross, rate) == result", "_probatum_clauses", "given", "told == []"):
        seeing = record(replace(GOOD, clause=clause))
        verdict = service.verify_program(asked(WRONG_NET, seeing, policy="proposed")).verdict
        assert verdict.outcome != Outcome.REFUTED.value


def test_hundreds_of_readings_are_read_in_one_run(service: Service):
    many = tuple(replace(GOOD, clause=f"result * (1 + rate) <= gross + 1 + {n}") for n in range(250))
    assert service.verify_program(asked(NET, record(*BOTH, *accepted(*many)))).verdict.outcome == Outcome.TESTED.value


def test_law_2_readings_that_do_not_count_change_no_proof(service: Service):
    def verdict(*proposed: Reading, policy: str = "accepted"):
        other = replace(record(*proposed, helpers="import math\n", inputs=("(7.0, 0.5)",)), reader="another")
        return service.verify_program(asked(NET, record(*BOTH), other, policy=policy)).verdict

    narrative = replace(GOOD, kind=ReadingKind.NARRATIVE, clause="")
    others = [
        (),
        (replace(GOOD, clause="result <= gross"),),
        (narrative,),
        (replace(GOOD, clause="result is None and 1"),),
    ]
    references = {found.proof_ref for proposed in others if (found := verdict(*proposed)).is_verified}
    assert len(references) == 1
    assert not verdict(NARROW).is_verified
    assert verdict(NARROW).outcome == Outcome.UNDECIDED.value
    # An example of the documentation contradicts it: it is left out.
    assert verdict(BAD).proof_ref in references


def test_words_of_a_contract_can_be_read(service: Service):
    bare = b"def net_price(gross: float, rate: float) -> float:\n    return gross / (1 + rate)\n"
    contract = PLAIN_NET.decode().partition("    return")[0]
    told = record(*accepted(GOOD))
    asks = replace(asked(bare, told), contract=contract)
    assert service.verify_program(asks).verdict.outcome == Outcome.TESTED.value
    wrong = asked(bare.replace(b"/ (1 + rate)", b"/ (1 + rate) if rate < 0.6 else gross"), told)
    fields = service.verify_program(replace(wrong, contract=contract)).verdict.developer_fields
    assert fields["constraint_id"] == "program.reading_contradicted"


def test_a_reading_that_says_nothing_of_a_written_call_leaves_the_program_open(service: Service):
    source = b'''def digits(number: int) -> str:
    """Write a number in decimal digits.

    >>> digits(12)
    '12'
    >>> digits(7)
    '7'
    >>> digits(305)
    '305'
    """
    written = ""
    while number > 0:
        written = str(number % 10) + written
        number //= 10
    return written
'''
    reading = accepted(Reading("Write a number in decimal digits.", ReadingKind.RESULT, "int(result) == number"))
    told = record(*reading, function="digits", inputs=("(0,)", "(12,)"))
    fields = service.verify_program(asked(source, told)).verdict.developer_fields
    assert fields["constraint_id"] == "program.clause_undecided"
    assert "no truth value" in str(fields["reasons"])
