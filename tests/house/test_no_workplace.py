"""The repository speaks of the project alone: nothing of the place, the tools or the people that made it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.sources import ROOT, repository_files

# Written in pieces, so that this file does not find itself.
_WORDS = (
    r"/wo" r"rk/(main|shared)",
    r"/tmp" r"/(plan|venv)\b",
    r"/opt" r"/(pypi|wheels)",
    r"/ro" r"ot/\.pyenv",
    r"py" r"pi\.org",
    r"pytho" r"nhosted",
    r"\bissues? (show|\#?\d)",
    r"\b(this|next|last) iss" r"ue\b",
    r"\bwork" r"place\b",
    r"\bcollea" r"gues?\b",
    r"\bthe le" r"ad\b",
    r"\bC" r"EO\b",
    r"(shared|requirements|conformance)/[\w-]+\.(md|json)",
    r"\bAI ass" r"istant\b",
)
_FOUND = re.compile("|".join(_WORDS))
_TEXT = {".py", ".md", ".toml", ".sh", ".lock", ".txt", ".json", ".yml", ".yaml", ".cfg", ".ini", ""}


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_word_of_the_workplace() -> None:
    found = []
    for path in repository_files():
        if path.suffix in _TEXT:
            text = path.read_text(encoding="utf-8", errors="replace")
            for number, line in enumerate(text.splitlines(), 1):
                found += [f"{_shown(path)}:{number}: {match.group()}" for match in _FOUND.finditer(line)]
    assert not found
