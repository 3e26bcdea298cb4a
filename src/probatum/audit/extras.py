"""What `extra` of a prompt or a requirement may declare, as models that read it and give its JSON Schema.

| key | meaning |
|---|---|
| ``expected_fields`` | JSON paths that have to be read: ``price``, ``data.price``, ``rows[*].close`` |
| ``fields`` | by name: ``path``, ``pattern``, ``group``, ``label``, ``kind``, ``value``, ``unit``, … |
| ``patterns`` | by name: a pattern for text and HTML, or an entry as under ``fields`` |
| ``missing`` | codes that stand for a missing value: -999, "n/a" |
| ``tolerance`` | relative, or ``{"relative": …, "absolute": …}`` |
| ``entity``, ``entity_field``, ``timestamp_field`` | what records are about, and where that and their time stand |
| ``status_field``, ``accepted_status``, ``withheld_status`` | where records say how final they are, and what counts |
| ``slack_seconds``, ``max_age_seconds``, ``age_at`` | how far outside of the window, and how old, evidence may be |
| ``delimiter``, ``quote`` | what separates and quotes the cells of a table |
| ``number_format``, ``date_order``, ``timezone`` | what a text cannot say itself |

Refuses unknown keys with the nearest known one, values of another type, and patterns that the engine cannot read.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Self

import re2  # type: ignore[import-untyped]  # it comes without types
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue

from probatum.audit.units import exact, is_unit
from probatum.core.errors import nearest
from probatum.readers.conventions import offset_of

MAX_PATTERN: Final = 1_000
_MOST: Final = 10**12
"""Seconds, or the tolerance of a number."""


@lru_cache(maxsize=1024)
def compiled_pattern(pattern: str) -> Any:
    """Return a pattern of the linear-time engine; raises ValueError where it cannot read it."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"the pattern has more than {MAX_PATTERN} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except (re2.error, UnicodeEncodeError) as error:
        told = error.args[0] if error.args else error
        raise ValueError(f"the pattern cannot be read: {told.decode() if isinstance(told, bytes) else told}") from None


def _readable(pattern: str) -> str:
    compiled_pattern(pattern)
    return pattern


def _unit(unit: str) -> str:
    if unit and not is_unit(unit):
        raise ValueError("a unit is a name, such as USD, % or km/h")
    return unit


def _zone(zone: str) -> str:
    offset_of(zone, datetime(2000, 1, 1))
    return zone


def _age_at(text: str) -> str:
    if text not in {"", "window.start", "window.end", "deadline"}:
        try:
            datetime.fromisoformat(text)
        except ValueError:
            told = f"a time such as 2026-01-31T12:00:00Z, window.end or deadline, not {text[:40]!r}"
            raise ValueError(told) from None
    return text


Words = Annotated[str, Field(pattern=r"\S")]
Number = float
Code = int | float | str
"""Stands for a missing value."""
# From 1 on, a relative tolerance lets everything agree.
_Relative = Annotated[Number, Field(ge=0, le=0.99)]
_Amount = Annotated[Number, Field(ge=0, le=_MOST)]
_Sign = Annotated[str, Field(min_length=1, max_length=1, pattern=r"^[^\s\w]$|^\t$")]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Tolerance(_Strict):
    """How far two numbers may be apart and still agree; the larger of the two allowances counts, ends included."""

    relative: _Relative = 1e-9
    """Of the larger magnitude."""
    absolute: _Amount = 0

    def allows(self, low: Fraction, high: Fraction) -> bool:
        """Return whether these two numbers agree."""
        return high - low <= max(exact(self.absolute), exact(self.relative) * max(abs(low), abs(high)))


def _as_tolerance(stated: object) -> object:
    return stated if isinstance(stated, dict) else {"relative": stated}


_Tolerance = Annotated[Tolerance, BeforeValidator(_as_tolerance, json_schema_input_type=_Relative | Tolerance)]


