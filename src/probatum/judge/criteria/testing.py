"""Tells which tests of an output check something that its code gives.

A test counts where a comparison that is always reached looks at what a call of the code gave. Refuses to count one that
is skipped, defined again, or whose assertion may be caught or never reached: of those it is not certain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from probatum.judge.criteria.reading import FoundCode, Function
from probatum.judge.criteria.usage import names_in


def tests_that_check(code: FoundCode) -> list[bool | None]:
    """Return of each test whether it checks something of the code; False where it asserts nothing, None if unclear."""
    tests = code.test_functions()
    tested = code.tests_tree or code.tree
    names = {each.name for each in code.tree.body if isinstance(each, Function | ast.ClassDef)} - {
        each.name for each in tests
    }
    imports = [each for each in ast.walk(tested) if isinstance(each, ast.ImportFrom | ast.Import)]
    aliases = {name.asname for each in imports for name in each.names if name.name in names and name.asname}
    bound = _bound(tested) if code.tests_tree is not None else set()
    meant = (names - bound) | aliases
    counts = [each.name for each in tests]
    fixed = any(each.name.startswith("set") for each in ast.walk(tested) if isinstance(each, Function)) and bool(
        names_in(tested) & meant
    )
    modules = {(name.asname or name.name).split(".")[0] for each in imports for name in each.names}
    return [_state(each, meant, modules, is_single=counts.count(each.name) == 1, fixed=fixed) for each in tests]


def _bound(tree: ast.Module) -> set[str]:
    """Return the names that a file of tests defines for itself."""
    found = {each.name for each in tree.body if isinstance(each, Function | ast.ClassDef)}
    return found | {
        each.id for node in tree.body for each in ast.walk(node) if isinstance(each, ast.Name)
        and not isinstance(each.ctx, ast.Load) and isinstance(node, ast.Assign)
    }  # fmt: skip


def _state(test: Function, meant: set[str], modules: set[str], *, is_single: bool, fixed: bool) -> bool | None:
    if not any(map(_asserts, ast.walk(test))):
        # A function of its own may assert for it.
        calls = {
            each.func.id for each in ast.walk(test) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
        }
        return None if any("assert" in each or "check" in each for each in calls) else False
    skips = {name for each in test.decorator_list for name in names_in(each)} & {"skip", "skipif", "xfail", "skipIf"}
    stored = {each.id for each in ast.walk(test) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    is_odd = isinstance(test, ast.AsyncFunctionDef) or any(
        isinstance(each, ast.Yield | ast.YieldFrom | ast.Return | ast.Try) for each in ast.walk(test)
    )
    leaves = {"skip", "skipTest", "exit", "fail"} & names_in(test)
    if skips or is_odd or leaves or not is_single or stored & meant:
        return None
    known = {"self"} if fixed else set[str]()
    for node in _reached(test.body):
        if isinstance(node, ast.With) and {"raises", "assertRaises"} & names_in(
            ast.Tuple([e.context_expr for e in node.items])
        ):
            if _calls(ast.Module(node.body, []), meant, modules, known):
                return True
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            if _calls(node.value, meant, modules, known):
                known |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in stored}
        elif any(_calls(each, meant, modules, known) for each in _asserted(node)):
            return True
    return None


def _reached(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that always run; of a loop, those over something that is written down."""
    for node in body:
        yield node
        is_loop = isinstance(node, ast.For) and isinstance(node.iter, ast.List | ast.Tuple) and bool(node.iter.elts)
        if is_loop or isinstance(node, ast.With):
            yield from _reached(node.body)  # type: ignore[attr-defined]  # both have a body


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    says = any(not isinstance(each, ast.Constant) for each in node.args)
    return node.func.attr == "raises" or (node.func.attr.startswith("assert") and says)


def _asserted(node: ast.stmt) -> list[ast.expr]:
    """Return what a statement asserts, where it can fail."""
    match node:
        case ast.Assert(test=ast.Compare(left=left, comparators=[right])) if ast.dump(left) == ast.dump(right):
            return []
        case ast.Assert(
            test=ast.Compare() | ast.UnaryOp() | ast.Call() | ast.Name() | ast.BoolOp(op=ast.And()) as test
        ):
            return [test]
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=args)) if name.startswith("assert"):
            return [] if len({ast.dump(each) for each in args}) < min(2, len(args)) else args
        case _:
            return []


def _calls(node: ast.AST, meant: set[str], modules: set[str], known: set[str]) -> bool:
    """Return whether something calls the code, or looks at what a call of it gave."""
    for each in ast.walk(node):
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
