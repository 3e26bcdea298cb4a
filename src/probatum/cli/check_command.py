"""`probatum check`: does this output satisfy its contract?

Refuses to let an output that was not VERIFIED end with 0, in whatever format it is told.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from probatum.app.proofs import open_store_at
from probatum.app.settings import read_settings
from probatum.cli.check_options import (
    ContractOption,
    Format,
    FormatOption,
    InputOption,
    LedgerEachOption,
    LinesOption,
    OutputArgument,
    VerboseOption,
    VerifierOption,
    parse_format,
)
from probatum.cli.options import EventsOption, JsonOption, LayerOption, RecordOption, StoreOption
from probatum.cli.output import Mode, Output
from probatum.core.disclosure import Layer, parse_layer
from probatum.core.errors import UsageError
from probatum.core.events import Event
from probatum.report.page import page_of

if TYPE_CHECKING:
    from probatum.app.output_answers import OutputAnswer


def check(
    output: OutputArgument,
    *,
    contract: ContractOption,
    input: InputOption = None,
    format: FormatOption = Format.TEXT.value,
    verifier: VerifierOption = None,
    lines: LinesOption = False,
    verbose: VerboseOption = False,
    json: JsonOption = False,
    events: EventsOption = False,
    store: StoreOption = None,
    ledger: RecordOption = None,
    ledger_each: LedgerEachOption = False,
    layer: LayerOption = Layer.PROOF.value,
) -> int:
    """Check that what a model answered satisfies its contract: every error with its place and the nearest fix.

    Fences and sentences around the JSON are skipped, and said to be; nothing is ever fetched for a schema.

    Exit codes: 0 verified, 1 refuted, 2 wrong usage, 3 undecided, 4 could not be attempted. Of several, the weakest
    counts: refuted, not attempted, undecided, verified.
    """
    # Deferred, so that help need not load what judges outputs.
    from probatum.app.checking import CheckRequest, run_check
    from probatum.cli.check_lines import check_lines

    shown, shown_layer = _format(format, as_json=json, events=events), parse_layer(layer)
    settings = read_settings()
    request = CheckRequest(
        output=output,
        contract=contract,
        input=input,
        store=open_store_at(settings.store_path(store)),
        ledger=settings.recording_path(ledger),
        ledger_each=ledger_each,
        verifiers=tuple(verifier or ()),
    )
    if lines:
        if shown not in {Format.TEXT, Format.JSON} or events:
            raise UsageError("format.lines", "--lines prints one JSON object a line; it has no other format.")
        return check_lines(request, shown_layer)
    if ledger_each:
        raise UsageError("ledger.each", "--ledger-each needs --lines: one output is one entry.")
    screen = Output(Mode.of(as_json=shown is not Format.TEXT, events=events))

    def listen(event: Event) -> None:
        if event.stage != "complete":
            screen.event(event, shown_layer)

    answer = run_check(request, sys.stdin.buffer, listen)
    _show(answer, screen, shown, shown_layer, verbose=verbose)
    return answer.exit_code


def _format(name: str, *, as_json: bool, events: bool) -> Format:
    chosen = parse_format(name)
    if not (as_json or events):
        return chosen
    if chosen not in {Format.TEXT, Format.JSON}:
        raise UsageError("format.twice", f"--json and --events do not go with --format {name}.")
    return Format.JSON


def _show(answer: OutputAnswer, screen: Output, shown: Format, layer: Layer, *, verbose: bool) -> None:
    from probatum.app.output_documents import output_document
    from probatum.app.output_sheet import output_sheet
    from probatum.cli.output import write_safely
    from probatum.report.judged import Judged

    screen.page(page_of(output_sheet(answer), layer=layer, verbose=verbose))
    judged = Judged(answer.name, answer.verdict, answer.findings, f"contract {answer.contract}")
    if shown is Format.JUNIT:
        from probatum.report.junit import junit_xml

        write_safely(sys.stdout, junit_xml("probatum check", [judged], layer))
    elif shown is Format.SARIF:
        from probatum.report.sarif import sarif_log

        write_safely(sys.stdout, sarif_log([judged], answer.exit_code, layer))
    else:
        screen.document(output_document(answer, layer))
