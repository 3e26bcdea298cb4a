"""`probatum demo`: writes the example programs of the documentation, which an installed package brings along.

Refuses to replace a file that holds something else.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from probatum.cli.options import JsonOption, path_option
from probatum.cli.output import tell
from probatum.core.errors import UsageError, reason_of
from probatum.core.messages import counted
from probatum.core.sheet import Entry, Mark, Section
from probatum.core.subject import shown_path
from probatum.report.page import Page

_FIRST = "recent_users_wrong.py"
WriteOption = Annotated[Path, path_option("--write", "DIR", "The folder to write them into; made where it is missing.")]


def demo(write: WriteOption, json: JsonOption = False) -> int:
    """Write the example programs of the documentation into a folder: right ones, wrong ones, and one that cheats.

    Exit codes: 0 written, 2 the folder cannot be written, or has another file of such a name.
    """
    found = (each for each in files("probatum").joinpath("examples").iterdir() if each.name.endswith(".py"))
    programs = {each.name: each.read_bytes() for each in found}
    from probatum.app.sources import write_shared

    if os.path.islink(write) and not os.path.exists(write):
        raise UsageError("demo.not_written", f"{shown_path(write)} is a link that leads nowhere.", "Name a folder.")
    try:
        taken = [name for name in programs if (write / name).exists() and (write / name).read_bytes() != programs[name]]
        if taken:
            sentence = f"{shown_path(write / taken[0])} is there already and holds something else."
            raise UsageError("demo.taken", sentence, "Name another folder.")
        for name, content in programs.items():
            write_shared(write / name, content)
    # Folders above folders are made one inside of the other, a thousand at most.
    except (OSError, RecursionError) as error:
        raise UsageError(
            "demo.not_written", f"The folder {shown_path(write)} cannot be written: {reason_of(error)}."
        ) from error
    names = sorted(programs)
    page = Page(
        "WRITTEN",
        Mark.NOTE,
        shown_path(write),
        (f"{counted(len(names), 'program')} to try probatum on.",),
        (Section("Programs", tuple(Entry(Mark.NOTE, name) for name in names)),),
        (("Next", f"probatum verify {shown_path(write / _FIRST)}"),),
    )
    tell({"folder": str(write), "programs": names}, page, as_json=json)
    return 0
