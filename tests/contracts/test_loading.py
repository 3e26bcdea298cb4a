"""Contracts from folders and files: both formats, strict reading, no way out of the folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from probatum.contracts import (
    ContractSpec,
    UnknownContractError,
    load_contract,
    load_contract_spec,
    validate_contract_output,
)
from probatum.contracts.loading import BUILT_IN, contract_of
from probatum.core.canonical import canonical_bytes, parse_canonical
from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import FrozenDict

RULES = {
    "contract_spec_format": 2,
    "title": "A title",
    "output_schema": {"type": "object"},
    "success_criteria": ["one"],
    "retry_policy": {"max_attempts": 3},
    "x-own": {"anything": True},
}


def laid_out(
    root: Path, rules: object = None, words: str | None = None, task: str = "task", version: str = "v1"
) -> Path:
    folder = root / task / version
    folder.mkdir(parents=True, exist_ok=True)
    if rules is not None:
        text = rules if isinstance(rules, str) else json.dumps(rules)
        (folder / "contract.json").write_text(text, encoding="utf-8")
    if words is not None:
        (folder / "contract.md").write_text(words, encoding="utf-8")
    return folder


@pytest.mark.parametrize("number", [1, 2])
def test_both_formats_are_read(tmp_path: Path, number: int) -> None:
    laid_out(tmp_path, {**RULES, "contract_spec_format": number}, "# Words\n")
    spec = load_contract_spec("task", folder=tmp_path)
    assert (spec.task_id, spec.version, spec.title) == ("task", "v1", "A title")
    assert spec.output_schema == {"type": "object"}
    assert spec.input_schema == {}
    assert spec.success_criteria == ("one",)
    assert spec.retry_policy == {"max_attempts": 3}
    assert spec.contract_markdown_path == str(tmp_path / "task" / "v1" / "contract.md")


def test_words_alone_give_a_minimal_contract(tmp_path: Path) -> None:
    laid_out(tmp_path, words="\n# The title\n\nText.\n")
    spec = load_contract_spec("task", folder=tmp_path)
    assert (spec.title, spec.input_schema, spec.output_schema) == ("The title", {}, {})


def test_an_empty_folder_holds_no_contract(tmp_path: Path) -> None:
    laid_out(tmp_path)
    with pytest.raises(UnknownContractError):
        load_contract_spec("task", folder=tmp_path)
    with pytest.raises(UnknownContractError):
        load_contract(tmp_path)


REFUSED: list[tuple[str, object]] = [
    ("unknown key", {**RULES, "output_shema": {}}),
    ("no format", {"output_schema": {}}),
    ("format 3", {**RULES, "contract_spec_format": 3}),
    ("format true", {**RULES, "contract_spec_format": True}),
    ("format as text", {**RULES, "contract_spec_format": "2"}),
    ("a schema that is a list", {**RULES, "output_schema": []}),
    ("a title that is none", {**RULES, "title": 5}),
    ("criteria as text", {**RULES, "success_criteria": "one"}),
    ("criteria that are numbers", {**RULES, "failure_modes": [1]}),
    ("a policy that is a list", {**RULES, "retry_policy": []}),
    ("the name of another task", {**RULES, "task_id": "other"}),
    ("the name of another version", {**RULES, "version": "v2"}),
    ("a list", []),
    ("no JSON", "{"),
    ("a key twice", '{"contract_spec_format": 2, "title": "a", "title": "b"}'),
    ("NaN", '{"contract_spec_format": 2, "output_schema": {"minimum": NaN}}'),
    ("half a pair", '{"contract_spec_format": 2, "title": "\\ud800"}'),
    ("too deep", '{"contract_spec_format": 2, "output_schema": ' + '{"not":' * 200 + "{}" + "}" * 200 + "}"),
    ("very deep", "[" * 100_000),
    ("very deep and closed", '{"contract_spec_format": 2, "output_schema": ' + '{"not":' * 5_000 + "{}" + "}" * 5_001),
    ("very many values", {**RULES, "output_schema": {"enum": list(range(200_000))}}),
    ("too large", " " * 2_000_000 + "{}"),
]


@pytest.mark.parametrize("rules", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_contract_that_is_not_valid_is_named(tmp_path: Path, rules: object) -> None:
    laid_out(tmp_path, rules)
    with pytest.raises(NotAttemptedError) as caught:
        load_contract_spec("task", folder=tmp_path)
    assert caught.value.code.startswith("contract.")
    assert len(str(caught.value)) < 500


def test_the_nearest_key_is_told(tmp_path: Path) -> None:
    laid_out(tmp_path, {**RULES, "output_shema": {}})
    with pytest.raises(NotAttemptedError, match="Did you mean 'output_schema'"):
        load_contract_spec("task", folder=tmp_path)


@pytest.mark.parametrize("linked", ["task", "v1", "contract.json", "contract.md"])
def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path, linked: str) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    laid_out(outside, RULES, "# Words")
    (root / "task" / "v1").mkdir(parents=True)
    steps = {"task": ["task"], "v1": ["task", "v1"]}.get(linked, ["task", "v1", linked])
    place = root.joinpath(*steps)
    if place.is_dir():
        for each in sorted(place.rglob("*"), reverse=True):
            each.rmdir()
        place.rmdir()
    place.symlink_to(outside.joinpath(*steps))
    with pytest.raises(NotAttemptedError, match="leads out"):
        load_contract_spec("task", folder=root)


def test_a_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    laid_out(tmp_path, RULES, version="v1")
    (tmp_path / "task" / "v2").symlink_to("v1")
    assert load_contract_spec("task", "v2", folder=tmp_path).version == "v2"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    folder = laid_out(tmp_path)
    os.mkfifo(folder / "contract.json")
    with pytest.raises(NotAttemptedError, match="is not a file"):
        load_contract_spec("task", folder=tmp_path)


def test_a_circle_of_links_ends(tmp_path: Path) -> None:
    folder = laid_out(tmp_path)
    (folder / "contract.json").symlink_to("contract.json")
    with pytest.raises(NotAttemptedError):
        load_contract_spec("task", folder=tmp_path)


def test_names_that_could_be_paths_reach_no_file(tmp_path: Path) -> None:
    laid_out(tmp_path, RULES)
    for task, version in (
        (str(tmp_path / "task"), "v1"),
        ("task/v1", "."),
        ("task", "../task/v1"),
        ("task", "v1/"),
        (".", "task"),
    ):
        with pytest.raises(UnknownContractError):
            load_contract_spec(task, version, folder=tmp_path)


def test_a_file_or_a_folder_is_loaded_by_its_path(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, RULES, "# Words")
    by_file, by_folder = load_contract(folder / "contract.json"), load_contract(folder)
    assert by_file == by_folder == load_contract_spec("task", folder=tmp_path)
    assert load_contract(BUILT_IN / "llm_boolean_gate" / "v1") == load_contract_spec("llm_boolean_gate")


def test_a_bare_schema_is_what_the_output_satisfies(tmp_path: Path) -> None:
    path = tmp_path / "a person.schema.json"
    path.write_text('{"type": "array"}', encoding="utf-8")
    spec = load_contract(path)
    assert (spec.task_id, spec.version, spec.output_schema) == ("a_person", "unversioned", {"type": "array"})
    assert spec.verification_policy == {"verifier_ids": ["contract.schema"]}


def test_a_contract_without_its_format_is_no_schema(tmp_path: Path) -> None:
    path = tmp_path / "contract.json"
    path.write_text('{"output_schema": {"type": "array"}}', encoding="utf-8")
    with pytest.raises(NotAttemptedError, match="without 'contract_spec_format'"):
        load_contract(path)


def test_a_file_that_is_missing_is_named_with_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "person.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnknownContractError, match=r"Did you mean 'person\.json'"):
        load_contract(tmp_path / "persom.json")


SPECS = [
    ContractSpec("minimal"),
    load_contract_spec("llm_boolean_gate"),
    ContractSpec("large", output_schema={"maximum": 2**64, "properties": {"$ref": {"const": 0.1}}}),
    ContractSpec("dollar", output_schema={"$json": "{}"}),
    ContractSpec("always", output_schema=True, input_schema=False),
]


@pytest.mark.parametrize("spec", SPECS, ids=[each.task_id for each in SPECS])
def test_the_content_is_written_canonically_and_read_back(spec: ContractSpec) -> None:
    written = canonical_bytes(spec.to_json())
    back = ContractSpec.from_json(parse_canonical(written))
    assert back.to_json() == spec.to_json()
    assert (back.output_schema, back.input_schema) == (spec.output_schema, spec.input_schema)
    assert "contract.md" not in written.decode()


@pytest.mark.parametrize(
    "change",
    [
        {"title": 5},
        {"task_id": "../x"},
        {"more": 1},
        {"output_schema": {"$json": 5}},
        {"output_schema": {"$json": "{}"}},
        {"retry_policy": []},
    ],
    ids=str,
)
def test_what_was_not_written_is_not_read_back(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        ContractSpec.from_json({**ContractSpec("minimal").to_json(), **change})


def test_a_contract_cannot_be_changed() -> None:
    schema = {"type": "object", "properties": {"a": {}}}
    spec = ContractSpec("frozen", output_schema=schema)  # type: ignore[arg-type]  # JSON
    schema["type"] = "array"
    assert spec.output_schema == {"type": "object", "properties": {"a": {}}}
    assert type(spec.output_schema) is FrozenDict
    with pytest.raises(TypeError):
        spec.output_schema["type"] = "array"


@pytest.mark.parametrize(
    "schema", [None, 5, "x", [], {"a": {1}}, {"a": b"x"}, {1: 2}, {"a": (1,)}, {"a": float("inf")}]
)
def test_a_contract_holds_json(schema: object) -> None:
    with pytest.raises(ValueError):
        ContractSpec("bad", output_schema=schema)  # type: ignore[arg-type]  # on purpose


ADDRESS = {"$id": "https://example.com/address.json", "type": "object", "required": ["street"]}
PERSON = {
    "contract_spec_format": 2,
    "output_schema": {"properties": {"home": {"$ref": "https://example.com/address.json"}}, "required": ["home"]},
}


def with_schemas(root: Path, rules: object, **files: object) -> Path:
    folder = laid_out(root, rules)
    (folder / "schemas").mkdir()
    for name, schema in files.items():
        (folder / "schemas" / f"{name}.json").write_text(json.dumps(schema))
    return folder


@pytest.mark.parametrize("place", ["folder", "file", "task", "key"])
def test_schemas_beside_a_contract_are_what_its_references_name(tmp_path: Path, place: str) -> None:
    folder = with_schemas(tmp_path, PERSON, address=ADDRESS)
    if place == "key":
        spec = contract_of({**PERSON, "schemas": {"https://example.com/address.json": ADDRESS}})
    elif place == "task":
        spec = load_contract_spec("task", folder=tmp_path)
    else:
        spec = load_contract(folder if place == "folder" else folder / "contract.json")
    assert validate_contract_output(spec, {"home": {"street": "Long"}}) == []
    assert validate_contract_output(spec, {"home": {}}) == ['$.home: the key "street" is missing']
    assert ContractSpec.from_json(parse_canonical(canonical_bytes(spec.to_json()))) == spec


def test_a_schema_that_is_not_there_is_not_fetched(tmp_path: Path) -> None:
    spec = load_contract(laid_out(tmp_path, PERSON))
    with pytest.raises(NotAttemptedError) as caught:
        validate_contract_output(spec, {"home": {}})
    assert caught.value.code == "contract.schema_remote"
    assert "schemas" in caught.value.hint


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a": {"type": "object"}}, "schemas/a.json has no '$id'"),
        ({"a": True}, "schemas/a.json has no '$id'"),
        ({"a": {"$id": 5}}, "schemas/a.json has no '$id'"),
        ({"a": {"$id": "address.json"}}, "a schema's address is a whole one"),
        ({"a": {"$id": "https://example.com/a#b"}}, "has no fragment"),
        ({"a": ADDRESS, "b": ADDRESS}, "is there twice, the second time in schemas/b.json"),
        ({f"s{n}": {"$id": f"https://example.com/{n}"} for n in range(101)}, "more than 100 schemas"),
    ],
)
def test_schemas_that_cannot_be_used_are_named(tmp_path: Path, files: dict[str, object], said: str) -> None:
    with pytest.raises(NotAttemptedError) as caught:
        load_contract(with_schemas(tmp_path, PERSON, **files))
    assert caught.value.code == "contract.invalid"
    assert said in caught.value.sentence


@pytest.mark.parametrize("schemas", [[], "x", {"https://example.com/a": 5}, {"a": {}}, {"": True}])
def test_the_key_schemas_holds_schemas_by_address(schemas: object) -> None:
    with pytest.raises(NotAttemptedError):
        contract_of({**PERSON, "schemas": schemas} if schemas else {**PERSON, "schemas": 5})


def test_a_schema_that_is_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_text(json.dumps(ADDRESS))
    folder = with_schemas(tmp_path / "contracts", PERSON)
    (folder / "schemas" / "a.json").symlink_to(tmp_path / "outside.json")
    with pytest.raises(NotAttemptedError) as caught:
        load_contract(folder)
    assert caught.value.code == "contract.outside"
