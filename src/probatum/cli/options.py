"""Options that several commands share, so that they are named and explained in one way.

Refuses nothing itself: what an option may hold is checked by the value that it becomes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

LevelOption = Annotated[
    str,
    typer.Option("--level", metavar="quick|standard|thorough", help="How much work to do; work is counted, not timed."),
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        help="Where proofs are kept: a folder, or a file ending in .sqlite. Default: $PROBATUM_STORE, else"
        " proofs.sqlite in the user's data folder.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, nothing else.")]
EventsOption = Annotated[
    bool,
    typer.Option(
        "--events",
        help="Print events as JSON lines while they happen; the last line, of stage 'complete', carries the document.",
    ),
]
LayerOption = Annotated[
    str,
    typer.Option(
        "--layer",
        metavar="agent|developer|proof",
        help="How much of the verdict to show: the sentence, also fields and results, also the proof reference.",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", min=1, help="Processes that work at the same time. Default: one per processor."
    ),
]
