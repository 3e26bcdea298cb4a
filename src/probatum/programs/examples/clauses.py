"""What reading a document needs to know of its subject, and how what is read becomes clauses.

`settle` gives the findings their ids and places. It takes back what cannot be relied on: of two examples that
contradict each other neither counts, nor does a scalar in parentheses where other examples expect tuples.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from probatum.programs.parsing.documents import Document
from probatum.programs.parsing.literals import value_of
from probatum.programs.parsing.signatures import bound_by
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.specification import (
    Example,
    Expectation,
    FunctionSpec,
    Parameter,
    PrintsText,
    RaisesError,
    ReprIs,
    Span,
    Unread,
    Unreadable,
    ValueIs,
)
from probatum.readings.syntax import NotReadableError, parse_expression

BUILTIN_NAMES = frozenset(dir(builtins))
BUILTIN_TYPES = frozenset(name for name, value in vars(builtins).items() if isinstance(value, type))
_IN_PARENTHESES = re.compile(r"\s*\(.*\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Owner:
    """The function, method or class that a document belongs to."""

    name: str
    call: str | None
    """How a call of it begins (``f``, ``Tools.square``, ``Solution().solve``); None when an object is needed first."""
    parameters: tuple[Parameter, ...]
    """Those that a caller fills: without ``self`` or ``cls``."""
    known: frozenset[str]
    """Names that an example may use: those of the module and the built-in ones."""
    types: frozenset[str] = BUILTIN_TYPES
    """What names types in the module, dotted where it is written so."""
    annotation: str | None = None
    returns_nothing: bool = False
    """True when the function cannot give a value: annotated ``None``, or no statement returns or yields one."""
    shadowed: frozenset[str] = frozenset()
    """Names of constructors of values that the module defines itself: its own ``Fraction`` is not a value."""
    keeps_state: bool = False
    """True when calls may depend on earlier calls through something that the module holds."""
    module: str = ""
    """What the file is called as a module, dotted; nothing where that is not known."""
    modules: frozenset[str] = frozenset()
    """Modules of the project, by dotted name, that a session may import."""


def _takes_itself(function: FunctionSpec) -> bool:
    return function.kind in {"method", "classmethod"} and [each.name for each in function.parameters[:1]] in (
        ["self"],
        ["cls"],
    )


def described_of(function: FunctionSpec, known: frozenset[str]) -> Owner:
    """Return what reading a text outside of the file needs to know of a function."""
    owner, _, name = function.qualname.rpartition(".")
    annotation = function.returns.annotation if function.returns is not None else None
    return Owner(
        name,
        None if owner else name,
        function.parameters[1:] if _takes_itself(function) else function.parameters,
        known | {owner.partition(".")[0] or name},
        annotation=annotation,
        returns_nothing=annotation == "None",
    )


@dataclass(frozen=True, slots=True)
class Found:
    """An example read from ``text[begin:end]`` of the document."""

    begin: int
    end: int
    expression: str
    expectation: Expectation
    notation: str
    confidence: float = 0.95
    setup: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    called: str = ""
    """The other name by which the document calls what it describes, see `other_names`."""
    steps: tuple[tuple[int, int], ...] = ()
    """Where the prompts of its set-up are."""
    is_whole: bool = True
    """False where a part of what is written was passed over: the name of a module that nothing confirms."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place that claims to be an example and cannot be read as one."""

    begin: int
    end: int
    reason: str
    why: Unread = Unread.NOT_READ


@dataclass(frozen=True, slots=True)
class Findings:
    """Collects what the readers of one document find."""

    examples: list[Found] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def doubt(self, begin: int, end: int, reason: str) -> None:
        """Note a place that cannot be read."""
        self.doubts.append(Doubt(begin, end, reason))


Claim = tuple[str, Expectation]
"""An expression and what is expected of it."""


