"""What the functions of a file use, as far as its text tells what that is: names, attributes of modules, calls.

What is used where code expects that it may be missing (`guards`) is left out, and so is what a name means that is bound
more than once. Whether the rest is there and fits, only the installed things themselves can tell (`fits`).
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Final

from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.signatures import Definition, bound_by, is_stub, own_nodes
from probatum.programs.perspectives.guards import Binders, guarded

_REBINDS = frozenset({"globals", "exec", "eval", "locals", "__builtins__", "builtins", "setattr", "vars"})
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_BINDING = {"staticmethod", "classmethod"}
_NOT_RUN = frozenset({"annotation", "returns", "type_params", "ctx", "op", "ops"})
_LONGEST = 100
Call = tuple[int, tuple[str, ...]]
Question = tuple[str, str, str, tuple[str, ...], Call | None]


@dataclass(frozen=True, slots=True)
class Use:
    """One use of something that is not a local value."""

    line: int
    text: str
    kind: str
    """``unbound`` name, ``global`` name, ``import`` in a function, ``constant``, or ``method`` of the class around."""
    module: str
    """Of an import: what is imported, with its dots."""
    root: str
    path: tuple[str, ...] = ()
    call: Call | None = None
    """How many arguments a call gives by position, and which by name."""

    @property
    def question(self) -> Question:
        """What is asked about it, see `sandbox.inside.resolving`."""
        return self.kind, self.module, self.root, self.path, self.call


@dataclass(frozen=True, slots=True)
class _UsePlace:
    """Where a node stands."""

    runs: bool = False
    """In a function: what runs when the file is imported has been run."""
    is_quiet: bool = False
    names: Binders = field(default_factory=dict)
    """What is bound in the functions around, and in the class where it stands in one."""
    classes: tuple[ast.ClassDef, ...] = ()
    """The classes around, as long as nothing else is between them."""
    members: Binders = field(default_factory=dict)
    first: ast.arg | None = None
    """The parameter of a method that is its object or its class."""


def uses_of(tree: ast.Module) -> tuple[Use, ...]:
    """Return what the functions of a file use; what runs when the file is imported has been run.

    Raises `RecursionError` for a file that is nested too deep.
    """
    return tuple(dict.fromkeys(_UseReader(tree).read()))


class _UseReader:
    """Walks the functions of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._module: dict[str, Sequence[ast.AST]] = {**_binders(tree)}
        nodes = list(ast.walk(tree))
        for node in nodes:
            for name in node.names if isinstance(node, ast.Global) else ():
                self._module[name] = (*self._module.get(name, ()), node)
        for row in tree.body:
            match row:
                # What a name stands for tells whether it is a switch.
                case ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=ast.Name() as target):
                    self._module |= {target.id: [row]} if self._module[target.id] == [target] else {}
        # Python itself tells which names are those of the module, and leaves out what is never run.
        self._global = frozenset(_global_names(compile(tree, "program", "exec", dont_inherit=True)))
        words = {each.id for each in nodes if isinstance(each, ast.Name)}
        self._is_open = not _REBINDS.isdisjoint(words)
        # What is set somewhere, or looked for by its text, may come and go.
        self._told = frozenset(name for each in nodes if (name := _name_told(each)))
        self._read_before = set[int]()

    def read(self) -> Iterator[Use]:
        waiting: list[tuple[ast.AST, _UsePlace]] = [(self._tree, _UsePlace())]
        while waiting:
            node, place = waiting.pop()
            if place.runs and not place.is_quiet:
                yield from self._uses(node, place)
            within = _within(node, place)
            quiet = {id(each) for each in guarded(node, self._module)}
            for name, value in ast.iter_fields(node):
                inner = within if name == "body" else place
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, ast.AST) and name not in _NOT_RUN and type(part).__name__ != "TypeAlias":
                        waiting.append((part, replace(inner, is_quiet=True) if id(part) in quiet else inner))

    def _uses(self, node: ast.AST, place: _UsePlace) -> Iterator[Use]:
        match node:
            case ast.ImportFrom(names=aliases):
                names = [each.name for each in aliases if each.name != "*"]
                text = f"from {_module_of(node)} import "
                yield from (Use(node.lineno, text + e, "import", _module_of(node), "", (e,)) for e in names)
            case ast.Call(func=ast.Attribute() | ast.Name() as used, args=given, keywords=named):
                by_name = tuple(each.arg for each in named if each.arg is not None)
                is_open = len(by_name) < len(named) or any(isinstance(each, ast.Starred) for each in given)
                yield from self._read(node, used, None if is_open else (len(given), by_name), place)
            case ast.Attribute() | ast.Name() if id(node) not in self._read_before:
                yield from self._read(node, node, None, place)

    def _read(self, whole: ast.expr, used: ast.expr, call: Call | None, place: _UsePlace) -> Iterator[Use]:
        path, base = list[str](), used
        while isinstance(base, ast.Attribute):
            self._read_before.add(id(base))
            path += [base.attr] if isinstance(base.ctx, ast.Load) else []
            base = base.value
        text = ast.unparse(whole)
        text = text if len(text) <= _LONGEST else f"{ast.unparse(used)[:_LONGEST]}(…)"
        use = Use(whole.lineno, text, "", "", "", tuple(reversed(path)), call)
        match base:
            case ast.Name(id=name, ctx=ast.Load()):
                self._read_before.add(id(base))
                if not any(each[:2] == "__" for each in (name, *path)):
                    yield from self._meant(base, use, place)
            case ast.Constant(value=str() | bytes()) | ast.JoinedStr() if path:
                yield replace(use, kind="constant", root=type(getattr(base, "value", "")).__name__)

    def _meant(self, base: ast.Name, use: Use, place: _UsePlace) -> Iterator[Use]:
        name, is_told = base.id, not self._told.isdisjoint(use.path)
        if (base.lineno, base.col_offset) not in self._global:
            binders = place.names.get(name, ())
            yield from () if len(binders) != 1 or is_told else self._local(name, binders[0], use, place)
            return
        binders = self._module.get(name, ())
        if not binders and not self._is_open and name != "_":
            yield Use(use.line, name, "unbound", "", name)
        is_defined = binders and isinstance(binders[0], ast.stmt | ast.Name) and not isinstance(binders[0], ast.Global)
        if not binders or (len(binders) == 1 and is_defined and not is_told):
            yield replace(use, kind="global", root=name)

    def _local(self, name: str, binder: ast.AST, use: Use, place: _UsePlace) -> Iterator[Use]:
        match binder:
            case ast.Import(names=aliases):
                found = next(each for each in aliases if (each.asname or each.name.partition(".")[0]) == name)
                yield replace(use, kind="import", module=found.name, root="" if found.asname else name)
            case ast.ImportFrom(names=aliases) if use.path or use.call is not None:
                found = next(each for each in aliases if (each.asname or each.name) == name)
                yield replace(use, kind="import", module=_module_of(binder), path=(found.name, *use.path))
            case ast.arg() if binder is place.first and len(use.path) == 1 and use.call is not None:
                defined = place.members.get(use.path[0], ())
                is_only = len(defined) == 1 and self._module.get(place.classes[0].name) == [place.classes[0]]
                if is_only and not _may_change(defined[0]):
                    yield replace(use, kind="method", root=".".join(each.name for each in place.classes))


