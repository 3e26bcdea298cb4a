"""`probatum check --lines`: an answer for every line of a stream, as JSON lines, while it is read.

Refuses to hold a stream in memory, and to end with 0 unless every line was VERIFIED.
"""

from __future__ import annotations

import sys

from probatum.app.checking import CheckRequest
from probatum.app.output_lines import LinesReport, answer_output_lines
from probatum.cli.output import note, write_safely
from probatum.cli.progress import shown_progress
from probatum.core.decision import Outcome
from probatum.core.disclosure import Layer
from probatum.core.events import Event
from probatum.report.page import WORD_OF


def check_lines(request: CheckRequest, layer: Layer) -> int:
    """Print an answer for every line; return the exit code of the weakest."""
    report = LinesReport()
    with shown_progress(request.output) as progress:
        for answers in answer_output_lines(request, sys.stdin.buffer, layer, report):
            write_safely(sys.stdout, answers)
            progress(Event("answered", f"{report.outcomes.total():,} outputs"))
    words = {outcome: WORD_OF[Outcome(outcome)] for outcome in report.outcomes}
    counts = ", ".join(f"{count:,} {words[outcome]} ({outcome})" for outcome, count in sorted(report.outcomes.items()))
    note(f"{report.outcomes.total():,} outputs: {counts}")
    return report.exit_code
