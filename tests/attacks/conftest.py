"""One warm service for all programs of the attacks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from probatum.proof.stores import MemoryStore
from tests.services import Service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as opened:
        yield opened
