"""The official suites, where they are at hand: name their folder in ``PROBATUM_SUITES``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks import published_vectors, schema_suite

SUITES = Path(os.environ.get("PROBATUM_SUITES", ""))

WITH_SUITES = pytest.mark.skipif(
    not (SUITES / "json-schema-suite.jsonl").is_file(), reason="PROBATUM_SUITES names no folder with the suites"
)


@WITH_SUITES
def test_every_required_case_of_json_schema_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert schema_suite.schema_cases(SUITES), capsys.readouterr().out


@WITH_SUITES
def test_every_case_of_json_parsing_is_read_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert schema_suite.parsing_cases(SUITES), capsys.readouterr().out
    assert [str(row) for row in published_vectors.parsing_suite(SUITES) if row.wrong or not row.count] == []


@WITH_SUITES
def test_published_vectors_of_canonical_json_and_signatures_agree() -> None:
    rows = [published_vectors.canonical_vectors(SUITES), *published_vectors.signature_vectors(SUITES)]
    assert [str(row) for row in rows if row.wrong or not row.count] == []


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_generated_numbers_are_written_as_others_write_them(count: int) -> None:
    rows = list(published_vectors.generated_numbers(count, published_vectors.SEED))
    assert [str(row) for row in rows if row.wrong or row.count != count] == []
