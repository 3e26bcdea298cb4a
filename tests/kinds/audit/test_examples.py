"""The worked examples of audits end as the documentation says, and their schemas are those that it publishes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest

from probatum.__main__ import main
from scripts.audit_schemas import FOLDER, schemas
from tests.house.sources import ROOT

EXAMPLES = ROOT / "examples" / "audit"


class Told(NamedTuple):
    """What a bundle comes to."""

    exit_code: int
    constraint: str
    event: bool | None
    checks: tuple[str, ...]
    """Ids of checks that are broken or that are warnings."""
    lines: tuple[str, ...]
    """What the report says."""


BUNDLES = {
    "barley-price/evidence": Told(
        3,
        "audit.evidence_unsound",
        None,
        ("bundle.item", "contradiction.numeric", "coverage.fields", "event.undecided", "time.stale", "time.window"),
        (
            "archive-1: It comes from a cache that was out of date.",
            "about close at 2026-03-12: 215.4 EUR (growers-1), 251.4 EUR (exchange-1).",
            "close: 1 of 2 sources agree; 2 are asked for",
        ),
    ),
    "barley-price/evidence_again": Told(
        0,
        "audit.established",
        True,
        ("time.window",),
        ("3 sources were used", "close = 251.4 EUR, by exchange, growers, archive"),
    ),
    "kettle-recall/evidence": Told(
        3,
        "audit.conflict",
        True,
        ("bundle.item", "claim.context", "contradiction.boolean", "source.otherwise", "time.window"),
        (
            "about recalled: true (notice-118), false (maker-page).",
            "By what 'maker' says, the event would not be settled so.",
            "sold[2] = 12415, by trade-register",
        ),
    ),
    "bridge-contract/evidence": Told(
        3,
        "audit.insufficient",
        None,
        (
            *("bundle.item", "claim.none", "coverage.fields", "coverage.sources"),
            *("event.undecided", "event.variables", "time.window"),
        ),
        (
            "No evidence gives start.begins, which the event depends on.",
            "amount = 11850000 EUR, by gazette",
            "begins: no source says it",
        ),
    ),
}


def words_of(name: str) -> list[str]:
    """Return the command that audits a bundle."""
    evidence = EXAMPLES / f"{name}.json"
    return ["audit", "--prompt", str(evidence.parent / "prompt.json"), "--evidence", str(evidence)]


@pytest.fixture(autouse=True)
def kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBATUM_STORE", str(tmp_path / "proofs"))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("name", BUNDLES)
def test_an_example_ends_as_it_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = BUNDLES[name]
    assert main([*words_of(name), "--json"]) == told.exit_code
    document = json.loads(capsys.readouterr().out)
    checks = document["result"]["verification"]["checks"]
    assert document["verdict"]["developer_fields"]["constraint_id"] == told.constraint
    assert document["result"]["evaluation_variables"]["event_observed"] is told.event
    assert sorted({each["check_id"] for each in checks if each["severity"] != "info"}) == list(told.checks)
    assert main(words_of(name)) == told.exit_code
    report = capsys.readouterr().out
    assert [line for line in told.lines if line not in report] == []


def test_every_bundle_of_the_examples_is_run() -> None:
    found = {path.relative_to(EXAMPLES).with_suffix("").as_posix() for path in EXAMPLES.glob("*/evidence*.json")}
    assert found == set(BUNDLES)


def test_the_published_schemas_are_those_of_the_models() -> None:
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == {
        path.name: text for path, text in schemas()
    }


@pytest.mark.parametrize("name", BUNDLES)
def test_the_examples_and_what_comes_of_them_satisfy_the_schemas(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([*words_of(name), "--json"])
    result = json.loads(capsys.readouterr().out)["result"]
    evidence = EXAMPLES / f"{name}.json"
    given = {
        "prompt-spec": json.loads((evidence.parent / "prompt.json").read_text(encoding="utf-8")),
        "evidence-bundle": json.loads(evidence.read_text(encoding="utf-8")),
        "reasoning-trace": result["trace"],
        "audit-verification": result["verification"],
    }
    for model, value in given.items():
        schema = json.loads((FOLDER / f"{model}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(value)
