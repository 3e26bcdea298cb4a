"""What one assertion checks: the thing looked at, how it is compared, and with what.

Plain assertions, those of unittest, numpy and mock, and ``raises`` come out as the same ``Check``, so that rewriting
one as the other is no change. Calls of helpers of the project are no checks here: what they do is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.changes.syntax.node_syntax import last_name
from probatum.changes.weakened.code import constant, is_literal, key, tolerances_of
from probatum.programs.parsing.scanning import word_set

# How much a comparison demands, the larger the more. Whoever goes down loosens.
_DEMANDS: Final = {
    6: "==, is, raises, warns, assert_called_once_with",
    5: "approx, same_items, all, fullmatch, assert_called_with, assert_has_calls",
    4: "isinstance, in, one of, <, >, match, startswith, endswith, assert_any_call",
    3: "<=, >=, search, any, issubclass, assert_called_once",
    2: "truth, not, none of, !=, is not, not in, hasattr, callable, assert_called",
}
STRENGTH: Final = {op: strength for strength, ops in _DEMANDS.items() for op in ops.split(", ")}
_PAIRS: Final = "in:not in, one of:none of, ==:!=, is:is not, truth:not, <:>=, >:<="
_OPPOSITES: Final = {
    each: other for pair in _PAIRS.split(", ") for a, _, b in [pair.partition(":")] for each, other in ((a, b), (b, a))
}
# Assertions by name, of unittest and of numpy: what they compare.
_WRITTEN: Final = {
    "==": "assertEqual assertEquals assertListEqual assertDictEqual assertTupleEqual assertSetEqual assertSequenceEqual"
    " assertMultiLineEqual assert_equal eq_ assert_array_equal assert_frame_equal assert_series_equal",
    "approx": "assertAlmostEqual assertAlmostEquals assert_allclose assert_almost_equal assert_array_almost_equal"
    " assert_approx_equal",
    "same_items": "assertCountEqual assertItemsEqual",
    "search": "assertRegex assertRegexpMatches",
    **{"!=": "assertNotEqual", "is": "assertIs assertIsNone", "is not": "assertIsNot assertIsNotNone"},
    **{"in": "assertIn", "not in": "assertNotIn", ">": "assertGreater", ">=": "assertGreaterEqual"},
    **{"<": "assertLess", "<=": "assertLessEqual", "isinstance": "assertIsInstance"},
    "raises": "raises assertRaises assertRaisesRegex assertRaisesRegexp assert_raises",
    "warns": "warns assertWarns assertWarnsRegex deprecated_call",
}
_NAMED: Final = {name: op for op, names in _WRITTEN.items() for name in names.split()}
# Truths about their first argument, or about what the method is called on.
_CALLS: Final = word_set("all any isinstance issubclass hasattr callable")
_METHODS: Final = word_set("startswith endswith match search fullmatch")
# A call of these keeps only a part of what it is given.
_LOSSY: Final = word_set("len sorted set frozenset bool type lower upper strip casefold round int abs")


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps an assertion from counting, always or at times: a condition, a return, a swallowed exception."""

    always: bool
    identity: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """One assertion. ``deep`` is its key with local names resolved to what they stand for, ``raw`` as it is written."""

    op: str
    subject: ast.AST | None
    expected: ast.AST | None
    line: int
    text: str
    raw: str
    deep: str
    raw_subject: str
    deep_subject: str
    deep_expected: str
    tolerances: Mapping[str, float]
    match: str
    guards: tuple[Obstacle, ...]
    cannot_fail: bool

    @property
    def types(self) -> frozenset[str]:
        """What a ``raises`` waits for."""
        every = self.expected.elts if isinstance(self.expected, ast.Tuple) else [self.expected or ast.Constant(None)]
        return frozenset(map(last_name, every))


