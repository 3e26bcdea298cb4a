"""A further command of a kind, beside the one that judges: parse what it declares, let it act, show what it tells.

Refuses to tell more than one story: the page and the JSON document are what the kind answered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from probatum.app.kinds import Told, Tool
from probatum.cli.declared import with_declared
from probatum.cli.options import JsonOption
from probatum.cli.output import Mode, Output, write_data
from probatum.core.command import Given


def tool_command(tool: Tool) -> Callable[..., int]:
    """Return the command of a tool."""
    declared = tool.command
    argument = typer.Argument(metavar=declared.subject, help=declared.subject_help, show_default=False)

    def command(subject: list[str], given: Given, json: JsonOption = False) -> int:
        # Deferred, so that help need not load what acts.
        from probatum.app.sources import Sources, save

        told = tool.act(Given(subject[0], given.options, tuple(subject[1:])), Sources(sys.stdin.buffer))
        for file in told.saved:
            save(file)
        _print(told, as_json=json)
        return told.exit_code

    command.__annotations__["subject"] = Annotated[list[str], argument]
    command.__name__ = declared.name.replace("-", "_")
    command.__doc__ = declared.help
    return with_declared(command, declared.options)


def _print(told: Told, *, as_json: bool) -> None:
    if told.text and not as_json:
        write_data(told.text)
        return
    screen = Output(Mode.of(as_json=as_json))
    screen.document(dict(told.document))
    for page in told.pages:
        screen.page(page)
