"""What ``read`` does: it opens a program with its readings, and lists, asks, adds, accepts or rejects.

The program is loaded first, as it is for `verify`, so that what its code adds to ``__doc__`` at import can be quoted.
Files are read here and never written: what changes is told with the answer, and saved by whoever called.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from probatum.core.command import STANDARD_INPUT, Given
from probatum.core.decision import EXIT_CODE, Decision, Outcome, blocked_by
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.core.messages import counted
from probatum.core.outside import shell_command
from probatum.core.ports import Signing, SourceReader
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.core.subject import shown_path
from probatum.kinds.program.acceptance import signed
from probatum.kinds.program.proof import program_of
from probatum.kinds.program.reading_doubts import doubts_of
from probatum.kinds.program.reading_list import listing
from probatum.kinds.program.readings_file import notebook_of, records_in
from probatum.kinds.program.request import ProgramRequest
from probatum.kinds.program.sources import contract_text, parse_path, read_programs
from probatum.kinds.program.workbench import ProgramWorkbench
from probatum.programs.decide import ProgramPolicy
from probatum.programs.judging.reading_inputs import refused_inputs
from probatum.programs.judging.reading_records import said_of
from probatum.programs.judging.reading_trials import tried
from probatum.programs.loading import read_source, with_shown_names
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import Source
from probatum.programs.statements.documented import documents_of
from probatum.programs.units import find_function, readable_units, units_of
from probatum.readings.documented import Documents
from probatum.readings.notebook import write_notebook
from probatum.readings.proposals import Added, ProposalTrial, Refused, added, judged
from probatum.readings.recorded import record_of, rows_of
from probatum.readings.values import ReadingRecord, Standing
from probatum.verification.desk import SavedFile, Told, ToolDesk
from probatum.verification.observed import Refusal

Today = Callable[[], datetime.date]
REPLAY: Final = "replay:"
_REPEATED: Final = ("by", "sign", "readings", "contract", "python")
"""Options of an acceptance that hold for another one too."""


@dataclass(frozen=True, slots=True)
class OpenedProgram:
    """One program, with the readings that there are of it."""

    name: str
    function: str | None
    source: Source
    notebook: Path
    content: bytes
    """What stands in the readings file; empty where there is none."""
    records: tuple[ReadingRecord, ...]
    bench: ProgramWorkbench
    """What it is loaded and run with."""
    request: ProgramRequest
    why_not_loaded: Decision | None = None
    """What follows where the program cannot be loaded."""

    @property
    def subject(self) -> str:
        """What it is called on pages."""
        return f"{self.name}::{self.function}" if self.function else self.name

    def documents(self) -> Documents:
        """Return what can be quoted."""
        return documents_of(self.source.module, units_of(self.source.module, self.function, self.request.contract))

    def doubts(self) -> Mapping[str, str]:
        """Return by the id of each proposal why it may say less than its words."""
        return doubts_of(self.own(), self.source, replace(self.request, readings=self.records), self.bench)

    def own(self) -> tuple[ReadingRecord, ...]:
        """Return the records about what was asked for."""
        return tuple(each for each in self.records if self.function in {None, each.function})


def opened(given: Given, desk: ToolDesk) -> OpenedProgram:
    """Return what a command line points at.

    Raises UsageError for a folder, a name that the file does not define, or a readings file that cannot be read;
    NotAttemptedError where the program cannot be read.
    """
    target = parse_path(given.subject)
    if target.is_folder:
        raise UsageError("read.folder", f"{target.path!r} is a folder; one file is read at a time.", "Name a file.")
    found = next(iter(read_programs(target, ProgramRequest(b"", target.path, target.function), desk.sources)))
    if not isinstance(found, ProgramRequest):
        decision = found.observed.decide() if isinstance(found, Refusal) else None
        raise NotAttemptedError("program.unreadable", decision.agent_message if decision else "It is empty.")
    named = given.text("readings")
    if named is None and target.path == STANDARD_INPUT:
        raise UsageError("readings.unnamed", "Standard input has no file beside it.", "Name one with --readings FILE.")
    path = Path(named) if named is not None else notebook_of(target.path)
    contract = contract_text(given.text("contract"), desk.sources)
    return opened_program(replace(found, contract=contract), path, desk)


def opened_program(found: ProgramRequest, notebook: Path, desk: ToolDesk) -> OpenedProgram:
    """Return a program with the readings of a file; raises as `opened`."""
    bench: ProgramWorkbench = desk.bench()
    bench.require_home(found)
    source = read_source(program_of(found), found.tree)
    if isinstance(source, Decision):
        raise NotAttemptedError(source.constraint_id, f"{found.name}: {source.fields.get('detail')}.")
    if found.function is not None:
        find_function(source.module, found.function)
    shown = _as_loaded(source, bench)
    source, why_not = (source, shown) if isinstance(shown, Decision) else (shown, None)
    content, records = records_in(notebook, desk.sources) if notebook.exists() else (b"", ())
    return OpenedProgram(found.name, found.function, source, notebook, content, records, bench, found, why_not)


def _as_loaded(source: Source, bench: ProgramWorkbench) -> Source | Decision:
    """Return a program with what its loaded module documents, or what follows where it cannot be loaded."""
    try:
        return with_shown_names(source, bench.open_benches())
    except NotAttemptedError as error:
        return blocked_by(error)


def add(program: OpenedProgram, given: Given, sources: SourceReader, _today: Today) -> Told:
    """Add the records of a file as proposals."""
    path = given.text("add") or ""
    rows = _rows(sources.read_whole(path, MAX_READINGS_BYTES, "file of --add"), path)
    return _added(program, rows, given.text("reader") or "")


def ask_reader(program: OpenedProgram, given: Given, sources: SourceReader, _today: Today) -> Told:
    """Ask a reader, and add what it answers as proposals."""
    named = given.text("with") or ""
    path = named.removeprefix(REPLAY)
    rows = _rows(sources.read_whole(path, MAX_READINGS_BYTES, "file of --with"), path)
    units = readable_units(program.source.module, program.function, program.request.contract)
    names, task = {each.qualname for each in units}, given.text("task")
    own = [row for row in rows if isinstance(row, dict) and row.get("function") in names]
    answers = [row for row in own if not task or row.get("id") == task]
    return _added(program, answers, given.text("reader") or Path(path).stem)


def accept(program: OpenedProgram, given: Given, sources: SourceReader, today: Today) -> Told:
    """Accept readings in the name of a person, signed with a key where one is named.

    Of all proposals, those are left out that may say less than their words, or of which nothing could tell.
    """
    chosen, left_out = _ids(given.texts("accept")), dict[str, str]()
    if given.flag("all"):
        own = [(record, each) for record in program.own() for each in record.readings]
        proposed = {record.id_of(each) for record, each in own if each.standing is Standing.PROPOSED}
        left_out = {name: reason for name, reason in program.doubts().items() if name not in chosen}
        chosen |= proposed - left_out.keys()
    key = None if (name := given.text("sign")) is None else sources.key(name)
    by = _signed_by(given, chosen, left_out)
    told = _judged(program, chosen, Standing.ACCEPTED, by, today, key)
    return _with_left_out(program, given, told, left_out) if left_out else told


def reject(program: OpenedProgram, given: Given, _sources: SourceReader, today: Today) -> Told:
    """Reject readings in the name of a person."""
    chosen = _ids(given.texts("reject"))
    return _judged(program, chosen, Standing.REJECTED, _signed_by(given, chosen), today)


def show(program: OpenedProgram, _given: Given, _sources: SourceReader, _today: Today) -> Told:
    """List the statements, with the readings that there are of them."""
    listed = listing(
        program.source.module, program.function, program.records, program.request.contract, program.doubts()
    )
    next_step = f"probatum read {program.subject} --ask" if not program.own() else ""
    return Told(
        {"readings_file": str(program.notebook), "functions": [each.document() for each in listed]},
        [each.page(program.name, next_step) for each in listed],
    )


ACTIONS: Final[Mapping[str, Callable[[OpenedProgram, Given, SourceReader, Today], Told]]] = {
    **{"": show, "add": add, "with": ask_reader, "accept": accept, "reject": reject},
}


def _rows(content: bytes, path: str) -> list[object]:
    try:
        return rows_of(content)
    except ValueError as error:
        raise UsageError(
            "readings.not_json", f"{path!r} holds no readings: {error}.", "See --ask for the form."
        ) from error


def _ids(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in text.replace(",", " ").split()}


def _added(program: OpenedProgram, rows: Iterable[object], reader: str) -> Told:
    outcome = Added(program.records)
    for number, row in enumerate(rows):
        try:
            record = record_of(row)
        except ValueError as error:
            refused = Refused("", f"record {number}", str(error))
            outcome = outcome.joined(Added(outcome.records, refused=(refused,)))
            continue
        record = replace(record, reader=record.reader or reader)
        outcome = outcome.joined(one_added(program, outcome.records, record))
    document = {"readings_file": str(program.notebook), **outcome.document()}
    word, mark = ("REFUSED", Mark.FAILS) if outcome.refused else ("ADDED", Mark.HOLDS)
    sentences = [f"{counted(len(outcome.ids), 'reading')} proposed in {shown_path(program.notebook)}."]
    if outcome.known:
        sentences.append(f"{counted(len(outcome.known), 'reading')} there before.")
    sections = (
        Section("Refused", tuple(_entry(Mark.FAILS, each) for each in outcome.refused)),
        Section("Not put into code", tuple(_entry(Mark.UNDECIDED, each) for each in outcome.open)),
    )
    closing = (("Next", f"probatum read {program.subject}"),) if outcome.ids else ()
    kept = tuple(each for each in sections if each.entries)
    page = Page(word, mark, program.subject, tuple(sentences), kept, closing)
    return Told(document, [page], saved_readings(program, outcome.records), exit_code=1 if outcome.refused else 0)


def one_added(
    program: OpenedProgram,
    records: tuple[ReadingRecord, ...],
    record: ReadingRecord,
) -> Added:
    """Return what comes of adding a record to those that there are; it is tried on the program."""
    if program.function not in {None, record.function}:
        reason = f"it is not about {program.function!r}"
        return Added(records, refused=(Refused(record.function, "the whole record", reason),))

    def question(of: ReadingRecord) -> FunctionQuestion:
        return FunctionQuestion(program.source, find_function(program.source.module, of.function), ProgramPolicy())

    def test(fresh: ReadingRecord) -> Sequence[str]:
        return tried(question(fresh), fresh, program.bench.open_benches(), records)

    def misfit(fresh: ReadingRecord) -> Mapping[str, str]:
        return refused_inputs(question(fresh), fresh, program.bench.open_benches())

    return added(records, record, program.documents(), ProposalTrial(test, misfit))


def _signed_by(given: Given, *named: Collection[str]) -> str:
    """Return who accepts or rejects; raises UsageError where nobody does, or there is nothing to."""
    if not (by := (given.text("by") or "").strip()):
        raise UsageError("read.by", "Whoever accepts or rejects signs with a name.", "Add --by NAME.")
    if not any(named):
        raise UsageError("read.nothing", "There is no reading to accept or to reject.", "'probatum read' lists them.")
    return by


def _judged(
    program: OpenedProgram, chosen: set[str], standing: Standing, by: str, today: Today, key: Signing | None = None
) -> Told:
    try:
        records = judged(program.records, chosen, standing, by, today().isoformat(), program.documents())
    except ValueError as error:
        raise UsageError("read.unknown", f"In {shown_path(program.notebook)} {error}.") from error
    if key is not None:
        records = signed(records, chosen, key)
    document = {"readings_file": str(program.notebook), standing.value: sorted(chosen)}
    said = f"{counted(len(chosen), 'reading')} {standing.value} by {by}."
    page = Page(standing.value.upper(), Mark.HOLDS, program.subject, (said,))
    return Told(document, [page], saved_readings(program, records))


def _with_left_out(program: OpenedProgram, given: Given, told: Told, left_out: Mapping[str, str]) -> Told:
    """Return an answer with the proposals that were left out, and the command that accepts them by their ids."""
    [page] = told.pages
    code = told.exit_code
    if not told.document[Standing.ACCEPTED.value]:
        page, code = replace(page, word="LEFT OUT", mark=Mark.UNDECIDED, sentences=()), EXIT_CODE[Outcome.UNDECIDED]
    said = f"{counted(len(left_out), 'reading')} left out: look at each, and accept it by its id."
    again = ["probatum", "read", program.subject, "--accept", ",".join(left_out)]
    for name in _REPEATED:
        again += [f"--{name}", value] if (value := given.text(name)) is not None else []
    shown = (Section("Left out", tuple(_entries_left_out(program, left_out))),)
    closing = (("Next", shell_command(again)),)
    page = replace(page, sentences=(*page.sentences, said), sections=shown, closing=closing)
    return replace(told, document={**told.document, "left_out": dict(left_out)}, pages=[page], exit_code=code)


def _entries_left_out(program: OpenedProgram, left_out: Mapping[str, str]) -> Iterator[Entry]:
    for record in program.own():
        for each in record.readings:
            if (name := record.id_of(each)) in left_out:
                yield Entry(Mark.UNDECIDED, f"{name}: {each.statement}", detail=(said_of(each), left_out[name]))


def saved_readings(program: OpenedProgram, records: tuple[ReadingRecord, ...]) -> list[SavedFile]:
    if records == program.records:
        return []
    text = write_notebook(records)
    if len(text.encode()) > MAX_READINGS_BYTES:
        raise UsageError("readings.too_large", f"A readings file has at most {MAX_READINGS_BYTES:,} bytes.")
    return [SavedFile("Readings", program.notebook, text, replaces=program.content)]


def _entry(mark: Mark, refused: Refused) -> Entry:
    about = f"{refused.function}: " if refused.function else ""
    return Entry(mark, f"{about}{refused.what}", detail=(refused.reason,))
