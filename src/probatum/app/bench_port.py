"""What a bench is asked and what it reports: the values between the command line and `probatum.bench`.

Refuses a limit or a number of workers below one: a bench over nothing proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from probatum.core.canonical import JsonValue
from probatum.core.errors import UsageError
from probatum.core.events import Listener

# The level that programs are verified at, where a bench is asked for no other.
STANDARD = "standard"


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """One labelled set to run."""

    name: str
    data: Path
    store: Path
    without_examples: bool = False
    level: str = STANDARD
    workers: int = 1
    # Only the first rows of the set; None for all.
    limit: int | None = None
    # The interpreter that runs the programs; None for the running one.
    python: str | None = None
    # Whether the document has a row for each program.
    rows: bool = False
    # Files of recorded readings, one of each reader.
    readings: tuple[Path, ...] = ()
    # The configured model that is asked for readings; None for none.
    reader: str | None = None
    # Which of them count; None for what the bench usually asks for.
    readings_policy: str | None = None
    # The set whose programs readers are measured on.
    programs: str | None = None
    # Whether checks count that ran in the program's own process: ``split`` or ``shared``.
    evidence: str = "shared"
    # Whether statements of the documentation that nothing checks are tolerated.
    allow_unchecked: bool = False
    # The folder where the contracts of outputs lie; None for the built-in ones.
    contracts: Path | None = None
    # Where one record for each output is written; None for nowhere.
    records: Path | None = None
    # Whether records repeat the outputs.
    raw_outputs: bool = False

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError("bench.workers", f"--workers takes 1 or more, got {self.workers}.")
        if self.limit is not None and self.limit < 1:
            raise UsageError("bench.limit", f"--limit takes 1 or more, got {self.limit}.")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under headings."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class BenchReport:
    """What came out: tables, lists of ids to look at, and the same as JSON."""

    title: str
    tables: tuple[Table, ...]
    # Title and ids of what deserves a look: false alarms, VERIFIED but wrong, missed.
    lists: tuple[tuple[str, tuple[str, ...]], ...]
    document: dict[str, JsonValue]


# Runs one labelled set; raises UsageError for an unknown name or unreadable data.
BenchRunner = Callable[[BenchRequest, Listener], BenchReport]
