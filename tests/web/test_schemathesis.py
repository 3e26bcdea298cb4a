"""Requests that are made from the service's own description, right and wrong ones: every answer is as described.

A run in the usual time makes some dozens of them; PROBATUM_SCHEMATHESIS says how many else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.running import server

pytest.importorskip("schemathesis")
REQUESTS = int(os.environ.get("PROBATUM_SCHEMATHESIS", "80"))
ROUTES = 6
NOT_CHECKED = "positive_data_acceptance"
"""A schema cannot say which contracts are known, which names a program has, or which schemas are schemas."""


def test_every_answer_is_as_described(tmp_path: Path) -> None:
    with server(tmp_path, "--timeout", "60") as running:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{running.url}/openapi.json"]
        command += ["--header", f"Authorization: Bearer {running.token}", "--max-examples", str(-(-REQUESTS // ROUTES))]
        command += ["--phases", "coverage,fuzzing", "--checks", "all", "--exclude-checks", NOT_CHECKED]
        command += ["--generation-database", "none", "--seed", "1"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=7200)
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
        told = [each for each in running.logged() if "status" in each]
    assert len(told) >= REQUESTS
    assert not [each for each in told if int(str(each["status"])) >= 500]
