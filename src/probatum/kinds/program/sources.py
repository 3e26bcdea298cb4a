"""Reads the programs that a person points at: a file, one name in it, a folder, or standard input.

The modules of the project that a file imports are read with it. Refuses by name: a path that does not exist, a name
given for a folder, a folder without Python files. What exists but cannot be read, or is larger than the budget, becomes
an answer of its own, so that one bad file never hides the rest.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from probatum.core.command import STANDARD_INPUT, UNREADABLE
from probatum.core.decision import Outcome, decide
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError, reason_of
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.core.ports import SourceReader
from probatum.core.subject import shown_path
from probatum.kinds.program.acceptance import BY_AUTHOR, Acceptance
from probatum.kinds.program.readings_file import notebook_of, readings_of
from probatum.kinds.program.request import ProgramRequest, repeat_command
from probatum.programs.projects.import_names import defines_nothing
from probatum.programs.projects.project import NOT_SOURCES, is_source, project_of
from probatum.programs.source import module_or_none
from probatum.readings.acceptances import GivenReadings
from probatum.verification.observed import Blank, NotJudged, Refusal

NAME_SEPARATOR = "::"
MAX_FILES = 10_000
_BEYOND_BUDGET = frozenset({"program.too_large", "program.imports_too_large"})
_SPLIT = "after you have split the file into modules; each is verified by itself"
_RENAME = "Remove it, or give it another name: the verdict would not be about what runs."
# What one file of many may be, without ending the run.
IN_A_FOLDER = frozenset({"path.missing", "path.not_a_file", "path.outside", "readings.not_read"})


@dataclass(frozen=True, slots=True)
class ProgramPath:
    """What was pointed at: a path (or ``-``) and, optionally, one name in that file."""

    path: str
    function: str | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it stands for every program in it."""
        return self.path != STANDARD_INPUT and os.path.isdir(self.path)


def parse_path(text: str) -> ProgramPath:
    """Split ``PATH[::NAME]``; a file whose own name holds ``::`` is taken as it is.

    Raises UsageError where the text is empty, a ``::`` is not followed by a name, or a name is given for a folder.
    """
    path, separator, name = text.partition(NAME_SEPARATOR)
    if not separator or os.path.exists(text):
        if not text:
            raise UsageError("path.empty", "An empty path was given.", "Name a Python file, a folder, or '-'.")
        return ProgramPath(text)
    longest, _, last = text.rpartition(NAME_SEPARATOR)
    if os.path.isfile(longest):
        path, name = longest, last
    if not path or not name:
        raise UsageError("path.incomplete", f"{text!r} is not PATH::NAME.", "Example: app/pricing.py::net_price")
    found = ProgramPath(path, name)
    if found.is_folder:
        sentence = f"{path!r} is a folder; a name can only be looked up in a file."
        raise UsageError("path.name_in_folder", sentence, f"Example: {path}/app.py::{name}")
    return found


def read_programs(
    target: ProgramPath,
    wanted: ProgramRequest,
    sources: SourceReader,
    acceptance: Acceptance = BY_AUTHOR,
    *,
    stands_for: str = "",
) -> Iterator[ProgramRequest | Refusal | Blank]:
    """Yield a request like ``wanted`` for every program of a target, in order of path.

    ``acceptance`` decides about the readings beside each. Where a folder has nothing but files that define nothing,
    these are verified as they are. ``stands_for`` is the path of the file whose text comes from standard input, empty
    for none. Raises UsageError where there is nothing to read at that path.
    """
    if not target.is_folder:
        yield _read(target.path, wanted, sources, acceptance, stands_for)
        return
    blank = []
    files = python_files(Path(target.path))
    for file in files:
        try:
            read = _read(str(file), wanted, sources, acceptance)
        except UsageError as error:
            if error.code not in IN_A_FOLDER:
                raise
            read = refusal(shown_path(file), "program.unreadable", error.sentence)
        if isinstance(read, ProgramRequest) and defines_nothing(file.name, read.tree):
            blank.append(read)
        else:
            yield read
    yield from blank if len(blank) == len(files) else (Blank(each.name) for each in blank)