class FieldDeclaration(_Strict):
    """One value to be read."""

    path: Words = ""
    pattern: Annotated[Words, AfterValidator(_readable)] = ""
    group: int | str | None = None
    label: Words = ""
    kind: Literal["", "number", "percentage", "money", "duration", "timestamp", "version", "boolean", "text"] = ""
    value: object = None
    unit: Annotated[str, AfterValidator(_unit)] = ""
    tolerance: _Tolerance | None = None
    select: Literal["", "latest", "earliest", "highest", "lowest"] = ""
    missing: list[Code] | None = None

    @model_validator(mode="after")
    def _has_its_group(self) -> Self:
        if self.group is not None and self.group not in groups_of(self.pattern):
            raise ValueError("the pattern has no such group")
        return self


def groups_of(pattern: str) -> dict[str | int, int]:
    """Return the groups of a pattern by name and by number; none where there is no pattern."""
    if not pattern:
        return {}
    compiled = compiled_pattern(pattern)
    return {**compiled.groupindex, **{each: each for each in range(compiled.groups + 1)}}


def _as_entry(stated: object) -> object:
    return {"pattern": stated} if isinstance(stated, str) else stated


_Patterns = Annotated[FieldDeclaration, BeforeValidator(_as_entry, json_schema_input_type=str | FieldDeclaration)]


class RequirementDeclarations(_Strict):
    """What `extra` of a requirement declares about reading its evidence; in a prompt it holds for all of them."""

    expected_fields: list[str] | None = None
    fields: dict[Words, FieldDeclaration] = {}
    patterns: dict[Words, _Patterns] = {}
    missing: list[Code] | None = None
    tolerance: _Tolerance = Tolerance()
    entity: str = ""
    entity_field: str = ""
    timestamp_field: str = "timestamp"
    status_field: str = "status"
    accepted_status: list[str] = []
    withheld_status: list[str] = []
    slack_seconds: _Amount = 0
    max_age_seconds: _Amount | None = None
    age_at: Annotated[str, AfterValidator(_age_at)] = ""
    delimiter: _Sign | None = None
    quote: _Sign = '"'
    number_format: Literal["1,234.5", "1.234,5", "1 234,5"] = "1,234.5"
    date_order: Literal["", "DMY", "MDY", "YMD"] = ""
    timezone: Annotated[str, AfterValidator(_zone)] = "UTC"

    @model_validator(mode="after")
    def _status_is_complete(self) -> Self:
        if "status_field" in self.model_fields_set and not (self.accepted_status or self.withheld_status):
            raise ValueError("status_field needs accepted_status or withheld_status beside it")
        return self


class PromptDeclarations(RequirementDeclarations):
    """What `extra` of a prompt may hold: the same, the event, and what others than the auditor read."""

    predicate: object = None
    strict_mode: object = None
    compiler: object = None
    assumptions: object = None
    confidence_policy: object = None
    temporal_constraint: object = None


class DeclaredAs:
    """Gives an object of the wire the JSON Schema of a model, by which it is read later."""

    def __init__(self, model: type[BaseModel]) -> None:
        """Keep the model."""
        self._model: Final = model

    def __get_pydantic_json_schema__(self, _core: object, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the model."""
        return handler(self._model.__pydantic_core_schema__)


def declarations_in(
    extra: Mapping[str, object], model: type[RequirementDeclarations]
) -> tuple[RequirementDeclarations, list[str]]:
    """Return what an ``extra`` declares, or nothing of it and one sentence for each declaration that cannot be used."""
    try:
        return model.model_validate(extra), []
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
    return model(), [_problem(each["loc"], each["type"], each["msg"], model) for each in found]


def _problem(place: tuple[int | str, ...], kind: str, message: str, model: type[BaseModel]) -> str:
    where = ".".join(str(step)[:60] for step in place if not str(step).endswith(("]", "FieldDeclaration"))) or "extra"
    if kind == "extra_forbidden":
        # `fields` and `patterns` hold entries by name.
        known: type[BaseModel] = model
        if len(place) > 1:
            known = FieldDeclaration if len(place) == 3 and place[0] in {"fields", "patterns"} else Tolerance
        meant = nearest(str(place[-1])[:60], known.model_fields)
        return f"{where} is an unknown key. {meant or 'Known are ' + ', '.join(known.model_fields) + '.'}"
    return f"{where}: {message.removeprefix('Value error, ')}"
