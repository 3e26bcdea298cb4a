"""For all tests: what a plain run leaves out, reports that hold text without a UTF-8 form, and nothing left behind.

A plain run takes minutes. It leaves out the tests that are marked ``long`` and keeps a few rows of those that are
marked ``sampled``; ``--everything`` runs all of it.

Several tests feed lone surrogates to the program. When one of them fails, its report holds them too, and the workers of
a parallel run could not send it. A test that leaves its own folder too early writes where people work.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Generator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

os.environ["PROBATUM_CACHE_DIR"] = tempfile.mkdtemp(prefix="probatum-tests-")
"""What these tests verify is not kept for the person who runs them."""
atexit.register(shutil.rmtree, os.environ["PROBATUM_CACHE_DIR"], ignore_errors=True)
_ROOT = Path(__file__).resolve().parents[1]
_MADE_BY_TOOLS = frozenset({".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache", "build", "__pycache__"})

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
"""How long an example takes on a busy machine says nothing. A profile named on the command line counts instead."""

collect_ignore = ["corpus"]
"""Its test files are given to the product, not run here."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that leaves nothing out."""
    parser.addoption("--everything", action="store_true", help="also what takes long, and every row")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, unless everything is asked for."""
    if config.getoption("everything"):
        return
    kept = [item for item in items if item.get_closest_marker("long") is None]
    kept = _sample(kept)
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept


def pytest_collection_finish() -> None:
    """Set aside what was collected: it stays to the end, and every collection of garbage would look through it."""
    gc.collect()
    gc.freeze()


def _sample(items: list[pytest.Item]) -> list[pytest.Item]:
    """Keep one of so many rows of each sampled test, at least one: those whose names have the smallest digests."""
    rows = defaultdict(list)
    for item in items:
        marker = item.get_closest_marker("sampled")
        if marker is not None:
            rows[item.path, item.nodeid.partition("[")[0], marker.args[0]].append(item)
    left_out: set[pytest.Item] = set()
    for (_, _, one_of), found in rows.items():
        found.sort(key=lambda item: sha256(item.name.encode(errors="backslashreplace")).digest())
        left_out.update(found[-(-len(found) // one_of) :])
    return [item for item in items if item not in left_out]


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
