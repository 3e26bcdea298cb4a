"""Which functions an agent asks about: files, folders, names in files, and only what changed since the last commit.

Changes are found by comparing bytes with git's objects; no filter, hook or monitor of the repository runs. Refuses a
path outside of the folders that are lent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from probatum.changes.versions.repository import GIT
from probatum.core.decision import Decision
from probatum.core.errors import UsageError
from probatum.kinds.program.acceptance import acceptance_named
from probatum.kinds.program.changes import Changes
from probatum.kinds.program.readings_file import notebook_of, readings_of
from probatum.kinds.program.request import ProgramRequest
from probatum.kinds.program.sources import NAME_SEPARATOR, contract_text, parse_path, read_programs, with_readings
from probatum.verification.desk import ToolDesk
from probatum.verification.observed import Refusal

LAST_COMMIT: Final = f"{GIT}HEAD"
MOST_PATHS: Final = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """One program, with its readings, and which of its functions are meant."""

    request: ProgramRequest
    notebook: Path
    """Its readings file."""
    names: tuple[str, ...] = ()
    """Qualified names; none where the whole file is meant."""

    def key(self, name: str) -> str:
        """Return by what an agent calls a function: its path and name."""
        return f"{self.request.name}{NAME_SEPARATOR}{name}"


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that cannot be read, and why."""

    name: str
    reason: str


def paths_of(arguments: object) -> tuple[str, ...]:
    """Return the paths of a call; raises UsageError where they are none."""
    found = [arguments] if isinstance(arguments, str) else arguments
    if not isinstance(found, list) or not found or not all(isinstance(each, str) and each for each in found):
        raise UsageError(
            "paths.wrong", "'paths' is a list of files, folders or PATH::NAME.", 'Example: ["shop/cart.py"]'
        )
    if len(found) > MOST_PATHS:
        raise UsageError("paths.too_many", f"At most {MOST_PATHS} paths are taken at once, got {len(found):,}.")
    return tuple(found)


def wanted(paths: Sequence[str], desk: ToolDesk, *, changed: bool = False) -> Iterator[Wanted | UnreadFile]:
    """Yield the programs at some paths with what is meant of each; ``changed`` since the last commit alone.

    Raises UsageError where a path makes no sense, or is outside of what is lent.
    """
    named = desk.given.text("readings")
    acceptance = acceptance_named(desk.given.text("acceptance"), desk.sources)
    contract = contract_text(desk.given.text("contract"), desk.sources)
    changes = Changes(LAST_COMMIT)
    for path, names in _by_path(paths).items():
        target = replace(parse_path(desk.place(path)), function=None)
        if named is not None and target.is_folder:
            raise UsageError("path.folder", f"--readings belongs to one file, but {target.path!r} is a folder.")
        for found in read_programs(
            target, ProgramRequest(b"", target.path, contract=contract), desk.sources, acceptance
        ):
            if isinstance(found, Refusal):
                yield UnreadFile(found.observed.name, reason_of(found.observed.decide()))
            elif isinstance(found, ProgramRequest):
                notebook = notebook_of(found.name) if named is None else Path(named)
                desk.place(str(notebook))
                since = changes.of(found) if changed else None
                only = None if since is None else since.edited | since.reached
                kept = (
                    names
                    if only is None
                    else tuple(e for e in names or sorted(only) if e and e.partition(".")[0] in only)
                )
                if only is None or kept:
                    own = None if named is None else readings_of(path, named, desk.sources, acceptance)
                    yield Wanted(found if own is None else with_readings(found, own), notebook, kept)


def reason_of(decision: Decision) -> str:
    """Return what a decision says of why nothing was judged."""
    fields = decision.fields
    told = (str(fields[name]) for name in ("reason", "detail") if fields.get(name))
    return next(told, decision.agent_message)[:300]


def _by_path(paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the names that are asked for by path; none where the whole path is."""
    found: dict[str, tuple[str, ...]] = {}
    for each in dict.fromkeys(paths):
        target = parse_path(each)
        names = found.get(target.path)
        whole = target.function is None or names == ()
        found[target.path] = () if whole else (*(names or ()), str(target.function))
    return found
