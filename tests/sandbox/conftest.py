"""Sandboxes shared by the tests of a session: one worker of each tier that this machine offers."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.sandbox import Sandbox, Tier
from probatum.sandbox.tiers import ISOLATING_TIERS
from tests.sandbox.worlds import SECRET


@pytest.fixture(scope="session", params=ISOLATING_TIERS, ids=str)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox of each isolating tier; a tier that this machine cannot offer is reported as not run."""
    tier: Tier = request.param
    os.environ["CANARY"] = SECRET
    try:
        opened = Sandbox.open(tier=tier)
    except NotAttemptedError as error:
        pytest.skip(f"not run on this machine: {error}")
    finally:
        del os.environ["CANARY"]
    with opened:
        yield opened
