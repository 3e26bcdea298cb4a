"""Acceptances that were not on a base, made to look as if they were: by refs, objects and repositories."""

from __future__ import annotations

import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from probatum.app.sources import NO_SOURCES
from probatum.core.errors import ProbatumError, UsageError
from probatum.kinds.program.acceptance import Acceptance
from probatum.kinds.program.readings_file import readings_of
from probatum.kinds.program.revisions import read_earlier
from probatum.readings.notebook import write_notebook
from probatum.readings.values import Standing
from tests.kinds.test_revisions import git
from tests.programs.readers import GOOD, accepted, record

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
FILE = "pkg/shop.readings.toml"
SHORT = "a short id"


def told(folder: Path, *words: str) -> str:
    return subprocess.check_output(["git", "-C", str(folder), *words], text=True).strip()


def id_of(folder: Path, name: str) -> str:
    return told(folder, "rev-parse", name)


def loose(folder: Path, name: str) -> Path:
    """Return the file of an object."""
    found = id_of(folder, name)
    return folder / ".git" / "objects" / found[:2] / found[2:]


def made(folder: Path, form: str = "sha1") -> Path:
    """Make a repository whose ``main`` has a proposal, which its ``agent`` accepts."""
    git(folder.parent, "init", "-q", "-b", "main", f"--object-format={form}", str(folder))
    (folder / "pkg").mkdir()
    for branch, given in (("main", GOOD), ("agent", *accepted(GOOD))):
        git(folder, "checkout", "-q", "-B", branch)
        (folder / FILE).write_text(write_notebook([record(given)]))
        git(folder, "add", FILE)
        git(folder, "commit", "-qm", branch)
    git(folder, "update-ref", "refs/remotes/origin/main", "main")
    return folder


def counts(folder: Path, revision: str, file: str = FILE) -> bool:
    """Return whether the acceptance in the file counts; raises as `readings_of`."""
    program = str(folder / file.replace(".readings.toml", ".py"))
    given = readings_of(program, None, NO_SOURCES, Acceptance(f"git:{revision}"))
    return any(each.standing is Standing.ACCEPTED for found in given.records for each in found.readings)


def overwrite(folder: Path, kind: str, base: str, other: str) -> None:
    """Put the content of one object under the id of another."""
    content = subprocess.check_output(["git", "-C", str(folder), "cat-file", kind, other])
    place = loose(folder, base)
    place.chmod(0o644)
    place.write_bytes(zlib.compress(f"{kind} {len(content)}\0".encode() + content))


def quiet_tag(folder: Path) -> None:
    git(folder, "config", "core.warnAmbiguousRefs", "false")
    git(folder, "tag", "main", "agent")


REFUSED, DAMAGED = "acceptance.revision", "repository.damaged"
# what the author does to the repository, the revision that is named, and the code of the error
FORGED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a tag named like a branch": (lambda at: git(at, "tag", "main", "agent"), "main", REFUSED),
    "such a tag, and no warnings": (quiet_tag, "main", REFUSED),
    "such a tag, and a way from it": (lambda at: git(at, "tag", "main", "agent"), "main~0", REFUSED),
    "a tag named like a remote branch": (lambda at: git(at, "tag", "origin/main", "agent"), "origin/main", REFUSED),
    "a tag named HEAD": (lambda at: git(at, "tag", "HEAD", "agent"), "HEAD~1", REFUSED),
    "a tag named like a short id": (lambda at: git(at, "tag", id_of(at, "main")[:9], "agent"), SHORT, REFUSED),
    "what leads to no commit": (lambda _: None, "^HEAD", REFUSED),
    "an overwritten file": (lambda at: overwrite(at, "blob", f"main:{FILE}", f"agent:{FILE}"), "main", DAMAGED),
    "an overwritten folder": (lambda at: overwrite(at, "tree", "main:pkg", "agent:pkg"), "main", DAMAGED),
    "an overwritten root": (lambda at: overwrite(at, "tree", "main^{tree}", "agent^{tree}"), "main", DAMAGED),
    "an overwritten commit": (lambda at: overwrite(at, "commit", "main", "agent"), "main", "acceptance.no_revision"),
    "a file that is gone": (lambda at: loose(at, f"main:{FILE}").unlink(), "main", DAMAGED),
    "another work tree": (
        lambda at: git(at, "config", "core.worktree", str(at / "pkg")),
        "main",
        "repository.elsewhere",
    ),
}


