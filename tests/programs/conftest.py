"""One warm service for all tests of whole programs, and warm sandboxes for those of their parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from probatum.programs.running.execute import Benches
from probatum.proof.stores import MemoryStore
from probatum.sandbox import Sandbox
from tests.services import Service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as opened:
        yield opened


@pytest.fixture(scope="session")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        yield Benches(first, second)
