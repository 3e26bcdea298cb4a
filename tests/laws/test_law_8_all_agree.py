"""Law 8. All stores agree, and the documents' wire formats never claim more than the one result they project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer, disclose
from probatum.core.ports import Store
from probatum.proof.recheck import recheck
from probatum.proof.stores import DirectoryStore, MemoryStore, SqliteStore
from tests.core.strategies import verdicts
from tests.laws.programs import SOUND, WEAK, WRONG, asked, request
from tests.services import Service

STORES: dict[str, Callable[[Path], Store]] = {
    "directory": lambda folder: DirectoryStore(folder / "proofs"),
    "sqlite": lambda folder: SqliteStore(folder / "proofs.sqlite"),
    "memory": lambda _folder: MemoryStore(),
}


def test_a_verdict_and_its_re_check_do_not_depend_on_the_store(tmp_path: Path):
    found = []
    for make in STORES.values():
        store = make(tmp_path)
        with Service(store) as service:
            verdict = service.verify_program(request()).verdict
            report = recheck(verdict.proof_ref, store, service.recheckers(), replay=True)
        store.close()
        assert report.holds, report.failure
        found.append((verdict, report))
    assert all(each == found[0] for each in found)


def test_a_proof_moves_from_store_to_store(tmp_path: Path):
    directory, sqlite = DirectoryStore(tmp_path / "proofs"), SqliteStore(tmp_path / "proofs.sqlite")
    ref = asked(store=directory).verdict.proof_ref
    assert sqlite.retain(directory.fetch(ref)) == ref
    with Service(sqlite) as service:
        assert recheck(ref, sqlite, service.recheckers()).holds
    sqlite.close()


PROGRAMS = {"sound": (SOUND, "tested", 0), "weak": (WEAK, "undecided", 3), "wrong": (WRONG, "refuted", 1)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_projection_of_an_answer_says_the_same(name: str):
    source, outcome, exit_code = PROGRAMS[name]
    answer = asked(source)
    [function] = answer.parts
    assert answer.verdict.outcome == outcome
    assert answer.exit_code == function.exit_code == exit_code
    assert function.verdict == answer.verdict == answer.sheet.verdict
    assert function.details["result"]["passed"] is (outcome == "tested")
    assert answer.verdict.is_authoritative is (outcome == "tested")


@given(verdicts())
def test_no_layer_claims_more_than_the_verdict(result: DiagnosticResult):
    for layer in Layer:
        shown = disclose(result, layer)
        assert shown["status"] == result.status.value
        assert shown.get("proof_ref", result.proof_ref) == result.proof_ref
        assert shown.get("is_authoritative", result.is_verified) is result.is_verified
