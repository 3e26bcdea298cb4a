"""From documented examples to executable checks.

An example that is a call runs as one: the expected value never leaves the judge. An expression around calls is
evaluated by the clerk, which never holds the program. What needs the program's own objects runs in the candidate, as
statements. Nothing of the candidate's file runs in this process: examples are read as syntax.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from enum import StrEnum

from probatum.core.canonical import JsonValue, canonical_bytes, parse_canonical
from probatum.core.tagged import tagged, untagged
from probatum.programs.parsing.expressions import free_names, waits, without_waiting
from probatum.programs.parsing.literals import executed_by
from probatum.programs.parsing.value_texts import pasteable_text, value_text
from probatum.programs.record import CheckKind
from probatum.programs.running.comparisons import is_comparison
from probatum.programs.running.own_answers import asking_objects
from probatum.programs.running.reading_judge import ReadingJudge
from probatum.programs.source import expression_of, module_or_none
from probatum.programs.specification import Example, FunctionSpec, ModuleSpec, PrintsText, ReprIs, ValueIs
from probatum.sandbox import Reply, SourceArgument

STEP_BEFORE_FAILED = "StepBeforeFailed"
ARGUMENT_FAILED = "ArgumentFailed"
"""Among the bases of an exception that an argument of a call raised while it was made."""
_NO_NUMBERS = frozenset({"inf", "-inf", "nan", "infinity", "-infinity"})


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


class Asks(StrEnum):
    """What is asked about the value of the last of some steps."""

    VALUE = "value"
    SIDES = "sides"
    """The sides of a comparison, one after the other; the judge compares them."""
    TEXT = "text"
    """What Python writes of such a value by itself; the judge writes it."""
    OWN_TEXT = "own_text"
    """What the program's object writes of itself."""
    OWN_TRUTH = "own_truth"
    """What the program's objects say of a comparison."""


OWN_WORDS = frozenset({Asks.OWN_TEXT, Asks.OWN_TRUTH})


@dataclass(frozen=True, slots=True)
class Statements:
    """Steps inside the candidate, the last of which has a value."""

    setup: tuple[str, ...]
    expression: str
    asks: Asks = Asks.VALUE


@dataclass(frozen=True, slots=True)
class JudgedCall:
    """A call, and a condition that the clerk holds its arguments and its result against."""

    call: DirectCall
    condition: str
    """A ``lambda`` with keyword parameters: ``result``, and the names in ``given`` and ``after``."""
    given: tuple[tuple[str, object], ...] = ()
    after: tuple[tuple[str, int | str], ...] = ()
    """Names for values after the call, with the place or the keyword of the argument that each stands for."""
    functions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call that is judged by the readings of one record; the value is the ids of those that it breaks."""

    call: DirectCall
    judge: ReadingJudge
    wanted: frozenset[str] = frozenset()
    """The ids of the readings that say something about this call."""
    answer: Reply | None = None
    """What is known to break none of these."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """Other actions, time and again in the program's process; nothing comes of it but what they leave behind."""

    actions: tuple[Action, ...]
    times: int


PlainAction = DirectCall | ClerkExpression | Statements | JudgedCall
Action = PlainAction | ReadCall


def needs_clerk(action: Action | Repeated) -> bool:
    """True for an action that a clerk takes part in."""
    return isinstance(action, ClerkExpression | JudgedCall)


@dataclass(frozen=True, slots=True)
class PlannedCheck:
    """One example with the way in which it is executed."""

    example: Example
    action: Action
    kind: CheckKind = CheckKind.EXAMPLE
    asks_an_object: bool | None = None  # That the document makes itself, and whether that can carry: `own_answers`.

    @property
    def is_own_word(self) -> bool:
        """True where an object that the program returns says how it compares, or what its text is."""
        return isinstance(self.action, Statements) and self.action.asks in OWN_WORDS and self.asks_an_object is None

    @property
    def forge_resistant(self) -> bool:
        """False where the program shares a process with the expression and the expected value can be guessed."""
        if not isinstance(self.action, Statements) or self.action.asks is Asks.SIDES:
            return True
        if self.is_own_word:
            return False
        match self.example.expectation:
            case ValueIs(value=value):
                return not isinstance(value, bool | None) or bool(self.asks_an_object)
            case PrintsText(text=text) | ReprIs(text=text):
                return bool(text.strip())
            case _:
                return False

    @property
    def reproduction(self) -> str:
        """Python that can be pasted: as the document writes it where it waits for what is executed here without."""
        tree = None if isinstance(self.action, Statements | ReadCall) else expression_of(self.example.expression)
        if tree is not None and (waits(tree) or "asyncio" in free_names(tree)):
            return self.example.expression
        return pasteable(self.action)


def plan_checks(function: FunctionSpec, module: ModuleSpec) -> tuple[PlannedCheck, ...]:
    """Choose for every example of a function how it is executed; nothing is left out."""
    asking = asking_objects(function.examples, {spec.qualname for spec in module.functions if spec.kind == "class"})
    return tuple(
        PlannedCheck(each, _action(each, module, each.id in asking), asks_an_object=asking.get(each.id))
        for each in function.examples
    )


