"""Contracts from types: as strict as the type, and never a schema that accepts everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict
from uuid import UUID

import pytest

from probatum.contracts.derivation import contract_from, schema_of
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.readers.json_schema.schema import compiled


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1


@dataclass
class Tree:
    name: str
    children: list[Tree] = field(default_factory=list)


class Row(TypedDict):
    number: int
    note: NotRequired[str]


@dataclass
class Whole:
    tree: Tree
    rows: Sequence[Row]


class Modelled:
    """Looks like a pydantic model, without one."""

    schema: ClassVar[Any] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}

    @classmethod
    def model_json_schema(cls) -> Any:
        return cls.schema


FIELDS: list[tuple[Any, list[object], list[object]]] = [
    (str, ["x"], [5, None]),
    (int, [5, 5.0], [True, "5", 1.5]),
    (float, [1, 1.5], [True, "1"]),
    (bool, [True], [1]),
    (None, [None], [0, ""]),
    (int | None, [5, None], ["x"]),
    (int | str, [5, "x"], [None, 1.5]),
    (list[int], [[], [1]], [["x"], "x", {}]),
    (Sequence[str], [["x"]], ["x"]),
    (tuple[int, str], [[1, "x"]], [[1], ["x", 1], [1, "x", 2]]),
    (tuple[int, ...], [[], [1, 2]], [["x"]]),
    (tuple[()], [[]], [[1]]),
    (set[int], [[1, 2]], [[1, 1], {}]),
    (dict[str, int], [{}, {"a": 1}], [{"a": "x"}, []]),
    (Mapping[str, list[bool]], [{"a": [True]}], [{"a": [1]}]),
    (Literal["a", 1, None], ["a", 1, None], ["b", True, 2]),
    (Color, ["red"], ["RED", "green"]),
    (Level, [1], [2, "1"]),
    (date, ["2024-02-29"], ["2023-02-29", 5]),
    (datetime, ["2024-02-29T12:00:00Z"], ["2024-02-29"]),
    (UUID, ["2f1c4b5e-8a52-4b57-9f5b-2f7f2f0c9a11"], ["x"]),
    (Annotated[int, "a number of years"], [5], ["5"]),
    (Tree, [{"name": "a", "children": [{"name": "b"}]}], [{"name": "a", "children": [{}]}, {"name": "a", "more": 1}]),
    (Row, [{"number": 1}, {"number": 1, "note": "x"}], [{}, {"number": 1, "note": 5}, {"number": 1, "x": 1}]),
]


@pytest.mark.parametrize(("kind", "right", "wrong"), FIELDS, ids=[str(row[0]) for row in FIELDS])
def test_an_annotation_says_exactly_as_much(kind: Any, right: list[object], wrong: list[object]) -> None:
    ready = compiled(schema_of(make_dataclass("Record", [("value", kind)])))
    assert ready.concerns == ()
    for value in right:
        assert ready.is_satisfied_by({"value": value}), value
    for value in wrong:
        assert not ready.is_satisfied_by({"value": value}), value
    assert not ready.is_satisfied_by({})


REFUSED: list[Any] = [
    *(Any, object, list, dict, tuple, set, bytes, complex, Decimal, dict[int, str], list[Any], dict[str, object]),
    *(Annotated[int, 5], Callable[[], int], Literal[b"x"], list["Nowhere"], Modelled, type[int], Path),  # type: ignore[name-defined]  # on purpose  # noqa: F821
]


@pytest.mark.parametrize("kind", REFUSED, ids=str)
def test_what_json_schema_cannot_say_is_named_with_its_field(kind: Any) -> None:
    with pytest.raises(UsageError) as caught:
        schema_of(make_dataclass("Record", [("value", kind)]))
    assert caught.value.code == "contract.underivable"
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("source", [int, 5, [], None, Color, object()])
def test_what_is_no_record_is_refused(source: object) -> None:
    with pytest.raises(UsageError, match="expected a pydantic model"):
        contract_from(source)


def test_a_type_that_holds_itself_is_a_reference() -> None:
    ready = compiled(schema_of(Whole))
    assert ready.is_satisfied_by({"tree": {"name": "a"}, "rows": [{"number": 1}]})
    assert [
        each.message for each in ready.findings({"tree": {"name": "a", "children": [{"name": 5}]}, "rows": []})
    ] == ["$.tree.children[0].name: expected text, got integer"]


def test_a_contract_has_the_name_of_its_type() -> None:
    spec = contract_from(Whole)
    assert (spec.task_id, spec.version, spec.title) == ("Whole", "v1", "Whole")
    assert contract_from(Row, task_id="row", version="v2").version == "v2"


def test_a_model_is_asked_for_its_schema() -> None:
    assert contract_from(Modelled).output_schema == Modelled.schema


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {}}},
        {"properties": {"a": {"title": "A", "default": None}}},
        {"properties": {"a": {"type": "array", "items": {}}}},
        {"$defs": {"b": {"properties": {"c": True}}}, "properties": {"a": {"$ref": "#/$defs/b"}}},
        {"properties": {"a": {"type": "object", "additionalProperties": True}}},
        [],
        None,
    ],
    ids=str,
)
def test_a_model_with_a_field_of_any_value_is_refused(schema: object) -> None:
    changed = type("Changed", (Modelled,), {"schema": schema})
    with pytest.raises(UsageError):
        contract_from(changed)


def test_a_model_that_raises_is_named() -> None:
    class Broken:
        @classmethod
        def model_json_schema(cls) -> Any:
            raise RuntimeError("no schema")

    with pytest.raises(UsageError, match="no schema"):
        contract_from(Broken)


def test_a_pydantic_model() -> None:
    pydantic = pytest.importorskip("pydantic")
    person = pydantic.create_model("Person", name=(str, ...), born=(date, ...), friends=(list[str], []))
    ready = compiled(contract_from(person).output_schema)
    assert ready.is_satisfied_by({"name": "x", "born": "2001-01-01"})
    assert len(ready.findings({"name": 5, "born": "yesterday", "friends": [1]})) == 3
    with pytest.raises(UsageError):
        contract_from(pydantic.create_model("Anything", value=(Any, ...)))


def _lossy() -> dict[str, Any]:
    """Return fields by what a pydantic model checks of them and its JSON Schema does not say."""
    pydantic = pytest.importorskip("pydantic")

    def odd(value: int) -> int:
        if value % 2 == 0:
            raise ValueError("even")
        return value

    shaped = Annotated[str, pydantic.StringConstraints(strip_whitespace=True, min_length=1)]
    return {
        "a validator": Annotated[int, pydantic.AfterValidator(odd)],
        "a validator before": Annotated[int, pydantic.BeforeValidator(odd)],
        "a validator inside": list[dict[str, Annotated[int, pydantic.WrapValidator(lambda value, _: odd(value))]]],
        "a day that is over": pydantic.PastDate,
        "a later day": Annotated[date, pydantic.Field(gt=date(2020, 1, 1))],
        "JSON in text": pydantic.Json[int],
        "a path": pydantic.FilePath,
        "digits": Annotated[Decimal, pydantic.Field(max_digits=3)],
        "a version": pydantic.UUID4,
        "a scheme": pydantic.HttpUrl,
        "keys that are numbers": dict[int, str],
        "text that is changed before": shaped,
        "bytes": bytes,
        "no zone": pydantic.NaiveDatetime,
    }


@pytest.mark.parametrize("name", list(_lossy()))
def test_what_a_model_checks_beyond_its_schema_is_refused(name: str) -> None:
    pydantic = pytest.importorskip("pydantic")
    inner = pydantic.create_model("Inner", value=(_lossy()[name], ...))
    outer = pydantic.create_model("Outer", first=(str, ...), type=(inner | None, None))
    with pytest.raises(UsageError, match=r"Outer\.type\.value: its JSON Schema does not say") as caught:
        contract_from(outer)
    assert caught.value.code == "contract.underivable"
    assert contract_from(outer.model_json_schema()).output_schema


def test_a_model_that_checks_itself_when_it_is_made_is_refused() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Checked(pydantic.BaseModel):
        value: int

        def model_post_init(self, _context: object, /) -> None:
            if self.value < 0:
                raise ValueError("negative")

    class CheckedWithPrivate(Checked):
        _seen: bool = pydantic.PrivateAttr(False)

    class Private(pydantic.BaseModel):
        value: int
        _seen: bool = pydantic.PrivateAttr(False)

    for model in (Checked, CheckedWithPrivate):
        with pytest.raises(UsageError, match="model_post_init"):
            contract_from(model)
    assert contract_from(Private).output_schema


def test_a_model_with_a_validator_of_the_whole_is_refused() -> None:
    pydantic = pytest.importorskip("pydantic")

    def nothing(_self: Any) -> Any:
        raise ValueError("never")

    checked = {"never": pydantic.model_validator(mode="after")(nothing)}
    with pytest.raises(UsageError, match="Never: its JSON Schema"):
        contract_from(pydantic.create_model("Never", __validators__=checked, value=(int, ...)))


def test_an_alias_into_a_value_is_refused() -> None:
    pydantic = pytest.importorskip("pydantic")
    deep = pydantic.Field(validation_alias=pydantic.AliasPath("values", 0))
    with pytest.raises(UsageError, match="an alias that leads into a value"):
        contract_from(pydantic.create_model("Aliased", value=(int, deep)))


def test_a_pydantic_dataclass_is_refused() -> None:
    pydantic = pytest.importorskip("pydantic")
    record = pydantic.dataclasses.dataclass(make_dataclass("Record", [("value", int)]))
    with pytest.raises(UsageError, match="a pydantic dataclass"):
        contract_from(record)
    with pytest.raises(UsageError, match="a pydantic dataclass"):
        contract_from(make_dataclass("Around", [("inner", list[record])]))


def test_what_the_schema_of_a_model_says_is_no_loss() -> None:
    pydantic = pytest.importorskip("pydantic")
    kinds = [pydantic.create_model(name, kind=(Literal[name], ...)) for name in ("Cat", "Dog")]
    fields: dict[str, Any] = {
        "type": (str, ...),
        "metadata": (dict[str, list[Color | None]], {}),
        "pet": (kinds[0] | kinds[1], pydantic.Field(discriminator="kind")),
        "share": (Annotated[float, pydantic.Field(ge=0, le=1)], ...),
        "code": (str, pydantic.Field(alias="Code", pattern="^[a-z]+$", min_length=2)),
        "id": (UUID, pydantic.Field(validation_alias=pydantic.AliasChoices("id", "key"))),
        "at": (pydantic.AwareDatetime, ...),
        "points": (set[tuple[int, ...]], pydantic.Field(default_factory=set, max_length=3)),
        "by_color": (dict[Color, int], {}),
    }
    model = pydantic.create_model("Model", __config__=pydantic.ConfigDict(extra="forbid"), **fields)
    assert not compiled(contract_from(model).output_schema).is_vacuous


def test_a_schema_and_a_path_are_contracts_too(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"type": "array"}', encoding="utf-8")
    assert contract_from({"type": "array"}).output_schema == contract_from(tmp_path / "s.json").output_schema
    with pytest.raises(NotAttemptedError):
        contract_from({"output_schema": {}})
