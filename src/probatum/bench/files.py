"""The files that a bench reads and writes, looked at before anything is measured.

Refuses data that is not a regular file, which may never end; and a place for records where they would take the place of
the data, a folder, a pipe or a device.
"""

from __future__ import annotations

import stat
from pathlib import Path

from probatum.core.errors import UsageError, reason_of


def require_data_file(path: Path) -> None:
    """Raise UsageError for data that is missing or is not a regular file."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise UsageError("bench.unreadable", f"The data {str(path)!r} cannot be read: {reason_of(error)}.") from error
    if stat.S_ISDIR(mode):
        raise UsageError("bench.unreadable", f"The data {str(path)!r} cannot be read: is a directory.")
    if not stat.S_ISREG(mode):
        raise UsageError(
            "bench.unreadable", f"The data {str(path)!r} is not a regular file.", "Save it to a file first."
        )


def records_place(path: Path, data: Path) -> Path:
    """Return where records are written: where a link leads, so that the link stays.

    Raises UsageError where what stands there would be lost.
    """
    try:
        place = path.resolve()
        if not place.exists():
            return place
        if place.samefile(data):
            sentence = f"{str(path)!r} holds the data, which records must not replace."
            raise UsageError("bench.records", sentence, "Name another file with --records.")
        is_file = place.is_file()
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError("bench.records", f"{str(path)!r} cannot be written: {reason_of(error)}.") from error
    if not is_file:
        sentence = f"{str(path)!r} cannot be written: it is not a regular file, which records would replace."
        raise UsageError("bench.records", sentence, "Name a file with --records; it appears when all is judged.")
    return place
