"""Security of Python code: values from outside followed through a module to where they do harm, and unsafe settings.

The flow is followed by statement through the branches and loops of a function, and one call deep between the functions
of the module. A check against what is allowed, a conversion or a quoting ends it. What an unknown call gives back
counts as safe, and so does what is kept in attributes of objects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from probatum.judge.quality import sinks
from probatum.judge.quality.module import FUNCTIONS, CodeModule, FunctionNode, at, dotted, names_in, parameters_of
from probatum.judge.quality.scoring import QualityHit
from probatum.judge.quality.settings import setting_hits
from probatum.judge.quality.sinks import TaintLevel

_TWICE: Final = 3
"""How deep in loops a body is read a second time, for what its first round leaves to the next."""


@dataclass(frozen=True, slots=True)
class Taint:
    """What is known of a value that may come from outside."""

    level: int = 0
    source: str = ""
    parameters: frozenset[str] = frozenset()
    """The parameters of the function that it holds."""
    is_sql: bool = False
    """Whether it is a SQL statement that was put together from values."""
    is_fixed: bool = False
    """Whether it can do no harm whatever its value is: a constant, a number, something quoted or compared."""


CLEAN: Final = Taint()
FIXED: Final = Taint(is_fixed=True)
_MOST_NAMES: Final = 500
"""Names that are followed in one function, so that time stays linear."""
_Values = dict[str, Taint]
_Event = tuple[str, ast.AST, Taint, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class FlowSummary:
    """What a function does with its parameters: which reach a sink, by rule, and which its result holds."""

    sinks: Mapping[str, tuple[str, Mapping[str, object]]]
    returned: frozenset[str]


def joined(*taints: Taint) -> Taint:
    """Return what a value holds that is made of others."""
    worst = max(taints, key=lambda each: each.level, default=CLEAN)
    parameters = frozenset().union(*(each.parameters for each in taints))
    is_fixed = bool(taints) and all(each.is_fixed for each in taints)
    return Taint(worst.level, worst.source, parameters, any(each.is_sql for each in taints), is_fixed)


def security_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield where values from outside do harm, and what is set in an unsafe way; each place and rule once."""
    by_name = {each.name: each for each in module.functions}
    summaries: dict[str, FlowSummary] = {}
    for function in module.functions:
        flow = TaintFlow(module, {}, by_name)
        flow.run_function(function)
        reached = {name: (rule, slots) for rule, _, taint, slots in flow.events for name in sorted(taint.parameters)}
        if reached or flow.returned:
            summaries[function.name] = FlowSummary(reached, flow.returned)
    seen = set[tuple[str, int]]()
    for scope in (module.tree, *module.functions):
        flow = TaintFlow(module, summaries, by_name)
        if isinstance(scope, FUNCTIONS):
            flow.run_function(scope)
        else:
            flow.run(scope.body, {}, 0)
        is_public = isinstance(scope, FUNCTIONS) and not scope.name.startswith("_")
        for rule, node, taint, slots in flow.events:
            is_meant = taint.level != TaintLevel.CALLER or is_public
            if is_meant and (rule, getattr(node, "lineno", 0)) not in seen:
                seen.add((rule, getattr(node, "lineno", 0)))
                yield at(rule, node, **{"what": taint.source, **slots})
    yield from setting_hits(module)


