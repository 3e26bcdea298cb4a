"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself.

A `repo:` entry would have pre-commit build an environment from the network. So each hook is written into a `local`
repository as it stands in the hooks file, with one difference: `language: system` takes the probatum that is here.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import yaml

from tests.integrations.repository import HOOKS, Finished, Repository, function

HOOK = {hook["id"]: hook for hook in yaml.safe_load(HOOKS.read_text(encoding="utf-8"))}


def use(repository: Repository, name: str, *args: str) -> None:
    """Install pre-commit with this hook."""
    hook = {**HOOK[name], "language": "system", "args": [*args]}
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    repository.write(".pre-commit-config.yaml", yaml.safe_dump(config))
    done = repository.run(sys.executable, "-m", "pre_commit", "install")
    assert done.exit_code == 0, done.output


def committed(repository: Repository, message: str = "change") -> Finished:
    """Try to commit everything, with the hooks."""
    repository.git("add", "--all")
    return repository.run("git", "commit", "--message", message)


def test_the_hooks_file_is_valid() -> None:
    done = subprocess.run([sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("name", sorted(HOOK))
def test_a_wrong_function_is_not_committed(repository: Repository, name: str) -> None:
    use(repository, name)
    repository.write("shop.py", function("triple", 3, does=2))
    done = committed(repository)
    assert done.exit_code == 1
    assert "triple(2)" in done.output
    assert "got 4" in done.output
    assert repository.git("rev-list", "--count", "HEAD") == "1"
    repository.write("shop.py", function("triple", 3))
    done = committed(repository)
    assert done.exit_code == 0, done.output
    assert repository.git("rev-list", "--count", "HEAD") == "2"


def test_a_commit_without_python_files_is_left_alone(repository: Repository) -> None:
    use(repository, "probatum")
    repository.write("README.md", "# Shop\n")
    done = committed(repository)
    assert done.exit_code == 0, done.output
    assert re.search(r"probatum \(changed functions\).*Skipped", done.output)


def test_tests_are_left_alone(repository: Repository) -> None:
    use(repository, "probatum")
    repository.write("tests/test_shop.py", function("triple", 3, does=2))
    done = committed(repository)
    assert done.exit_code == 0, done.output


def test_what_is_not_staged_is_not_verified(repository: Repository) -> None:
    use(repository, "probatum")
    repository.write("shop.py", function("double", 2))
    repository.git("add", "--all")
    repository.write("shop.py", function("double", 2, does=3))
    done = repository.run("git", "commit", "--message", "change")
    assert done.exit_code == 0, done.output
    assert "does" not in repository.git("show", "HEAD:shop.py")


def test_changed_functions_alone_are_verified(repository: Repository) -> None:
    for number in range(30):
        old = function(f"kept_{number}", 2) + "\n\n" + function(f"changed_{number}", 2, does=3)
        repository.write(f"shop_{number:02}.py", old)
    repository.commit("thirty files")
    use(repository, "probatum")
    for number in range(5):
        repository.write(
            f"shop_{number:02}.py", function(f"kept_{number}", 2) + "\n\n" + function(f"changed_{number}", 2)
        )
    for number in range(5, 30):
        path = repository.folder / f"shop_{number:02}.py"
        path.write_text(path.read_text(encoding="utf-8") + "\n# A remark.\n", encoding="utf-8")
    repository.git("add", "--all")
    done = repository.run(sys.executable, "-m", "pre_commit", "run", "--verbose")
    assert done.exit_code == 0, done.output
    assert {f"changed_{number}" for number in range(5)} == set(re.findall(r"\b(?:changed|kept)_\d+\b", done.output))
    assert "5 verified in" in done.output
