"""What a person points at: a path, or standard input as ``-``, read with a budget; and files saved beside an answer.

The one reader of such files, so that a fault ends every command alike: where nothing at the path can be read it is
wrong usage, what the system does not give is not attempted, a file over its budget is undecided and read no further
than to know that. A pipe is read like standard input, as a shell makes one for ``<(command)``; a named one into which
nobody writes is not a file. Refuses to overwrite a file that it did not save, and to leave the folders that are lent.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import select
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from probatum.core.command import STANDARD_INPUT, UNREADABLE
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError, meant_by, reason_of
from probatum.core.ports import Signing
from probatum.proof.disk import write_atomically
from probatum.verification.desk import SavedFile

# Why a path cannot be opened where nothing is that anybody could read, rather than something that is locked.
_NO_FILE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
# How long somebody may take until he opens a named pipe to write into it.
PATIENCE_SECONDS: Final = 2.0


# How long another process may keep a folder locked, and how often it is asked.
LOCK_SECONDS: Final = 10.0
_LOCK_PAUSE: Final = 0.01


# The first line of every file that is saved beside an answer.
SAVED: Final = "# Saved by probatum; saving again replaces this file. Remove this line to keep your own changes."


class Sources:
    """The `SourceReader` of a command; standard input is read once, and not at all where there is none to give."""

    def __init__(self, standard_input: BinaryIO | None, lent: Sequence[Path] | None = None) -> None:
        """Read from anywhere, or from the folders that are lent alone."""
        self._standard_input = standard_input
        self._lent = lent
        self._is_read = False
        self._claimed: set[Path] = set()

    @contextmanager
    def stream(self, path: str, what: str = "") -> Iterator[BinaryIO]:
        """Lend a file, a pipe or standard input; raises as `opened` and `require_lent`."""
        require_lent(path, self._lent)
        if path != STANDARD_INPUT:
            with opened(path, what) as file:
                yield file
            return
        if self._standard_input is None:
            raise UsageError("path.stdin", f"The {what or 'file'} cannot come from standard input.", "Name a file.")
        if self._is_read:
            raise UsageError("path.twice", "Only one file can come from standard input.", "Name the other files.")
        self._is_read = True
        try:
            yield self._standard_input
        except OSError as error:
            raise _unreadable(path, what, error) from error

    def read(self, path: str, most: int, what: str = "") -> bytes:
        """Return the bytes of a file or of standard input, of more than ``most`` one too many; raises as `opened`."""
        with self.stream(path, what) as file:
            return file.read(most + 1)

    def read_whole(self, path: str, most: int, what: str) -> bytes:
        """Return the bytes of a file or of standard input; raises as `opened`, and BudgetError for more than these."""
        content = self.read(path, most, what)
        if len(content) > most:
            raise BudgetError("file.too_large", f"The {what} {path!r} has more than {most:,} bytes.")
        return content

    def claim(self, path: Path) -> None:
        """Raise UsageError where `save` would refuse to write, or would write twice."""
        require_free(path)
        if path in self._claimed:
            raise UsageError("tests.twice", f"Two subjects would be saved as {str(path)!r}.", "Name one of them alone.")
        self._claimed.add(path)

    def key(self, name: str) -> Signing:
        """Return the user's key of this name; raises as `KeyFolder.load`."""
        # Deferred: few commands sign.
        from probatum.app.settings import read_settings
        from probatum.proof.keys import KeyFolder

        return KeyFolder(read_settings().keys_path()).load(name)


# Reads files alone.
NO_SOURCES: Final = Sources(None)


def require_lent(path: str, lent: Sequence[Path] | None) -> None:
    """Raise UsageError for a path outside of the folders that are lent, also one that leaves them through a link."""
    if lent is None:
        return
    try:
        real = Path("" if path == STANDARD_INPUT else os.path.realpath(path))
    except ValueError:
        # It holds signs that no path has.
        real = Path()
    if not real.is_absolute():
        raise UsageError("path.outside", f"{path!r} is not a file of the lent folders.")
    if not any(real.is_relative_to(os.path.realpath(each)) for each in lent):
        folders = ", ".join(map(str, lent)) or "none"
        raise UsageError("path.outside", f"{path!r} lies outside of the folders that are lent: {folders}.")


