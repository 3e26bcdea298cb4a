"""What a reader's reference carries, and what is said of arguments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.readings.values import Reading, ReadingKind
from tests.programs.readers import accepted, asked, record
from tests.services import Service

SHIFTED = b'''def shifted(values: list[int], by: int = 1) -> list[int]:
    """Move every value.

    Args:
        values: The values. Not modified.
        by: How far each one moves. Defaults to a single step.

    Returns:
        The moved values in their order.

    >>> shifted([1, 2])
    [2, 3]
    """
    return [value + by for value in values]
'''
MOVED = Reading("The moved values in their order.", ReadingKind.RESULT, "result == [each + by for each in values]")
KEPT = Reading("Not modified.", ReadingKind.EFFECT, "values__after == values")
REFERENCE = "def expected(values, by=1):\n    return [value + by for value in values]\n"
INPUTS = ("([1, 2], 3)", "([], 1)", "([5], -2)", "([1, 2, 3], 1)")


def outcome(
    service: Service, reference: str, *readings: Reading, source: bytes = SHIFTED, policy: str = "proposed"
) -> tuple[str, str, str]:
    told = replace(record(*readings, function="shifted", inputs=INPUTS), reference=reference)
    verdict = service.verify_program(asked(source, told, policy=policy)).verdict
    return verdict.outcome, verdict.constraint_id, str(verdict.developer_fields.get("reasons"))


REST = tuple(
    Reading(words, ReadingKind.NARRATIVE)
    for words in ("The values.", "How far each one moves.", "Defaults to a single step.")
)
VACUOUS = Reading("Move every value.", ReadingKind.RESULT, "len(values) >= 0 or result == [by]")
"""What no fault breaks; as a proposal it would fail its trial."""


def test_a_reference_that_agrees_carries_what_its_reader_reads_of_results(service: Service):
    found = outcome(service, REFERENCE, *accepted(MOVED, KEPT, VACUOUS, *REST), policy="accepted")
    assert found[:2] == (Outcome.TESTED.value, "program.tested_by_author")


def test_a_reference_carries_no_words_that_its_reader_does_not_quote(service: Service):
    _, named, reasons = outcome(service, REFERENCE, MOVED, KEPT, *REST)
    assert (named, "Move every value." in reasons) == ("program.statement_unchecked", True)


def test_a_reference_carries_no_reading_without_a_clause(service: Service):
    _, named, reasons = outcome(
        service, REFERENCE, MOVED, KEPT, replace(MOVED, statement=VACUOUS.statement, clause=""), *REST
    )
    assert (named, "Move every value." in reasons) == ("program.statement_unchecked", True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "reference",
    [
        "",
        REFERENCE.replace("value + by", "value - by"),
        "def expected(:",
        "def expected(values, by=1):\n    while True:\n        by += 1\n",
    ],
)
def test_one_that_answers_otherwise_or_not_at_all_carries_nothing(service: Service, reference: str):
    found, named, reasons = outcome(service, reference, *accepted(MOVED, KEPT, VACUOUS, *REST), policy="accepted")
    assert (found, named) == (Outcome.UNDECIDED.value, "program.statement_unchecked")
    assert "Move every value." in reasons


def test_a_reference_alone_refutes_nothing(service: Service):
    wrong = SHIFTED.replace(b"value + by for", b"value + (by if by < 3 else 0) for")
    assert outcome(service, REFERENCE, KEPT, source=wrong)[0] == Outcome.UNDECIDED.value


def test_a_reference_beside_a_reading_that_nobody_accepted_does_not_count(service: Service):
    assert outcome(service, REFERENCE, MOVED, KEPT, policy="accepted")[0] == Outcome.UNDECIDED.value


def test_what_is_said_of_an_argument_has_to_break_where_that_is_emptied(service: Service):
    vacuous = replace(KEPT, clause="values__after == values or True")
    _, named, reasons = outcome(service, REFERENCE, MOVED, vacuous)
    assert named == "program.statement_unchecked"
    assert "Not modified." in reasons


def test_a_program_that_changes_its_argument_is_refuted(service: Service):
    wrong = SHIFTED.replace(b"    return [value", b"    values.append(0)\n    return [value")
    assert outcome(service, REFERENCE, KEPT, source=wrong)[0] == Outcome.REFUTED.value


def test_results_that_python_cannot_write_are_compared(service: Service):
    source = b'''def power(n: int):
    """Raise ten to a power.

    >>> power(2)
    100
    >>> power(3)
    1000
    """
    return 10**n
'''
    reading = Reading("Raise ten to a power.", ReadingKind.RESULT, "result == 10**n")
    told = record(reading, function="power", inputs=("(0,)", "(1,)", "(5000,)"))
    told = replace(told, reference="def expected(n):\n    return 10**n\n")
    verdict = service.verify_program(asked(source, told, policy="proposed")).verdict
    assert verdict.outcome == Outcome.TESTED.value, verdict.developer_fields
