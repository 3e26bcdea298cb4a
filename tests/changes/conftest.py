"""What the tests of changes need of the machine: running a repository's tests takes namespaces."""

from __future__ import annotations

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.sandbox import Sandbox, Tier

_RUNNING = frozenset(
    {
        "test_calls",
        "test_documented",
        "test_four_runs",
        "test_noticing",
        "test_change_command",
        "test_agent_tool",
        "test_tools",
    }
)
"""Modules whose tests run tests."""


@pytest.fixture(scope="session")
def _namespaces() -> str:
    """Why there are none; empty where there are."""
    try:
        Sandbox.open(tier=Tier.NAMESPACES).close()
    except NotAttemptedError as error:
        return str(error)
    return ""


@pytest.fixture(autouse=True, scope="module")
def needs_namespaces(request: pytest.FixtureRequest) -> None:
    """Report tests that run tests as not run, on a machine that has no namespaces."""
    if request.module.__name__.rpartition(".")[2] in _RUNNING:
        why: str = request.getfixturevalue("_namespaces")
        if why:
            pytest.skip(f"not run on this machine: {why}")
