"""Objects of a git repository by id: one git answers for all of them, and each is hashed against its id.

Refuses by name what cannot be believed or laid out: an object that is missing or damaged, a folder whose names lead
out of it, a path that no file system takes, and more than the budget.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from threading import Timer
from typing import Final

from probatum.changes.versions.repository import asked, command_of, damaged, id_of, no_answer, no_git, surroundings
from probatum.core.errors import BudgetError, UsageError
from probatum.core.limits import MEBIBYTE

LARGEST_BYTES: Final = 32 * MEBIBYTE
MOST_ENTRIES: Final = 200_000
"""So many files and folders of one commit are looked at; a folder counts wherever it stands again."""
_LONGEST_NAME: Final = 255
_LONGEST_PATH: Final = 3_000
_LONGEST_MESSAGE: Final = 65_536
_PATIENCE_SECONDS: Final = 120.0

FOLDER: Final = "40000"
_ENTRIES: Final = {
    digits: re.compile(rb"0?([0-7]{5,6}) ([^\0]+)\0(.{%d})" % (digits // 2), re.DOTALL) for digits in (40, 64)
}
_TREE_LINE: Final = re.compile(rb"tree ([0-9a-f]{40}|[0-9a-f]{64})\n")


class GitObjects:
    """The objects of one repository, while it is open; raises UsageError for what is missing or damaged."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, list[tuple[str, bytes, str]]] = {}
        self._blobs: dict[str, bytes] = {}
        self._sizes: dict[str, int] = {}
        try:
            self._git = subprocess.Popen(
                command_of(root, "cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=surroundings(),
            )
        except FileNotFoundError as error:
            raise no_git() from error
        except OSError as error:
            raise no_answer(type(error).__name__) from error
        self._late = False
        self._limit = Timer(_PATIENCE_SECONDS, self._end_late)
        self._limit.daemon = True
        self._limit.start()

    def __enter__(self) -> GitObjects:
        return self

    def __exit__(self, *_error: object) -> None:
        self._limit.cancel()
        self._git.kill()
        # Closes both pipes as well.
        self._git.communicate()

    def files_of(self, commit: str) -> dict[str, tuple[str, str]]:
        """Return the mode and the id of each path that a commit holds; raises BudgetError for too many."""
        content = self._read("commit", commit)
        start = _TREE_LINE.match(content)
        if start is None:
            raise damaged(f"The commit {commit} names no tree.")
        found: dict[str, tuple[str, str]] = {}
        pending, seen = [(b"", start[1].decode())], 0
        while pending:
            folder, name = pending.pop()
            entries = self._entries(name)
            seen += len(entries)
            if seen > MOST_ENTRIES:
                raise too_large(f"The commit {commit[:12]} has more than {MOST_ENTRIES:,} files and folders.")
            for mode, entry, child in entries:
                path = folder + entry
                require_path(path)
                if mode == FOLDER:
                    pending.append((path + b"/", child))
                else:
                    found[os.fsdecode(path)] = mode, child
        return found

    def message_of(self, commit: str) -> str:
        """Return what a commit says, without the blank around it; a very long one is cut."""
        _, _, message = self._read("commit", commit).partition(b"\n\n")
        return message[:_LONGEST_MESSAGE].decode("utf-8", "replace").strip()

    def measure(self, names: Iterable[str]) -> None:
        """Ask for the sizes of blobs, all at once."""
        wanted = sorted(set(names) - self._sizes.keys())
        if not wanted:
            return
        told = asked(self._root, "cat-file", "--batch-check", given="\n".join(wanted).encode() + b"\n")
        if isinstance(told, str):
            raise self._missing("The sizes of files cannot be read.")
        for row in told.decode("utf-8", "replace").splitlines():
            name, kind, size = (*row.split(" "), "", "")[:3]
            if kind != "blob":
                raise self._missing(f"The blob {name} is missing.")
            self._sizes[name] = int(size)

    def size_of(self, name: str) -> int:
        """Return how many bytes a blob has that was measured."""
        return self._sizes[name]

    def blob(self, name: str) -> bytes:
        """Return the content of a file, which is held once however often it stands."""
        if name not in self._blobs:
            self._blobs[name] = self._read("blob", name)
        return self._blobs[name]

    def _entries(self, name: str) -> list[tuple[str, bytes, str]]:
        """Return mode, name and id of everything in a folder."""
        if name in self._folders:
            return self._folders[name]
        content, found, at = self._read("tree", name), list[tuple[str, bytes, str]](), 0
        while at < len(content):
            entry = _ENTRIES[len(name)].match(content, at)
            if entry is None:
                raise damaged(f"The tree {name} is not written as one.")
            found.append((entry[1].decode(), entry[2], entry[3].hex()))
            at = entry.end()
        if len({each for _, each, _ in found}) < len(found):
            raise damaged(f"The tree {name} has a name twice.")
        return self._folders.setdefault(name, found)

    def _read(self, kind: str, name: str) -> bytes:
        try:
            content = self._answer(kind, name)
        except (OSError, ValueError) as error:
            raise damaged(f"The {kind} {name} cannot be read.") from error
        if self._late:
            raise no_answer("it took too long")
        if content is None or id_of(kind, content, name) != name:
            raise self._missing(f"The {kind} {name} {'is missing' if content is None else 'is not what its id says'}.")
        return content

    def _missing(self, what: str) -> UsageError:
        """Return the error for an object that git does not have."""
        if isinstance(asked(self._root, "config", "--get-regexp", r"^remote\..*\.promisor$"), bytes):
            return damaged(what, "This is a partial clone: fetch all of its files, such as with git fetch --refetch.")
        return damaged(what)

    def _answer(self, kind: str, name: str) -> bytes | None:
        asking, told = self._git.stdin, self._git.stdout
        if asking is None or told is None:
            return None
        asking.write(name.encode() + b"\n")
        asking.flush()
        head = told.readline().split()
        if len(head) != 3 or head[1] != kind.encode():
            return None
        size = int(head[2])
        if size > LARGEST_BYTES:
            raise too_large(f"The {kind} {name} has more than {LARGEST_BYTES:,} bytes.")
        return told.read(size + 1)[:size]

    def _end_late(self) -> None:
        self._late = True
        self._git.kill()


def require_path(path: bytes) -> None:
    """Raise UsageError for a path that would be laid out elsewhere, BudgetError for one that is too long."""
    name = path.rpartition(b"/")[2]
    if name in {b"", b".", b".."} or name.lower() == b".git":
        raise damaged(f"A folder has the name {os.fsdecode(path)!r}, which git forbids.")
    if len(name) > _LONGEST_NAME or len(path) > _LONGEST_PATH:
        raise too_large(f"The path {os.fsdecode(path)[:60]!r} goes on for more than {_LONGEST_PATH:,} bytes.")


def too_large(what: str) -> BudgetError:
    """Return the error for a change that is over its budget."""
    return BudgetError("change.too_large", what, "Leave out what is not part of the project, such as with .gitignore.")
