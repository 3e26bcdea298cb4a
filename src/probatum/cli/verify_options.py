"""The options of `probatum verify` that no other command has, named and explained.

Refuses nothing itself: what an option may hold is checked by the command.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PathArgument = Annotated[
    str, typer.Argument(metavar="PATH[::NAME]", help="A Python file, one name in it, a folder, or '-'.")
]
ContractOption = Annotated[
    str | None,
    typer.Option("--contract", metavar="TEXT|@FILE", help="More that the program must do, written as a docstring."),
]
AgainstOption = Annotated[
    Path | None,
    typer.Option("--against", metavar="OLD", help="An earlier version; results must be the same."),
]
TestsOption = Annotated[
    Path | None,
    typer.Option("--tests", metavar="FILE", help="A pytest file that imports the program as 'artifact'."),
]
SaveTestsOption = Annotated[
    str | None,
    typer.Option(
        "--save-tests",
        metavar="[DIR]",
        help="Save the checks that were run as a pytest file; without DIR in tests/generated.",
    ),
]
MinStrengthOption = Annotated[
    float,
    typer.Option("--min-strength", metavar="X", help="Share of planted faults, 0 to 1, that the checks must notice."),
]
SuggestOption = Annotated[
    bool,
    typer.Option("--suggest", help="Print examples to add that would notice more; their values are left open."),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", help="Show every line, also of what holds.")]
UnsafeOption = Annotated[
    bool,
    typer.Option("--unsafe-no-isolation", help="Run the program WITHOUT a sandbox: it can do all that you can do."),
]
