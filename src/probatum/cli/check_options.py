"""The options of `probatum check` that no other command has, named and explained.

Refuses nothing itself: what an option may hold is checked by the command.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from probatum.core.choice import chosen


class Format(StrEnum):
    """What standard output carries."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"


def parse_format(name: str) -> Format:
    """Return the format of this name; raises UsageError for an unknown one."""
    return chosen(name, Format, "format")


OutputArgument = Annotated[
    str, typer.Argument(metavar="OUTPUT", help="A file with what was answered, or '-' for standard input.")
]
ContractOption = Annotated[
    str,
    typer.Option(
        "--contract",
        metavar="ID[:VERSION]|FILE",
        help="A built-in contract, a contract.json or its folder, or a file with a JSON Schema.",
        show_default=False,
    ),
]
InputOption = Annotated[
    str | None,
    typer.Option(
        "--input",
        metavar="FILE",
        help="What the task was given, as JSON, to be judged with the output; without it the output is judged alone.",
        show_default=False,
    ),
]
FormatOption = Annotated[
    str, typer.Option("--format", metavar="text|json|junit|sarif", help="What to print on standard output.")
]
LinesOption = Annotated[
    bool,
    typer.Option(
        "--lines", help="OUTPUT holds one output on each line; print one answer as JSON for each, as they come."
    ),
]
LedgerEachOption = Annotated[
    bool, typer.Option("--ledger-each", help="With --lines: record every line in the ledger, not the file as a whole.")
]
VerifierOption = Annotated[
    list[str] | None,
    typer.Option(
        "--verifier",
        metavar="ID",
        help="Let this verifier of an installed package, or program.deep, run where the contract asks for it; may be"
        " repeated.",
        show_default=False,
    ),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", help="Show every line, also of what holds.")]
