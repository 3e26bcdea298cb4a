"""Conditions that a program states in Python: assertions at both ends of a body, icontract, deal, annotations.

They are the author's own words in the language of the program, so they are ground truth. A condition is taken over as
text after its names were brought to ours: ``result``, ``NAME`` before the call, ``NAME__after`` after it. Refuses
conditions that use anything else than parameters, functions of the module, built-ins and constants of the file.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from probatum.programs.parsing.documents import SourceText
from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.signatures import Definition, bound_by, own_nodes
from probatum.programs.specification import Parameter
from probatum.readings.syntax import MAX_DEPTH, depth_of

PRE, POST, RAISES = "pre", "post", "raises"
RESULT = "result"
ASSERT = "assert"
_LIBRARIES = word_set("icontract deal")
ENFORCING = _LIBRARIES | {ASSERT}
"""Sources of conditions that the program itself enforces: where one is broken, the call raises."""
_KINDS = {
    "icontract": {"require": PRE, "ensure": POST},
    "deal": {"pre": PRE, "post": POST, "ensure": POST, "raises": RAISES, "chain": "chain"},
}
_MODULES = word_set("collections datetime itertools math re statistics string")
_IMMUTABLE = word_set("int str float bool bytes complex None Decimal Fraction date datetime tuple frozenset")
_AFTER = "__after"
_MOST = 60


@dataclass(frozen=True, slots=True)
class CodeClause:
    """A condition in Python: what it is (``pre``, ``post``, ``raises`` or ``inv``), where it stands, and its text."""

    kind: str
    begin: int
    end: int
    expression: str
    """A condition; for ``raises`` the name of the exception."""
    source: str


@dataclass(frozen=True, slots=True)
class CodeFacts:
    """What a file says that conditions in it may refer to."""

    libraries: Mapping[str, str] = field(default_factory=dict)
    """Names in the file to what they are: ``ic`` to ``icontract``, ``require`` to ``icontract.require``."""
    constants: Mapping[str, ast.expr] = field(default_factory=dict)
    aliases: Mapping[str, ast.expr] = field(default_factory=dict)
    """Names that stand for a type."""
    functions: frozenset[str] = frozenset()


def code_facts(tree: ast.Module) -> CodeFacts:
    """Return what the top level of a file binds, as far as conditions need it."""
    libraries: dict[str, str] = {}
    bound: dict[str, int] = {}
    values: dict[str, ast.expr] = {}
    functions: set[str] = set()
    for statement in tree.body:
        for part in (statement, *ast.iter_child_nodes(statement)):
            for name in bound_by(part):
                bound[name] = bound.get(name, 0) + 1
        match statement:
            case ast.Import(names=names):
                libraries.update({each.asname or each.name: each.name for each in names})
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                libraries.update({each.asname or each.name: f"{module}.{each.name}" for each in names})
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                values[name] = value
            case ast.FunctionDef(name=name):
                functions.add(name)
    # A name bound twice may hold either value when the condition is evaluated.
    once = {name: value for name, value in values.items() if bound.get(name) == 1}
    constants = {name: value for name, value in once.items() if _is_constant(value)}
    aliases = {name: value for name, value in once.items() if isinstance(value, ast.Subscript | ast.Call | ast.BinOp)}
    return CodeFacts(libraries, constants, aliases, frozenset(functions))


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return len(items) <= _MOST and all(isinstance(item, ast.Constant) for item in items)
        case _:
            return False


class _Renamed(ast.NodeTransformer):
    """Puts our names and the file's constants into a copy of a condition."""

    def __init__(self, names: Mapping[str, str], old: Mapping[str, ast.expr], facts: CodeFacts) -> None:
        self._names = names
        self._old = old
        self._facts = facts
        self.is_refused = False

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._names:
            return ast.Name(self._names[node.id], ast.Load())
        if isinstance(node.ctx, ast.Load) and node.id in self._facts.constants:
            return self._facts.constants[node.id]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node.value:
            case ast.Name(id="OLD" | "__old__"):
                self.is_refused = self.is_refused or node.attr not in self._old
                return self._old.get(node.attr, node)
            case ast.Name(id="_") if "_" not in self._names and node.attr in self._names:
                return ast.Name(self._names[node.attr], ast.Load())
            case _:
                return self.generic_visit(node)  # type: ignore[return-value]  # an expression stays an expression


def renamed_condition(
    node: ast.expr, names: Mapping[str, str], facts: CodeFacts, old: Mapping[str, ast.expr] | None = None
) -> str | None:
    """Return a condition over our names as text; None where it uses what cannot be evaluated."""
    if depth_of(node) > MAX_DEPTH:
        return None
    rename = _Renamed(names, old or {}, facts)
    # The transformer works in place, and the tree is shared with everything else that reads the file.
    changed = rename.visit(ast.parse(ast.unparse(node), mode="eval").body)
    if rename.is_refused or any(isinstance(part, ast.Await | ast.Yield | ast.YieldFrom) for part in ast.walk(changed)):
        return None
    used = names_in(changed, ast.Load)
    allowed = {*names, *names.values(), *facts.functions, *_MODULES, *dir(builtins)}
    if not free_names(changed) <= allowed or not used & set(names.values()):
        return None
    return " ".join(ast.unparse(changed).split("\n"))


# Assertions ----------------------------------------------------------------------------------------------------


