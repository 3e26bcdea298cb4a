"""The one walk over code of readings: whether its syntax, names, attributes and imports are among those allowed.

Refuses by listing what is allowed, never what is forbidden; whatever a later Python adds is refused until it is listed.
"""

from __future__ import annotations

import ast
import builtins
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeVar

from probatum.core.shape import shown
from probatum.readings import vocabulary as words
from probatum.readings.refusals import Why
from probatum.readings.syntax import NotReadableError, parse_expression, parse_statements

Bound = Mapping[str, str]
"""Names that code binds, each with the module that it stands for; empty for anything else."""
IMPORT: Final = "__import__"
Syntax = TypeVar("Syntax")
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class SubsetError(ValueError):
    """Code of a reading is not in the subset; the reason says what came and what is expected."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Rules:
    """What one piece of code may be made of."""

    what: str
    """What it is called in refusals, such as ``the clause``."""
    syntax: tuple[type[ast.AST], ...]
    names: Collection[str]
    """What it may name besides what it binds."""
    modules: frozenset[str]
    imported: Bound = field(default_factory=dict)
    """Names bound before it."""
    kept: Collection[str] = ()
    """Names that it must not give another meaning; parameters of functions and comprehensions have their own scope."""
    may_import_within: bool = False
    """A single expression imports as ``__import__('datetime')``."""


def refuse(code: str, sentence: str, **values: str) -> NoReturn:
    """Raise SubsetError."""
    raise SubsetError(Why(code, sentence, **values))


def expression(source: str, what: str) -> ast.expr:
    """Return the syntax of one expression; raises SubsetError."""
    return _parsed(parse_expression, source, what)


def statements(source: str, what: str) -> ast.Module:
    """Return the syntax of some statements; raises SubsetError."""
    return ast.Module(_parsed(parse_statements, source, what), [])


def bound_by(nodes: Iterable[ast.AST]) -> Bound:
    """Return the names that these nodes bind themselves, functions' own names but nothing within functions."""
    bound: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound[name] = ""
            case ast.Import(names=names):
                # "import a.b" binds a.
                roots = {each.name.partition(".")[0] for each in names if not each.asname}
                bound.update(
                    {**{root: root for root in roots}, **{each.asname: each.name for each in names if each.asname}}
                )
            case ast.ImportFrom(names=names):
                bound.update({each.asname or each.name: "" for each in names})
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=str() as name):
                bound[name] = ""
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                bound[name] = ""
            case ast.MatchMapping(rest=str() as name):
                bound[name] = ""
            case ast.Assign() | ast.AnnAssign():
                bound.update(bound_by(each for each in ast.walk(node) if isinstance(each, ast.Name)))
    return bound


def require(tree: ast.AST, rules: Rules) -> None:
    """Raise SubsetError where code has syntax, a name, an attribute or an import that its rules do not list."""
    nodes = list(ast.walk(tree))
    for node in nodes:
        if not isinstance(node, rules.syntax):
            line = f" in line {node.lineno}" if hasattr(node, "lineno") and isinstance(tree, ast.Module) else ""
            refuse(
                "syntax_not_allowed",
                f"{rules.what} has {_called(node)}{line}, which is not in the subset",
                has=_called(node),
            )
    bound = bound_by(nodes)
    _require_kept(tree, nodes, rules)
    modules = {name: module for name, module in {**rules.imported, **bound}.items() if module}
    for node in nodes:
        match node:
            case ast.Name(id=name):
                _require_name(name, bound, rules)
            case ast.Attribute(value=owner, attr=name, ctx=context):
                _require_public(name, rules)
                module = _module_of(owner, modules)
                if module and not isinstance(context, ast.Load):
                    refuse(
                        "changes_module",
                        f"{rules.what} changes the module {module!r}, expected it to be left as it is",
                        name=module,
                    )
                if module:
                    _require_member(module, name, rules)
            case ast.Call():
                _require_call(node, rules)
            case ast.Import(names=names):
                for each in names:
                    _require_module(each.name, rules)
            case ast.ImportFrom(module=module, names=names, level=level):
                of = "." * level + (module or "")
                _require_module(of, rules)
                for each in names:
                    _require_public(each.name, rules)
                    _require_member(of, each.name, rules)
            case ast.ClassDef(name=name, keywords=[_, *_]):
                refuse(
                    "class_not_plain",
                    f"{rules.what} has the class {name!r} with a metaclass or other options, expected a plain one",
                    name=name,
                )
            case ast.comprehension(is_async=1) if ast.Await not in rules.syntax:
                refuse(
                    "syntax_not_allowed",
                    f"{rules.what} waits for something, expected code that computes",
                    has="an await",
                )
    calls = [each.func.id for each in nodes if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)]
    if len([each for each in nodes if isinstance(each, ast.Name) and each.id == IMPORT]) != calls.count(IMPORT):
        refuse(
            "computed_name",
            f"{rules.what} uses {IMPORT!r} as a value, expected a call with the name of a module",
            name=IMPORT,
        )
    _require_compiles(tree, rules.what)


def _module_of(node: ast.expr, modules: Bound) -> str:
    """Return the module that an expression stands for, empty where it is anything else."""
    match node:
        case ast.Name(id=name):
            return modules.get(name, "")
        case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str() as name)]):
            return name
        case _:
            return ""


def _parsed(parse: Callable[[str], Syntax], source: str, what: str) -> Syntax:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse(source)
    except NotReadableError as error:
        # The reason begins with "it".
        raise SubsetError(Why("syntax_error", f"{what}: {error.sentence}", of=what, said=error.sentence)) from error


