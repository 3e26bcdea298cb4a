"""The official suites, where they are at hand: name their folder in ``PROBATUM_SUITES``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUITES = os.environ.get("PROBATUM_SUITES", "")
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "schema_suite.py"


@pytest.mark.skipif(not SUITES, reason="PROBATUM_SUITES names no folder with the official suites")
def test_every_required_case_holds() -> None:
    run = subprocess.run([sys.executable, str(BENCHMARK), SUITES], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
