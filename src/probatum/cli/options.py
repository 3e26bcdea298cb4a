"""Options that several commands share, so that they are named and explained in one way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from probatum.core.errors import UsageError


def path_of(text: str) -> Path:
    """Return a path as it was written; raises UsageError for an empty one, which would be the current folder."""
    if not text:
        raise UsageError("path.empty", "An empty path was given.", "Name a file or a folder.")
    return Path(text)


def path_option(name: str, metavar: str, help_text: str) -> Any:
    """Return an option that takes a path; its help says what holds where it is left out."""
    return typer.Option(name, metavar=metavar, help=help_text, show_default=False, parser=path_of)


def option(name: str, metavar: str, help_text: str) -> Any:
    """Return an option that takes a value; its help says what holds where it is left out."""
    return typer.Option(name, metavar=metavar, help=help_text, show_default=False)


LevelOption = Annotated[
    str,
    typer.Option("--level", metavar="quick|standard|thorough", help="How much work to do; work is counted, not timed."),
]
StoreOption = Annotated[
    Path | None,
    path_option(
        "--store",
        "DIR",
        "Where proofs are kept: a folder, or a file ending in .sqlite. Default: $PROBATUM_STORE, else"
        " proofs.sqlite in the user's data folder.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, nothing else.")]
LedgerOption = Annotated[
    Path | None,
    path_option("--ledger", "FILE", "The append-only log of verdicts, an SQLite file. Default: $PROBATUM_LEDGER."),
]
RecordOption = Annotated[
    Path | None,
    path_option(
        "--ledger",
        "FILE",
        "Record every verdict in this append-only log; one that cannot be recorded is not given. Default:"
        " $PROBATUM_LEDGER, else none.",
    ),
]
OriginOption = Annotated[
    str, typer.Option("--origin", metavar="NAME", help="What the log is called in its heads, as in example.com/log.")
]
ORIGIN = "probatum/ledger"
"""What a log is called where nobody says otherwise."""
CheckpointOption = Annotated[
    list[Path] | None, path_option("--checkpoint", "FILE", "A signed head that was kept elsewhere; may be repeated.")
]
TrustOption = Annotated[
    list[Path] | None,
    path_option("--trust", "FILE", "A public key that must have signed (PEM, of 'key public'); several: one of them."),
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
