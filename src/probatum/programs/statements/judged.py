"""The state of every statement, from what was observed about the program. Pure.

What surely says nothing is narrative. What clauses and readings that noticed something quote is checked, and what they
leave over of a statement is one of its own. A main sentence is shown by examples; a description that only names its
parameter is a definition. Everything else is unchecked.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from probatum.programs.parsing.expressions import called_name, names_in
from probatum.programs.source import expression_of
from probatum.programs.specification import (
    Example,
    FunctionSpec,
    Precondition,
    PrintsText,
    Property,
    RaisesClaim,
    RaisesError,
    ReprIs,
    Span,
    Statement,
    StatementKind,
    StatementState,
    ValueIs,
)
from probatum.programs.statements.declared import confirmed_default, looks_like_type, states_default
from probatum.programs.statements.words import explains, is_empty, is_naming, is_narrative, is_title, leads
from probatum.readings.coverage import Quote, covered

_CONTRACT = "contract"
UNCHANGED = "unchanged"
"""The id of the promise to leave the arguments alone, among what was checked."""
REFERENCE = "reference"
"""What carries a main sentence where a counted reference agrees."""
_SHOWN_BY, _RESULTS = 3, 2
"""How many held examples, for each case that it tells apart, with how many different results carry a main sentence."""
_DETAILS = 2
"""How many checked statements say a summary in detail."""
_CARRIED = frozenset({StatementState.CHECKED, StatementState.SHOWN})
_BY_QUOTES = {
    StatementState.CHECKED: "",
    StatementState.DEFINITION: "it says which inputs are legal, or what other words mean",
    StatementState.NARRATIVE: "somebody said so",
}
_ALTERNATIVES = re.compile(r"\bor\b|;|\bif\b", re.IGNORECASE)
_CASES = re.compile(r"\b(?:if|when|whenever|unless|otherwise|else|except|in case)\b", re.IGNORECASE)
_NAME = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class CountedQuote:
    """The words that a counted reading quotes, and what it is worth."""

    quote: Quote
    state: StatementState
    """``CHECKED`` where it noticed something, ``NARRATIVE`` where that is accepted, ``DEFINITION`` where it states
    which inputs are legal or a reference agrees, ``UNCHECKED`` where nothing breaks it."""
    names: frozenset[str] = frozenset()
    """What its clause speaks of."""
    is_unmet: bool = False
    """True for a clause that says something of calls, and that no call met."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was observed about one function."""

    held: frozenset[str] = frozenset()
    """The examples that hold, by id."""
    checked: frozenset[str] = frozenset()
    """Conditions, announced exceptions and `UNCHANGED` that were checked and noticed something, by id."""
    raised: frozenset[str] = frozenset()
    """Exceptions that an example or a generated call ended in."""
    agrees: bool = False
    """Whether a counted reference gave the same on at least three calls with two different results."""
    left_out: frozenset[str] = frozenset()
    """Parameters that it answered for as well where a call leaves them out."""
    quotes: tuple[CountedQuote, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement, its state, and what gave it."""

    statement: Statement
    state: StatementState
    by: tuple[str, ...] = ()
    """Ids of examples, clauses, readings and statements."""
    reason: str = ""


def judged_statements(function: FunctionSpec, evidence: Evidence) -> tuple[JudgedStatement, ...]:
    """Return every statement of a function with its state, in order, each followed by what quotes leave over of it."""
    return tuple(_Judge(function, evidence).judged())


class _Judge:
    def __init__(self, function: FunctionSpec, evidence: Evidence) -> None:
        self._function = function
        self._evidence = evidence
        self._known = frozenset(each.id for each in function.statements)
        self._documented = {each.text for each in function.statements if each.source != _CONTRACT}
        self._names = tuple(each.name for each in function.parameters)
        self._counted = (*evidence.quotes, *_clauses(function, evidence))
        self._state_of = {each.quote.id: each.state for each in self._counted}
        self._held = [each for each in function.examples if each.id in evidence.held]
        self._speaking: dict[str, list[str]] = {}
        for each in self._counted:
            for name in each.names if each.state is StatementState.CHECKED else ():
                self._speaking.setdefault(name, []).append(each.quote.id)
        self._mentions = Counter(
            name
            for each in function.statements
            for name in evidence.raised.intersection((each.about, *_NAME.findall(each.text)))
        )
        results = [each for each in function.statements if each.kind is StatementKind.RESULT]
        self._mains: dict[tuple[str, str], str] = {}
        for main in sorted(results, key=lambda each: looks_like_type(each.text)):
            self._mains.setdefault((main.owner, main.source), main.id)

    def judged(self) -> Iterator[JudgedStatement]:
        statements = self._function.statements
        worth = [each.quote for each in self._counted if each.state is not StatementState.UNCHECKED]
        coverage = covered(statements, worth)
        rows: list[JudgedStatement] = []
        for each in statements:
            quotes = coverage.touched.get(each.id, ())
            rows.append(self._quoted(each, quotes) if quotes else self._plain(each))
            left_over = (words for words in coverage.left_over.get(each.id, ()) if not is_empty(words))
            rows += [
                self._plain(replace(each, id=f"{each.id}.{number}", text=words))
                for number, words in enumerate(left_over, 1)
            ]
        vacuous = covered(statements, [each.quote for each in self._counted]).touched
        unmet = covered(statements, [each.quote for each in self._counted if each.is_unmet]).touched
        for row in [self._defined(at, rows) for at in range(len(rows))]:
            if row.state is StatementState.SHOWN and (open_ones := unmet.get(row.statement.id, ())):
                yield replace(row, state=StatementState.UNCHECKED, by=open_ones, reason="no call met what reads it")
                continue
            quotes = vacuous.get(row.statement.id, ())
            is_vacuous = row.state is StatementState.UNCHECKED and bool(quotes) and not row.by
            yield replace(row, by=quotes, reason="no fault breaks what reads it") if is_vacuous else row

    def _quoted(self, statement: Statement, quotes: Sequence[str]) -> JudgedStatement:
        for state, reason in _BY_QUOTES.items():
            by = tuple(dict.fromkeys(each for each in quotes if self._state_of[each] is state))
            if by:
                return JudgedStatement(statement, state, by, reason)
        return self._plain(statement)

    def _plain(self, statement: Statement) -> JudgedStatement:
        """Judge a statement, or what is left over of one, without quotes; definitions are found later."""
        if is_narrative(statement, self._names):
            return JudgedStatement(statement, StatementState.NARRATIVE, (), "it says nothing about behaviour")
        if self._is_declared(statement):
            return JudgedStatement(statement, StatementState.CHECKED, ("signature",), "the signature says so")
        if self._evidence.left_out.intersection(_about(statement)) and states_default(statement.text):
            return JudgedStatement(statement, StatementState.CHECKED, (REFERENCE,), "a reference has the same default")
        if by := self._raised(statement):
            return JudgedStatement(statement, StatementState.CHECKED, by, "a call ended in this exception")
        if by := self._shown(statement):
            return JudgedStatement(statement, StatementState.SHOWN, by, "several results carry it")
        return JudgedStatement(statement, StatementState.UNCHECKED, (), "nothing checks it")

    def _is_declared(self, statement: Statement) -> bool:
        about = [each for each in self._function.parameters if each.name == statement.about and not statement.owner]
        return bool(about) and confirmed_default(statement.text, about[0])

    def _raised(self, statement: Statement) -> tuple[str, ...]:
        """Return what showed the exception of an entry, where that can be about nothing else."""
        name = statement.about
        if statement.kind is not StatementKind.RAISES or name not in self._evidence.raised:
            return ()
        if self._mentions[name] > 1 or _ALTERNATIVES.search(statement.text[2:]):
            return ()
        by = [each.id for each in self._held if each.expectation == RaisesError(name)]
        return tuple(by) or (name,)

    def _shown(self, statement: Statement) -> tuple[str, ...]:
        if not self._is_main(statement):
            return ()
        is_demanded = statement.source == _CONTRACT
        is_read = not is_demanded or statement.text in self._documented
        if self._evidence.agrees and not statement.owner and is_read:
            return (REFERENCE,)
        calls = re.compile(rf"\.{re.escape(statement.owner)}\(") if statement.owner else None
        # Only a contract's own examples can be meant to show what it demands.
        own = [each for each in self._held if not is_demanded or each.source == _CONTRACT]
        shows = [each for each in own if calls is None or calls.search(each.expression)]
        results = {each.id: shown for each in shows if (shown := _result(each)) is not None}
        needed = _SHOWN_BY * max(1, len(_CASES.findall(statement.text)))
        return tuple(results) if len(results) >= needed and len(set(results.values())) >= _RESULTS else ()

    def _is_main(self, statement: Statement) -> bool:
        if statement.kind is StatementKind.SUMMARY:
            return True
        if statement.kind is not StatementKind.RESULT:
            return False
        first = self._mains[statement.owner, statement.source]
        return looks_like_type(statement.text) or statement.id in {first, f"{first}.1"}

    # Definitions -----------------------------------------------------------------------------------------------

    def _defined(self, at: int, rows: Sequence[JudgedStatement]) -> JudgedStatement:
        """Return a definition as one where the statements that it is for are checked, and as unchecked elsewhere."""
        row = rows[at]
        statement = row.statement
        if row.state is StatementState.DEFINITION:
            by = _ids(rows, _CARRIED, "")
            return (
                row if by else replace(row, state=StatementState.UNCHECKED, reason="nothing that it is for is checked")
            )
        if row.state is not StatementState.UNCHECKED:
            return row
        by, reason = (), ""
        if statement.kind is StatementKind.PARAMETER and is_naming(statement, self._function.parameters):
            by, reason = self._exercising(statement, rows), "it only names the parameter"
        elif statement.kind is StatementKind.PARAMETER and self._evidence.agrees and explains(statement.text):
            by, reason = (REFERENCE,), "a reference uses the parameter so"
        elif statement.kind is StatementKind.RESULT and looks_like_type(statement.text):
            mains = [each for each in rows if each.statement.kind in {StatementKind.RESULT, StatementKind.SUMMARY}]
            by, reason = _ids(mains, _CARRIED, statement.owner), "it only names the type"
        elif statement.kind is StatementKind.SUMMARY and is_title(statement):
            by, reason = _detailing(statement, rows), "other statements say it in detail"
        if not by and statement.id in self._known and leads(statement):
            by, reason = _led_to(islice(rows, at + 1, None)), "what it leads to is checked"
        return JudgedStatement(statement, StatementState.DEFINITION, by, reason) if by else row

    def _exercising(self, statement: Statement, rows: Sequence[JudgedStatement]) -> tuple[str, ...]:
        """Return what is checked and speaks of the parameter that a statement names."""
        names = _about(statement)
        makes = names if statement.owner or self._function.kind != "class" else names | {self._function.qualname}
        by = [quote for name in sorted(makes) for quote in self._speaking.get(name, ())]
        if not by and self._evidence.agrees and not statement.owner:
            by = [REFERENCE]
        if not by and names <= self._given(statement.owner):
            mains = [each for each in rows if each.state is StatementState.SHOWN]
            by = list(_ids(mains, {StatementState.SHOWN}, statement.owner))
        return tuple(dict.fromkeys(by))

    def _given(self, owner: str) -> frozenset[str]:
        """Return the parameters that held examples pass something to."""
        if owner:
            return frozenset()
        taken = [each for each in self._function.parameters if each.name not in {"self", "cls"}]
        given = {each.name for each in taken if each.default is None and not each.kind.startswith("var_")}
        name = self._function.qualname.rpartition(".")[2]
        for example in self._held:
            tree = expression_of(example.expression)
            for call in ast.walk(tree) if tree is not None else ():
                if isinstance(call, ast.Call) and called_name(call) == name:
                    given.update(each.name for each in taken[: len(call.args)])
                    given.update(each.arg for each in call.keywords if each.arg)
        return frozenset(given)


def _ids(rows: Iterable[JudgedStatement], states: Iterable[StatementState], owner: str) -> tuple[str, ...]:
    return tuple(each.statement.id for each in rows if each.state in states and owner in {"", each.statement.owner})


def _about(statement: Statement) -> frozenset[str]:
    """Return the parameters that an entry is about."""
    return frozenset(each.strip() for each in statement.about.split(","))


def _detailing(statement: Statement, rows: Sequence[JudgedStatement]) -> tuple[str, ...]:
    """Return the statements that say a summary in detail: at least two about results, all of them checked."""
    details = [
        each
        for each in rows
        if each.statement.owner == statement.owner
        and each.statement.id != statement.id
        and each.statement.kind not in {StatementKind.PARAMETER, StatementKind.RAISES}
        and not looks_like_type(each.statement.text)
        and each.state is not StatementState.NARRATIVE
    ]
    by = tuple(each.statement.id for each in details if each.state is StatementState.CHECKED)
    is_whole = all(each.state in {StatementState.CHECKED, StatementState.DEFINITION} for each in details)
    return by if is_whole and len(by) >= _DETAILS else ()


def _led_to(rows: Iterable[JudgedStatement]) -> tuple[str, ...]:
    """Return the items that rows begin with, where all of them are checked."""
    items = tuple(takewhile(lambda each: each.statement.kind is StatementKind.ROW, rows))
    return _ids(items, _CARRIED, "") if all(each.state is StatementState.CHECKED for each in items) else ()


def _result(example: Example) -> str | None:
    expected = example.expectation
    return repr(expected) if isinstance(expected, ValueIs | PrintsText | ReprIs) else None


def _clauses(function: FunctionSpec, evidence: Evidence) -> Iterator[CountedQuote]:
    """Yield the words of clauses that count: checked ones, and conditions that all calls met."""
    names = frozenset(each.name for each in function.parameters)
    clauses: list[Precondition | Property | RaisesClaim] = [*function.preconditions, *function.properties]
    for clause in (*clauses, *function.raises):
        state = StatementState.DEFINITION if isinstance(clause, Precondition) else StatementState.CHECKED
        expression = clause.condition if isinstance(clause, RaisesClaim) else clause.expression
        if expression is not None and (clause.id in evidence.checked or isinstance(clause, Precondition)):
            tree = expression_of(expression)
            used = names & names_in(tree) if tree is not None else frozenset()
            yield from _placed(function, clause.id, clause.text, clause.span, state, used)
    claim = function.unchanged
    if claim is not None and UNCHANGED in evidence.checked:
        yield from _placed(function, UNCHANGED, claim.text, claim.span, StatementState.CHECKED, names)


def _placed(
    function: FunctionSpec, clause: str, text: str, span: Span, state: StatementState, names: frozenset[str]
) -> Iterator[CountedQuote]:
    within = [each for each in function.statements if contains(span, each.span)]
    for each in within:
        yield CountedQuote(Quote(clause, each.text, clause, each.span), state, names)
    if not within:
        yield CountedQuote(Quote(clause, text, clause, span), state, names)


def contains(outer: Span, inner: Span) -> bool:
    """Tell whether one place lies in another."""
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
