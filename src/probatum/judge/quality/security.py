"""Security of Python code: values from outside followed through a module to where they do harm, and written secrets.

The flow is followed by statement through the branches and loops of a function, and one call deep between the functions
of the module. A check against what is allowed, a conversion or a quoting ends it. What an unknown call gives back
counts as safe, and so does what is kept in attributes of objects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from probatum.judge.quality import sinks
from probatum.judge.quality.module import FUNCTIONS, CodeModule, FunctionNode, at, dotted, names_in, parameters_of
from probatum.judge.quality.scoring import QualityHit
from probatum.judge.quality.sinks import TaintLevel

_TWICE: Final = 3
"""How deep in loops a body is read a second time, for what its first round leaves to the next."""
_MOST_NAMES: Final = 100
"""Names that are followed in one function, so that time stays linear."""
_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True, slots=True)
class Taint:
    """What is known of a value that may come from outside."""

    level: TaintLevel = TaintLevel.FIXED
    source: str = "parts that may vary"
    parameters: frozenset[str] = frozenset()
    """The parameters of the function that it holds."""
    is_sql: bool = False
    """Whether it is a SQL statement that was put together from values."""


class Reached(NamedTuple):
    """A call where a value does harm."""

    rule: str
    call: ast.Call
    taint: Taint
    name: str


FIXED: Final = Taint()
UNKNOWN: Final = Taint(TaintLevel.UNKNOWN)
_Values = dict[str, Taint]


def joined(taints: Iterable[Taint]) -> Taint:
    """Return what a value holds that is made of others."""
    each = list(taints)
    worst = max(each, key=lambda taint: taint.level, default=FIXED)
    parameters = frozenset[str]().union(*(taint.parameters for taint in each))
    return Taint(worst.level, worst.source, parameters, any(taint.is_sql for taint in each))


def security_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield where values from outside do harm, each place and rule once, and where secrets are written."""
    read = ((each.name, TaintFlow(module, {}).read(each)) for each in module.functions)
    # Of methods that share a name, one that does something with its parameters counts.
    flows = {name: flow for name, flow in read if flow.reached or flow.returned}
    seen = set[tuple[str, int]]()
    for scope in (module.tree, *module.functions):
        is_public = isinstance(scope, FUNCTIONS) and not scope.name.startswith("_")
        for rule, call, taint, name in TaintFlow(module, flows).read(scope).events:
            if (taint.level != TaintLevel.CALLER or is_public) and (rule, call.lineno) not in seen:
                seen.add((rule, call.lineno))
                yield at(rule, call, what=taint.source, name=name)
    for node in module.nodes:
        for name, value in _named(node):
            text = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
            is_named = sinks.SECRET_NAME.search(name) and sinks.PLAIN_SECRET.fullmatch(text)
            if is_named or (name and sinks.SECRET_VALUE.match(text)):
                yield at("secret", value, name=name)


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the values that a node gives a name to: a variable, an attribute, a key or a parameter."""
    match node:
        case ast.keyword(arg=str(name), value=value):
            yield name, value
        case ast.Assign(targets=[target, *_], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            match target:
                case ast.Subscript(slice=ast.Constant(value=str(name))):
                    yield name, value
                case _:
                    yield dotted(target).rpartition(".")[2], value
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value


class TaintFlow:
    """One reading of a function's statements, which collects where something reaches a sink."""

    def __init__(self, module: CodeModule, flows: Mapping[str, TaintFlow]) -> None:
        self._module, self._flows = module, flows
        """``flows`` are those of the functions that are called."""
        self.events: list[Reached] = []
        self.reached: dict[str, Reached] = {}
        """By parameter: where it does harm."""
        self.returned: frozenset[str] = frozenset()
        """The parameters that the result holds."""

    def read(self, scope: ast.Module | FunctionNode) -> TaintFlow:
        """Read a function whose parameters its caller gives, or a stranger where it answers requests; or a module."""
        values: _Values = {}
        if isinstance(scope, FUNCTIONS):
            calls = [each.func for each in scope.decorator_list if isinstance(each, ast.Call)]
            marks = {each.attr for each in calls if isinstance(each, ast.Attribute)}
            level = TaintLevel.STRANGER if marks & sinks.ROUTE_MARKS else TaintLevel.CALLER
            for each in parameters_of(scope):
                given = Taint(level, f"Parameter '{each.arg}'", frozenset({each.arg}))
                is_number = each.annotation is not None and dotted(each.annotation) in sinks.NUMBERS
                values[each.arg] = FIXED if is_number else given
        self._run(scope.body, values, 0)
        return self

    def _run(self, body: Sequence[ast.stmt], values: _Values, loops: int) -> None:
        """Read statements in order; ``values`` becomes what holds behind them."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    continue
                case ast.Assign(targets=targets, value=value):
                    self._bind(targets, self.of(value, values), values)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._bind([target], self.of(value, values), values)
                case ast.AugAssign(target=target, value=value):
                    self._bind([target], joined((self.of(value, values), self.of(target, values))), values)
                case ast.Return(value=ast.expr() as value):
                    self.returned |= self.of(value, values).parameters
                case ast.If():
                    self._branches(node, values, loops)
                case ast.For() | ast.AsyncFor() | ast.While():
                    for _ in range(2 if loops < _TWICE else 1):
                        self._others(node, values, loops + 1)
                case _:
                    self._others(node, values, loops)

    def _others(self, node: ast.stmt, values: _Values, loops: int) -> None:
        """Read the expressions of a statement, then each of its bodies as one that may run."""
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.expr():
                    self.of(child, values)
                case ast.withitem(context_expr=given, optional_vars=bound):
                    self._bind([bound] if bound else [], self.of(given, values), values)
        if isinstance(node, ast.For | ast.AsyncFor):
            self._bind([node.target], self.of(node.iter, values), values)
        inner = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
        for body in [getattr(each, name, []) for each in inner for name in ("body", "orelse", "finalbody")]:
            if isinstance(node, ast.With | ast.AsyncWith | ast.ClassDef):
                self._run(body, values, loops)
            else:
                self._merge(body, values, loops)

    def _branches(self, node: ast.If, values: _Values, loops: int) -> None:
        self.of(node.test, values)
        when_true, when_false = _checked(node.test)
        other = dict(values)
        self._merge(node.body, values, loops, when_true)
        self._merge(node.orelse, other, loops, when_false)
        _join_into(values, other)
        last = node.body[-1]
        if isinstance(last, _LEAVES) or (isinstance(last, ast.Expr) and self._module.called(last.value) in sinks.EXITS):
            values |= dict.fromkeys(when_false & set(values), FIXED)

    def _merge(self, body: Sequence[ast.stmt], values: _Values, loops: int, checked: Iterable[str] = ()) -> None:
        inner = {**values, **dict.fromkeys(checked, FIXED)}
        self._run(body, inner, loops)
        _join_into(values, {name: taint for name, taint in inner.items() if name not in checked})

    def _bind(self, targets: Iterable[ast.expr], taint: Taint, values: _Values) -> None:
        for target in targets:
            match target:
                case ast.Name(id=name) if name in values or len(values) < _MOST_NAMES:
                    values[name] = taint
                case ast.Tuple(elts=parts) | ast.List(elts=parts):
                    self._bind(parts, taint, values)
                case ast.Starred(value=inner):
                    self._bind([inner], taint, values)
                case ast.Subscript(value=ast.Name(id=name)) if name in values:
                    values[name] = joined((values[name], taint))

    def of(self, node: ast.expr, values: _Values) -> Taint:
        """Return what an expression holds from outside; sinks within are noted."""
        match node:
            case ast.Constant():
                return FIXED
            case ast.Lambda():
                return UNKNOWN
            case ast.Name(id=name) if name in values:
                return values[name]
            case ast.Name() | ast.Attribute():
                return self._read_name(node, values)
            case ast.Call():
                return self._call(node, values)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                values = dict(values)
                for part in node.generators:
                    self._bind([part.target], self.of(part.iter, values), values)
                    values |= dict.fromkeys((name for test in part.ifs for name in _checked(test)[0]), FIXED)
            case ast.NamedExpr(target=target, value=value):
                taint = self.of(value, values)
                self._bind([target], taint, values)
                return taint
        found = [self.of(each, values) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        match node:
            case ast.Compare():
                return FIXED
            case ast.Subscript():
                return found[0]
            case ast.JoinedStr() | ast.BinOp():
                return _built(node, joined(found))
        return joined(found[1:] if isinstance(node, ast.IfExp) else found)

    def _read_name(self, node: ast.Name | ast.Attribute, values: _Values) -> Taint:
        spelled = self._module.named(node)
        *steps, last = spelled.split(".")
        method = f".{node.attr}" if isinstance(node, ast.Attribute) else ""
        for name in (spelled, ".".join([*steps[-1:], last]), method):
            if name in sinks.SOURCES:
                return Taint(sinks.SOURCES[name], f"User input ({spelled or method})")
        if isinstance(node, ast.Attribute) and not last.isupper():
            return replace(self.of(node.value, values), is_sql=False)
        # A name in capitals is a constant by custom.
        return FIXED if last.isupper() else UNKNOWN

    def _call(self, node: ast.Call, values: _Values) -> Taint:
        base, given = self.of(node.func, values), [self.of(each, values) for each in node.args]
        named = {each.arg or "**": self.of(each.value, values) for each in node.keywords}
        name, method = self._module.called(node), f".{node.func.attr}" if isinstance(node.func, ast.Attribute) else ""
        self._note(node, name, method, given[0] if given else named.get("args", FIXED))
        if name in sinks.SANITISERS:
            return FIXED
        top, _, last = name.rpartition(".")
        if top in ("", "self", "cls") and last in self._module.by_name:
            return self._own_call(node, self._module.by_name[last], given, named)
        if name in sinks.PASSING or method in sinks.PASSING:
            return _built(node, joined((base, *given, *named.values())))
        return base

    def _own_call(
        self, node: ast.Call, called: FunctionNode, given: Sequence[Taint], named: Mapping[str, Taint]
    ) -> Taint:
        flow = self._flows.get(called.name, TaintFlow(self._module, {}))
        names = [each.arg for each in parameters_of(called)]
        passed = {**dict(zip(names, given, strict=False)), **named}
        # A public function has its own issue where its parameter does harm.
        least = TaintLevel.CALLER if called.name.startswith("_") else TaintLevel.USER
        for parameter, reached in flow.reached.items():
            if (taint := passed.get(parameter, FIXED)).level >= least:
                self._reach(Reached(reached.rule, node, taint, reached.name))
        return joined([UNKNOWN, *(taint for name, taint in passed.items() if name in flow.returned)])

    def _note(self, node: ast.Call, name: str, method: str, first: Taint) -> None:
        """Note where a call does harm by what it is given first and how it is set."""
        marks = ["", "(sql)"] if first.is_sql else [""]
        for each in node.keywords:
            if isinstance(each.value, ast.Constant) and isinstance(each.value.value, bool):
                marks.append(f"({each.arg}={each.value.value})")
        values = (*node.args, *(each.value for each in node.keywords))
        if any(self._module.named(each).rpartition(".")[2] in sinks.SAFE_LOADERS for each in values):
            return
        for key in (each + mark for each in (name, method) for mark in marks):
            for rule, least in sinks.SINKS.get(key, ()):
                if first.level >= least:
                    self._reach(Reached(rule, node, first if least > TaintLevel.FIXED else UNKNOWN, name or method))
                    return

    def _reach(self, event: Reached) -> None:
        self.events.append(event)
        for each in event.taint.parameters:
            self.reached.setdefault(each, event)


def _join_into(values: _Values, others: _Values) -> None:
    for name, taint in others.items():
        if (known := values.setdefault(name, taint)) is not taint:
            values[name] = joined((known, taint))


def _built(node: ast.expr, held: Taint) -> Taint:
    """Return what a text holds that is put together; it is SQL by how it begins, where parts of it may vary."""
    first: ast.expr | None = node
    while not isinstance(first, ast.Constant | None):
        match first:
            case ast.BinOp(left=inner) | ast.JoinedStr(values=[inner, *_]) | ast.Call(func=ast.Attribute(value=inner)):
                first = inner
            case _:
                first = None
    begins = first.value if first is not None else None
    is_sql = held.level > TaintLevel.FIXED and isinstance(begins, str) and sinks.SQL.match(begins) is not None
    return replace(held, is_sql=held.is_sql or is_sql)


def _checked(test: ast.expr) -> tuple[set[str], set[str]]:
    """Return the names that a condition has checked where it holds, and where it does not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _checked(inner)[::-1]
        case ast.BoolOp(op=operator, values=parts):
            index = 0 if isinstance(operator, ast.And) else 1
            found = {name for each in parts for name in _checked(each)[index]}
            return (found, set()) if index == 0 else (set(), found)
        case (
            ast.Compare(left=left, ops=[ast.In()])
            | ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant()])
        ):
            return names_in(left), set()
        case ast.Compare(left=left, ops=[ast.NotIn()]):
            return set(), names_in(left)
        case ast.Call(func=ast.Attribute(attr=name)) if name in sinks.CHECKING:
            return names_in(test), set()
    return set(), set()
