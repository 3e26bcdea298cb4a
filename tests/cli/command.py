"""Runs whole command lines for tests, and writes down what a person would see.

All noise (digests, durations, versions, which of two budgets ended first) is taken out here and nowhere else.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from probatum.__main__ import main

Prepared = Callable[[str, Callable[[], Any]], Any]
"""Takes a name and what makes the files that go by it; returns what was made then."""

_NOISE = (
    (re.compile(r"sha256:[0-9a-f]{64}"), "sha256:<digest>"),
    (re.compile(r'"duration_ms": \d+'), '"duration_ms": <ms>'),
    (re.compile(r'"elapsed_seconds": [\d.e-]+'), '"elapsed_seconds": <s>'),
    (re.compile(r'"version": "0\.[\w.]*"'), '"version": "<version>"'),
    (re.compile(r"hypothesis \d[\w.]*"), "hypothesis <version>"),
    (re.compile(r"libcst \d[\w.]*"), "libcst <version>"),
    (re.compile(r"probatum \d[\w.]*"), "probatum <version>"),
    (re.compile(r"no answer \((cpu|wall)\)"), "no answer (<budget>)"),
    (re.compile(r" in \d+\.\d\d s ===="), " in <time> s ===="),
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    stdout: str
    stderr: str

    def screen(self, arguments: list[str]) -> str:
        """Return the exit code, then everything that a person would see, without noise."""
        shown = f"$ probatum {' '.join(arguments)}\nexit code {self.code}\n"
        for name, text in (("stdout", self.stdout), ("stderr", self.stderr)):
            shown += f"--- {name}\n{text}" if text else ""
        for pattern, replacement in _NOISE:
            shown = pattern.sub(replacement, shown)
        return shown


class Commands:
    """Runs command lines in this process, in a folder of their own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def run(self, *arguments: str, stdin: bytes = b"") -> Ended:
        """Run one command line to its end."""
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self._capsys.readouterr()
        code = main(list(arguments))
        written = self._capsys.readouterr()
        return Ended(code, written.out, written.err)


def commands_beside_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Commands:
    """Return command lines in the folder ``work`` that keep answers in the folder ``cache`` beside it."""
    for name in ("work", "cache"):
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("PROBATUM_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("PROBATUM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PROBATUM_LEDGER", raising=False)
    return Commands(monkeypatch, capsys)
