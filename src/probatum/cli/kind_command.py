"""The command of one kind: parse what it declares, ask, and show the answers; `verify` and `check` are two of them.

Refuses to let a subject that was not VERIFIED end with 0, in whatever format that is shown: a dry run judges nothing,
and ends as what is undecided.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from probatum.app.proofs import user_store
from probatum.app.settings import read_settings
from probatum.cli.declared import with_declared
from probatum.cli.options import EventsOption, JsonOption, LayerOption, RecordOption, StoreOption
from probatum.cli.output import Mode, Output, note, write_data
from probatum.cli.progress import shown_progress
from probatum.cli.tool_command import acted
from probatum.core.choice import chosen
from probatum.core.command import DRY_RUN, Command, Given
from probatum.core.decision import EXIT_CODE, Outcome
from probatum.core.disclosure import Layer, named, parse_layer
from probatum.core.errors import UsageError
from probatum.core.events import Event, Listener
from probatum.core.messages import counted
from probatum.core.sheet import Page, Section
from probatum.report.formats import FORMATS, CommandReport
from probatum.report.judged import Judged
from probatum.report.page import WORD_OF, page_of, summary_entry, summary_page

if TYPE_CHECKING:
    from probatum.app.answers import Answer
    from probatum.app.asking import Asked
    from probatum.app.kinds import AnyKind

EXIT_CODES = """

    Exit codes: 0 verified, 1 refuted, 2 wrong usage, 3 undecided, 4 could not be attempted. Of several, the weakest
    counts: refuted, not attempted, undecided, verified.
    """


TEXT, JSON = "text", "json"
FORMATS_OFFERED = (TEXT, JSON, *FORMATS)
FormatOption = Annotated[
    str,
    typer.Option(
        "--output-format",
        "--format",
        metavar="|".join(FORMATS_OFFERED),
        help="What to print on standard output.",
    ),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Show every line, also of what holds.")]
LinesOption = Annotated[
    bool,
    typer.Option(
        "--lines", help="Judge each line of the file by itself; print one answer as JSON for each, as they come."
    ),
]
LedgerEachOption = Annotated[
    bool, typer.Option("--ledger-each", help="With --lines: record every line in the ledger, not the file as a whole.")
]
NoCacheOption = Annotated[
    bool, typer.Option("--no-cache", help="Observe everything anew, and keep nothing for the next run.")
]


@dataclass(frozen=True, slots=True)
class _Display:
    """How answers are to be shown."""

    command: Command
    screen: Output
    form: str
    layer: Layer
    verbose: bool


def kind_command(kind: AnyKind) -> Callable[..., int]:
    """Return the command of a kind."""
    declared = kind.command
    told = partial(typer.Option, f"--{declared.subject_option}") if declared.subject_option else typer.Argument
    subject = Annotated[str, told(metavar=declared.subject, help=declared.subject_help, show_default=False)]

    def command(
        subject: str,
        given: Given,
        verbose: VerboseOption = False,
        format: FormatOption = TEXT,
        json: JsonOption = False,
        events: EventsOption = False,
        store: StoreOption = None,
        ledger: RecordOption = None,
        layer: LayerOption = Layer.PROOF.value,
        lines: LinesOption = False,
        ledger_each: LedgerEachOption = False,
        no_cache: NoCacheOption = False,
    ) -> int:
        # Deferred, so that help need not load what asks.
        from probatum.app.asking import Asked

        if DRY_RUN in declared.options and given.flag(DRY_RUN.name):
            return acted(kind, given, kind.rehearsed, as_json=json) or EXIT_CODE[Outcome.UNDECIDED]
        repeated = given if store is None else replace(given, options={**given.options, "store": str(store)})
        settings = read_settings()
        cache = settings.cache_path() if declared.is_kept and not no_cache else None
        asked = Asked(kind, repeated, user_store(store), settings.recording_path(ledger), cache)
        form = form_of(format, as_json=json, events=events)
        if lines:
            if form not in {TEXT, JSON} or events:
                raise UsageError("format.lines", "--lines prints one JSON object a line; it has no other format.")
            return _print_lines(asked, parse_layer(layer), each_recorded=ledger_each)
        if ledger_each:
            raise UsageError("ledger.each", "--ledger-each needs --lines: one line is one entry.")
        screen = Output(Mode.of(as_json=form != TEXT, events=events))
        return _print_answers(asked, _Display(declared, screen, form, parse_layer(layer), verbose))

    command.__annotations__["subject"] = subject
    command.__name__ = declared.name.replace("-", "_")
    command.__doc__ = declared.help + EXIT_CODES
    without: tuple[str, ...] = () if declared.takes_lines else ("lines", "ledger_each")
    without += () if declared.is_kept else ("no_cache",)
    return with_declared(
        command,
        declared.options,
        without=without,
        leading=declared.leading,
        subject_default=declared.subject_default,
    )


def form_of(name: str, *, as_json: bool, events: bool) -> str:
    form = chosen(name, FORMATS_OFFERED, "format")
    if not (as_json or events):
        return form
    if form not in {TEXT, JSON}:
        raise UsageError("format.twice", f"--json and --events do not go with --format {name}.")
    return JSON


def _print_answers(asked: Asked, shown: _Display) -> int:
    from probatum.app.answers import Answer
    from probatum.app.asking import answers
    from probatum.app.documents import weakest_answer

    found: list[Answer] = []
    pages: list[Page] = []
    blank: list[str] = []

    @contextmanager
    def listening(name: str) -> Iterator[Listener]:
        with shown_progress(name) as progress:

            def listen(event: Event) -> None:
                progress(event)
                # A run may have many subjects; the stage `complete` belongs to the line that carries the document.
                stage = "verdict" if event.stage == "complete" else event.stage
                shown.screen.event(replace(event, stage=stage), shown.layer)

            yield listen

    for answer in answers(asked, sys.stdin.buffer, listening):
        if isinstance(answer, Answer):
            found.append(answer)
            pages += _print_pages(answer, shown)
        else:
            blank.append(answer.name)
    if not found:
        raise UsageError("subject.none", f"There is nothing to judge in {asked.given.subject!r}.")
    weakest = weakest_answer(found)
    summary = _summary(asked, found, blank, weakest, shown)
    if shown.form in FORMATS:
        title, judged = f"probatum {shown.command.name}", [judged_of(each, shown.layer) for each in found]
        write_data(
            FORMATS[shown.form](CommandReport(title, judged, [*summary, *pages], weakest.exit_code, shown.layer))
        )
    else:
        _print_document(found, blank, summary, weakest, shown)
    return weakest.exit_code


def _print_pages(answer: Answer, shown: _Display) -> list[Page]:
    """Print the pages of one answer, so that a long run shows its results as they come, and save what was asked for."""
    from probatum.app.sources import save

    saved = []
    for file in answer.observed.saved():
        if file.text:
            save(file)
        saved.append((file.label, str(file.path) if file.text else file.why_not))
    pages = pages_of(answer, shown.layer, saved, verbose=shown.verbose)
    for page in pages:
        shown.screen.page(page)
    return pages


def pages_of(answer: Answer, layer: Layer, saved: list[tuple[str, str]], *, verbose: bool) -> list[Page]:
    """One part: its page. Several: the subject's page with a line for each, then whatever is not VERIFIED."""
    if not answer.parts or answer.only_part is not None:
        return [page_of(answer.sheet, layer=layer, verbose=verbose, further=saved)]
    lines = tuple(summary_entry(part.sheet, with_subject=False) for part in answer.parts)
    sheet = answer.sheet
    whole = replace(sheet, sections=(Section(answer.called.capitalize(), lines), *sheet.sections))
    head = page_of(whole, layer=layer, verbose=True, further=saved)
    told = [part for part in answer.parts if verbose or not part.verdict.is_verified]
    return [head, *(page_of(part.sheet, layer=layer, verbose=verbose) for part in told)]


