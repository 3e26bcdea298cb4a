"""The programs of one version of a change, each checked against its documentation as the program kind does.

A program is read with what it imports from a copy of its version, and runs in the sandbox. Refuses to plant faults:
what examples and accepted readings show is all that is asked. What cannot be read or run is told in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from probatum.changes.documented.values import Place
from probatum.changes.versions.trees import Tree
from probatum.core.decision import Decision
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.events import ignore
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.programs.decide import Level, ProgramPolicy
from probatum.programs.judging.missed_at_import import missed_at_import, named_by, unless_reached
from probatum.programs.judging.readings_in_force import ReadingsInForce, noted_in
from probatum.programs.loading import load_failure, read_source, with_shown_names
from probatum.programs.projects.notebooks import notebook_beside
from probatum.programs.projects.project import project_of
from probatum.programs.record import FunctionRecord
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import Source, module_or_none
from probatum.programs.specification import FunctionSpec
from probatum.programs.units import units_of
from probatum.programs.verifier import verify_function

Answer = FunctionRecord | str | None
"""What running it gave, or why that is not known; None where there is no such function or class."""
_BY_EXAMPLES: Final = ProgramPolicy(Level.QUICK.value, generated_inputs=0, mutants=0)
_BY_READINGS: Final = ProgramPolicy(mutants=0)
"""What a reading says of all calls is held against generated ones too."""
_LONGEST: Final = 300


class ProgramsOfVersion:
    """One version: its programs, read and loaded once each, from a copy that is laid out when the first is read."""

    def __init__(self, tree: Tree, folder: Path, benches: Callable[[], Benches]) -> None:
        self.contents = tree.contents
        self._tree, self._folder = tree, folder
        self._benches = benches
        self._read: dict[str, Source | str] = {}
        self._loaded: dict[str, Source | str] = {}

    def read(self, path: str) -> Source | str:
        """Return a program with what it imports, or why it cannot be read."""
        if path not in self.contents:
            return "it is not there"
        if path not in self._read:
            self._read[path] = self._read_anew(path)
        return self._read[path]

    def unit(self, place: Place, read: Source) -> FunctionSpec | None:
        """Return a function or class as it is documented, None where it is not defined."""
        try:
            return units_of(read.module, place[1], None)[0]
        except UsageError:
            return None

    def readings(self, path: str, read: Source) -> ReadingsInForce:
        """Return the readings that count for a program; raises ValueError where their file cannot be read."""
        notebook = self.contents.get(notebook_beside(path), b"")
        return noted_in(notebook, read, units_of(read.module, None, None), _BY_READINGS.readings)

    def record(self, place: Place) -> Answer:
        """Run what a function or class is documented to do; return why that cannot be, None where there is no such."""
        path, name = place
        if path not in self.contents:
            return None
        try:
            source = self._loaded_once(path)
            if isinstance(source, str):
                return source
            unit, own = self.unit(place, source), self.readings(path, source).about(name)
            if unit is None:
                return None
            names = named_by(unit, source.module, (*own.counting, *own.proposed), None)
            source = unless_reached(source, names, missed_at_import(source, self._benches()))
            policy = _BY_READINGS if own.counting else _BY_EXAMPLES
            question = FunctionQuestion(source, unit, policy, readings=own.counting, proposals=own.proposed)
            record = verify_function(question, self._benches(), ignore)
        except (BudgetError, NotAttemptedError) as error:
            return error.sentence
        except ValueError as error:
            return f"its readings file cannot be read: {error}"
        return replace(record, not_asked=(*record.not_asked, *own.outside))

    def _loaded_once(self, path: str) -> Source | str:
        if path not in self._loaded:
            read = self.read(path)
            if isinstance(read, Source):
                failure = load_failure(read.program, self._benches())
                told = with_shown_names(read, self._benches()) if failure is None else failure
                read = told if isinstance(told, Source) else reason_told(told)
            self._loaded[path] = read
        return self._loaded[path]

    def _read_anew(self, path: str) -> Source | str:
        if not self._folder.exists():
            _lay_out(self._tree, self._folder)
        content = self.contents[path]
        try:
            project = project_of(self._folder / path, content, module_or_none(content))
        except BudgetError as error:
            return error.sentence
        if project.instead or project.installed_in:
            return "; ".join(project.instead) or "it lies among installed packages"
        told = read_source(project.program(content))
        return told if isinstance(told, Source) else reason_told(told)


def _lay_out(tree: Tree, folder: Path) -> None:
    """Write a version to a folder; what cannot be written is not there, and nobody reads more of a file than this."""
    folder.mkdir()
    for path, file in sorted(tree.files.items(), key=lambda each: bool(each[1].link)):
        with suppress(OSError):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if file.link:
                place.symlink_to(file.link)
            else:
                place.write_bytes(file.content[: MAX_SOURCE_BYTES + 1])


def reason_told(decision: Decision) -> str:
    """Return a decision in one sentence with what it rests on, if that is told."""
    told = decision.fields.get("reasons")
    detail = decision.fields.get("detail") or (told[0] if isinstance(told, Sequence) and told else "")
    return shortened(f"{decision.agent_message} {detail}")


def shortened(text: str) -> str:
    """Return a text as one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
