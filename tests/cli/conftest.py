"""Every command line of these tests runs in an empty folder, with a store of proofs and keys inside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Commands


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBATUM_STORE", "store")
    monkeypatch.setenv("PROBATUM_KEYS", "keys")
    monkeypatch.delenv("PROBATUM_LEDGER", raising=False)
    monkeypatch.delenv("PROBATUM_DEBUG", raising=False)
    return Commands(monkeypatch, capsys)
