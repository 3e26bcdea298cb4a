"""From documented examples to executable checks, and their execution against one candidate process.

A check is a direct call wherever the example is one: its arguments are values, and the expected value never leaves
the judge. An expression around calls (``round(f(2), 3)``) is evaluated by the clerk, a process that never holds the
program. Everything that needs the program's own objects (classes, several steps) is run as statements inside the
candidate; the comparison still happens here.

Refuses to execute a single character of the candidate's file in this process: examples are read as syntax.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass

from probatum.core.canonical import JsonValue, tagged
from probatum.programs.specification import Example, FunctionSpec, ModuleSpec, ReprIs, ValueIs
from probatum.sandbox import (
    Candidate,
    Clerk,
    Handle,
    Lost,
    LostReason,
    Raised,
    Reply,
    Returned,
    SourceArgument,
    answering,
)

DRAIN_LIMIT = 10_000
DENIED_BY_SANDBOX = frozenset({"OSError", "MemoryError", "ModuleNotFoundError"})
"""Exceptions by which a program meets what the sandbox does not give it."""
_SAFE_CONSTRUCTORS = frozenset({"set", "frozenset"})


@dataclass(frozen=True, slots=True)
class DirectCall:
    """A call of one function with values as arguments."""

    target: str
    args: tuple[object, ...]
    kwargs: tuple[tuple[str, object], ...] = ()

    @property
    def is_plain(self) -> bool:
        """True when every argument is a value (no argument given as source)."""
        return not any(isinstance(value, SourceArgument) for value in (*self.args, *(v for _, v in self.kwargs)))


@dataclass(frozen=True, slots=True)
class ClerkExpression:
    """An expression whose calls of the program's functions go through the judge."""

    expression: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statements:
    """Steps inside the candidate, the last of which has a value."""

    setup: tuple[str, ...]
    expression: str
    show_repr: bool = False


Action = DirectCall | ClerkExpression | Statements


@dataclass(frozen=True, slots=True)
class PlannedCheck:
    """One example with the way in which it is executed."""

    example: Example
    action: Action
    kind: str = "example"

    @property
    def forge_resistant(self) -> bool:
        """False where the program shares a process with the expression and the expected value can be guessed."""
        if not isinstance(self.action, Statements):
            return True
        expectation = self.example.expectation
        return isinstance(expectation, ValueIs) and not isinstance(expectation.value, bool | None)


def plan_checks(function: FunctionSpec, module: ModuleSpec) -> tuple[PlannedCheck, ...]:
    """Choose for every example of a function how it is executed; nothing is left out."""
    return tuple(PlannedCheck(example, _action(example, module)) for example in function.examples)


def _action(example: Example, module: ModuleSpec) -> Action:
    functions = {spec.qualname for spec in module.functions if spec.kind == "function"}
    tree = _parse(example.expression)
    setup = _needed_setup(example, set(module.defined) | functions)
    if tree is not None and not setup and not isinstance(example.expectation, ReprIs):
        call = _direct_call(tree, functions | _static_methods(module))
        if call is not None:
            return call
        names = _names(tree)
        called = tuple(sorted(names & functions))
        others = names - functions
        if called and all(hasattr(builtins, name) for name in others):
            return ClerkExpression(example.expression, called)
    return Statements(setup, example.expression, isinstance(example.expectation, ReprIs))


def _parse(expression: str) -> ast.expr | None:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _needed_setup(example: Example, defined: set[str]) -> tuple[str, ...]:
    """Return the earlier steps, but nothing where they only import what the program defines: it has that already."""
    imported = [_imported_names(step) for step in example.setup]
    return () if all(names is not None and names <= defined for names in imported) else example.setup


def _imported_names(step: str) -> set[str] | None:
    try:
        body = ast.parse(step).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names: set[str] = set()
    for node in body:
        if not isinstance(node, ast.ImportFrom):
            return None
        names |= {alias.asname or alias.name for alias in node.names}
    return names


def _static_methods(module: ModuleSpec) -> set[str]:
    return {spec.qualname for spec in module.functions if spec.kind in {"staticmethod", "classmethod"}}


def _names(tree: ast.expr) -> set[str]:
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return loaded - stored - arguments


