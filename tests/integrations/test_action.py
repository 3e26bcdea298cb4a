"""The GitHub Action: action.yml and its script as a runner runs them, with stand-ins for `pip` and `gh` alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from integrations.action.run import COMMENT_BYTES, SUMMARY_BYTES, cut
from tests.integrations.action_runner import Job, run_action
from tests.integrations.repository import ACTION, Repository, function

# It answers the list of comments with the number in `earlier`, and keeps what it is called with.
GH = """
printf '%s\\n' "$@" >> "$left/arguments"
[ -n "$GH_TOKEN" ] || { echo 'no token' >&2; exit 4; }
case "$*" in *--jq*) cat "$left/earlier" 2>/dev/null; exit 0 ;; esac
cat > "$left/body"
"""
HOSTILE = ["; rm keep.txt & $(rm keep.txt) `rm keep.txt`", "a\n::error::b", "' \" ${{ github.token }}", "--help"]


@pytest.fixture
def gh(repository: Repository) -> Path:
    repository.stand_in("pip", 'printf "%s\\n" "$@" > "$left/arguments"')
    return repository.stand_in("gh", GH)


def pull_request(repository: Repository, base: str) -> dict[str, object]:
    return {"pull_request": {"number": 7, "base": {"sha": base}, "head": {"sha": repository.git("rev-parse", "HEAD")}}}


def comment_in(gh: Path) -> str:
    body: str = json.loads((gh / "body").read_text(encoding="utf-8"))["body"]
    return body


def places_in(job: Job) -> set[tuple[str, str]]:
    log = json.loads(Path(job.outputs["sarif"]).read_text(encoding="utf-8"))
    assert log["version"] == "2.1.0"
    return {
        (result["ruleId"], place["physicalLocation"]["artifactLocation"]["uri"])
        for run in log["runs"]
        for result in run["results"]
        for place in result["locations"]
    }


def test_a_refuted_function_fails_the_job_after_it_is_reported(repository: Repository, gh: Path) -> None:
    repository.write("shop.py", function("triple", 3) + "\n\n" + function("double", 2))
    base = repository.commit("right")
    repository.write("shop.py", function("triple", 3, does=2) + "\n\n" + function("double", 2))
    repository.commit("wrong")
    job = run_action(repository, "pull_request", pull_request(repository, base), sarif="true")
    assert (job.exit_code, job.outputs["exit-code"]) == (1, "1"), job.log
    assert re.search(r"REFUTED +shop\.py::triple", job.log)
    body = comment_in(gh)
    assert body.startswith("<!-- probatum . -->\n")
    assert "shop.py::triple" in body
    assert "double" not in body, "what the pull request leaves alone is not verified"
    assert "shop.py::triple" in job.summary
    assert {uri for _, uri in places_in(job)} == {"shop.py"}
    assert [name.partition("@")[0] for name, _ in job.used] == [
        "actions/setup-python", "actions/cache", "github/codeql-action/upload-sarif",
    ]  # fmt: skip
    assert job.used[-1][1]["sarif_file"] == job.outputs["sarif"]
    assert job.workflow_commands == []


def test_a_verified_function_passes(repository: Repository, gh: Path) -> None:
    repository.write("shop.py", function("double", 2))
    repository.commit("right")
    job = run_action(repository, sarif="true", python_version="", cache="false")
    assert (job.exit_code, job.outputs["exit-code"]) == (0, "0"), job.log
    assert re.search(r"VERIFIED +shop\.py::double", job.log)
    assert places_in(job) == set(), "GitHub shows an alert for every result, also for one that holds"
    assert not (gh / "arguments").exists(), "a push has nothing to comment on"
    assert len(job.used) == 1
    version = (repository.commands / "pip.left" / "arguments").read_text(encoding="utf-8").splitlines()[-1]
    assert re.fullmatch(r"probatum==\d+\.\d+\.\d+", version)


def test_a_comment_is_written_over_the_earlier_one(repository: Repository, gh: Path) -> None:
    repository.write("shop.py", function("double", 2))
    base = repository.commit("right")
    (gh / "earlier").write_text("41\n42\n", encoding="utf-8")
    job = run_action(repository, "pull_request", pull_request(repository, base))
    assert job.exit_code == 0, job.log
    arguments = (gh / "arguments").read_text(encoding="utf-8").splitlines()
    assert arguments[-5:] == ["--method", "PATCH", "repos/shop/shop/issues/comments/41", "--input", "-"]


def test_a_comment_that_cannot_be_written_is_a_warning(repository: Repository, gh: Path) -> None:
    (repository.commands / "gh").write_text("#!/bin/bash\necho 'Resource not accessible' >&2\nexit 1\n")
    repository.write("shop.py", function("double", 2))
    base = repository.commit("right")
    job = run_action(repository, "pull_request", pull_request(repository, base))
    assert job.exit_code == 0, job.log
    [warning] = job.workflow_commands
    assert warning.startswith("::warning title=probatum::No comment was written: Resource not accessible.")


def test_paths_count_from_the_root_of_the_repository(repository: Repository, gh: Path) -> None:
    repository.write("a part/shop.py", function("triple", 3, does=2))
    repository.commit("wrong")
    job = run_action(repository, working_directory="a part", paths="shop.py")
    assert job.exit_code == 1, job.log
    assert {uri for _, uri in places_in(job)} == {"a%20part/shop.py"}


def test_a_job_fails_on_what_it_says(repository: Repository, gh: Path) -> None:
    repository.write("shop.py", "def undocumented(x: int) -> int:\n    return x\n")
    repository.commit("open")
    assert run_action(repository).exit_code == 3
    assert run_action(repository, fail_on="refuted").exit_code == 0


@pytest.mark.parametrize("name", ["paths", "args", "fail_on", "baseline", "changed", "working_directory", "version"])
@pytest.mark.parametrize("value", HOSTILE)
def test_what_a_caller_gives_stays_text(repository: Repository, gh: Path, name: str, value: str) -> None:
    repository.write("keep.txt", "kept")
    repository.write("shop.py", function("double", 2))
    job = run_action(repository, **{name: value})
    assert (repository.folder / "keep.txt").is_file(), job.log
    assert "a token" not in job.log
    assert [line for line in job.workflow_commands if not line.startswith("::error title=probatum::")] == []
    if name == "version":
        assert (repository.commands / "pip.left" / "arguments").read_text(encoding="utf-8").endswith(f"=={value}\n")
    elif (name, value) != ("args", "--help"):
        assert job.exit_code == 2, job.log


@pytest.mark.parametrize("missing", ["base", "head"])
def test_a_shallow_clone_is_named(repository: Repository, gh: Path, missing: str) -> None:
    repository.write("shop.py", function("double", 2))
    base = repository.commit("right")
    event = pull_request(repository, base)
    event["pull_request"][missing]["sha"] = "ab" * 20  # type: ignore[index] # it is a dictionary, as above
    job = run_action(repository, "pull_request", event)
    assert job.exit_code == 2
    [error] = job.workflow_commands
    assert f"the {missing} abababababab is not part of the history that was checked out" in error
    assert "fetch-depth: 0" in error
    assert run_action(repository, "pull_request", event, changed="never").exit_code == 0


def test_a_run_without_a_result_says_so(repository: Repository, gh: Path) -> None:
    base = (
        repository.commit("nothing") if repository.git("status", "--porcelain") else repository.git("rev-parse", "HEAD")
    )
    job = run_action(repository, "pull_request", pull_request(repository, base), paths="missing.py", sarif="true")
    assert (job.exit_code, job.outputs["sarif"]) == (2, "")
    assert "probatum wrote no report" in comment_in(gh)
    assert "probatum wrote no report" in job.summary


def test_actions_are_pinned_and_inputs_are_explained() -> None:
    text = ACTION.read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) and re.fullmatch(r" # v[\d.]+", note) for name, note in used)
    assert all(declared["description"] for declared in yaml.safe_load(text)["inputs"].values())


@pytest.mark.parametrize("most", [COMMENT_BYTES, SUMMARY_BYTES])
def test_long_results_are_cut_between_pages(most: int) -> None:
    page = "# ✗ REFUTED\n\n  ```text\n  ä\n  ```\n"
    whole = "\n---\n\n".join([page] * (most // len(page)))
    kept = cut(whole, most)
    assert most - 300 < len(kept.encode("utf-8")) <= most
    assert kept.count("```") % 2 == 0
    assert kept.endswith("The log of the job has all of it.\n")
    assert cut(page, most) == page


def test_the_audit_of_workflows_finds_nothing() -> None:
    zizmor = Path(sys.executable).with_name("zizmor")
    done = subprocess.run(
        [zizmor, "--offline", "--quiet", "--persona=pedantic", ACTION], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
