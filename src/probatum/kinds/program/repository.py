"""Files as they were at a revision of the git repository that they lie in.

A repository may be a stranger's, and its configuration can name programs to run. So objects are only read: no shell,
no filters or text conversion, no hooks, no monitor of the file system, nothing fetched. Refuses by name: no git, no
repository, no such revision, and a file over its budget.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.messages import writable

GIT: Final = "git:"
_PATIENCE_SECONDS: Final = 20.0
_QUIET: Final = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    # Files that look like a bare repository may have been put beside the program.
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "protocol.allow=never", "--no-pager", "--no-replace-objects", "--literal-pathspecs"),
)
_SURROUNDINGS: Final = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


def commit_of(named: str, place: Path, option: str) -> str:
    """Return the full id of the commit that ``git:REV`` names in the repository of a file.

    Raises UsageError where there is none, with a code of the option that names it; NotAttemptedError without git.
    """
    revision = named.removeprefix(GIT)
    if not revision or revision.startswith("-") or "\0" in revision:
        raise UsageError(f"{option}.revision", f"{named!r} names no revision.", f"Example: --{option} git:HEAD~1")
    commit = _asked(place, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    if isinstance(commit, bytes):
        return commit.decode("ascii").strip()
    known = "not a git repository" in commit
    code = f"{option}.no_repository" if known else f"{option}.no_revision"
    what = "lies in no git repository" if known else f"has no revision {revision!r} that git could read"
    raise UsageError(code, f"{str(place)!r} {what}.", f"git says: {commit}")


def blob_at(commit: str, place: Path, most: int) -> bytes | str:
    """Return a file as it was in a commit, or what git says where it was none; raises BudgetError for a larger one."""
    name = f"{commit}:./{place.name}"
    size = _asked(place, "cat-file", "-s", name)
    if isinstance(size, str):
        return size
    if int(size) > most:
        raise BudgetError("file.too_large", f"{str(place)!r} at {commit[:12]} has more than {most:,} bytes.")
    return _asked(place, "cat-file", "blob", name)


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
