"""Sessions that a given file of tests shows: what a test does to the program, step by step, without what it expects.

They show what inputs look like where no document has an example. Only straight steps are read, and a test is read up to
the first step that uses anything but the program's names, builtins and what earlier steps bound.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping

from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.literals import executing
from probatum.programs.parsing.signatures import defined_names
from probatum.programs.running.checks import Statements
from probatum.programs.source import UNPARSABLE, parsed

_MOST = 200
_MOST_ROWS = 20
_PROGRAM = "artifact"
_BUILTINS = frozenset(dir(builtins))
_STEPS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.For, ast.If, ast.Try)


def sessions_of_tests(tests: bytes, known: Collection[str], module_name: str = "") -> tuple[Statements, ...]:
    """Return the sessions of a file of tests; ``known`` are the names that the program defines."""
    try:
        tree = parsed(tests.decode("utf-8"))
    except UNPARSABLE:
        return ()
    reader = _TestReader(tree, frozenset(known), {_PROGRAM, module_name} - {""})
    found: dict[Statements, None] = {}
    for test in _tests(tree):
        for session in reader.sessions(test):
            if len(found) == _MOST:
                return tuple(found)
            found[session] = None
    return tuple(found)


def _tests(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for statement in tree.body:
        within = statement.body if isinstance(statement, ast.ClassDef) else [statement]
        yield from (each for each in within if isinstance(each, ast.FunctionDef) and each.name.startswith("test"))


class _TestReader:
    def __init__(self, tree: ast.Module, known: frozenset[str], modules: set[str]) -> None:
        imports = [each for node in tree.body if isinstance(node, ast.Import) for each in node.names]
        other_names = {each.asname for each in imports if each.name in modules and each.asname is not None}
        self._modules = modules | other_names
        imported = _names_imported(tree, modules)
        self._imported = known if "*" in imported else known & imported
        self._known = known
        self._fixtures = {
            each.name: each
            for each in tree.body
            if isinstance(each, ast.FunctionDef) and any("fixture" in ast.unparse(d) for d in each.decorator_list)
        }

    def sessions(self, test: ast.FunctionDef) -> Iterator[Statements]:
        """Yield the sessions of one test, for every row of its parameters."""
        for row in _rows(test):
            steps: list[str] = []
            bound: set[str] = set()
            for name in (each.arg for each in (*test.args.args, *test.args.kwonlyargs) if each.arg != "self"):
                if name not in row and not self._set_up(name, steps, bound):
                    return
            yield from self._read(test.body, row, steps, bound)

    def _set_up(self, name: str, steps: list[str], bound: set[str]) -> bool:
        fixture = self._fixtures.get(name)
        if fixture is None or fixture.args.args:
            return False
        for statement in fixture.body:
            match statement:
                case ast.Return(value=ast.expr() as value) | ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                    step: ast.stmt = ast.parse(f"{name} = {ast.unparse(value)}").body[0]
                case _:
                    step = statement
            written = self._written(step, {}, bound)
            if written is None or not isinstance(step, _STEPS):
                return False
            steps.append(written)
            bound.update(defined_names([step]))
            if step is not statement:
                return True
        return False

    def _read(
        self, body: list[ast.stmt], row: Mapping[str, ast.expr], steps: list[str], bound: set[str]
    ) -> Iterator[Statements]:
        for statement in body:
            asked, does_raise = _asked(statement)
            if asked is None and not isinstance(statement, _STEPS):
                return
            written = self._written(statement if asked is None else asked, row, bound)
            if written is None:
                return
            if asked is None:
                bound.update(defined_names([statement]))
            else:
                yield Statements(tuple(steps), executing(written) if does_raise else written)
            steps.append(f"try:\n    {written}\nexcept Exception:\n    pass" if does_raise else written)

    def _written(self, node: ast.stmt, row: Mapping[str, ast.expr], bound: set[str]) -> str | None:
        # Nothing is returned for a step that uses what is not in the program's own module.
        text = ast.unparse(ast.fix_missing_locations(_Placed(row, self._modules).visit(ast.parse(ast.unparse(node)))))
        own = set(defined_names([node])) | names_in(node, ast.Store)
        there = self._imported | bound | own | _BUILTINS | self._called_by_module(node)
        return text if names_in(ast.parse(text)) <= there else None

    def _called_by_module(self, node: ast.AST) -> set[str]:
        return {
            each.attr
            for each in ast.walk(node)
            if isinstance(each, ast.Attribute)
            and isinstance(each.value, ast.Name)
            and each.value.id in self._modules
            and each.attr in self._known
        }


def _asked(statement: ast.stmt) -> tuple[ast.stmt | None, bool]:
    # What an assertion compares is asked of the program; what it expects is not.
    match statement:
        case ast.Assert(test=ast.Compare(left=asked) | ast.UnaryOp(op=ast.Not(), operand=asked) | asked):
            return ast.copy_location(ast.Expr(asked), statement), False
        case ast.With(items=[ast.withitem(context_expr=ast.Call(func=raises))], body=[ast.Expr() as inner]):
            return (inner, True) if ast.unparse(raises).endswith("raises") else (None, False)
        case _:
            return None, False


class _Placed(ast.NodeTransformer):
    """Puts a row's values in the place of its names, and takes away the module before the program's names."""

    def __init__(self, row: Mapping[str, ast.expr], modules: Collection[str]) -> None:
        self._row = row
        self._modules = modules

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._row.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            return ast.Name(node.attr, node.ctx)
        self.generic_visit(node)
        return node


def _names_imported(tree: ast.Module, modules: Collection[str]) -> frozenset[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in modules:
            names.update(each.name for each in node.names if each.asname in {None, each.name})
    return frozenset(names)


def _rows(test: ast.FunctionDef) -> list[Mapping[str, ast.expr]]:
    match test.decorator_list:
        case []:
            return [{}]
        case [
            ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[ast.Constant(value=str()) | ast.Tuple() | ast.List() as named, ast.List(elts=values)],
            )
        ]:
            pass
        case _:
            return []
    if isinstance(named, ast.Constant):
        names = [name.strip() for name in str(named.value).split(",")]
    else:
        names = [str(each.value) for each in named.elts if isinstance(each, ast.Constant)]
    rows: list[Mapping[str, ast.expr]] = []
    for value in values[:_MOST_ROWS]:
        given = [value] if len(names) == 1 else value.elts if isinstance(value, ast.Tuple | ast.List) else []
        if len(given) == len(names):
            rows.append(dict(zip(names, given, strict=True)))
    return rows
