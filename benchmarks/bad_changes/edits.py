"""Edits of tests that make failing ones pass: expectations replaced, cases and tests taken out, skipped or loosened.

Everything else in a file stays byte for byte as it is. Refuses files that cannot be read as Python, and gives up where
a test still fails after some rounds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.bad_changes.trials import EndOfTest, Files, Scratch

_ROUNDS = 14
_MATCHING_ROUNDS = 4
_REMOVING_ROUNDS = 8
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Bending(StrEnum):
    """What is done to a failing test."""

    MATCHED = "matched"
    DELETED = "deleted"
    SKIPPED = "skipped"
    LOOSENED = "loosened"


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace the bytes ``start`` to ``end`` (exclusive) of a file."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class Bent:
    """Tests that pass again: all files that differ from the version, and the tests that were bent for it."""

    files: Files
    tests: tuple[str, ...]


class TestFile:
    """A file of tests as text and syntax, and the places of its nodes."""

    def __init__(self, content: bytes) -> None:
        """Raises SyntaxError or ValueError where it cannot be read."""
        self.content, self.tree = content, ast.parse(content)
        self._starts = [0]
        for line in content.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        """Return where the text of a node begins and ends."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[end_line - 1] + end_column

    def text(self, node: ast.stmt | ast.expr) -> bytes:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.content[start:end]

    def instead(self, node: ast.stmt | ast.expr, text: bytes) -> Splice:
        """Return an edit that puts another text in the place of a node."""
        return Splice(*self.span(node), text)

    def line(self, number: int) -> int:
        """Return where a line begins."""
        return self._starts[number - 1]

    def function_at(self, line: int) -> Function | None:
        """Return the outermost function named like a test around a line."""
        found = [each for each in ast.walk(self.tree) if isinstance(each, Function) and each.name.startswith("test")]
        return next((each for each in found if first_line(each) <= line <= (each.end_lineno or 0)), None)

    def statement_at(self, line: int) -> ast.stmt | None:
        """Return the shortest statement around a line."""
        around = [each for each in ast.walk(self.tree) if isinstance(each, ast.stmt)]
        around = [each for each in around if each.lineno <= line <= (each.end_lineno or each.lineno)]
        return min(around, key=lambda each: (each.end_lineno or 0) - each.lineno, default=None)

    def without(self, function: Function) -> Splice:
        """Return an edit that takes a function out."""
        start, end = self.line(first_line(function)), self.span(function)[1]
        alone = any(isinstance(each, ast.ClassDef) and each.body == [function] for each in ast.walk(self.tree))
        return Splice(start, end, b" " * function.col_offset + b"pass" if alone else b"")


