"""What a person points at: a path, or standard input as ``-``, read with a budget; and files saved beside an answer.

Refuses by name: a path where there is nothing, a folder, a pipe or a device. A file over the budget is read no further
than to know that. Refuses to overwrite a file that it did not save.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from probatum.core.command import STANDARD_INPUT, UNREADABLE
from probatum.core.errors import UsageError, nearest, reason_of
from probatum.verification.kind import SavedFile

# Why a path cannot be opened where nothing is that anybody could read, rather than something that is locked.
_NO_FILE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})


# The first line of every file that is saved beside an answer.
SAVED: Final = "# Saved by probatum; saving again replaces this file. Remove this line to keep your own changes."


class Sources:
    """The `SourceReader` of a command; standard input is read once, and not at all where there is none to give."""

    def __init__(self, standard_input: BinaryIO | None) -> None:
        self._standard_input = standard_input
        self._is_read = False
        self._claimed: set[Path] = set()

    def read(self, path: str, most: int, what: str = "") -> bytes:
        """Return the bytes of a file or of standard input, of more than ``most`` one too many; raises as `opened`."""
        if path == STANDARD_INPUT:
            if self._standard_input is None:
                raise UsageError("path.stdin", f"The {what or 'file'} cannot come from standard input.", "Name a file.")
            if self._is_read:
                raise UsageError("path.twice", "Only one file can come from standard input.", "Name the other files.")
            self._is_read = True
            return self._standard_input.read(most + 1)
        with opened(path, what) as file:
            try:
                return file.read(most + 1)
            except OSError as error:
                raise _unreadable(path, what, reason_of(error)) from error

    def claim(self, path: Path) -> None:
        """Raise UsageError where `save` would refuse to write, or would write twice."""
        require_free(path)
        if path in self._claimed:
            raise UsageError("tests.twice", f"Two subjects would be saved as {str(path)!r}.", "Name one of them alone.")
        self._claimed.add(path)


# Reads files alone.
NO_SOURCES: Final = Sources(None)


def opened(path: str | Path, what: str = "") -> BinaryIO:
    """Return an open regular file; raises UsageError where there is none at the path, or it cannot be read."""
    path = str(path)
    if not path:
        raise UsageError("path.empty", "An empty path was given.", "Name a file, or '-' for standard input.")
    try:
        # Opening a pipe would wait for somebody who writes; what it is, is asked before anything is read.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        # A socket cannot be opened at all.
        if isinstance(error, OSError) and error.errno == errno.ENXIO:
            raise _no_regular_file(path) from None
        if isinstance(error, OSError) and error.errno in _NO_FILE:
            raise UsageError("path.missing", f"There is no file {path!r}.", _similar(path)) from None
        raise _unreadable(path, what, reason_of(error)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _no_regular_file(path)
    return os.fdopen(descriptor, "rb")


def _no_regular_file(path: str) -> UsageError:
    return UsageError("path.not_a_file", f"{path!r} is not a regular file.", "Use '-' for standard input.")


def _unreadable(path: str, what: str, reason: str) -> UsageError:
    return UsageError(UNREADABLE, f"{f'The {what} ' if what else ''}{path!r} could not be read: {reason}.")


def _similar(path: str) -> str:
    try:
        return nearest(os.path.basename(path), os.listdir(os.path.dirname(path) or "."))
    except (OSError, ValueError):
        return ""


def require_free(path: Path) -> None:
    """Raise UsageError where a file exists that was not written by `save`, or cannot be read."""
    try:
        is_free = not path.exists() or _is_ours(path)
    except OSError as error:
        raise _not_written(path, error) from error
    if not is_free:
        sentence = f"{str(path)!r} exists and was not written by probatum; it is left as it is."
        raise UsageError("tests.not_ours", sentence, "Choose another folder, or move that file away.")


def save(file: SavedFile) -> None:
    """Write a file; its folder is made if need be. Raises UsageError where it cannot be, or is not one of ours."""
    require_free(file.path)
    try:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_text(f"{SAVED}\n{file.text.rstrip()}\n", encoding="utf-8")
    except OSError as error:
        raise _not_written(file.path, error) from error


def _not_written(path: Path, error: OSError) -> UsageError:
    return UsageError("tests.not_written", f"{str(path)!r} could not be written: {reason_of(error)}.")


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.readline(len(SAVED) + 2).rstrip() == SAVED.encode()
