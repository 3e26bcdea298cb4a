"""A repository for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integrations.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.start(tmp_path)
