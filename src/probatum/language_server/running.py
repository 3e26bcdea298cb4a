"""Runs the server of editors over standard input and output until the editor goes.

Refuses to let anything but the protocol reach standard output: what else is printed goes to standard error, and what is
logged to the editor.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import suppress
from threading import Event

from lsprotocol import types
from pygls.io_ import StdinAsyncReader, StdoutWriter, run_async
from pygls.lsp.server import LanguageServer

from probatum.app.editor_calls import EditorCalls
from probatum.app.editor_port import EditorRequest
from probatum.language_server.server import language_server

_ERRORS = 2


def run_editor(request: EditorRequest) -> int:
    """Serve one editor, and return when it has gone."""
    # The editor says "exit", or it is gone.
    with suppress(SystemExit, BrokenPipeError):
        asyncio.run(_serve(request))
    return 0


async def _serve(request: EditorRequest) -> None:
    calls = EditorCalls(request)
    server = language_server(calls)
    log = _EditorLog(server)
    logging.basicConfig(handlers=[log], level=logging.WARNING, force=True)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as wire:
        os.dup2(_ERRORS, sys.stdout.fileno())
        server.protocol.set_writer(StdoutWriter(wire))
        try:
            await run_async(
                stop_event=Event(),
                reader=StdinAsyncReader(sys.stdin.buffer, server.thread_pool),
                protocol=server.protocol,
                error_handler=server.report_server_error,
            )
        finally:
            log.is_over = True
            await calls.close()


class _EditorLog(logging.Handler):
    """Shows in the editor's log what is logged here."""

    def __init__(self, server: LanguageServer) -> None:
        super().__init__()
        self._server = server
        self.is_over = False

    def emit(self, record: logging.LogRecord) -> None:
        """Send it; what goes wrong meanwhile is not logged again."""
        if not self.is_over:
            self.is_over = True
            kind = types.MessageType.Error if record.levelno >= logging.ERROR else types.MessageType.Warning
            self._server.window_log_message(types.LogMessageParams(kind, record.getMessage()))
            self.is_over = False
