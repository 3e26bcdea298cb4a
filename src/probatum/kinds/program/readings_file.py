"""The readings file of a program: the one that is named, else the one that stands beside it."""

from __future__ import annotations

from pathlib import Path

from probatum.core.command import STANDARD_INPUT
from probatum.core.errors import UsageError
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.core.ports import SourceReader
from probatum.kinds.program.acceptance import BY_AUTHOR, Acceptance
from probatum.readings.acceptances import GivenReadings
from probatum.readings.notebook import ENDING, read_notebook
from probatum.readings.recorded import reading_records, rows_of
from probatum.readings.values import ReadingRecord


def notebook_of(path: str) -> Path:
    """Return the readings file that stands beside a Python file."""
    return Path(path).with_suffix(ENDING)


def records_in(path: Path, sources: SourceReader) -> tuple[bytes, tuple[ReadingRecord, ...]]:
    """Return a readings file and its records; raises UsageError where it is none, and as `SourceReader.read_whole`."""
    content = sources.read_whole(str(path), MAX_READINGS_BYTES, "readings file")
    return content, _records_of(content, path)


def _records_of(content: bytes, path: Path) -> tuple[ReadingRecord, ...]:
    try:
        return read_notebook(content)
    except ValueError as error:
        hint = "Repair it, or name another one with --readings."
        raise UsageError("readings.not_read", f"{str(path)!r} is not a readings file: {error}.", hint) from error


def readings_of(
    path: str, named: str | None, sources: SourceReader, acceptance: Acceptance = BY_AUTHOR
) -> GivenReadings:
    """Return the readings of the program at a path, from the file that is named or else the one beside it.

    A file that is named may hold recorded readings instead; for standard input nothing lies beside it. Raises
    UsageError for a file that cannot be read, and as `Acceptance.of`.
    """
    if named is None and path == STANDARD_INPUT:
        return acceptance.of((), None)
    file = notebook_of(path) if named is None else Path(named)
    is_there = named is not None or file.is_file()
    what = "readings file" if file.suffix == ".toml" else "file of --readings"
    content = sources.read_whole(str(file), MAX_READINGS_BYTES, what) if is_there else b""
    return acceptance.of(_parsed(content, file) if is_there else (), file, lambda then: _parsed(then, file))


def _parsed(content: bytes, file: Path) -> tuple[ReadingRecord, ...]:
    if file.suffix == ".toml":
        return _records_of(content, file)
    try:
        return reading_records(rows_of(content))
    except ValueError as error:
        raise UsageError("readings.not_read", f"{str(file)!r} holds no recorded readings: {error}.") from error
