"""Input/output pairs from a given file of tests, where a test is nothing but plain assertions about calls.

Such a pair is an example like one in a docstring; the file is run as a whole all the same. Tests with fixtures, set-up,
patches or loops are left out, and files that do more than import, define and name constants.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from probatum.programs.parsing.documents import SourceText
from probatum.programs.parsing.literals import value_of
from probatum.programs.parsing.signatures import Definition
from probatum.programs.requirements.constraints import is_exception_name
from probatum.programs.source import UNPARSABLE, parsed
from probatum.programs.specification import Example, Expectation, FunctionSpec, RaisesError, ValueIs
from probatum.readings.syntax import NotReadableError

GIVEN_TESTS = "given_tests"
_MOST = 200
_PROGRAM = "artifact"
_QUIET = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


_Pair = tuple[ast.stmt, ast.Call, Expectation]
"""A statement of a test, the call in it, and what is expected of the call."""


def mined_examples(tests: bytes, function: FunctionSpec, module_name: str = "") -> tuple[Example, ...]:
    """Return the plain pairs that a file of tests has about a top-level function, in order, each once."""
    if function.kind != "function" or "." in function.qualname:
        return ()
    try:
        return _mined(tests.decode("utf-8"), function, module_name)
    except UNPARSABLE:
        return ()


def _mined(text: str, function: FunctionSpec, module_name: str) -> tuple[Example, ...]:
    tree = parsed(text)
    source = SourceText(text)
    names = _names_of(tree, function.qualname, {_PROGRAM, module_name} - {""})
    if not names or not all(_is_quiet(statement) for statement in tree.body):
        return ()
    found: dict[str, Example] = {}
    for test in _tests(tree):
        for statement, call, expectation in _pairs(test, names):
            expression = f"{function.qualname}({_arguments(call)})"
            if len(found) == _MOST:
                return tuple(found.values())
            begin, end = source.node_range(statement)
            span, written = source.span(begin, end), source.text[begin:end]
            example = Example(f"g{len(found) + 1}", expression, expectation, span, written, "test", GIVEN_TESTS)
            found.setdefault(expression, example)
    return tuple(found.values())


def _names_of(tree: ast.Module, qualname: str, modules: set[str]) -> frozenset[str]:
    """Return how the file of tests calls the function: ``f``, ``artifact.f``, another name by ``import … as``."""
    names: set[str] = set()
    for node in tree.body:
        match node:
            case ast.ImportFrom(module=str() as module, names=aliases, level=0) if module in modules:
                names.update(each.asname or each.name for each in aliases if each.name == qualname)
                names.update(qualname for each in aliases if each.name == "*")
            case ast.Import(names=aliases):
                names.update(f"{each.asname or each.name}.{qualname}" for each in aliases if each.name in modules)
    return frozenset(names)


def _is_quiet(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(value=value):
            return _value(value) is not None
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
        case _:
            return isinstance(statement, _QUIET)


def _tests(tree: ast.Module) -> Iterator[Definition]:
    """Yield the tests of a file: functions, and methods of classes without set-up."""
    # A fixture may patch what the function uses, also for tests that do not name it.
    if any(_is_fixture(node) for node in ast.walk(tree)):
        return
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test"):
            yield statement
        elif isinstance(statement, ast.ClassDef):
            methods = [each for each in statement.body if isinstance(each, ast.FunctionDef)]
            if not any(each.name.lower().startswith(("setup", "set_up", "teardown")) for each in methods):
                yield from (each for each in methods if each.name.startswith("test"))


def _is_fixture(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef):
        return False
    return any("fixture" in ast.unparse(each) for each in node.decorator_list)


def _pairs(test: Definition, names: frozenset[str]) -> list[_Pair]:
    """Return the pairs of one test; none when the test holds anything that is not a plain assertion about a call."""
    rows = _rows(test)
    if rows is None:
        return []
    found: list[_Pair] = []
    for row in rows:
        for statement in test.body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            pair = _pair(statement, row, names)
            if pair is None:
                return []
            found.append(pair)
    return found


def _rows(test: Definition) -> list[Mapping[str, ast.expr]] | None:
    """Return the bindings of a parametrised test, one empty row for a plain one, None for one with fixtures."""
    arguments = {each.arg for each in (*test.args.posonlyargs, *test.args.args, *test.args.kwonlyargs)} - {"self"}
    if not test.decorator_list:
        return [{}] if not arguments else None
    match test.decorator_list:
        case [
            ast.Call(func=ast.Attribute(attr="parametrize"), args=[named, ast.List(elts=rows) | ast.Tuple(elts=rows)])
        ]:
            names = _parametrised(named)
        case _:
            return None
    if set(names) != arguments or len(rows) > _MOST:
        return None
    bound: list[Mapping[str, ast.expr]] = []
    for row in rows:
        values = [row] if len(names) == 1 else list(row.elts) if isinstance(row, ast.Tuple | ast.List) else []
        if len(values) != len(names):
            return None
        bound.append(dict(zip(names, values, strict=True)))
    return bound


def _parametrised(named: ast.expr) -> list[str]:
    if isinstance(named, ast.Constant) and isinstance(named.value, str):
        return [name.strip() for name in named.value.split(",") if name.strip()]
    if isinstance(named, ast.Tuple | ast.List):
        return [str(each.value) for each in named.elts if isinstance(each, ast.Constant)]
    return []


def _pair(statement: ast.stmt, row: Mapping[str, ast.expr], names: frozenset[str]) -> _Pair | None:
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right])):
            return _equality(statement, left, right, row, names)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="assertEqual"), args=[left, right])):
            return _equality(statement, left, right, row, names)
        case ast.With(items=[ast.withitem(context_expr=ast.Call(func=raises, args=[ast.Name(id=name)]))], body=[body]):
            called = body.value if isinstance(body, ast.Expr) else None
            own = _own_call(called, row, names) if isinstance(called, ast.Call) else None
            wanted = getattr(raises, "attr", getattr(raises, "id", "")) in {"raises", "assertRaises"}
            if own is None or not wanted or not is_exception_name(name, frozenset()):
                return None
            return statement, own, RaisesError(name)
        case _:
            return None


def _equality(
    statement: ast.stmt, left: ast.expr, right: ast.expr, row: Mapping[str, ast.expr], names: frozenset[str]
) -> _Pair | None:
    for subject, other in ((left, right), (right, left)):
        call = _own_call(subject, row, names) if isinstance(subject, ast.Call) else None
        value = _value(_put_in(other, row))
        if call is not None and value is not None:
            return statement, call, value
    return None


def _own_call(call: ast.Call, row: Mapping[str, ast.expr], names: frozenset[str]) -> ast.Call | None:
    """Return the call with the row's values put in, when it is one of the function with plain arguments."""
    if ast.unparse(call.func) not in names:
        return None
    args = [_put_in(each, row) for each in call.args]
    keywords = [ast.keyword(each.arg, _put_in(each.value, row)) for each in call.keywords]
    if any(_value(each) is None for each in args) or any(k.arg is None or _value(k.value) is None for k in keywords):
        return None
    return ast.Call(call.func, args, keywords)


def _put_in(node: ast.expr, row: Mapping[str, ast.expr]) -> ast.expr:
    return row.get(node.id, node) if isinstance(node, ast.Name) else node


def _arguments(call: ast.Call) -> str:
    return ", ".join(
        [*map(ast.unparse, call.args), *(f"{each.arg}={ast.unparse(each.value)}" for each in call.keywords)]
    )


def _value(node: ast.expr) -> ValueIs | None:
    try:
        return ValueIs(value_of(node), ast.unparse(node))
    except NotReadableError:
        return None
