"""Every command line of these tests runs in an empty folder, with a store of proofs and keys inside it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli import programs
from tests.cli.command import Commands, Prepared


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBATUM_STORE", "store")
    monkeypatch.setenv("PROBATUM_KEYS", "keys")
    monkeypatch.setenv("PROBATUM_CACHE_DIR", f"{tmp_path}-cache")
    # How long a run takes is no part of what it prints.
    monkeypatch.setattr("probatum.cli.progress.SECONDS_BETWEEN_LINES", float("inf"))
    monkeypatch.delenv("PROBATUM_LEDGER", raising=False)
    monkeypatch.delenv("PROBATUM_DEBUG", raising=False)
    return Commands(monkeypatch, capsys)


@pytest.fixture(scope="session")
def kept() -> dict[str, tuple[Path, object]]:
    """What was prepared in this session: by its name the folder that was left, and the value."""
    return {}


@pytest.fixture
def prepared(
    commands: Commands,
    kept: dict[str, tuple[Path, object]],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Prepared:
    """Run the command lines that several tests begin with once; each test gets a copy of what they left."""

    def prepare(name: str, make: Callable[[], Any]) -> Any:
        if name in kept:
            shutil.copytree(kept[name][0], tmp_path, dirs_exist_ok=True)
        else:
            value = make()
            folder = tmp_path_factory.mktemp(name.replace(" ", "-"))
            kept[name] = (Path(shutil.copytree(tmp_path, folder, dirs_exist_ok=True)), value)
        return kept[name][1]

    return prepare


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A program whose verdict is VERIFIED, in the folder of the command lines."""
    path = tmp_path / "app.py"
    path.write_bytes(programs.HOLDING)
    return path
