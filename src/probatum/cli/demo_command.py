"""`probatum demo`: writes the examples of the documentation, which an installed package brings along.

Refuses to replace a file that holds something else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

from probatum.cli.options import JsonOption, path_option
from probatum.cli.output import tell
from probatum.core.errors import UsageError, reason_of
from probatum.core.messages import counted
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.core.subject import shown_path

_FIRST = "recent_users_wrong.py"
WriteOption = Annotated[Path, path_option("--write", "DIR", "The folder to write them into; made where it is missing.")]


def demo(write: WriteOption, json: JsonOption = False) -> int:
    """Write the examples of the documentation into a folder: programs, right and wrong, readings of one, questions with
    evidence, outputs to judge, and what makes a repository with changes.

    Exit codes: 0 written, 2 the folder cannot be written, or has another file of such a name.
    """
    folder = files("probatum").joinpath("examples")
    written = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    programs = {name: content for name, content in written.items() if name.endswith(".py")}
    readings = {name: content for name, content in written.items() if name.endswith((".jsonl", ".toml"))}
    evidence, requests, changes = (dict(_below(folder.joinpath(name), name)) for name in ("audit", "judge", "change"))
    contents = {**programs, **readings, **evidence, **requests, **changes}
    from probatum.app.sources import write_shared

    if os.path.islink(write) and not os.path.exists(write):
        raise UsageError("demo.not_written", f"{shown_path(write)} is a link that leads nowhere.", "Name a folder.")
    try:
        taken = [name for name in contents if (write / name).exists() and (write / name).read_bytes() != contents[name]]
        if taken:
            sentence = f"{shown_path(write / taken[0])} is there already and holds something else."
            raise UsageError("demo.taken", sentence, "Name another folder.")
        for name, content in contents.items():
            write_shared(write / name, content)
    # Folders above folders are made one inside of the other, a thousand at most.
    except (OSError, RecursionError) as error:
        raise UsageError(
            "demo.not_written", f"The folder {shown_path(write)} cannot be written: {reason_of(error)}."
        ) from error
    sections = [
        Section(title, tuple(Entry(Mark.NOTE, name) for name in sorted(names)))
        for title, names in (
            ("Programs", programs),
            ("Readings", readings),
            ("Questions with evidence", evidence),
            ("Outputs to judge", requests),
            ("Changes to a repository", changes),
        )
    ]
    page = Page(
        "WRITTEN",
        Mark.NOTE,
        shown_path(write),
        (f"{counted(len(contents), 'file')} to try probatum on.",),
        tuple(sections),
        (("Next", f"probatum verify {shown_path(write / _FIRST)}"),),
    )
    told = {
        "folder": str(write),
        "programs": sorted(programs),
        "readings": sorted(readings),
        "evidence": sorted(evidence),
        "requests": sorted(requests),
        "changes": sorted(changes),
    }
    tell(told, page, as_json=json)
    return 0


def _below(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield every file below a folder, without the byte code that an installer makes of it."""
    for each in folder.iterdir():
        at = f"{name}/{each.name}"
        if each.name == "__pycache__":
            continue
        if each.is_dir():
            yield from _below(each, at)
        else:
            yield at, each.read_bytes()