def steps_of(example: Example, setup: tuple[str, ...], asks_an_object: bool = False) -> Statements:
    """Return an example as steps inside the program's process, with what is asked about the last one."""
    asks = Asks.VALUE
    if isinstance(example.expectation, ReprIs):
        asks = Asks.TEXT
    elif (
        isinstance(example.expectation, ValueIs) and isinstance(example.expectation.value, bool) and not asks_an_object
    ):
        tree = expression_of(example.expression)
        if tree is not None and is_comparison(tree):
            asks = Asks.SIDES
    return Statements(setup, example.expression, asks)


def _action(example: Example, module: ModuleSpec, asks_an_object: bool) -> Action:
    functions = {spec.qualname for spec in module.functions if spec.kind == "function"}
    tree = expression_of(example.expression)
    setup = _needed_setup(example, set(module.defined) | functions)
    if (
        tree is not None
        and (not setup or set(setup) == {"import asyncio"})
        and not isinstance(example.expectation, ReprIs)
    ):
        plain = without_waiting(tree, functions | _static_methods(module))
        call = call_of(plain, functions | _static_methods(module))
        if call is not None:
            return call
        names = free_names(plain)
        called = tuple(sorted(names & functions))
        others = names - functions
        if called and not setup and not waits(plain) and all(hasattr(builtins, name) for name in others):
            return ClerkExpression(example.expression if plain is tree else ast.unparse(plain), called)
    return steps_of(example, setup, asks_an_object)


def _needed_setup(example: Example, defined: set[str]) -> tuple[str, ...]:
    """Return the earlier steps, but nothing where they only import what the program defines: it has that already."""
    imported = [_imported_names(step) for step in example.setup]
    return () if all(names is not None and names <= defined for names in imported) else example.setup


def _imported_names(step: str) -> set[str] | None:
    tree = module_or_none(step)
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)] if tree is not None else []
    if tree is None or len(imports) < len(tree.body):
        return None
    return {alias.asname or alias.name for node in imports for alias in node.names}


def _static_methods(module: ModuleSpec) -> set[str]:
    return {spec.qualname for spec in module.functions if spec.kind in {"staticmethod", "classmethod"}}


def call_of(tree: ast.expr, targets: set[str]) -> DirectCall | None:
    """Return a call of one of ``targets`` with its arguments as values where they are such; None for anything else."""
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
    match node:
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
            return float(text) if text.strip().lower() in _NO_NUMBERS else SourceArgument(ast.unparse(node))
        case ast.Call(func=ast.Name(id="set" | "frozenset" as kind), args=[], keywords=[]):
            return set() if kind == "set" else frozenset()
        case _:
            return SourceArgument(ast.unparse(node))


def inputs_form(action: Action) -> JsonValue:
    """Return the JSON form of an action that a record retains and a replay runs again."""
    if isinstance(action, DirectCall):
        return {"form": "call", **_call_form(action)}
    if isinstance(action, JudgedCall):
        return {
            "form": "judged",
            **_call_form(action.call),
            "condition": action.condition,
            "given": [[name, input_value(value)] for name, value in action.given],
            "after": [[name, place] for name, place in action.after],
            "functions": list(action.functions),
        }
    if isinstance(action, ReadCall):
        wanted: list[JsonValue] = [*sorted(action.wanted)]
        return {"form": "read", **_call_form(action.call), "reader": action.judge.record.reader, "readings": wanted}
    if isinstance(action, ClerkExpression):
        names: list[JsonValue] = list(action.names)
        return {"form": "clerk", "expression": action.expression, "names": names}
    setup: list[JsonValue] = list(action.setup)
    return {"form": "statements", "setup": setup, "expression": action.expression, "asks": action.asks.value}


def _call_form(call: DirectCall) -> dict[str, JsonValue]:
    args: list[JsonValue] = [input_value(value) for value in call.args]
    kwargs: list[JsonValue] = [[name, input_value(value)] for name, value in call.kwargs]
    return {"target": call.target, "args": args, "kwargs": kwargs}


def input_value(value: object) -> JsonValue:
    """Return the JSON form of an argument; as source where the canonical form would lose the order of a dictionary."""
    if isinstance(value, SourceArgument):
        return {"$source": value.text}
    form = tagged(value)
    written = value_text(value)
    if "{" not in written or value_text(untagged(parse_canonical(canonical_bytes(form)))) == written:
        return form
    try:
        return {"$source": written} if value_text(ast.literal_eval(written)) == written else form
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return form


def value_of_input(form: JsonValue) -> object:
    """Read an argument back; source that is a plain value is that value."""
    if not isinstance(form, dict) or set(form) != {"$source"}:
        return untagged(form)
    text = str(form["$source"])
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return SourceArgument(text)


def pasteable(action: Action) -> str:
    """Write an action as Python that can be pasted."""
    if isinstance(action, DirectCall):
        shown = [pasteable_text(value) for value in action.args]
        shown += [f"{name}={pasteable_text(value)}" for name, value in action.kwargs]
        return f"{action.target}({', '.join(shown)})"
    if isinstance(action, ClerkExpression):
        return action.expression
    if isinstance(action, JudgedCall | ReadCall):
        return pasteable(action.call)
    return "\n".join([*action.setup, executed_by(action.expression) or action.expression])
