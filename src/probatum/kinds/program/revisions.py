"""The earlier version of a program: a file, or the same path at a revision of its git repository.

A repository may be a stranger's, and its configuration can name programs to run. So objects are only read: no shell,
no filters or text conversion, no hooks, no monitor of the file system, nothing fetched. Refuses by name: no git, no
repository, no such revision, no such file in it, and a file over its budget.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from probatum.core.command import STANDARD_INPUT
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.core.messages import writable
from probatum.core.ports import SourceReader
from probatum.kinds.program.sources import read_companion

GIT: Final = "git:"
_PATIENCE_SECONDS: Final = 20.0
_QUIET: Final = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "protocol.allow=never", "--no-pager", "--no-replace-objects", "--literal-pathspecs"),
)
_SURROUNDINGS: Final = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


def read_earlier(against: str, path: str, sources: SourceReader) -> bytes:
    """Return the earlier version of the program at ``path``: of a file, or at a revision for ``git:REV``.

    Raises UsageError where there is none, BudgetError for one over its budget, NotAttemptedError without git.
    """
    if not against.startswith(GIT):
        return read_companion(against, "--against", sources)
    revision = against.removeprefix(GIT)
    if path == STANDARD_INPUT:
        sentence = "What comes from standard input has no earlier version in a repository."
        raise UsageError("against.no_path", sentence, "Name the file.")
    if not revision or revision.startswith("-") or "\0" in revision:
        raise UsageError("against.revision", f"{against!r} names no revision.", "Example: --against git:HEAD~1")
    place = Path(os.path.realpath(path))
    commit = _asked(place, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    if isinstance(commit, str):
        known = "not a git repository" in commit
        code = "against.no_repository" if known else "against.no_revision"
        what = "lies in no git repository" if known else f"has no revision {revision!r} that git could read"
        raise UsageError(code, f"{str(path)!r} {what}.", f"git says: {commit}")
    name = f"{commit.decode('ascii').strip()}:./{place.name}"
    size = _asked(place, "cat-file", "-s", name)
    if isinstance(size, str):
        sentence = f"There is no file {str(path)!r} at the revision {revision!r}."
        raise UsageError("against.no_file", sentence, f"git says: {size}")
    if int(size) > MAX_SOURCE_BYTES:
        sentence = f"{str(path)!r} at {revision!r} has more than {MAX_SOURCE_BYTES:,} bytes."
        raise BudgetError("file.too_large", sentence)
    content = _asked(place, "cat-file", "blob", name)
    if isinstance(content, str):
        raise UsageError("against.no_file", f"{str(path)!r} is not a file at {revision!r}.", f"git says: {content}")
    return content


def _asked(place: Path, *words: str) -> bytes | str:
    """Return what git answers about the folder of a file, or what it says as text where it fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(place.parent), *_QUIET, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**kept, **_SURROUNDINGS},
            timeout=_PATIENCE_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise NotAttemptedError("against.no_git", "There is no git here to read a revision with.") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotAttemptedError("against.git_failed", f"git gave no answer: {type(error).__name__}.") from error
    if done.returncode == 0:
        return done.stdout
    return writable(done.stderr.decode("utf-8", "replace").strip())[:300] or f"exit code {done.returncode}"
