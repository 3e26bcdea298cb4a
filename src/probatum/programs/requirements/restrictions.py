"""Preconditions, executable properties and announced exceptions of one function, from documents and from code.

Clauses are added in order of appearance and numbered; the same condition from several sources is one clause, with the
strongest source. Conditions on one number that no number meets contradict each other: none of them counts, and both
are reported. Refuses nothing else: what cannot be read was left out by the readers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from probatum.programs.reading.documents import Document, SourceText
from probatum.programs.reading.sections import read_sections
from probatum.programs.reading.signatures import Definition
from probatum.programs.requirements.annotation_limits import limits_of
from probatum.programs.requirements.code_conditions import POST, PRE, RAISES, CodeFacts, asserted, concluded, decorated
from probatum.programs.requirements.constraints import demands, threats
from probatum.programs.requirements.pep316 import written_conditions
from probatum.programs.requirements.written_conditions import Scope
from probatum.programs.specification import (
    FunctionSpec,
    Origin,
    Parameter,
    Precondition,
    Property,
    RaisesClaim,
    Span,
    Unread,
    Unreadable,
)

__all__ = ["Restrictions", "from_code", "from_document", "restricted"]

ANNOTATION, CONDITION = "annotation", "condition"
_CERTAIN = 0.95
_BOUND = re.compile(r"([^\W\d]\w*) (<=|>=|<|>) (-?\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What one source states about calls; ids are given when it is added to a function."""

    preconditions: tuple[Precondition, ...] = ()
    properties: tuple[Property, ...] = ()
    raises: tuple[RaisesClaim, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


def from_document(
    document: Document, parameters: Sequence[Parameter], known: frozenset[str], facts: CodeFacts, source: str
) -> Restrictions:
    """Return what the words and the PEP 316 conditions of a document state."""
    names = tuple(each.name for each in parameters)
    scope = Scope(names, known)
    sections = read_sections(document, names)
    text = document.text
    optional = [each.name for each in parameters if each.default == "None"]
    preconditions = []
    for demand in demands(text, sections, scope):
        span, written = document.place(demand.begin, demand.end)
        expression = _or_left_out(demand.expression, optional)
        preconditions.append(
            Precondition("", expression, written, span, source, Origin.DERIVED, confidence=demand.confidence)
        )
    raises = []
    for threat in threats(text, sections, scope):
        span, written = document.place(threat.begin, threat.end)
        raises.append(
            RaisesClaim(
                "", threat.type_name, written, span, threat.condition, source, Origin.DERIVED, threat.confidence
            )
        )
    contract = _contract_in(document, parameters, facts)
    return replace(
        contract, preconditions=(*contract.preconditions, *preconditions), raises=(*contract.raises, *raises)
    )


def _contract_in(document: Document, parameters: Sequence[Parameter], facts: CodeFacts) -> Restrictions:
    preconditions: list[Precondition] = []
    properties: list[Property] = []
    unreadable: list[Unreadable] = []
    for each in written_conditions(document, parameters, facts):
        span, written = document.place(each.begin, each.end)
        if each.kind == PRE:
            preconditions.append(_required(each.expression, written, span, "pep316"))
        elif each.kind == POST:
            properties.append(_property(each.expression, written, span, "pep316"))
        else:
            unreadable.append(Unreadable(written, "an invariant of objects is not checked", span, "pep316"))
    return Restrictions(tuple(preconditions), tuple(properties), (), tuple(unreadable))


def from_code(source: SourceText, node: Definition, parameters: Sequence[Parameter], facts: CodeFacts) -> Restrictions:
    """Return what decorators, assertions at both ends of the body and annotations state."""
    found = [
        *decorated(source, node, parameters, facts),
        *asserted(source, node, (each.name for each in parameters), facts),
        *concluded(source, node, parameters, facts),
    ]
    preconditions: list[Precondition] = []
    properties: list[Property] = []
    raises: list[RaisesClaim] = []
    for each in found:
        span, written = source.span(each.begin, each.end), source.text[each.begin : each.end]
        if each.kind == PRE:
            preconditions.append(_required(each.expression, written, span, each.source))
        elif each.kind == POST:
            properties.append(_property(each.expression, written, span, each.source))
        elif each.kind == RAISES:
            raises.append(
                RaisesClaim("", each.expression, written, span, None, each.source, Origin.GROUND_TRUTH, _CERTAIN)
            )
    for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if argument.annotation is not None and any(each.name == argument.arg for each in parameters):
            begin, end = source.node_range(argument.annotation)
            written, span = source.text[begin:end], source.span(begin, end)
            for limit in limits_of(written, argument.arg, facts):
                preconditions.append(_required(limit, written, span, ANNOTATION))
    if node.returns is not None:
        begin, end = source.node_range(node.returns)
        written, span = source.text[begin:end], source.span(begin, end)
        properties += [_property(limit, written, span, ANNOTATION) for limit in limits_of(written, "result", facts)]
    return Restrictions(tuple(preconditions), tuple(properties), tuple(raises))


def _required(expression: str, text: str, span: Span, source: str) -> Precondition:
    return Precondition("", expression, text, span, source, Origin.GROUND_TRUTH, _CERTAIN)


def _property(expression: str, text: str, span: Span, source: str) -> Property:
    return Property(
        "", CONDITION, expression, text, span, source=source, origin=Origin.GROUND_TRUTH, confidence=_CERTAIN
    )


def restricted(function: FunctionSpec, found: Restrictions) -> FunctionSpec:
    """Return the function with further restrictions, in order and numbered, each condition once."""
    preconditions = _strongest((*function.preconditions, *found.preconditions))
    kept, contradicting = _without_contradictions(preconditions)
    known = {(each.expression, each.condition) for each in function.properties}
    added = [each for each in found.properties if (each.expression, each.condition) not in known]
    raises = _distinct((*function.raises, *found.raises))
    return replace(
        function,
        preconditions=tuple(replace(each, id=f"r{number}") for number, each in enumerate(kept, 1)),
        properties=(
            *function.properties,
            *(replace(each, id=f"p{number}") for number, each in enumerate(added, len(function.properties) + 1)),
        ),
        raises=tuple(replace(each, id=f"x{number}") for number, each in enumerate(raises, 1)),
        unreadable=(*function.unreadable, *found.unreadable, *contradicting),
    )


def _or_left_out(expression: str, optional: Iterable[str]) -> str:
    """Let a parameter whose default is None be None: a sentence speaks of it when it is given."""
    used = {part.id for part in ast.walk(ast.parse(expression, mode="eval")) if isinstance(part, ast.Name)}
    left_out = [f"{name} is None" for name in optional if name in used and f"{name} is None" not in expression]
    return " or ".join((*left_out, f"({expression})")) if left_out else expression


def _strongest(found: Iterable[Precondition]) -> list[Precondition]:
    """Return each condition once, where it first appears, as its strongest source states it."""
    kept: dict[str, Precondition] = {}
    for each in found:
        other = kept.get(each.expression)
        if other is None or _strength(each) > _strength(other):
            kept[each.expression] = each
    return list(kept.values())


def _strength(clause: Precondition) -> tuple[bool, float]:
    return clause.origin is Origin.GROUND_TRUTH, clause.confidence


def _distinct(found: Iterable[RaisesClaim]) -> list[RaisesClaim]:
    """Return each announcement once; one without a condition adds nothing to one of the same source that has one."""
    kept: dict[tuple[str, str | None], RaisesClaim] = {}
    for each in found:
        kept.setdefault((each.type_name, each.condition), each)
    return list(kept.values())


def _without_contradictions(found: Sequence[Precondition]) -> tuple[list[Precondition], list[Unreadable]]:
    """Take out bounds of one number that no number meets together."""
    lowest: dict[str, tuple[float, bool, Precondition]] = {}
    highest: dict[str, tuple[float, bool, Precondition]] = {}
    for each in found:
        bound = _BOUND.fullmatch(each.expression)
        if bound is None:
            continue
        name, sign, limit = bound.group(1), bound.group(2), float(bound.group(3))
        side, strict = (lowest, sign == ">") if sign.startswith(">") else (highest, sign == "<")
        rank = (limit, strict) if side is lowest else (-limit, strict)
        other = side.get(name)
        if other is None or rank > ((other[0], other[1]) if side is lowest else (-other[0], other[1])):
            side[name] = (limit, strict, each)
    lost: dict[int, Unreadable] = {}
    for name in lowest.keys() & highest.keys():
        (low, low_strict, first), (high, high_strict, second) = lowest[name], highest[name]
        if low > high or (low == high and (low_strict or high_strict)):
            for each, rival in ((first, second), (second, first)):
                reason = f"contradicts line {rival.span.line}"
                lost[id(each)] = Unreadable(each.text, reason, each.span, each.source, Unread.CONTRADICTED)
    return [each for each in found if id(each) not in lost], list(lost.values())
