"""Writing files so that they survive a crash: whole or not at all, and on the disk before the caller goes on.

Folders are made 0700, files 0600 unless they are the user's own. What the operating system answers goes to the caller.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path


def make_folders(folder: Path) -> None:
    """Make a folder and those above it, durably; harmless where they exist or another process makes them."""
    missing = []
    while not _is_folder(folder):
        missing.append(folder)
        folder = folder.parent
    for path in reversed(missing):
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            if not path.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
        sync_folder(path.parent)


def _is_folder(path: Path) -> bool:
    # is_dir() raises for a path that cannot be in some Pythons alone; in others folders would be made up to its limit.
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def holds(path: Path, content: bytes) -> bool:
    """True when the file is there with exactly this content: no link to one, and no pipe, which would be waited for."""
    try:
        told = path.lstat()
        return stat.S_ISREG(told.st_mode) and told.st_size == len(content) and path.read_bytes() == content
    except FileNotFoundError:
        return False


def write_atomically(target: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file beside its place, then move it there; the move becomes durable with `sync_folder`.

    ``mode`` is what the file may be used for, as far as the user's mask lets it.
    """
    temporary = target.with_name(f".incoming-{secrets.token_hex(8)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def sync_folders_of(files: Sequence[Path]) -> None:
    """Make what was done to these files durable in their folders."""
    for folder in dict.fromkeys(file.parent for file in files):
        sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make what was created, renamed or removed in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
