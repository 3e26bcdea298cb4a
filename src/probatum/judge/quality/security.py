"""Security of Python code: values from outside followed through a module to where they do harm.

The flow is followed by statement through the branches and loops of a function, and one call deep between the functions
of the module. A check against what is allowed, a conversion or a quoting ends it. What an unknown call gives back
counts as safe, and so does what is kept in attributes of objects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from probatum.judge.quality import sinks
from probatum.judge.quality.module import FUNCTIONS, CodeModule, FunctionNode, at, dotted, names_in, parameters_of
from probatum.judge.quality.scoring import QualityHit
from probatum.judge.quality.settings import setting_hits
from probatum.judge.quality.sinks import TaintLevel

_TWICE: Final = 3
"""How deep in loops a body is read a second time, for what its first round leaves to the next."""
_MOST_NAMES: Final = 100
"""Names that are followed in one function, so that time stays linear."""
_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


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
_Values = dict[str, Taint]
_Sink = tuple[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class FlowSummary:
    """What a function does with its parameters: which reach a sink, by rule, and which its result holds."""

    sinks: Mapping[str, _Sink]
    returned: frozenset[str]


def joined(taints: Iterable[Taint]) -> Taint:
    """Return what a value holds that is made of others."""
    each = list(taints)
    worst = max(each, key=lambda taint: taint.level, default=CLEAN)
    parameters = frozenset[str]().union(*(taint.parameters for taint in each))
    is_fixed = bool(each) and all(taint.is_fixed for taint in each)
    return Taint(worst.level, worst.source, parameters, any(taint.is_sql for taint in each), is_fixed)


def _join_into(values: _Values, others: _Values) -> None:
    for name, taint in others.items():
        if (known := values.setdefault(name, taint)) is not taint:
            values[name] = joined((known, taint))


def security_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield where values from outside do harm, each place and rule once, and what is set in an unsafe way."""
    summaries: dict[str, FlowSummary] = {}
    for function in module.functions:
        flow = TaintFlow(module, {}).read(function)
        reached = {name: (rule, slots) for rule, _, taint, slots in flow.events for name in sorted(taint.parameters)}
        if reached or flow.returned:
            summaries[function.name] = FlowSummary(reached, flow.returned)
    seen = set[tuple[str, int]]()
    for scope in (module.tree, *module.functions):
        is_public = isinstance(scope, FUNCTIONS) and not scope.name.startswith("_")
        for rule, node, taint, slots in TaintFlow(module, summaries).read(scope).events:
            if (taint.level != TaintLevel.CALLER or is_public) and (rule, node.lineno) not in seen:
                seen.add((rule, node.lineno))
                yield at(rule, node, **{"what": taint.source, **slots})
    yield from setting_hits(module)


