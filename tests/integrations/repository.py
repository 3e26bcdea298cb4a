"""A git repository with Python files that are right or wrong, and the environment of somebody who works in it.

Commands are found where the tests' Python has them; stand-ins for what needs a network come before them on the path.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.house.sources import ROOT

HOOKS = ROOT / ".pre-commit-hooks.yaml"
ACTION = ROOT / "action.yml"
GITLAB = ROOT / "integrations" / "gitlab" / "probatum.gitlab-ci.yml"
CONTAINER = ROOT / "integrations" / "container" / "Containerfile"


def function(name: str, factor: int, *, does: int | None = None) -> str:
    """A function that is documented to multiply by a factor; it is wrong where it does something else."""
    body = factor if does is None else does
    return f'''def {name}(x: int) -> int:
    """
    >>> {name}(2)
    {2 * factor}
    >>> {name}(0)
    0
    >>> {name}(-3)
    {-3 * factor}
    """
    return x * {body}
'''


@dataclass(frozen=True, slots=True)
class Finished:
    """How a process ended, and all that it printed."""

    exit_code: int
    output: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository in a folder of its own, beside a home folder and stand-ins for commands."""

    folder: Path
    home: Path
    commands: Path

    @classmethod
    def start(cls, place: Path) -> Repository:
        """Make an empty repository below a place."""
        made = cls(place / "repository", place / "home", place / "commands")
        for each in (made.folder, made.home, made.commands):
            each.mkdir()
        made.git("init", "--quiet", "--initial-branch=main")
        made.write("pyproject.toml", '[project]\nname = "shop"\nversion = "1"\n')
        made.commit("start")
        return made

    @property
    def environment(self) -> dict[str, str]:
        """The environment of this user, without what the tests' own surroundings have set."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_", "GITHUB_", "CI", "PROBATUM_", "XDG_", "PYTHON", "PRE_COMMIT"))
        }
        programs = (str(self.commands), str(Path(sys.executable).parent), os.environ["PATH"])
        person = {
            f"GIT_{role}_{what}": "a@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        return {
            **kept, **person, "PATH": os.pathsep.join(programs), "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "120",
        }  # fmt: skip

    def run(self, *command: str, extra: Mapping[str, str] | None = None) -> Finished:
        """Run a command in the repository."""
        done = subprocess.run(
            command, cwd=self.folder, env={**self.environment, **(extra or {})}, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        return Finished(done.returncode, done.stdout)

    def git(self, *arguments: str) -> str:
        """Run git and return what it prints; it must succeed."""
        done = self.run("git", *arguments)
        assert done.exit_code == 0, done.output
        return done.output.strip()

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def commit(self, message: str) -> str:
        """Commit everything and return the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--no-verify", "--message", message)
        return self.git("rev-parse", "HEAD")

    def stand_in(self, name: str, script: str) -> Path:
        """Put a script in the place of a command; return the folder in which it can leave what it was given."""
        path, left = self.commands / name, self.commands / f"{name}.left"
        left.mkdir()
        path.write_text(f'#!/bin/bash\nleft="{left}"\n{script}\n', encoding="utf-8")
        path.chmod(0o755)
        return left
