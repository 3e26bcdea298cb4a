"""The state of every statement, from what was observed about the program. Pure.

Code that counts is code: conditions that calls met. What a reading that counts quotes is quoted, and what quotes leave
over of a statement is one by itself. Everything else is open, whatever its words seem to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from probatum.programs.specification import FunctionSpec, Statement, StatementKind, StatementState
from probatum.programs.statements.consumed import contains
from probatum.readings.coverage import Quote, covered

NOTHING_CHECKS: Final = "nothing checks it"


@dataclass(frozen=True, slots=True)
class CountedQuote:
    """The words that a reading quotes."""

    quote: Quote
    counts: bool
    """Whether it vouches for them: a fault breaks it, it says which inputs are legal or that they say nothing, or a
    reference of its reader agrees."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was observed about one function."""

    checked: frozenset[str] = frozenset()
    """Conditions on results that were checked, by id."""
    quotes: tuple[CountedQuote, ...] = ()
    not_met: frozenset[str] = frozenset()
    """Conditions on calls that examples contradict, by id."""


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement, its state, and what gave it."""

    statement: Statement
    state: StatementState
    by: tuple[str, ...] = ()
    """Ids of conditions and readings."""
    reason: str = ""


def judged_statements(function: FunctionSpec, evidence: Evidence) -> tuple[JudgedStatement, ...]:
    """Return every statement of a function with its state, in order, each followed by what quotes leave over of it."""
    return tuple(_judged(function, evidence))


def _judged(function: FunctionSpec, evidence: Evidence) -> Iterator[JudgedStatement]:
    counting = [each.quote for each in evidence.quotes if each.counts]
    coverage = covered(function.statements, counting)
    vacuous = covered(function.statements, [each.quote for each in evidence.quotes if not each.counts]).touched
    for each in function.statements:
        if each.kind is StatementKind.CODE:
            continue
        quotes = coverage.touched.get(each.id, ())
        if by := _met(each, function, evidence):
            yield JudgedStatement(each, StatementState.CODE, by)
        elif quotes:
            yield JudgedStatement(each, StatementState.QUOTED, tuple(dict.fromkeys(quotes)))
            for number, words in enumerate(coverage.left_over.get(each.id, ()), 1):
                rest = replace(each, id=f"{each.id}.{number}", text=words)
                yield _open(rest, vacuous.get(each.id, ()))
        else:
            yield _open(each, vacuous.get(each.id, ()))


def _open(statement: Statement, quotes: Sequence[str]) -> JudgedStatement:
    reason = "no fault breaks what reads it" if quotes else NOTHING_CHECKS
    return JudgedStatement(statement, StatementState.OPEN, tuple(dict.fromkeys(quotes)), reason)


def _met(statement: Statement, function: FunctionSpec, evidence: Evidence) -> tuple[str, ...]:
    """Return the conditions in code that a statement is, where calls met them."""
    if statement.kind is not StatementKind.CONDITION:
        return ()
    required = [each.id for each in function.preconditions if contains(each.span, statement.span)]
    stated = [each.id for each in function.properties if contains(each.span, statement.span)]
    met = (*(each for each in required if each not in evidence.not_met), *stated)
    return tuple(each for each in met if each in required or each in evidence.checked)
