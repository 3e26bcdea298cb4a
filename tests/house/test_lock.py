"""The lock file: everything that pyproject names, every file with its hash, and no address of any index."""

from __future__ import annotations

import re
import tomllib

from tests.house.sources import ROOT

_LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_NAME = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)")


def _normal(requirement: str) -> str:
    match = _NAME.match(requirement)
    assert match is not None, requirement
    return re.sub(r"[-_.]+", "-", match.group(1)).lower()


def _entries() -> list[str]:
    """The lock's entries, each with its continuation lines."""
    text = "\n".join(line for line in _LOCK.splitlines() if not line.lstrip().startswith("#"))
    return [entry for entry in text.replace("\\\n", " ").splitlines() if entry.strip()]


def test_every_requirement_is_locked() -> None:
    project = _PROJECT["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["dev"], *_PROJECT["build-system"]["requires"]]
    assert {_normal(each) for each in named} <= {_normal(entry) for entry in _entries()}


def test_every_entry_has_one_version_and_its_hashes() -> None:
    assert _entries()
    assert [entry for entry in _entries() if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_no_address_is_in_it() -> None:
    assert "://" not in _LOCK
    assert not re.search(r"^\s*(-i|-f|--\S*index\S*|--find-links|--trusted-host)\b", _LOCK, re.MULTILINE)
