"""Contracts from types that a program has anyway: a pydantic model, a dataclass, a TypedDict, or a JSON Schema.

Every annotation becomes a schema that says exactly as much; keys beyond those of the type are not allowed. An
annotation or a validator that JSON Schema cannot say is refused, never widened. pydantic is not imported here.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NoReturn,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from probatum.contracts.loading import load_contract, schema_contract
from probatum.contracts.modelled import lost_checks
from probatum.contracts.specification import ContractSpec, is_name
from probatum.core.canonical import JsonValue
from probatum.core.errors import UsageError
from probatum.readers.json_schema.graph import Steps, inner_schemas
from probatum.readers.json_schema.keywords import ANNOTATIONS
from probatum.readers.json_schema.paths import path_text

_PLAIN: Final[Mapping[type, JsonValue]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    time: {"type": "string", "format": "time"},
    UUID: {"type": "string", "format": "uuid"},
}
_LISTS: Final = (list, Sequence)
_SETS: Final = (set, frozenset)
_MAPPINGS: Final = (dict, Mapping)
_MAX_TYPES: Final = 500
_CORE: Final = "__pydantic_core_schema__"


def contract_from(source: object, *, task_id: str = "", version: str = "v1") -> ContractSpec:
    """Return the contract whose output is of a type, or satisfies a schema.

    The source is a pydantic model class, a dataclass, a TypedDict, a JSON Schema as a dictionary, or the path of a
    contract or of a schema.

    Raises:
        UsageError: ``contract.underivable``: the source is none of these, or holds an annotation that JSON Schema
            cannot say; the sentence names the field.
        NotAttemptedError: the path cannot be read as a contract.
    """
    if isinstance(source, (str, Path)):
        return load_contract(Path(source))
    if isinstance(source, (dict, bool)):
        return schema_contract(source, task_id or "schema")
    schema = schema_of(source)
    name = task_id or getattr(source, "__name__", "")
    return ContractSpec(name if is_name(name) else "output", version, name, output_schema=schema)


def schema_of(source: object) -> JsonValue:
    """Return the JSON Schema of a type; raises UsageError: ``contract.underivable``."""
    own = getattr(source, "model_json_schema", None)
    if isinstance(source, type) and callable(own):
        return _of_model(source, own)
    return _Derivation().of_root(source)


def _of_model(source: type, own: Any) -> JsonValue:
    try:
        schema = own()
    except Exception as error:  # noqa: BLE001  a model of somebody else's may raise anything
        _refuse(source.__name__, f"its model_json_schema raised {type(error).__name__}: {str(error)[:200]}")
    if not isinstance(schema, dict):
        _refuse(source.__name__, "its model_json_schema gives no object")
    for steps, part in _parts(schema):
        if _says_nothing(part):
            _refuse(f"{source.__name__} at {path_text(steps)}", "the model lets any value pass there")
    for place, lost in lost_checks(getattr(source, _CORE, None)):
        sentence = f"its JSON Schema does not say {lost}"
        _refuse(f"{source.__name__}{place}", sentence, "To do without, pass what its model_json_schema() returns.")
    return schema


def _parts(schema: dict[str, JsonValue]) -> Iterator[tuple[Steps, JsonValue]]:
    """Yield every schema in a schema but the model's own choice to allow more keys."""
    pending: list[tuple[Steps, JsonValue]] = [((), schema)]
    while pending:
        steps, each = pending.pop()
        if isinstance(each, dict):
            named = "properties" in each
            inner = [item for item in inner_schemas(each) if not (named and item[0] == ("additionalProperties",))]
            yield from (((*steps, *place), part) for place, part in inner)
            pending += [((*steps, *place), part) for place, part in inner]


def _says_nothing(schema: JsonValue) -> bool:
    return schema is True or (isinstance(schema, dict) and set(schema) <= ANNOTATIONS)


