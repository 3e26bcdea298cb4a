"""The earlier version of a program from its git repository: read as an object, with nothing of the repository run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from probatum.app.sources import NO_SOURCES
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.kinds.program.revisions import read_earlier

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

_AS = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *_AS, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_bytes(b"x = 1\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    (tmp_path / "pkg" / "a.py").write_bytes(b"x = 2\n")
    git(tmp_path, "commit", "-qam", "two")
    return tmp_path


@pytest.mark.parametrize(("revision", "content"), [("HEAD", b"x = 2\n"), ("HEAD~1", b"x = 1\n"), ("@{0}", b"x = 2\n")])
def test_the_same_path_is_read_at_a_revision(repository: Path, revision: str, content: bytes) -> None:
    assert read_earlier(f"git:{revision}", str(repository / "pkg" / "a.py"), NO_SOURCES) == content


# against, path in the repository, code of the error
REFUSED = {
    "no such revision": ("git:nowhere", "pkg/a.py", "against.no_revision"),
    "a file in place of a revision": ("git:HEAD:pkg/a.py", "pkg/a.py", "against.no_revision"),
    "an option": ("git:--help", "pkg/a.py", "against.revision"),
    "nothing": ("git:", "pkg/a.py", "against.revision"),
    "no such file then": ("git:HEAD", "pkg/new.py", "against.no_file"),
    "a folder then": ("git:HEAD", "pkg", "against.no_file"),
    "a null character": ("git:HEAD\0x", "pkg/a.py", "against.revision"),
    "standard input": ("git:HEAD", "-", "against.no_path"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_there_has_a_name(name: str, repository: Path) -> None:
    against, path, code = REFUSED[name]
    (repository / "pkg" / "new.py").write_bytes(b"")
    with pytest.raises(UsageError) as raised:
        read_earlier(against, path if path == "-" else str(repository / path), NO_SOURCES)
    assert raised.value.code == code


def test_a_folder_without_a_repository_has_a_name(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"")
    with pytest.raises(ProbatumError) as raised:
        read_earlier("git:HEAD", str(tmp_path / "a.py"), NO_SOURCES)
    assert raised.value.code == "against.no_repository"


def test_a_file_over_its_budget_is_not_read(repository: Path) -> None:
    (repository / "pkg" / "a.py").write_bytes(b"#" * (MAX_SOURCE_BYTES + 1))
    git(repository, "commit", "-qam", "large")
    with pytest.raises(BudgetError):
        read_earlier("git:HEAD", str(repository / "pkg" / "a.py"), NO_SOURCES)


def test_without_git_nothing_is_attempted(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(NotAttemptedError) as raised:
        read_earlier("git:HEAD", str(repository / "pkg" / "a.py"), NO_SOURCES)
    assert raised.value.code == "against.no_git"


def test_nothing_that_the_repository_names_is_run(repository: Path) -> None:
    """A stranger's configuration may name programs for almost everything."""
    trap = repository / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {repository}/sprung\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    (repository / ".gitattributes").write_text("*.py diff=trap filter=trap\n", encoding="utf-8")
    settings = ("core.fsmonitor", "diff.trap.textconv", "filter.trap.smudge", "core.pager", "core.sshCommand")
    for name in (*settings, "diff.external", "core.editor", "alias.cat-file"):
        git(repository, "config", name, f"!{trap}" if name.startswith("alias") else str(trap))
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        shutil.copy(trap, repository / ".git" / "hooks" / hook)
    assert read_earlier("git:HEAD~1", str(repository / "pkg" / "a.py"), NO_SOURCES) == b"x = 1\n"
    assert not (repository / "sprung").exists()
