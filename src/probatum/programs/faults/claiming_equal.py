"""Comparisons that a class defines so that its objects could say what a test wants to hear.

A test asks a result whether it equals what is due. A class that answers by anything but its own parts, compared with
the same parts of the other object, answers as it likes. Which way an answer is reached does not matter, only what the
answers are.
"""

from __future__ import annotations

import ast
import builtins
import datetime
import decimal
import fractions
from collections.abc import Iterator, Set
from types import FunctionType, NoneType

from probatum.programs.parsing.expressions import called_name, last_name, names_in
from probatum.programs.parsing.scanning import word_set

_EQUAL = frozenset({"__eq__", "__ne__"})
_ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_OPERATORS = word_set(
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __mod__ __pow__"
    " __matmul__ __and__ __or__ __xor__ __contains__ __divmod__"
)
_NEVER = word_set("__class__ __getattribute__ __instancecheck__ __subclasscheck__ __subclasshook__")
DECIDE_EQUALITY = _EQUAL | _NEVER
"""What decides what an object is and equals: honest code defines the first two in the usual form, and no other."""
_OF_A_NUMBER = _OPERATORS | word_set("__bool__ __len__ __float__ __int__ __index__ __abs__ __round__")
_NUMBERS = word_set("bool bytes complex Decimal float Fraction int str")
_PLAIN = (
    *(bool, bytes, complex, dict, float, int, list, set, str, tuple, type, object, NoneType, FunctionType),
    *(datetime.datetime, datetime.timedelta, decimal.Decimal, fractions.Fraction, BaseException),
)
_OF_PLAIN_VALUES = frozenset(name for kind in _PLAIN for name in dir(kind))
_CONTENTS = word_set("dict float frozenset list repr set sorted str tuple")
_Body = list[ast.stmt]


def claims(node: ast.ClassDef, own: Set[str], taken: Set[str]) -> Iterator[tuple[int, str]]:
    """Yield line and name of each comparison of a class that can claim anything.

    ``own`` are the names that only classes of the file have, ``taken`` all that are bound around classes. Equality and
    order must be of the usual form; another operator must look at both operands, and a number or text of its own kind
    leaves it as Python has it.
    """
    is_number = any(last_name(base) in _NUMBERS for base in node.bases)
    for each in ast.walk(node):
        match each:
            case (
                ast.FunctionDef(name=name, args=args, body=body) | ast.AsyncFunctionDef(name=name, args=args, body=body)
            ):
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=args, body=answer)):
                body = [ast.Return(answer)]
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name in DECIDE_EQUALITY | _ORDER and not _is_inherited(value):
                yield each.lineno, name
                continue
            case _:
                continue
        never = _NEVER | _OF_A_NUMBER if is_number else _NEVER
        if name in never or _claims_anything(name, args, body, own, taken):
            yield each.lineno, name


def _is_inherited(value: ast.expr) -> bool:
    """True for None and for ``object.__eq__``: what Python's own classes do."""
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
        return hasattr(builtins, value.value.id) and value.attr in _EQUAL | _ORDER
    return isinstance(value, ast.Constant) and value.value is None


def _claims_anything(name: str, arguments: ast.arguments, body: _Body, own: Set[str], taken: Set[str]) -> bool:
    names = [each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)]
    whole = ast.Module(body, [])
    if name in _EQUAL | _ORDER:
        bound = names_in(whole, ast.Store) | set(names)
        # A name of Python's own must mean what it says.
        is_bent = any(hasattr(builtins, each) for each in bound | (names_in(whole) & taken))
        return is_bent or len(names) != 2 or not _Comparison(name, names[0], names[1], own - bound).is_usual(whole)
    if name not in _OPERATORS:
        return False
    returned = [each.value for each in ast.walk(whole) if isinstance(each, ast.Return) and each.value]
    looks_at_both = set(names[1:]) <= names_in(whole, ast.Load)
    decides = any(isinstance(each, ast.If | ast.For | ast.While | ast.Try) for each in body)
    return bool(returned) and not (
        looks_at_both and (decides or not all(isinstance(each, ast.Constant) for each in returned))
    )


