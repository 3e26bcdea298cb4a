"""Files as they were at a revision of the git repository that they lie in.

A repository may be a stranger's, and its configuration can name programs to run. So objects are only read: no shell,
no filters or text conversion, no hooks, no monitor of the file system, nothing fetched. Refuses by name: no git, no
repository, no such revision or several, an object that is not what its id says, and a file over its budget.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.messages import writable

GIT: Final = "git:"
SHALLOW_HINT: Final = "This clone holds a part of the history: fetch all of it, such as with git fetch --unshallow."
PATIENCE_SECONDS: Final = 20.0
_QUIET: Final = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    # Files that look like a bare repository may have been put beside the program.
    *("-c", "safe.bareRepository=explicit"),
    # Refs that share a name are told; what a cache says of commits is not believed.
    *("-c", "core.warnAmbiguousRefs=true", "-c", "core.commitGraph=false"),
    # Nor what a cache says of the work tree.
    *("-c", "core.untrackedCache=false"),
    *("-c", "advice.graftFileDeprecated=false"),
    *("-c", "protocol.allow=never", "--no-pager", "--no-replace-objects", "--literal-pathspecs"),
)
_SURROUNDINGS: Final = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_FULL_ID: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FOLDER: Final = b"40000"
_REPOSITORY: Final = b"160000"


def commit_of(named: str, place: Path, option: str, example: str = "") -> str:
    """Return the full id of the commit that ``git:REV`` names in the repository of a file or a folder.

    ``example`` is what a hint tells to type. Raises UsageError where there is none, with a code of the option that
    names it; NotAttemptedError without git.
    """
    revision = named.removeprefix(GIT)
    example = f"Example: {example or f'--{option}=git:HEAD~1'}"
    if not revision or revision.startswith("-") or "\0" in revision:
        raise UsageError(f"{option}.revision", f"{named!r} names no revision.", example)
    done = _run(place, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    commit = done.stdout.decode("utf-8", "replace").strip()
    if commit != revision and b"is ambiguous" in done.stderr:
        hint = "Name the full commit id, or a branch as refs/heads/NAME or refs/remotes/NAME."
        raise UsageError(f"{option}.revision", f"{revision!r} names more than one revision, expected one.", hint)
    if done.returncode == 0 and _FULL_ID.fullmatch(commit):
        return commit
    if done.returncode == 0:
        raise UsageError(f"{option}.revision", f"{revision!r} is not one commit.", example)
    told = _said(done)
    known = "not a git repository" in told
    code = f"{option}.no_repository" if known else f"{option}.no_revision"
    what = "lies in no git repository" if known else f"has no revision {revision!r} that git could read"
    hint = f"git says: {told}"
    if not known and is_shallow(place):
        hint = SHALLOW_HINT
    raise UsageError(code, f"{str(place)!r} {what}.", hint)


def require_outermost(named: str, commit: str, place: Path, option: str) -> None:
    """Raise UsageError where the repository of a file lies within another one and ``named`` is no full commit id.

    What a name means there is up to whoever made the inner one. Work trees of one repository share their names.
    """
    if named == f"{GIT}{commit}":
        return
    inner, *around = repositories_around(place)
    for outer in around:
        if _shared_folder(outer) != _shared_folder(inner):
            sentence = f"The repository {str(inner)!r} lies within the repository {str(outer)!r} and has its own names."
            hint = f"Name a commit by its full id instead of {named.removeprefix(GIT)!r}."
            raise UsageError(f"{option}.nested", sentence, hint)


def blob_at(commit: str, place: Path, most: int) -> bytes | None:
    """Return a file as it was in a commit, None where it was none; raises BudgetError for a larger one.

    Git reads objects without comparing them with their ids, so every one on the way is hashed. Raises UsageError for
    one that is missing or damaged.
    """
    mode, name = _FOLDER, _object(place, "commit", commit).split()[1].decode()
    for part in place.relative_to(repositories_around(place)[0]).parts:
        if mode != _FOLDER:
            return None
        entries = re.findall(rb"(\d+) ([^\0]+)\0(.{%d})" % (len(commit) // 2), _object(place, "tree", name), re.DOTALL)
        found = next((entry for entry in entries if entry[1] == os.fsencode(part)), None)
        if found is None:
            return None
        mode, name = found[0], found[2].hex()
    if mode in {_FOLDER, _REPOSITORY}:
        return None
    size = asked(place, "cat-file", "-s", name)
    if isinstance(size, bytes) and int(size) > most:
        raise BudgetError("file.too_large", f"{str(place)!r} at {commit[:12]} has more than {most:,} bytes.")
    return _object(place, "blob", name)


@dataclass(frozen=True, slots=True)
class Revision:
    """What one commit holds, by path from the root of its work tree."""

    root: Path
    names: Mapping[str, str]
    """The id of each file's content."""

    def holds(self, place: Path) -> bool:
        """Return whether it holds a file at this place."""
        return self._id(place) is not None

    def differs(self, place: Path) -> bool:
        """Return whether a file is not as it was; one that neither holds is as it was."""
        name = self._id(place)
        try:
            content = place.read_bytes()
        except OSError:
            return name is not None
        return name is None or id_of("blob", content, name) != name

    def content(self, place: Path, most: int) -> bytes | None:
        """Return a file as it was, None where it was none; raises as `blob_at`."""
        name = self._id(place)
        if name is None:
            return None
        content = _object(place, "blob", name)
        if len(content) > most:
            raise BudgetError("file.too_large", f"{str(place)!r} had more than {most:,} bytes.")
        return content

    def _id(self, place: Path) -> str | None:
        return self.names.get(place.relative_to(self.root).as_posix()) if place.is_relative_to(self.root) else None