def _print_document(
    found: list[Answer], blank: list[str], summary: list[Page], weakest: Answer, shown: _Display
) -> None:
    from probatum.app.documents import answer_document, files_document

    shown.screen.document(
        files_document(found, shown.layer, blank) if summary else answer_document(weakest, shown.layer)
    )
    for page in summary:
        shown.screen.page(page)


def judged_of(answer: Answer, layer: Layer, known: Collection[int] = ()) -> Judged:
    """Return an answer as reports for other programs take it; ``known`` are the ids of what a baseline knows."""
    name, seen = named(answer.name, layer), answer.observed
    path = os.path.relpath(os.path.join(os.curdir, name))
    path = os.path.abspath(name) if path.split(os.sep)[0] == os.pardir else path
    parts = tuple(judged_of(each, layer, known) for each in answer.parts)
    asked, is_known = named(seen.asked(), layer), id(answer) in known
    return Judged(name, answer.verdict, seen.findings(), asked, path, seen.line, parts, is_known)


def _summary(asked: Asked, found: list[Answer], blank: list[str], weakest: Answer, shown: _Display) -> list[Page]:
    """Return the page about all subjects where there may be several: a screen ends with it, a document begins so."""
    if not asked.is_folder and len(found) == 1:
        return []
    sheets = [answer.sheet for answer in found]
    return [summary_page(asked.given.subject, sheets, weakest.verdict, blank, shown.layer)]


def _print_lines(asked: Asked, layer: Layer, *, each_recorded: bool) -> int:
    """Print an answer for every line; return the exit code of the weakest."""
    from probatum.app.asking import LinesReport, answer_lines

    report = LinesReport()
    with shown_progress(asked.given.subject) as progress:
        for told in answer_lines(asked, sys.stdin.buffer, layer, report, each_recorded=each_recorded):
            write_data(told)
            progress(Event("answered", counted(report.outcomes.total(), "line")))
    words = {outcome: WORD_OF[Outcome(outcome)] for outcome in report.outcomes}
    counts = ", ".join(f"{count:,} {words[outcome]} ({outcome})" for outcome, count in sorted(report.outcomes.items()))
    note(f"{counted(report.outcomes.total(), 'line')}: {counts}")
    return report.exit_code
