"""The container recipe, as far as it can be read without an engine: versions, user, and commands that exist.

No image is built here.
"""

from __future__ import annotations

import json
import re
import shlex

from probatum.core.version import __version__
from tests.integrations.repository import CONTAINER, Repository

LINES = [
    tuple(line.split(" ", 1))
    for line in re.sub(r"\\\n\s*", "", CONTAINER.read_text(encoding="utf-8")).splitlines()
    if line and not line.startswith("#")
]


def values(instruction: str) -> list[str]:
    return [rest for name, rest in LINES if name == instruction]


def test_the_version_stands_in_one_place() -> None:
    assert values("ARG") == [f"PROBATUM_VERSION={__version__}"]
    assert '"probatum==${PROBATUM_VERSION}"' in " ".join(values("RUN"))
    assert sum(rest.count(__version__) for _, rest in LINES) == 1


def test_the_base_names_a_version() -> None:
    assert re.fullmatch(r"python:3\.\d+-slim", values("FROM")[0])


def test_it_does_not_run_as_root() -> None:
    [user] = values("USER")
    names = [name for name, _ in LINES]
    assert re.search(rf"useradd .*\b{user}$", values("RUN")[-1])
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert "RUN" not in names[names.index("USER") :]


def test_every_instruction_and_command_is_known() -> None:
    assert {name for name, _ in LINES} <= {"FROM", "ARG", "RUN", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    commands = {shlex.split(part)[0] for line in values("RUN") for part in line.split("&&")}
    assert commands == {"apt-get", "rm", "git", "pip", "useradd"}


def test_what_it_starts_exists(repository: Repository) -> None:
    [entry], [command] = (json.loads(text) for text in (values("ENTRYPOINT")[0], values("CMD")[0]))
    done = repository.run(entry, command)
    assert done.exit_code == 0, done.output
    assert f"probatum {__version__}" in done.output


def test_git_accepts_the_folder_that_is_mounted(repository: Repository) -> None:
    [folder] = values("WORKDIR")
    [words] = [
        shlex.split(part) for line in values("RUN") for part in line.split("&&") if part.strip().startswith("git")
    ]
    assert words[-1] == folder
    system = {"GIT_CONFIG_SYSTEM": str(repository.home / "system"), "GIT_CONFIG_NOSYSTEM": "0"}
    assert repository.run(*words, extra=system).exit_code == 0
    assert repository.run("git", "config", "--get", "safe.directory", extra=system).output.strip() == folder