def revision_at(named: str, place: Path, option: str) -> Revision:
    """Return what ``git:REV`` holds in the repository of a file; raises as `commit_of` and `blob_at`.

    A branch without a commit holds nothing.
    """
    try:
        commit = commit_of(named, place, option)
    except UsageError:
        if named == f"{GIT}HEAD" and is_unborn(place):
            return Revision(repositories_around(place)[0], {})
        raise
    told = asked(place, "ls-tree", "-r", "-z", "--full-tree", commit)
    if isinstance(told, str):
        raise damaged(f"The files of {commit} cannot be listed.", f"git says: {told}")
    rows = (row.partition(b"\t") for row in told.split(b"\0") if row)
    names = {os.fsdecode(path): head.split()[2].decode() for head, _, path in rows if head.split()[1] == b"blob"}
    return Revision(repositories_around(place)[0], names)


def is_unborn(place: Path) -> bool:
    """Return whether the branch at hand has no commit so far."""
    head = asked(place, "symbolic-ref", "--quiet", "HEAD")
    return isinstance(head, bytes) and isinstance(asked(place, "rev-parse", "--verify", "--quiet", "HEAD"), str)


def is_shallow(place: Path) -> bool:
    """Return whether the clone holds a part of the history only."""
    return asked(place, "rev-parse", "--is-shallow-repository") == b"true\n"


def _object(place: Path, kind: str, name: str) -> bytes:
    content = asked(place, "cat-file", kind, name)
    if isinstance(content, bytes) and id_of(kind, content, name) == name:
        return content
    what = "is missing" if isinstance(content, str) else "is not what its id says"
    raise damaged(f"The {kind} {name} {what}.")


def id_of(kind: str, content: bytes, name: str) -> str:
    """Return the id of an object, in the form of another id."""
    whole = f"{kind} {len(content)}\0".encode() + content
    return hashlib.new("sha1" if len(name) == 40 else "sha256", whole, usedforsecurity=False).hexdigest()


def repositories_around(place: Path) -> list[Path]:
    """Return the folders around a file, or a folder itself and those around it, that are repositories; nearest first.

    Raises UsageError where git takes another folder for the nearest, as its configuration can say.
    """
    folder = _folder_of(place)
    found = [each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")]
    root = os.fsdecode(asked(place, "rev-parse", "--show-toplevel")).removesuffix("\n")
    if [root] != [str(each) for each in found[:1]]:
        sentence = f"The work tree around {str(place)!r} has to be the folder that holds .git; git says {root!r}."
        raise UsageError("repository.elsewhere", sentence)
    return found


def _shared_folder(repository: Path) -> str:
    """Return where the names of a repository are, which all of its work trees share."""
    told = asked(repository, "rev-parse", "--git-common-dir")
    return os.path.realpath(repository / os.fsdecode(told).strip())


def asked(place: Path, *words: str, given: bytes = b"") -> bytes | str:
    """Return what git answers about the folder of a file, or what it says as text where it fails.

    Raises NotAttemptedError without git, and where git gives no answer in time.
    """
    done = _run(place, *words, given=given)
    return done.stdout if done.returncode == 0 else _said(done)


def command_of(place: Path, *words: str) -> list[str]:
    """Return the command that asks git about the folder of a file and has it run nothing else."""
    return ["git", "-C", str(_folder_of(place)), *_QUIET, *words]


def surroundings() -> dict[str, str]:
    """Return the environment for git: ours without what redirects it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _SURROUNDINGS


def _folder_of(place: Path) -> Path:
    return place if place.is_dir() else place.parent


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return writable(done.stderr.decode("utf-8", "replace").strip())[:300] or f"exit code {done.returncode}"


def _run(place: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            command_of(place, *words),
            input=given,
            capture_output=True,
            env=surroundings(),
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise no_git() from error
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise no_answer(type(error).__name__) from error


def no_git() -> NotAttemptedError:
    """Return the error for a machine without git."""
    return NotAttemptedError("against.no_git", "There is no git here to read a revision with.")


def no_answer(why: str) -> NotAttemptedError:
    """Return the error for a git that was started and told nothing."""
    return NotAttemptedError("against.git_failed", f"git gave no answer: {why}.")


def damaged(what: str, hint: str = "Clone it again, or see what git fsck says.") -> UsageError:
    """Return the error for a repository that cannot be believed."""
    return UsageError("repository.damaged", what, hint)
