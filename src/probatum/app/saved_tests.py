"""Saves the checks that were run as pytest files.

Refuses to overwrite a file that it did not write: every saved file opens with one marker line.
"""

from __future__ import annotations

from pathlib import Path

from probatum.core.errors import UsageError

DEFAULT_FOLDER = "tests/generated"
MARKER = "# Saved by probatum; saving again replaces this file. Remove this line to keep your own changes."


def save_tests(tests: str, stem: str, folder: Path) -> Path:
    """Write the tests of one program as ``test_<stem>.py`` in a folder, which is made if need be; return the file.

    Raises:
        UsageError: the file exists and was not written by `save_tests`, or cannot be written.
    """
    path = folder / f"test_{stem}.py"
    try:
        if path.exists() and not _is_ours(path):
            sentence = f"{str(path)!r} exists and was not written by probatum; it is left as it is."
            raise UsageError("tests.not_ours", sentence, "Choose another folder with --save-tests=DIR.")
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{MARKER}\n{tests.rstrip()}\n", encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UsageError("tests.not_written", f"{str(path)!r} could not be written: {reason}.") from error
    return path


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.readline(len(MARKER) + 2).rstrip() == MARKER.encode()