def _direct_call(tree: ast.expr, targets: set[str]) -> DirectCall | None:
    if isinstance(tree, ast.Await):
        tree = tree.value
    if not isinstance(tree, ast.Call) or ast.unparse(tree.func) not in targets:
        return None
    if any(isinstance(argument, ast.Starred) for argument in tree.args):
        return None
    if any(keyword.arg is None for keyword in tree.keywords):
        return None
    args = tuple(_argument(node) for node in tree.args)
    kwargs = tuple((str(keyword.arg), _argument(keyword.value)) for keyword in tree.keywords)
    return DirectCall(ast.unparse(tree.func), args, kwargs)


def _argument(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        pass
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id == "float" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            return _float(node)
        if node.func.id in _SAFE_CONSTRUCTORS and not node.args:
            return set() if node.func.id == "set" else frozenset()
    return SourceArgument(ast.unparse(node))


def _float(node: ast.Call) -> object:
    text = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
    if isinstance(text, str) and text.strip().lower() in {"inf", "-inf", "nan", "infinity", "-infinity"}:
        return float(text)
    return SourceArgument(ast.unparse(node))


def run_action(action: Action, candidate: Candidate, clerk: Clerk | None) -> Reply:
    """Execute one action; generators that come back are drained into a list.

    Raises:
        ValueError: the action needs a clerk and there is none.
    """
    if isinstance(action, DirectCall):
        return drain(candidate, candidate.call(action.target, action.args, dict(action.kwargs)))
    if isinstance(action, Statements):
        expression = f"repr({action.expression})" if action.show_repr else action.expression
        if action.setup:
            before = candidate.statements("\n".join(action.setup), "None")
            if not isinstance(before, Returned):
                return _failed_before(before)
        return drain(candidate, candidate.statements("", expression))
    if clerk is None:
        raise ValueError("an expression around calls needs a clerk")

    return clerk.evaluate(action.expression, action.names, answering(candidate))


def _failed_before(reply: Raised | Lost) -> Reply:
    """Keep what the steps before an example raise from passing for what the example is documented to raise."""
    if isinstance(reply, Lost) or DENIED_BY_SANDBOX & {reply.type_name, *reply.bases}:
        return reply
    text = f"a step before the example raises {reply.type_name}: {reply.text}"
    return Raised("StepBeforeFailed", ("StepBeforeFailed",), text)


def drain(candidate: Candidate, reply: Reply) -> Reply:
    """Replace a generator that came back by the list of what it yields, up to a limit."""
    if not isinstance(reply, Returned) or not isinstance(reply.value, Handle) or reply.value.type_name != "generator":
        return reply
    drained = candidate.next(reply.value, DRAIN_LIMIT)
    if isinstance(drained, Returned) and isinstance(drained.value, tuple):
        if drained.value[1] is not True:
            return Lost(LostReason.OUTPUT, f"it yields more than {DRAIN_LIMIT} items")
        return Returned(drained.value[0], reply.arguments, reply.keyword_arguments, reply.output + drained.output)
    return drained


def is_gone(reply: Reply) -> bool:
    """True when the process that replied cannot be asked again."""
    return isinstance(reply, Lost)


def inputs_form(action: Action) -> JsonValue:
    """Return the JSON form of an action that a record retains and a replay runs again."""
    if isinstance(action, DirectCall):
        args: list[JsonValue] = [_input_value(value) for value in action.args]
        kwargs: list[JsonValue] = [[name, _input_value(value)] for name, value in action.kwargs]
        return {"form": "call", "target": action.target, "args": args, "kwargs": kwargs}
    if isinstance(action, ClerkExpression):
        names: list[JsonValue] = list(action.names)
        return {"form": "clerk", "expression": action.expression, "names": names}
    setup: list[JsonValue] = list(action.setup)
    return {
        "form": "statements",
        "setup": setup,
        "expression": action.expression,
        "show_repr": action.show_repr,
    }


def _input_value(value: object) -> JsonValue:
    return {"$source": value.text} if isinstance(value, SourceArgument) else tagged(value)


def pasteable(action: Action) -> str:
    """Write an action as Python that can be pasted."""
    if isinstance(action, DirectCall):
        shown = [_pasteable_value(value) for value in action.args]
        shown += [f"{name}={_pasteable_value(value)}" for name, value in action.kwargs]
        return f"{action.target}({', '.join(shown)})"
    if isinstance(action, ClerkExpression):
        return action.expression
    return "\n".join([*action.setup, action.expression])


def _pasteable_value(value: object) -> str:
    if isinstance(value, SourceArgument):
        return value.text
    text = repr(value)
    return f"float({text!r})" if isinstance(value, float) and text in {"nan", "inf", "-inf"} else text