def _require_kept(tree: ast.AST, nodes: list[ast.AST], rules: Rules) -> None:
    """Names mean one thing: what code binds outside of functions and comprehensions is not bound before it."""
    targets = [each.target for each in nodes if isinstance(each, ast.NamedExpr)]
    for node in [*targets, *_outermost(tree)]:
        # What is imported under its own name means the same wherever else it is imported, and a package that the
        # program imports too has the short name there that everybody gives it.
        if isinstance(node, ast.Import | ast.ImportFrom) and not any(each.asname for each in node.names):
            continue
        if isinstance(node, ast.Import) and not any(_is_standard(each.name) for each in node.names):
            continue
        for name in bound_by([node]):
            if name in rules.kept:
                refuse("name_taken", f"{rules.what} gives {name!r} another meaning; use another name", name=name)


def _outermost(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of statements that are in no function, class or comprehension of them."""
    waiting = list(tree.body) if isinstance(tree, ast.Module) else []
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))  # type: ignore[arg-type]  # any node is walked alike


def _require_name(name: str, bound: Bound, rules: Rules) -> None:
    if name in rules.names or (name == IMPORT and rules.may_import_within):
        return
    if name.startswith("__"):
        refuse("private_name", f"{rules.what} uses {name!r}, expected no name that Python reserves", name=name)
    if name in bound:
        return
    if hasattr(builtins, name):
        refuse(
            "builtin_not_allowed",
            f"{rules.what} uses {name!r}, which is not among the built-ins of the subset",
            name=name,
        )
    if name == words.RESULT or name.endswith(words.AFTER):
        refuse("not_of_this_kind", f"{rules.what} uses {name!r}, which this kind of reading does not have", name=name)
    refuse("unknown_name", f"{rules.what} uses {name!r}, which nothing binds", name=name)


def _require_public(name: str, rules: Rules) -> None:
    if name.startswith("_"):
        sentence = f"{rules.what} reads the attribute {name!r}, expected one that does not begin with an underscore"
        refuse("private_name", sentence, name=name)


def _require_member(module: str, name: str, rules: Rules) -> None:
    """Modules hold other modules, such as ``statistics.sys``: these are reached by an import that names them."""
    only = words.MEMBERS.get(module)
    inner = name in sys.stdlib_module_names and name != module and f"{module}.{name}" not in rules.modules
    inner = inner and (_is_standard(module) or name not in words.OF_PACKAGES)
    if name == "*" or inner or (only is not None and name not in only):
        refuse(
            "module_not_allowed",
            f"{rules.what} takes {name!r} from {module!r}, which is not in the subset",
            name=f"{module}.{name}",
        )


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _require_module(name: str, rules: Rules) -> None:
    if name not in rules.modules and name.partition(".")[0] not in rules.modules - sys.stdlib_module_names:
        known = ", ".join(sorted(rules.modules))
        refuse("module_not_allowed", f"{rules.what} imports {shown(name)}, expected one of {known}", name=name)


def _require_call(node: ast.Call, rules: Rules) -> None:
    match node:
        case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str() as name)], keywords=[]):
            _require_module(name, rules)
        case ast.Call(func=ast.Name(id="__import__")):
            refuse(
                "computed_name",
                f"{rules.what} imports a module whose name is computed, expected its name as text",
                name=IMPORT,
            )
        case ast.Call(func=ast.Name(id=name), args=[_, ast.Constant(value=str() as attribute), *_]) if (
            name in words.REACHING
        ):
            _require_public(attribute, rules)
        case ast.Call(func=ast.Name(id=name)) if name in words.REACHING:
            refuse(
                "computed_name",
                f"{rules.what} computes the name of an attribute for {name}(), expected it as text",
                name=name,
            )
        case ast.Call(func=ast.Name(id="type"), args=[_], keywords=[]):
            pass
        case ast.Call(func=ast.Name(id="type"), args=[_, _, ast.Dict(keys=keys, values=values)], keywords=[]):
            _require_body(keys, values, rules)
        case ast.Call(func=ast.Name(id="type")):
            sentence = (
                f"{rules.what} calls type() with computed names, expected one argument, or three and a dict display"
            )
            refuse("computed_name", sentence, name="type")
        case ast.Call(func=ast.Attribute(attr=name), args=[], keywords=[]) if name in words.OF_THE_CLOCK:
            sentence = f"{rules.what} asks for the present time with {name}(), expected what is the same on every day"
            refuse("asks_the_clock", sentence, name=name)


def _require_body(keys: Sequence[ast.expr | None], values: Sequence[ast.expr], rules: Rules) -> None:
    """As in a class statement, special names are those of methods alone."""
    for key, value in zip(keys, values, strict=True):
        match key:
            case ast.Constant(value=str() as name):
                if not isinstance(value, ast.Lambda):
                    _require_public(name, rules)
            case _:
                sentence = f"{rules.what} computes a name in the class that type() makes, expected it as text"
                refuse("computed_name", sentence, name="type")


def _require_compiles(tree: ast.AST, what: str) -> None:
    """Raise SubsetError for what only the compiler refuses, such as a ``return`` outside of functions."""
    whole = tree if isinstance(tree, ast.Module) else ast.Expression(tree)  # type: ignore[arg-type]  # an expression
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(whole, "<reading>", "exec" if isinstance(whole, ast.Module) else "eval", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SubsetError(Why("syntax_error", f"{what}: {error}", of=what, said=str(error))) from error


def _called(node: ast.AST) -> str:
    return words.CALLED.get(type(node).__name__, f"the syntax {type(node).__name__}")
