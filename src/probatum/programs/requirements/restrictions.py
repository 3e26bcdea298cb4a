"""Preconditions, executable properties and announced exceptions of one function, from documents and from code.

Clauses are added in order of appearance and numbered; the same condition from several sources is one clause, with the
strongest source. Conditions on one number that no number meets contradict each other: none of them counts, and both
are reported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from probatum.programs.parsing.documents import Document, SourceText
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.sections import read_sections
from probatum.programs.parsing.signatures import Definition
from probatum.programs.requirements.annotation_limits import limits_of
from probatum.programs.requirements.code_conditions import (
    POST,
    PRE,
    RAISES,
    CodeClause,
    CodeFacts,
    asserted,
    concluded,
    decorated,
)
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

ANNOTATION = "annotation"
_CERTAIN, _WRITTEN, _NAMED = 0.95, 0.9, 0.7
_BOUND = re.compile(r"([^\W\d]\w*) (<=|>=|<|>) (-?\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What one source states about calls; ids are given when it is added to a function."""

    preconditions: tuple[Precondition, ...] = ()
    properties: tuple[Property, ...] = ()
    raises: tuple[RaisesClaim, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    """Where in the text of a document its conditions stand."""


def from_document(
    document: Document, parameters: Sequence[Parameter], known: frozenset[str], facts: CodeFacts, source: str
) -> Restrictions:
    """Return the conditions in Python and the names of exceptions of a document."""
    names = tuple(each.name for each in parameters)
    scope = Scope(names, known)
    sections = read_sections(document, names)
    text = document.text
    optional = [each.name for each in parameters if each.default == "None"]
    preconditions, places = [], []
    for demand in demands(text, sections, scope):
        span, written = document.place(demand.begin, demand.end)
        expression = _or_left_out(demand.expression, optional)
        preconditions.append(Precondition("", expression, written, span, source, Origin.DERIVED, _WRITTEN))
        places.append((demand.begin, demand.end))
    raises = []
    for threat in threats(sections, scope.known):
        span, written = document.place(threat.begin, threat.end)
        raises.append(RaisesClaim("", threat.type_name, written, span, source, Origin.DERIVED, _NAMED))
    written_ones = tuple(
        each if source == "docstring" else replace(each, source=source)
        for each in written_conditions(document, parameters, facts)
    )
    contract = _stated(written_ones, document.place)
    return replace(
        contract,
        preconditions=(*contract.preconditions, *preconditions),
        raises=(*contract.raises, *raises),
        places=(*places, *((each.begin, each.end) for each in written_ones if each.kind in {PRE, POST})),
    )


def from_code(source: SourceText, node: Definition, parameters: Sequence[Parameter], facts: CodeFacts) -> Restrictions:
    """Return what decorators, assertions at both ends of the body and annotations state."""
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    names = [each.name for each in parameters]
    judged = frozenset(names)
    annotated = [(PRE, each.arg, each.annotation) for each in arguments if each.arg in judged]
    found = [
        *decorated(source, node, parameters, facts),
        *asserted(source, node, names, facts),
        *concluded(source, node, parameters, facts),
    ]
    for kind, subject, annotation in (*annotated, (POST, "result", node.returns)):
        if annotation is not None:
            begin, end = source.node_range(annotation)
            limits = limits_of(source.text[begin:end], subject, facts)
            found += [CodeClause(kind, begin, end, limit, ANNOTATION) for limit in limits]
    return _stated(found, lambda begin, end: (source.span(begin, end), source.text[begin:end]))


def _stated(found: Iterable[CodeClause], place: Callable[[int, int], tuple[Span, str]]) -> Restrictions:
    """Make clauses of conditions written in Python, which are ground truth."""
    preconditions: list[Precondition] = []
    properties: list[Property] = []
    raises: list[RaisesClaim] = []
    unreadable: list[Unreadable] = []
    for each in found:
        span, text = place(each.begin, each.end)
        expression, source, origin = each.expression, each.source, Origin.GROUND_TRUTH
        if each.kind == PRE:
            preconditions.append(Precondition("", expression, text, span, source, origin, _CERTAIN))
        elif each.kind == POST:
            properties.append(Property("", expression, text, span, source=source, origin=origin, confidence=_CERTAIN))
        elif each.kind == RAISES:
            raises.append(RaisesClaim("", expression, text, span, source, origin, _CERTAIN))
        else:
            unreadable.append(Unreadable(text, "an invariant of objects is not checked", span, source))
    return Restrictions(tuple(preconditions), tuple(properties), tuple(raises), tuple(unreadable))


def restricted(function: FunctionSpec, found: Restrictions) -> FunctionSpec:
    """Return the function with further restrictions, in order and numbered, each condition once."""
    preconditions = _strongest((*function.preconditions, *found.preconditions))
    kept, contradicting = _without_contradictions(preconditions)
    known = {each.expression for each in function.properties}
    added = [each for each in found.properties if each.expression not in known]
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
    used = names_in(ast.parse(expression, mode="eval"))
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
    """Return each announcement once."""
    kept: dict[tuple[str, str], RaisesClaim] = {}
    for each in found:
        kept.setdefault((each.type_name, each.text), each)
    return list(kept.values())


def _without_contradictions(found: Sequence[Precondition]) -> tuple[list[Precondition], list[Unreadable]]:
    """Take out bounds of one number that no number meets together."""
    tightest: dict[tuple[str, str], tuple[float, bool, Precondition]] = {}
    for each in found:
        bound = _BOUND.fullmatch(each.expression)
        if bound is None:
            continue
        # Upper limits are kept negated, so that on both sides the greater one is the tighter.
        limit = float(bound[3]) if bound[2].startswith(">") else -float(bound[3])
        side, is_strict = (bound[1], bound[2][0]), len(bound[2]) == 1
        if side not in tightest or (limit, is_strict) > tightest[side][:2]:
            tightest[side] = limit, is_strict, each
    lost: dict[int, Unreadable] = {}
    for (name, sign), (low, is_strict, first) in tightest.items():
        if sign == "<" or (name, "<") not in tightest:
            continue
        negated, is_strict_too, second = tightest[name, "<"]
        if low > -negated or (low == -negated and (is_strict or is_strict_too)):
            for each, rival in ((first, second), (second, first)):
                reason = f"contradicts line {rival.span.line}"
                lost[id(each)] = Unreadable(each.text, reason, each.span, each.source, Unread.CONTRADICTED)
    return [each for each in found if id(each) not in lost], list(lost.values())
