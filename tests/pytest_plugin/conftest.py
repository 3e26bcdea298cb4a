"""A project in a folder of its own, and a real pytest that is run in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

GOOD = '''\
def clamp(value: int, low: int, high: int) -> int:
    """
    >>> clamp(5, 0, 10)
    5
    >>> clamp(-3, 0, 10)
    0
    >>> clamp(42, 0, 10)
    10
    """
    return max(low, min(value, high))
'''
WRONG = '''\
def double(n: int) -> int:
    """
    >>> double(2)
    4
    >>> double(3)
    7
    """
    return n * 2
'''
VAGUE = '''\
def vague(n: int) -> int:
    """Return something nice."""
    return n + 1
'''
NEEDS = '''\
import a_package_that_nobody_has


def needs(n: int) -> int:
    """
    >>> needs(1)
    1
    """
    return n
'''
QUICK = "--probatum-level=quick"


@dataclass(frozen=True, slots=True)
class Run:
    """How a run of pytest ended."""

    code: int
    text: str

    @property
    def last_line(self) -> str:
        """The counts."""
        return self.text.strip().splitlines()[-1]


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with files, in which pytest is run."""

    folder: Path

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files; their folders are made."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def run(self, *arguments: str, before: tuple[str, ...] = ()) -> Run:
        """Run pytest with the plugin alone; ``before`` are the words of a program that starts Python."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI", "COLUMNS"))}
        # The plugin may be installed, and one that is loaded twice is refused.
        own = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PROBATUM_STORE": str(self.folder / "store"), "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, *before, "-m", "pytest", "-p", "probatum.pytest_plugin", *arguments],
            cwd=self.folder,
            env={**kept, **own},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert "INTERNALERROR" not in done.stdout, done.stdout
        return Run(done.returncode, done.stdout)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    return Project(tmp_path)
