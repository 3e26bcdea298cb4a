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
from collections.abc import Iterator
from types import FunctionType, NoneType

from probatum.programs.parsing.expressions import called_name, last_name, names_in
from probatum.programs.parsing.scanning import word_set

_EQUAL = frozenset({"__eq__", "__ne__"})
_ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_OPERATORS = word_set(
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __mod__ __pow__"
    " __matmul__ __and__ __or__ __xor__ __contains__ __divmod__"
)
_NEVER = word_set("__class__ __getattribute__ __instancecheck__ __subclasscheck__")
DECIDE_EQUALITY = _EQUAL | _NEVER
"""What decides what an object is and equals: honest code defines the first two in the usual form, and no other."""
_OF_A_NUMBER = _OPERATORS | word_set("__bool__ __len__ __float__ __int__ __index__ __abs__ __round__")
_NUMBERS = word_set("bool bytes complex Decimal float Fraction int str")
_PLAIN = (
    *(bool, bytes, complex, dict, float, int, list, set, str, tuple, type, object, NoneType, FunctionType),
    *(datetime.datetime, datetime.timedelta, decimal.Decimal, fractions.Fraction, BaseException),
)
_OF_PLAIN_VALUES = frozenset(name for kind in _PLAIN for name in dir(kind))
_Body = list[ast.stmt]