def refusal(name: str, constraint: str, reason: str, next_step: str = "", repeat: str = "") -> Refusal:
    """Return the answer about a program that is not judged, for this reason."""
    outcome = Outcome.UNDECIDED if constraint in _BEYOND_BUDGET else Outcome.NOT_ATTEMPTED
    decision = decide(outcome, constraint, {"name": "it"}, {"reason": reason})
    return Refusal(NotJudged(name, decision, next_step, repeat))


def read_companion(path: str, option: str, sources: SourceReader) -> bytes:
    """Return the bytes of a file that an option names; raises as `SourceReader.read_whole` does."""
    return sources.read_whole(path, MAX_SOURCE_BYTES, f"file of {option}")


def contract_text(contract: str | None, sources: SourceReader) -> str | None:
    """Return a contract as it was given, or the text of the file that ``@FILE`` names; raises as `read_companion`."""
    if contract is None or not contract.startswith("@"):
        return contract
    try:
        return read_companion(contract[1:], "--contract", sources).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("contract.not_text", f"the contract {contract[1:]!r} is not UTF-8 text.") from None


def python_files(folder: Path) -> list[Path]:
    """Return every Python file below a folder that is not hidden, not a test and not an installed package.

    Raises UsageError where there is none or too many, NotAttemptedError where a part of the folder cannot be listed:
    leaving that part out would let a verdict speak for files that nobody looked at.
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
    raise NotAttemptedError(
        UNREADABLE, f"The folder {error.filename!r} cannot be listed: {reason_of(error)}."
    ) from error


def _may_hold_sources(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in NOT_SOURCES
    # A folder that may not be looked into is left to the walk, which says so.
    return not hidden and not os.path.exists(folder / "pyvenv.cfg")


def with_readings(request: ProgramRequest, given: GivenReadings) -> ProgramRequest:
    """Return a request with readings of its program."""
    records, acceptance, not_counted = given.records, given.acceptance, given.not_counted
    return replace(request, readings=records, acceptance=acceptance, not_counted=not_counted)


def _read(
    path: str, wanted: ProgramRequest, sources: SourceReader, acceptance: Acceptance, stands_for: str = ""
) -> ProgramRequest | Refusal:
    name = shown_path(stands_for or path)
    repeat = repeat_command(replace(wanted, name=name))
    try:
        content = sources.read(path, MAX_SOURCE_BYTES)
    except NotAttemptedError as error:
        return refusal(name, "program.unreadable", error.sentence)
    if len(content) > MAX_SOURCE_BYTES:
        sentence = f"{name} is larger than {MAX_SOURCE_BYTES:,} bytes, the most that one source may have."
        return refusal(name, "program.too_large", sentence, _SPLIT, repeat)
    if path == STANDARD_INPUT and not stands_for:
        return replace(wanted, content=content, name=name)
    path = stands_for or path
    try:
        tree = module_or_none(content)
        project = project_of(Path(path), content, tree)
    except BudgetError as error:
        return replace(refusal(name, error.code, error.sentence, error.hint, repeat), content=content)
    notebook = notebook_of(path).absolute()
    readings = hashlib.sha256(notebook.read_bytes()).hexdigest() if notebook.is_file() else ""
    if project.instead:
        told = refusal(name, "program.imported_instead", f"{'; '.join(project.instead)}.", _RENAME)
        return replace(told, content=content)
    found = replace(
        wanted,
        content=content,
        name=name,
        module=project.module,
        siblings=project.modules,
        files=project.files,
        left_out=project.left_out,
        installed_in=project.installed_in,
        read_from=(*project.read_from, (str(notebook), readings)),
        tree=tree,
    )
    return found if wanted.readings else with_readings(found, readings_of(path, None, sources, acceptance))
