"""Saves files that were asked for beside an answer.

Refuses to overwrite a file that it did not write: every saved file opens with one marker line.
"""

from __future__ import annotations

from pathlib import Path

from probatum.core.errors import UsageError, reason_of
from probatum.verification.kind import SavedFile

MARKER = "# Saved by probatum; saving again replaces this file. Remove this line to keep your own changes."


def require_free(path: Path) -> None:
    """Raise UsageError where a file exists that was not written by `save`, or cannot be read."""
    try:
        is_free = not path.exists() or _is_ours(path)
    except OSError as error:
        raise _not_written(path, error) from error
    if not is_free:
        sentence = f"{str(path)!r} exists and was not written by probatum; it is left as it is."
        raise UsageError("tests.not_ours", sentence, "Choose another folder with --save-tests=DIR.")


def save(file: SavedFile) -> None:
    """Write a file; its folder is made if need be.

    Raises:
        UsageError: the file cannot be written.
    """
    try:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_text(f"{MARKER}\n{file.text.rstrip()}\n", encoding="utf-8")
    except OSError as error:
        raise _not_written(file.path, error) from error


def _not_written(path: Path, error: OSError) -> UsageError:
    return UsageError("tests.not_written", f"{str(path)!r} could not be written: {reason_of(error)}.")


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.readline(len(MARKER) + 2).rstrip() == MARKER.encode()
