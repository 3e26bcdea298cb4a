"""Both versions of a change as values: every file of a commit, or of the work tree as it is on disk, byte for byte.

Nothing of the repository is run or written: no filters, so a Git LFS pointer stays one. Only where git itself would
take a file with CRLF for the committed one with LF, it is that. What is left out is listed with its reason: compiled
files, submodules, links that lead out, what is too large.
Refuses by name conflicts in the index, a file that cannot be read or that changes meanwhile, and more than the budget.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from probatum.changes.versions.git_objects import LARGEST_BYTES, GitObjects, require_path, too_large
from probatum.changes.versions.repository import asked, damaged, id_of
from probatum.changes.versions.revisions_named import commits_between, range_named
from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError, UsageError, reason_of
from probatum.core.limits import MEBIBYTE

MOST_FILES: Final = 100_000
MOST_BYTES: Final = 512 * MEBIBYTE
_LONGEST_LINK: Final = 4_095
_LFS: Final = b"version https://git-lfs.github.com/spec/v1\n"
_LONGEST_POINTER: Final = 1_024
_FILE, _EXECUTABLE, _LINK, _SUBMODULE = "100644", "100755", "120000", "160000"
_OLD_FILE: Final = "100664"

COMPILED: Final = "compiled"
POINTER: Final = "Git LFS pointer"
SUBMODULE: Final = "submodule"
REPOSITORY: Final = "another repository"
LINK_OUT: Final = "link out of the repository"
NO_FILE: Final = "not a regular file"
LARGE: Final = f"larger than {LARGEST_BYTES // MEBIBYTE} MiB"


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file, or a symbolic link where ``link`` says to what; a link has no content."""

    content: bytes
    is_executable: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Tree:
    """One version: files by path from the root, in the order of their paths, and what is left out with the reason.

    A Git LFS pointer is listed as left out and is a file all the same: what it points to is not there.
    """

    files: Mapping[str, TreeFile]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """The digest of all paths, kinds and contents; what is left out is not in it."""
        rows = sorted(_manifest_row(path, file) for path, file in self.files.items())
        return digest_of(canonical_bytes({"format": "probatum/tree/v1", "files": rows}))

    @property
    def contents(self) -> Mapping[str, bytes]:
        """The bytes of everything but links, by path."""
        return {path: file.content for path, file in self.files.items() if not file.link}


@dataclass(frozen=True, slots=True)
class ChangeTrees:
    """Both versions of one change, and what its commits say."""

    root: Path
    base: Tree
    head: Tree
    base_commit: str
    head_commit: str
    """Empty for the work tree."""
    base_name: str
    head_name: str
    messages: tuple[str, ...]
    """Of the commits after the base, the oldest first; of the work tree those up to HEAD."""


def trees_of(named: str, place: Path) -> ChangeTrees:
    """Return both versions of ``BASE``, ``BASE..HEAD`` or ``BASE...HEAD``; no name and BASE mean the work tree.

    ``place`` is a folder in the repository. Raises UsageError as `range_named`, for conflicts and for damaged objects;
    BudgetError for too many or too large files; NotAttemptedError without git and for files that cannot be read.
    """
    meant = range_named(named, place)
    with GitObjects(meant.root) as objects:
        base = _committed(objects, meant.base)
        head = _committed(objects, meant.head) if meant.head else _on_disk(objects, meant.root, base)
        messages = tuple(map(objects.message_of, commits_between(meant.base, meant.tip, meant.root)))
    return ChangeTrees(meant.root, base, head, meant.base, meant.head, meant.base_name, meant.head_name, messages)


