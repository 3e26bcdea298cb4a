"""What was demanded of a program beside its documentation and gives nothing to check: it is named, never passed over.

In a contract in plain text every line that states something has to give a clause: a line of Python, and a sentence with
"must", "shall", "never" or "always". Other sentences, headings and lines that begin with ``#`` explain. A contract in
Python has to give at least one clause, and none that cannot be read. What uses nothing of the program is no clause.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from probatum.programs.source import expression_of
from probatum.programs.specification import FunctionSpec, Unread
from probatum.programs.units import CONTRACT, declared_in

_STATES = re.compile(r"\b(?:must|shall|never|always)\b", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_LABEL = re.compile(r"(?:[-*•]|\d+[.)])?\s*(?:\w+:\s+)?(?:assert\s+)?")
_CONDITIONS = (ast.Compare, ast.Call, ast.BoolOp)


def unmet_by(contract: str, units: Sequence[FunctionSpec]) -> tuple[str, ...]:
    """Return a sentence for everything in a contract that none of these functions is checked by."""
    clauses = [
        (clause.source, clause.span)
        for unit in units
        for rows in (unit.examples, unit.properties, unit.preconditions, unit.raises)
        for clause in rows
    ]
    doubts = [row for unit in units for row in unit.unreadable if row.source == CONTRACT]
    spans = [span for source, span in clauses if source == CONTRACT]
    # What contradicts itself was read; it has a verdict of its own.
    spans += [row.span for row in doubts if row.why is Unread.CONTRADICTED]
    said = {line for span in spans for line in range(span.line, span.end_line + 1)}
    rows = _LINE_END.split(contract)
    reasons = {row.span.line: f" ({row.reason})" for row in doubts if row.span.line not in said}
    # A session may show more than the program, beside something about it.
    unread = {row.span.line for row in doubts if row.why is not Unread.NOT_ITS_OWN or not said} & reasons.keys()
    if not any(declared_in(contract, unit.qualname) for unit in units):
        unread |= {number for number in _stating(rows) if number not in said}
    named = [
        f"line {n} of the contract gives no clause: {rows[n - 1].strip()}{reasons.get(n, '')}" for n in sorted(unread)
    ]
    if said:
        return tuple(named)
    nothing = f"the contract gives no clause about {', '.join(unit.qualname for unit in units)}"
    return (nothing if contract.strip() else "the contract is empty", *named)


def _stating(rows: Sequence[str]) -> Iterator[int]:
    for number, row in enumerate(rows, 1):
        text = row.strip()
        if text.startswith("#") or text.endswith(":"):
            continue
        stated = text[_LABEL.match(text).end() :].rstrip(".;")  # type: ignore[union-attr]  # it matches nothing too
        if _STATES.search(text) or isinstance(expression_of(stated), _CONDITIONS):
            yield number
