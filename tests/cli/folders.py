"""Small functions and folders for command lines over many files, quick to verify at ``--level quick``."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Commands, Ended

QUICK = ("--level", "quick", "-j", "1")


def right(name: str, *, code: str = "x + 1", comment: str = "") -> str:
    """Return a function that is undecided at level quick, and nothing worse."""
    return f'def {name}(x: int) -> int:{comment}\n    """\n    >>> {name}(1)\n    2\n    """\n    return {code}\n'


def wrong(name: str, *, comment: str = "") -> str:
    """Return a function that is refuted."""
    return right(name, code="x + 2", comment=comment)


BLOCKED = "import a_package_that_is_nowhere\n\n\n" + right("f")


def warm(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let command lines share what they found out, for tests that are about something else."""
    kept = tmp_path_factory.getbasetemp() / "warm"
    monkeypatch.setenv("PROBATUM_CACHE_DIR", str(kept / "cache"))
    monkeypatch.setenv("PROBATUM_STORE", str(kept / "store"))


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files, and the folders around them."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def names(ended: Ended) -> list[str]:
    """Return what the lines of a run are about, in order."""
    return re.findall(r"(?m)^(?:VERIFIED|REFUTED|UNDECIDED|BLOCKED) +(.+?): ", ended.stdout)


def words(ended: Ended) -> dict[str, str]:
    """Return the word of each line of a run, by what it is about."""
    told = re.findall(r"(?m)^(VERIFIED|REFUTED|UNDECIDED|BLOCKED|IGNORED) +(.+?): ", ended.stdout)
    return {name: word for word, name in told}


def closing(ended: Ended) -> str:
    """Return what the last line counts, without how long it took."""
    last = re.fullmatch(r"==== (.*?)(?: in \d+\.\d\d s)? ====", ended.stdout.splitlines()[-1])
    assert last, ended
    return last[1]


def quick(commands: Commands, *arguments: str, stdin: bytes = b"") -> Ended:
    """Run ``verify`` at level quick in one process."""
    return commands.run("verify", *arguments, *QUICK, stdin=stdin)


def document(ended: Ended) -> Any:
    """Return the document of a run, without durations."""
    return json.loads(re.sub(r'"duration_ms": \d+', '"duration_ms": 0', ended.stdout))


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder; it must succeed."""
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    subprocess.run(["git", *person, *arguments], cwd=folder, check=True, capture_output=True)


def committed(folder: Path) -> None:
    """Make a repository of a folder, and commit all that is in it."""
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
