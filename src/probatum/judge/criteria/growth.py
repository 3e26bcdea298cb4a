"""How the work of a function grows with its input, by counted steps of Python: a bound that is tested, never proved.

Numbers in the lists that are given count every comparison, hash and sum themselves, so that `sorted` and `in` are seen.
Refuses to pass code whose work cannot be seen so: slices, copies, insertions, text put together, modules of C.
"""

from __future__ import annotations

import ast
import math
import random
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
_SEEN_CALLS: Final = words_of(
    "len range enumerate zip abs isinstance sorted sum min max int float bool print iter next divmod"
)
_SEEN_METHODS: Final = words_of("append add pop sort get items keys values popleft appendleft discard setdefault")
_USING_UP: Final = frozenset({"sum", "min", "max", "sorted", "set", "dict"})
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
    hidden = hidden_work(code.tree, function) or _hidden_in_loops(code.tree, function, bound)
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
    """Return what of a program does work that counting does not see; empty where there is nothing."""
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    numeric = _numeric_sums(tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    # Of a generator, only what a call uses up at once is counted.
    taken = {id(each) for node in calls if getattr(node.func, "id", "") in _USING_UP for each in node.args}
    for node in ast.walk(tree):
        match node:
            case ast.Slice() | ast.Delete() | ast.Starred() | ast.JoinedStr() | ast.Await() | ast.ClassDef():
                return type(node).__name__
            case ast.Import() | ast.ImportFrom() if not _is_typing(node):
                return "an import"
            case ast.Call(func=ast.Name(id=name)) if name not in _SEEN_CALLS | defined | {"set", "dict"}:
                return f"{name}()"
            case ast.Call(func=ast.Attribute(attr=name), args=given) if name not in _SEEN_METHODS or (
                name == "pop" and given
            ):
                return f".{name}()"
            case ast.Call(func=called) if not isinstance(called, ast.Name | ast.Attribute):
                return "a computed call"
            case ast.BinOp(op=ast.Add() | ast.Mult()) if id(node) not in numeric:
                return "a sum of what may be lists"
            case ast.Yield() | ast.YieldFrom():
                return "what runs later"
            case ast.GeneratorExp() if id(node) not in taken:
                return "what runs later"
            case ast.Constant(value=int() | float() as value) if abs(value) > _LARGEST:
                return f"the number {value!r}"[:40]
            case ast.BinOp(op=ast.Sub(), right=ast.UnaryOp()):
                return "large numbers"
            case ast.BinOp(op=ast.Pow() | ast.LShift()):
                return "large numbers"
            case ast.AugAssign(op=ast.Mult()):
                return "a product"
            case ast.AugAssign(op=ast.Add(), value=value) if not _is_number(value):
                return "a sum of what may be lists"
            case ast.Compare(ops=ops) if any(isinstance(each, ast.Eq | ast.NotEq) for each in ops) and _compares_wholes(
                node
            ):
                return "a comparison of what may be lists"
            case ast.Name(id="eval" | "exec" | "globals" | "getattr" | "__builtins__") | ast.Global() | ast.Nonlocal():
                return "names reached by text"
            case ast.Attribute(attr=name) if name.startswith("__"):
                return f".{name}"
            case _:
                pass
    return ""


def _hidden_in_loops(tree: ast.Module, function: str, bound: str) -> str:
    """Return what walks over a whole list where that is not counted: its numbers may be others than those given."""
    loops = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    nodes = list(ast.walk(tree))
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef)]
    # Another function, or one that calls itself, may run as often as a loop.
    again = [each for each in functions if each.name != function or _calls(each, function)]
    outers = [*(each for each in nodes if isinstance(each, loops)), *again]
    often = {id(each) for outer in outers for each in ast.walk(outer)}
    given = {each.arg for outer in functions if outer.name == function for each in outer.args.args}
    sets = {
        target.id
        for each in nodes
        if isinstance(each, ast.Assign) and _is_hashed(each.value)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id="sum" | "min" | "max" | "sorted" | "set" | "dict" as name), args=args):
                is_given = len(args) == 1 and isinstance(args[0], ast.Name) and args[0].id in given
                if len(args) == 1 and not is_given and (id(node) in often or bound != "n^2"):
                    return f"{name}()"
            case ast.Call(func=ast.Attribute(attr="sort", value=ast.Name(id=name))) if name not in given:
                return ".sort()"
            case ast.Compare(ops=ops, comparators=[*_, ast.expr() as last]):
                is_set = isinstance(last, ast.Name) and last.id in sets
                if any(isinstance(each, ast.In | ast.NotIn) for each in ops) and not is_set:
                    return "a search in a list"
            case _:
                pass
    return ""


def _calls(function: ast.FunctionDef, name: str) -> bool:
    calls = (each.func for each in ast.walk(function) if isinstance(each, ast.Call))
    return any(isinstance(each, ast.Name) and each.id == name for each in calls)


def _is_hashed(node: ast.expr) -> bool:
    is_made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"set", "dict"}
    return is_made or isinstance(node, ast.Dict | ast.Set | ast.SetComp | ast.DictComp)


def _is_typing(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module in {"typing", "__future__", "collections.abc"}


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | float)
        case ast.Call(func=ast.Name(id="len" | "abs" | "int")) | ast.UnaryOp() | ast.Compare():
            return True
        case ast.BinOp(op=op):
            return (
                isinstance(op, ast.Sub | ast.FloorDiv | ast.Mod | ast.Div)
                or _is_number(node.left)
                or _is_number(node.right)
            )
        case _:
            return False


def _numeric_sums(tree: ast.Module) -> set[int]:
    """Return the sums and products that are of numbers: one side is one, or the result is divided or subtracted."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Add) and (_is_number(node.left) or _is_number(node.right)):
                found.add(id(node))
            if isinstance(node.op, ast.Mult) and _is_number(node.left) and _is_number(node.right):
                found.add(id(node))
            if isinstance(node.op, ast.Sub | ast.FloorDiv | ast.Div):
                found |= {id(each) for each in (node.left, node.right) if isinstance(each, ast.BinOp)}
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.BinOp):
            found.add(id(node.slice))
    return found


def _compares_wholes(node: ast.Compare) -> bool:
    """Return whether two plain names are compared: they may be lists."""
    return isinstance(node.left, ast.Name) and any(isinstance(each, ast.Name) for each in node.comparators)
