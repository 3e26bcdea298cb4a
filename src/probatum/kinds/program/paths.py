"""Which files a command line means: files, names in files, folders, patterns, standard input; and what it leaves out.

A pattern is for shells that leave it as it is, and for configuration. Refuses by name: a file that is not Python, a
pattern that matches nothing, and what `sources.parse_path` refuses.
"""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from probatum.core.command import STANDARD_INPUT, Given
from probatum.core.errors import UsageError
from probatum.kinds.program.sources import parse_path, python_files
from probatum.programs.projects.project import is_source
from probatum.verification.files import FilePath

_PYTHON: Final = frozenset({"", ".py", ".pyw"})
_OUTSIDE: Final = ".."


def file_paths(given: Given) -> list[FilePath]:
    """Return the files that are asked for, in the order of the command line, and each once.

    Raises UsageError where one is none that can be judged, or a name makes no sense.
    """
    left_out = [each for text in given.texts("exclude") for each in text.split(",") if each]
    is_forced = given.flag("force-exclude")
    stands_for = given.text("stdin-filename") or ""
    found: dict[tuple[str, str], FilePath] = {}
    for subject in (given.subject, *given.others):
        for each in _meant(subject):
            path = stands_for if each.path == STANDARD_INPUT else each.path
            may_leave = bool(path) and (each.is_found or is_forced)
            is_source_file = each.is_found or not is_forced or _is_source(path)
            if may_leave and (not is_source_file or any(is_excluded(path, pattern) for pattern in left_out)):
                continue
            found.setdefault((os.path.realpath(each.path), each.name), each)
    return list(found.values())


def is_excluded(path: str, pattern: str) -> bool:
    """Return whether a pattern leaves a file out.

    One without a slash, or with one at its end, matches the name of the file or of any folder around it; another one
    the path, from the current folder or from the root, or that of a folder around it. ``**/`` may stand for nothing.
    """
    inner = pattern.rstrip("/")
    if "/" not in inner:
        return any(fnmatchcase(part, inner) for part in Path(path).parts)
    whole = os.path.abspath(path)
    # Where the current folder is called such as ``[a]``, that is its name and no pattern.
    here = glob.escape(os.getcwd())
    wanted = {os.path.normpath(os.path.join(here, each)) for each in (inner, f"/{inner}".replace("/**/", "/")[1:])}
    return any(fnmatchcase(each, one) for each in (whole, *map(str, Path(whole).parents)) for one in wanted)


def _is_source(path: str) -> bool:
    """Return whether a file would be found in a folder."""
    named = Path(path)
    inside = Path(os.path.relpath(path)).parent.parts
    return is_source(named.name, inside if _OUTSIDE not in inside else ()) or named.suffix == ""


def _meant(subject: str) -> Iterator[FilePath]:
    if glob.has_magic(subject) and not os.path.lexists(subject.partition("::")[0]):
        yield from _matching(subject)
        return
    target = parse_path(subject)
    if target.is_folder:
        yield from (FilePath(str(file), root=target.path) for file in python_files(Path(target.path)))
        return
    _require_python(target.path)
    yield FilePath(target.path, target.function or "")


def _matching(pattern: str) -> Iterator[FilePath]:
    matches = sorted(glob.glob(pattern, recursive=True))
    if not matches:
        raise UsageError("path.no_match", f"No file matches {pattern!r}.", "Put it in quotes, and use ** for folders.")
    for match in matches:
        if os.path.isdir(match):
            yield from (FilePath(str(file), root=match) for file in _python_files_or_none(Path(match)))
        elif is_source(os.path.basename(match)):
            yield FilePath(match, root=os.path.dirname(match) or os.curdir)


def _python_files_or_none(folder: Path) -> Sequence[Path]:
    try:
        return python_files(folder)
    except UsageError as error:
        if error.code != "path.no_python":
            raise
        return ()


def _require_python(path: str) -> None:
    suffix = Path(path).suffix.lower()
    try:
        is_file = path != STANDARD_INPUT and stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        # Whoever reads it says why.
        return
    if is_file and suffix not in _PYTHON:
        sentence = f"{path!r} is not a Python file: its name ends in {suffix!r}, expected '.py'."
        raise UsageError("path.not_python", sentence, "In a folder, what is not Python is skipped.")
