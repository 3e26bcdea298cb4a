"""What a stranger meets first: the site, the changelog, the version, the workflows and the hooks.

The site is built as it is published, and every link in it is followed. Built pages load nothing from elsewhere.
"""

from __future__ import annotations

import importlib.util
import posixpath
import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urldefrag

import pytest
import yaml  # type: ignore[import-untyped]  # ships no types

from probatum.core.version import __version__
from tests.house.sources import ROOT

_SCRIPTS = Path(sys.executable).parent
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
_LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""The attribute by which an element has something loaded; a link only where its `rel` says so."""


class _Page(HTMLParser):
    """The anchors, links and loaded addresses of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what one element names."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        is_loaded = tag != "link" or given.get("rel") in {
            "stylesheet",
            "icon",
            "preload",
            "preconnect",
            "modulepreload",
        }
        if tag in _LOADS and is_loaded and (address := given.get(_LOADS[tag])):
            self.loaded.add(address)


def _script() -> ModuleType:
    specification = importlib.util.spec_from_file_location("site_script", ROOT / "scripts" / "site.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


_SITE = _script()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site") / "site"
    _SITE.build(folder)
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, _Page]:
    return {path: _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def _is_elsewhere(address: str) -> bool:
    return re.match(r"([a-z][a-z0-9+.-]*:|//)", address) is not None


def _target(page: str, address: str) -> str:
    """The file that an address of a page means, as a path below the site."""
    path = unquote(address)
    joined = path.removeprefix("/probatum/") if path.startswith("/") else posixpath.join(posixpath.dirname(page), path)
    folder_or_file = posixpath.normpath(joined)
    return posixpath.normpath(f"{folder_or_file}/index.html") if path.endswith(("/", ".")) else folder_or_file


@pytest.mark.xdist_group("site")
def test_every_link_of_the_site_leads_somewhere(site: Path, pages: dict[Path, _Page]) -> None:
    assert len(pages) > len(list((ROOT / "docs").rglob("*.md")))
    files = {path.relative_to(site).as_posix() for path in site.rglob("*")}
    named = {path.relative_to(site).as_posix(): page for path, page in pages.items()}
    broken = []
    for name, page in named.items():
        for link in sorted(page.links | page.loaded):
            address, anchor = urldefrag(link)
            target = _target(name, address) if address else name
            anchors = named[target].anchors if target in named and anchor else {unquote(anchor)}
            if not _is_elsewhere(link) and (target not in files or unquote(anchor) not in anchors):
                broken.append(f"{name}: {link}")
    assert not broken


@pytest.mark.xdist_group("site")
def test_pages_load_nothing_from_elsewhere(site: Path, pages: dict[Path, _Page]) -> None:
    loaded = {address for page in pages.values() for address in page.loaded if _is_elsewhere(address)}
    styles = [
        path for path in site.rglob("*.css") if re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", path.read_text())
    ]
    assert (loaded, styles) == (set(), [])


@pytest.mark.xdist_group("site")
def test_every_page_is_in_the_navigation_and_the_search(site: Path, pages: dict[Path, _Page]) -> None:
    reached = {(site / link).resolve() for link in pages[site / "index.html"].links if not _is_elsewhere(link)}
    written = {path for path in pages if path.name == "index.html"}
    assert sorted(str(path.relative_to(site)) for path in written if not {path, path.parent} & reached) == []
    assert "first-verdict" in (site / "search.json").read_text(encoding="utf-8")


def test_a_page_that_the_index_does_not_name_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "README.md").write_text("# Documentation\n\n## How-to\n- [One](one.md): the first.\n", encoding="utf-8")
    (tmp_path / "one.md").write_text("# One\n", encoding="utf-8")
    (tmp_path / "two.md").write_text("# Two\n", encoding="utf-8")
    monkeypatch.setattr(_SITE, "DOCS", tmp_path)
    with pytest.raises(
        _SITE.SiteError, match=r"not in the navigation: two\.md\. Add a line for each to docs/README\.md"
    ):
        _SITE.navigation()


def test_entries_of_the_changelog_are_short() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.*)$", changelog, re.MULTILINE)
    assert sections[0] == "[Unreleased]"
    assert [each for each in sections[1:] if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", each)] == []
    kinds = set(re.findall(r"^### (.*)$", changelog, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    entries = re.findall(r"^- (.*(?:\n {2}.*)*)", changelog, re.MULTILINE)
    assert entries
    assert [entry for entry in entries if len(entry.split()) > 15] == []


def test_the_version_stands_in_one_place() -> None:
    assert "version" not in _PROJECT["project"]
    assert _PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "probatum.core.version.__version__"}
    stated = re.compile(
        r"""(?:^\s*(?:__version__|version) = |VERSION[:=] ?|default: )["']?(\d+\.\d+\.\d+)["']?$""", re.MULTILINE
    )
    places = [*(ROOT / "src" / "probatum").rglob("*.py"), ROOT / "action.yml", *(ROOT / "integrations").rglob("*")]
    found = {
        path.relative_to(ROOT).as_posix(): version
        for path in places
        if path.is_file() and path.suffix != ".pyc"
        for version in stated.findall(path.read_text(encoding="utf-8"))
    }
    # What is copied into other repositories has to name a version; it is this one.
    assert set(found.values()) == {__version__}
    assert [path for path in found if path.startswith("src/")] == ["src/probatum/core/version.py"]


def test_actions_are_pinned_and_permissions_are_named() -> None:
    assert _WORKFLOWS
    pinned = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    for path in _WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        workflow = yaml.safe_load(text)
        assert [line for line in text.splitlines() if "uses:" in line and not pinned.search(line)] == [], path.name
        assert workflow["permissions"] == {}, path.name
        assert [name for name, job in workflow["jobs"].items() if "permissions" not in job] == [], path.name
        # `on` is a truth value in YAML 1.1.
        assert "pull_request_target" not in workflow[True], path.name


def test_zizmor_finds_nothing() -> None:
    command = ("zizmor", "--offline", "--no-progress", *map(str, _WORKFLOWS), str(ROOT / "action.yml"))
    run = subprocess.run(command, executable=_SCRIPTS / command[0], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed; pre-commit brings it")
def test_actionlint_finds_nothing() -> None:
    run = subprocess.run(("actionlint", *_WORKFLOWS), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_typos_finds_nothing() -> None:
    run = subprocess.run(
        (_SCRIPTS / "typos", "--format", "brief"), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_hooks_have_the_versions_of_the_lock() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    named = {
        requirement
        for repository in hooks["repos"]
        for hook in repository["hooks"]
        for requirement in hook.get("additional_dependencies", [])
    }
    assert named
    assert sorted(requirement for requirement in named if f"\n{requirement} \\\n" not in lock) == []


def test_forms_have_what_github_asks_for() -> None:
    forms = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    assert {path.stem for path in forms} == {"bug", "false-verdict", "feature"}
    for path in forms:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= set(form), path.name
        assert [each for each in form["body"] if not each["attributes"]["label"]] == [], path.name


def test_links_of_the_pages_for_contributors_lead_somewhere() -> None:
    missing = [
        f"{name}: {target}"
        for name in ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md")
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text(encoding="utf-8"))
        if not (ROOT / target).exists()
    ]
    assert not missing