class _Derivation:
    """Derives one schema; a type that is met again becomes a reference."""

    def __init__(self) -> None:
        self._definitions: dict[str, JsonValue] = {}
        self._names: dict[type, str] = {}
        self._root: object = None

    def of_root(self, source: object) -> JsonValue:
        if not _is_record(source):
            shown = getattr(source, "__name__", None) or type(source).__name__
            _refuse(str(shown), "expected a pydantic model, a dataclass, a TypedDict or a JSON Schema")
        assert isinstance(source, type)
        self._root = source
        schema = self._record(source)
        return {**schema, "$defs": self._definitions} if self._definitions else schema

    def _of(self, kind: Any, place: str) -> JsonValue:
        if kind is None:
            return {"type": "null"}
        if isinstance(kind, type) and get_origin(kind) is None:
            return self._of_type(kind, place)
        origin, inner = get_origin(kind), get_args(kind)
        if origin in {Annotated, Required, NotRequired}:
            said = inner[1:] if origin is Annotated else ()
            if lost := [each for each in said if not isinstance(each, str)]:
                _refuse(place, f"what is annotated beside the type ({lost[0]!r}) would be lost"[:300])
            schema = self._of(inner[0], place)
            return {**schema, "description": " ".join(said)} if said and isinstance(schema, dict) else schema
        if origin is Literal:
            return _options(list(inner), place)
        if origin in {Union, types.UnionType}:
            return {"anyOf": [self._of(each, place) for each in inner]}
        if origin in _LISTS and len(inner) == 1:
            return {"type": "array", "items": self._of(inner[0], f"{place}[]")}
        if origin in _SETS and len(inner) == 1:
            return {"type": "array", "items": self._of(inner[0], f"{place}[]"), "uniqueItems": True}
        if origin is tuple:
            return self._tuple(inner, place)
        if origin in _MAPPINGS and len(inner) == 2 and inner[0] is str:
            return {"type": "object", "additionalProperties": self._of(inner[1], f"{place}[…]")}
        return _refuse(place, _why_not(kind))

    def _of_type(self, kind: type, place: str) -> JsonValue:
        if kind in _PLAIN:
            return _PLAIN[kind]
        if _is_record(kind) or callable(getattr(kind, "model_json_schema", None)):
            return self._reference(kind)
        if issubclass(kind, Enum):
            return _options([member.value for member in kind], place)
        return _refuse(place, _why_not(kind))

    def _tuple(self, inner: tuple[Any, ...], place: str) -> JsonValue:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return {"type": "array", "items": self._of(inner[0], f"{place}[]")}
        if not inner:
            return {"type": "array", "maxItems": 0}
        parts = [self._of(each, f"{place}[{index}]") for index, each in enumerate(inner)]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}

    def _reference(self, kind: type) -> JsonValue:
        if callable(own := getattr(kind, "model_json_schema", None)):
            _refuse(kind.__name__, f"a pydantic model inside a plain type: derive from the model ({own!r:.60})")
        if kind is self._root:
            return {"$ref": "#"}
        name = self._names.get(kind)
        if name is None:
            if len(self._names) >= _MAX_TYPES:
                _refuse(kind.__name__, f"it leads to more than {_MAX_TYPES} types")
            taken = set(self._names.values())
            name = kind.__name__
            # Two types of one name come from two modules: each gets a definition of its own.
            while name in taken:
                name += "_"
            self._names[kind] = name
            self._definitions[name] = self._record(kind)
        return {"$ref": f"#/$defs/{name}"}

    def _record(self, kind: type) -> dict[str, JsonValue]:
        if dataclasses.is_dataclass(kind) and hasattr(kind, _CORE):
            _refuse(kind.__name__, "a pydantic dataclass checks more than its annotations say: make it a model")
        try:
            hints = get_type_hints(kind, include_extras=True)
        except Exception as error:  # noqa: BLE001  annotations are code of somebody else's
            _refuse(kind.__name__, f"its annotations cannot be read: {type(error).__name__}: {str(error)[:200]}")
        if is_typeddict(kind):
            # Where annotations are kept as text, the class itself has not seen their marks.
            names = list(hints)
            stated: frozenset[str] = kind.__required_keys__  # type: ignore[attr-defined]  # every TypedDict has them
            marks = {name: get_origin(hints[name]) for name in names}
            optional = {each for each in names if marks[each] is NotRequired or each not in stated}
            required = [each for each in names if marks[each] is Required or each not in optional]
        else:
            fields = [each for each in dataclasses.fields(kind) if each.init]
            names = [each.name for each in fields]
            missing = dataclasses.MISSING
            required = [each.name for each in fields if each.default is missing is each.default_factory]
        properties = {name: self._of(hints[name], f"{kind.__name__}.{name}") for name in names}
        schema: dict[str, JsonValue] = {"type": "object", "title": kind.__name__, "properties": properties}
        if required:
            schema["required"] = list(required)
        return {**schema, "additionalProperties": False}


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or is_typeddict(kind))


def _options(values: list[object], place: str) -> JsonValue:
    for value in values:
        if value is not None and type(value) not in {str, int, bool}:
            _refuse(place, f"the choice {value!r} is not a string, a whole number, a boolean or null"[:200])
    return {"enum": list(values)}  # type: ignore[arg-type]  # checked one by one


def _why_not(kind: object) -> str:
    shown = getattr(kind, "__name__", None) or repr(kind)
    if kind is Any or kind is object:
        return f"{shown} lets any value pass"
    if kind in {list, dict, set, frozenset, tuple}:
        return f"{shown} without the type of what it holds lets any value pass"
    if kind in {bytes, complex, Decimal}:
        return f"JSON has no {shown}; use text"
    return f"JSON Schema cannot say {shown}"[:200]


def _refuse(
    place: str, reason: str, hint: str = "Give it a type that JSON has, or write the schema by hand."
) -> NoReturn:
    raise UsageError("contract.underivable", f"No contract can be derived from {place}: {reason}.", hint)
