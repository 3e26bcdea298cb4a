"""What one assertion checks: the thing looked at, how it is compared, and with what.

Plain assertions, those of unittest, numpy and mock, and ``raises`` come out as the same ``Check``, so that rewriting
one as the other is no change. Calls of helpers of the project are no checks here: what they do is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.changes.weakened_code import constant, is_literal, key, last_name

# How much a comparison demands, the larger the more. Whoever goes down loosens.
STRENGTH: Final = {
    **dict.fromkeys(("==", "is", "raises", "warns", "assert_called_once_with"), 6),
    **dict.fromkeys(("approx", "same_items", "all", "fullmatch", "assert_called_with", "assert_has_calls"), 5),
    **dict.fromkeys(("isinstance", "in", "one of", "<", ">", "match", "startswith", "endswith", "assert_any_call"), 4),
    **dict.fromkeys(("<=", ">=", "search", "any", "issubclass", "assert_called_once"), 3),
    **dict.fromkeys(("truth", "not", "none of", "!=", "is not", "not in", "hasattr", "callable", "assert_called"), 2),
}
_OPERATORS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_AMONG: Final = {"in": "one of", "not in": "none of"}
_OPPOSITES: Final = {
    **{"in": "not in", "one of": "none of", "==": "!=", "is": "is not", "truth": "not", "<": ">=", ">": "<="},
    **{"not in": "in", "none of": "one of", "!=": "==", "is not": "is", "not": "truth", ">=": "<", "<=": ">"},
}
_NONE: Final = ast.Constant(None)
# Assertions by name, of unittest and of numpy: what they compare.
_NAMED: Final = {
    **dict.fromkeys(("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual"), "=="),
    **dict.fromkeys(("assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual", "assert_equal", "eq_"), "=="),
    **dict.fromkeys(("assert_array_equal", "assert_frame_equal", "assert_series_equal"), "=="),
    **dict.fromkeys(("assertAlmostEqual", "assertAlmostEquals", "assert_allclose", "assert_almost_equal"), "approx"),
    **dict.fromkeys(("assert_array_almost_equal", "assert_approx_equal"), "approx"),
    **{"assertNotEqual": "!=", "assertIs": "is", "assertIsNot": "is not", "assertIn": "in", "assertNotIn": "not in"},
    **{"assertGreater": ">", "assertGreaterEqual": ">=", "assertLess": "<", "assertLessEqual": "<="},
    **{"assertIsInstance": "isinstance", "assertCountEqual": "same_items", "assertItemsEqual": "same_items"},
    **{"assertRegex": "search", "assertRegexpMatches": "search", "assertIsNone": "is", "assertIsNotNone": "is not"},
}
_RAISES: Final = {
    **dict.fromkeys(("raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assert_raises"), "raises"),
    **dict.fromkeys(("warns", "assertWarns", "assertWarnsRegex", "deprecated_call"), "warns"),
}
# Truths about their first argument, or about what the method is called on.
_CALLS: Final = frozenset({"all", "any", "isinstance", "issubclass", "hasattr", "callable"})
_METHODS: Final = frozenset({"startswith", "endswith", "match", "search", "fullmatch"})
# How far apart numbers may be, and what holds where nothing is said. A larger value is looser, or a smaller one.
_LARGER_IS_LOOSER: Final = {
    "rel": 1e-6,
    "abs": 1e-12,
    "rtol": 1e-7,
    "atol": 0.0,
    "rel_tol": 1e-9,
    "abs_tol": 0.0,
    "delta": 0.0,
}
_SMALLER_IS_LOOSER: Final = {"places": 7.0, "decimal": 6.0, "significant": 7.0, "ndigits": 15.0}
_BY_PLACE: Final = {
    **dict.fromkeys(("approx", "allclose"), ((1, "rel"), (2, "abs"))),
    **dict.fromkeys(("assertAlmostEqual", "assertAlmostEquals", "assertNotAlmostEqual"), ((2, "places"),)),
    **dict.fromkeys(("assert_almost_equal", "assert_array_almost_equal"), ((2, "decimal"),)),
    **{"isclose": (), "assert_allclose": ((2, "rtol"), (3, "atol")), "round": ((1, "ndigits"),)},
}
# A call of these keeps only a part of what it is given.
_LOSSY: Final = frozenset(
    {"len", "sorted", "set", "frozenset", "bool", "type", "lower", "upper", "strip", "casefold", "round", "int", "abs"}
)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps an assertion from counting: a condition, a return before it, an exception that is swallowed."""

    kind: str
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
    tolerances: tuple[tuple[str, float], ...]
    match: str
    types: frozenset[str]
    guards: tuple[Obstacle, ...]
    cannot_fail: bool


