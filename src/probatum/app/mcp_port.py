"""What a server of tools is asked for: the value between the command line and `probatum.mcp_server`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from probatum.core.command import NOTHING, Given
from probatum.core.disclosure import Layer


@dataclass(frozen=True, slots=True)
class McpRequest:
    """How agents reach tools, what these may read, and what verdicts tell."""

    store: Path
    ledger: Path | None
    layer: Layer
    workers: int
    # The folders that tools may read and write; empty for those of the client, else the current one.
    roots: tuple[Path, ...] = ()
    # Where to listen; None to speak over standard input and output.
    port: int | None = None
    host: str = "127.0.0.1"
    # What callers over HTTP have to show; empty for a new one.
    token: str = ""
    # Options of the kinds.
    given: Given = NOTHING


# Serves until its client goes or a signal comes, and returns the exit code; raises UsageError where nothing fits.
McpRunner = Callable[[McpRequest], int]
