"""`probatum batch`: many requests from one file, each answered once, however often the run is interrupted.

Refuses to start on a file with a malformed line or an id that appears twice.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from probatum.app.batch import BatchReport, run_batch
from probatum.app.pool import PoolOptions
from probatum.app.settings import processors, read_settings
from probatum.cli.options import EventsOption, JsonOption, LayerOption, RecordOption, StoreOption, WorkersOption
from probatum.cli.output import Mode, Output
from probatum.cli.progress import shown_progress
from probatum.core.command import Given
from probatum.core.disclosure import Layer, parse_layer
from probatum.core.events import Event
from probatum.core.messages import counted
from probatum.core.sheet import Entry, Mark, Page, Section


def batch(
    requests: Annotated[
        str, typer.Argument(metavar="IN.jsonl", help="Requests, one JSON object a line; '-' for standard input.")
    ],
    answers: Annotated[str, typer.Argument(metavar="OUT.jsonl", help="Where answers are appended, one a line.")],
    *,
    workers: WorkersOption = None,
    given: Given,
    json: JsonOption = False,
    events: EventsOption = False,
    store: StoreOption = None,
    ledger: RecordOption = None,
    layer: LayerOption = Layer.PROOF.value,
) -> int:
    """Answer every request of a file; run it again after an interruption and it answers what is missing.

    A request: {"id", "kind": "program", "source", "function"?, "contract"?, "tests"?, "against"?, "level"?},
    {"id", "kind": "output", "output", "input"?, "contract"}, {"id", "kind": "audit", "prompt_spec", "evidence"}, or
    {"id", "kind": "claim", "engine", "statement"} with what the engine is given.
    docs/reference/json.md has every field. An answer: {"id", "verdict", "result"}, in any order, each id exactly once.

    Exit codes: 0 every request is answered (the verdicts are data), 2 the requests cannot be used, 4 no worker starts.
    """
    output = Output(Mode.of(as_json=json, events=events))
    shown_layer = parse_layer(layer)
    settings = read_settings()
    ledger = settings.recording_path(ledger)
    options = PoolOptions(settings.store_path(store), workers or processors(), shown_layer, given, ledger)
    with shown_progress(answers, counted=True) as progress:

        def listen(event: Event) -> None:
            progress(event)
            output.event(event, shown_layer)

        report = run_batch(requests, answers, options, sys.stdin.buffer, listen)
    output.document(report.to_dict())
    output.page(_page(report, answers))
    return 0


def _page(report: BatchReport, answers: str) -> Page:
    entries = [Entry(Mark.NOTE, f"{count} {outcome}") for outcome, count in report.outcomes]
    if report.kept:
        entries.append(Entry(Mark.NOTE, f"{report.kept} were answered by an earlier run"))
    if report.blank:
        entries.append(Entry(Mark.NOTE, f"{counted(report.blank, 'blank line')} in the requests asked nothing"))
    sentence = f"{report.answered} of {counted(report.total, 'request is', 'requests are')} answered."
    section = Section("Answers of this run", tuple(entries))
    return Page("DONE", Mark.HOLDS, answers, (sentence,), (section,) if section.entries else ())
