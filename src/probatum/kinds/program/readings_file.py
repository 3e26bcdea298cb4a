"""The readings file of a program: the one that is named, else the one that stands beside it."""

from __future__ import annotations

from pathlib import Path

from probatum.core.errors import UsageError
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.core.ports import SourceReader
from probatum.readings.notebook import ENDING, read_notebook
from probatum.readings.recorded import reading_records, rows_of
from probatum.readings.values import ReadingRecord


def notebook_of(path: str) -> Path:
    """Return the readings file that stands beside a Python file."""
    return Path(path).with_suffix(ENDING)


def records_in(path: Path, sources: SourceReader) -> tuple[bytes, tuple[ReadingRecord, ...]]:
    """Return a readings file and its records; raises UsageError where it is none, and as `SourceReader.read_whole`."""
    content = sources.read_whole(str(path), MAX_READINGS_BYTES, "readings file")
    try:
        return content, read_notebook(content)
    except ValueError as error:
        hint = "Repair it, or name another one with --readings."
        raise UsageError("readings.not_read", f"{str(path)!r} is not a readings file: {error}.", hint) from error


def readings_of(path: str, named: str | None, sources: SourceReader) -> tuple[ReadingRecord, ...]:
    """Return the readings of the program at a path, from the file that is named or else the one beside it.

    A file that is named may hold recorded readings instead. Raises UsageError for a file that cannot be read.
    """
    file = notebook_of(path) if named is None else Path(named)
    if named is None and not file.is_file():
        return ()
    if file.suffix == ".toml":
        return records_in(file, sources)[1]
    content = sources.read_whole(str(file), MAX_READINGS_BYTES, "file of --readings")
    try:
        return reading_records(rows_of(content))
    except ValueError as error:
        raise UsageError("readings.not_read", f"{str(file)!r} holds no recorded readings: {error}.") from error