class CheckReader:
    """Reads assertions where names stand for what they were assigned to, behind some obstacles."""

    def __init__(self, names: Mapping[str, str], guards: tuple[Obstacle, ...]) -> None:
        """Keep both."""
        self._names, self._guards = names, guards

    def asserted(self, node: ast.expr) -> Iterable[Check]:
        """Yield what a plain assertion of the expression checks: each part of an ``and`` by itself."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for part in node.values:
                yield from self.asserted(part)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            sides = [node.left, *node.comparators]
            for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
                yield from self.asserted(ast.copy_location(ast.Compare(left, [operator], [right]), node))
        else:
            yield self._check(node, *_parts(node))

    def called(self, node: ast.Call) -> Iterable[Check]:
        """Yield what a call of an assertion checks: nothing if it is no known assertion."""
        name, args = last_name(node), node.args
        op = _NAMED.get(name, "")
        if op in ("raises", "warns"):
            behind = 2 if "Regex" in name else 1
            if isinstance(node.func, ast.Name | ast.Attribute) and len(args) > behind:
                called = ast.Call(args[behind], args[behind + 1 :], node.keywords)
                yield from self.raising(node, [ast.copy_location(ast.Expr(called), node)])
        elif name in ("assertTrue", "assert_", "assertFalse") and args:
            yield from self.asserted(
                args[0] if name != "assertFalse" else ast.copy_location(ast.UnaryOp(ast.Not(), args[0]), args[0])
            )
        elif op and args:
            expected = args[1] if len(args) > 1 and not name.endswith("None") else ast.Constant(None)
            if op in ("in", "not in"):
                operator = ast.In() if op == "in" else ast.NotIn()
                yield self._check(node, *_parts(ast.Compare(args[0], [operator], [expected])))
            else:
                yield self._check(node, op, *_subject_first(args[0], expected))
        elif name == "fail" or name.startswith("assert"):
            of = node.func.value if isinstance(node.func, ast.Attribute) and (name in STRENGTH or not args) else None
            rest = [*args[0 if of or not args else 1 :], *(each.value for each in node.keywords)]
            subject = of or next(iter(args), None)
            yield self._check(node, name, subject, rest[0] if len(rest) == 1 else ast.Tuple(rest, ast.Load()))

    def raising(self, call: ast.Call, body: list[ast.stmt]) -> Iterable[Check]:
        """Yield what a call of ``raises``, ``warns`` or the like checks of some statements."""
        if not is_raises(call):
            return
        name, args = last_name(call), call.args
        match = next((each.value for each in call.keywords if each.arg in ("match", "expected_regex")), None)
        match = args[1] if match is None and "Regex" in name and len(args) > 1 else match
        what = args[0] if args else next((each.value for each in call.keywords), ast.Constant(None))
        yield self._check(call, _NAMED[name], ast.Module(body, []), what, match)

    def _check(
        self, node: ast.expr, op: str, subject: ast.AST | None, expected: ast.AST | None, match: ast.expr | None = None
    ) -> Check:
        calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
        tolerances = dict[str, float]()
        for name, value in (pair for call in calls for pair in tolerances_of(call).items()):
            number = constant(value)
            tolerances[name] = float(number) if isinstance(number, int | float) else float("nan")
        raw, deep = (
            [op, *(key(each, names, True) for each in (subject, expected, match)), repr(tolerances)]
            for names in ({}, self._names)
        )
        text = ast.unparse(node)
        # Of a `raises` block its first statement too.
        first = ast.unparse(subject.body[0]) if isinstance(subject, ast.Module) and subject.body else text
        cannot_fail = _cannot_fail(op, subject, expected, self._names)
        return Check(
            op, subject, expected, node.lineno, text if first in text else f"{text}: {first}", "|".join(raw),
            "|".join(deep), raw[1], deep[1], deep[2], tolerances, deep[3] if match else "", self._guards, cannot_fail,
        )  # fmt: skip


def is_raises(node: ast.expr) -> bool:
    """Return whether the expression is a call of ``raises``, ``warns`` or the like."""
    return isinstance(node, ast.Call) and _NAMED.get(last_name(node)) in ("raises", "warns")


def keeps_less(new: Check, old: Check) -> bool:
    """Return whether the new assertion looks only at a part of what the old one looked at (its length, its type)."""
    now, was = (isinstance(each.subject, ast.Call) and last_name(each.subject) in _LOSSY for each in (new, old))
    return now and not was and old.deep_subject in new.deep_subject


def _subject_first(left: ast.expr, right: ast.expr) -> tuple[ast.expr, ast.expr]:
    return (right, left) if is_literal(left) and not is_literal(right) else (left, right)


def _parts(node: ast.expr) -> tuple[str, ast.AST | None, ast.AST | None]:
    """Return how an expression without ``and`` compares, what, and with what."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            op, subject, expected = _parts(operand)
            return (_OPPOSITES[op], subject, expected) if op in _OPPOSITES else ("not", operand, None)
        case ast.Compare(left=left, comparators=[right, *_]):
            op = ast.unparse(ast.Compare(ast.Name("a"), node.ops, [ast.Name("b")]))[2:-2]
            left = left.value if isinstance(left, ast.NamedExpr) else left
            if op in ("in", "not in"):
                among = "one of" if op == "in" else "none of"
                return (among, left, right) if is_literal(right) else (op, right, left)
            first, second = _subject_first(left, right)
            op = op if first is left else op.translate(str.maketrans("<>", "><"))
            near = last_name(first) in ("approx", "round") or last_name(second) == "approx"
            return "approx" if near and op == "==" else op, first, second
        case ast.BoolOp():
            return "or", node, None
        case ast.Call(func=func, args=[first, *rest]):
            name = last_name(node)
            if name in ("isclose", "allclose") and rest:
                return "approx", first, node
            if name in _CALLS and isinstance(func, ast.Name):
                return name, first, ast.Tuple(rest, ast.Load())
            if name in _METHODS and isinstance(func, ast.Attribute):
                return name, rest[0] if last_name(func.value) == "re" and rest else func.value, first
    return "truth", node, None


def _cannot_fail(op: str, subject: ast.AST | None, expected: ast.AST | None, names: Mapping[str, str]) -> bool:
    """Return whether the comparison holds whatever the program does: constants, or a value with itself."""
    known, bound = constant(subject), constant(expected)
    if isinstance(subject, ast.BoolOp):
        negated = {key(each.operand, names) for each in subject.values if isinstance(each, ast.UnaryOp)}
        return not negated.isdisjoint(key(each, names) for each in subject.values) or any(
            _cannot_fail(*_parts(each), names) for each in subject.values
        )
    if op == "truth":
        filled = isinstance(subject, ast.Set | ast.Dict | ast.JoinedStr | ast.Lambda)
        filled = filled or (isinstance(subject, ast.Tuple | ast.List) and bool(subject.elts))
        return filled or (known is not ... and bool(known))
    if op == "not":
        return known is not ... and not known
    if op == "isinstance":
        return "Name object" in key(expected, {})
    if op in (">=", ">") and isinstance(subject, ast.Call) and last_name(subject) == "len":
        return isinstance(bound, int) and bound < (op == ">=")
    if op not in ("==", "is", "<=", ">=", "approx", "in") or expected is None or subject is None:
        return False
    if isinstance(subject, ast.Name) and isinstance(expected, ast.Name | ast.Constant):
        return key(subject, names) == key(expected, names)
    # Two calls may give two answers, and what an attribute holds may change; a name is one value.
    calls = any(isinstance(each, ast.Call) for side in (subject, expected) for each in ast.walk(side))
    both = is_literal(subject) and is_literal(expected)
    return both or (not calls and key(subject, {}) == key(expected, {}))
