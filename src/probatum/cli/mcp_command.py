"""`probatum mcp`: the tools of all kinds for agents, over the Model Context Protocol.

Refuses to print anything but the protocol on standard output, unless it listens.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from probatum.app.mcp_port import McpRequest, McpRunner
from probatum.app.pool import for_all
from probatum.app.settings import processors, read_settings
from probatum.cli.options import RecordOption, StoreOption, WorkersOption, path_option
from probatum.core.command import Given
from probatum.core.disclosure import Layer, parse_layer

RootOption = Annotated[
    list[Path] | None,
    path_option(
        "--root",
        "DIR",
        "A folder that tools may read and write; may be repeated. Default: those that the client names, else the"
        " current one.",
    ),
]
HttpOption = Annotated[
    int | None,
    typer.Option(
        "--http",
        metavar="PORT",
        min=0,
        max=65535,
        help="Listen on this port of this machine instead; 0 for any. The token is printed.",
        show_default=False,
    ),
]
LayerOption = Annotated[
    str,
    typer.Option("--layer", metavar="agent|developer|proof", help="How much of verdicts and proofs tools tell."),
]


def mcp_command(run_mcp: McpRunner) -> Callable[..., int]:
    """Return the command, with what serves behind it."""

    def mcp(
        *,
        root: RootOption = None,
        http: HttpOption = None,
        given: Given,
        layer: LayerOption = Layer.AGENT.value,
        store: StoreOption = None,
        ledger: RecordOption = None,
        workers: WorkersOption = None,
    ) -> int:
        """Serve tools to an agent: ask, answer, verify, check, judge, audit, claim, explain, gate.

        Without --http the client starts it and speaks over standard input and output, until it goes.

        Exit codes: 0 the client has gone or a signal came, 2 wrong usage, 4 a package is missing.
        """
        settings = read_settings()
        recorded = settings.recording_path(ledger)
        return run_mcp(
            McpRequest(
                store=settings.store_path(store).absolute(),
                ledger=None if recorded is None else recorded.absolute(),
                layer=parse_layer(layer),
                workers=workers or processors(),
                roots=tuple(root or ()),
                port=http,
                token=settings.mcp_token,
                given=for_all(given),
            )
        )

    return mcp