def first_line(node: ast.stmt) -> int:
    """Return the line on which a function or class begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def spliced(content: bytes, splices: Sequence[Splice]) -> bytes:
    """Return a file with edits; of two that overlap the first one is made."""
    behind = len(content) + 1
    chosen: list[Splice] = []
    for each in dict.fromkeys(splices):
        if all(each.end <= other.start or each.start >= other.end for other in chosen):
            chosen.append(each)
    for each in sorted(chosen, key=lambda splice: splice.start, reverse=True):
        assert each.end <= behind
        content = content[: each.start] + each.text + content[each.end :]
        behind = each.start
    return content


def bent(
    scratch: Scratch, files: Files, tests: Sequence[str], passing: frozenset[str], bending: Bending
) -> Bent | None:
    """Return the files with every test edited that passed and fails now; None where that cannot be done."""
    touched: dict[str, None] = {}
    # Where some tests fail, only their files are run until they pass; then all of them again.
    asked = tests
    for turn in range(_ROUNDS):
        trial = scratch.trial(files, asked)
        known = {name.partition("::")[0] for name in passing}
        if not trial.tests or any(each.partition("::")[0] in known for each in trial.uncollected):
            return None
        failing = {
            name: end
            for name, end in trial.failing().items()
            if name in passing or any(name.partition("[")[0] == each.partition("[")[0] for each in touched)
        }
        if not failing and asked is not tests:
            asked = tests
            continue
        if not failing:
            left = passing & trial.passing()
            return Bent(files, tuple(touched)) if left and touched else None
        edited = _edited(scratch, files, failing, bending, turn)
        if edited is None:
            return None
        files = edited
        asked = sorted({name.partition("::")[0] for name in failing})
        touched.update(dict.fromkeys(name for name in failing if name in passing))
    return None


def _edited(scratch: Scratch, files: Files, failing: dict[str, EndOfTest], bending: Bending, turn: int) -> Files | None:
    splices: dict[str, list[Splice]] = {}
    read: dict[str, TestFile] = {}
    counts = _cases_failing(failing)
    for name, end in failing.items():
        if not end.frames:
            return None
        for path in {end.frames[0][0], end.frames[-1][0]} - read.keys():
            content = files[path] if path in files else (scratch.root / path).read_bytes()
            try:
                read[path] = TestFile(content or b"")
            except (SyntaxError, ValueError):
                return None
        found = list(_splices(read, end, bending, turn, counts[name.partition("[")[0]]))
        if not found:
            return None
        for path, splice in found:
            splices.setdefault(path, []).append(splice)
    return {**files, **{path: spliced(read[path].content, each) for path, each in splices.items()}}


def _cases_failing(failing: dict[str, EndOfTest]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in failing:
        counts[name.partition("[")[0]] = counts.get(name.partition("[")[0], 0) + 1
    return counts


def _splices(
    read: dict[str, TestFile], end: EndOfTest, bending: Bending, turn: int, failing: int
) -> Iterator[tuple[str, Splice]]:
    (outer, outer_line), (inner, inner_line) = end.frames[0], end.frames[-1]
    file = read[outer]
    function = file.function_at(outer_line)
    if function is None:
        return
    case = _case_of(function, end.params or {})
    if bending is Bending.SKIPPED:
        yield outer, _skip(file, function)
        yield from ((outer, each) for each in _import_of_pytest(file))
        return
    if bending is Bending.DELETED or turn >= _REMOVING_ROUNDS:
        is_part = case is not None and len(case[0].elts) > failing
        yield outer, _without_case(file, *case) if case and is_part else file.without(function)
        return
    statement = read[inner].statement_at(inner_line)
    if statement is None or isinstance(statement, Function | ast.ClassDef):
        yield outer, file.without(function)
        return
    if bending is Bending.MATCHED and turn < _MATCHING_ROUNDS and end.is_assertion:
        if case is not None and len(case[0].elts) > failing:
            yield outer, _matched_case(file, *case, statement, end)
            return
        splice = _matched(read[inner], statement, end)
    elif bending is Bending.LOOSENED and end.is_assertion:
        splice = _loosened(read[inner], statement)
    else:
        splice = None
    yield inner, splice or read[inner].instead(statement, b"pass")


def _matched(file: TestFile, statement: ast.stmt, end: EndOfTest) -> Splice | None:
    """Return an edit after which an assertion expects what was computed."""
    match statement:
        case ast.Assert(test=ast.Compare(ops=[ast.Eq()], comparators=[right])) if end.computed:
            return file.instead(right, end.computed.encode())
        case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=operand) as test):
            return file.instead(test, b"(" + file.text(operand) + b")")
        case ast.Assert(test=test) if not isinstance(test, ast.BoolOp | ast.Compare) or not end.computed:
            return file.instead(test, b"not (" + file.text(test) + b")")
        case ast.Expr(value=ast.Call(args=[left, right, *_])) if end.computed and end.side in {"left", "right"}:
            return file.instead(left if end.side == "left" else right, end.computed.encode())
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="assertTrue" | "assertFalse" as name) as func)):
            other = b"assertFalse" if name == "assertTrue" else b"assertTrue"
            return file.instead(func, file.text(func.value) + b"." + other)
    return None


def _loosened(file: TestFile, statement: ast.stmt) -> Splice | None:
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()]) as test):
            return file.instead(test, file.text(left) + b" is not None")
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="assertEqual") as func, args=[left, _, *_]) as call):
            return file.instead(call, file.text(func.value) + b".assertIsNotNone(" + file.text(left) + b")")
    return None


def _case_of(function: Function, params: Mapping[str, str]) -> tuple[ast.List | ast.Tuple, int, list[str]] | None:
    """Return the list of cases that a failing case of a test stands in, where there, and the names it is for."""
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[naming, ast.List() | ast.Tuple() as cases, *_]):
                try:
                    told = ast.literal_eval(naming)
                except ValueError:
                    continue
                names = [each.strip() for each in told.split(",")] if isinstance(told, str) else list(told)
                wanted = [params.get(name, "") for name in names]
                for index, each in enumerate(cases.elts):
                    values = each.elts if len(names) > 1 and isinstance(each, ast.Tuple | ast.List) else [each]
                    if all(wanted) and [_written(value) for value in values] == wanted:
                        return cases, index, names
    return None


def _written(node: ast.expr) -> str:
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError):
        return ""


def _without_case(file: TestFile, cases: ast.List | ast.Tuple, index: int, _names: list[str]) -> Splice:
    start = file.span(cases.elts[index])[0]
    if index + 1 < len(cases.elts):
        return Splice(start, file.span(cases.elts[index + 1])[0], b"")
    return Splice(file.span(cases.elts[index - 1])[1], file.span(cases.elts[index])[1], b"")


def _matched_case(
    file: TestFile, cases: ast.List | ast.Tuple, index: int, names: list[str], statement: ast.stmt, end: EndOfTest
) -> Splice:
    """Return an edit after which one case expects what was computed, or is gone where it names no expected value."""
    match statement:
        case ast.Assert(test=ast.Compare(ops=[ast.Eq()], comparators=[ast.Name(id=name)])):
            element = cases.elts[index]
            if name in names and end.computed and isinstance(element, ast.Tuple | ast.List) and len(names) > 1:
                return file.instead(element.elts[names.index(name)], end.computed.encode())
    return _without_case(file, cases, index, names)


def _skip(file: TestFile, function: Function) -> Splice:
    start = file.line(first_line(function))
    mark = b" " * function.col_offset + b'@pytest.mark.skip(reason="does not work here yet")\n'
    return Splice(start, start, mark)


def _import_of_pytest(file: TestFile) -> Iterator[Splice]:
    names = (each for node in file.tree.body if isinstance(node, ast.Import) for each in node.names)
    if any(each.name == "pytest" and each.asname is None for each in names):
        return
    for node in file.tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            start = file.line(first_line(node))
            yield Splice(start, start, b"import pytest\n")
            return


def cannot_fail(content: bytes, before: bytes | None) -> bytes | None:
    """Return a file in which what new and edited tests assert newly cannot fail; None where that leaves a check."""
    file, old = TestFile(content), TestFile(before or b"")
    known = {_key(each): ast.dump(each) for each in ast.walk(old.tree) if isinstance(each, Function)}
    checks = {
        _key(each): {ast.dump(inner) for inner in ast.walk(each)} for each in ast.walk(old.tree) if _is_test(each)
    }
    splices: list[Splice] = []
    for function in ast.walk(file.tree):
        if not isinstance(function, Function) or not _is_test(function):
            continue
        if known.get(_key(function)) == ast.dump(function):
            continue
        for node in ast.walk(function):
            if not isinstance(node, ast.stmt) or ast.dump(node) in checks.get(_key(function), ()):
                continue
            if isinstance(node, ast.Assert):
                splices.append(_idle(file, node, len(splices)))
            elif isinstance(node, ast.Expr) and _asserts(node.value):
                assert isinstance(node.value, ast.Call)
                assert isinstance(node.value.func, ast.Attribute)
                splices.append(file.instead(node, file.text(node.value.func.value) + b".assertTrue(True)"))
            elif isinstance(node, ast.With) and "raises" in ast.unparse(node.items[0]).lower():
                return None
    return spliced(content, splices) if splices else None


def _is_test(node: ast.AST) -> bool:
    return isinstance(node, Function) and node.name.startswith("test")


def _key(node: ast.AST) -> str:
    return getattr(node, "name", "")


def _asserts(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr.startswith("assert")
    )


def _idle(file: TestFile, node: ast.Assert, turn: int) -> Splice:
    match node.test:
        case ast.Compare(left=left, ops=[ast.Eq()]) if turn % 3 == 0:
            return file.instead(node.test, file.text(left) + b" == " + file.text(left))
        case test if turn % 3 == 1:
            return file.instead(test, b"(" + file.text(test) + b") or True")
    return file.instead(node.test, b"True")
