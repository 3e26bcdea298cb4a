"""What readings reach: alternatives of exceptions, shared objects, named values, objects in other states, contracts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.programs.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.programs.running.judged_calls import CallDemand, Truth, excused_by
from tests.programs.readers import accepted, asked
from tests.services import Service

SPEED = b'''def in_knots(value: float, unit: str) -> float:
    """Convert a speed to knots.

    Args:
        value: The speed.
        unit: "m/s" or "km/h".

    Raises:
        ValueError: If the unit is neither of them, or if the speed is negative.

    >>> in_knots(1852.0, "m/s")
    3600.0
    >>> in_knots(1.852, "km/h")
    1.0
    >>> in_knots(0.0, "km/h")
    0.0
    """
    if unit not in ("m/s", "km/h"):
        raise ValueError(unit)
    if value < 0:
        raise ValueError(value)
    return value / 1.852 * (3.6 if unit == "m/s" else 1)
'''
CONVERTED = Reading(
    "Convert a speed to knots.",
    ReadingKind.RESULT,
    'abs(result * 1.852 - value * (3.6 if unit == "m/s" else 1)) <= 1e-9 * (1 + value)',
)
UNITS = Reading('"m/s" or "km/h".', ReadingKind.REQUIRES, 'unit in ("m/s", "km/h")')
DUE = "If the unit is neither of them, or if the speed is negative."
EITHER = Reading(DUE, ReadingKind.RAISES, 'unit not in ("m/s", "km/h") or value < 0', "ValueError")
NEVER = replace(EITHER, clause='unit not in ("m/s", "km/h") or value < 0 or value > 1e300 and value < 1')
SPEEDS = ('(10.0, "m/s")', '(36.0, "km/h")', '(0.5, "m/s")')


def verified(service: Service, source: bytes, function: str, *readings: Reading, inputs: tuple[str, ...] = (), **of):
    record = ReadingRecord(function, accepted(*readings), "a reader", of.pop("helpers", ""), inputs=inputs)
    fields = service.verify_program(replace(asked(source, record), **of)).verdict.developer_fields
    return fields["outcome"], fields["constraint_id"]


@pytest.mark.parametrize(
    ("removed", "clause", "due"),
    [
        ("", EITHER, (Outcome.TESTED, "program.tested")),
        ('    if unit not in ("m/s", "km/h"):\n        raise ValueError(unit)\n', EITHER, None),
        ("    if value < 0:\n        raise ValueError(value)\n", EITHER, None),
        ("", NEVER, (Outcome.UNDECIDED, "program.statement_unchecked")),
    ],
    ids=["right", "no unit", "no sign", "an alternative that no call meets"],
)
def test_every_alternative_of_an_exception_is_due_by_itself(
    service: Service, removed: str, clause: Reading, due: tuple[Outcome, str] | None
):
    source = SPEED.replace(removed.encode(), b"")
    found = verified(service, source, "in_knots", CONVERTED, UNITS, clause, inputs=SPEEDS)
    assert found == (due or (Outcome.REFUTED, "program.reading_contradicted"))


def demanded(requires: Truth, raises: Truth) -> CallDemand:
    return CallDemand({0: requires}, {1: raises})


@pytest.mark.parametrize(
    ("demands", "is_excused"),
    [
        ([demanded(False, True)] * 3, True),
        ([demanded(False, True)] * 2, False),
        ([demanded(False, True)] * 3 + [demanded(True, True)], True),
        ([demanded(False, True)] * 3 + [demanded(False, False)], True),
        ([demanded(False, True)] * 3 + [demanded(True, True), demanded(False, False)], False),
        ([demanded(False, True)] * 3 + [demanded(None, True), demanded(False, None)], False),
    ],
)
def test_a_requirement_that_speaks_of_the_same_calls_as_an_exception(demands: list[CallDemand], is_excused: bool):
    assert ((1, 0) in excused_by(demands)) is is_excused


COPY = '''def rows_of(table: list[list[str]]) -> list[list[str]]:
    """Copy the rows of a table.

    The result shares no list with the table.

    >>> rows_of([["a"], ["b"]])
    [['a'], ['b']]
    >>> rows_of([])
    []
    >>> rows_of([["x", "y"]])
    [['x', 'y']]
    """
    return BODY
'''
EQUAL = Reading("Copy the rows of a table.", ReadingKind.RESULT, "result == table")
APART = Reading(
    "The result shares no list with the table.",
    ReadingKind.EFFECT,
    "all(one is not other for one in lists(result) for other in lists(table__after))",
)
LISTS = "def lists(value):\n    return [value, *value]\n"


@pytest.mark.parametrize(
    ("body", "due"),
    [
        ("[list(row) for row in table]", Outcome.TESTED),
        ("list(table)", Outcome.REFUTED),
        ("table", Outcome.REFUTED),
    ],
)
def test_a_clause_sees_what_a_result_shares_with_an_argument(service: Service, body: str, due: Outcome):
    source = COPY.replace("BODY", body).encode()
    told = verified(service, source, "rows_of", EQUAL, APART, inputs=('([["a"], ["b", "c"]],)', "([],)"), helpers=LISTS)
    assert told[0] == due


OFFSET = b'''def minutes_east(text: str) -> int:
    """Convert an offset such as +02 to minutes; "Z" is zero.

    >>> minutes_east("+02")
    120
    >>> minutes_east("-11")
    -660
    >>> minutes_east("Z")
    0
    """
    if text == "Z":
        return 0
    return 60 * int(text)
'''
IS_OFFSET = Reading(
    'Convert an offset such as +02 to minutes; "Z" is zero.',
    ReadingKind.RESULT,
    'result == (0 if text == "Z" else 60 * int(text))',
)
IS_SIGNED = Reading(
    IS_OFFSET.statement, ReadingKind.REQUIRES, 'text == "Z" or text[0] in "+-" and text[1:].isdecimal()'
)


def test_a_value_that_words_and_reading_name_is_a_rule(service: Service):
    inputs = ('("+05",)', '("Z",)', '("-00",)')
    named = verified(service, OFFSET, "minutes_east", IS_OFFSET, IS_SIGNED, inputs=inputs)
    assert named[0] == Outcome.TESTED
    unnamed = replace(IS_OFFSET, clause="result % 60 == 0 and (result == 0 or result == 60 * int(text))")
    assert verified(service, OFFSET, "minutes_east", unnamed, IS_SIGNED, inputs=inputs)[0] == Outcome.UNDECIDED


BOX = b'''class Box:
    """Hold a few things at a time.

    Args:
        room: How many things fit in; one more pushes out the oldest.
    """

    def __init__(self, room: int = 3) -> None:
        self._room = room
        self._things: list[str] = []

    def put(self, thing: str) -> list[str]:
        """Return what is in the box after a thing was put into it, the oldest first."""
        self._things.append(thing)
        del self._things[: -self._room]
        return list(self._things)
'''
SESSIONS = (
    Reading(
        "Hold a few things at a time.", ReadingKind.SESSION, "b = Box(); b.put('a'); assert b.put('b') == ['a', 'b']"
    ),
    Reading(
        "How many things fit in; one more pushes out the oldest.",
        ReadingKind.SESSION,
        "b = Box(2)\nfor thing in 'abc':\n    b.put(thing)\nassert b.put('d') == ['c', 'd']",
    ),
    Reading(
        "Return what is in the box after a thing was put into it, the oldest first.",
        ReadingKind.SESSION,
        "b = Box(); b.put('x'); b.put('y'); b.put('z'); assert b.put('w') == ['y', 'z', 'w']",
    ),
)


def test_sessions_of_readers_show_what_inputs_look_like(service: Service):
    assert verified(service, BOX, "Box", *SESSIONS)[0] == Outcome.TESTED
    assert verified(service, BOX.replace(b"-self._room]", b"-3]"), "Box", *SESSIONS)[0] == Outcome.REFUTED


SPOKEN = b"def doubled(number: int) -> int:\n    return 2 * number\n"


@pytest.mark.parametrize("words", ["Return twice the number.", "The result must be twice the number."])
def test_a_contract_that_is_read_needs_no_clause_of_its_own(service: Service, words: str):
    twice = Reading(words, ReadingKind.RESULT, "result == number + number")
    told = verified(service, SPOKEN, "doubled", twice, inputs=("(3,)", "(0,)", "(-7,)"), contract=words)
    assert told == (Outcome.TESTED, "program.tested")
    more = f"{words} The number must be small."
    told = verified(service, SPOKEN, "doubled", twice, inputs=("(3,)", "(0,)", "(-7,)"), contract=more)
    assert told == (Outcome.UNDECIDED, "program.contract_gives_nothing")
