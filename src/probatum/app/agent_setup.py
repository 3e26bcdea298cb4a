"""Setting up a folder for coding agents: looks at the files that are there, and writes what was planned.

Refuses what it should not follow or replace: links out of the folder, what is no regular file, large and read-only
files. A file that was changed since it was looked at is left as it is.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from probatum.app.agent_files import (
    CLIENTS,
    INSTALLED,
    NAMES,
    RULES_FOLDER,
    FileEdit,
    FileThere,
    Launch,
    RepositoryView,
)
from probatum.app.sources import save
from probatum.core.errors import ProbatumError, UsageError, reason_of
from probatum.core.limits import MEBIBYTE
from probatum.verification.kind import SavedFile

_MOST_BYTES: Final = MEBIBYTE


def launch() -> Launch:
    """Return the words that start probatum: its name where it is on the PATH, else this Python by its absolute path."""
    return INSTALLED if shutil.which(INSTALLED[0]) else (sys.executable, "-m", "probatum")


def looked_at(folder: Path) -> RepositoryView:
    """Return what the plan rests on; raises UsageError where there is no folder, or it is not that of one project."""
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        raise UsageError("init.no_folder", f"{str(folder)!r} is not a folder.", "Name the folder of a repository.")
    if root == Path(os.path.realpath(Path.home())):
        sentence = "That is your home folder: the files of agents in it hold for everything that you do."
        raise UsageError("init.home", sentence, "Name the folder of a repository.")
    signs = {*NAMES, RULES_FOLDER, *(sign for client in CLIENTS for sign in client.signs)}
    folders = {name.partition("/")[0] for name in NAMES}
    there = frozenset(name for name in signs | folders if os.path.lexists(root / name))
    return RepositoryView({name: _there(root, name) for name in NAMES}, there)


def _there(root: Path, name: str) -> FileThere:
    target = Path(os.path.realpath(root / name))
    if not target.is_relative_to(root):
        return FileThere(name, refusal="it leads out of the folder")
    found = FileThere(target.relative_to(root).as_posix())
    try:
        state = target.lstat()
        if not stat.S_ISREG(state.st_mode):
            return replace(found, refusal="it is not a regular file")
        if state.st_size > _MOST_BYTES:
            return replace(found, refusal=f"it has more than {_MOST_BYTES:,} bytes")
        is_writable = state.st_mode & 0o222 and os.access(target, os.W_OK)
        return replace(found, content=target.read_bytes(), refusal="" if is_writable else "it is read-only")
    except FileNotFoundError:
        if os.path.islink(root / name):
            return replace(found, refusal="it is a link that leads nowhere")
        folder = target.parent
        return replace(found, is_alone=folder != root and folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        return replace(found, refusal=f"it could not be read: {reason_of(error)}")


def written(folder: Path, edits: Iterable[FileEdit]) -> tuple[FileEdit, ...]:
    """Write what was planned and return it; what could not be written is refused, with the reason."""
    return tuple(_written(Path(os.path.realpath(folder)), edit) if edit.changes else edit for edit in edits)


def _written(root: Path, edit: FileEdit) -> FileEdit:
    path = root / edit.path
    try:
        if edit.after is None:
            _delete(root, path, edit.before or b"")
        else:
            mode = path.stat().st_mode if edit.before is not None else None
            save(SavedFile("", path, edit.after.decode(), replaces=edit.before or b""))
            if mode is not None:
                path.chmod(mode)
    except ProbatumError as error:
        return replace(edit, refusal=error.sentence)
    except OSError as error:
        return replace(edit, refusal=f"it could not be written: {reason_of(error)}")
    return edit


def _delete(root: Path, path: Path, was: bytes) -> None:
    if path.read_bytes() != was:
        raise UsageError("file.changed", "it was changed meanwhile", "Run the command again.")
    path.unlink()
    if path.parent != root and was.endswith(b"\n") and not any(path.parent.iterdir()):
        path.parent.rmdir()
