"""What an editor sees while something is verified, where it shows progress.

Refuses to wait for the editor: where it does not answer, nothing is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from uuid import uuid4

from lsprotocol import types
from pygls.lsp.server import LanguageServer


class VerificationProgress:
    """The progress of one verification; ``cancel`` is called where the user gives it up."""

    def __init__(self, server: LanguageServer, title: str, cancel: Callable[[], object]) -> None:
        self._progress = server.work_done_progress
        self._title = title
        self._cancel = cancel
        self._token = str(uuid4())
        self._is_shown = self._is_over = False
        window = server.client_capabilities.window
        if window is not None and window.work_done_progress:
            self._progress.create(self._token).add_done_callback(self._created)

    def tell(self, event: Mapping[str, object]) -> None:
        """Show a step."""
        if self._is_shown:
            message = str(event.get("message") or event.get("stage"))
            self._progress.report(self._token, types.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """Show that it is over."""
        self._is_over = True
        if self._is_shown:
            self._progress.end(self._token, types.WorkDoneProgressEnd())
        self._progress.tokens.pop(self._token, None)

    def _created(self, answer: Future[object]) -> None:
        if self._is_over or answer.cancelled() or answer.exception() is not None:
            return
        self._is_shown = True
        self._progress.begin(self._token, types.WorkDoneProgressBegin(title=self._title, cancellable=True))
        self._progress.tokens[self._token].add_done_callback(self._given_up)

    def _given_up(self, token: Future[object]) -> None:
        if token.cancelled():
            self._cancel()
