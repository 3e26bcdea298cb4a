"""What the body of one test, fixture or other function of a test module does: its assertions, skips, stand-ins, cases.

The body is walked once, in the order in which it is written; local names stand for what was last assigned to them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from probatum.changes.weakened_checks import (
    Check,
    Obstacle,
    check_of_call,
    checks_in_expression,
    is_raises,
    raises_check,
)
from probatum.changes.weakened_code import (
    Function,
    Module,
    Routine,
    blocks_of,
    constant,
    folded,
    key,
    last_name,
    own_nodes,
)

SKIPS: Final = frozenset({"skip", "skipif", "skipIf", "skipUnless", "xfail", "expectedFailure", "skipTest", "SkipTest"})
_ALWAYS: Final = frozenset({"skip", "xfail", "expectedFailure", "skipTest", "SkipTest"})
_MOCKS: Final = frozenset({"Mock", "MagicMock", "AsyncMock", "create_autospec", "PropertyMock", "NonCallableMock"})
_HARMLESS: Final = re.compile(
    r"(pytest|unittest|mock|patch|mocker|parametrize|given|settings|example|hypothesis|st|strategies|staticmethod"
    r"|classmethod|property|fixture|functools|contextlib|contextmanager|skip|xfail|mark|overload|asyncio)\w*\b"
    r"|.*\b(mark|patch|fixture|parametrize|given)\b"
)
_EXITS: Final = frozenset({"exit", "_exit", "quit", "abort", "kill"})
_SWALLOWED: Final = frozenset({"", "Exception", "BaseException", "AssertionError"})


@dataclass(frozen=True, slots=True, eq=False)
class Skip:
    """A place where a test is skipped or expected to fail, or wrapped; ``always`` if no condition is stated."""

    identity: str
    text: str
    line: int
    always: bool
    kind: str = "skipped"


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Cases that a test runs on, by parametrisation or by a loop over what is written down."""

    names: str
    line: int
    # None where they are computed.
    rows: tuple[ast.expr, ...] | None
    source: ast.expr


class Body:
    """What was seen in one function."""

    def __init__(self, checks: Sequence[Check] = ()) -> None:
        self.checks: list[Check] = [*checks]
        self.skips: list[Skip] = []
        self.mocks: dict[str, int] = {}
        self.cases: list[Cases] = []
        self.marks: set[str] = set()
        # Whether anything in it could raise at all.
        self.acts = False
        self.identity = ""


def read_body(unit: Routine, module: Module) -> Body:
    """Return what the function does, decorators included."""
    reader = _BodyReader(module, unit.node)
    arguments = unit.node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        reader.names.pop(argument.arg, None)
    for argument, default in zip(reversed(arguments.args), reversed(arguments.defaults), strict=False):
        reader.names[argument.arg] = folded(key(default, module.names))
    reader.decorators(unit.node.decorator_list)
    for condition in unit.conditions:
        reader.body.skips.append(
            Skip(
                key(condition, module.names), f"if {ast.unparse(condition)}", unit.node.lineno, not constant(condition)
            )
        )
    reader.block(unit.node.body, ())
    skips = reader.body.skips
    reader.body.skips = [
        each for each in skips if unit.is_test or (each.kind != "wrapped" and each.identity != "yield")
    ]
    statements = [each for each in unit.node.body if not isinstance(constant_statement(each), str)]
    reader.body.identity = key([arguments, statements], module.names)
    return reader.body


def read_statements(module: Module) -> Body:
    """Return what a module does at import, marks of the whole module included."""
    reader = _BodyReader(module, None)
    for node in module.statements:
        if isinstance(node, ast.Assign) and last_name(node.targets[0]) == "pytestmark":
            reader.decorators(node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value])
        else:
            reader.statement(node, ())
    return reader.body


