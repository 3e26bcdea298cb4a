"""The GitLab template: its script lines, run by bash with the variables that GitLab sets."""

from __future__ import annotations

from string import Template
from xml.etree import ElementTree

import pytest
import yaml

from tests.integrations.repository import GITLAB, Finished, Repository, function

[(_, JOB)] = yaml.safe_load(GITLAB.read_text(encoding="utf-8")).items()


def run_job(repository: Repository, **variables: str) -> Finished:
    """Run the job; variables that a user or GitLab sets come before those of the template."""
    if not (repository.commands / "pip").exists():
        repository.stand_in("pip", 'printf "%s\\n" "$@" > "$left/arguments"')
    project = {"CI_PROJECT_DIR": str(repository.folder)}
    own = {name: Template(value).substitute(project) for name, value in JOB["variables"].items()}
    script = "\n".join(JOB["script"])
    return repository.run("bash", "-eo", "pipefail", "-c", script, extra={**project, **own, **variables})


def test_a_merge_request_is_compared_with_its_base(repository: Repository) -> None:
    old = function("double", 2, does=3)
    repository.write("shop.py", function("triple", 3, does=2) + "\n\n" + old)
    base = repository.commit("wrong already")
    repository.write("shop.py", function("triple", 3) + "\n\n" + old)
    repository.commit("right")
    done = run_job(repository, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert done.exit_code == 0, done.output
    assert "triple" in done.output
    assert "double" not in done.output


def test_the_default_branch_is_verified_as_a_whole(repository: Repository) -> None:
    repository.write("shop.py", function("double", 2, does=3))
    repository.commit("wrong")
    done = run_job(repository)
    assert done.exit_code == 1, done.output
    report = ElementTree.parse(repository.folder / JOB["artifacts"]["reports"]["junit"])
    [failure] = report.iter("failure")
    assert failure.get("type") == "program.counterexample"
    assert (repository.folder / JOB["cache"]["paths"][0]).is_dir(), "what is cached is what was written"


@pytest.mark.parametrize("name", ["CI_MERGE_REQUEST_DIFF_BASE_SHA", "PROBATUM_PATHS", "PROBATUM_OPTIONS"])
@pytest.mark.parametrize("value", ["; rm keep.txt", "$(rm keep.txt)", "`rm keep.txt`"])
def test_variables_stay_text(repository: Repository, name: str, value: str) -> None:
    repository.write("keep.txt", "kept")
    done = run_job(repository, **{name: value})
    assert done.exit_code == 2, done.output
    assert (repository.folder / "keep.txt").is_file()


def test_the_whole_history_is_fetched() -> None:
    assert JOB["variables"]["GIT_DEPTH"] == "0"