def claims(node: ast.ClassDef, own: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield line and name of each comparison of a class that can claim anything; ``own`` are the classes of the file.

    Equality and order must be of the usual form; another operator must look at both operands, and a number or text
    of its own kind leaves it as Python has it.
    """
    is_number = any(last_name(base) in _NUMBERS for base in node.bases)
    for each in ast.walk(node):
        match each:
            case (
                ast.FunctionDef(name=name, args=args, body=body) | ast.AsyncFunctionDef(name=name, args=args, body=body)
            ):
                if _claims_anything(name, args, body, own, is_number=is_number):
                    yield each.lineno, name
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name in DECIDE_EQUALITY | _ORDER and not _is_inherited(value):
                match value:
                    case ast.Lambda(args=args, body=answer):
                        if _claims_anything(name, args, [ast.Return(answer)], own, is_number=is_number):
                            yield each.lineno, name
                    case _:
                        yield each.lineno, name


def _is_inherited(value: ast.expr) -> bool:
    """True for None and for ``object.__eq__``: what Python's own classes do."""
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
        return hasattr(builtins, value.value.id) and value.attr in _EQUAL | _ORDER
    return isinstance(value, ast.Constant) and value.value is None


def _claims_anything(name: str, arguments: ast.arguments, body: _Body, own: frozenset[str], *, is_number: bool) -> bool:
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    if name in _NEVER or (is_number and name in _OF_A_NUMBER):
        return True
    if name in _EQUAL | _ORDER:
        return len(names) != 2 or not _Comparison(name, names[0], names[1], own).is_usual(body)
    if name not in _OPERATORS:
        return False
    whole = ast.Module(body, [])
    returned = [each.value for each in ast.walk(whole) if isinstance(each, ast.Return) and each.value]
    looks_at_both = set(names[1:]) <= names_in(whole, ast.Load)
    return bool(returned) and (not looks_at_both or all(isinstance(each, ast.Constant) for each in returned))


class _Comparison:
    """One comparison: its name, by what names it calls the two objects, and what the file calls its own classes."""

    def __init__(self, name: str, this: str, other: str, own: frozenset[str]) -> None:
        self._is_order = name in _ORDER
        self._is_turned = name == "__ne__"
        self._this, self._other, self._own = this, other, own
        # Whether the other object is known to be of this class where we are.
        self._is_guarded = False

    def is_usual(self, body: _Body) -> bool:
        """True where all that it can answer is how parts of the one compare with the same parts of the other."""
        return all(map(self._statement, body)) and any(isinstance(each, ast.Return | ast.If) for each in body)

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.If(test=test, body=body, orelse=rest):
                before, told = self._is_guarded, self._guard(test)
                if told == "identical" and ast.unparse(body[0]) == "return True":
                    return all(map(self._statement, rest))
                self._is_guarded = before or told == "same"
                held = all(map(self._statement, body))
                # What follows a refusal is about one of the same kind; so is what stands beside it.
                self._is_guarded = before or (told == "other" and isinstance(body[-1], ast.Return | ast.Raise))
                return all(map(self._statement, rest)) and held
            case ast.Return(value=ast.expr() as value):
                return self._answer(value, self._is_turned)
            case ast.Expr(value=ast.Constant()) | ast.Raise() | ast.Pass() | ast.Assert():
                return True
            case _:
                return False

    def _guard(self, test: ast.expr) -> str:
        """Return whether a test finds an ``identical`` object, one of the ``same`` kind, or an ``other`` one."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return {"same": "other", "other": "same"}.get(self._guard(inner), "")
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
                before, told = self._is_guarded, self._guard(test)
                self._is_guarded = before or told == "same"
                held = self._answer(first, is_turned)
                self._is_guarded = before or told == "other"
                held = self._answer(second, is_turned) and held
                self._is_guarded = before
                return held
            case ast.Call(func=ast.Name(id="bool"), args=[inner]):
                return self._answer(inner, is_turned)
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(elt=part, generators=[each])]):
                return self._is_guarded and self._all_of(part, each)
            case ast.Call(func=ast.Attribute(value=whom, attr=name), args=[ast.Name(id=asked)]):
                of_super = isinstance(whom, ast.Call) and last_name(whom.func) == "super"
                is_asked = asked == self._other and (of_super or ast.unparse(whom) == self._this)
                return is_asked and (
                    name == ("__ne__" if is_turned else "__eq__") or (self._is_order and name in _ORDER)
                )
            case ast.Compare(left=left, ops=[how], comparators=[right]):
                as_equal = (ast.NotEq, ast.IsNot) if is_turned else (ast.Eq, ast.Is)
                return (self._is_order or isinstance(how, as_equal)) and self._compares_the_same(left, right)
        return False

    def _joined(self, values: list[ast.expr], is_turned: bool, *, is_any: bool) -> bool:
        before, told = self._is_guarded, [self._guard(each) for each in values]
        self._is_guarded = before or (not is_any and ("other" if is_turned else "same") in told)
        answers = [
            self._answer(each, is_turned) or (kind == "identical") for each, kind in zip(values, told, strict=True)
        ]
        self._is_guarded, is_guarded = before, self._is_guarded
        # Where all must hold, each of them limits what is claimed.
        return all(answers) and (is_guarded or self._is_order) if is_any else any(answers)

    def _all_of(self, part: ast.expr, each: ast.comprehension) -> bool:
        match each.target, each.iter:
            case ast.Tuple(elts=[ast.Name(), ast.Name()]), ast.Call(func=ast.Name(id="zip"), args=[left, right]):
                return isinstance(part, ast.Compare) and self._compares_the_same(left, right)
        return self._answer(part, is_turned=False)

    def _compares_the_same(self, left: ast.expr, right: ast.expr) -> bool:
        if {ast.unparse(left), ast.unparse(right)} == {self._this, self._other}:
            return True
        # A part that stands for the whole answers for itself.
        if any(
            ast.unparse(one) == self._other and _root(part) == self._this
            for part, one in ((left, right), (right, left))
        ):
            return True
        here, there = (names_in(each) & {self._this, self._other} for each in (left, right))
        if len(here) != 1 or len(there) != 1 or here == there:
            return False
        if _named_otherwise(left, min(here)) != _named_otherwise(right, min(there)):
            return False
        asks_python = isinstance(left, ast.Call) and hasattr(builtins, called_name(left))
        if self._is_guarded or (self._is_order and asks_python):
            return True
        parts = {each.attr for each in ast.walk(left) if isinstance(each, ast.Attribute)}
        return bool(_root(left)) and not parts & _OF_PLAIN_VALUES


def _root(node: ast.expr) -> str:
    """Return the name at which attributes begin, also of a tuple of such; empty for anything else."""
    if isinstance(node, ast.Tuple | ast.List):
        roots = {_root(each) for each in node.elts}
        return roots.pop() if len(roots) == 1 else ""
    if not isinstance(node, ast.Attribute):
        return ""
    return node.value.id if isinstance(node.value, ast.Name) else _root(node.value)


def _named_otherwise(node: ast.expr, name: str) -> str:
    copied = ast.parse(ast.unparse(node), mode="eval").body
    for each in ast.walk(copied):
        if isinstance(each, ast.Name) and each.id == name:
            each.id = "_"
    return ast.dump(copied)
