"""The pages about other tools: their snippets parse, name what exists, and name the current version."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from probatum.core.version import __version__
from tests.house.documents import Block, blocks_of
from tests.house.sources import ROOT
from tests.integrations.repository import ACTION, CONTAINER, GITLAB, HOOKS

HOW_TO = ROOT / "docs" / "how-to"
CI, PRE_COMMIT, MACHINES = (
    HOW_TO / f"{name}.md" for name in ("use-in-ci", "use-with-pre-commit", "run-on-macos-and-windows")
)
VERSION = re.compile(
    r"""probatum(?:==|:|@v|/v)(\d[\w.]*)|rev:\ v(\d[\w.]*)|PROBATUM_VERSION[:=]\ ?"?(\d[\w.]*)"""
    r"""|default:\ "(\d+\.\d+\.\d+)\"""",
    re.VERBOSE,
)
SNIPPETS = [
    pytest.param(block, id=f"{page.name}:{block.line}")
    for page in (CI, PRE_COMMIT)
    for block in blocks_of(page)
    if block.language == "yaml"
]


@pytest.mark.parametrize("path", [CI, PRE_COMMIT, MACHINES, ACTION, GITLAB, CONTAINER], ids=lambda path: path.name)
def test_the_current_version_is_named(path: Path) -> None:
    found = {next(filter(None, match)) for match in VERSION.findall(path.read_text(encoding="utf-8"))}
    assert found == {__version__}


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_is_yaml(snippet: Block) -> None:
    assert yaml.safe_load(snippet.text)


@pytest.mark.parametrize("page", [CI, PRE_COMMIT], ids=lambda page: page.name)
def test_the_address_is_that_of_the_project(page: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project["urls"]["Source"].removeprefix("https://github.com/")
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"(?:uses: |github\.com/|githubusercontent\.com/)([\w-]+/probatum)\b", text)
    assert set(found) == {address}


def _first(page: Path, key: str) -> dict[str, object]:
    """The first snippet of a page that has this key at its top."""
    parsed = [yaml.safe_load(block.text) for block in blocks_of(page) if block.language == "yaml"]
    found: dict[str, object] = next(each for each in parsed if key in each)
    return found


def test_the_workflow_gives_inputs_that_the_action_has() -> None:
    workflow = yaml.safe_load(yaml.safe_dump(_first(CI, "jobs")))
    checkout, ours = workflow["jobs"]["verify"]["steps"]
    assert re.fullmatch(r"actions/checkout@[0-9a-f]{40}", checkout["uses"])
    assert checkout["with"]["fetch-depth"] == 0
    inputs = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["inputs"]
    assert ours["with"].keys() <= inputs.keys()


def test_every_input_has_a_row() -> None:
    rows = [line for line in CI.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[1])}
    assert named == yaml.safe_load(ACTION.read_text(encoding="utf-8"))["inputs"].keys()


def test_the_variables_of_the_template_are_those_that_the_page_sets() -> None:
    [template] = yaml.safe_load(GITLAB.read_text(encoding="utf-8")).values()
    page = yaml.safe_load(yaml.safe_dump(_first(CI, "include")))
    assert page["probatum"]["variables"].keys() <= template["variables"].keys()


def test_the_hooks_are_those_of_the_hooks_file() -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load(HOOKS.read_text(encoding="utf-8"))}
    text = PRE_COMMIT.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == hooks.keys()
    local = [
        hook
        for block in blocks_of(PRE_COMMIT)
        if block.language == "yaml"
        for repo in yaml.safe_load(block.text)["repos"]
        if repo["repo"] == "local"
        for hook in repo["hooks"]
    ]
    same = ("entry", "types", "require_serial")
    assert [{key: hook[key] for key in same} for hook in local] == [{key: hooks["probatum"][key] for key in same}]
