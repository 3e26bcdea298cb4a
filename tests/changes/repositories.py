"""Small repositories with two versions, made by git for one test, and what is observed of the step between them."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from probatum.changes.claims.facts import claims_of
from probatum.changes.observing import ObservedChange, observe_change
from probatum.changes.project import ProjectSetup
from probatum.changes.record import ChangePolicy
from probatum.changes.ruling import Reason, reasons
from probatum.changes.versions.trees import trees_of
from probatum.core.events import ignore
from probatum.sandbox.environment import Environment
from tests.sandbox.trees import small_environment

Files = Mapping[str, str]


def git(folder: Path, *words: str) -> str:
    """Run git without anybody's configuration."""
    surroundings = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *words], env=surroundings, capture_output=True, check=True, text=True
    )
    return done.stdout.strip()


def written(folder: Path, files: Files) -> None:
    """Write files, each text without its common indentation; one that is None is taken away."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")


def committed(folder: Path, *versions: Files, messages: tuple[str, ...] = ()) -> Path:
    """Return a new repository with one commit for each version; a file that a later one does not name stays."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", ".")
    for number, files in enumerate(versions):
        written(folder, {path: text for path, text in files.items() if text != GONE})
        for path in (path for path, text in files.items() if text == GONE):
            (folder / path).unlink()
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "--allow-empty", "-m", (messages[number:] or ("A step",))[0])
    return folder


GONE = "\0"
"""In the place of a text: the file is taken away."""


@cache
def plain_python() -> Environment:
    """Return a Python with pytest alone in it: it starts in a fraction of the time of our own."""
    folder = tempfile.mkdtemp(prefix="probatum-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # Folders of tempfile are open to their owner alone, and tests run as nobody.
    return small_environment(Path(folder) / "environment")


def observed(
    folder: Path,
    base: Files,
    head: Files,
    *,
    message: str = "A step",
    claims: str | None = None,
    python: Environment | None = None,
) -> ObservedChange:
    """Return what is observed of the step from one version to the next."""
    committed(folder, base, head, messages=("First", message))
    trees = trees_of("HEAD~1..HEAD", folder)
    project = ProjectSetup(str(trees.root), python or plain_python())
    return observe_change(trees, project, claims_of(claims, trees.messages), ignore)


def said(change: ObservedChange, policy: ChangePolicy | None = None) -> tuple[Reason, ...]:
    """Return what keeps a change from being VERIFIED."""
    return reasons(change.record, policy or ChangePolicy())