class _Collecting:
    """The files of one tree so far, within the budget."""

    def __init__(self, objects: GitObjects, other: Mapping[str, TreeFile] | None = None) -> None:
        """Begin with no file; content that the other version has at the same path is held once."""
        self._objects = objects
        self._other = other or {}
        self._files: dict[str, TreeFile] = {}
        self._left_out: list[tuple[str, str]] = []
        self._bytes = 0

    def add(self, path: str, content: bytes, is_executable: bool) -> None:
        self._count(len(content))
        other = self._other.get(path)
        self._files[path] = TreeFile(other.content if other and other.content == content else content, is_executable)
        if len(content) < _LONGEST_POINTER and content.startswith(_LFS):
            self.leave(path, POINTER)

    def add_link(self, path: str, target: str) -> None:
        self._count(len(target))
        if _stays_inside(path, target):
            self._files[path] = TreeFile(b"", link=target)
        else:
            self.leave(path, LINK_OUT)

    def add_object(self, path: str, mode: str, name: str) -> None:
        """Add what git holds at a path; its size has been measured."""
        if self._objects.size_of(name) > LARGEST_BYTES:
            self.leave(path, LARGE)
        elif mode == _LINK:
            self.add_link(path, os.fsdecode(self._objects.blob(name)))
        else:
            self.add(path, self._objects.blob(name), mode == _EXECUTABLE)

    def leave(self, path: str, why: str) -> None:
        self._left_out.append((path, why))

    def with_line_endings_of_git(self, root: Path, names: Mapping[str, str]) -> None:
        """Take files for those with these ids where nothing but the ends of their lines differs, and git allows it."""
        plain = {}
        for path in names.keys() & self._files.keys():
            content, name = self._files[path].content, names[path]
            if b"\r\n" in content and id_of("blob", content, name) != name:
                plain[path] = content.replace(b"\r\n", b"\n")
        for path in _converted(
            root, [path for path in plain if id_of("blob", plain[path], names[path]) == names[path]]
        ):
            self._files[path] = TreeFile(plain[path], self._files[path].is_executable)

    def tree(self) -> Tree:
        return Tree(dict(sorted(self._files.items())), tuple(sorted(self._left_out)))

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._bytes > MOST_BYTES:
            raise too_large(f"One version has more than {MOST_BYTES // MEBIBYTE} MiB.")
        if len(self._files) >= MOST_FILES:
            raise too_large(f"One version has more than {MOST_FILES:,} files.")


def _committed(objects: GitObjects, commit: str) -> Tree:
    found = _Collecting(objects)
    wanted: dict[str, tuple[str, str]] = {}
    for path, (mode, name) in objects.files_of(commit).items():
        why = _why_not(path, mode)
        if why:
            found.leave(path, why)
        else:
            wanted[path] = mode, name
    objects.measure(name for _, name in wanted.values())
    for path, (mode, name) in wanted.items():
        found.add_object(path, mode, name)
    return found.tree()


def _on_disk(objects: GitObjects, root: Path, base: Tree) -> Tree:
    found = _Collecting(objects, base.files)
    indexed = _indexed(root)
    # What a sparse checkout does not lay out is as it was committed.
    sparse = {path for path, (tag, _, _) in indexed.items() if tag == "S" and not os.path.lexists(root / path)}
    objects.measure(indexed[path][2] for path in sparse if not _why_not(path, indexed[path][1]))
    believes_modes = asked(root, "config", "--type=bool", "--get", "core.fileMode") != b"false\n"
    folders = {root: True}
    for path in sorted({*indexed, *_untracked(root)}):
        require_path(os.fsencode(path.removesuffix("/")))
        _, mode, name = indexed.get(path, ("", _FILE, ""))
        why = REPOSITORY if path.endswith("/") else _why_not(path, mode)
        if why:
            found.leave(path.removesuffix("/"), why)
        elif path in sparse:
            found.add_object(path, mode, name)
        elif _is_reached((root / path).parent, folders):
            _read_into(found, root / path, path, None if believes_modes or not name else mode == _EXECUTABLE)
    found.with_line_endings_of_git(root, {path: name for path, (_, mode, name) in indexed.items() if mode != _LINK})
    return found.tree()


def _converted(root: Path, paths: list[str]) -> list[str]:
    """Return which files git writes to disk with other line endings than it holds, as attributes and settings say."""
    if not paths:
        return []
    given = os.fsencode("".join(f"{path}\0" for path in paths))
    told = asked(root, "check-attr", "-z", "--stdin", "text", "eol", given=given)
    if isinstance(told, str):
        raise damaged(f"The attributes of files in {str(root)!r} cannot be read.", f"git says: {told}")
    words = os.fsdecode(told).split("\0")
    values = {(path, key): value for path, key, value in zip(words[::3], words[1::3], words[2::3], strict=False)}
    setting = asked(root, "config", "--get", "core.autocrlf") in {b"true\n", b"input\n"}
    return [
        path
        for path in paths
        if values[path, "text"] in ({"set", "auto", "unspecified"} if setting else {"set", "auto"})
        or (values[path, "text"] == "unspecified" and values[path, "eol"] in {"crlf", "lf"})
    ]


