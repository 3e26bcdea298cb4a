"""The readings file of a program: where it stands, and what it holds. Refuses, by name, one that cannot be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from probatum.core.command import STANDARD_INPUT
from probatum.core.errors import UsageError
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.core.ports import SourceReader
from probatum.kinds.program.request import ProgramRequest
from probatum.kinds.program.sources import refusal
from probatum.programs.readings.notebook import ENDING, read_notebook
from probatum.programs.readings.values import ReadingRecord
from probatum.verification.kind import Refusal


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
        raise UsageError("readings.not_read", f"{str(path)!r} is no readings file: {error}.", hint) from error


def with_readings(
    request: ProgramRequest, named: str | None, sources: SourceReader, *, is_one_of_many: bool
) -> ProgramRequest | Refusal:
    """Return a request with the readings of the file that was named, or of the one beside the program.

    Raises as `records_in`; of many programs, the one whose readings cannot be read is refused by itself.
    """
    path = Path(named) if named is not None else notebook_of(request.name)
    if named is None and (request.name == STANDARD_INPUT or not path.exists()):
        return request
    try:
        return replace(request, readings=records_in(path, sources)[1])
    except UsageError as error:
        if not is_one_of_many:
            raise
        return refusal(request.name, "program.unreadable", error.sentence, error.hint)