class TaintFlow:
    """One reading of a function's statements, which collects where something reaches a sink."""

    def __init__(
        self, module: CodeModule, summaries: Mapping[str, FlowSummary], by_name: Mapping[str, FunctionNode]
    ) -> None:
        self._module, self._summaries, self._by_name = module, summaries, by_name
        self.events: list[_Event] = []
        self.returned: frozenset[str] = frozenset()

    def run_function(self, function: FunctionNode) -> None:
        """Read a function whose parameters its caller gives, or a stranger where it answers requests."""
        marks = {each.func.attr for each in function.decorator_list if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)}
        level = TaintLevel.STRANGER if marks & sinks.ROUTE_MARKS else TaintLevel.CALLER
        values = {
            each.arg: Taint(level, f"Parameter '{each.arg}'", frozenset({each.arg}))
            for each in parameters_of(function)
            if each.arg not in ("self", "cls")
        }
        values |= {each.arg: FIXED for each in parameters_of(function) if self._is_number(each)}
        self.run(function.body, values, 0)

    def _is_number(self, given: ast.arg) -> bool:
        return given.annotation is not None and self._module.text(given.annotation) in ("int", "float", "bool", "date", "datetime")

    def run(self, body: Sequence[ast.stmt], values: _Values, loops: int) -> None:
        """Read statements in order; ``values`` becomes what holds behind them."""
        for statement in body:
            self._statement(statement, values, loops)

    def _statement(self, node: ast.stmt, values: _Values, loops: int) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                taint = self.of(value, values)
                for target in targets:
                    self._bind(target, taint, values)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind(target, self.of(value, values), values)
            case ast.AugAssign(target=target, value=value):
                added = joined(self.of(value, values), self.of(target, values))
                self._bind(target, added, values)
            case ast.If(test=test):
                self.of(test, values)
                self._branches(node, values, loops)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(node, values, loops)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    taint = self.of(item.context_expr, values)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, taint, values)
                self.run(body, values, loops)
            case ast.Try():
                for inner in (node.body, *(each.body for each in node.handlers), node.orelse, node.finalbody):
                    self._merge(inner, values, loops)
            case ast.Match(subject=subject, cases=cases):
                self.of(subject, values)
                for each in cases:
                    self._merge(each.body, values, loops)
            case ast.Return(value=ast.expr() as value):
                self.returned |= self.of(value, values).parameters
            case _ if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.of(child, values)
            case ast.ClassDef(body=body):
                self.run([each for each in body if not isinstance(each, FUNCTIONS)], dict(values), loops)

    def _merge(self, body: Sequence[ast.stmt], values: _Values, loops: int, checked: set[str] = frozenset()) -> None:  # type: ignore[assignment]  # never changed
        inner = {name: FIXED if name in checked else taint for name, taint in values.items()}
        self.run(body, inner, loops)
        for name, taint in inner.items():
            if name not in checked:
                values[name] = joined(values.get(name, taint), taint)

    def _branches(self, node: ast.If, values: _Values, loops: int) -> None:
        when_true, when_false = self._checked(node.test)
        before = dict(values)
        self._merge(node.body, values, loops, when_true)
        other = dict(before)
        self._merge(node.orelse, other, loops, when_false)
        for name, taint in other.items():
            values[name] = joined(values.get(name, taint), taint)
        leaves = (ast.Return, ast.Raise, ast.Continue, ast.Break)
        if node.body and (isinstance(node.body[-1], leaves) or self._module.called(getattr(node.body[-1], "value", node)) in ("sys.exit", "exit", "abort")):
            values |= dict.fromkeys(when_false & set(values), FIXED)

    def _checked(self, test: ast.expr) -> tuple[set[str], set[str]]:
        """Return the names that a condition has checked where it holds, and where it does not."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                when_true, when_false = self._checked(inner)
                return when_false, when_true
            case ast.BoolOp(op=operator, values=parts):
                both = [self._checked(each) for each in parts]
                index = 0 if isinstance(operator, ast.And) else 1
                found = set().union(*(each[index] for each in both))
                return (found, set()) if index == 0 else (set(), found)
            case ast.Compare(left=left, ops=[ast.In()], comparators=[_]):
                return names_in(left), set()
            case ast.Compare(left=left, ops=[ast.NotIn()], comparators=[_]):
                return set(), names_in(left)
            case ast.Compare(ops=[ast.Eq()], left=left, comparators=[ast.Constant()]):
                return names_in(left), set()
            case ast.Call(func=ast.Attribute(attr=name)) if name in sinks.CHECKING:
                return names_in(test), set()
        return set(), set()

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, values: _Values, loops: int) -> None:
        for _ in range(2 if loops < _TWICE else 1):
            if isinstance(node, ast.While):
                self.of(node.test, values)
            else:
                self._bind(node.target, self.of(node.iter, values), values)
            self._merge(node.body, values, loops + 1)
        self._merge(node.orelse, values, loops)

    def _bind(self, target: ast.expr, taint: Taint, values: _Values) -> None:
        match target:
            case ast.Name(id=name):
                if name in values or len(values) < _MOST_NAMES:
                    values[name] = taint
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for each in parts:
                    self._bind(each, taint, values)
            case ast.Starred(value=inner):
                self._bind(inner, taint, values)
            case ast.Subscript(value=ast.Name(id=name)):
                values[name] = joined(values.get(name, CLEAN), taint)

    def of(self, node: ast.expr | None, values: _Values) -> Taint:
        """Return what an expression holds from outside; sinks within are noted."""
        match node:
            case ast.Constant():
                return FIXED
            case None | ast.Lambda():
                return CLEAN
            case ast.Name(id=name):
                return values.get(name, CLEAN) if name in values else self._source(node)
            case ast.Attribute(value=value):
                own = self._source(node)
                return own if own.level else replace(self.of(value, values), is_sql=False)
            case ast.Subscript(value=value, slice=index):
                self.of(index, values)
                return self.of(value, values)
            case ast.Call():
                return self._call(node, values)
            case ast.Compare(left=left, comparators=others):
                for each in (left, *others):
                    self.of(each, values)
                return FIXED
            case ast.JoinedStr() | ast.BinOp():
                return self._text(node, values)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                inner = dict(values)
                for each in node.generators:
                    self._bind(each.target, self.of(each.iter, inner), inner)
                    checked = set().union(*(self._checked(test)[0] for test in each.ifs))
                    inner |= dict.fromkeys(checked, FIXED)
                parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
                return joined(*(self.of(each, inner) for each in parts))
            case ast.NamedExpr(target=target, value=value):
                taint = self.of(value, values)
                self._bind(target, taint, values)
                return taint
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.of(test, values)
                return joined(self.of(body, values), self.of(orelse, values))
        return joined(*(self.of(each, values) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)))

    def _text(self, node: ast.JoinedStr | ast.BinOp, values: _Values) -> Taint:
        """Return what a text holds that is put together, and whether it is SQL put together from values."""
        parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        held = joined(*(self.of(each, values) for each in parts))
        return replace(held, is_sql=held.is_sql or self._is_sql(node, parts, values))

    def _is_sql(self, node: ast.expr, parts: Sequence[ast.expr], values: _Values) -> bool:
        first = parts[0] if parts else node
        begins = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
        if not sinks.SQL.match(begins):
            return False
        given = [each.value if isinstance(each, ast.FormattedValue) else each for each in parts[1:]]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Tuple):
            given = node.right.elts
        # A name in capitals is a constant by custom.
        return not all(self.of(each, values).is_fixed or dotted(each).rpartition(".")[2].isupper() for each in given)

    def _source(self, node: ast.expr) -> Taint:
        spelled = self._module.named(node)
        level: int = sinks.SOURCE_VALUES.get(spelled, 0)
        steps = spelled.split(".")
        if "request" in steps[:-1] and steps[-1] in sinks.REQUEST_PARTS:
            level = TaintLevel.STRANGER
        return Taint(level, f"User input ({spelled})") if level else CLEAN

    def _call(self, node: ast.Call, values: _Values) -> Taint:
        given = [self.of(each, values) for each in node.args]
        named = {each.arg or "**": self.of(each.value, values) for each in node.keywords}
        name = self._module.called(node)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        base = self.of(node.func.value, values) if isinstance(node.func, ast.Attribute) else CLEAN
        self._sinks(node, name, method, given, named)
        level = sinks.SOURCE_CALLS.get(name) or sinks.SOURCE_METHODS.get(method)
        if level is not None:
            return Taint(level, f"User input ({name or method}())")
        if name in sinks.SANITISERS:
            return FIXED
        called = self._by_name.get(name.rpartition(".")[2]) if name.rpartition(".")[0] in ("", "self", "cls") else None
        if called is not None:
            return self._own_call(node, called, given, named)
        everything = joined(base, *given, *named.values())
        if method == "format" and isinstance(node.func, ast.Attribute):
            parts = [node.func.value, *node.args, *(each.value for each in node.keywords)]
            return replace(everything, is_sql=self._is_sql(node, parts, values))
        if name in sinks.PASSING or method in ("join", "format_map", "replace"):
            return everything
        return base

    def _own_call(self, node: ast.Call, called: FunctionNode, given: Sequence[Taint], named: Mapping[str, Taint]) -> Taint:
        summary = self._summaries.get(called.name)
        if summary is None:
            return CLEAN
        names = [each.arg for each in parameters_of(called) if each.arg not in ("self", "cls")]
        passed = {**dict(zip(names, given, strict=False)), **named}
        for name, (rule, slots) in summary.sinks.items():
            taint = passed.get(name, CLEAN)
            # A public function has its own issue where its parameter does harm.
            if taint.level > TaintLevel.CALLER or (taint.level and called.name.startswith("_")):
                self.events.append((rule, node, taint, slots))
        return joined(*(taint for name, taint in passed.items() if name in summary.returned))

    def _sinks(self, node: ast.Call, name: str, method: str, given: Sequence[Taint], named: Mapping[str, Taint]) -> None:
        first = given[0] if given else named.get("args", named.get("cmd", CLEAN))
        shown = {"name": name or method}

        def note(rule: str, taint: Taint = first, **slots: object) -> None:
            self.events.append((rule, node, taint, {**shown, **slots}))

        keywords = {each.arg: each.value for each in node.keywords}
        is_shell = isinstance(keywords.get("shell"), ast.Constant) and bool(keywords["shell"].value)  # type: ignore[attr-defined]  # a constant
        text = node.args[0] if node.args else keywords.get("args")
        if (name in sinks.SHELL_CALLS and is_shell) or name in sinks.SYSTEM_CALLS or name.endswith("create_subprocess_shell"):
            if first.level:
                note("shell_true" if is_shell else "shell_system")
            elif not first.is_fixed and _is_built(text):
                note("shell_format")
        elif name in sinks.CODE_CALLS and node.args and not isinstance(text, ast.Constant):
            note("code_injection" if first.level else "code_evaluation")
        elif name in sinks.LOADERS or (name in sinks.YAML_LOADERS and not self._is_safe_yaml(node)):
            note("unsafe_loading", CLEAN)
        elif method in sinks.EXECUTES and (first.is_sql or first.level > TaintLevel.CALLER):
            note("sql_injection", what=first.source or self._module.text(node))
        elif name in sinks.PATH_CALLS and first.level == TaintLevel.STRANGER:
            note("path_traversal")
        elif (name in sinks.TEMPLATE_CALLS or method in sinks.TEMPLATE_METHODS) and first.level > TaintLevel.CALLER:
            note("template_injection")
        elif name in sinks.FETCH_CALLS and first.level == TaintLevel.STRANGER:
            note("request_forgery")
        elif name in sinks.XML_CALLS and first.level > TaintLevel.CALLER:
            note("xml_entities")

    def _is_safe_yaml(self, node: ast.Call) -> bool:
        loaders = [*node.args[1:], *(each.value for each in node.keywords if each.arg == "Loader")]
        return any(self._module.named(each).rpartition(".")[2] in sinks.SAFE_YAML for each in loaders)


def _is_built(node: ast.expr | None) -> bool:
    """Return whether a text is put together from parts that may vary."""
    match node:
        case ast.JoinedStr(values=parts):
            return any(isinstance(each, ast.FormattedValue) for each in parts)
        case ast.BinOp(op=ast.Add() | ast.Mod(), left=left, right=right):
            return not (isinstance(left, ast.Constant) and isinstance(right, ast.Constant))
        case ast.Call(func=ast.Attribute(attr="format")):
            return True
    return False
