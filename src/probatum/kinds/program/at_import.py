"""What reading a definition does beside binding its name: decorators, defaults, annotations and class bodies run then.

Only what is known to do nothing counts as such: names, constants, containers of these, a few callables of Python. These
count unless the program gives their names another meaning, see `bound_in`. Refuses to guess: whatever else stands
there acts.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import sys
from collections.abc import Iterable
from typing import Final

from probatum.programs.parsing.expressions import last_name

_DECORATORS: Final = frozenset(
    {
        *("property", "staticmethod", "classmethod", "cache", "lru_cache", "cached_property", "dataclass", "wraps"),
        *(
            "overload",
            "final",
            "override",
            "runtime_checkable",
            "abstractmethod",
            "total_ordering",
            "contextmanager",
            "singledispatch",
        ),
        *("asynccontextmanager", "unique"),
    }
)
"""Those that enter what they decorate nowhere."""
_OF_A_PROPERTY: Final = frozenset({"setter", "getter", "deleter"})
_CONTAINERS: Final = frozenset({"frozenset", "set", "tuple", "list", "dict"})
_CALLED: Final = _CONTAINERS | {"field", "auto", "Decimal", "Fraction", "TypeVar"}
_MODULES: Final = frozenset(
    {"functools", "abc", "typing", "dataclasses", "contextlib", "enum", "decimal", "fractions", "typing_extensions"}
)
_METACLASSES: Final = frozenset({"type", "ABCMeta", "EnumMeta", "EnumType"})
BASES: Final = (
    frozenset(name for name, each in vars(builtins).items() if isinstance(each, type))
    | frozenset(collections.abc.__all__)
    | {"ABC", "ABCMeta", "Protocol", "Generic", "NamedTuple", "TypedDict", "BaseModel", "Exception"}
    | {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "OrderedDict", "defaultdict", "Counter", "UserDict", "UserList"}
)
"""Classes that do nothing with those that extend them."""
_ENUMERATIONS: Final = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_OF_MEMBERS: Final = frozenset({"__init__", "__new__", "_generate_next_value_"})
"""Methods that run for each member of an enumeration, when it is read."""
_HOOKS: Final = frozenset({"__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__", "__mro_entries__"})
_KNOWN: Final = sys.stdlib_module_names | {"typing_extensions"}
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def bound_in(statement: ast.stmt) -> frozenset[str]:
    """Return the names and attributes that a statement outside of definitions gives a meaning of its own.

    What it imports from Python under its own name keeps its meaning.
    """
    found = set[str]()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                module = node.module or "" if isinstance(node, ast.ImportFrom) and not node.level else ""
                is_known = isinstance(node, ast.Import) or module.partition(".")[0] in _KNOWN
                names = [each for each in aliases if not is_known or each.asname not in {None, each.name}]
                found.update(each.asname or each.name for each in names)
    return frozenset(found)


class AtImport:
    """What reading one definition on the top level does."""

    def __init__(self, node: Definition) -> None:
        # Whether it does more than to bind a name, whatever the names in it mean.
        self.acts = False
        # Names on whose meaning it depends that it does no more than that.
        self.trusts: frozenset[str] = frozenset()
        # Every name in what a class extends, its metaclass among it.
        self.extends: frozenset[str] = frozenset()
        self._extended = set[str]()
        self._trusted = set[str]()
        self._bound = set[str]()
        self._definition(node)
        if isinstance(node, ast.ClassDef):
            named = [*node.bases, *(each.value for each in node.keywords)]
            self.extends = frozenset(e.id for base in named for e in ast.walk(base) if isinstance(e, ast.Name))
            self.extends |= {e.attr for base in named for e in ast.walk(base) if isinstance(e, ast.Attribute)}
        self.acts = self.acts or not self._trusted.isdisjoint(self._bound)
        self.trusts = frozenset(self._trusted)
        # Bases that are classes of the program, or may note who extends them.
        self.bases = frozenset(self._extended)

    def _definition(self, node: Definition) -> None:
        for each in node.decorator_list:
            self._decorator(each)
        if isinstance(node, ast.ClassDef):
            for base in node.bases:
                self._base(base)
            self._values(each.value for each in node.keywords)
            metaclasses = {last_name(each.value) for each in node.keywords if each.arg == "metaclass"}
            self._extended |= metaclasses - _METACLASSES
            for statement in node.body:
                self._statement(statement)
            if not _ENUMERATIONS.isdisjoint({last_name(each) for each in node.bases}):
                self.acts = self.acts or bool(self._extended) or not _OF_MEMBERS.isdisjoint(self._bound)
            return
        self.acts = self.acts or node.name in _HOOKS
        taken = node.args
        self._values(each for each in (*taken.defaults, *taken.kw_defaults) if each is not None)
        given = (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg)
        for annotation in (*(each.annotation for each in given if each is not None), node.returns):
            self._annotation(annotation)

    def _decorator(self, node: ast.expr) -> None:
        called = node
        if isinstance(node, ast.Call):
            called = node.func
            self._values((*node.args, *(each.value for each in node.keywords)))
        match called:
            case ast.Attribute(value=ast.Name(), attr=name) if name in _OF_A_PROPERTY:
                return
            case ast.Name(id=name) if name in _DECORATORS:
                self._trusted.add(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in _DECORATORS and module in _MODULES:
                self._trusted |= {name, module}
            case _:
                self.acts = True

    def _base(self, node: ast.expr) -> None:
        self._annotation(node)
        name = last_name(node.value if isinstance(node, ast.Subscript) else node)
        # A metaclass acts for every class that it makes.
        self.acts = self.acts or name in _METACLASSES or not name
        (self._trusted if name in BASES else self._extended).add(name)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.Assign(targets=targets, value=value) if all(isinstance(each, ast.Name) for each in targets):
                self._bound |= {each.id for each in targets if isinstance(each, ast.Name)}
                self._value(value)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                self._bound.add(name)
                self._annotation(annotation)
                self._values([] if value is None else [value])
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._bound.add(node.name)
                self._definition(node)
            case _:
                self.acts = True

    def _annotation(self, node: ast.expr | None) -> None:
        match node:
            case None | ast.Name() | ast.Constant():
                return
            case ast.Subscript(value=outer, slice=inner) | ast.BinOp(left=outer, op=ast.BitOr(), right=inner):
                self._annotation(outer)
                self._annotation(inner)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for each in parts:
                    self._annotation(each)
            case _:
                self._value(node)

    def _values(self, nodes: Iterable[ast.expr]) -> None:
        for each in nodes:
            self._value(each)

    def _value(self, node: ast.expr) -> None:
        match node:
            case ast.Constant() | ast.Name():
                return
            case ast.Attribute(value=inner):
                self._value(inner)
            case ast.UnaryOp(operand=ast.Constant()):
                return
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                self._values(parts)
            case ast.Dict(keys=keys, values=values):
                self._values((*(each for each in keys if each is not None), *values))
            case ast.Lambda(args=taken):
                self._values(each for each in (*taken.defaults, *taken.kw_defaults) if each is not None)
            case ast.Call(func=called, args=given, keywords=named) if last_name(called) in _CALLED:
                self._called(called)
                taken_in = [*given, *(each.value for each in named)]
                self._values(taken_in)
                # What is made of something else uses it up.
                is_made = last_name(called) in _CONTAINERS and any(
                    isinstance(part, ast.Name | ast.Attribute | ast.Starred) for e in taken_in for part in ast.walk(e)
                )
                self.acts = self.acts or is_made
            case _:
                self.acts = True

    def _called(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                self._trusted.add(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _MODULES:
                self._trusted |= {name, module}
            case _:
                self.acts = True
