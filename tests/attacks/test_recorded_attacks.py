"""Recorded programs that hide from a judge, where they are at hand: name their folder in ``PROBATUM_SUITES``.

A row is a wrong program: what says so is hidden by the layout of its documentation, or its answer depends on who calls,
or given tests ask nothing, or readings say something else than the words. None is VERIFIED as it is given. To show that
this does not rest on the first words of each documentation alone, a reader calls those narrative.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probatum.readings.policies import ACCEPTED
from probatum.readings.recorded import reading_records
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from tests.services import ProgramRequest, Service

FILE = Path(os.environ.get("PROBATUM_SUITES", "")) / "attacks-turn3.jsonl"
pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="PROBATUM_SUITES names no folder with the suites")

ROWS: Mapping[str, Mapping[str, Any]] = (
    {f"{row['set']} {row['name']}": row for row in map(json.loads, FILE.read_text(encoding="utf-8").splitlines())}
    if FILE.is_file()
    else {}
)
ASKED_FOR = frozenset({"tests v12_coincidence", "tests v22_bounds"})
"""Nothing but the given tests says what the program does, and they say what it does."""
RIGHT = frozenset({"tricks t04_kwargs", "tricks t16_result_shared", "wrong b13_twice"})
"""They do what their documentation says; a definition that a later one replaces documents nothing."""
UNSEEN = {
    "who calls": {"tricks t03_second_thread", "tricks t05_async_context", "tricks t06_contextvar"},
    "the state of the process": {
        "tricks t10_logging_configured",
        "tricks t19_umask",
        "tricks t31_gc_count",
        "wrong d_abc_cache",
        "wrong d_locale_alias",
        "wrong d_process_time",
        "wrong d_refcount",
    },
    "a day that no call is made on": {"tricks t20_month_day"},
    "what the file system of the sandbox looks like": {"wrong d_ismount_usr", "wrong d_root_owner"},
    "an argument of thousands": {"tricks t38_metaclass_call"},
    "documentation of a private method": {"wrong b15_method_undoc_private_doc"},
    "documentation of a declared type": {"wrong b19_newtype_doc"},
    "a list where an iterator is declared": {"wrong b20_hint_promise"},
    "a name, or words that the reader should not have called narrative": {
        "wrong b22_name_promise",
        "wrong b23_is_bool",
    },
}
"""By what nothing looks at yet: rows that the open words alone keep from being VERIFIED."""
READ = [
    name
    for name, row in ROWS.items()
    if row["set"] in {"layout", "wrong", "tricks"} and name not in RIGHT.union(*UNSEEN.values())
]
_FIRST_WORDS = re.compile(r"\w[\w ]*\w")
AREA = '''def area(width: int, height: int) -> int:
    """Return the area of a rectangle.

    >>> area(2, 3)
    6
    >>> area(5, 4)
    20
    >>> area(1, 1)
    1
    >>> area(0, 7)
    0
    """
    return width * height
'''


def accepted(record: ReadingRecord) -> ReadingRecord:
    readings = (replace(each, standing=Standing.ACCEPTED, by="a person", on="2026-01-31") for each in record.readings)
    return replace(record, readings=tuple(readings), reader=record.reader or "a model")


def first_words(source: str) -> Iterator[ReadingRecord]:
    """Yield a reading for each documentation with examples that calls its first words, up to a sign, narrative."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ">>>" in (text := ast.get_docstring(node) or ""):
            words = _FIRST_WORDS.match(text)
            if words is not None:
                reading = Reading(words[0], ReadingKind.NARRATIVE)
                yield accepted(ReadingRecord(node.name, (reading,), "another model"))


def request_of(row: Mapping[str, Any], *further: ReadingRecord) -> ProgramRequest:
    records = reading_records(row["answer"]) if "answer" in row else ()
    return ProgramRequest(
        row["source"].encode(),
        "subject.py",
        tests=row["tests"].encode() if "tests" in row else None,
        readings=(*(map(accepted, records) if row.get("accept") else records), *further),
        readings_policy=row.get("policy") or ACCEPTED,
    )


@pytest.mark.sampled(40)
@pytest.mark.parametrize("name", ROWS)
def test_a_recorded_attack_is_not_verified(name: str, service: Service) -> None:
    verdict = service.verify_program(request_of(ROWS[name])).verdict
    assert verdict.is_verified is (name in ASKED_FOR), verdict


@pytest.mark.sampled(40)
@pytest.mark.parametrize("name", READ)
def test_it_is_not_verified_where_its_first_words_are_read(name: str, service: Service) -> None:
    row = ROWS[name]
    verdict = service.verify_program(request_of(row, *first_words(row["source"]))).verdict
    assert not verdict.is_verified, verdict


def test_a_right_program_is_verified_where_its_words_are_read(service: Service) -> None:
    row = {"source": AREA}
    assert service.verify_program(request_of(row, *first_words(AREA))).verdict.is_verified
    assert not service.verify_program(request_of(row)).verdict.is_verified