class TaintFlow:
    """One reading of a function's statements, which collects where something reaches a sink."""

    def __init__(self, module: CodeModule, summaries: Mapping[str, FlowSummary]) -> None:
        self._module, self._summaries = module, summaries
        self.events: list[tuple[str, ast.Call, Taint, Mapping[str, object]]] = []
        self.returned: frozenset[str] = frozenset()

    def read(self, scope: ast.Module | FunctionNode) -> TaintFlow:
        """Read a function whose parameters its caller gives, or a stranger where it answers requests; or a module."""
        values: _Values = {}
        if isinstance(scope, FUNCTIONS):
            calls = [each.func for each in scope.decorator_list if isinstance(each, ast.Call)]
            marks = {each.attr for each in calls if isinstance(each, ast.Attribute)}
            level = TaintLevel.STRANGER if marks & sinks.ROUTE_MARKS else TaintLevel.CALLER
            for each in parameters_of(scope):
                kind = self._module.text(each.annotation) if each.annotation is not None else ""
                if each.arg not in ("self", "cls"):
                    given = Taint(level, f"Parameter '{each.arg}'", frozenset({each.arg}))
                    values[each.arg] = FIXED if kind in sinks.NUMBERS else given
        self._run(scope.body, values, 0)
        return self

    def _run(self, body: Sequence[ast.stmt], values: _Values, loops: int) -> None:
        """Read statements in order; ``values`` becomes what holds behind them."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    continue
                case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                    taint = self.of(value, values)
                    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                        self._bind(target, taint, values)
                case ast.AugAssign(target=target, value=value):
                    self._bind(target, joined((self.of(value, values), self.of(target, values))), values)
                case ast.If():
                    self._branches(node, values, loops)
                case ast.For(body=inner) | ast.AsyncFor(body=inner) | ast.While(body=inner):
                    for _ in range(2 if loops < _TWICE else 1):
                        if isinstance(node, ast.While):
                            self.of(node.test, values)
                        else:
                            self._bind(node.target, self.of(node.iter, values), values)
                        self._merge(inner, values, loops + 1)
                    self._merge(node.orelse, values, loops)
                case ast.Return(value=ast.expr() as value):
                    self.returned |= self.of(value, values).parameters
                case _:
                    self._others(node, values, loops)

    def _others(self, node: ast.stmt, values: _Values, loops: int) -> None:
        """Read the expressions of a statement, then each of its bodies as one that may run."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.of(child, values)
            elif isinstance(child, ast.withitem):
                taint = self.of(child.context_expr, values)
                if child.optional_vars is not None:
                    self._bind(child.optional_vars, taint, values)
        inner = [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]
        bodies = [getattr(each, name, []) for each in (node, *inner) for name in ("body", "orelse", "finalbody")]
        for body in bodies:
            if isinstance(node, ast.With | ast.AsyncWith | ast.ClassDef):
                self._run(body, values, loops)
            else:
                self._merge(body, values, loops)

    def _merge(self, body: Sequence[ast.stmt], values: _Values, loops: int, checked: Iterable[str] = ()) -> None:
        if body:
            inner = {**values, **dict.fromkeys(checked, FIXED)}
            self._run(body, inner, loops)
            _join_into(values, {name: taint for name, taint in inner.items() if name not in checked})

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

    def _bind(self, target: ast.expr, taint: Taint, values: _Values) -> None:
        match target:
            case ast.Name(id=name) if name in values or len(values) < _MOST_NAMES:
                values[name] = taint
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for each in parts:
                    self._bind(each, taint, values)
            case ast.Starred(value=inner):
                self._bind(inner, taint, values)
            case ast.Subscript(value=ast.Name(id=name)) if name in values:
                values[name] = joined((values[name], taint))

    def of(self, node: ast.expr, values: _Values) -> Taint:
        """Return what an expression holds from outside; sinks within are noted."""
        match node:
            case ast.Constant():
                return FIXED
            case ast.Lambda():
                return CLEAN
            case ast.Name(id=name) if name in values:
                return values[name]
            case ast.Name() | ast.Attribute():
                own = self._source(node)
                is_inner = isinstance(node, ast.Attribute) and not own.level
                return replace(self.of(node.value, values), is_sql=False) if is_inner else own  # type: ignore[union-attr]  # an attribute
            case ast.Call():
                return self._call(node, values)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                inner = dict(values)
                for part in node.generators:
                    self._bind(part.target, self.of(part.iter, inner), inner)
                    inner |= dict.fromkeys((name for test in part.ifs for name in _checked(test)[0]), FIXED)
                results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
                return joined(self.of(each, inner) for each in results)
            case ast.NamedExpr(target=target, value=value):
                taint = self.of(value, values)
                self._bind(target, taint, values)
                return taint
        parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        found = [self.of(each, values) for each in parts]
        if isinstance(node, ast.Compare):
            return FIXED
        if isinstance(node, ast.Subscript):
            return found[0]
        held = joined(found[1:] if isinstance(node, ast.IfExp) else found)
        is_text = isinstance(node, ast.JoinedStr | ast.BinOp)
        return replace(held, is_sql=held.is_sql or (is_text and self._is_sql(node, parts, values)))

    def _is_sql(self, node: ast.expr, parts: Sequence[ast.expr], values: _Values) -> bool:
        """Return whether a text that is put together is a SQL statement with parts that may vary."""
        first = parts[0] if parts else node
        begins = first.value if isinstance(first, ast.Constant) else ""
        if not isinstance(begins, str) or not sinks.SQL.match(begins):
            return False
        given = [each.value if isinstance(each, ast.FormattedValue) else each for each in parts[1:]]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Tuple):
            given = node.right.elts
        # A name in capitals is a constant by custom.
        return not all(self.of(each, values).is_fixed or dotted(each).rpartition(".")[2].isupper() for each in given)

    def _source(self, node: ast.expr) -> Taint:
        spelled = self._module.named(node)
        *steps, last = spelled.split(".")
        level = TaintLevel.USER if spelled in sinks.SOURCE_VALUES else 0
        if "request" in steps and last in sinks.REQUEST_PARTS:
            level = TaintLevel.STRANGER
        return Taint(level, f"User input ({spelled})") if level else CLEAN

    def _call(self, node: ast.Call, values: _Values) -> Taint:
        given = [self.of(each, values) for each in node.args]
        named = {each.arg or "**": self.of(each.value, values) for each in node.keywords}
        name, method, base = self._module.called(node), "", CLEAN
        if isinstance(node.func, ast.Attribute):
            method, base = node.func.attr, self.of(node.func.value, values)
        self._note(node, name, method, given[0] if given else named.get("args", CLEAN))
        level = sinks.SOURCE_CALLS.get(name) or sinks.SOURCE_METHODS.get(method)
        if level is not None:
            return Taint(level, f"User input ({name or method}())")
        if name in sinks.SANITISERS:
            return FIXED
        top, _, last = name.rpartition(".")
        if top in ("", "self", "cls") and last in self._module.by_name:
            return self._own_call(node, self._module.by_name[last], given, named)
        everything = joined((base, *given, *named.values()))
        if method == "format" and isinstance(node.func, ast.Attribute):
            parts = [node.func.value, *node.args, *(each.value for each in node.keywords)]
            return replace(everything, is_sql=self._is_sql(node, parts, values))
        return everything if name in sinks.PASSING or method in ("join", "format_map", "replace") else base

    def _own_call(
        self, node: ast.Call, called: FunctionNode, given: Sequence[Taint], named: Mapping[str, Taint]
    ) -> Taint:
        summary = self._summaries.get(called.name, FlowSummary({}, frozenset()))
        names = [each.arg for each in parameters_of(called) if each.arg not in ("self", "cls")]
        passed = {**dict(zip(names, given, strict=False)), **named}
        for name, (rule, slots) in summary.sinks.items():
            taint = passed.get(name, CLEAN)
            # A public function has its own issue where its parameter does harm.
            if taint.level > TaintLevel.CALLER or (taint.level and called.name.startswith("_")):
                self.events.append((rule, node, taint, slots))
        return joined(taint for name, taint in passed.items() if name in summary.returned)

    def _note(self, node: ast.Call, name: str, method: str, first: Taint) -> None:
        keywords = {each.arg: each.value for each in node.keywords}
        text = node.args[0] if node.args else keywords.get("args")
        is_shell = name in sinks.SHELL_CALLS and isinstance(flag := keywords.get("shell"), ast.Constant) and flag.value
        slots: dict[str, object] = {"name": name or method}
        rule = ""
        if is_shell or name in sinks.SYSTEM_CALLS:
            rule = ("shell_true" if is_shell else "shell_system") if first.level else ""
            if not first.level and not first.is_fixed and _is_built(text):
                rule = "shell_format"
        elif name in sinks.CODE_CALLS and text is not None and not first.is_fixed:
            rule = "code_injection" if first.level else "code_evaluation"
        elif name in sinks.LOADERS or (name in sinks.YAML_LOADERS and not self._is_safe_yaml(node)):
            rule, first = "unsafe_loading", CLEAN
        elif method in sinks.EXECUTES and (first.is_sql or first.level > TaintLevel.CALLER):
            rule, slots = "sql_injection", {"what": first.source or self._module.text(node)}
        elif name in sinks.PATH_CALLS and first.level == TaintLevel.STRANGER:
            rule = "path_traversal"
        elif (name in sinks.TEMPLATE_CALLS or method == "from_string") and first.level > TaintLevel.CALLER:
            rule = "template_injection"
        elif name in sinks.XML_CALLS and first.level > TaintLevel.CALLER:
            rule = "xml_entities"
        if rule:
            self.events.append((rule, node, first, slots))

    def _is_safe_yaml(self, node: ast.Call) -> bool:
        loaders = [*node.args[1:], *(each.value for each in node.keywords if each.arg == "Loader")]
        return any(self._module.named(each).rpartition(".")[2] in sinks.SAFE_YAML for each in loaders)


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


def _is_built(node: ast.expr | None) -> bool:
    """Return whether a text is put together from parts."""
    match node:
        case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()) | ast.Call(func=ast.Attribute(attr="format")):
            return True
    return False
