"""Which definitions of a file belong to one function under test: itself, what it calls and what constants it reads.

Calls are followed by name, without running anything: a name that is read, ``self.name`` within a class and
``anything.name`` for methods of a class that the code mentions.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from probatum.core.errors import BudgetError, UsageError, nearest
from probatum.programs.parsing.expressions import names_in

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Definitions = dict[str, Definition]

MOST_DEFINITIONS = 256
_WITHOUT_VALUES = (*Definition.__args__, ast.Import, ast.ImportFrom, ast.Pass, ast.Assert)
_NO_DATA = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "getLogger"})
_ADDING = frozenset({"register", "setter", "deleter", "getter"})
# Stands before the line of a definition that adds to an earlier one and has no name of its own.
_PART = "@"
_RECEIVERS = frozenset({"self", "cls"})


@dataclass(frozen=True, slots=True)
class Target:
    """One function, or statement that gives values, in which faults are planted.

    Lines are 1-based, both ends included.
    """

    qualname: str
    first_line: int
    last_line: int
    column: int
    is_constant: bool = False


def targets_of(tree: ast.Module, qualname: str) -> tuple[Target, ...]:
    """Return the functions that ``qualname`` consists of or reaches by name, in order of position.

    It may also be the name of a value, which reaches what that is made of.

    Raises `UsageError` (``usage.unknown_name``) and `BudgetError` (``program.too_many_definitions``).
    """
    definitions = definitions_of(tree)
    calls = _Calls(definitions)
    statements = _Statements(tree, definitions)
    reached: dict[str, None] = {}
    waiting = deque([qualname])
    if qualname not in definitions:
        waiting = deque(sorted(statements.reached_from({qualname}, definitions)))
        if not statements.targets():
            raise UsageError("usage.unknown_name", f"The file defines no {qualname!r}.", nearest(qualname, definitions))
    while waiting:
        name = waiting.popleft()
        if name in reached:
            continue
        if len(reached) == MOST_DEFINITIONS:
            sentence = f"{qualname} reaches more than {MOST_DEFINITIONS} definitions of its file."
            raise BudgetError("program.too_many_definitions", sentence, "Verify its parts one by one.")
        reached[name] = None
        grown = calls.mention_classes(name)
        for known in list(reached) if grown else [name]:
            waiting.extend(sorted(calls.called_from(known) - reached.keys()))
        if name == qualname:
            waiting.extend(calls.methods_of(name))
        own = {qualname.partition(".")[0]} if name == qualname else set()
        waiting.extend(sorted(statements.reached_from(_read_in(definitions[name]) | own, definitions)))
    targets = [_target(name, definitions) for name in reached if isinstance(definitions[name], FunctionNode)]
    return tuple(sorted([*targets, *statements.targets()], key=_position))


def targets_at(tree: ast.Module, lines: frozenset[int]) -> tuple[Target, ...]:
    """Return the functions and the statements that give values on some of these lines, in order of position."""
    found: list[Target] = []
    bodies: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    while bodies:
        owner, body = bodies.pop()
        for each in body:
            first = min([each.lineno, *(mark.lineno for mark in getattr(each, "decorator_list", ()))])
            last = each.end_lineno or each.lineno
            if lines.isdisjoint(range(first, last + 1)):
                continue
            if isinstance(each, ast.ClassDef):
                bodies.append((f"{owner}{each.name}.", each.body))
            elif isinstance(each, ast.If | ast.Try | ast.TryStar | ast.With):
                bodies += ((owner, inner) for inner in _blocks(each))
            elif isinstance(each, FunctionNode):
                found.append(Target(owner + each.name, first, last, each.col_offset))
            elif names := _given(each):
                found.append(Target(owner + min(names), first, last, each.col_offset, True))
    return tuple(sorted(found, key=_position))


def gives(tree: ast.Module, name: str) -> bool:
    """Tell whether a file defines this name or gives it a value."""
    definitions = definitions_of(tree)
    statements = _Statements(tree, definitions)
    statements.reached_from({name}, definitions)
    return name in definitions or bool(statements.targets())


class _Statements:
    """What a module or a class does besides defining: which of it gives values to the names that are read."""

    def __init__(self, tree: ast.Module, definitions: Definitions) -> None:
        self._giving: dict[str, list[Target]] = {}
        self._reads: dict[Target, set[str]] = {}
        self._reached: dict[Target, None] = {}
        bodies = [("", tree.body), *((n, d.body) for n, d in definitions.items() if isinstance(d, ast.ClassDef))]
        for owner, body in bodies:
            for statement in body:
                names = _given(statement)
                first = min(names, default="")
                end = statement.end_lineno or statement.lineno
                target = Target(
                    f"{owner}.{first}" if owner else first, statement.lineno, end, statement.col_offset, True
                )
                for name in names:
                    self._giving.setdefault(name, []).append(target)
                if names:
                    self._reads[target] = _read_in(statement)

    def reached_from(self, names: set[str], definitions: Definitions) -> set[str]:
        """Note the statements that contribute to the values of these names; return the definitions that they read."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            for target in self._giving.pop(waiting.pop(), ()):
                if target not in self._reached:
                    self._reached[target] = None
                    found |= self._reads[target]
                    waiting.extend(self._reads[target])
        parts = ((name, *name.rpartition(".")[::2]) for name in definitions)
        return {name for name, owner, last in parts if last in found and (not owner or owner in found)}

    def targets(self) -> Iterable[Target]:
        """Return the statements noted so far."""
        return self._reached


