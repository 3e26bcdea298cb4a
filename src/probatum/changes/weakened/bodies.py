"""What the body of one test, fixture or other function of a test module does: its assertions, skips, stand-ins, cases.

The body is walked once, in the order in which it is written; local names stand for what was last assigned to them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from probatum.changes.syntax.node_syntax import last_name
from probatum.changes.weakened.checks import Check, CheckReader, Obstacle, is_raises
from probatum.changes.weakened.code import (
    Module,
    Routine,
    blocks_of,
    constant,
    folded,
    key,
    own_nodes,
    targets_of,
)

# What always skips or expects a failure where no condition is given, and what never does without one.
_ALWAYS: Final = frozenset({"skip", "xfail", "expectedFailure", "skipTest", "SkipTest"})
_SKIPS: Final = _ALWAYS | {"skipif", "skipIf", "skipUnless", "importorskip"}
_MOCKS: Final = frozenset({"Mock", "MagicMock", "AsyncMock", "create_autospec", "PropertyMock", "NonCallableMock"})
_SETTERS: Final = frozenset({"object", "setattr", "delattr", "setitem", "spy"})
_HARMLESS: Final = re.compile(
    r"(pytest|unittest|mock|patch|mocker|parametrize|given|settings|example|hypothesis|st|strategies|staticmethod"
    r"|classmethod|property|fixture|functools|contextlib|contextmanager|skip|xfail|mark|overload|asyncio)\w*\b"
    r"|.*\b(mark|patch|fixture|parametrize|given)\b"
)
_EXITS: Final = frozenset({"exit", "_exit", "quit", "abort", "kill"})
_SWALLOWED: Final = frozenset({"", "Exception", "BaseException", "AssertionError"})
_LEAVES: Final = ast.Return | ast.Continue | ast.Break
# What a test has that can raise at all.
_ACTS: Final = (
    *(ast.Call, ast.Raise, ast.Import, ast.ImportFrom, ast.With, ast.Delete, ast.Subscript, ast.Attribute, ast.BinOp),
    *(ast.Yield, ast.Assert),
)


@dataclass(frozen=True, slots=True, eq=False)
class Skip:
    """A place where a test is skipped or expected to fail, or wrapped; ``always`` if no condition is stated."""

    identity: str
    text: str
    line: int
    always: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Cases that a test runs on, by parametrisation or by a loop over what is written down; no rows if computed."""

    names: str
    line: int
    rows: tuple[ast.expr, ...] | None
    source: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """What was seen in one function; ``acts`` if anything in it could raise at all."""

    checks: list[Check] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    mocks: dict[str, int] = field(default_factory=dict)
    cases: list[Cases] = field(default_factory=list)
    acts: bool = False
    identity: str = ""


def read_body(unit: Routine, module: Module) -> Body:
    """Return what the function does, decorators included."""
    node, arguments = unit.node, unit.node.args
    reader = _BodyReader(module, unit.is_test)
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        reader.names.pop(argument.arg, None)
    for argument, default in zip(reversed(arguments.args), reversed(arguments.defaults), strict=False):
        reader.names[argument.arg] = folded(key(default, module.names))
    reader.decorators(node.decorator_list)
    reader.block(node.body, ())
    statements = [
        each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    ]
    acts = any(isinstance(each, _ACTS) for statement in statements for each in ast.walk(statement))
    return replace(reader.body, acts=acts, identity=key([*_parameters(arguments), statements], module.names))


def _parameters(arguments: ast.arguments) -> list[object]:
    """Return the parameters without what they are annotated with."""
    every = (arguments.posonlyargs, arguments.args, [arguments.vararg], arguments.kwonlyargs, [arguments.kwarg])
    names = [[each.arg if each else None for each in group] for group in every]
    return [*names, arguments.defaults, arguments.kw_defaults]


