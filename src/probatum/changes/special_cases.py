"""Answers that a change writes out for the inputs of its tests: a branch or a table that knows the test, not the rule.

A comparison on a changed line with values that stand in a test, whose branch gives the very value that the same test
expects, could be a rule with few cases, and could be the test copied. Nobody can tell from the text, so it is a
question. Natural limits (nothing, empty, -1 to 2) are rules, and so is a table that holds more than the tests do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.changes.classes_of_files import FileRole, role_of
from probatum.changes.syntax.definitions import ChangedUnit
from probatum.changes.syntax.node_syntax import tree_of

_NATURAL: Final = frozenset({"None", "True", "False", "''", "b''", "()", "[]", "{}", "0.0", "1.0", "-1.0", "..."})
_NATURAL_INTEGERS: Final = range(-1, 3)
_SIDES: Final = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
_LONG: Final = 3
_SHOWN: Final = 60
_Cases = Sequence[tuple[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class SpecialCase:
    """One place that answers as a test expects, for the input of that test."""

    path: str
    line: int
    sentence: str
    test: str
    """The file or the test in which both stand."""


def special_cases(units: Sequence[ChangedUnit], head: Mapping[str, bytes]) -> tuple[SpecialCase, ...]:
    """Return every such place on the changed lines of sources."""
    lines: dict[str, set[int]] = {}
    for unit in units:
        if unit.head is not None and unit.changed_lines:
            lines.setdefault(unit.head.path, set()).update(unit.changed_lines)
    known = list(_cases(head)) if lines else []
    found: dict[tuple[str, int], SpecialCase] = {}
    for path, changed in lines.items():
        tree = tree_of(head.get(path, b""))
        for node in ast.walk(tree) if tree is not None else ():
            answers = list(_answers(node)) if getattr(node, "lineno", 0) in changed else []
            told = [_told(path, *each, known) for each in answers]
            # A table that holds more than the tests do is a rule.
            for case in told if not isinstance(node, ast.Dict) or all(told) else ():
                if case is not None:
                    found.setdefault((case.path, case.line), case)
    return tuple(found[key] for key in sorted(found))


def _answers(node: ast.AST) -> Iterator[tuple[int, Sequence[str], str]]:
    """Yield line, values that are asked for, and what is given for them."""
    match node:
        case ast.If(test=test, body=[first, *_]):
            yield node.lineno, _compared(test), _given(first)
        case ast.IfExp(test=test, body=body):
            yield node.lineno, _compared(test), _literal(body)
        case ast.Match(cases=cases):
            for each in cases:
                patterns = (inner for inner in ast.walk(each.pattern) if isinstance(inner, ast.MatchValue))
                yield each.body[0].lineno, [_literal(inner.value) for inner in patterns], _given(each.body[0])
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield node.lineno, [_literal(key)], _literal(value)
        case _:
            pass


def _told(path: str, line: int, asked: Sequence[str], given: str, known: _Cases) -> SpecialCase | None:
    wanted = [each for each in asked if each]
    if not wanted or not given or any(map(_is_natural, wanted)):
        return None
    # A natural answer stands in many checks: only an input that stands nowhere by chance tells then.
    if _is_natural(given) and any(len(each.strip("'\"-")) < _LONG for each in wanted):
        return None
    # What is true or false is asserted without being written.
    answer = {given} - {"True", "False"}
    test = next((test for test, literals in known if literals.issuperset({*wanted, *answer})), None)
    shown = ", ".join(wanted)[:_SHOWN]
    sentence = f"gives {given[:_SHOWN]} for {shown}, as {test} expects for it"
    return SpecialCase(path, line, sentence, test) if test is not None else None


def _compared(test: ast.expr) -> list[str]:
    """Return the values that a condition compares with, each member of a tuple or list by itself."""
    found: list[str] = []
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and all(isinstance(each, _SIDES) for each in node.ops):
            for side in (node.left, *node.comparators):
                members = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
                found += [_literal(each) for each in members]
    return found


def _given(statement: ast.stmt) -> str:
    match statement:
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return _literal(value)
        case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
            return _literal(value)
    return ""


def _literal(node: ast.expr | None) -> str:
    """Return a value that is written out, as Python writes it; empty for anything else."""
    try:
        return repr(ast.literal_eval(node)) if node is not None else ""
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ""


def _is_natural(literal: str) -> bool:
    return literal in _NATURAL or (literal.lstrip("-").isdigit() and int(literal[:20]) in _NATURAL_INTEGERS)


def _cases(head: Mapping[str, bytes]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the values that stand together in a check or a case of a test, with the test."""
    for path, content in sorted(head.items()):
        is_test = path.endswith(".py") and role_of(path) in {FileRole.TEST, FileRole.SUPPORT}
        tree = tree_of(content) if is_test else None
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from ((f"{path}::{node.name}", each) for each in _cases_in(node))


def _cases_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[frozenset[str]]:
    for node in (node for decorator in function.decorator_list for node in ast.walk(decorator)):
        if isinstance(node, ast.Tuple | ast.List | ast.Call):
            yield _literals(node)
    for node in (node for statement in function.body for node in ast.walk(statement)):
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            yield _literals(node)
    # Across statements only what is long enough to stand there for one reason.
    yield frozenset(each for each in _literals(*function.body) if len(each.strip("'\"-")) >= _LONG)


def _literals(*nodes: ast.AST) -> frozenset[str]:
    found = {_literal(each) for node in nodes for each in ast.walk(node) if isinstance(each, ast.expr)}
    return frozenset(found - {""})
