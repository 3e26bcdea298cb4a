"""Runs a command again whenever a Python file or its readings change, until somebody interrupts it.

Files are looked at, not subscribed to, so that it works on every file system; one that is written again as it was has
not changed. A run that was refused is told and waited out: the next change runs it again. Refuses to make an exit code
of a run that was interrupted before its end.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from probatum.cli.output import Mode, note, report_error
from probatum.core.errors import ProbatumError
from probatum.core.messages import counted

SECONDS_BETWEEN_LOOKS: Final = 0.5
_ENDINGS: Final = (".py", ".toml")
_NOT_LOOKED_INTO: Final = frozenset({"__pycache__", "node_modules", "site-packages"})


def again_and_again(once: Callable[[], int], subjects: Sequence[str]) -> int:
    """Run a command now and after every change around its subjects; return the last exit code when interrupted.

    Raises KeyboardInterrupt where a run is interrupted before its end.
    """
    folders = sorted({_folder(each.partition("::")[0]) for each in subjects})
    while True:
        before = _seen(folders)
        try:
            code = once()
        except ProbatumError as error:
            code = report_error(error, Mode.PAGES)
        try:
            note(f"Watching {counted(len(before), 'file')}; Ctrl-C ends it.")
            while _seen(folders) == before:
                time.sleep(SECONDS_BETWEEN_LOOKS)
        except KeyboardInterrupt:
            return code


def _folder(subject: str) -> str:
    while subject and not os.path.isdir(subject):
        subject = os.path.dirname(subject)
    return subject or "."


def _seen(folders: Sequence[str]) -> dict[str, bytes]:
    """Return the digest of every file that may matter, by its path."""
    return {path: told for folder in folders for path, told in _files(folder)}


def _files(folder: str) -> Iterator[tuple[str, bytes]]:
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".") and each not in _NOT_LOOKED_INTO]
        for name in names:
            if name.endswith(_ENDINGS):
                path = os.path.join(place, name)
                # What is gone, or cannot be read, is not seen.
                with suppress(OSError):
                    told = os.stat(path)
                    yield path, _digest(path, told.st_size, told.st_mtime_ns)


@lru_cache(maxsize=65_536)
def _digest(path: str, size: int, changed_at: int) -> bytes:
    """Return the digest of a file; it is read again where its size, or when it was changed, is another."""
    return hashlib.sha256(Path(path).read_bytes()).digest()
