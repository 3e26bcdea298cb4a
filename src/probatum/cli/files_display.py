"""What a run over files prints: one line for each function, more of what is refuted, and a line that counts.

One file with few functions has a page for each instead. Refuses to hide what fails: the quiet form shows it too.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from probatum.app.answers import Answer
from probatum.app.asking import Asked
from probatum.app.checking import Checking, RunReport, one_for_each
from probatum.app.documents import answer_document, files_document, weakest_answer
from probatum.app.remembered import joined
from probatum.app.sources import save, write_shared
from probatum.app.standing import RunStanding, Unit, entries_of_gates
from probatum.cli.kind_command import FORMATS_OFFERED, JSON, TEXT, judged_of, pages_of
from probatum.cli.output import Mode, Output, note, write_data
from probatum.cli.progress import shown_progress
from probatum.core.choice import chosen
from probatum.core.command import Command
from probatum.core.decision import Outcome
from probatum.core.disclosure import Layer, named
from probatum.core.errors import NotAttemptedError, UsageError, reason_of
from probatum.core.events import Event
from probatum.core.messages import counted
from probatum.core.outside import json_text, lines_of, visible
from probatum.core.sheet import Entry, Mark, Page, Sheet
from probatum.report.formats import FORMATS, CommandReport
from probatum.report.page import DETAILS, NEXT, summary_entry, summary_page

OtherT = TypeVar("OtherT")
_WORDS: Final = {
    Outcome.REFUTED: "refuted",
    Outcome.NOT_ATTEMPTED: "blocked",
    Outcome.UNDECIDED: "undecided",
    Outcome.TESTED: "verified",
}
_MOST_PAGES: Final = 3
"""A file with more functions has a line for each of them."""
_MOST_DETAIL: Final = 4
"""Lines of what was documented, below a refutation in a list."""


@dataclass(frozen=True, slots=True)
class Display:
    """How a run is shown."""

    command: Command
    form: str
    layer: Layer
    verbose: bool
    quiet: bool
    events: bool = False
    # Whether the first failure ends the run.
    stops: bool = False
    # Further formats, and the files that they are written into.
    saved: Mapping[str, Path] = field(default_factory=dict)
    # Whether what fails is shown alone, and nothing where nothing does.
    tries: bool = False

    def show(self, asked: Asked, checking: Checking, report: RunReport, standing: RunStanding) -> None:
        """Print everything about a run as it comes, and put it into ``standing``.

        Raises UsageError where there is nothing to judge, NotAttemptedError where a file cannot be written.
        """
        screen = Output(Mode.of(as_json=self.form != TEXT, events=self.events))
        found, blank, started = list[Answer](), list[str](), time.monotonic()
        many = max(len(checking.paths), len(standing.gated)) > 1 or asked.is_folder
        for gated in standing.gated:
            if not self.quiet or gated.ended is not None:
                self._aside(entries_of_gates(gated, self.layer), screen)
        with shown_progress(asked.given.subject, many=len(checking.paths) if many else 0, quiet=self.quiet) as progress:

            def listen(event: Event) -> None:
                progress(event)
                # A run may have many subjects; the stage `complete` belongs to the line that carries the document.
                stage = "verdict" if event.stage == "complete" else event.stage
                screen.event(replace(event, stage=stage), self.layer)

            with closing(checking.answers(listen)) as answers:
                for each in self._shown(answers, standing):
                    if not isinstance(each, Answer):
                        blank.append(each.name)
                        continue
                    found.append(each)
                    units = standing.add(each)
                    with progress.aside():
                        self._print(each, units, screen, many=many)
                    if self.stops and any(unit.fails for unit in units):
                        break
        standing.ignored += [f"{name}::{each.name}" for name, each in report.ignored]
        if not found and not any(each.ended is not None for each in standing.gated):
            if not self.tries:
                self._print_nothing(asked, report, standing, screen)
            return
        self._print_documents(asked, one_for_each(found), blank, standing, screen, many=many)
        if not self.quiet:
            screen.entries(_ignored(report))
        has_known = any(each.is_known for each in standing.units)
        if many or has_known or any(self._has_lines(each, many=many) for each in found):
            if not self.quiet and self.layer is not Layer.AGENT:
                screen.text(_next_lines(standing))
            screen.text(_closing_line(report, standing, time.monotonic() - started))
        self._print_approval(standing, screen)

    def _print_approval(self, standing: RunStanding, screen: Output) -> None:
        found = standing.approval()
        if found is None:
            return
        word = "APPROVED" if found.approved else "NEEDS REVIEW"
        mark = Mark.HOLDS if found.approved else Mark.UNDECIDED
        why = "" if self.layer is Layer.AGENT else found.reason
        self._aside([Entry(mark, why, word=word)], screen)

    def _aside(self, entries: Sequence[Entry], screen: Output) -> None:
        """Print entries; on standard error where the report for another program has no place for them."""
        if self.form not in FORMATS:
            screen.entries(entries)
            return
        for each in entries:
            for line in (f"{each.word} {each.text}".strip(), *each.detail):
                note(line)

    def _shown(self, answers: Iterable[Answer | OtherT], standing: RunStanding) -> Iterator[Answer | OtherT]:
        """Yield the answers that are shown; of those that are only tried, the parts that fail."""
        for each in answers:
            if not self.tries or not isinstance(each, Answer):
                yield each
                continue
            failing = [unit for unit in standing.units_of(each) if unit.fails and standing.is_new(unit)]
            if failing:
                yield each if failing[0].answer is each else joined(each.name, [e.answer for e in failing], each.called)

    def noted(self, path: Path, lines: int, new: int, gone: int) -> None:
        """Print what a baseline holds now."""
        Output(Mode.of(as_json=self.form != TEXT)).text(
            f"{path}: {counted(lines, 'line')}, {new:,} new, {gone:,} taken out.\n"
        )

    def _print(self, answer: Answer, units: Sequence[Unit], screen: Output, *, many: bool) -> None:
        """Print one answer as it comes, and save the files that were asked for."""
        kept = []
        for file in answer.observed.saved():
            if file.text:
                save(file)
            kept.append((file.label, str(file.path) if file.text else file.why_not))
        if self._has_lines(answer, many=many):
            screen.entries([self._entry(each) for each in units if each.fails or not (self.quiet or each.is_known)])
            return
        for page in pages_of(answer, self.layer, kept, verbose=self.verbose):
            screen.page(page)

    def _has_lines(self, answer: Answer, *, many: bool) -> bool:
        """Return whether an answer is shown by a line for each of its parts, and not by pages."""
        return self.quiet or (not self.verbose and (many or len(answer.parts) > _MOST_PAGES))

    def _entry(self, unit: Unit) -> Entry:
        """Return the line of a part; what is refuted, or could not be attempted, says why below it."""
        outcome, sheet = unit.answer.verdict.outcome, unit.answer.sheet
        says_why = outcome in {Outcome.REFUTED, Outcome.NOT_ATTEMPTED} and self.layer is not Layer.AGENT
        entry = summary_entry(sheet, with_subject=False, with_reason=says_why)
        # The line begins with the name already; a file is called "It".
        said = entry.text.removeprefix(f"{unit.answer.name} ").removeprefix("It ")
        further = _expected(sheet) if says_why else ()
        detail = (*entry.detail, *further)
        return replace(entry, text=f"{named(unit.name, self.layer)}: {said}", detail=detail)

    def _print_nothing(self, asked: Asked, report: RunReport, standing: RunStanding, screen: Output) -> None:
        """Say that nothing was to be judged, where that was asked for; raises UsageError where it was not."""
        given, files = asked.given, f"in {counted(report.files, 'file')}"
        since = given.text("changed")
        if not (since or given.flag("force-exclude") or report.ignored):
            hint = (
                "Every file is left out by --exclude, or 'exclude' in pyproject.toml." if given.texts("exclude") else ""
            )
            raise UsageError("subject.none", f"There is nothing to judge in {given.subject!r}.", hint)
        if not self.quiet:
            screen.entries(_ignored(report))
        told = f"no function changed since {since} {files}" if since else f"nothing to verify {files}"
        told += f", {len(report.ignored):,} ignored" if report.ignored else ""
        screen.text(f"==== {told if report.files else 'nothing to verify: every file is left out'} ====\n")
        self._print_documents(asked, [], [], standing, screen, many=True)
        self._print_approval(standing, screen)

    def _print_documents(
        self, asked: Asked, found: list[Answer], blank: list[str], standing: RunStanding, screen: Output, *, many: bool
    ) -> None:
        """Print what programs read, and write the files with it."""
        wanted = {self.form, *self.saved}
        document: dict[str, object] = {}
        if self.events or JSON in wanted:
            is_one = found and not many
            told = (
                answer_document(weakest_answer(found), self.layer)
                if is_one
                else files_document(found, self.layer, blank)
            )
            document = {**told, **standing.document(self.layer)}
            screen.document(document)
        for form in wanted & FORMATS.keys():
            text = FORMATS[form](self._report(asked, found, blank, standing, many=many))
            if form == self.form:
                write_data(text)
            if form in self.saved:
                _write(self.saved[form], text)
        if JSON in self.saved:
            _write(self.saved[JSON], json_text(document, indent=2) + "\n")

    def _report(
        self, asked: Asked, found: list[Answer], blank: list[str], standing: RunStanding, *, many: bool
    ) -> CommandReport:
        title = f"probatum {self.command.name}"
        if not found:
            page = Page("NOTHING", Mark.NOTE, asked.given.subject, ("Nothing was to be verified.",))
            return CommandReport(title, [], [page], 0, self.layer)
        weakest, sheets = weakest_answer(found), [answer.sheet for answer in found]
        summary = [summary_page(asked.given.subject, sheets, weakest.verdict, blank, self.layer)] if many else []
        pages = [page for each in found for page in pages_of(each, self.layer, [], verbose=self.verbose)]
        known = {id(each.answer) for each in standing.units if each.is_known}
        judged = [judged_of(each, self.layer, known) for each in found]
        return CommandReport(title, judged, [*summary, *pages], standing.exit_code, self.layer)


def saved_forms(told: Sequence[str] | None) -> dict[str, Path]:
    """Return the files of ``FORMAT=FILE``; raises UsageError for another form."""
    found, known = {}, [each for each in FORMATS_OFFERED if each != TEXT]
    for each in told or ():
        form, separator, path = each.partition("=")
        if not separator or not path:
            sentence = f"--output-file takes FORMAT=FILE, got {each!r}."
            raise UsageError("format.file", sentence, "Example: --output-file sarif=probatum.sarif")
        if chosen(form, known, "format") in found:
            raise UsageError("option.twice", f"--output-file {form}=FILE was given twice.", "Copy the file instead.")
        found[form] = Path(path)
    return found


def _write(path: Path, text: str) -> None:
    try:
        write_shared(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        sentence = f"{str(path)!r} could not be written: {reason_of(error)}."
        raise NotAttemptedError("output.not_saved", sentence) from error


def _expected(sheet: Sheet) -> tuple[str, ...]:
    """Return what was documented where something else came; its first lines."""
    entries = (entry for section in sheet.sections for entry in section.entries if entry.mark is Mark.FAILS)
    told = [line for each in next(entries, Entry(Mark.NOTE, "")).detail[1:] for line in lines_of(each)]
    return tuple(told[:_MOST_DETAIL])


def _ignored(report: RunReport) -> list[Entry]:
    """Return a line for each function that its author leaves out."""
    told = ((f"{name}::{each.name}: {each.reason}") for name, each in report.ignored)
    return [Entry(Mark.NOTE, each, word="IGNORED") for each in told]


def _next_lines(standing: RunStanding) -> str:
    """Return the command that gets something decided, and the one that says more of the weakest that fails."""
    failing = sorted((each.answer for each in standing.units if each.fails), key=lambda each: each.rank)
    sheets = [each.sheet for each in failing]
    step = next((each for each in sheets if each.next_command), None)
    more = next((each.repeat for each in sheets if each.repeat), "")
    told = [] if step is None else [f"{NEXT + ':':<9}{visible(step.next_command)}"]
    told += [f"{'':<9}{visible(step.next_step)}"] if step is not None and step.next_step else []
    told += [f"{DETAILS + ':':<9}{visible(more)}"] if more and (step is None or more != step.next_command) else []
    return "".join(f"{line}\n" for line in told)


def _closing_line(report: RunReport, standing: RunStanding, seconds: float) -> str:
    counts = standing.counts
    told = [f"{counts[outcome]:,} {word}" for outcome, word in _WORDS.items() if counts[outcome]]
    known = sum(each.is_known for each in standing.units)
    # What is verified is last, and never known.
    last = len(told) - bool(counts[Outcome.TESTED])
    told[last:last] = [f"{known:,} of them known"] if known else []
    told += [f"{len(report.ignored):,} ignored"] if report.ignored else []
    told += [f"{report.kept:,} from the cache"] if report.kept else []
    left = report.files - report.done
    told += [f"stopped with {counted(left, 'file')} left"] if left else []
    return f"==== {', '.join(told)} in {seconds:.2f} s ====\n"
