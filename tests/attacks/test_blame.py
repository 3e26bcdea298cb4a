"""A right program is never refuted or accused for what is not its doing; its wrong sibling is never VERIFIED."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from probatum.programs.decide import Level
from tests.attacks.blamed_programs import ROWS, Row
from tests.services import ProgramRequest, Service, tolerant

ACCUSATIONS = ("program.special_cased", "program.flaky")


def _named(row: Row) -> str:
    return f"{row.group}: {row.name}"


def _ask(service: Service, row: Row, source: str) -> tuple[str, str]:
    # What is asked is whom evidence blames: most of these programs show what is odd about them and no more.
    request = tolerant(source.encode(), "m.py", contract=row.contract)
    verdict = service.verify_program(request).verdict
    return str(verdict.outcome), str(verdict.constraint_id)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", ROWS, ids=_named)
def test_a_right_program_is_not_blamed(row: Row, service: Service) -> None:
    outcome, constraint = _ask(service, row, row.right)
    assert outcome == row.outcome, constraint
    assert not constraint.startswith(ACCUSATIONS)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("row", ROWS, ids=_named)
def test_its_wrong_sibling_is_not_verified(row: Row, service: Service) -> None:
    outcome, constraint = _ask(service, row, row.wrong)
    assert outcome == "refuted" if row.is_refuted else outcome in {"undecided", "refuted"}, constraint


def test_the_table_is_large_enough() -> None:
    assert len(ROWS) >= 120
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert sum(row.outcome == "tested" for row in ROWS) >= len(ROWS) // 2


def test_saved_tests_run_under_plain_pytest(service: Service, tmp_path: Path) -> None:
    """They import what they use: other names of the module, values, modules; and they wait for coroutines."""
    kept = 0
    for row in ROWS[::6]:
        module = f"kept_{row.name.replace(' ', '_')}"
        path = tmp_path / f"test_{module}.py"
        request = ProgramRequest(row.right.encode(), f"{module}.py", level=Level.QUICK, save_to=path)
        for file in service.verify_program(request).observed.saved():
            (tmp_path / f"{module}.py").write_text(row.right)
            path.write_text(file.text)
            kept += 1
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", "."]
    done = subprocess.run([*command, "."], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert kept >= 15
    assert done.returncode == 0, done.stdout[-3000:]
