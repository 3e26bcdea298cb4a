"""Faults in expressions: another operator, another constant, another bound.

Left out is what every run would notice at once (type errors, division by zero) and what the text shows to change
nothing: both would bend the measure.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst

from probatum.programs.faults.kinds import kind_of
from probatum.programs.faults.part_faults import is_character_set
from probatum.programs.faults.planting import Edit, Mutation, shorten
from probatum.programs.faults.sites import Rules, Site
from probatum.programs.faults.syntax import only_statement

_NEGATIONS: dict[type[libcst.CSTNode], tuple[str, str]] = {
    libcst.LessThan: ("<", ">="),
    libcst.LessThanEqual: ("<=", ">"),
    libcst.GreaterThan: (">", "<="),
    libcst.GreaterThanEqual: (">=", "<"),
    libcst.Equal: ("==", "!="),
    libcst.NotEqual: ("!=", "=="),
    libcst.In: ("in", "not in"),
    libcst.NotIn: ("not in", "in"),
    libcst.Is: ("is", "is not"),
    libcst.IsNot: ("is not", "is"),
}
# An order instead of an equality: for numbers alone, because not everything has an order.
_EQUALITIES: dict[type[libcst.CSTNode], tuple[str, tuple[str, str]]] = {
    libcst.Equal: ("==", ("<=", ">=")),
    libcst.NotEqual: ("!=", ("<", ">")),
}
_BOUNDARIES: dict[type[libcst.CSTNode], tuple[str, str]] = {
    libcst.LessThan: ("<", "<="),
    libcst.LessThanEqual: ("<=", "<"),
    libcst.GreaterThan: (">", ">="),
    libcst.GreaterThanEqual: (">=", ">"),
}
_OPERATIONS: dict[type[libcst.CSTNode], tuple[str, str]] = {
    libcst.Subtract: ("-", "+"),
    libcst.Multiply: ("*", "+"),
    libcst.Divide: ("/", "*"),
    libcst.FloorDivide: ("//", "/"),
    libcst.Modulo: ("%", "//"),
    libcst.Power: ("**", "*"),
    libcst.LeftShift: ("<<", ">>"),
    libcst.RightShift: (">>", "<<"),
    libcst.BitAnd: ("&", "|"),
    libcst.BitOr: ("|", "&"),
    libcst.BitXor: ("^", "&"),
}
# Python refuses to write much longer numbers in decimals.
_MOST_BITS = 4096
_SEQUENCES = frozenset({"text", "list", "tuple"})


def _comparison(site: Site, node: libcst.ComparisonTarget) -> Iterator[Mutation]:
    parent = site.parent
    if not isinstance(parent, libcst.Comparison):
        return
    operator = type(node.operator)
    if operator in _BOUNDARIES and not _only_picks_one_side(site, parent):
        old, new = _BOUNDARIES[operator]
        yield site.replacing(node.operator, new, "boundary", f"uses {new} for {old}")
    if operator in _EQUALITIES and "number" in (kind_of(parent.left, site.kinds), kind_of(node.comparator, site.kinds)):
        old, others = _EQUALITIES[operator]
        for new in others:
            yield site.replacing(node.operator, new, "boundary", f"uses {new} for {old}")
    if operator in _NEGATIONS:
        old, new = _NEGATIONS[operator]
        yield site.replacing(node.operator, new, "comparison", f"uses {new} for {old}")


def _only_picks_one_side(site: Site, comparison: libcst.Comparison) -> bool:
    # `if a > b: b = a`, `a if a > b else b` and a guarded swap do the same for equal sides.
    if len(comparison.comparisons) != 1:
        return False
    sides = {site.text(comparison.left), site.text(comparison.comparisons[0].comparator)}
    around = site.ancestor(2)
    if isinstance(around, libcst.IfExp) and around.test is comparison:
        return {site.text(around.body), site.text(around.orelse)} == sides
    if not isinstance(around, libcst.If) or around.test is not comparison or around.orelse is not None:
        return False
    small = only_statement(around.body)
    if not isinstance(small, libcst.Assign) or len(small.targets) != 1:
        return False
    target, value = site.text(small.targets[0].target), site.text(small.value)
    swapped = {f"{a}, {b}" for a in sides for b in sides if a != b}
    return {target, value} in (sides, swapped)


def _boolean(site: Site, node: libcst.BooleanOperation) -> Iterator[Mutation]:
    old, new = ("and", "or") if isinstance(node.operator, libcst.And) else ("or", "and")
    yield site.replacing(node.operator, new, "boolean", f"uses {new} for {old}")


def _arithmetic(site: Site, node: libcst.BinaryOperation) -> Iterator[Mutation]:
    left, right = kind_of(node.left, site.kinds), kind_of(node.right, site.kinds)
    if isinstance(node.operator, libcst.Add):
        if "number" in (left, right):
            yield site.replacing(node.operator, "-", "arithmetic", "uses - for +")
        return
    if _SEQUENCES & {left, right} or type(node.operator) not in _OPERATIONS:
        return
    old, new = _OPERATIONS[type(node.operator)]
    if isinstance(node.operator, libcst.Subtract) and "set" in (left, right):
        new = "|"
    yield site.replacing(node.operator, new, "arithmetic", f"uses {new} for {old}")


def _sign(site: Site, node: libcst.UnaryOperation) -> Iterator[Mutation]:
    if isinstance(node.expression, libcst.Integer | libcst.Float):
        return
    if isinstance(node.operator, libcst.Not):
        yield _without_sign(site, node, "condition", "not")
    elif isinstance(node.operator, libcst.Minus):
        yield _without_sign(site, node, "arithmetic", "-")


def _without_sign(site: Site, node: libcst.UnaryOperation, operator: str, sign: str) -> Mutation:
    before = site.ground.source.text[: site.span(node)[0]][-1:]
    glue = " " if before.isidentifier() or before.isdigit() else ""
    words = f"leaves out {sign} before {site.shown(node.expression)}"
    return site.replacing(node.operator, glue, operator, words)


def _integer(site: Site, integer: libcst.Integer) -> Iterator[Mutation]:
    node: libcst.BaseExpression = integer
    above = site.ancestors
    if isinstance(site.parent, libcst.UnaryOperation):
        if not isinstance(site.parent.operator, libcst.Minus):
            return
        node, above = site.parent, site.ancestors[:-1]
    value = int(ast.literal_eval(site.text(node).replace(" ", "")))
    if value.bit_length() > _MOST_BITS:
        return
    for new in _other_integers(node, above, value):
        yield site.replacing(node, str(new), "constant", f"uses {new} for {site.shown(node)}")


def _other_integers(node: libcst.CSTNode, above: tuple[libcst.CSTNode, ...], value: int) -> tuple[int, ...]:
    around = above[-1]
    if _is_step(node, above):
        return (1,) if value == -1 else tuple(new for new in (value + 1, value - 1) if new != 0)
    divides = (
        isinstance(around, libcst.BinaryOperation)
        and around.right is node
        and isinstance(around.operator, libcst.Divide | libcst.FloorDivide | libcst.Modulo)
    )
    if divides or isinstance(around, libcst.AugAssign):
        return tuple(new for new in (value + 1, value - 1) if new != 0)
    if isinstance(around, libcst.ComparisonTarget):
        return _other_limits(around, above, value)
    return (value + 1, value - 1)


def _other_limits(target: libcst.ComparisonTarget, above: tuple[libcst.CSTNode, ...], value: int) -> tuple[int, ...]:
    # A boundary fault of the operator makes the other change of the limit already.
    comparison = above[-2]
    if isinstance(comparison, libcst.Comparison) and len(comparison.comparisons) == 1:
        if isinstance(target.operator, libcst.LessThan | libcst.GreaterThanEqual):
            return (value - 1,)
        if isinstance(target.operator, libcst.LessThanEqual | libcst.GreaterThan):
            return (value + 1,)
    return (value + 1,)


def _is_step(node: libcst.CSTNode, above: tuple[libcst.CSTNode, ...]) -> bool:
    around = above[-1]
    if isinstance(around, libcst.Slice):
        return around.step is node
    call = above[-2] if len(above) > 1 else None
    return (
        isinstance(around, libcst.Arg)
        and isinstance(call, libcst.Call)
        and isinstance(call.func, libcst.Name)
        and call.func.value == "range"
        and len(call.args) == 3
        and call.args[2] is around
    )


def _float(site: Site, node: libcst.Float) -> Iterator[Mutation]:
    new = repr(float(ast.literal_eval(site.text(node))) + 1.0)
    yield site.replacing(node, new, "constant", f"uses {new} for {site.text(node)}")


def _text(site: Site, node: libcst.SimpleString) -> Iterator[Mutation]:
    if site.inside(libcst.Raise, libcst.FormattedStringExpression):
        return
    if isinstance(site.parent, libcst.Expr | libcst.Index):
        return
    value = ast.literal_eval(site.text(node))
    if not isinstance(value, str) or is_character_set(site, node):
        return
    new, old = repr("XX" + value), site.shown(node)
    yield site.replacing(node, new, "constant", f"uses {shorten(new)} for {old}")
    if value and not _needs_characters(site):
        yield site.replacing(node, '""', "constant", f'uses "" for {old}')


_REFUSE_EMPTY = frozenset(
    {"split", "rsplit", "partition", "rpartition", "ord", "int", "float", "open", "getattr", "strptime", "count"}
)


def _needs_characters(site: Site) -> bool:
    # An empty separator, digit or character is an error wherever it is reached, or finds everything.
    if isinstance(site.parent, libcst.ComparisonTarget):
        return isinstance(site.parent.operator, libcst.Equal | libcst.NotEqual)
    call = site.ancestor(2)
    if isinstance(call, libcst.Call) and isinstance(site.parent, libcst.Arg):
        name = call.func.attr if isinstance(call.func, libcst.Attribute) else call.func
        return isinstance(name, libcst.Name) and name.value in _REFUSE_EMPTY
    return False


def _truth(site: Site, node: libcst.Name) -> Iterator[Mutation]:
    if isinstance(site.parent, libcst.While):
        return
    if node.value in {"True", "False"}:
        new = "False" if node.value == "True" else "True"
        yield site.replacing(node, new, "constant", f"uses {new} for {node.value}")
    elif node.value == "None" and isinstance(site.parent, libcst.Return):
        yield site.replacing(node, "0", "constant", "returns 0 for None")


_BARE = (libcst.Name, libcst.Call, libcst.Attribute, libcst.Subscript)


def _negated_condition(site: Site, node: libcst.If | libcst.While | libcst.IfExp | libcst.CompIf) -> Iterator[Mutation]:
    is_constant = isinstance(node.test, libcst.Name) and node.test.value in {"True", "False"}
    if isinstance(node.test, _BARE) and not is_constant:
        text = site.text(node.test)
        yield site.replacing(node.test, f"not ({text})", "condition", f"uses not {shorten(text)} for {shorten(text)}")


def _missing_filter(site: Site, node: libcst.CompIf) -> Iterator[Mutation]:
    words = f"leaves out the condition {site.shown(node.test)}"
    yield site.replacing(node.test, "True", "condition_removed", words)


def _slice_bounds(site: Site, node: libcst.Slice) -> Iterator[Mutation]:
    if node.lower is not None and _can_be_shifted(node.lower):
        yield _shifted(site, node.lower, "+ 1", "starts its slice")
    if node.upper is not None and _can_be_shifted(node.upper):
        yield _shifted(site, node.upper, "- 1", "ends its slice")
        yield _shifted(site, node.upper, "+ 1", "ends its slice")


def _can_be_shifted(node: libcst.BaseExpression) -> bool:
    # Constants, and sums with one, are shifted by changing the constant.
    if isinstance(node, libcst.BinaryOperation):
        return not isinstance(node.right, libcst.Integer) and not isinstance(node.left, libcst.Integer)
    if isinstance(node, libcst.UnaryOperation):
        return not isinstance(node.expression, libcst.Integer)
    return not isinstance(node, libcst.Integer)


def _shifted(site: Site, node: libcst.BaseExpression, shift: str, words: str) -> Mutation:
    text = site.text(node)
    new = f"{text} {shift}" if isinstance(node, _BARE) else f"({text}) {shift}"
    return site.replacing(node, new, "boundary", f"{words} at {shorten(new)} for {shorten(text)}")


def _range_bounds(site: Site, node: libcst.Call) -> Iterator[Mutation]:
    if not isinstance(node.func, libcst.Name) or node.func.value != "range":
        return
    if not 1 <= len(node.args) <= 3 or any(arg.star or arg.keyword is not None for arg in node.args):
        return
    first = node.args[0].value
    stop = node.args[min(1, len(node.args) - 1)].value
    if len(node.args) == 1:
        at = site.span(first)[0]
        yield site.fault(node, (Edit(at, at, "1, "),), "boundary", f"starts range({site.shown(first)}) at 1")
    elif _can_be_shifted(first):
        yield _shifted(site, first, "+ 1", "starts its range")
    if _can_be_shifted(stop):
        yield _shifted(site, stop, "- 1", "ends its range")
        yield _shifted(site, stop, "+ 1", "ends its range")


EXPRESSION_RULES: Rules = {
    libcst.ComparisonTarget: (_comparison,),
    libcst.BooleanOperation: (_boolean,),
    libcst.BinaryOperation: (_arithmetic,),
    libcst.UnaryOperation: (_sign,),
    libcst.Integer: (_integer,),
    libcst.Float: (_float,),
    libcst.SimpleString: (_text,),
    libcst.Name: (_truth,),
    libcst.If: (_negated_condition,),
    libcst.While: (_negated_condition,),
    libcst.IfExp: (_negated_condition,),
    libcst.CompIf: (_negated_condition, _missing_filter),
    libcst.Slice: (_slice_bounds,),
    libcst.Call: (_range_bounds,),
}