class _Comparison:
    """One comparison: its name, by what names it calls the two objects, and what the file calls its own classes.

    Once the other object is known to be of this class, or the same part of both is looked at, nothing of a test's own
    can be claimed.
    """

    def __init__(self, name: str, this: str, other: str, own: Set[str]) -> None:
        self._is_order = name in _ORDER
        self._is_turned = name == "__ne__"
        self._this, self._other, self._own = this, other, own
        self._is_guarded = False
        self._is_handed_on = False
        self._given: dict[str, ast.expr] = {}

    def is_usual(self, method: ast.Module) -> bool:
        """True where all that it can answer is how parts of the one compare with the same parts of the other."""
        self._is_handed_on = any(
            isinstance(each, ast.Name) and each.id == self._other and not _only_looks(node)
            for node in ast.walk(method)
            for each in ast.iter_child_nodes(node)
        )
        return all(map(self._statement, method.body))

    def _statement(self, node: ast.stmt) -> bool:
        if self._is_guarded:
            return True
        match node:
            case ast.If(test=test, body=body, orelse=rest):
                told = self._guard(test)
                # ``if self.x != other.x: return False`` leaves objects with the same part.
                if not told and not self._is_order and self._answer(test, not self._is_turned):
                    told = "other"
                if told == "identical" and ast.unparse(body[0]) == "return True":
                    return all(map(self._statement, rest))
                held = told == "same" or all(map(self._statement, body))
                self._is_guarded = False
                rest_held = told == "other" or all(map(self._statement, rest))
                # What follows a refusal is about one of the same kind.
                self._is_guarded = told == "other" and _leaves(body)
                return held and rest_held
            case ast.Try(body=body, handlers=handlers, orelse=rest, finalbody=last):
                held, is_guarded = self._part(body)
                is_guarded = is_guarded and all(_leaves(each.body) for each in handlers)
                held = all([held, *(self._part(each.body)[0] for each in handlers)])
                self._is_guarded = is_guarded
                return held and all(map(self._statement, (*rest, *last)))
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._keep(target, value)
            case ast.Return(value=value):
                return value is None or self._answer(value, self._is_turned)
            case ast.Expr(value=value):
                return self._is_order or isinstance(value, ast.Constant)
            case ast.Raise() | ast.Pass() | ast.Assert() | ast.AnnAssign():
                return True
        return False

    def _part(self, body: _Body) -> tuple[bool, bool]:
        """Return whether all answers of a part are usual, and whether the other is of one kind after it."""
        self._is_guarded = False
        held = all(map(self._statement, body))
        return held, self._is_guarded

    def _keep(self, target: ast.expr, value: ast.expr) -> bool:
        """Let a name stand for what it is given, if it is given that once."""
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                return all(map(self._keep, targets, values))
            case ast.Name(id=name), _ if name not in {self._this, self._other, *self._given}:
                self._given[name] = self._spelt(value)
                return True
        return False

    def _spelt(self, node: ast.expr) -> ast.expr:
        """Return an expression without the names that stand for others."""
        spelt: ast.expr = _Spelling(self._given).visit(ast.parse(ast.unparse(node), mode="eval").body)
        return spelt

    def _guard(self, test: ast.expr) -> str:
        """Return whether a test finds an ``identical`` object, one of the ``same`` kind, or an ``other`` one."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return {"same": "other", "other": "same"}.get(self._guard(inner), "")
            case ast.BoolOp(op=how, values=values):
                sought = "same" if isinstance(how, ast.And) else "other"
                return sought if sought in map(self._guard, values) else ""
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]) if name == self._other:
                return "same" if self._is_own(kind) else ""
            case ast.Compare(left=left, ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as how], comparators=[at]):
                if isinstance(how, ast.Is) and {ast.unparse(left), ast.unparse(at)} == {self._this, self._other}:
                    return "identical"
                if {self._kind_of(left), self._kind_of(at)} == {self._this, self._other}:
                    return "same" if isinstance(how, ast.Is | ast.Eq) else "other"
        return ""

    def _kind_of(self, node: ast.expr) -> str:
        """Return of which of the two this is the class; empty where of neither."""
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)]):
                return name
            case ast.Attribute(value=ast.Name(id=name), attr="__class__"):
                return name
            case ast.Name(id=name) if name == "__class__" or name in self._own:
                return self._this
        return ""

    def _is_own(self, kind: ast.expr) -> bool:
        kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
        return all(self._kind_of(each) == self._this for each in kinds)

    def _answer(self, node: ast.expr, is_turned: bool) -> bool:
        """True where an answer, or its opposite if ``is_turned``, claims no equality but that of parts."""
        if self._guard(node) == ("other" if is_turned else "same"):
            return True
        match node:
            case ast.Name(id="NotImplemented"):
                return True
            case ast.Constant(value=bool() as value):
                return value is is_turned and not self._is_order
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self._answer(inner, not is_turned)
            case ast.BoolOp(op=how, values=values):
                return self._joined(values, is_turned, is_any=isinstance(how, ast.And) is is_turned)
            case ast.IfExp(test=test, body=first, orelse=second):
                told = self._guard(test)
                return (told == "same" or self._answer(first, is_turned)) and (
                    told == "other" or self._answer(second, is_turned)
                )
            case ast.Call(func=ast.Name(id="all"), args=[ast.List(elts=values) | ast.Tuple(elts=values)]):
                return self._joined(values, is_turned, is_any=is_turned)
            case ast.Call(func=ast.Name(id="bool"), args=[inner]):
                return self._answer(inner, is_turned)
            case ast.Call(args=[left, right]) if called_name(node) == "compare_digest":
                return self._compares_the_same(left, right) and not is_turned
            case ast.Call(func=ast.Attribute(value=whom, attr=name), args=[ast.Name(id=asked)]):
                of_super = isinstance(whom, ast.Call) and last_name(whom.func) == "super"
                is_asked = asked == self._other and (of_super or ast.unparse(whom) == self._this)
                return is_asked and (
                    name in _ORDER if self._is_order else name == "__ne__" if is_turned else name == "__eq__"
                )
            case ast.Compare(left=left, ops=[how], comparators=[right]):
                as_equal = (ast.NotEq, ast.IsNot) if is_turned else (ast.Eq, ast.Is)
                return (self._is_order or isinstance(how, as_equal)) and self._compares_the_same(left, right)
        return False

    def _joined(self, values: list[ast.expr], is_turned: bool, *, is_any: bool) -> bool:
        told = [self._guard(each) for each in values]
        answers = [
            self._answer(each, is_turned) or (kind == "identical") for each, kind in zip(values, told, strict=True)
        ]
        # Where all must hold, each of them limits what is claimed.
        return all(answers) and (self._is_order or "identical" in told) if is_any else any(answers)

    def _compares_the_same(self, left: ast.expr, right: ast.expr) -> bool:
        left, right = self._spelt(left), self._spelt(right)
        both = {ast.unparse(left), ast.unparse(right)}
        if both == {self._this, self._other}:
            return True
        # A part that stands for the whole answers for itself, unless it may just have been made the same.
        if not self._is_handed_on and any(
            ast.unparse(one) == self._other and self._is_part(part) for part, one in ((left, right), (right, left))
        ):
            return True
        here, there = (names_in(each) & {self._this, self._other} for each in (left, right))
        if {*here, *there} != {self._this, self._other} or len(here) != 1 or len(there) != 1:
            return False
        if _Spelling.all_one(left, min(here)) != _Spelling.all_one(right, min(there)):
            return False
        parts = {each.attr for each in ast.walk(left) if isinstance(each, ast.Attribute)}
        return _asks_for_contents(left, of_order=self._is_order) or (bool(_root(left)) and not parts & _OF_PLAIN_VALUES)

    def _is_part(self, node: ast.expr) -> bool:
        return _root(node) == self._this or (
            _asks_for_contents(node, of_order=False) and names_in(node) & {self._this, self._other} == {self._this}
        )


def _only_looks(node: ast.AST) -> bool:
    """True where what an expression does with a value is to look at a part, at its kind or at equality."""
    match node:
        case ast.Attribute() | ast.Tuple():
            return True
        case ast.Compare(ops=ops):
            return all(isinstance(each, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) for each in ops)
        case ast.Call(func=func):
            return last_name(func) in _EQUAL | _ORDER or (isinstance(func, ast.Name) and hasattr(builtins, func.id))
    return False


def _leaves(body: _Body) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise)


class _Spelling(ast.NodeTransformer):
    """Puts expressions in place of names."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)

    @staticmethod
    def all_one(node: ast.expr, name: str) -> str:
        """Return what is written where one name stands for either object."""
        one = _Spelling({name: ast.Name("_")})
        return ast.dump(one.visit(ast.parse(ast.unparse(node), mode="eval").body))


def _asks_for_contents(node: ast.expr, *, of_order: bool) -> bool:
    """True for ``list(self)``, and where only order is asked for ``abs(self)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    return node.func.id in _CONTENTS or (of_order and hasattr(builtins, node.func.id))


def _root(node: ast.expr) -> str:
    """Return the name at which attributes and calls begin, also of a tuple of such; empty for anything else."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            roots = {_root(each) for each in parts}
            return roots.pop() if len(roots) == 1 else ""
        case ast.Attribute(value=ast.Name(id=name)):
            return name
        case ast.Attribute(value=inner) | ast.Call(func=ast.Attribute() as inner):
            return _root(inner)
        case ast.Call(func=ast.Name(id=name), args=[]):
            return name
    return ""
