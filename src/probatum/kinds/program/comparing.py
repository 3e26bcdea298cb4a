"""`probatum compare`: alternatives for one function in groups of the same behaviour, and what tells the groups apart.

Refuses to call agreement a success: the exit code is 1 where alternatives differ, 3 where no input told them apart, and
never 0, which means VERIFIED everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from probatum.core.command import Command, Form, Given, Option
from probatum.core.decision import Decision
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.messages import counted, listed
from probatum.core.ports import SourceReader
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.verification.desk import Told, ToolDesk
from probatum.verification.observed import Blank, Refusal

if TYPE_CHECKING:
    from probatum.kinds.program.sources import ProgramPath
    from probatum.programs.judging.alternatives import Alternatives
    from probatum.programs.running.execute import Benches
    from probatum.programs.running.question import FunctionQuestion
    from probatum.programs.source import Source

DIFFERENT: Final = 1
NOT_TOLD_APART: Final = 3
MOST_ALTERNATIVES: Final = 20
_COMMAND = Command(
    position=11,
    name="compare",
    question="Do alternatives for a function behave alike?",
    help="""Group alternatives for a function by what they do, and show the smallest input on which they differ.

    Inputs are made as for verification, from what any of them documents. Agreement proves nothing: several can be
    wrong in the same way. Exit code 1 where they differ, 3 where no input told them apart.""",
    subject="PATH[::NAME]...",
    subject_help="Two or more Python files, each with a name in it; without names, what all of them define.",
    options=(
        Option("python", "Run them with this Python and the packages installed for it.", metavar="INTERPRETER"),
        Option("unsafe-no-isolation", "Run them WITHOUT a sandbox: they can do all that you can do.", Form.FLAG),
    ),
)


@dataclass(frozen=True, slots=True)
class CompareTool:
    """Compares alternatives."""

    command: Command = _COMMAND

    def act(self, given: Given, desk: ToolDesk) -> Told:
        """Compare the functions of several files; raises as `Tool.act` does."""
        subjects = (given.subject, *given.others)
        if not 1 < len(subjects) <= MOST_ALTERNATIVES:
            sentence = f"2 to {MOST_ALTERNATIVES} programs are compared, got {len(subjects)}."
            raise UsageError("compare.count", sentence, "Example: probatum compare a.py::area b.py")
        rows, bench = _asked(subjects, desk.sources), desk.bench()
        compared = [_compared(names, row, bench.open_benches) for names, row in rows]
        is_told_apart = any(len(each.found.groups) > 1 for each in compared)
        document = {"alternatives": list(subjects), "functions": [each.to_json() for each in compared]}
        pages = [each.page() for each in compared]
        return Told(document, pages, exit_code=DIFFERENT if is_told_apart else NOT_TOLD_APART)


def _asked(
    subjects: Sequence[str], sources: SourceReader
) -> list[tuple[tuple[str, ...], tuple[FunctionQuestion, ...]]]:
    """Return what is compared with what, each alternative as it is called and as a question."""
    from probatum.kinds.program.sources import parse_path
    from probatum.programs.decide import ProgramPolicy
    from probatum.programs.running.question import FunctionQuestion
    from probatum.programs.units import find_function, units_of

    targets = [parse_path(each) for each in subjects]
    read = [_read(target, sources) for target in targets]
    first = next((each.function for each in targets if each.function), None)
    # One name stands for all that have none; without any, what every file defines is compared.
    shared = [first] if first else [unit.qualname for unit in units_of(read[0].module, None, None)]
    if not first:
        known = [{each.qualname for each in source.module.functions} for source in read]
        shared = [name for name in shared if all(name in names for names in known)]
    if not shared:
        raise UsageError("compare.nothing", "The files define no public name together.", "Name each: PATH::NAME.")
    rows = []
    for name in shared:
        names = [target.function or name for target in targets]
        specs = [find_function(source.module, each) for source, each in zip(read, names, strict=True)]
        row = [FunctionQuestion(source, spec, ProgramPolicy()) for source, spec in zip(read, specs, strict=True)]
        called = tuple(f"{target.path}::{each}" for target, each in zip(targets, names, strict=True))
        rows.append((called, tuple(row)))
    return rows


def _read(target: ProgramPath, sources: SourceReader) -> Source:
    from probatum.kinds.program.proof import program_of
    from probatum.kinds.program.request import ProgramRequest
    from probatum.kinds.program.sources import read_programs
    from probatum.programs.loading import read_source

    if target.is_folder:
        raise UsageError("path.folder", f"{target.path!r} is a folder; files are compared.", "Name one file.")
    [found] = read_programs(target, ProgramRequest(b"", target.path), sources)
    if isinstance(found, Blank):
        raise UsageError("compare.nothing", f"{target.path!r} defines nothing.", "Name a file with functions.")
    read = found.observed.decide() if isinstance(found, Refusal) else read_source(program_of(found), found.tree)
    if isinstance(read, Decision):
        raise NotAttemptedError(read.constraint_id, f"{target.path!r} cannot be compared: {read.agent_message}")
    return read


@dataclass(frozen=True, slots=True)
class _Row:
    """Alternatives for one name, and what comparing them came to."""

    names: tuple[str, ...]
    found: Alternatives
    # Of every telling input: how it is pasted, and what each alternative answers.
    telling: tuple[tuple[str, tuple[str, ...]], ...]

    def to_json(self) -> Mapping[str, object]:
        """Return it as JSON."""
        return {
            "names": list(self.names),
            "groups": [[self.names[place] for place in group] for group in self.found.groups],
            "compared": self.found.compared,
            "telling": [{"input": call, "answers": list(answers)} for call, answers in self.telling],
        }

    def page(self) -> Page:
        """Return it as a person reads it."""
        inputs = counted(self.found.compared, "input")
        if not self.found.compared:
            silent = [name for name, count in zip(self.names, self.found.answered, strict=True) if not count]
            why = f" {listed(silent, len(silent))} gave no steady answer." if silent else ""
            return Page("NOT COMPARED", Mark.UNDECIDED, self.names[0], (f"Nothing could be compared.{why}",))
        if len(self.found.groups) == 1:
            said = f"They answer alike on {inputs}. That proves nothing: all of them may be wrong."
            return Page("NO DIFFERENCE FOUND", Mark.UNDECIDED, self.names[0], (said,), (self._groups(),))
        said = f"{counted(len(self.found.groups), 'group')} of different behaviour, on {inputs}."
        asked = Section(
            "Where they differ",
            tuple(
                Entry(Mark.NOTE, call, None, tuple(map(": ".join, zip(self.names, answers, strict=True))))
                for call, answers in self.telling
            ),
        )
        return Page("DIFFERENT", Mark.FAILS, self.names[0], (said,), (self._groups(), asked))

    def _groups(self) -> Section:
        rows = (", ".join(self.names[place] for place in group) for group in self.found.groups)
        return Section("Groups that answer alike", tuple(Entry(Mark.NOTE, each) for each in rows))


def _compared(
    names: tuple[str, ...], questions: Sequence[FunctionQuestion], open_benches: Callable[[], Benches]
) -> _Row:
    from probatum.programs.judging.alternatives import grouped
    from probatum.programs.running.behaviours import told
    from probatum.programs.running.checks import pasteable

    found = grouped(questions, open_benches())
    telling = tuple(
        (pasteable(each.action), tuple(told(answer, each.answers) for answer in each.answers)) for each in found.telling
    )
    return _Row(names, found, telling)
