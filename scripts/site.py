"""Builds the documentation site from docs/, strictly: a broken link or a page outside the navigation is an error.

The navigation is docs/README.md: its headings are the sections, its links the pages. Pages that the README.md of
another folder names are children of that one. Links to files outside docs/ lead to the repository. Needs no network.
Usage: python scripts/site.py FOLDER
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
CONFIGURATION = ROOT / "zensical.toml"
STYLE = ROOT / "scripts" / "site.css"
LINK = re.compile(r"\[([^\]\n]+)\]\(([^)#\s]+\.md)\)")
TARGET = re.compile(r"(?<=\]\()((?:\.\./)+[^)#\s]*)")
Navigation = dict[str, "str | list[Navigation]"]


class SiteError(Exception):
    """The site cannot be built; the text says what to change."""


def pages_of(index: Path) -> list[list[tuple[str, str]]]:
    """Return the pages that each line of an index links to, as title and path below docs/."""
    folder = index.parent.relative_to(DOCS).as_posix()
    found = []
    for line in index.read_text(encoding="utf-8").splitlines():
        if links := [
            (title, posixpath.normpath(posixpath.join(folder, target))) for title, target in LINK.findall(line)
        ]:
            found.append(links)
    return found


def heading(page: Path) -> str:
    """Return the title that a page gives itself."""
    return page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def entry(links: list[tuple[str, str]]) -> Navigation:
    """Return the navigation of one line: its first page, above the others of the line or of its own index."""
    (title, page), *below = links
    if posixpath.basename(page) == "README.md":
        below = [(heading(DOCS / path), path) for line in pages_of(DOCS / page) for _, path in line[:1]]
    children: list[Navigation] = [{title: page}]
    children += [{name: path} for name, path in below]
    return {title: children if below else page}


def navigation() -> list[Navigation]:
    """Return the navigation that docs/README.md states.

    Raises SiteError for a page that it does not lead to.
    """
    sections: list[Navigation] = [{"Documentation": "README.md"}]
    listed = {"README.md"}
    pages: list[Navigation] = []
    for line in (DOCS / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            pages = []
            sections.append({line.removeprefix("## "): pages})
        elif line.startswith("- ") and (links := LINK.findall(line)):
            pages.append(entry(links))
            listed |= paths(pages[-1])
    missing = sorted({path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - listed)
    if missing:
        raise SiteError(f"not in the navigation: {', '.join(missing)}. Add a line for each to docs/README.md.")
    return sections


def paths(item: Navigation) -> set[str]:
    """Return the pages that a part of the navigation leads to."""
    found: set[str] = set()
    for below in item.values():
        found |= {below} if isinstance(below, str) else {path for each in below for path in paths(each)}
    return found


def toml(item: str | list[Navigation] | Navigation) -> str:
    """Write a part of the navigation as TOML, in one line."""
    if isinstance(item, str):
        return json.dumps(item, ensure_ascii=False)
    if isinstance(item, list):
        return f"[{', '.join(map(toml, item))}]"
    return f"{{{', '.join(f'{toml(key)} = {toml(value)}' for key, value in item.items())}}}"


def copy_pages(folder: Path, repository: str) -> None:
    """Copy docs/ into a folder, with links to files outside of it leading to the repository."""
    shutil.copytree(DOCS, folder)
    shutil.copy(STYLE, folder / STYLE.name)
    for copied in folder.rglob("*.md"):
        here = (DOCS / copied.relative_to(folder)).parent

        def outside(match: re.Match[str], here: Path = here) -> str:
            target = Path(os.path.normpath(here / match.group()))
            if target.is_relative_to(DOCS):
                return match.group()
            if not target.exists():
                raise SiteError(f"{here}: {match.group()} is linked and does not exist")
            return f"{repository}/blob/main/{target.relative_to(ROOT).as_posix()}"

        copied.write_text(TARGET.sub(outside, copied.read_text(encoding="utf-8")), encoding="utf-8")


def build(site: Path) -> None:
    """Write the site into a folder, which is emptied before.

    Raises SiteError with what the generator reports.
    """
    configuration = CONFIGURATION.read_text(encoding="utf-8")
    repository = tomllib.loads(configuration)["project"]["repo_url"]
    table = "[project]\n"
    with tempfile.TemporaryDirectory() as name:
        project = Path(name)
        copy_pages(project / "docs", repository)
        stated = configuration.replace(table, f"{table}nav = {toml(navigation())}\n", 1)
        (project / CONFIGURATION.name).write_text(stated, encoding="utf-8")
        command = (f"{sysconfig.get_path('scripts')}/zensical", "build", "--strict")
        run = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
        if run.returncode:
            raise SiteError(run.stdout + run.stderr)
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(project / "site", site)


def main() -> None:
    """Build the site into the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit("usage: site.py FOLDER")
    try:
        build(Path(sys.argv[1]))
    except SiteError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
