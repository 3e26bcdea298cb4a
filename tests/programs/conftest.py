"""One warm service for all tests of whole programs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from probatum.app.service import Service
from probatum.proof.stores import MemoryStore


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as opened:
        yield opened
