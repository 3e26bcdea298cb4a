"""What is known of a repository and does not fail: one line for each thing that is not as it should be.

A line is a function, the constraint that its verdict rests on, and the digest of one statement of its documentation
that is broken or open, or ``-``. So a line stays while the function is edited, and another statement, or another
reason, is new. Lines are sorted, so that two branches merge. Refuses a file with other lines.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from probatum.app.answers import Answer
from probatum.app.sources import write_shared
from probatum.core.errors import NotAttemptedError, UsageError, reason_of
from probatum.core.limits import MEBIBYTE

HEADER: Final = "# What probatum knows and does not fail for. Written by: probatum baseline\n"
_NO_STATEMENT: Final = "-"
_DIGITS: Final = 12
_MOST_BYTES: Final = 16 * MEBIBYTE
Line = tuple[str, str, str]


def lines_of(name: str, part: Answer) -> frozenset[Line]:
    """Return the lines of one function, or of a file that could not be judged; none where it is VERIFIED."""
    if part.verdict.is_verified:
        return frozenset()
    constraint = part.verdict.constraint_id or str(part.verdict.outcome)
    told = [each.evidence.get("statement") for each in part.observed.findings()]
    digests = {hashlib.sha256(str(each).encode()).hexdigest()[:_DIGITS] for each in told if each}
    return frozenset((name, constraint, digest) for digest in digests or {_NO_STATEMENT})


def read_baseline(path: Path) -> frozenset[Line]:
    """Return the lines of a baseline; raises UsageError for a file that is none, NotAttemptedError for one unread."""
    try:
        with path.open(encoding="utf-8") as file:
            content = file.read(_MOST_BYTES)
    except FileNotFoundError as error:
        hint = "Write it with: probatum baseline PATH"
        raise UsageError("baseline.missing", f"There is no baseline {str(path)!r}.", hint) from error
    except (OSError, UnicodeDecodeError) as error:
        told = reason_of(error) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise NotAttemptedError("baseline.unreadable", f"The baseline {str(path)!r} is not read: {told}.") from error
    return frozenset(_parsed(row, number, path) for number, row in enumerate(content.splitlines(), 1) if _says(row))


def _says(row: str) -> bool:
    return bool(row.strip()) and not row.startswith("#")


def _parsed(row: str, number: int, path: Path) -> Line:
    name, *rest = row.rsplit(" ", 2)
    if len(rest) != 2 or not name:
        sentence = f"{str(path)!r}, line {number}: expected a function, a constraint and a digest, got {row[:80]!r}."
        raise UsageError("baseline.invalid", sentence, "Resolve conflicts, or write it anew: probatum baseline PATH")
    return name, rest[0], rest[1]


def write_baseline(path: Path, lines: Iterable[Line]) -> None:
    """Write a baseline whole, or not at all; raises NotAttemptedError where it cannot be written."""
    text = HEADER + "".join(f"{' '.join(line)}\n" for line in sorted(lines))
    try:
        write_shared(path, text.encode("utf-8", "surrogateescape"))
    except (OSError, RecursionError) as error:
        sentence = f"The baseline {str(path)!r} could not be written: {reason_of(error)}."
        raise NotAttemptedError("baseline.not_written", sentence) from error


def known_name(name: str, root: Path) -> str:
    """Return what a baseline in a folder calls a file: its path from there."""
    return Path(os.path.relpath(name, root)).as_posix()
