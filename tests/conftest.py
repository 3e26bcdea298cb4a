"""For all tests: reports that hold text without a UTF-8 form, and nothing left behind in the project's folder.

Several tests feed lone surrogates to the program. When one of them fails, its report holds them too, and the workers of
a parallel run could not send it. A test that leaves its own folder too early writes where people work.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

_ROOT = Path(__file__).resolve().parents[1]
_MADE_BY_TOOLS = frozenset({".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache", "build", "__pycache__"})

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
"""How long an example takes on a busy machine says nothing. A profile named on the command line counts instead."""

collect_ignore = ["corpus"]
"""Its test files are given to the product, not run here."""


@pytest.fixture(scope="module", autouse=True)
def _nothing_left_behind() -> Generator[None]:
    """Fail where the tests of a module left something new in the project's folder."""
    before = {each.name for each in _ROOT.iterdir()}
    yield
    left = {each.name for each in _ROOT.iterdir()} - before - _MADE_BY_TOOLS
    assert not left, f"left behind in {_ROOT}: {', '.join(sorted(left))}"


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Write what cannot be encoded as visible escapes, wherever it stands in a report."""
    report = yield
    return _encodable(report)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_encodable(item) for item in value)
    return value