def asserted(source: SourceText, node: Definition, parameters: Iterable[str], facts: CodeFacts) -> Iterator[CodeClause]:
    """Yield the assertions at the beginning of a body, before anything else happens."""
    names = {name: name for name in parameters}
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assert(test=test):
                expression = renamed_condition(test, names, facts)
                if expression is not None:
                    begin, end = source.node_range(statement)
                    yield CodeClause(PRE, begin, end, expression, ASSERT)
            case _:
                return


def concluded(
    source: SourceText, node: Definition, parameters: Iterable[Parameter], facts: CodeFacts
) -> Iterator[CodeClause]:
    """Yield the assertions right before the only ``return`` of a body, as conditions on the name that it returns.

    One that uses another local name, or a parameter that the body binds again, cannot be evaluated from outside.
    """
    match node.body:
        case [*before, ast.Return(value=ast.Name(id=returned))] if _has_one_way_out(node):
            closing = _closing(before)
        case _:
            return
    if all(isinstance(each, ast.Assert) or _is_text(each) for each in before):
        return
    names = names_after({each.name: each.annotation or "" for each in parameters}) | {returned: RESULT}
    bound = {name for part in own_nodes(node) for name in bound_by(part)} - {returned}
    for statement in reversed(closing):
        used = names_in(statement.test)
        if used & bound or (RESULT in used and returned != RESULT) or returned not in used:
            continue
        expression = renamed_condition(statement.test, names, facts)
        if expression is not None:
            begin, end = source.node_range(statement)
            yield CodeClause(POST, begin, end, expression, ASSERT)


def _closing(statements: Sequence[ast.stmt]) -> list[ast.Assert]:
    """Return the assertions at the end, the last one first."""
    found: list[ast.Assert] = []
    for each in reversed(statements):
        if not isinstance(each, ast.Assert):
            break
        found.append(each)
    return found


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _has_one_way_out(node: Definition) -> bool:
    ways = [each for each in own_nodes(node) if isinstance(each, ast.Return | ast.Yield | ast.YieldFrom)]
    return len(ways) == 1


# Decorators ----------------------------------------------------------------------------------------------------


def decorated(
    source: SourceText, node: Definition, parameters: Iterable[Parameter], facts: CodeFacts
) -> Iterator[CodeClause]:
    """Yield the conditions that icontract and deal decorators state, from the outermost to the innermost."""
    arguments = {each.name: each.annotation or "" for each in parameters}
    old: Mapping[str, ast.expr] = _snapshots(node, facts)
    waiting = list(node.decorator_list)
    while waiting:
        decorator = waiting.pop(0)
        library, name = _origin(decorator, facts)
        kind = _KINDS.get(library, {}).get(name, "")
        if not isinstance(decorator, ast.Call) or not kind:
            continue
        if kind == "chain":
            waiting[:0] = decorator.args
        elif kind == RAISES:
            begin, end = source.node_range(decorator)
            for each in decorator.args:
                if isinstance(each, ast.Name | ast.Attribute):
                    raised = each.id if isinstance(each, ast.Name) else each.attr
                    yield CodeClause(RAISES, begin, end, raised, library)
        else:
            expression = _condition(decorator, kind, name, arguments, facts, old)
            if expression is not None:
                begin, end = source.node_range(decorator)
                yield CodeClause(kind, begin, end, expression, library)


def _origin(decorator: ast.expr, facts: CodeFacts) -> tuple[str, str]:
    """Return the library and the name of what decorates, as the file imports it."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    match called:
        case ast.Attribute(value=ast.Name(id=module), attr=name) if facts.libraries.get(module) in _LIBRARIES:
            return facts.libraries[module], name
        case ast.Name(id=alias):
            library, _, name = facts.libraries.get(alias, "").partition(".")
            return (library, name) if library in _LIBRARIES else ("", "")
        case _:
            return "", ""


def _condition(
    decorator: ast.Call,
    kind: str,
    name: str,
    arguments: Mapping[str, str],
    facts: CodeFacts,
    old: Mapping[str, ast.expr],
) -> str | None:
    named = [each.value for each in decorator.keywords if each.arg in {"condition", "validator"}]
    written = next(iter([*decorator.args, *named]), None)
    if not isinstance(written, ast.Lambda):
        return None
    taken = [each.arg for each in (*written.args.posonlyargs, *written.args.args, *written.args.kwonlyargs)]
    if name == "post":
        return renamed_condition(written.body, dict.fromkeys(taken[:1], "result"), facts)
    names = {each: each for each in arguments} if kind == PRE else names_after(arguments)
    whole = set(taken) <= {"_"}
    if not whole and not set(taken) <= {*names, "OLD", "result"}:
        return None
    if kind == POST:
        names["result"] = "result"
    used = {key: value for key, value in names.items() if whole or key in taken}
    return renamed_condition(written.body, used, facts, old)


def names_after(arguments: Mapping[str, str]) -> dict[str, str]:
    """Return what parameters mean in a condition on the result: their values after the call."""
    return {
        name: name if annotation.partition("[")[0].rpartition(".")[2] in _IMMUTABLE else name + _AFTER
        for name, annotation in arguments.items()
    }


def _snapshots(node: Definition, facts: CodeFacts) -> dict[str, ast.expr]:
    """Return what ``OLD`` holds: the values of icontract's snapshots, over the values before the call."""
    found: dict[str, ast.expr] = {}
    for decorator in node.decorator_list:
        if _origin(decorator, facts) != ("icontract", "snapshot") or not isinstance(decorator, ast.Call):
            continue
        match decorator.args:
            case [ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body), *_]:
                given = [each.value for each in decorator.keywords if each.arg == "name"]
                match given or [ast.Constant(name)]:
                    case [ast.Constant(value=str() as named)]:
                        found[named] = body
    return found
