"""Saves the checks that were run as pytest files.

Refuses to overwrite a file that it did not write: every saved file opens with one marker line.
"""

from __future__ import annotations

from pathlib import Path

from probatum.core.errors import UsageError

DEFAULT_FOLDER = "tests/generated"
MARKER = "# Saved by probatum; saving again replaces this file. Remove this line to keep your own changes."


def saved_file(stem: str, folder: Path) -> Path:
    """Return the file for the tests of one program, ``test_<stem>.py``, so that it is known before any work.

    Raises:
        UsageError: it exists and was not written by `save_tests`, or cannot be read.
    """
    path = folder / f"test_{stem}.py"
    try:
        is_free = not path.exists() or _is_ours(path)
    except OSError as error:
        raise _not_written(path, error) from error
    if not is_free:
        sentence = f"{str(path)!r} exists and was not written by probatum; it is left as it is."
        raise UsageError("tests.not_ours", sentence, "Choose another folder with --save-tests=DIR.")
    return path


def save_tests(tests: str, path: Path) -> None:
    """Write the tests of one program to the file that `saved_file` named; its folder is made if need be.

    Raises:
        UsageError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{MARKER}\n{tests.rstrip()}\n", encoding="utf-8")
    except OSError as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError) -> UsageError:
    reason = (error.strerror or type(error).__name__).lower()
    return UsageError("tests.not_written", f"{str(path)!r} could not be written: {reason}.")


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.readline(len(MARKER) + 2).rstrip() == MARKER.encode()