def opened(path: str, what: str = "") -> BinaryIO:
    """Return an open file or pipe.

    Raises UsageError where nothing at the path can be read, NotAttemptedError where the system does not give what is
    there; both also while it is read.
    """
    if not path:
        raise UsageError("path.empty", "An empty path was given.", "Name a file, or '-' for standard input.")
    try:
        # Opening a pipe would wait for somebody who writes; what it is, is asked before anything is read.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise _unreadable(path, what, error) from error
    except ValueError:
        raise UsageError("path.missing", f"There is no file {path!r}: a path holds no null character.") from None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or stat.S_ISFIFO(mode):
        return io.BufferedReader(_Readable(descriptor, path, what))
    os.close(descriptor)
    raise _no_file(path)


class _Readable(io.FileIO):
    """An open file or pipe whose faults have names; a pipe is waited for where somebody has it open to write."""

    def __init__(self, descriptor: int, path: str, what: str) -> None:
        super().__init__(descriptor)
        self._path = path
        self._what = what
        self._coming = select.poll()
        self._coming.register(descriptor, select.POLLIN)
        # Whether nothing to read means the end, and not that nobody has opened the pipe so far.
        self._has_begun = stat.S_ISREG(os.fstat(descriptor).st_mode)

    # The type of a buffer has no name before Python 3.12.
    def readinto(self, buffer: Any, /) -> int:
        """Read some bytes and return how many: 0 at the end."""
        nobody_came = False
        try:
            while not (count := super().readinto(buffer)) and not (self._has_begun and count == 0):
                if count is None:
                    self._has_begun = True
                    self._coming.poll()
                elif nobody_came:
                    raise _no_file(self._path, "is a pipe into which nobody writes")
                else:
                    nobody_came = not self._coming.poll(PATIENCE_SECONDS * 1000)
                    self._has_begun = not nobody_came
        except OSError as error:
            raise _unreadable(self._path, self._what, error) from error
        self._has_begun = True
        return count


def _no_file(path: str, what: str = "is not a regular file") -> UsageError:
    return UsageError("path.not_a_file", f"{path!r} {what}.", "Use '-' for standard input.")


def _unreadable(path: str, what: str, error: OSError) -> ProbatumError:
    # A socket cannot be opened at all, a folder not be read.
    if error.errno in {errno.ENXIO, errno.EISDIR}:
        return _no_file(path)
    if error.errno in _NO_FILE:
        return UsageError("path.missing", f"There is no file {path!r}.", _similar(path))
    named = f"The {what} {path!r}" if what else repr(path)
    return NotAttemptedError(UNREADABLE, f"{named} could not be read: {reason_of(error)}.")


def _similar(path: str) -> str:
    try:
        if os.path.islink(path):
            return "It is a link that leads nowhere."
        # What all files of a kind end in makes no two of them alike.
        name, ending = os.path.splitext(os.path.basename(path))
        beside = map(os.path.splitext, os.listdir(os.path.dirname(path) or "."))
        meant = meant_by(name, [stem for stem, end in beside if end == ending])
        return f"Did you mean {meant + ending!r}?" if meant else ""
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
    """Write a file; its folder is made if need be.

    Raises UsageError where it cannot be, is not one of ours, or is no longer what it was made from.
    """
    if file.replaces is not None:
        _replace(file.path, file.text.encode(), file.replaces)
        return
    require_free(file.path)
    try:
        write_shared(file.path, f"{SAVED}\n{file.text.rstrip()}\n".encode())
    except (OSError, RecursionError) as error:
        raise _not_written(file.path, error) from error


def _replace(path: Path, content: bytes, was: bytes) -> None:
    try:
        with _alone_in(path.parent):
            if (path.read_bytes() if path.exists() else b"") != was:
                sentence = f"{str(path)!r} was changed meanwhile; it is left as it is."
                raise UsageError("file.changed", sentence, "Run the command again.")
            write_shared(path, content)
    except OSError as error:
        raise _not_written(path, error) from error


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes of ours from replacing a file of this folder, so that none writes over what another did.

    Raises TimeoutError where somebody else does not let it go, as one may who started us.
    """
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise TimeoutError(errno.ETIMEDOUT, "another process keeps its folder locked") from None
                time.sleep(_LOCK_PAUSE)
        yield
    finally:
        os.close(held)


def write_shared(path: Path, content: bytes) -> None:
    """Write a file of the user's own whole or not at all; its folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, content, 0o666)


def append_line(path: Path, line: str) -> None:
    """Add a line to a file that only its owner may read, and make it where it is missing; raises UsageError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError | RecursionError) -> UsageError:
    return UsageError("tests.not_written", f"{str(path)!r} could not be written: {reason_of(error)}.")


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.readline(len(SAVED) + 2).rstrip() == SAVED.encode()
