"""What a definition says of itself without being run: parameters, annotations, whether it returns a value.

Refuses to evaluate anything: annotations and defaults stay source text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from probatum.programs.parsing.documents import SourceText
from probatum.programs.parsing.expressions import called_name, last_name
from probatum.programs.specification import Parameter, ReturnClaim

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_IN_PLACE, _BY_NAME = "positional_or_keyword", "keyword_only"
_ABSTRACT = frozenset({"Protocol", "ABC", "ABCMeta", "abstractmethod"})


def arguments_of(node: Definition) -> list[tuple[ast.arg, str, ast.expr | None]]:
    """Return the parameters in the order in which a definition writes them, each with its kind and its default."""
    arguments = node.args
    positional = [(each, "positional_only") for each in arguments.posonlyargs]
    positional += [(each, _IN_PLACE) for each in arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    found = [(argument, kind, default) for (argument, kind), default in zip(positional, defaults, strict=True)]
    if arguments.vararg is not None:
        found.append((arguments.vararg, "var_positional", None))
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    found += [(argument, _BY_NAME, default) for argument, default in by_name]
    return found + [(each, "var_keyword", None) for each in (arguments.kwarg,) if each is not None]


def parameters_of(source: SourceText, node: Definition) -> tuple[Parameter, ...]:
    """Return the parameters of a definition with their annotations and defaults as they are written."""

    return tuple(
        Parameter(argument.arg, kind, _written(source, argument.annotation), _written(source, default))
        for argument, kind, default in arguments_of(node)
    )


def fields_of(source: SourceText, node: ast.ClassDef) -> tuple[Parameter, ...]:
    """Return what the maker of a dataclass takes; nothing for another class, and where fields may be inherited."""
    maker = next((each for each in node.decorator_list if last_name(_called(each)) == "dataclass"), None)
    options = _options(maker)
    if node.bases or maker is None or options.get("init") == "False":
        return ()
    kind, found = _BY_NAME if options.get("kw_only") == "True" else _IN_PLACE, []
    for row in node.body:
        if not isinstance(row, ast.AnnAssign) or not isinstance(row.target, ast.Name):
            continue
        annotation, own = _written(source, row.annotation) or "", _options(row.value)
        if "KW_ONLY" in annotation:
            kind = _BY_NAME
        elif "ClassVar" not in annotation and own.get("init") != "False":
            told = {"True": _BY_NAME, "False": _IN_PLACE}.get(own.get("kw_only", ""), kind)
            found.append(Parameter(row.target.id, told, annotation, _field_default(source, row.value)))
    return tuple(sorted(found, key=lambda each: each.kind == _BY_NAME))


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _options(call: ast.expr | None) -> dict[str, str]:
    return {str(each.arg): ast.unparse(each.value) for each in call.keywords} if isinstance(call, ast.Call) else {}


def _field_default(source: SourceText, value: ast.expr | None) -> str | None:
    if not isinstance(value, ast.Call) or called_name(value) != "field":
        return _written(source, value)
    told = {each.arg: each.value for each in value.keywords}
    return _written(source, told.get("default", value if "default_factory" in told else None))


def _written(source: SourceText, expression: ast.expr | None) -> str | None:
    if expression is None:
        return None
    begin, end = source.node_range(expression)
    return source.text[begin:end]


def return_claim_of(source: SourceText, node: Definition) -> ReturnClaim | None:
    """Return the annotation of the result, or None."""
    if node.returns is None:
        return None
    begin, end = source.node_range(node.returns)
    return ReturnClaim(source.text[begin:end], source.span(begin, end))


def own_nodes(node: Definition | ast.Lambda | ast.ClassDef | ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes of a scope's body, those of nested definitions left out."""
    waiting: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while waiting:
        current = waiting.pop()
        yield current
        if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(current))


def defined_names(statements: list[ast.stmt]) -> tuple[str, ...]:
    """Return the names that statements bind in their own scope when they run, in order, each once."""
    found: dict[str, None] = {}
    waiting: list[ast.AST] = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        found.update(dict.fromkeys(bound_by(node)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        inner = node.orelse if isinstance(node, ast.If) and _for_type_checkers(node) else ast.iter_child_nodes(node)
        waiting.extend(reversed(list(inner)))
    return tuple(found)


def _for_type_checkers(node: ast.If) -> bool:
    """True for ``if TYPE_CHECKING:``, whose body never runs."""
    match node.test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
        case _:
            return False


def bound_by(node: ast.AST) -> list[str]:
    """Return the names that this one node binds, those of nodes inside it left out."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Name(id=name, ctx=ast.Store()):
            return [name]
        case ast.Import(names=aliases):
            return [alias.asname or alias.name.partition(".")[0] for alias in aliases]
        case ast.ImportFrom(names=aliases):
            return [alias.asname or alias.name for alias in aliases if alias.name != "*"]
        case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
            return [name]
        case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return [name]
        case _:
            return []


def returns_nothing(node: Definition) -> bool:
    """True when a call cannot give a value: annotated ``None``, or nothing is returned, yielded or left open."""
    if node.returns is not None:
        return isinstance(node.returns, ast.Constant) and node.returns.value is None
    for part in own_nodes(node):
        # What only raises is a stub for a value as often as not.
        if isinstance(part, ast.Yield | ast.YieldFrom | ast.Raise):
            return False
        if isinstance(part, ast.Return) and part.value is not None:
            return False
    return any(not is_stub(statement) for statement in node.body)


def keeps_state(tree: ast.Module) -> bool:
    """True when calls may depend on earlier calls, as far as the text shows.

    That is: ``global``, attributes or items set on names of the module, methods of what the module holds, and
    ``next`` of it.
    """
    containers: set[str] = set()
    for statement in tree.body:
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if value is not None and not isinstance(value, ast.Constant | ast.Tuple | ast.Attribute | ast.Subscript):
            containers.update(defined_names([statement]))
    names = set(defined_names(tree.body))
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            return True
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store) and _root(node) in names:
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _root(node.func) in containers:
            return True
        if _advances(node, containers):
            return True
    return False


def _advances(node: ast.AST, held: set[str]) -> bool:
    """True for ``next(…)`` of something that the module holds."""
    match node:
        case ast.Call(func=ast.Name(id="next"), args=[argument, *_]):
            return _root(argument) in held
        case _:
            return False


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def only_declares(node: ast.ClassDef) -> bool:
    """True for a protocol or an abstract class in which nothing but stubs stands: no method of it has code."""
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    parents = [ast.unparse(each).partition("[")[0] for each in (*node.bases, *(each.value for each in node.keywords))]
    marks = [*parents, *(ast.unparse(mark) for each in methods for mark in each.decorator_list)]
    is_abstract = any(mark.rpartition(".")[2] in _ABSTRACT for mark in marks)
    others = [each for each in node.body if each not in methods]
    return (
        is_abstract
        and all(is_stub(statement) for each in methods for statement in each.body)
        and all(is_stub(each) or (isinstance(each, ast.AnnAssign) and each.value is None) for each in others)
    )


def is_text(node: ast.AST) -> bool:
    """True for a text that stands alone as a statement, as a docstring does."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_stub(statement: ast.stmt) -> bool:
    """Tell whether a statement only stands for a body: ``...``, ``pass``, a text, ``raise NotImplementedError``."""
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
            return True
        case _:
            return False
