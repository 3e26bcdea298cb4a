"""Which stretches of a documentation checks have consumed, once it is known which examples a function is checked by.

An example's text is code where that very example is checked, a step's where an example depends on it, and the type of
a parameter without an annotation where documented calls pass values of it and no other. Everything else is words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from probatum.programs.examples.contract_code import DECLARED
from probatum.programs.examples.disowned import DISOWNED
from probatum.programs.parsing.annotations import accepts
from probatum.programs.parsing.expressions import called_name
from probatum.programs.parsing.literals import executed_by
from probatum.programs.source import module_or_none
from probatum.programs.specification import (
    Example,
    FunctionSpec,
    Parameter,
    RaisesError,
    Span,
    Statement,
    StatementKind,
)
from probatum.programs.statements.declared import python_type


def with_consumed(unit: FunctionSpec, parameters: Mapping[str, Sequence[Parameter]]) -> FunctionSpec:
    """Return what is judged with every stretch of its documentation as code or as words.

    ``parameters`` are those of it and of its methods, by name.
    """
    counting = [each for each in unit.examples if each.notation not in {DISOWNED, DECLARED}]
    checked: dict[tuple[str, int], list[Span]] = {}
    for source, span in {place for each in counting for place in ((each.source, each.span), *each.places)}:
        for line in range(span.line, span.end_line + 1):
            checked.setdefault((source, line), []).append(span)
    shown = [each for each in unit.examples if not isinstance(each.expectation, RaisesError)]

    def settled(statement: Statement) -> Statement:
        kind = statement.kind
        if kind is StatementKind.EXAMPLE:
            spans = checked.get((statement.source, statement.span.line), ())
            is_checked = any(contains(span, statement.span) for span in spans)
            kind = StatementKind.CODE if is_checked else StatementKind.SENTENCE
        elif kind is StatementKind.TYPE:
            taken = parameters.get(statement.owner, ())
            names = statement.about.split(", ")
            held = all(_is_held(statement.text, name, statement.owner or unit.qualname, taken, shown) for name in names)
            kind = StatementKind.CODE if held else StatementKind.PARAMETER
        return statement if kind is statement.kind else replace(statement, kind=kind)

    return replace(unit, statements=tuple(map(settled, unit.statements)))


def contains(outer: Span, inner: Span) -> bool:
    """Tell whether one place lies in another."""
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


def _is_held(words: str, name: str, called: str, taken: Sequence[Parameter], shown: Sequence[Example]) -> bool:
    """Tell whether documented calls pass values of a type for a parameter, and no other values."""
    annotation = python_type(words)
    if annotation is None:
        return False
    passed = [accepts(annotation, value) for value in _values(name, called, taken, shown)]
    return True in passed and False not in passed


def _values(name: str, called: str, taken: Sequence[Parameter], shown: Sequence[Example]) -> Iterator[object]:
    positional = [each.name for each in taken if each.kind.startswith("positional")]
    place = positional.index(name) if name in positional else len(positional)
    for each in shown:
        steps = [module_or_none(executed_by(text) or text) for text in (*each.setup, each.expression)]
        nodes = [node for step in steps if step is not None for node in ast.walk(step)]
        bound = {
            n.targets[0].id: n.value for n in nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)
        }
        for call in nodes:
            if isinstance(call, ast.Call) and called_name(call) == called:
                given = (*call.args[place : place + 1], *(k.value for k in call.keywords if k.arg == name))
                yield from _literals(bound.get(node.id, node) if isinstance(node, ast.Name) else node for node in given)


def _literals(nodes: Iterable[ast.expr]) -> Iterator[object]:
    for node in nodes:
        try:
            yield ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue
