"""Reads what a person points at: a file, one name in it, a folder, or standard input, with the modules next to it.

Refuses by name: a path that does not exist, a name given for a folder, a folder without Python files. What exists but
cannot be read, or is larger than the budget, becomes an answer of its own, so that one bad file never hides the rest.
"""

from __future__ import annotations

import ast
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from probatum.app.answers import ProgramAnswer
from probatum.app.import_names import defines_nothing, tree_of
from probatum.app.imports import NOT_SOURCES, is_source, project_of
from probatum.app.refusals import refuse, refuse_for
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, UsageError, nearest
from probatum.core.limits import MAX_SOURCE_BYTES

STANDARD_INPUT = "-"
NAME_SEPARATOR = "::"
MAX_FILES = 10_000


@dataclass(frozen=True, slots=True)
class Target:
    """What was pointed at: a path (or ``-``) and, optionally, one name in that file."""

    path: str
    function: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One program that was read, with the modules of its project that it needs."""

    name: str
    content: bytes
    tree: ast.Module | None = None
    """The syntax, where it was parsed already."""
    module: str = ""
    """What the program is called when it is imported; nothing where only its name can tell."""
    siblings: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """One program that could not be read, with its answer."""

    name: str
    answer: ProgramAnswer


@dataclass(frozen=True, slots=True)
class Blank:
    """One file of a folder that has nothing to verify: it only imports and names things."""

    name: str


def parse_target(text: str) -> Target:
    """Split ``PATH[::NAME]``; a file whose own name holds ``::`` is taken as it is.

    Raises:
        UsageError: the text is empty, or a ``::`` is not followed by a name.
    """
    path, separator, name = text.partition(NAME_SEPARATOR)
    if not separator or Path(text).exists():
        if not text:
            raise UsageError("path.empty", "An empty path was given.", "Name a Python file, a folder, or '-'.")
        return Target(text)
    if not path or not name:
        raise UsageError("path.incomplete", f"{text!r} is not PATH::NAME.", "Example: app/pricing.py::net_price")
    return Target(path, name)


def read_programs(target: Target, standard_input: BinaryIO) -> Iterator[Source | Unread | Blank]:
    """Yield every program of a target, in order of path; where a folder has none, its files as they are.

    Raises:
        UsageError: there is nothing to read at that path.
    """
    if target.path == STANDARD_INPUT:
        yield _read_stream(standard_input)
        return
    path = Path(target.path)
    if not path.is_dir():
        _require_present(path)
        yield _read_file(path)
        return
    if target.function is not None:
        sentence = f"{target.path!r} is a folder; a name can only be looked up in a file."
        raise UsageError("path.name_in_folder", sentence, f"Example: {target.path}/app.py::{target.function}")
    blank = []
    files = python_files(path)
    for file in files:
        read = _read_file(file)
        if isinstance(read, Source) and defines_nothing(file.name, read.tree):
            blank.append(read)
        else:
            yield read
    yield from blank if len(blank) == len(files) else (Blank(each.name) for each in blank)


def read_companion(path: Path, option: str) -> bytes:
    """Return the bytes of a file that an option names (``--tests``, ``--against``, ``--contract @FILE``).

    Raises:
        UsageError: it does not exist or cannot be read.
        BudgetError: it is larger than a source may be.
    """
    _require_present(path)
    try:
        content = _read_bounded(path)
    except OSError as error:
        sentence = f"The file of {option}, {str(path)!r}, could not be read: {_reason(error)}."
        raise UsageError("path.unreadable", sentence) from error
    if len(content) > MAX_SOURCE_BYTES:
        raise BudgetError("program.too_large", _too_large(str(path)))
    return content


def python_files(folder: Path) -> list[Path]:
    """Return every Python file below a folder that is not hidden, not a test and not an installed package.

    Raises:
        UsageError: there is none, there are too many, or a part of the folder cannot be listed: leaving that part
            out would let a verdict speak for files that nobody looked at.
    """
    found: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=_refuse_part):
        folders[:] = sorted(name for name in folders if _may_hold_sources(Path(place) / name))
        found.extend(Path(place) / name for name in files if is_source(name))
        if len(found) > MAX_FILES:
            sentence = f"{str(folder)!r} holds more than {MAX_FILES:,} Python files."
            raise UsageError("path.too_many", sentence, "Point at a smaller folder.")
    if not found:
        sentence = f"There is no Python file to verify below {str(folder)!r} (tests and hidden files are left out)."
        raise UsageError("path.no_python", sentence)
    return sorted(found)


def _refuse_part(error: OSError) -> None:
    sentence = f"The folder {error.filename!r} cannot be listed: {_reason(error)}."
    raise UsageError("path.unreadable", sentence) from error


def _may_hold_sources(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in NOT_SOURCES
    return not hidden and not (folder / "pyvenv.cfg").exists()


def _require_present(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except PermissionError:
        return
    except (OSError, ValueError):
        raise UsageError("path.missing", f"There is no file {str(path)!r}.", _similar(path)) from None
    if not stat.S_ISREG(mode):
        raise UsageError("path.not_a_file", f"{str(path)!r} is not a regular file.", "Use '-' for standard input.")


def _similar(path: Path) -> str:
    try:
        return nearest(path.name, os.listdir(path.parent))
    except (OSError, ValueError):
        return ""


def _read_file(path: Path) -> Source | Unread:
    # A name that is no text would have no place in a proof.
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        # A pipe among the files of a folder would be waited for without end.
        if not stat.S_ISREG(path.stat().st_mode):
            return _unreadable(name, "it is not a regular file")
        content = _read_bounded(path)
    except OSError as error:
        return _unreadable(name, _reason(error))
    if len(content) > MAX_SOURCE_BYTES:
        return _larger_than_budget(name)
    try:
        tree = tree_of(content)
        project = project_of(path, content, tree)
        return Source(name, content, tree, project.module, project.modules)
    except BudgetError as error:
        return Unread(name, refuse_for(name, error))


def _unreadable(name: str, reason: str) -> Unread:
    sentence = f"{name} could not be read: {reason}."
    return Unread(name, refuse(name, Outcome.NOT_ATTEMPTED, "program.unreadable", sentence))


def _read_stream(stream: BinaryIO) -> Source | Unread:
    content = stream.read(MAX_SOURCE_BYTES + 1)
    if len(content) > MAX_SOURCE_BYTES:
        return _larger_than_budget(STANDARD_INPUT)
    return Source(STANDARD_INPUT, content)


def _read_bounded(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_SOURCE_BYTES + 1)


def _too_large(name: str) -> str:
    return f"{name} is larger than {MAX_SOURCE_BYTES:,} bytes, the most that one source may have."


def _larger_than_budget(name: str) -> Unread:
    step = "Split the file, or verify the modules that it is made of."
    return Unread(name, refuse(name, Outcome.UNDECIDED, "program.too_large", _too_large(name), step))


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
