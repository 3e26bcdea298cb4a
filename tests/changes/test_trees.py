"""Both versions of a change, read from repositories that git makes here; nothing of theirs is run or written."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from probatum.changes.versions import git_objects, trees
from probatum.changes.versions.trees import ChangeTrees, Tree, TreeFile, trees_of
from probatum.core.errors import ProbatumError

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 5\n"


def git(folder: Path, *words: str, given: bytes = b"") -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *words],
        input=given,
        check=True,
        capture_output=True,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            **dict.fromkeys(("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"), os.devnull),
            **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "n"),
            **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "e@example.org"),
        },
    )
    return done.stdout.decode(errors="replace").strip()


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def made(folder: Path, form: str = "sha1") -> Path:
    """Make a repository with one commit on main, and one on the branch at hand after it."""
    folder.mkdir()
    git(folder, "init", "-q", f"--object-format={form}")
    (folder / "pkg").mkdir()
    (folder / "pkg" / "a.py").write_bytes(b"x = 1\n")
    (folder / "run.sh").write_bytes(b"true\n")
    (folder / "run.sh").chmod(0o755)
    commit(folder, "one")
    git(folder, "switch", "-qc", "work")
    (folder / "pkg" / "a.py").write_bytes(b"x = 2\n")
    commit(folder, "two\n\nwith a body")
    return folder


@pytest.fixture(autouse=True)
def no_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git finds no configuration of a user."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return made(tmp_path / "a shop")


def state_of(folder: Path) -> dict[str, str]:
    """What is on disk, the index and all that git holds included."""
    found = {}
    for top, _, names in os.walk(os.fsencode(folder)):
        for name in names:
            place = os.path.join(top, name)
            status = os.lstat(place)
            is_read = stat.S_ISREG(status.st_mode) and os.access(place, os.R_OK)
            content = Path(os.fsdecode(place)).read_bytes() if is_read else b""
            found[repr(place)] = f"{status.st_mode} {status.st_mtime_ns} {hashlib.sha256(content).hexdigest()}"
    return found


def read(folder: Path, named: str = "") -> ChangeTrees:
    """Read both versions; whatever comes of it, everything on disk is as before."""
    before = state_of(folder)
    try:
        return trees_of(named, folder)
    finally:
        assert state_of(folder) == before


def error_of(folder: Path, named: str = "") -> ProbatumError:
    with pytest.raises(ProbatumError) as raised:
        read(folder, named)
    return raised.value


# name: content of pkg/a.py in base and head, names for people, messages
NAMES: dict[str, tuple[bytes, bytes, str, str, tuple[str, ...]]] = {
    "": (b"x = 1\n", b"x = 3\n", "main", "the work tree", ("two\n\nwith a body",)),
    "HEAD": (b"x = 2\n", b"x = 3\n", "HEAD", "the work tree", ()),
    "main": (b"x = 1\n", b"x = 3\n", "main", "the work tree", ("two\n\nwith a body",)),
    "main..": (b"x = 1\n", b"x = 2\n", "main", "HEAD", ("two\n\nwith a body",)),
    "main..work": (b"x = 1\n", b"x = 2\n", "main", "work", ("two\n\nwith a body",)),
    "..main": (b"x = 2\n", b"x = 1\n", "HEAD", "main", ()),
    "main...work": (b"x = 1\n", b"x = 2\n", "main", "work", ("two\n\nwith a body",)),
}


@pytest.mark.parametrize("form", ["sha1", "sha256"])
@pytest.mark.parametrize("named", NAMES)
def test_what_a_name_means(named: str, form: str, tmp_path: Path) -> None:
    shop = made(tmp_path / "shop", form)
    (shop / "pkg" / "a.py").write_bytes(b"x = 3\n")
    base, head, base_name, head_name, messages = NAMES[named]
    found = read(shop / "pkg", named)
    assert (found.base.contents["pkg/a.py"], found.head.contents["pkg/a.py"]) == (base, head)
    assert (found.base_name, found.head_name, found.messages) == (base_name, head_name, messages)
    assert (found.root, bool(found.head_commit)) == (shop, ".." in named)
    assert found.base.files["run.sh"] == TreeFile(b"true\n", is_executable=True)


def test_three_dots_compare_with_what_both_have_in_common(shop: Path) -> None:
    git(shop, "switch", "-q", "main")
    (shop / "new.py").write_bytes(b"")
    commit(shop, "three")
    two, three = read(shop, "main..work"), read(shop, "main...work")
    assert ("new.py" in two.base.files, "new.py" in three.base.files) == (True, False)
    assert (two.base_name, three.base_name) == ("main", git(shop, "rev-parse", "main~1")[:12])


def test_a_full_id_is_told_by_its_beginning(shop: Path) -> None:
    base = git(shop, "rev-parse", "main")
    assert (read(shop, base).base_name, read(shop, base).base_commit) == (base[:12], base)


# branches that there are, where HEAD is, the base
DEFAULTS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "the remote's own before all": (("refs/remotes/origin/dev", "refs/remotes/origin/main"), "dev", "origin/dev"),
    "a remote main before a local one": (("refs/remotes/origin/main",), "", "origin/main"),
    "a local main": ((), "", "main"),
    "none of the usual names": ((), "gone", "HEAD"),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_branch(name: str, shop: Path) -> None:
    branches, special, expected = DEFAULTS[name]
    for branch in branches:
        git(shop, "update-ref", branch, "main")
    if special == "dev":
        git(shop, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/dev")
    if special == "gone":
        git(shop, "branch", "-m", "main", "old")
    assert read(shop).base_name == expected


def test_on_the_default_branch_itself_the_base_is_head(shop: Path) -> None:
    git(shop, "switch", "-q", "main")
    assert read(shop).base_commit == git(shop, "rev-parse", "HEAD")


def test_a_detached_head_is_read_like_any_other(shop: Path) -> None:
    git(shop, "switch", "-q", "--detach")
    assert read(shop).base_name == "main"


def test_the_work_tree_is_what_is_on_disk(shop: Path) -> None:
    (shop / ".gitignore").write_bytes(b"secret\n")
    (shop / "secret").write_bytes(b"")
    (shop / "staged.py").write_bytes(b"1")
    git(shop, "add", "staged.py")
    (shop / "staged.py").write_bytes(b"2\r\n")
    (shop / "run.sh").chmod(0o644)
    (shop / "pkg" / "a.py").unlink()
    (shop / "with space \xe9.py").write_bytes(b"3")
    Path(os.fsdecode(bytes(shop) + b"/\xff\n.bin")).write_bytes(b"\0\xff")
    found = read(shop).head
    assert found.contents == {
        ".gitignore": b"secret\n",
        "run.sh": b"true\n",
        "staged.py": b"2\r\n",
        "with space \xe9.py": b"3",
        os.fsdecode(b"\xff\n.bin"): b"\0\xff",
    }
    assert (list(found.files), found.left_out) == (sorted(found.files), ())
    assert not found.files["run.sh"].is_executable
    commit(shop, "all of it")
    assert read(shop, "..HEAD").head == read(shop).head == found


# attributes, setting of core.autocrlf, content on disk of a file that is committed with LF; is it the committed one?
ENDINGS: dict[str, tuple[str, str, bytes, bool]] = {
    "git writes CRLF for this file": ("*.py eol=crlf", "", b"x = 2\r\n", True),
    "git writes CRLF for text": ("* text=auto", "", b"x = 2\r\n", True),
    "git writes CRLF as it is set": ("", "true", b"x = 2\r\n", True),
    "and more differs": ("* text=auto", "", b"x = 3\r\n", False),
    "git leaves line endings alone": ("", "", b"x = 2\r\n", False),
    "git leaves them alone in this file": ("*.py -text", "true", b"x = 2\r\n", False),
    "git leaves them alone in this file, eol": ("*.py -text eol=crlf", "", b"x = 2\r\n", False),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_line_endings_that_git_itself_writes_are_no_change(name: str, shop: Path) -> None:
    attributes, setting, content, is_committed = ENDINGS[name]
    put(shop / ".gitattributes", attributes.encode())
    if setting:
        git(shop, "config", "core.autocrlf", setting)
    (shop / "pkg" / "a.py").write_bytes(content)
    assert read(shop).head.contents["pkg/a.py"] == (b"x = 2\n" if is_committed else content)
    git(shop, "add", "-A")
    assert (git(shop, "diff", "--cached", "--name-only", "pkg") == "") == is_committed


def test_a_repository_that_does_not_trust_modes_has_those_of_the_index(shop: Path) -> None:
    git(shop, "config", "core.fileMode", "false")
    (shop / "run.sh").chmod(0o644)
    (shop / "pkg" / "a.py").chmod(0o755)
    files = read(shop).head.files
    assert (files["run.sh"].is_executable, files["pkg/a.py"].is_executable) == (True, False)


def test_what_a_sparse_checkout_leaves_away_is_not_deleted(shop: Path) -> None:
    git(shop, "update-index", "--skip-worktree", "run.sh", "pkg/a.py")
    (shop / "run.sh").unlink()
    (shop / "pkg" / "a.py").write_bytes(b"edited")
    files = read(shop).head.files
    assert (files["run.sh"], files["pkg/a.py"].content) == (TreeFile(b"true\n", True), b"edited")


# what is put into the work tree, with its reason if it is left out; a file of this name exists otherwise
SPECIAL: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a compiled file": (lambda at: (at / "a.pyc").write_bytes(b""), "a.pyc", "compiled"),
    "a folder of compiled files": (lambda at: put(at / "__pycache__" / "a.txt"), "__pycache__/a.txt", "compiled"),
    "a pointer": (lambda at: (at / "big.bin").write_bytes(POINTER), "big.bin", "Git LFS pointer"),
    "a large file": (lambda at: (at / "b").write_bytes(b"0" * 2_001), "b", "larger than 32 MiB"),
    "as large as allowed": (lambda at: (at / "b").write_bytes(b"0" * 2_000), "b", ""),
    "a link inside": (lambda at: (at / "pkg" / "l").symlink_to("../run.sh"), "pkg/l", ""),
    "a link to nothing": (lambda at: (at / "l").symlink_to("nothing/there"), "l", ""),
    "a link to the root": (lambda at: (at / "pkg" / "l").symlink_to(".."), "pkg/l", ""),
    "a link out": (lambda at: (at / "pkg" / "l").symlink_to("../../x"), "pkg/l", "link out of the repository"),
    "a link out by another": (lambda at: (at / "l").symlink_to("p/../x"), "l", "link out of the repository"),
    "an absolute link": (lambda at: (at / "l").symlink_to(at / "run.sh"), "l", "link out of the repository"),
}


def put(place: Path, content: bytes = b"") -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


@pytest.mark.parametrize("name", SPECIAL)
def test_what_is_left_out_is_told_of_both_versions(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "LARGEST_BYTES", 2_000)
    put_there, path, why = SPECIAL[name]
    shop = made(tmp_path / "shop")
    put_there(shop)
    on_disk = read(shop).head
    assert on_disk.left_out == (((path, why),) if why else ())
    assert (path in on_disk.files) == (why in {"", "Git LFS pointer"})
    commit(shop, "with it")
    assert read(shop, "..HEAD").head == on_disk


def test_submodules_and_other_repositories_are_left_out(shop: Path, tmp_path: Path) -> None:
    other = made(tmp_path / "other")
    git(shop, "submodule", "--quiet", "add", str(other), "sub")
    shutil.copytree(other, shop / "copied")
    assert read(shop).head.left_out == (("copied", "another repository"), ("sub", "submodule"))
    git(shop, "commit", "-qm", "with it")
    assert read(shop, "..HEAD").head.left_out == (("sub", "submodule"),)
    assert error_of(shop / "sub", "HEAD").code == "change.nested"
    assert read(shop / "sub", git(other, "rev-parse", "main")).base.contents["pkg/a.py"] == b"x = 1\n"


def test_a_tracked_file_behind_a_link_is_not_read(shop: Path, tmp_path: Path) -> None:
    put(tmp_path / "outside" / "a.py", b"secret")
    shutil.rmtree(shop / "pkg")
    (shop / "pkg").symlink_to(tmp_path / "outside")
    head = read(shop).head
    assert (list(head.files), head.left_out) == (["run.sh"], (("pkg", "link out of the repository"),))


def test_a_tracked_file_that_became_something_else(shop: Path) -> None:
    (shop / "run.sh").unlink()
    os.mkfifo(shop / "run.sh")
    assert read(shop).head.left_out == (("run.sh", "not a regular file"),)
    (shop / "run.sh").unlink()
    put(shop / "run.sh" / "inner", b"i")
    assert read(shop).head.contents == {"pkg/a.py": b"x = 2\n", "run.sh/inner": b"i"}


def _conflict(shop: Path) -> None:
    git(shop, "switch", "-q", "main")
    (shop / "pkg" / "a.py").write_bytes(b"x = 9\n")
    commit(shop, "other")
    with pytest.raises(subprocess.CalledProcessError):
        git(shop, "merge", "work")


def _unrelated(shop: Path) -> None:
    git(shop, "switch", "-q", "--orphan", "pages")
    commit(shop, "alone")


def _crossed(shop: Path) -> None:
    left = git(shop, "commit-tree", "-m", "l", "-p", "main", "main^{tree}")
    ours = git(shop, "commit-tree", "-m", "m", "-p", left, "-p", "work", "work^{tree}")
    theirs = git(shop, "commit-tree", "-m", "m", "-p", "work", "-p", left, "work^{tree}")
    git(shop, "update-ref", "refs/heads/main", ours)
    git(shop, "update-ref", "refs/heads/work", theirs)


def _loose(shop: Path, name: str) -> Path:
    found = git(shop, "rev-parse", name)
    place = shop / ".git" / "objects" / found[:2] / found[2:]
    place.chmod(0o644)
    return place


def _replace(shop: Path, kind: str, name: str, content: bytes) -> None:
    _loose(shop, name).write_bytes(zlib.compress(f"{kind} {len(content)}\0".encode() + content))


def _tree(shop: Path, *rows: bytes) -> None:
    """Commit a tree that git would not make itself."""
    name = git(shop, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=b"".join(rows))
    made_there = git(shop, "commit-tree", "-m", "forged", "-p", "work", name)
    git(shop, "update-ref", "refs/heads/main", made_there)


EMPTY = bytes.fromhex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")

# what is done to the repository, the name that is given, and the code of the error
BAD: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no repository": (lambda at: shutil.rmtree(at / ".git"), "", "change.no_repository"),
    "a branch without a commit": (lambda at: git(at, "switch", "-q", "--orphan", "new"), "", "change.no_commit"),
    "no such revision": (lambda _: None, "nowhere", "change.no_revision"),
    "no such head": (lambda _: None, "main..nowhere", "change.no_revision"),
    "an id that is not there": (lambda _: None, "0" * 40, "change.no_revision"),
    "a file in place of a revision": (lambda _: None, "HEAD:run.sh", "change.no_revision"),
    "an option": (lambda _: None, "--help", "change.revision"),
    "a null character": (lambda _: None, "HEAD\0", "change.revision"),
    "what is no text": (lambda _: None, "\ud800", "against.git_failed"),
    "a tag named like a branch": (lambda at: git(at, "tag", "main", "work"), "main", "change.revision"),
    "conflicts in the index": (_conflict, "", "change.conflicts"),
    "unrelated histories": (_unrelated, "", "change.no_base"),
    "unrelated histories, three dots": (_unrelated, "main...pages", "change.no_base"),
    "several merge bases": (_crossed, "", "change.several_bases"),
    "several merge bases, three dots": (_crossed, "main...work", "change.several_bases"),
    "a file that is gone": (lambda at: _loose(at, "main:pkg/a.py").unlink(), "", "repository.damaged"),
    "another file": (lambda at: _replace(at, "blob", "main:pkg/a.py", b"x = 7\n"), "", "repository.damaged"),
    "another file of one size": (
        lambda at: _replace(at, "blob", "main:pkg/a.py", b"x = 7\n"),
        "",
        "repository.damaged",
    ),
    "a folder that is gone": (lambda at: _loose(at, "main:pkg").unlink(), "", "repository.damaged"),
    "an emptied folder": (lambda at: _replace(at, "tree", "main:pkg", b""), "", "repository.damaged"),
    "a broken object": (lambda at: _loose(at, "main:pkg/a.py").write_bytes(b"no"), "", "repository.damaged"),
    "a broken index": (lambda at: (at / ".git" / "index").write_bytes(b"no"), "", "repository.damaged"),
    "a tree that leads out": (lambda at: _tree(at, b"100644 ..\0" + EMPTY), "main", "repository.damaged"),
    "a tree that leads into git": (lambda at: _tree(at, b"100644 .GIT\0" + EMPTY), "main", "repository.damaged"),
    "a path in a tree": (lambda at: _tree(at, b"100644 a/../../b\0" + EMPTY), "main", "repository.damaged"),
    "one name twice": (lambda at: _tree(at, *[b"100644 a\0" + EMPTY] * 2), "main", "repository.damaged"),
    "a tree that is none": (lambda at: _tree(at, b"100644 a"), "main", "repository.damaged"),
    "a very long name": (lambda at: _tree(at, b"100644 " + b"a" * 256 + b"\0" + EMPTY), "main", "change.too_large"),
    "work tree elsewhere": (lambda at: git(at, "config", "core.worktree", str(at / "pkg")), "", "repository.elsewhere"),
    "set to bare": (lambda at: git(at, "config", "core.bare", "true"), "", "change.no_work_tree"),
    "a format of later": (lambda at: git(at, "config", "core.repositoryFormatVersion", "9"), "", "change.git_refused"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_has_a_name(name: str, shop: Path) -> None:
    spoil, named, code = BAD[name]
    spoil(shop)
    error = error_of(shop, named)
    assert (error.code, error.exit_code) == (code, {"change.too_large": 3}.get(code, 4 if "git_" in code else 2))
    assert "Traceback" not in str(error)


def test_a_bare_repository_has_no_work_tree(shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(shop), "bare")
    assert error_of(tmp_path / "bare").code == error_of(shop / ".git").code == "change.no_work_tree"


def test_a_shallow_clone_says_how_to_fetch_the_rest(shop: Path, tmp_path: Path) -> None:
    git(shop, "switch", "-q", "main")
    (shop / "more").write_bytes(b"")
    commit(shop, "three")
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{shop}", "part")
    part = tmp_path / "part"
    git(part, "switch", "-q", "work")
    for named, code in (("", "change.no_base"), ("HEAD~1", "change.no_revision"), ("main...work", "change.no_base")):
        error = error_of(part, named)
        assert (error.code, "--unshallow" in error.hint) == (code, True)
    assert read(part, "HEAD").base == read(part, "HEAD").head


def test_a_merge_in_progress_without_conflicts_is_read(shop: Path) -> None:
    git(shop, "switch", "-q", "main")
    (shop / "more").write_bytes(b"")
    commit(shop, "three")
    git(shop, "merge", "-q", "--no-commit", "--no-ff", "work")
    assert read(shop).head.contents["pkg/a.py"] == b"x = 2\n"


def test_a_second_work_tree_is_read_as_its_own(shop: Path) -> None:
    git(shop, "worktree", "add", "-q", "inner", "main")
    found = read(shop / "inner", "work")
    assert (found.root, found.head.contents["pkg/a.py"]) == (shop / "inner", b"x = 1\n")
    assert read(shop).head.left_out == (("inner", "another repository"),)


def test_a_repository_within_another_gives_no_names(shop: Path) -> None:
    inner = made(shop / "inner")
    for named in ("", "main", "main..work"):
        assert error_of(inner, named).code == "change.nested"
    assert read(inner, git(inner, "rev-parse", "main")).base.contents["pkg/a.py"] == b"x = 1\n"


def test_without_git_nothing_is_attempted(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(shop))
    error = error_of(shop)
    assert (error.code, error.exit_code) == ("against.no_git", 4)


def test_nothing_that_the_repository_names_is_run(shop: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    program = shop / "program"
    program.write_text(f"#!/bin/sh\necho >> '{ran}'\ncat\n")
    program.chmod(0o755)
    put(shop / ".gitattributes", b"* filter=f diff=d merge=m\n")
    for key in (
        *(
            "filter.f.clean",
            "filter.f.smudge",
            "filter.f.process",
            "diff.d.textconv",
            "diff.external",
            "core.fsmonitor",
        ),
        *("core.pager", "core.editor", "core.sshCommand", "gpg.program", "core.gitProxy", "core.askPass"),
        *("core.alternateRefsCommand", "uploadpack.packObjectsHook", "remote.origin.uploadpack", "alias.cat-file"),
    ):
        git(shop, "config", key, str(program))
    for key in ("log.showSignature", "core.untrackedCache"):
        git(shop, "config", key, "true")
    git(shop, "config", "core.hooksPath", str(shop / "hooks"))
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        put(shop / "hooks" / hook, program.read_bytes())
        (shop / "hooks" / hook).chmod(0o755)
    os.utime(shop / "run.sh", (0, 0))
    found = read(shop)
    assert found.head.contents["run.sh"] == b"true\n"
    read(shop, "main...work")
    assert not ran.exists()


def test_a_promised_object_is_not_fetched(shop: Path, tmp_path: Path) -> None:
    git(shop, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{shop}", "part")
    error = error_of(tmp_path / "part", "HEAD")
    assert (error.code, "--refetch" in error.hint) == ("repository.damaged", True)


def test_variables_of_the_environment_lead_nowhere_else(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = made(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert read(shop).root == shop


def test_grafts_and_replacements_are_not_believed(shop: Path) -> None:
    base = git(shop, "rev-parse", "main")
    other = git(shop, "commit-tree", "-m", "other", "work^{tree}")
    git(shop, "replace", base, other)
    put(shop / ".git" / "info" / "grafts", f"{git(shop, 'rev-parse', 'work')} {other}\n".encode())
    assert read(shop).base.contents["pkg/a.py"] == b"x = 1\n"


@pytest.mark.parametrize(("limit", "most"), [("MOST_FILES", 1), ("MOST_BYTES", 6), ("MOST_ENTRIES", 2)])
@pytest.mark.parametrize("named", ["", "main..work"])
def test_more_than_the_budget_is_refused(
    limit: str, most: int, named: str, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_objects if limit == "MOST_ENTRIES" else trees, limit, most)
    error = error_of(shop, named)
    assert (error.code, error.exit_code, ".gitignore" in error.hint) == ("change.too_large", 3, True)


def test_a_tree_that_holds_itself_many_times_ends(shop: Path) -> None:
    name = git(shop, "mktree", given=b"")
    for _ in range(12):
        rows = "".join(f"040000 tree {name}\t{letter}\n" for letter in "abcdefgh")
        name = git(shop, "mktree", given=rows.encode())
    git(shop, "update-ref", "refs/heads/main", git(shop, "commit-tree", "-m", "many", "-p", "work", name))
    assert error_of(shop, "main..work").code == "change.too_large"


def test_a_file_that_changes_while_it_is_read_is_told(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = os.fstat

    def later(handle: int) -> os.stat_result:
        status = list(seen(handle))
        status[stat.ST_SIZE] += 1
        return os.stat_result(status)

    monkeypatch.setattr(os, "fstat", later)
    with pytest.raises(ProbatumError) as raised:
        trees_of("", shop)
    assert raised.value.code == "change.unsettled"


def test_a_file_that_cannot_be_read_is_told(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def refusing(path: str | Path, flags: int) -> int:
        if str(path).endswith("run.sh"):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    monkeypatch.setattr(os, "open", refusing)
    error = error_of(shop)
    assert (error.code, error.exit_code) == ("change.unreadable", 4)


def test_a_file_that_vanishes_is_absent(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "_untracked", lambda _: ["vanished.py"])
    assert "vanished.py" not in trees_of("", shop).head.files


# two trees, and whether they are one
DIGESTS: dict[str, tuple[dict[str, TreeFile], dict[str, TreeFile], bool]] = {
    "another order": ({"a": TreeFile(b""), "b": TreeFile(b"")}, {"b": TreeFile(b""), "a": TreeFile(b"")}, True),
    "another content": ({"a": TreeFile(b"1")}, {"a": TreeFile(b"2")}, False),
    "another name": ({"a": TreeFile(b"1")}, {"b": TreeFile(b"1")}, False),
    "executable": ({"a": TreeFile(b"1")}, {"a": TreeFile(b"1", is_executable=True)}, False),
    "a link to what it held": ({"a": TreeFile(b"1")}, {"a": TreeFile(b"", link="1")}, False),
    "names that are no text": ({"\udcff": TreeFile(b"")}, {"\udcfe": TreeFile(b"")}, False),
    "a lone surrogate": ({"\ud800": TreeFile(b"")}, {"\ud800": TreeFile(b"")}, True),
    "one more": ({}, {"a": TreeFile(b"")}, False),
}


@pytest.mark.parametrize("name", DIGESTS)
def test_the_digest_is_of_what_is_in_the_tree(name: str) -> None:
    one, other, is_one = DIGESTS[name]
    assert (Tree(one).digest == Tree(other).digest) == is_one


def test_five_thousand_changed_files_take_seconds(shop: Path) -> None:
    for number in range(5_000):
        put(shop / f"d{number % 50}" / f"f{number}.py", b"x = %d\n" % number)
    commit(shop, "many")
    for number in range(5_000):
        put(shop / f"d{number % 50}" / f"f{number}.py", b"y = %d\n" % number)
    start = time.perf_counter()
    found = trees_of("HEAD", shop)
    taken = time.perf_counter() - start
    assert len(found.base.files) == len(found.head.files) == 5_002
    assert found.base.digest != found.head.digest
    assert taken < 10
