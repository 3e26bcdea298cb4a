"""How the work of a function grows with its input, by counted steps of Python: a bound that is tested, never proved.

Numbers in the lists that are given count every comparison, hash and sum themselves, so that `sorted` and `in` are seen.
Refuses to pass code whose work cannot be seen so: slices, copies, insertions, text put together, modules of C.
"""

from __future__ import annotations

import ast
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from probatum.judge.criteria.reading import FoundCode
from probatum.judge.criteria.tools import CriterionRuling, PythonRunner, ruled, unknown
from probatum.judge.layers import Basis
from probatum.readers.vocabulary import words_of

SIZES: Final = (16, 32, 64, 128, 256, 512, 1024)
BOUNDS: Final[Mapping[str, Callable[[int], float]]] = {
    "1": lambda _size: 1.0,
    "log n": math.log2,
    "n": float,
    "n log n": lambda size: size * math.log2(size),
    "n^2": lambda size: float(size * size),
}
# The work for eight times the input, divided by what the bound allows.
_KEEPS, _BREAKS = 1.12, 1.4
_COUNTED: Final = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For,
    ast.While, ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Raise, ast.Assert, ast.BoolOp, ast.BinOp,
    ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant, ast.Attribute, ast.Subscript, ast.Name, ast.List,
    ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.comprehension, ast.expr_context,
    ast.boolop, ast.operator, ast.unaryop, ast.cmpop, ast.ImportFrom, ast.alias,
)  # fmt: skip
"""What code may be made of: slices, generators, keywords and classes are not among it."""
_TYPING: Final = frozenset({"typing", "__future__", "collections.abc"})
_CALLS: Final = words_of("len range enumerate zip abs isinstance int float bool iter next divmod")
_WALKS: Final = words_of("sorted sum min max set dict sort")
"""What walks over a whole list: it is counted for the numbers that are given, and for no others."""
_METHODS: Final = words_of("append add get items keys values popleft appendleft discard setdefault")
_LARGEST: Final = 16
"""Of the numbers that code may name: a larger one can tell the sizes that are tried from others."""


def growth_ruling(bound: str, code: FoundCode, function: str, runner: PythonRunner) -> CriterionRuling:
    """Return whether the steps of a function of one list keep a bound."""
    counts = _counts(code.source, function, runner) if bound in BOUNDS else []
    if len(counts) < 4:
        return unknown("the function could not be called with lists of growing length, or takes too many steps")
    sizes = SIZES[: len(counts)]
    shares = [count / BOUNDS[bound](size) for size, count in zip(sizes, counts, strict=True)]
    grown = shares[-1] / shares[-4]
    why = f"{counts[-4]:,} steps for {sizes[-4]} items, {counts[-1]:,} for {sizes[-1]}"
    told = {"sizes": list(sizes), "steps": counts, "tested": True}
    if grown >= _BREAKS and all(one < other for one, other in zip(shares[-4:], shares[-3:], strict=False)):
        return ruled(False, Basis.EXECUTED, f"the work grows faster than O({bound}): {why}", **told)
    if grown > _KEEPS or len(counts) < len(SIZES) - 1:
        return unknown(f"the growth cannot be told from O({bound}): {why}")
    hidden = hidden_work(code.tree, function)
    if hidden:
        return unknown(f"the code does work that is not counted: {hidden}")
    return ruled(True, Basis.EXECUTED, f"the counted work keeps O({bound}): {why}", **told)


def _counts(source: str, function: str, runner: PythonRunner) -> list[int]:
    """Return the most steps that lists of each size take, as far as they could be counted."""
    most: list[int] = []
    for size in SIZES:
        counted = runner.counted(source, function, [(each,) for each in _lists(size)])
        if not counted or None in counted:
            return most
        most.append(max(each for each in counted if each is not None))
    return most


def _lists(size: int) -> Sequence[list[int]]:
    shuffled = random.Random(size).sample(range(size), size)  # noqa: S311  # no secret: the same lists each time
    organ = [*range(0, size, 2), *range(size - 1, 0, -2)]
    return [shuffled, list(range(size)), list(range(size, 0, -1)), [7] * size, organ]