class _WithoutTolerance(ast.NodeTransformer):
    """Takes the tolerances out of a copy of an assertion, and the wrappers that only carry them."""

    def __init__(self) -> None:
        self.found = list[tuple[str, float]]()

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        places = _BY_PLACE.get(last_name(node))
        if places is None:
            return node
        given = {name: node.args[place] for place, name in places if place < len(node.args)}
        known = [each for each in node.keywords if each.arg in _LARGER_IS_LOOSER or each.arg in _SMALLER_IS_LOOSER]
        given |= {each.arg: each.value for each in known if each.arg}
        for name, value in given.items():
            number = constant(value)
            self.found.append((name, float(number) if isinstance(number, int | float) else float("nan")))
        node.keywords = [each for each in node.keywords if each not in known]
        node.args = node.args[: min((place for place, _ in places), default=len(node.args))]
        return node.args[0] if last_name(node) in ("approx", "round") and node.args else node


def loosened_tolerance(old: Check, new: Check) -> str:
    """Return how the second tolerates more than the first, or an empty string."""
    before, after = dict(old.tolerances), dict(new.tolerances)
    for name in sorted(before.keys() | after.keys()):
        default = {**_LARGER_IS_LOOSER, **_SMALLER_IS_LOOSER}[name]
        was, now = before.get(name, default), after.get(name, default)
        looser = now < was if name in _SMALLER_IS_LOOSER else now > was
        if looser and not (name in after and before and name not in before):
            return f"`{name}` is {now:g} where it was {was:g}"
        if looser:
            return f"`{name}={now:g}` is new"
    return ""


