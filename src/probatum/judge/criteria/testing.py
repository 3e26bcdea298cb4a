"""Tells which tests of an output check something that its code gives.

A test counts where a comparison that is always reached looks at what a call of the code gave. Refuses to count one that
is skipped, defined again, or whose assertion may be caught or never reached: of those it is not certain.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from probatum.judge.criteria.reading import FoundCode, Function
from probatum.judge.criteria.usage import imports_of, names_in, stored_in

_LEAVES: Final = frozenset({"skip", "skipif", "skipIf", "skipTest", "xfail", "exit", "fail"})
_ODD: Final = (ast.AsyncFunctionDef, ast.Yield, ast.YieldFrom, ast.Return, ast.Try, ast.TryStar)


def tests_that_check(code: FoundCode) -> list[bool | None]:
    """Return of each test whether it checks something of the code; False where it asserts nothing, None if unclear."""
    tests = code.test_functions()
    tree = code.tests_tree or code.tree
    counts = Counter(each.name for each in tests)
    own = {each.name for each in code.tree.body if isinstance(each, Function | ast.ClassDef)} - {*counts}
    imports = imports_of(tree)
    meant = {bound for module, names in imports.items() if module.rpartition(".")[2] in own for bound in names}
    meant |= own - ({*counts} if code.tests_tree is None else _bound(tree))
    modules = {name for names in imports.values() for name in names} - meant
    return [_state(each, meant, modules) if counts[each.name] == 1 else None for each in tests]


def _bound(tree: ast.Module) -> set[str]:
    """Return the names that a file of tests defines for itself."""
    found = {each.name for each in tree.body if isinstance(each, Function | ast.ClassDef)}
    return found.union(*(stored_in(each) for each in tree.body if isinstance(each, ast.Assign)))


def _state(test: Function, meant: set[str], modules: set[str]) -> bool | None:
    nodes, names, stored = list(ast.walk(test)), names_in(test), stored_in(test)
    if not any(map(_asserts, nodes)):
        # A function of its own may assert for it.
        return None if any("assert" in each or "check" in each for each in names) else False
    if any(isinstance(each, _ODD) for each in nodes) or names & _LEAVES or stored & meant:
        return None
    known = set[str]()
    for node in _reached(test.body):
        if isinstance(node, ast.Assign) and _looks_at(node.value, meant, modules, known):
            known |= names_in(node) & stored
        if any(_looks_at(each, meant, modules, known) for each in _asserted(node)):
            return True
    return None


def _reached(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that always run, and may fail; of a loop, those over something that is written down."""
    for node in body:
        yield node
        is_loop = isinstance(node, ast.For) and isinstance(node.iter, ast.List | ast.Tuple) and bool(node.iter.elts)
        # Another context than that of a part of the test may catch what is asserted.
        is_part = isinstance(node, ast.With) and all("subTest" in names_in(each) for each in node.items)
        if is_loop or is_part:
            yield from _reached(node.body)  # type: ignore[attr-defined]  # both have a body


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    says = any(not isinstance(each, ast.Constant) for each in node.args)
    return node.func.attr == "raises" or (node.func.attr.startswith("assert") and says)


def _asserted(node: ast.stmt) -> list[ast.AST]:
    """Return what a statement asserts, where it can fail."""
    match node:
        case ast.With(items=items) if any(names_in(each) & {"raises", "assertRaises"} for each in items):
            return [*node.body]
        case ast.Assert(test=ast.Compare(left=left, comparators=[right])) if ast.dump(left) == ast.dump(right):
            return []
        case ast.Assert(
            test=ast.Compare() | ast.UnaryOp() | ast.Call() | ast.Name() | ast.BoolOp(op=ast.And()) as test
        ):
            return [test]
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=args)) if name.startswith("assert"):
            return [] if len({ast.dump(each) for each in args}) < min(2, len(args)) else [*args]
        case _:
            return []


def _looks_at(tested: ast.AST, meant: set[str], modules: set[str], known: set[str]) -> bool:
    """Return whether something calls the code, or looks at what a call of it gave."""
    for each in ast.walk(tested):
        match each:
            case ast.Name(id=name) if name in known:
                return True
            case ast.Call(func=ast.Name(id=name)) if name in meant:
                return True
            case ast.Call(func=ast.Attribute(attr=attr, value=ast.Name(id=name))) if attr in meant and name in modules:
                return True
            case _:
                pass
    return False