def hidden_work(tree: ast.Module, function: str) -> str:
    """Return what of a program may do work that counting does not see; empty where there is nothing."""
    nodes = list(ast.walk(tree))
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef)]
    stored = Counter(each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))
    given = {each.arg for outer in functions if outer.name == function for each in outer.args.args} - {*stored}
    own = {each.name for each in functions}
    sets = Counter(name for each in nodes if isinstance(each, ast.Assign) for name in _set_names(each))
    numbers = {id(part) for node in nodes for part in _number_parts(node)}
    if (own | {*stored} | {each.arg for each in nodes if isinstance(each, ast.arg)}) & (_CALLS | _WALKS):
        return "a built-in function that is another one here"
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name), args=args) if name in _WALKS:
                # The least of two numbers is no walk, and an empty set is none either.
                is_given = len(args) == 1 and isinstance(args[0], ast.Name) and args[0].id in given
                if args and not is_given and (len(args) == 1 or name not in {"min", "max"}):
                    return f"{name}()"
            case ast.Call(func=ast.Name(id=name)) if name not in _CALLS | own:
                return f"{name}()"
            case ast.Call(func=ast.Attribute(attr="sort", value=ast.Name(id=name))) if name in given:
                pass
            case ast.Call(func=ast.Attribute(attr="pop"), args=[]):
                pass
            case ast.Call(func=ast.Attribute(attr=name)) if name not in _METHODS:
                return f".{name}()"
            case ast.Call(func=called) if not isinstance(called, ast.Name | ast.Attribute):
                return "a computed call"
            case ast.BinOp(op=ast.Add() | ast.Mult()) if id(node) not in numbers and not _is_number(node):
                return "a sum of what may be lists"
            case ast.AugAssign(op=ast.Add(), value=value) if not _is_number(value):
                return "a sum of what may be lists"
            case ast.BinOp(op=ast.Pow() | ast.LShift()) | ast.AugAssign(op=ast.Mult() | ast.Pow() | ast.LShift()):
                return "large numbers"
            case ast.BinOp(op=ast.Sub(), right=ast.UnaryOp()):
                return "large numbers"
            case ast.Constant(value=int() | float() as value) if abs(value) > _LARGEST:
                return f"the number {value!r}"[:40]
            case ast.Compare(left=ast.Name(), ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Name()]):
                return "a comparison of what may be lists"
            case ast.Compare(ops=[_, _, *_] as ops) if any(
                isinstance(each, ast.In | ast.NotIn | ast.Eq) for each in ops
            ):
                return "a chain of comparisons"
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[where]):
                if not isinstance(where, ast.Name) or sets[where.id] < max(1, stored[where.id]):
                    return "a search in a list"
            case ast.ImportFrom(module=module) if module in _TYPING:
                pass
            case ast.ImportFrom():
                return "an import"
            case _ if not isinstance(node, _COUNTED):
                return type(node).__name__
            case _:
                pass
    return ""


def _set_names(node: ast.Assign) -> list[str]:
    """Return the names to which an assignment gives a set or a table."""
    match node.value:
        case ast.Call(func=ast.Name(id="set" | "dict")) | ast.Dict() | ast.Set() | ast.SetComp() | ast.DictComp():
            return [each.id for each in node.targets if isinstance(each, ast.Name)]
        case _:
            return []


def _number_parts(node: ast.AST) -> list[ast.expr]:
    """Return the parts of an expression that can be nothing but numbers: what is divided, subtracted, or an index."""
    match node:
        case ast.BinOp(op=ast.Sub() | ast.FloorDiv() | ast.Div(), left=left, right=right):
            return [left, right]
        case ast.Subscript(slice=index):
            return [index]
        case _:
            return []


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | float)
        case ast.Call(func=ast.Name(id="len" | "abs" | "int")) | ast.UnaryOp() | ast.Compare():
            return True
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.BinOp(op=op, left=left, right=right):
            known = (ast.Sub, ast.FloorDiv, ast.Mod, ast.Div)
            return isinstance(op, known) or _is_number(left) or _is_number(right)
        case _:
            return False