def _read_into(found: _Collecting, place: Path, path: str, executable: bool | None) -> None:
    """Add what is at a place on disk, if anything is."""
    try:
        status = place.lstat()
        if stat.S_ISLNK(status.st_mode):
            found.add_link(path, os.readlink(place))
        elif stat.S_ISREG(status.st_mode):
            if status.st_size > LARGEST_BYTES:
                found.leave(path, LARGE)
            else:
                is_executable = bool(status.st_mode & stat.S_IXUSR) if executable is None else executable
                found.add(path, _content(place), is_executable)
        elif not stat.S_ISDIR(status.st_mode):
            found.leave(path, NO_FILE)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise NotAttemptedError("change.unreadable", f"{str(place)!r} cannot be read: {reason_of(error)}.") from error


def _content(place: Path) -> bytes:
    """Return the bytes of a regular file; raises NotAttemptedError where it is not the same before and after."""
    # Nothing that was put in its place meanwhile is followed or waited for.
    with open(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        before = os.fstat(file.fileno())
        content = file.read(LARGEST_BYTES + 1) if stat.S_ISREG(before.st_mode) else b""
        after = os.fstat(file.fileno())
    is_same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    if not (is_same and stat.S_ISREG(before.st_mode) and len(content) == before.st_size):
        hint = "Run this again when nothing writes to it."
        raise NotAttemptedError("change.unsettled", f"{str(place)!r} changed while it was read.", hint)
    return content


def _indexed(root: Path) -> dict[str, tuple[str, str, str]]:
    """Return tag, mode and id of every path in the index; raises UsageError for conflicts."""
    found: dict[str, tuple[str, str, str]] = {}
    conflicts = set()
    for row in _listed(root, "-t", "--stage"):
        head, _, path = row.partition("\t")
        tag, mode, name, stage = head.split(" ")
        found[path] = tag, mode, name
        if stage != "0":
            conflicts.add(path)
    if conflicts:
        what = f"The index has conflicts in {len(conflicts)} {'file' if len(conflicts) == 1 else 'files'}"
        hint = "Resolve them, then run: git add FILE"
        raise UsageError("change.conflicts", f"{what}, such as {min(conflicts)!r}.", hint)
    return found


def _untracked(root: Path) -> list[str]:
    return _listed(root, "--others", "--exclude-standard")


def _listed(root: Path, *words: str) -> list[str]:
    told = asked(root, "ls-files", "-z", *words)
    if isinstance(told, str):
        raise damaged(f"The index of {str(root)!r} cannot be read.", f"git says: {told}")
    rows = os.fsdecode(told).split("\0")[:-1]
    if len(rows) > MOST_FILES:
        raise too_large(f"The work tree has more than {MOST_FILES:,} files.")
    return rows


def _is_reached(folder: Path, known: dict[Path, bool]) -> bool:
    """Return whether no link is on the way to a folder; what lies behind one is no file of the tree, as git has it."""
    passed = []
    while folder not in known:
        passed.append(folder)
        folder = folder.parent
    reached = known[folder]
    for each in reversed(passed):
        reached = reached and not each.is_symlink()
        known[each] = reached
    return reached


def _why_not(path: str, mode: str) -> str:
    """Return why what git lists is left out, if it is."""
    if path.endswith((".pyc", ".pyo")) or "__pycache__" in path.split("/"):
        return COMPILED
    if mode == _SUBMODULE:
        return SUBMODULE
    return "" if mode in {_FILE, _OLD_FILE, _EXECUTABLE, _LINK} else NO_FILE


def _stays_inside(path: str, target: str) -> bool:
    """Return whether a link leads to a place in the tree, whether or not something is there.

    It may go up from its own folder and then down: on the way down are only folders and links that stay inside
    themselves. One that goes up again could pass another link, and is taken for one that leads out.
    """
    parts = [part for part in target.split("/") if part not in {"", "."}]
    up = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
    is_path = 0 < len(target) <= _LONGEST_LINK and not target.startswith("/") and "\0" not in target
    return is_path and up <= path.count("/") and ".." not in parts[up:]


def _manifest_row(path: str, file: TreeFile) -> list[str]:
    kind = "link" if file.link else "executable" if file.is_executable else "file"
    content = _exact(file.link) if file.link else file.content
    # Paths need not be text; every one has its bytes.
    return [_exact(path).hex(), kind, digest_of(content)]


def _exact(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