def checks_in_expression(node: ast.expr, names: Mapping[str, str], guards: tuple[Obstacle, ...]) -> Iterable[Check]:
    """Yield what a plain assertion of the expression checks: each part of an ``and`` by itself."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values:
            yield from checks_in_expression(part, names, guards)
    elif isinstance(node, ast.Compare) and len(node.ops) > 1:
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            part = ast.copy_location(ast.Compare(left, [operator], [right]), node)
            yield from checks_in_expression(part, names, guards)
    else:
        yield _check(node, *_parts(node), names, guards)


def check_of_call(node: ast.Call, names: Mapping[str, str], guards: tuple[Obstacle, ...]) -> Iterable[Check]:
    """Yield what a call of an assertion checks: nothing if it is no known assertion."""
    name, args = last_name(node), node.args
    if name in _RAISES and isinstance(node.func, ast.Name | ast.Attribute) and len(args) > 1:
        yield raises_check(node, [ast.Expr(each) for each in args[1:]], names, guards)
    elif name in ("assertTrue", "assert_", "assertFalse") and args:
        tested = args[0] if name != "assertFalse" else ast.copy_location(ast.UnaryOp(ast.Not(), args[0]), args[0])
        yield from checks_in_expression(tested, names, guards)
    elif name in _NAMED and args:
        op = _NAMED[name]
        expected = args[1] if len(args) > 1 and not name.endswith("None") else _NONE
        if op in ("in", "not in"):
            tested = ast.Compare(args[0], [ast.In() if op == "in" else ast.NotIn()], [expected])
            yield _check(node, *_parts(tested), names, guards)
        else:
            yield _check(node, op, *_subject_first(args[0], expected), names, guards)
    elif name in ("fail", "assert_never") or name.startswith("assert"):
        subject = node.func.value if isinstance(node.func, ast.Attribute) else (args[0] if args else None)
        is_method = name in STRENGTH or not args
        rest = [*args[0 if is_method else 1 :], *(each.value for each in node.keywords)]
        subject = subject if is_method else args[0]
        yield _check(node, name, subject, rest[0] if len(rest) == 1 else ast.Tuple(rest, ast.Load()), names, guards)


def raises_check(
    call: ast.Call, body: list[ast.stmt] | list[ast.Expr], names: Mapping[str, str], guards: tuple[Obstacle, ...]
) -> Check:
    """Return the check of a ``raises`` or ``warns``, as a block or as a call."""
    name = last_name(call)
    # six and the like take the test case first.
    args = [each for each in call.args if not (isinstance(each, ast.Name) and each.id == "self")]
    match = next((each.value for each in call.keywords if each.arg in ("match", "expected_regex")), None)
    if match is None and "Regex" in name and len(args) > 1:
        match = args[1]
        body = body if len(args) == 2 or isinstance(body[0], ast.Expr) is False else body[1:]
    what = args[0] if args else next((each.value for each in call.keywords), _NONE)
    types = what.elts if isinstance(what, ast.Tuple) else [what]
    return _check(
        call,
        _RAISES[name],
        ast.Module(list(body), []),
        what,
        names,
        guards,
        match,
        frozenset(last_name(each) for each in types),
    )


def is_raises(node: ast.expr) -> bool:
    """Return whether the expression is a call of ``raises``, ``warns`` or the like."""
    return isinstance(node, ast.Call) and last_name(node) in _RAISES


def keeps_less(new: Check, old: Check) -> bool:
    """Return whether the new assertion looks only at a part of what the old one looked at (its length, its type)."""
    lossy = isinstance(new.subject, ast.Call) and last_name(new.subject) in _LOSSY
    before = isinstance(old.subject, ast.Call) and last_name(old.subject) in _LOSSY
    return lossy and not before and old.deep_subject in new.deep_subject


def _subject_first(left: ast.expr, right: ast.expr) -> tuple[ast.expr, ast.expr]:
    return (right, left) if is_literal(left) and not is_literal(right) else (left, right)


def _parts(node: ast.expr) -> tuple[str, ast.AST | None, ast.AST | None]:
    """Return how an expression without ``and`` compares, what, and with what."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        op, subject, expected = _parts(node.operand)
        opposite = _OPPOSITES.get(op)
        return (opposite, subject, expected) if opposite else ("not", node.operand, None)
    if isinstance(node, ast.Compare):
        op, right = _OPERATORS[type(node.ops[0])], node.comparators[0]
        left = node.left.value if isinstance(node.left, ast.NamedExpr) else node.left
        if op in ("in", "not in"):
            return (_AMONG[op], left, right) if is_literal(right) else (op, right, left)
        if op in ("==", "is", "!=", "is not"):
            left, right = _subject_first(left, right)
        elif is_literal(left) and not is_literal(right):
            left, right, op = right, left, op.translate(str.maketrans("<>", "><"))
        near = isinstance(left, ast.Call) and last_name(left) in ("approx", "round")
        near = near or (isinstance(right, ast.Call) and last_name(right) == "approx")
        return ("approx" if near and op == "==" else op), left, right
    if isinstance(node, ast.BoolOp):
        return "or", node, None
    if isinstance(node, ast.Call):
        name = last_name(node)
        if name in ("isclose", "allclose") and len(node.args) > 1:
            return "approx", node.args[0], node
        if name in _CALLS and isinstance(node.func, ast.Name) and node.args:
            return name, node.args[0], ast.Tuple(node.args[1:], ast.Load())
        if name in _METHODS and isinstance(node.func, ast.Attribute):
            is_re = last_name(node.func.value) == "re" and len(node.args) > 1
            return name, node.args[1] if is_re else node.func.value, node.args[0] if node.args else None
    return "truth", node, None


