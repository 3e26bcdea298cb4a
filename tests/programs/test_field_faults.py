"""Copies in which a class lacks a field: what shows that a session is about the fields of a class."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.programs.faults.field_faults import field_faults
from probatum.programs.faults.mutants import plan_mutants
from probatum.readings.values import Reading, ReadingKind, Standing
from tests.programs.parsing import source_of
from tests.programs.readers import asked, record
from tests.services import Service

POINT = '''"""Äpfel."""
from dataclasses import dataclass, field


@dataclass
class Point:
    """A point, by x and y."""
    x: float; y: float = 0.0
    seen: list[str] = field(
        default_factory=list,
    )
'''
COLOUR = '''from enum import Enum


class Colour(Enum):
    """Red or green."""
    RED = 1
    GREEN = 2
'''
PARSING = '''class ParseError(Exception):
    """A text that cannot be parsed, with the number of its line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line
'''
FLOWING = (
    POINT
    + '''

def moved(point: Point) -> Point:
    """Return the point one further right."""
    return Point(point.x + 1, point.y)
'''
)
MOVED = Reading("Return the point one further right.", ReadingKind.SESSION, "assert moved(Point(1, 2)) == Point(2, 2)")
XY = Reading("A point, by x and y.", ReadingKind.SESSION, "p = Point(1, 2)\nassert (p.x, p.y) == (1, 2)")
IDLE = Reading("A point, by x and y.", ReadingKind.SESSION, "assert Point.__name__ == 'Point'")
NAMES = Reading("Red or green.", ReadingKind.SESSION, "assert [each.name for each in Colour] == ['RED', 'GREEN']")
FIELDS = Reading("A point, by x and y.", ReadingKind.RESULT, "result.x == x and result.y == y")
LINE = Reading(
    "A text that cannot be parsed, with the number of its line.",
    ReadingKind.SESSION,
    "error = ParseError('bad', 3)\nassert error.line == 3 and str(error) == 'bad'",
)


def test_each_field_is_left_out_once_and_nothing_else_changes() -> None:
    texts = [mutant.source.decode() for mutant in field_faults(source_of(POINT), "Point")]
    assert [text.replace("\n", "") for text in texts] == [
        POINT.replace("x: float;", "pass;").replace("\n", ""),
        POINT.replace("y: float = 0.0", "pass").replace("\n", ""),
        (POINT.partition("    seen")[0] + "    pass\n").replace("\n", ""),
    ]
    assert field_faults(source_of(FLOWING), "moved") == ()


@pytest.mark.parametrize(
    ("text", "name", "operators"), [(COLOUR, "Colour", 2), (POINT.replace(" = 0.0", ""), "Point", 3)]
)
def test_a_class_without_code_has_these_mutants_alone(text: str, name: str, operators: int) -> None:
    found = plan_mutants(source_of(text), name, limit=60, seed=0)
    assert [each.operator for each in found] == ["statement_removed"] * operators
    assert len(plan_mutants(source_of(text), name, limit=1, seed=0)) == 1


@pytest.mark.parametrize(
    ("text", "told", "outcome"),
    [
        (COLOUR, [("Colour", NAMES)], Outcome.TESTED),
        (COLOUR.replace("GREEN", "GREY"), [("Colour", NAMES)], Outcome.REFUTED),
        (PARSING, [("ParseError", LINE)], Outcome.TESTED),
        (PARSING.replace("= line", "= line + 1"), [("ParseError", LINE)], Outcome.REFUTED),
        (FLOWING, [("Point", XY), ("moved", MOVED)], Outcome.TESTED),
        (FLOWING, [("Point", IDLE), ("moved", MOVED)], Outcome.UNDECIDED),
        (FLOWING.replace("x: float; y: float", "y: float; x: float"), [("Point", XY)], Outcome.REFUTED),
    ],
)
def test_a_session_about_the_fields_of_a_class_vouches_for_its_words(
    service: Service, text: str, told: list[tuple[str, Reading]], outcome: Outcome
) -> None:
    records = [record(reading, function=name, inputs=()) for name, reading in told]
    verdict = service.verify_program(asked(text.encode(), *records, policy="proposed")).verdict
    assert verdict.outcome == outcome, verdict.agent_message


@pytest.mark.parametrize(
    ("text", "outcome"),
    [(FLOWING, Outcome.TESTED), (FLOWING.replace("x: float; y: float", "y: float; x: float"), Outcome.REFUTED)],
)
def test_a_clause_about_the_fields_of_a_class_is_asked_with_the_file(
    service: Service, text: str, outcome: Outcome
) -> None:
    about = record(FIELDS, function="Point", inputs=("(1.0, 2.0)", "(3.0, 4.5)"))
    told = service.verify_program(
        asked(text.encode(), about, record(MOVED, function="moved", inputs=()), policy="proposed")
    )
    assert told.verdict.outcome == outcome, told.verdict.agent_message


def test_a_clause_that_does_not_count_makes_no_unit_of_a_class(service: Service) -> None:
    rejected = replace(FIELDS, clause="result.x > y", standing=Standing.REJECTED, by="Ann", on="2026-01-02")
    about = record(XY, rejected, function="Point", inputs=("(1.0, 2.0)",))
    told = service.verify_program(
        asked(FLOWING.encode(), about, record(MOVED, function="moved", inputs=()), policy="proposed")
    )
    assert told.verdict.outcome == Outcome.TESTED, told.verdict.agent_message
    assert told.verdict.developer_fields["function"] == "moved"


@pytest.mark.parametrize("place", ["\f    return x", "\fdef f"])
def test_where_no_fault_can_be_planted_strength_is_not_measured(service: Service, place: str) -> None:
    text = 'def f(x: int) -> int:\n    """\n    >>> f(1)\n    1\n    """\n    return x\n'
    verdict = service.verify_program(asked(text.replace(place.lstrip("\f"), place).encode())).verdict
    assert verdict.outcome == Outcome.UNDECIDED
    assert verdict.constraint_id == "program.strength_not_measured"
