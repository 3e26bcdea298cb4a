"""Options that several commands share, so that they are named and explained in one way."""

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
LedgerOption = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        help="The append-only log of verdicts, an SQLite file. Default: $PROBATUM_LEDGER.",
        show_default=False,
    ),
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        help="Record every verdict in this append-only log; one that cannot be recorded is not given. Default:"
        " $PROBATUM_LEDGER, else none.",
        show_default=False,
    ),
]
OriginOption = Annotated[
    str, typer.Option("--origin", metavar="NAME", help="What the log is called in its heads, as in example.com/log.")
]
ORIGIN = "probatum/ledger"
"""What a log is called where nobody says otherwise."""
CheckpointOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="A signed head that was kept elsewhere; may be repeated.",
        show_default=False,
    ),
]
TrustOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--trust",
        metavar="FILE",
        help="A public key that must have signed (PEM, of 'key public'); several: one of them.",
        show_default=False,
    ),
]
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
