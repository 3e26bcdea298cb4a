"""`probatum config`: what counts for a run over files here, and where each value comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from probatum.app.configuration import DEFAULT_BASELINE, FILE, Configuration, configurable, read_configuration
from probatum.app.kinds import kind_of_command
from probatum.app.settings import processors
from probatum.cli.options import JsonOption
from probatum.cli.output import tell
from probatum.core.command import Option
from probatum.core.errors import UsageError
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.core.subject import shown_path

_OF: Final = "verify"
_DEFAULT: Final = "default"


def config(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A file or folder. Default: here.", show_default=False)
    ] = ".",
    json: JsonOption = False,
) -> int:
    """Show every value that [tool.probatum] may say, the one that counts for a path, and where it comes from.

    What is typed counts more than what stands in the nearest pyproject.toml with such a table, and that more than the
    defaults.

    Exit codes: 0 shown, 2 the configuration cannot be used.
    """
    kind = kind_of_command(_OF)
    if kind is None:
        raise UsageError("configuration.no_command", f"This installation has no command {_OF!r}.")
    if not Path(path).exists():
        raise UsageError("path.missing", f"There is no file {path!r}.")
    found = read_configuration(path, kind.command.options)
    rows = [(each, *_value(each, found)) for each in configurable(kind.command.options)]
    document: dict[str, object] = {
        "file": None if found.file is None else shown_path(found.file),
        "values": {each.name: {"value": value, "from": where} for each, value, where in rows},
    }
    entries = tuple(
        Entry(Mark.NOTE, f"{each.name:<16}  {_written(value):<24}  {where}".rstrip()) for each, value, where in rows
    )
    told = "No pyproject.toml here or above has a table [tool.probatum]."
    sentence = told if found.file is None else f"From {shown_path(found.file)}."
    tell(document, Page("CONFIGURATION", Mark.NOTE, path, (sentence,), (Section("Values", entries),)), as_json=json)
    return 0


def _value(option: Option, found: Configuration) -> tuple[object, str]:
    if option.name in found.values:
        return found.values[option.name], FILE
    if option.name == "baseline" and (found.root / DEFAULT_BASELINE).is_file():
        return str(found.root / DEFAULT_BASELINE), _DEFAULT
    if option.name == "jobs":
        return processors(), _DEFAULT
    return option.default, _DEFAULT


def _written(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if value is None or isinstance(value, bool):
        return "yes" if value else "-" if value is None else "no"
    return str(value)
