"""How else a documented example can be asked, where its result is no plain data or its session went on before it."""

from __future__ import annotations

from dataclasses import replace

from probatum.programs.parsing.value_texts import value_text
from probatum.programs.record import CheckKind
from probatum.programs.running.checks import Asks, PlannedCheck, Statements, needs_clerk, steps_of
from probatum.programs.source import expression_of
from probatum.programs.specification import Example, ReprIs, ValueIs


def other_ways(check: PlannedCheck) -> tuple[PlannedCheck, ...]:
    """Return how else an example can be asked of which a value, also an argument, turns out to be no plain data.

    First the same inside the program's process. Then by the object's own word: of a documented value that the document
    does not compare itself, whether the result is shown as it is written; whether it equals the value.
    """
    example, expected = check.example, check.example.expectation
    if check.kind is not CheckKind.EXAMPLE:
        return ()
    steps = steps_of(example, example.setup)
    inside = PlannedCheck(example, steps)
    own = Statements(example.setup, example.expression, Asks.OWN_TRUTH)
    if steps.asks is Asks.TEXT:
        return (replace(check, action=replace(own, asks=Asks.OWN_TEXT)),)
    if not isinstance(expected, ValueIs):
        return (inside,) if needs_clerk(check.action) else ()
    if steps.asks is Asks.SIDES:
        return inside, PlannedCheck(example, own)
    written = expected.source if expression_of(expected.source) is not None else value_text(expected.value)
    comparison = f"({example.expression}) == ({written})"
    equals = replace(example, expression=comparison, expectation=ValueIs(True, "True"))
    by_equality = PlannedCheck(equals, replace(own, expression=comparison))
    if compares(example):
        return inside, by_equality
    shown = replace(example, expectation=ReprIs(expected.source.strip()))
    by_text = PlannedCheck(shown, replace(own, asks=Asks.OWN_TEXT))
    return inside, by_text, by_equality


def in_session(check: PlannedCheck) -> PlannedCheck | None:
    """Return the example after everything that its session did before, None where that is its set-up alone."""
    if check.kind is not CheckKind.EXAMPLE or not check.example.before:
        return None
    return replace(check, action=steps_of(check.example, check.example.before, check.asks_an_object is not None))


def compares(example: Example) -> bool:
    """True where the document writes a comparison with the value, not the value as output."""
    return "==" in example.text and "==" not in example.expression