def segment(text: str, node: ast.expr | ast.stmt) -> str:
    """Return the part of a parsed text that a node stands for, a definition's decorators included."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
        return "\n".join(text.split("\n")[node.decorator_list[0].lineno - 1 : node.end_lineno])
    if "\n" in text or not text.isascii():
        return ast.get_source_segment(text, node) or ""
    return text[node.col_offset : node.end_col_offset]


def expression_text(text: str, node: ast.expr) -> str:
    """Return a parsed expression on one line."""
    return " ".join(ast.unparse(node).splitlines()) if "\n" in text else text.strip()


def require_known_names(node: ast.AST, known: frozenset[str], placeholders: Iterable[str] = ()) -> None:
    """Raise `NotReadableError` when an expression uses a name that means nothing in its module.

    ``placeholders`` are names that stand for values in prose (the parameters), even when a built-in has that name.
    """
    used: list[str] = []
    bound: set[str] = set()
    for part in ast.walk(node):
        bound.update(bound_by(part))
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            used.append(part.id)
        elif isinstance(part, ast.arg):
            bound.add(part.arg)
        elif isinstance(part, ast.Constant) and part.value is Ellipsis:
            raise NotReadableError("it is abbreviated with '...'")
    # "f(list) == 3" means some list where a parameter is called so, and not the type.
    stand_ins = frozenset(placeholders) & BUILTIN_NAMES
    for name in used:
        if name not in bound and (name not in known or name in stand_ins):
            raise NotReadableError(f"{name!r} is neither a value nor a name of the module; are quotes missing?")


def without_own_module(node: ast.expr, known: frozenset[str], module: str = "") -> ast.expr | None:
    """Return ``module.f(2)`` as ``f(2)`` where ``module`` is the file, or can only be it, being unknown; else None.

    It can when all that the expression takes from it are names that the file defines.
    """
    if "." in module and module.partition(".")[0] not in known:
        whole = _Unqualified({module})
        node = whole.visit(node)
        if whole.is_changed:
            return without_own_module(node, known) or node
    taken: dict[str, list[str]] = {}
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            taken.setdefault(part.value.id, []).append(part.attr)
    own = known - BUILTIN_NAMES
    modules = {name for name, attributes in taken.items() if name not in known and own.issuperset(attributes)}
    return _Unqualified(modules).visit(node) if modules else None


class _Unqualified(ast.NodeTransformer):
    """Takes the names of modules, dotted ones included, away from before their attributes."""

    def __init__(self, modules: set[str]) -> None:
        self._modules = modules
        self.is_changed = False

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.value, ast.Name | ast.Attribute) or ast.unparse(node.value) not in self._modules:
            return node
        self.is_changed = True
        return ast.Name(node.attr, ast.Load())


def claims_of(text: str, node: ast.expr, shadowed: frozenset[str] = frozenset()) -> Claim | None:
    """Read a condition that is claimed to hold: ``f(x) == 3`` becomes ``f(x)`` with the value 3.

    None when the expression is not a condition. A side that has names stays in the expression; raises
    `NotReadableError` for a side that is made of constants and has no value within the limits.
    """
    whole = expression_text(segment(text, node), node)
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            for subject, other in ((left, right), (right, left)):
                if isinstance(subject, ast.Constant) or not _has_names(subject):
                    continue
                try:
                    value = value_of(other, shadowed)
                except NotReadableError:
                    if not _has_names(other):
                        raise
                    continue
                return expression_text(segment(text, subject), subject), ValueIs(value, segment(text, other))
            return whole, ValueIs(True, "True")
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return whole, ValueIs(True, "True")
        case ast.BoolOp():
            return f"bool({whole})", ValueIs(True, "True")
        case _:
            return None


def _has_names(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) for part in ast.walk(node))


def settle(
    document: Document, findings: Findings, source: str, first_id: int = 1
) -> tuple[tuple[Example, ...], tuple[Unreadable, ...]]:
    """Turn findings into clauses in order of appearance, without those that cannot be relied on."""
    found = sorted(findings.examples, key=lambda each: (each.begin, each.end))
    doubts = list(findings.doubts)
    found = _without_scalar_tuples(found, doubts)
    found = _without_contradictions(document, found, doubts)
    examples = []
    for number, each in enumerate(found, first_id):
        span, text = document.place(each.begin, each.end)
        read = Example(f"e{number}", each.expression, each.expectation, span, text, each.notation, source)
        places = tuple((source, document.place(*step)[0]) for step in each.steps)
        read = replace(read, setup=each.setup, before=each.before, confidence=each.confidence, places=places)
        examples.append(read)
    unreadable = []
    for doubt in sorted(doubts, key=lambda each: (each.begin, each.end)):
        span, text = document.place(doubt.begin, doubt.end)
        unreadable.append(Unreadable(text, doubt.reason, span, source, doubt.why))
    return tuple(examples), tuple(unreadable)


def repeated(examples: Sequence[Example], again: Iterable[tuple[str, Example]]) -> tuple[Example, ...]:
    """Return examples that others repeat, by id: what is checked once is checked wherever it is written."""
    places: dict[str, list[tuple[str, Span]]] = {}
    for name, each in again:
        places.setdefault(name, []).extend(((each.source, each.span), *each.places))
    return tuple(replace(each, places=(*each.places, *places.get(each.id, ()))) for each in examples)


def with_further_examples(
    function: FunctionSpec, examples: Iterable[Example], unreadable: Iterable[Unreadable]
) -> FunctionSpec:
    """Add what a further source documents, after what is there.

    A repetition adds nothing. What contradicts an earlier example is doubtful; the earlier one keeps its force.
    """
    earlier: dict[tuple[str, tuple[str, ...]], Example] = {
        ("".join(each.expression.split()), each.setup): each for each in function.examples
    }
    kept: list[Example] = []
    doubtful: list[Unreadable] = []
    again: list[tuple[str, Example]] = []
    for each in examples:
        rival = earlier.get(("".join(each.expression.split()), each.setup))
        if rival is None:
            kept.append(replace(each, id=f"e{len(function.examples) + len(kept) + 1}"))
        elif not _same(rival.expectation, each.expectation):
            reason = f"contradicts line {rival.span.line}"
            doubtful.append(Unreadable(each.text, reason, each.span, each.source, Unread.CONTRADICTED))
        else:
            again.append((rival.id, each))
    return replace(
        function,
        examples=(*repeated(function.examples, again), *kept),
        unreadable=(*function.unreadable, *unreadable, *doubtful),
    )


def _without_scalar_tuples(found: list[Found], doubts: list[Doubt]) -> list[Found]:
    values = [each.expectation for each in found if isinstance(each.expectation, ValueIs)]
    if not any(isinstance(each.value, tuple) for each in values):
        return found
    kept = []
    for each in found:
        expected = each.expectation
        if (
            isinstance(expected, ValueIs)
            and not isinstance(expected.value, tuple)
            and _IN_PARENTHESES.fullmatch(expected.source)
        ):
            doubts.append(Doubt(each.begin, each.end, "a tuple of one element needs a comma"))
        else:
            kept.append(each)
    return kept


def _without_contradictions(document: Document, found: list[Found], doubts: list[Doubt]) -> list[Found]:
    alike: dict[tuple[str, tuple[str, ...]], list[Found]] = {}
    for each in found:
        alike.setdefault(("".join(each.expression.split()), each.setup), []).append(each)
    lost: dict[int, int] = {}
    for candidates in alike.values():
        for group in _by_meaning(candidates):
            first = group[0]
            other = next((each for each in group if not _same(each.expectation, first.expectation)), None)
            if other is not None:
                lost |= {
                    id(each): (other if _same(each.expectation, first.expectation) else first).begin for each in group
                }
    for each in found:
        if id(each) in lost:
            reason = f"contradicts line {document.line_of(lost[id(each)])}"
            doubts.append(Doubt(each.begin, each.end, reason, Unread.CONTRADICTED))
    return [each for each in found if id(each) not in lost]


def _by_meaning(candidates: list[Found]) -> list[list[Found]]:
    """Part examples whose expressions differ in white space alone when that white space is inside a string."""
    if all(each.expression == candidates[0].expression for each in candidates):
        return [candidates]
    groups: dict[str, list[Found]] = {}
    for each in candidates:
        groups.setdefault(ast.dump(parse_expression(each.expression)), []).append(each)
    return list(groups.values())


def _same(first: Expectation, second: Expectation) -> bool:
    match first, second:
        case (ValueIs(value=a), ValueIs(value=b)):
            return _same_value(a, b)
        case (RaisesError(), RaisesError()) | (PrintsText(), PrintsText()) | (ReprIs(), ReprIs()):
            return first == second
        case _:
            return type(first) is not type(second) and ReprIs in (type(first), type(second))


def _same_value(first: object, second: object) -> bool:
    try:
        return bool(first == second) or value_text(first) == value_text(second)
    except ArithmeticError:
        return False
