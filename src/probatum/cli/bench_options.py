"""The options of `probatum bench` that no other command has, named and explained.

Refuses nothing itself: what an option may hold is checked by the bench.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SetArgument = Annotated[
    str, typer.Argument(metavar="humanevalfix|llm-programs|corpus|contracts", help="Which labelled set.")
]
DataOption = Annotated[Path, typer.Option("--data", metavar="PATH", help="The set: a file, or the folder of a corpus.")]
WithoutExamplesOption = Annotated[
    bool,
    typer.Option(
        "--without-examples", help="Use the prompts whose examples were removed; rows without one are left out."
    ),
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N rows or cases of the set.")
]
PythonOption = Annotated[
    str | None,
    typer.Option("--python", metavar="INTERPRETER", help="Run programs with this Python.", show_default=False),
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose",
        help="List false alarms, what was wrongly VERIFIED, faults missed, and verdicts that a corpus does not expect.",
    ),
]
RowsOption = Annotated[bool, typer.Option("--rows", help="With --json: one row for each program or output.")]


ContractsOption = Annotated[
    Path | None,
    typer.Option(
        "--contracts",
        metavar="FOLDER",
        help="For contracts: where they lie, as TASK/VERSION/contract.json. Default: the built-in ones.",
        show_default=False,
    ),
]
RecordsOption = Annotated[
    Path | None,
    typer.Option(
        "--records",
        metavar="FILE",
        help="For contracts: write one record for each run of a task, as JSON lines.",
        show_default=False,
    ),
]
RawOutputsOption = Annotated[
    bool, typer.Option("--raw-outputs", help="For contracts: repeat in each record what the model wrote.")
]
