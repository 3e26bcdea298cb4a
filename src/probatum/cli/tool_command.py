"""A further command of a kind, beside the one that judges: parse what it declares, let it act, show what it tells.

Refuses to tell more than one story: the page and the JSON document are what the kind answered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from probatum.app.kinds import AnyKind, Told, Tool
from probatum.cli.declared import with_declared
from probatum.cli.options import JsonOption
from probatum.cli.output import Mode, Output, write_data
from probatum.core.command import Given

if TYPE_CHECKING:
    from probatum.app.desk import ServiceDesk


def tool_command(tool: Tool, kind: AnyKind) -> Callable[..., int]:
    """Return the command of a tool of a kind."""
    declared = tool.command
    argument = typer.Argument(metavar=declared.subject, help=declared.subject_help, show_default=False)

    def command(given: Given, subject: list[str] | None = None, json: JsonOption = False) -> int:
        first, *others = subject or [""]
        return acted(kind, Given(first, given.options, tuple(others)), tool.act, as_json=json)

    command.__annotations__["subject"] = Annotated[list[str] | None, argument]
    command.__name__ = declared.name.replace("-", "_")
    command.__doc__ = declared.help
    return with_declared(command, declared.options)


def acted(kind: AnyKind, given: Given, act: Callable[[Given, ServiceDesk], Told], *, as_json: bool) -> int:
    """Let something act at a desk, show what it tells, and return how the command ends."""
    # Deferred, so that help need not load what acts.
    from probatum.app.desk import ServiceDesk
    from probatum.app.proofs import user_store
    from probatum.app.service import Service
    from probatum.app.sources import Sources

    with Service(user_store(None), given=given) as service:
        desk = ServiceDesk(service, kind, Sources(sys.stdin.buffer))
        told = act(given, desk)
    for file in told.saved:
        desk.save(file)
    _print(told, as_json=as_json)
    return told.exit_code


def _print(told: Told, *, as_json: bool) -> None:
    if told.text and not as_json:
        write_data(told.text)
        return
    screen = Output(Mode.of(as_json=as_json))
    screen.document(dict(told.document))
    for page in told.pages:
        screen.page(page)
