"""The earlier version of a program: a file, or the same path at a revision of its git repository.

Refuses by name what `repository` refuses, and a file that was not there then.
"""

from __future__ import annotations

import os
from pathlib import Path

from probatum.changes.versions.repository import GIT, blob_at, commit_of
from probatum.core.command import STANDARD_INPUT
from probatum.core.errors import UsageError
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.core.ports import SourceReader
from probatum.kinds.program.sources import read_companion


def read_earlier(against: str, path: str, sources: SourceReader) -> bytes:
    """Return the earlier version of the program at ``path``: of a file, or at a revision for ``git:REV``.

    Raises UsageError where there is none, BudgetError for one over its budget, NotAttemptedError without git.
    """
    if not against.startswith(GIT):
        return read_companion(against, "--against", sources)
    if path == STANDARD_INPUT:
        sentence = "What comes from standard input has no earlier version in a repository."
        raise UsageError("against.no_path", sentence, "Name the file.")
    place = Path(os.path.realpath(path))
    content = blob_at(commit_of(against, place, "against"), place, MAX_SOURCE_BYTES)
    if content is None:
        sentence = f"There is no file {str(path)!r} at the revision {against.removeprefix(GIT)!r}."
        raise UsageError("against.no_file", sentence)
    return content