def _check(
    node: ast.expr,
    op: str,
    subject: ast.AST | None,
    expected: ast.AST | None,
    names: Mapping[str, str],
    guards: tuple[Obstacle, ...],
    match: ast.expr | None = None,
    types: frozenset[str] = frozenset(),
) -> Check:
    tolerances = tuple[tuple[str, float], ...]()
    bare_subject, bare_expected = subject, expected
    if any(isinstance(each, ast.Call) and last_name(each) in _BY_PLACE for each in ast.walk(node)):
        stripping = _WithoutTolerance()
        copies = [_copy(each) for each in (node, subject, expected)]
        stripping.visit(copies[0] or node)
        tolerances = tuple(stripping.found)
        bare_subject, bare_expected = (each and _WithoutTolerance().visit(each) for each in copies[1:])
    matched = key(match, names) if match is not None else ""
    raws = [op, key(bare_subject, {}), key(bare_expected, {}), key(match, {}) if match is not None else ""]
    deeps = [op, key(bare_subject, names), key(bare_expected, names), matched]
    extra = repr(tolerances)
    return Check(
        op, subject, expected, node.lineno, _text(node, subject), "|".join([*raws, extra]), "|".join([*deeps, extra]),
        raws[1], deeps[1], deeps[2], tolerances, matched, types, guards, _cannot_fail(op, subject, expected, names),
    )  # fmt: skip


def _text(node: ast.expr, subject: ast.AST | None) -> str:
    """Return the assertion as written; of a ``raises`` block its first statement too."""
    first = next((ast.unparse(each) for each in subject.body), "") if isinstance(subject, ast.Module) else ""
    return ast.unparse(node) if not first or first in ast.unparse(node) else f"{ast.unparse(node)}: {first}"


def _copy(node: ast.AST | None) -> ast.AST | None:
    """Return a copy made by writing the code and reading it again, which is never deeper than the code."""
    if not isinstance(node, ast.expr):
        return node
    return ast.parse(ast.unparse(node), mode="eval").body


def _cannot_fail(op: str, subject: ast.AST | None, expected: ast.AST | None, names: Mapping[str, str]) -> bool:
    """Return whether the comparison holds whatever the program does: constants, or a value with itself."""
    if subject is None:
        return False
    if isinstance(subject, ast.BoolOp):
        opposites = {key(each, names) for each in subject.values}
        negated = {key(each.operand, names) for each in subject.values if isinstance(each, ast.UnaryOp)}
        parts = [_parts(each) for each in subject.values]
        return not opposites.isdisjoint(negated) or any(_cannot_fail(*part, names) for part in parts)
    known = constant(subject) if isinstance(subject, ast.expr) else ...
    if op == "truth":
        filled = isinstance(subject, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.JoinedStr | ast.Lambda)
        empty = isinstance(subject, ast.Tuple | ast.List) and not subject.elts
        return (filled and not empty) or (known is not ... and bool(known))
    if op == "not":
        return known is not ... and not known
    if op == "isinstance" and expected is not None:
        return "Name object" in key(expected, {})
    if op in (">=", ">") and isinstance(subject, ast.Call) and last_name(subject) == "len":
        bound = constant(expected) if isinstance(expected, ast.expr) else ...
        return isinstance(bound, int) and bound < (op == ">=")
    if op not in ("==", "is", "<=", ">=", "approx", "in") or expected is None:
        return False
    if is_literal(subject) and is_literal(expected):
        return True
    # Two calls may give two answers, and what an attribute holds may change; a name is one value.
    calls = any(isinstance(each, ast.Call) for side in (subject, expected) for each in ast.walk(side))
    if isinstance(subject, ast.Name) and isinstance(expected, ast.Name | ast.Constant):
        return key(subject, names) == key(expected, names)
    return not calls and key(subject, {}) == key(expected, {})
