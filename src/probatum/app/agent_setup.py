"""Setting up a folder for coding agents: plans one edit a file, and writes what was planned.

Refuses what it should not follow or replace: links out of the folder, what is no regular file, large and read-only
files, what cannot be edited; each by name, with what to paste, and the others go on. A file that was changed since it
was looked at is left as it is.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from probatum.app.agent_files import CLIENT_FILES, INSTALLED, SIGNS, TEXT_FILES, AgentFile, Launch
from probatum.app.sources import write_shared
from probatum.app.text_edits import EditError
from probatum.core.errors import UsageError, reason_of
from probatum.core.limits import MEBIBYTE

_FIRST_CHOICE, _OF_CLAUDE, *_ = TEXT_FILES
_IMPORTS_FIRST_CHOICE: Final = re.compile(rb"(?:^|\s)@(?:\./)?AGENTS\.md\b")


@dataclass(frozen=True, slots=True)
class FileEdit:
    """What is done with one file, by its path behind links."""

    path: str
    before: bytes | None
    after: bytes | None
    refusal: str = ""
    paste: str = ""
    """What somebody can put there by hand."""

    @property
    def changes(self) -> bool:
        """Whether something is to be written."""
        return not self.refusal and self.before != self.after

    @property
    def action(self) -> str:
        """One word for it."""
        if not self.changes:
            return "refused" if self.refusal else "unchanged"
        return "new" if self.before is None else "deleted" if self.after is None else "changed"


def launch() -> Launch:
    """Return the words that start probatum: its name where it is on the PATH, else this Python by its absolute path."""
    return INSTALLED if shutil.which(INSTALLED[0]) else (sys.executable, "-m", "probatum")


def planned(
    folder: Path, launch: Launch, clients: Collection[str], *, hooks: bool, remove: bool
) -> tuple[FileEdit, ...]:
    """Return what is to be done; raises UsageError where there is no folder, or it is not that of one project."""
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        raise UsageError("init.no_folder", f"{str(folder)!r} is not a folder.", "Name the folder of a repository.")
    if root == Path(os.path.realpath(Path.home())):
        sentence = "That is your home folder: the files of agents in it hold for everything that you do."
        raise UsageError("init.home", sentence, "Name the folder of a repository.")
    edits: dict[str, FileEdit] = {}
    for file in _wanted(root, clients, remove=remove):
        if hooks or remove or not file.is_hook:
            edit = _planned(root, file, launch, remove=remove)
            edits.setdefault(edit.path, edit)
    return tuple(each for each in edits.values() if each.action != "unchanged" or not remove)


def _wanted(root: Path, clients: Collection[str], *, remove: bool) -> Iterator[AgentFile]:
    def is_there(name: str) -> bool:
        return remove or os.path.lexists(root / name)

    chosen = set(clients) or {client for client, signs in SIGNS.items() if any(map(is_there, signs))}
    # Claude Code reads its own file alone.
    made = _OF_CLAUDE if chosen == {"claude"} else _FIRST_CHOICE
    yield from [file for file in TEXT_FILES if is_there(file.path)] or [made]
    for file in CLIENT_FILES:
        is_ready = not file.is_hook or clients or is_there(os.path.dirname(file.path))
        if is_ready and file.client in (chosen or {"claude"}):
            yield file


def _planned(root: Path, file: AgentFile, launch: Launch, *, remove: bool) -> FileEdit:
    target = Path(os.path.realpath(root / file.path))
    path = target.relative_to(root).as_posix() if target.is_relative_to(root) else file.path
    before, after, refusal = None, None, ""
    try:
        before = after = _content(root, root / file.path)
        if not remove and file in TEXT_FILES[1:] and _IMPORTS_FIRST_CHOICE.search(before or b""):
            return _planned(root, _FIRST_CHOICE, launch, remove=remove)
        if not remove or b"probatum" in (before or b""):
            text = file.edited(None if before is None else before.decode(), launch, remove=remove)
            after = None if text is None else text.encode()
        if before not in {None, after} and not (target.stat().st_mode & 0o222 and os.access(target, os.W_OK)):
            refusal = "it is read-only"
    except UnicodeDecodeError:
        refusal = "it is not UTF-8"
    except EditError as error:
        refusal = str(error)
    except OSError as error:
        refusal = f"it could not be read: {reason_of(error)}"
    return FileEdit(path, before, after, refusal, "" if remove else file.to_paste(launch))


def _content(root: Path, path: Path) -> bytes | None:
    """Return what a file holds, None where there is none; raises EditError for one that is not to be edited."""
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(root) or (path.is_symlink() and not target.exists()):
        raise EditError("it is a link that leads nowhere, or out of the folder")
    try:
        state = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(state.st_mode) or state.st_size > MEBIBYTE:
        raise EditError(f"it is not a regular file of at most {MEBIBYTE:,} bytes")
    return target.read_bytes()


def written(folder: Path, edits: Iterable[FileEdit]) -> tuple[FileEdit, ...]:
    """Write what was planned and return it; what could not be written is refused, with the reason."""
    root = Path(os.path.realpath(folder))
    return tuple(_written(root, edit) if edit.changes else edit for edit in edits)


def _written(root: Path, edit: FileEdit) -> FileEdit:
    path = root / edit.path
    try:
        mode = path.stat().st_mode if path.exists() else None
        if (None if mode is None else path.read_bytes()) != edit.before:
            return replace(edit, refusal="it was changed meanwhile")
        if edit.after is not None:
            write_shared(path, edit.after)
            path.chmod(mode or path.stat().st_mode)
            return edit
        path.unlink()
        if any(edit.path == each.path for each in CLIENT_FILES) and path.parent != root:
            with suppress(OSError):
                path.parent.rmdir()
    except OSError as error:
        return replace(edit, refusal=f"it could not be written: {reason_of(error)}")
    return edit