@pytest.mark.parametrize("form", ["sha1", "sha256"])
@pytest.mark.parametrize("name", FORGED)
def test_what_forges_a_base_is_refused(name: str, form: str, tmp_path: Path) -> None:
    forge, revision, code = FORGED[name]
    folder = made(tmp_path / "shop", form)
    base = id_of(folder, "main")
    assert (counts(folder, base), counts(folder, "agent")) == (False, True)
    forge(folder)
    with pytest.raises(ProbatumError) as raised:
        counts(folder, base[:9] if revision == SHORT else revision)
    assert (raised.value.code, raised.value.exit_code) == (code, 2)


def test_a_full_id_and_a_full_name_mean_one_commit_whatever_tags_there_are(tmp_path: Path) -> None:
    folder = made(tmp_path / "shop")
    base = id_of(folder, "main")
    for name in ("main", "origin/main", base):
        git(folder, "tag", name, "agent")
    for revision in ("refs/heads/main", "refs/remotes/origin/main", base):
        assert not counts(folder, revision)
    with pytest.raises(UsageError, match="expected one") as raised:
        counts(folder, "main")
    assert "full commit id" in raised.value.hint


def test_parents_that_a_file_claims_are_not_believed(tmp_path: Path) -> None:
    folder = made(tmp_path / "shop")
    other = told(folder, "-c", "user.name=n", "-c", "user.email=e", "commit-tree", "-m", "other", "agent^{tree}")
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "grafts").write_text(f"{id_of(folder, 'agent')} {other}\n")
    git(folder, "replace", "main", other)
    assert not counts(folder, "agent~1")
    with pytest.raises(UsageError) as raised:
        counts(folder, "nowhere")
    assert "graft" not in raised.value.hint


def _submodule(outer: Path, inner: Path) -> None:
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "inner")


# how a repository gets into another one
NESTED: dict[str, Callable[[Path, Path], object]] = {
    "a submodule": _submodule,
    "a copy": lambda outer, inner: shutil.copytree(inner, outer / "inner"),
}


@pytest.mark.parametrize("name", NESTED)
def test_names_of_a_repository_within_another_one_decide_nothing(name: str, tmp_path: Path) -> None:
    outer, inner = made(tmp_path / "outer"), made(tmp_path / "theirs")
    NESTED[name](outer, inner)
    file, own = f"inner/{FILE}", id_of(inner, "agent")
    for revision in ("agent", "HEAD", own[:12], f"{own}~0"):
        with pytest.raises(UsageError, match="lies within") as raised:
            counts(outer, revision, file)
        assert raised.value.code == "acceptance.nested"
        assert all(repr(str(each)) in raised.value.sentence for each in (outer, outer / "inner"))
    # An id means the same everywhere, and what a base accepted is no matter for an earlier version.
    assert counts(outer, own, file)
    assert read_earlier("git:HEAD", str(outer / file), NO_SOURCES)


def test_a_work_tree_of_the_same_repository_has_its_names(tmp_path: Path) -> None:
    folder = made(tmp_path / "shop")
    git(folder, "worktree", "add", "-q", "-b", "next", "trees/next", "agent")
    assert counts(folder / "trees" / "next", "agent")
    assert not counts(folder / "trees" / "next", "main")


def test_a_file_is_found_by_its_whole_path(tmp_path: Path) -> None:
    """What was a file or a repository then has nothing in it."""
    folder = made(tmp_path / "shop")
    git(folder, "rm", "-rq", "pkg")
    (folder / "pkg").write_text("")
    git(folder, "add", "pkg")
    git(folder, "commit", "-qm", "a file")
    git(folder, "rm", "-q", "pkg")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{id_of(folder, 'main')},pkg")
    git(folder, "commit", "-qm", "a repository")
    git(folder, "rm", "-q", "--cached", "pkg")
    git(folder, "checkout", "-qf", "agent~2")
    (folder / FILE).write_text(write_notebook([record(*accepted(GOOD))]))
    assert not any(counts(folder, revision) for revision in ("agent", "agent~1", "agent~3"))
    assert counts(folder, "agent~2")
