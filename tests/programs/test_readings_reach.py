"""What readings reach: alternatives of exceptions, shared objects, named values, objects in other states, contracts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.programs.running.judged_calls import CallDemand, doubted_by, excused_by
from probatum.programs.running.reading_judge import Truth
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
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
SAID = Reading("The speed.", ReadingKind.NARRATIVE)
SPEEDS = ('(10.0, "m/s")', '(36.0, "km/h")', '(0.5, "m/s")')


def verified(service: Service, source: bytes, name: str, *readings: Reading, inputs: tuple[str, ...] = (), **of):
    record = ReadingRecord(name, accepted(*readings), "a reader", of.pop("helpers", ""), inputs=inputs)
    fields = service.verify_program(replace(asked(source, record), **of)).verdict.developer_fields
    return fields["outcome"], fields["constraint_id"]


@pytest.mark.parametrize(
    ("removed", "clause", "due"),
    [
        ("", EITHER, (Outcome.TESTED, "program.tested_by_author")),
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
    found = verified(service, source, "in_knots", CONVERTED, UNITS, clause, SAID, inputs=SPEEDS)
    assert found == (due or (Outcome.REFUTED, "program.reading_contradicted"))


def demanded(requires: Truth, raises: Truth) -> CallDemand:
    return CallDemand({0: requires}, {1: raises})


@pytest.mark.parametrize(
    ("demands", "is_excused", "is_doubted"),
    [
        ([demanded(False, True)] * 3, True, True),
        ([demanded(False, True)] * 2, False, False),
        ([demanded(False, True)] * 3 + [demanded(True, True)], False, True),
        ([demanded(False, True)] * 3 + [demanded(False, False)], True, False),
        ([demanded(False, True)] * 3 + [demanded(True, True), demanded(False, False)], False, False),
        ([demanded(False, True)] * 3 + [demanded(None, True), demanded(False, None)], False, False),
    ],
)
def test_a_requirement_that_speaks_of_the_same_calls_as_an_exception(
    demands: list[CallDemand], is_excused: bool, is_doubted: bool
):
    assert ((1, 0) in excused_by(demands)) is is_excused
    assert ((1, 0) in doubted_by(demands)) is is_doubted


WEIGH = b'''def weigh(text: str, factor: int) -> int:
    """Return the sum of the digits of a text, times a factor.

    The text must not be empty.

    Raises:
        ValueError: If the text is not made of digits.

    >>> weigh("12", 2)
    6
    >>> weigh("9", 1)
    9
    >>> weigh("305", 3)
    24
    """
    for each in text:
        if each not in "0123456789":
            raise ValueError(text)
    return sum(map(int, text)) * factor
'''
FIT = b'''def fit(text: str, width: int) -> str:
    """Return a text filled up with dots to a width.

    The width must be positive.

    Raises:
        ValueError: If the text is longer than the width.

    >>> fit("a", 3)
    'a..'
    >>> fit("b", 1)
    'b'
    >>> fit("c", 2)
    'c.'
    """
    if width <= 0:
        return ""
    if len(text) > width:
        raise ValueError("too long")
    return text + "." * (width - len(text))
'''


@pytest.mark.parametrize(
    ("source", "name", "readings"),
    [
        (
            WEIGH,
            "weigh",
            (
                Reading("The text must not be empty.", ReadingKind.REQUIRES, "len(text) > 0"),
                Reading("If the text is not made of digits.", ReadingKind.RAISES, "not text.isdigit()", "ValueError"),
            ),
        ),
        (
            FIT,
            "fit",
            (
                Reading("The width must be positive.", ReadingKind.REQUIRES, "width > 0"),
                Reading("If the text is longer than the width.", ReadingKind.RAISES, "len(text) > width", "ValueError"),
            ),
        ),
    ],
)
def test_what_a_requirement_excludes_is_held_against_no_program(
    service: Service, source: bytes, name: str, readings: tuple[Reading, ...]
):
    assert verified(service, source, name, *readings)[0] != Outcome.REFUTED


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
    assert told == (Outcome.TESTED, "program.tested_by_author")
    more = f"{words} The number must be small."
    told = verified(service, SPOKEN, "doubled", twice, inputs=("(3,)", "(0,)", "(-7,)"), contract=more)
    assert told == (Outcome.UNDECIDED, "program.contract_gives_nothing")


RING = b'''def ring(number: int) -> list:
    """Return a list with a number and itself.

    The number comes first.

    >>> ring(3)[0]
    3
    >>> ring(4)[0]
    4
    >>> ring(-5)[0]
    -5
    """
    made: list = [number]
    made.append(made)
    return made
'''


def test_what_holds_itself_is_judged_as_such(service: Service):
    itself = Reading("Return a list with a number and itself.", ReadingKind.RESULT, "result[1] is result")
    first = Reading("The number comes first.", ReadingKind.RESULT, "result[0] == number")
    inputs = ("(3,)", "(4,)", "(5,)")
    assert verified(service, RING, "ring", itself, first, inputs=inputs)[0] == Outcome.TESTED
    wrong = RING.replace(b"made.append(made)", b"made.append([number, made])")
    assert verified(service, wrong, "ring", itself, first, inputs=inputs)[0] == Outcome.REFUTED


@pytest.mark.parametrize("kind", ["defaultdict", "OrderedDict", "dict", "Counter"])
def test_a_clause_gets_the_very_type_of_a_container(service: Service, kind: str):
    value = "1" if kind == "Counter" else "[word]"
    made = "defaultdict(list)" if kind == "defaultdict" else f"{kind}()"
    source = f'''from collections import Counter, OrderedDict, defaultdict


def by_word(words: list[str]) -> {kind}:
    """Group words by themselves.

    >>> len(by_word(["a", "b"]))
    2
    >>> len(by_word([]))
    0
    >>> len(by_word(["a", "a", "c", "d"]))
    3
    """
    made = {made}
    for word in words:
        made[word] = {value}
    return made
'''.encode()
    clause = f"type(result) is {kind} and dict(result) == {{word: {value} for word in words}}"
    grouped = Reading("Group words by themselves.", ReadingKind.RESULT, clause)
    helpers = "from collections import Counter, OrderedDict, defaultdict\n"
    told = verified(service, source, "by_word", grouped, inputs=("(['x', 'y', 'x'],)", "([],)"), helpers=helpers)
    assert told[0] == Outcome.TESTED


FARE = b'''def fare(age: int, zones: int) -> int:
    """Return the fare of a traveller of an age, 3 for each zone and 2 more.

    >>> fare(30, 1)
    5
    >>> fare(31, 2)
    8
    >>> fare(40, 3)
    11
    """
    return zones * 3 + 2
'''


def test_a_documented_parameter_that_is_never_read_bars_verified(service: Service):
    assert verified(service, FARE, "fare")[1] == "program.weak_checks"
    said = FARE.replace(b"and 2 more.", b"and 2 more.\n\n    :param age: ignored, for compatibility")
    assert verified(service, said, "fare")[1] == "program.weak_checks"
    narrative = Reading("ignored, for compatibility", ReadingKind.NARRATIVE, "")
    assert verified(service, said, "fare", narrative)[1] != "program.weak_checks"