def _read_in(node: ast.AST) -> set[str]:
    attributes = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    return attributes | _names_without_parameters(node, ast.Load)


def _names_without_parameters(node: ast.AST, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    """Return the plain names in a piece of code, without those that are a parameter where they stand."""
    found: set[str] = set()
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while waiting:
        each, parameters = waiting.pop()
        if isinstance(each, ast.Name) and isinstance(each.ctx, context) and each.id not in parameters:
            found.add(each.id)
        inside = parameters
        if isinstance(each, FunctionNode | ast.Lambda):
            given = each.args
            places = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            inside |= {place.arg for place in places if place is not None}
        for name, value in ast.iter_fields(each):
            known = inside if name == "body" else parameters
            children = value if isinstance(value, list) else [value]
            waiting += [(child, known) for child in children if isinstance(child, ast.AST)]
    return found


def _given(statement: ast.stmt) -> set[str]:
    """Return the names to whose values a statement may contribute."""
    if isinstance(statement, _WITHOUT_VALUES):
        return set()
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        # What stands for a type, or for a logger, gives no value that a result depends on.
        value = statement.value
        called = ast.unparse(value.func).rpartition(".")[2] if isinstance(value, ast.Call) else ""
        if value is None or isinstance(value, ast.Subscript) or called in _NO_DATA:
            return set()
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return {name for target in targets for name in names_in(target)}
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return set()
    return _names_without_parameters(statement)


def definitions_of(tree: ast.Module) -> Definitions:
    """Return every definition by qualified name, the last of several; what adds to another one is a part: ``f@12``."""
    found: Definitions = {}
    _collect(tree.body, "", found)
    return found


def _collect(body: list[ast.stmt], prefix: str, found: Definitions) -> None:
    for statement in body:
        if isinstance(statement, Definition):
            name = prefix + statement.name
            whole = _adds_to(statement)
            if whole is not None and isinstance(found.get(prefix + whole), FunctionNode):
                name = name if statement.name not in {"_", whole} else f"{prefix}{whole}{_PART}{statement.lineno}"
            found[name] = statement
            if isinstance(statement, ast.ClassDef):
                _collect(statement.body, name + ".", found)
        elif isinstance(statement, ast.If | ast.Try | ast.TryStar | ast.With):
            for inner in _blocks(statement):
                _collect(inner, prefix, found)


def _adds_to(statement: Definition) -> str | None:
    # `@f.register` adds a part to `f`, `@price.setter` to `price`.
    for decorator in statement.decorator_list:
        mark = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(mark, ast.Attribute) and isinstance(mark.value, ast.Name) and mark.attr in _ADDING:
            return mark.value.id
    return None


def _blocks(statement: ast.If | ast.Try | ast.TryStar | ast.With) -> Iterator[list[ast.stmt]]:
    yield statement.body
    if not isinstance(statement, ast.With):
        yield statement.orelse
    if isinstance(statement, ast.Try | ast.TryStar):
        for handler in statement.handlers:
            yield handler.body
        yield statement.finalbody


def _position(target: Target) -> tuple[int, int]:
    return target.first_line, target.column


def _target(name: str, definitions: Definitions) -> Target:
    node = definitions[name]
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return Target(name, first, node.end_lineno or node.lineno, node.col_offset)


class _Calls:
    """Answers by name what each definition calls; every definition is read once."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._mentioned: set[str] = set()
        self._names: dict[str, frozenset[str]] = {}
        self._attributes: dict[str, tuple[ast.Attribute, ...]] = {}
        self._methods: dict[str, list[str]] = {}
        self._parts: dict[str, list[str]] = {}
        for name, node in definitions.items():
            owner = name.rpartition(".")[0]
            self._methods.setdefault(owner, []).append(name)
            whole = _adds_to(node)
            if whole is not None:
                self._parts.setdefault(f"{owner}.{whole}" if owner else whole, []).append(name)

    def mention_classes(self, name: str) -> bool:
        """Note the classes that a definition mentions, with their bases; tell whether one is new."""
        classes = {other for other in self._names_read(name) if self._is_class(other)}
        owner = name.rpartition(".")[0]
        if self._is_class(owner):
            classes.add(owner)
        for found in tuple(classes):
            node = self._definitions[found]
            if isinstance(node, ast.ClassDef):
                classes |= {base.id for base in node.bases if isinstance(base, ast.Name) and self._is_class(base.id)}
        grown = not classes <= self._mentioned
        self._mentioned |= classes
        return grown

    def methods_of(self, name: str) -> list[str]:
        """Return the methods and inner classes of a class, of anything else nothing."""
        return self._methods.get(name, []) if self._is_class(name) else []

    def called_from(self, name: str) -> set[str]:
        """Return the definitions that a definition calls; for a class, what creating and using an object calls."""
        called = {other for other in self._names_read(name) if other in self._definitions}
        called.update(self._parts.get(name, ()))
        if self._is_class(name):
            return called | {method for method in self.methods_of(name) if method.rpartition(".")[2].startswith("__")}
        owner = name.rpartition(".")[0]
        for attribute in self._attributes[name]:
            own = f"{owner}.{attribute.attr}"
            receiver = attribute.value.id if isinstance(attribute.value, ast.Name) else ""
            if receiver in _RECEIVERS and own in self._definitions:
                called.add(own)
            else:
                methods = {f"{each}.{attribute.attr}" for each in self._mentioned}
                called |= methods & self._definitions.keys()
        return called

    def _is_class(self, name: str) -> bool:
        return isinstance(self._definitions.get(name), ast.ClassDef)

    def _names_read(self, name: str) -> frozenset[str]:
        if name not in self._names:
            node = self._definitions[name]
            keywords = [each.value for each in node.keywords] if isinstance(node, ast.ClassDef) else []
            parts = [*node.bases, *keywords, *node.decorator_list] if isinstance(node, ast.ClassDef) else [node]
            inner = [each for part in parts for each in ast.walk(part)]
            self._names[name] = frozenset(
                each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
            )
            self._attributes[name] = tuple(each for each in inner if isinstance(each, ast.Attribute))
        return self._names[name]