def _within(node: ast.AST, place: _UsePlace) -> _UsePlace:
    """Return where the body of a node stands."""
    if isinstance(node, ast.ClassDef):
        if place.runs:
            return replace(place, names={**place.names, **_binders(node)})
        return replace(place, classes=(*place.classes, node), members=_binders(node))
    if not isinstance(node, _FUNCTIONS):
        return place
    first = place.first
    if place.classes and not place.runs and not isinstance(node, ast.Lambda):
        is_static = "staticmethod" in map(last_name, node.decorator_list)
        first = None if is_static else next(iter((*node.args.posonlyargs, *node.args.args)), None)
    return replace(place, runs=True, names={**place.names, **_binders(node)}, first=first)


def _binders(scope: Definition | ast.Lambda | ast.ClassDef | ast.Module) -> dict[str, list[ast.AST]]:
    """Return the names that a scope binds, each with all nodes that do; a comprehension is no scope of its own."""
    found: dict[str, list[ast.AST]] = {}
    given = ast.iter_child_nodes(scope.args) if isinstance(scope, _FUNCTIONS) else ()
    for node in (*given, *own_nodes(scope)):
        match node:
            case ast.Name(id=name, ctx=ast.Del()) | ast.arg(arg=name):
                names = [name]
            case _:
                names = bound_by(node)
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def _global_names(code: CodeType) -> Iterator[tuple[int | None, int | None]]:
    """Yield the line and the column of each name that is looked up in the module, or in Python's own names."""
    for each in dis.get_instructions(code):
        if each.opname == "LOAD_GLOBAL" and each.positions is not None:
            yield each.positions.lineno, each.positions.col_offset
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def _module_of(node: ast.ImportFrom) -> str:
    return "." * node.level + (node.module or "")


def _name_told(node: ast.AST) -> str:
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) | ast.Constant(value=str(name)):
            return name
        case _:
            return ""


def _may_change(node: ast.AST) -> bool:
    """Whether a method waits for a class that gives it its meaning, or something else stands in its place."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    is_open = all(is_stub(each) or isinstance(each, ast.Raise) for each in node.body)
    return is_open or not {ast.unparse(each) for each in node.decorator_list} <= _BINDING