def read_statements(statements: list[ast.stmt], decorators: list[ast.expr], module: Module) -> Body:
    """Return what statements of a module or of a class do at import, marks of the whole included."""
    reader = _BodyReader(module, True)
    reader.decorators(decorators)
    for node in statements:
        if isinstance(node, ast.Assign) and last_name(node.targets[0]) == "pytestmark":
            reader.decorators(_listed(node.value))
        else:
            reader.statement(node, ())
    return reader.body


def _listed(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else [node]


class _BodyReader:
    def __init__(self, module: Module, is_test: bool) -> None:
        self.module = module
        self.is_test = is_test
        self.names = dict(module.names)
        self.values = dict(module.values)
        self.body = Body()
        self._bound = Counter[str]()

    def decorators(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            text, name = f"@{ast.unparse(node)}", last_name(node)
            if self.is_test and not _HARMLESS.match(text[1:]):
                self.body.skips.append(Skip(text, text, node.lineno))
            self._seen(node, True)
            if name == "parametrize" and isinstance(node, ast.Call) and len(node.args) > 1:
                names = re.findall(r"\w+", ast.unparse(node.args[0]))
                self._cases(", ".join(names), node.args[1], node.lineno)

    def _seen(self, node: ast.expr, plain: bool) -> None:
        """Note a skip or a stand-in; ``plain``: no ``if`` is around it."""
        name = last_name(node)
        args = node.args if isinstance(node, ast.Call) else []
        keywords = node.keywords if isinstance(node, ast.Call) else []
        if name in _SKIPS:
            # A reason is no condition.
            given = [each for each in args if not isinstance(constant(each), str)]
            named = [each for each in keywords if each.arg != "reason"]
            given += [each.value for each in named if each.arg == "condition"]
            identity = " ".join([name, key(given, self.module.names), *(ast.unparse(each) for each in named)])
            known = all(constant(each) is not ... for each in given) and bool(name in _ALWAYS or args or given)
            self.body.skips.append(Skip(identity, ast.unparse(node), node.lineno, plain and known))
        elif isinstance(node, ast.Call):
            texts = [ast.unparse(each).strip("'\"") for each in args]
            if name in _MOCKS:
                self.body.mocks.setdefault(f"{name}({', '.join(texts[:1])})", node.lineno)
            elif texts and (name in _SETTERS or "patch" in ast.unparse(node.func).split(".")):
                attribute = [texts[1]] if name in _SETTERS and isinstance(constant((args * 2)[1]), str) else []
                self.body.mocks.setdefault(".".join([texts[0], *attribute]), node.lineno)

    def _cases(self, names: str, source: ast.expr, line: int) -> None:
        listed: ast.expr | None = source
        for _ in range(8):
            listed = self.values.get(listed.id) if isinstance(listed, ast.Name) else listed
        rows = tuple(listed.elts) if isinstance(listed, ast.List | ast.Tuple | ast.Set) else None
        for row in rows or ():
            for each in row.keywords if isinstance(row, ast.Call) and last_name(row) == "param" else ():
                if each.arg == "marks":
                    self.decorators(_listed(each.value))
        self.body.cases.append(Cases(names, line, rows, listed or source))

    def block(self, block: list[ast.stmt], guards: tuple[Obstacle, ...]) -> None:
        for node in block:
            self.statement(node, guards)
            leaving = self._leaves(node)
            if leaving and leaving not in guards:
                guards = (*guards, leaving)

    def _leaves(self, node: ast.stmt) -> Obstacle | None:
        """Return the guard that holds after the statement: one that leaves the test, always or on a condition."""
        if isinstance(node, _LEAVES | ast.Raise) or _exits(node):
            return Obstacle(True, type(node).__name__, f"`{ast.unparse(node)}` comes before it")
        if isinstance(node, ast.If) and (isinstance(node.body[-1], _LEAVES) or _exits(node.body[-1])):
            always = constant(node.test) is not ... and bool(constant(node.test))
            return Obstacle(always, key(node.test, self.names), f"it is reached only if not `{ast.unparse(node.test)}`")
        return None

    def statement(self, node: ast.stmt, guards: tuple[Obstacle, ...]) -> None:
        for each in own_nodes(node):
            if isinstance(each, ast.Call):
                self._seen(each, all(guard.always for guard in guards))
            elif isinstance(each, ast.NamedExpr):
                self._bind(each.target, key(each.value, self.names))
        reader = CheckReader(self.names, guards)
        if isinstance(node, ast.Assert):
            self.body.checks.extend(reader.asserted(node.test))
        elif isinstance(node, ast.Expr):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            self.body.checks.extend(reader.called(value) if isinstance(value, ast.Call) else ())
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self._assigned(node)
        else:
            self._compound(node, guards)

    def _assigned(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        for target in targets_of(node):
            if isinstance(node, ast.AugAssign):
                self._bind(target, key(node, self.names))
            elif node.value is not None:
                identity = key(node.value, self.names)
                self._bind(target, identity)
                if isinstance(target, ast.Name):
                    self.names[target.id] = identity if isinstance(node.value, ast.Name) else self.names[target.id]
                    self.values[target.id] = node.value
            root: ast.expr = target
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            replaces = isinstance(root, ast.Name) and root.id in self.module.imports
            replaces = replaces and not isinstance(target, ast.Subscript)
            replaces = replaces or ast.unparse(target).startswith(("sys.modules[", "globals()["))
            if replaces and not isinstance(node.value, ast.Constant):
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
        """Read the blocks of a statement, each behind what decides whether it runs."""
        inside: Obstacle | None = None
        branches = False
        if isinstance(node, ast.If | ast.While | ast.Match):
            test = node.subject if isinstance(node, ast.Match) else node.test
            known, text = constant(test), f"whether it runs depends on `{ast.unparse(test)}`"
            branches = known is ...
            if branches or not known:
                inside = Obstacle(not branches, key(test, self.names), text)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = Obstacle(False, "nested", "it is in a function inside the test")
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._bind(node.target, f"each of {key(node.iter, self.names)}")
            self._cases(ast.unparse(node.target).strip("()"), node.iter, node.lineno)
            inside = Obstacle(True, "empty", "the loop is empty") if self.body.cases[-1].rows == () else None
        elif isinstance(node, ast.With | ast.AsyncWith):
            guards = self._with(node, guards)
        elif isinstance(node, ast.Try):
            returns = any(isinstance(each, ast.Return) for each in node.finalbody)
            if returns or any(_swallows(each.type) and not _raises_again(each) for each in node.handlers):
                inside = Obstacle(True, "swallowed", "its failure is caught")
        for place, block in enumerate(blocks_of(node)):
            guard = inside if branches or not place else None
            if guard and branches:
                guard = replace(guard, identity=f"{place} {guard.identity}")
            elif isinstance(node, ast.Try) and any(block is each.body for each in node.handlers):
                guard = Obstacle(False, "except", "it runs only after an exception")
            self.block(block, (*guards, guard) if guard else guards)

    def _with(self, node: ast.With | ast.AsyncWith, guards: tuple[Obstacle, ...]) -> tuple[Obstacle, ...]:
        for item in node.items:
            call = item.context_expr
            caught: list[ast.expr] = []
            if isinstance(call, ast.Call) and (is_raises(call) or last_name(call) == "suppress"):
                caught = call.args
                self.body.checks.extend(CheckReader(self.names, guards).raising(call, node.body))
            if any(map(_swallows, caught)):
                guards = (*guards, Obstacle(True, "swallowed", f"`{ast.unparse(call)}` catches its failure"))
            if item.optional_vars is not None:
                self._bind(item.optional_vars, key(call, self.names))
        return guards


def _exits(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and last_name(node.value) in _EXITS


def _swallows(types: ast.expr | None) -> bool:
    """Return whether who catches these catches the failure of an assertion."""
    return types is None or not _SWALLOWED.isdisjoint(map(last_name, _listed(types)))


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler can still make the test fail: it raises, asserts or calls ``fail``."""
    return any(
        isinstance(each, ast.Raise | ast.Assert)
        or (isinstance(each, ast.Call) and last_name(each).startswith(("fail", "assert")))
        for each in ast.walk(handler)
    )