def read_class(node: ast.ClassDef, module: Module) -> Body:
    """Return the marks of a class."""
    reader = _BodyReader(module, None)
    reader.decorators(node.decorator_list if node.name.startswith("Test") or node.bases else [])
    for each in node.body:
        if isinstance(each, ast.Assign) and last_name(each.targets[0]) == "pytestmark":
            reader.decorators(each.value.elts if isinstance(each.value, ast.List | ast.Tuple) else [each.value])
    return reader.body


def constant_statement(node: ast.stmt) -> object:
    """Return the value of a statement that is only a constant, a docstring for example; ``Ellipsis`` otherwise."""
    return constant(node.value) if isinstance(node, ast.Expr) else ...


class _BodyReader:
    def __init__(self, module: Module, function: Function | None) -> None:
        self.module = module
        self.function = function
        self.names = dict(module.names)
        self.values = dict(module.values)
        self.body = Body()
        self._bound = Counter[str]()

    def decorators(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            self._marks(node)
            if last_name(node) == "parametrize" and isinstance(node, ast.Call) and len(node.args) > 1:
                names = constant(node.args[0])
                written = names if isinstance(names, str) else ast.unparse(node.args[0]).strip("[]()").replace("'", "")
                self._cases(", ".join(written.replace(",", " ").split()), node.args[1], node.lineno)
            elif isinstance(node, ast.Call) and last_name(node) in ("fixture", "yield_fixture"):
                for each in node.keywords:
                    if each.arg == "params":
                        self._cases("params", each.value, node.lineno)

    def _marks(self, node: ast.expr) -> None:
        """Note skips, stand-ins and whatever else a decorator or a mark says."""
        self.body.marks.add(last_name(node))
        if not _HARMLESS.match(ast.unparse(node)):
            text = f"@{ast.unparse(node)}"
            self.body.skips.append(Skip(text, text, node.lineno, False, "wrapped"))
        if last_name(node) in SKIPS:
            self._skip(node, True)
        elif isinstance(node, ast.Call):
            self._stand_in(node)

    def _skip(self, node: ast.expr, plain: bool) -> None:
        """``plain``: no ``if`` is around it."""
        condition = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if isinstance(node, ast.Call):
            condition = next((each.value for each in node.keywords if each.arg == "condition"), condition)
        name = last_name(node)
        reason_only = name in ("skip", "skipTest", "SkipTest", "expectedFailure") or condition is None
        reason_only = reason_only or isinstance(constant(condition), str)
        told = name if reason_only else f"{name} {key(condition, self.module.names)}"
        if name == "xfail" and isinstance(node, ast.Call):
            raising = [
                f"{each.arg}={ast.unparse(each.value)}" for each in node.keywords if each.arg in ("raises", "run")
            ]
            told = " ".join([told, *raising])
        known = condition is not None and constant(condition) is not ...
        always = plain and ((name in _ALWAYS and reason_only) or known)
        self.body.skips.append(Skip(told, ast.unparse(node), node.lineno, always))

    def _cases(self, names: str, source: ast.expr, line: int) -> None:
        listed: ast.expr | None = source
        for _ in range(8):
            if isinstance(listed, ast.Name):
                listed = self.values.get(listed.id)
        rows = tuple(listed.elts) if isinstance(listed, ast.List | ast.Tuple | ast.Set) else None
        if isinstance(listed, ast.Dict):
            pairs = zip(listed.keys, listed.values, strict=True)
            rows = tuple(ast.Tuple([name, value], ast.Load()) for name, value in pairs if name is not None)
        for row in rows or ():
            if isinstance(row, ast.Call) and last_name(row) == "param":
                for each in row.keywords:
                    if each.arg == "marks":
                        marks = each.value.elts if isinstance(each.value, ast.List | ast.Tuple) else [each.value]
                        self.decorators(list(marks))
        self.body.cases.append(Cases(names, line, rows, listed or source))

    def _stand_in(self, node: ast.Call) -> None:
        """Note what a call replaces by a stand-in."""
        written, name, args = ast.unparse(node.func), last_name(node), [*map(ast.unparse, node.args)]
        if name in _MOCKS:
            self.body.mocks.setdefault(f"{name}({', '.join(args[:1])})", node.lineno)
        elif name in ("patch", "dict") and "patch" in written.split(".") and args:
            self.body.mocks.setdefault(args[0].strip("'\""), node.lineno)
        elif (written.endswith("patch.object") or name in ("setattr", "delattr", "setitem", "spy")) and args:
            second = args[1].strip("'\"") if len(args) > 1 and isinstance(constant(node.args[1]), str) else ""
            self.body.mocks.setdefault(".".join(filter(None, (args[0].strip("'\""), second))), node.lineno)
        elif written.endswith("patch.multiple") and args:
            for each in node.keywords:
                self.body.mocks.setdefault(f"{args[0].strip(chr(39))}.{each.arg}", node.lineno)

    def block(self, block: list[ast.stmt], guards: tuple[Obstacle, ...]) -> None:
        for node in block:
            self.statement(node, guards)
            leaving = self._leaves(node)
            if leaving and leaving not in guards:
                guards = (*guards, leaving)

    def _leaves(self, node: ast.stmt) -> Obstacle | None:
        """Return the guard that holds after the statement: one that leaves the test, always or on a condition."""
        if isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break):
            return Obstacle("early_return", type(node).__name__, f"{ast.unparse(node)!s} comes before it")
        if _exits(node):
            return Obstacle("early_return", "exit", f"`{ast.unparse(node)}` ends the run before it")
        last = node.body[-1] if isinstance(node, ast.If) else node
        if isinstance(node, ast.If) and (isinstance(last, ast.Return | ast.Continue | ast.Break) or _exits(last)):
            always = constant(node.test) is not ... and bool(constant(node.test))
            kind = "cannot_fail" if always else "early_return"
            return Obstacle(kind, key(node.test, self.names), f"it is reached only if not `{ast.unparse(node.test)}`")
        return None

    def statement(self, node: ast.stmt, guards: tuple[Obstacle, ...]) -> None:
        plain = not any(each.kind == "conditional" for each in guards)
        for each in own_nodes(node):
            if isinstance(each, ast.Call):
                self.body.acts = True
                written = last_name(each)
                if written in SKIPS or written == "importorskip":
                    self._skip(each, plain)
                else:
                    self._stand_in(each)
            elif isinstance(each, ast.NamedExpr):
                self._bind(each.target, key(each.value, self.names))
            elif isinstance(each, ast.Yield) and not any(guard.identity == "nested" for guard in guards):
                self.body.skips.append(Skip("yield", ast.unparse(each), each.lineno, False))
        self.body.acts |= isinstance(node, ast.Raise | ast.Import | ast.ImportFrom | ast.With | ast.Delete)
        self.body.acts |= any(
            isinstance(each, ast.Subscript | ast.Attribute | ast.BinOp | ast.Yield) for each in own_nodes(node)
        )
        if isinstance(node, ast.Assert):
            self.body.checks += checks_in_expression(node.test, self.names, guards)
        elif isinstance(node, ast.Expr):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            self.body.checks += check_of_call(value, self.names, guards) if isinstance(value, ast.Call) else ()
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self._assigned(node)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._compound(node, guards)
        else:
            nested = Obstacle("conditional", "nested", "it is in a function inside the test")
            for inner in blocks_of(node):
                self.block(inner, (*guards, nested))

    def _assigned(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(node, ast.AugAssign):
                self._bind(target, key(node, self.names))
            elif node.value is not None:
                self._bind(target, key(node.value, self.names))
                if isinstance(target, ast.Name) and isinstance(node.value, ast.Name):
                    self.names[target.id] = key(node.value, self.names)
                if isinstance(target, ast.Name):
                    self.values[target.id] = node.value
            root: ast.expr = target
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            by_name = ast.unparse(target).startswith(("sys.modules[", "globals()["))
            is_imported = isinstance(root, ast.Name) and root.id in self.module.imports
            if (by_name or (is_imported and not isinstance(target, ast.Subscript))) and not isinstance(
                node.value, ast.Constant
            ):
                self.body.mocks.setdefault(ast.unparse(target), node.lineno)

    def _bind(self, target: ast.expr, identity: str) -> None:
        """Let the name stand for a key; a second value that is computed alike gets another."""
        if isinstance(target, ast.Name):
            self._bound[identity] += not identity.startswith("Constant(")
            self.names[target.id] = folded(f"{identity}{self._bound[identity] if self._bound[identity] > 1 else ''}")
        elif isinstance(target, ast.Tuple | ast.List):
            for place, each in enumerate(target.elts):
                self._bind(each, f"{place} of {folded(identity)}")

    def _compound(self, node: ast.stmt, guards: tuple[Obstacle, ...]) -> None:
        inside = guards
        if isinstance(node, ast.If | ast.While):
            known = constant(node.test)
            text = ast.unparse(node.test)
            if known is ... or not known:
                kind = "conditional" if known is ... else "cannot_fail"
                inside = (*guards, Obstacle(kind, key(node.test, self.names), f"it runs only if `{text}`"))
            self.block(node.body, inside)
            otherwise = Obstacle("conditional", "not " + key(node.test, self.names), f"it runs only if not `{text}`")
            self.block(node.orelse, (*guards, otherwise) if isinstance(node, ast.If) and known is ... else guards)
            return
        if isinstance(node, ast.Match):
            text = ast.unparse(node.subject)
            inside = (*guards, Obstacle("conditional", key(node.subject, self.names), f"it depends on `match {text}`"))
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._bind(node.target, f"each of {key(node.iter, self.names)}")
            self._cases(ast.unparse(node.target).strip("()"), node.iter, node.lineno)
            if self.body.cases[-1].rows == ():
                inside = (*guards, Obstacle("cannot_fail", "empty", "the loop around it is empty"))
        elif isinstance(node, ast.With | ast.AsyncWith):
            inside = self._with(node, guards)
        elif isinstance(node, ast.Try):
            for handler in node.handlers:
                types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
                caught = {last_name(each) if each else "" for each in types}
                if not _SWALLOWED.isdisjoint(caught) and not _raises_again(handler):
                    text = ast.unparse(handler.type) if handler.type else ""
                    swallows = f"`{f'except {text}'.strip()}` catches its failure"
                    inside = (*guards, Obstacle("cannot_fail", "swallowed", swallows))
            if any(isinstance(each, ast.Return) for each in node.finalbody):
                inside = (*guards, Obstacle("cannot_fail", "swallowed", "the `return` in `finally` drops its failure"))
            self.block(node.body, inside)
            for handler in node.handlers:
                self.block(
                    handler.body, (*guards, Obstacle("conditional", "except", "it runs only after an exception"))
                )
            self.block(node.orelse, guards)
            self.block(node.finalbody, guards)
            return
        for block in blocks_of(node):
            self.block(block, inside)

    def _with(self, node: ast.With | ast.AsyncWith, guards: tuple[Obstacle, ...]) -> tuple[Obstacle, ...]:
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and is_raises(call):
                self.body.checks.append(raises_check(call, node.body, self.names, guards))
                caught = {last_name(each) for each in call.args}
            elif isinstance(call, ast.Call) and last_name(call) == "suppress":
                caught = {last_name(each) for each in call.args}
            else:
                caught = set()
            if not (_SWALLOWED - {""}).isdisjoint(caught):
                guards = (
                    *guards,
                    Obstacle("cannot_fail", "swallowed", f"`with {ast.unparse(call)}` catches its failure"),
                )
            if item.optional_vars is not None:
                self._bind(item.optional_vars, key(call, self.names))
        return guards


def _exits(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and last_name(node.value) in _EXITS


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler can still make the test fail: it raises, asserts or calls ``fail``."""
    return any(
        isinstance(each, ast.Raise | ast.Assert)
        or (isinstance(each, ast.Call) and (last_name(each) == "fail" or last_name(each).startswith("assert")))
        for each in ast.walk(handler)
    )
