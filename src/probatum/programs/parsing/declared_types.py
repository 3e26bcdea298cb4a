"""What a file says of the types that only it knows: enums, records, constructors, aliases and type variables.

Read from the syntax tree alone, so that an argument of such a type can be written as an expression. Refuses classes
whose making the text does not show (a base from elsewhere, a constructor without annotations): they have no entry.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.signatures import arguments_of

_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_RECORD_MAKERS = frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs"})
_RECORD_BASES = frozenset({"NamedTuple", "BaseModel"})
_PLAIN_BASES = frozenset({"object", "Generic", "Protocol", "ABC"})
_MOST_MEMBERS = 40


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One thing that making an object takes."""

    name: str
    annotation: ast.expr
    is_required: bool
    by_position: bool = False
    """True where it cannot be given by name."""


@dataclass(frozen=True, slots=True)
class MemberSpec:
    """An attribute or a method that whoever stands in for a protocol needs."""

    name: str
    annotation: ast.expr
    """Of the attribute's value, or of what the method returns."""
    is_method: bool


@dataclass(frozen=True, slots=True)
class DeclaredTypes:
    """The types of one file, by name."""

    enums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of the members of each enumeration, in order."""
    records: Mapping[str, tuple[FieldSpec, ...]] = field(default_factory=dict)
    """What making an object takes, for each class whose constructor's parameters have types."""
    heirs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a class that cannot be made itself (abstract, a protocol): the classes of the file that inherit from it."""
    dictionaries: Mapping[str, ast.ClassDef] = field(default_factory=dict)
    """Classes that inherit from ``TypedDict`` directly."""
    aliases: Mapping[str, ast.expr] = field(default_factory=dict)
    """What stands for another annotation: aliases, new types, and type variables by their bound."""
    names: frozenset[str] = frozenset()
    """Everything that the file declares as a type: none of them means what the name means elsewhere."""
    doubles: Mapping[str, tuple[MemberSpec, ...]] = field(default_factory=dict)
    """What a double of a protocol or an abstract class needs; none that has to wait for something."""
    making: tuple[str, ...] = ()
    """The classes whose fields are being described, outermost first: one that holds itself must end somewhere."""


@lru_cache(maxsize=8)
def declared_types(tree: ast.Module) -> DeclaredTypes:
    """Return the types that a file declares at its top level."""
    classes = {node.name: node for node in _statements(tree.body) if isinstance(node, ast.ClassDef)}
    reader = _ClassReader(classes)
    enums = {name: enum for name in classes if (enum := reader.enum(name)) is not None}
    records = {name: found for name in classes if name not in enums and (found := reader.record(name)) is not None}
    aliases: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        aliases.update(_type_parameters(node))
    for statement in _statements(tree.body):
        if named := _functional_enum(statement):
            enums.update([named])
        else:
            aliases.update(_alias(statement))
    return DeclaredTypes(
        enums,
        records,
        {name: tuple(reader.heirs(name, records)) for name in classes if name not in records},
        {name: node for name, node in classes.items() if [name_of(base) for base in node.bases] == ["TypedDict"]},
        {name: node for name, node in aliases.items() if name not in classes},
        frozenset(classes) | frozenset(aliases) | frozenset(enums),
        {name: members for name in classes if name not in records and (members := reader.members(name))},
    )


def name_of(node: ast.expr) -> str:
    """Return the last part of a name, without what stands in brackets: ``Enum`` for ``enum.Enum``."""
    return name_of(node.value) if isinstance(node, ast.Subscript) else last_name(node)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try):
            yield from _statements(statement.body)
            yield from _statements(statement.orelse)


class _ClassReader:
    """Reads the classes of one file; each may build on others of the same file."""

    def __init__(self, classes: Mapping[str, ast.ClassDef]) -> None:
        self._classes = classes

    def enum(self, name: str) -> tuple[str, ...] | None:
        """Return the members of an enumeration, None for anything else."""
        node = self._classes[name]
        if not any(self._is_enum(base, 0) for base in map(name_of, node.bases)):
            return None
        members = [
            target.id
            for statement in node.body
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Name) and not target.id.startswith("_")
        ]
        return tuple(members[:_MOST_MEMBERS]) or None

    def _is_enum(self, name: str, depth: int) -> bool:
        if name in _ENUMS:
            return True
        node = self._classes.get(name)
        return (
            node is not None and depth < 5 and any(self._is_enum(base, depth + 1) for base in map(name_of, node.bases))
        )

    def record(self, name: str) -> tuple[FieldSpec, ...] | None:
        """Return what making an object of a class takes, None where the text does not show it."""
        fields = self._fields(name, 0)
        return None if fields is None or self._is_abstract(name) else tuple(fields.values())

    def heirs(self, name: str, records: Mapping[str, tuple[FieldSpec, ...]]) -> Iterator[str]:
        """Yield the classes of the file that can be made and inherit from one."""
        for other, node in self._classes.items():
            if other in records and name in self._ancestors(node, 0):
                yield other

    def members(self, name: str) -> tuple[MemberSpec, ...]:
        """Return what a double of an abstract class needs, nothing for any other class."""
        node = self._classes[name]
        lines = [node, *(self._classes[base] for base in sorted(self._ancestors(node, 0)) if base in self._classes)]
        is_protocol = "Protocol" in self._ancestors(node, 0)
        found: dict[str, MemberSpec] = {}
        for statement in (each for line in reversed(lines) for each in line.body):
            match statement:
                case ast.AsyncFunctionDef() if is_protocol or _is_to_be_written(statement):
                    return ()
                case ast.FunctionDef(name=method) if is_protocol or _is_to_be_written(statement):
                    is_method = "property" not in map(name_of, statement.decorator_list)
                    found[method] = MemberSpec(method, statement.returns or ast.Constant(None), is_method)
                case ast.AnnAssign(target=ast.Name(id=attribute), value=None, annotation=annotation) if is_protocol:
                    found[attribute] = MemberSpec(attribute, annotation, is_method=False)
        return tuple(found.values())

    def _ancestors(self, node: ast.ClassDef, depth: int) -> set[str]:
        bases = {name_of(base) for base in node.bases}
        inner = [self._classes[base] for base in bases if base in self._classes] if depth < 5 else []
        return bases.union(*(self._ancestors(base, depth + 1) for base in inner))

    def _is_abstract(self, name: str) -> bool:
        node = self._classes[name]
        if any(name_of(base) in {"Protocol", "ABC"} for base in node.bases) or node.keywords:
            return True
        return any(map(_is_to_be_written, node.body))

    def _fields(self, name: str, depth: int) -> dict[str, FieldSpec] | None:
        node = self._classes.get(name)
        if node is None or depth > 5:
            return None
        maker = next((each for each in node.body if _is_method(each, "__init__", "__new__")), None)
        bases = [each for each in map(name_of, node.bases) if each not in _PLAIN_BASES]
        if isinstance(maker, ast.FunctionDef):
            return _parameters(maker)
        if [each for each in bases if each in _RECORD_BASES]:
            return _annotated(node) if len(bases) == 1 else None
        found: dict[str, FieldSpec] = {}
        for base in reversed(bases):
            inherited = self._fields(base, depth + 1)
            if inherited is None:
                return None
            found |= inherited
        return found | _annotated(node) if _is_record(node) else found


def _is_to_be_written(node: ast.stmt) -> bool:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    return "abstractmethod" in map(name_of, decorators)


def _is_method(node: ast.stmt, *names: str) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name in names


def _is_record(node: ast.ClassDef) -> bool:
    makers = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    return any(name_of(each) in _RECORD_MAKERS for each in makers)


def _annotated(node: ast.ClassDef) -> dict[str, FieldSpec]:
    found: dict[str, FieldSpec] = {}
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        kind = name_of(statement.annotation)
        annotation = statement.annotation
        if kind in {"ClassVar", "KW_ONLY"} or _has_no_parameter(statement.value):
            continue
        if kind == "InitVar" and isinstance(annotation, ast.Subscript):
            annotation = annotation.slice
        found[statement.target.id] = FieldSpec(statement.target.id, annotation, _is_without_default(statement.value))
    return found


def _has_no_parameter(value: ast.expr | None) -> bool:
    """True for ``field(init=False)``."""
    return isinstance(value, ast.Call) and any(
        keyword.arg == "init" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in value.keywords
    )


def _is_without_default(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call) and name_of(value.func) in {"field", "Field"}:
        return not value.args and not {"default", "default_factory", "factory"} & {each.arg for each in value.keywords}
    return value is None


def _parameters(maker: ast.FunctionDef) -> dict[str, FieldSpec] | None:
    """Return what a constructor takes, None where something that it needs has no annotation."""
    found: dict[str, FieldSpec] = {}
    for argument, kind, default in arguments_of(maker)[1:]:
        if kind.startswith("var_"):
            continue
        if argument.annotation is not None:
            is_by_position = kind == "positional_only"
            found[argument.arg] = FieldSpec(argument.arg, argument.annotation, default is None, is_by_position)
        elif default is None:
            return None
    return found


def _alias(statement: ast.stmt) -> dict[str, ast.expr]:
    """Read ``X = list[int]``, ``X: TypeAlias = …``, ``type X = …``, ``NewType`` and ``TypeVar``."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            pass
        case _:
            if type(statement).__name__ == "TypeAlias":
                return {statement.name.id: statement.value}  # type: ignore[attr-defined]  # not a name in Python 3.11
            return {}
    match value:
        case ast.Call(func=function, args=[ast.Constant(value=str()), *rest], keywords=keywords):
            maker = name_of(function)
            if maker == "NewType" and rest:
                return {name: rest[0]}
            if maker == "TypeVar":
                bound = [each.value for each in keywords if each.arg == "bound"]
                return {name: (rest or bound or [ast.Name("int", ast.Load())])[0]}
            return {}
        case ast.Subscript() | ast.BinOp(op=ast.BitOr()) | ast.Name() | ast.Attribute():
            return {name: value}
        case _:
            return {}


def _type_parameters(node: ast.AST) -> dict[str, ast.expr]:
    """Read ``def f[T: int](…)``; a type parameter without a bound stands for numbers."""
    parameters = getattr(node, "type_params", None) or []
    return {each.name: getattr(each, "bound", None) or ast.Name("int", ast.Load()) for each in parameters}


def _functional_enum(statement: ast.stmt) -> tuple[str, tuple[str, ...]] | None:
    """Read ``Colour = Enum("Colour", "RED GREEN")`` and ``Enum("Colour", ["RED", "GREEN"])``."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=maker, args=[ast.Constant(value=str()), listed])
        ) if name_of(maker) in _ENUMS:
            pass
        case _:
            return None
    try:
        names = ast.literal_eval(listed)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    members = names.replace(",", " ").split() if isinstance(names, str) else [str(each) for each in names]
    return (name, tuple(members)) if members and all(each.isidentifier() for each in members) else None
