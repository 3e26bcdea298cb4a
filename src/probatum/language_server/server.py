"""The server as its protocol has it: open documents, their verifications, and what an editor asks about them.

A document is verified when it is opened and saved, or when somebody asks; while it is edited only where the editor's
settings say so. What runs about a text that is no longer there is ended. Refuses files outside of the folders that the
editor works in, and documents beyond the size of a source.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tokenize import detect_encoding
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from probatum.app.editor_calls import EditorCalls
from probatum.app.editor_port import EditedFile, FileReport, JudgedFunction, Proposal
from probatum.app.sources import require_lent
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, ProbatumError, UsageError
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.core.version import __version__
from probatum.language_server.progress import VerificationProgress
from probatum.language_server.shown import (
    ACCEPT_READINGS,
    OPEN_READINGS,
    VERIFY_FILE,
    VERIFY_FUNCTION,
    Actions,
    ShownVerdict,
    Units,
    diagnostics_of,
    shown_of,
    still_shown,
)

PAUSE_SECONDS: Final = 0.5
"""How long a text stays as it is before it is verified while it is edited."""
PYTHON: Final = "python"
READINGS: Final = "**/*.readings.toml"
_OUTSIDE: Final = "path.outside"


@dataclass(frozen=True, slots=True)
class _OpenDocument:
    """What is known of one open document."""

    shown: tuple[ShownVerdict, ...] = ()
    readings: Path | None = None
    proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class _EditorSettings:
    """What the editor's user wants."""

    verify_on_change: bool = False
    by: str = ""
    """In whose name readings are accepted."""

    def with_given(self, given: object) -> _EditorSettings:
        """Return them with what is given, by itself or below ``probatum``; anything else is left as it is."""
        own = given.get("probatum", given) if isinstance(given, dict) else {}
        if not isinstance(own, dict):
            return self
        wanted, by = own.get("verifyOnChange"), own.get("by")
        return _EditorSettings(
            wanted if isinstance(wanted, bool) else self.verify_on_change, by if isinstance(by, str) else self.by
        )


def language_server(calls: EditorCalls) -> LanguageServer:
    """Return a server whose verifications are done by ``calls``."""
    # A whole text each time: the two sides cannot come to differ about it.
    server = LanguageServer("probatum", __version__, types.TextDocumentSyncKind.Full)
    editor = _Editor(server, calls)
    offered = types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.Source])
    for name, handler, options in (
        (types.INITIALIZE, editor.initialize, None),
        (types.INITIALIZED, editor.initialized, None),
        (types.TEXT_DOCUMENT_DID_OPEN, editor.opened, None),
        (types.TEXT_DOCUMENT_DID_CHANGE, editor.changed, None),
        (types.TEXT_DOCUMENT_DID_SAVE, editor.saved, None),
        (types.TEXT_DOCUMENT_DID_CLOSE, editor.closed, None),
        (types.TEXT_DOCUMENT_CODE_ACTION, editor.code_actions, offered),
        (types.WORKSPACE_DID_CHANGE_CONFIGURATION, editor.configured, None),
        (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, editor.files_changed, None),
        (types.SHUTDOWN, editor.shut_down, None),
    ):
        server.feature(name, options)(partial(handler))
    for command, act in (
        (VERIFY_FILE, editor.verify_file),
        (VERIFY_FUNCTION, editor.verify_function),
        (ACCEPT_READINGS, editor.accept_readings),
        (OPEN_READINGS, editor.open_readings),
    ):
        server.command(command)(partial(act))
    return server


class _Editor:
    """The handlers, and what is known of the open documents."""

    def __init__(self, server: LanguageServer, calls: EditorCalls) -> None:
        self._server = server
        self._calls = calls
        self._settings = _EditorSettings()
        self._documents: dict[str, _OpenDocument] = {}
        self._running: dict[str, asyncio.Task[None]] = {}

    def initialize(self, params: types.InitializeParams) -> None:
        """Take the settings that come with the first request."""
        self._settings = self._settings.with_given(params.initialization_options)

    def initialized(self, _params: types.InitializedParams) -> None:
        """Ask to hear when readings change."""
        workspace = self._server.client_capabilities.workspace
        watching = None if workspace is None else workspace.did_change_watched_files
        if watching is not None and watching.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(READINGS)])
            wanted = types.Registration("readings", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self._server.client_register_capability(types.RegistrationParams([wanted]))

    def configured(self, params: types.DidChangeConfigurationParams) -> None:
        """Take new settings."""
        self._settings = self._settings.with_given(params.settings)

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Verify a Python document."""
        if params.text_document.language_id == PYTHON:
            self._documents[params.text_document.uri] = _OpenDocument()
            self._begin(params.text_document.uri)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """End what runs, and show only what is still so."""
        uri = params.text_document.uri
        if (document := self._documents.get(uri)) is None:
            return
        self._end(uri)
        self._documents[uri] = replace(document, shown=still_shown(document.shown, self._text(uri).source))
        self._publish(uri)
        if self._settings.verify_on_change:
            self._begin(uri, after=PAUSE_SECONDS)

    def saved(self, params: types.DidSaveTextDocumentParams) -> None:
        """Verify the document."""
        self._begin(params.text_document.uri)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """End what runs, and show nothing any more."""
        uri = params.text_document.uri
        if self._documents.pop(uri, None) is not None:
            self._end(uri)
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Verify the documents whose readings changed."""
        changed = {to_fs_path(each.uri) for each in params.changes}
        for uri, document in self._documents.items():
            if document.readings is not None and str(document.readings) in changed:
                self._begin(uri)

    async def shut_down(self, *_params: object) -> None:
        """End everything that runs."""
        for uri in tuple(self._running):
            self._end(uri)
        await self._calls.close()

    def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return what can be done about the functions at these lines."""
        uri = params.text_document.uri
        if (document := self._documents.get(uri)) is None:
            return []
        text = self._text(uri)
        workspace = self._server.client_capabilities.workspace
        edits = None if workspace is None else workspace.workspace_edit
        makes = () if edits is None else edits.resource_operations or ()
        actions = Actions(uri, text.source, self._units(text), types.ResourceOperationKind.Create in makes)
        offered = actions.at(params, document.shown, document.readings, document.proposals)
        only = params.context.only
        return [each for each in offered if only is None or any(_is_of(each.kind, kind) for kind in only)]

    async def verify_file(self, uri: str) -> list[dict[str, str]]:
        """Verify an open document, and return its verdicts once they are there."""
        return await self._verified(uri, "")

    async def verify_function(self, uri: str, name: str) -> list[dict[str, str]]:
        """Verify one function of an open document, and return its verdict once it is there."""
        return [each for each in await self._verified(uri, name) if each["name"] in {name, ""}]

    async def accept_readings(self, uri: str, ids: list[str]) -> None:
        """Accept readings in the name that the settings tell, and verify the document again."""
        if uri not in self._documents:
            return
        if not self._settings.by:
            hint = 'Set "probatum.by" to your name: an acceptance bears the name of a person.'
            self._say(f"No reading was accepted. {hint}")
            return
        try:
            await self._calls.accept(self._edited(uri), ids, self._settings.by)
        except ProbatumError as error:
            self._say(f"No reading was accepted. {error.sentence} {error.hint}".strip())
            return
        self._begin(uri)

    async def open_readings(self, uri: str) -> None:
        """Show the readings file of an open document."""
        document = self._documents.get(uri)
        if document is not None and document.readings is not None:
            shown = from_fs_path(str(document.readings)) or ""
            await self._server.window_show_document_async(types.ShowDocumentParams(shown, take_focus=True))

    async def _verified(self, uri: str, name: str) -> list[dict[str, str]]:
        if (task := self._begin(uri, name)) is not None:
            await asyncio.wait([task])
        found = self._documents.get(uri, _OpenDocument()).shown
        told = [each.judged for each in found]
        return [{"name": each.name, "outcome": each.outcome, "message": each.message} for each in told]

    def _begin(self, uri: str, name: str = "", after: float = 0.0) -> asyncio.Task[None] | None:
        if uri not in self._documents:
            return None
        self._end(uri)
        self._running[uri] = asyncio.ensure_future(self._run(uri, name, after))
        return self._running[uri]

    def _end(self, uri: str) -> None:
        if (task := self._running.pop(uri, None)) is not None:
            task.cancel()

    async def _run(self, uri: str, name: str, after: float) -> None:
        await asyncio.sleep(after)
        text = self._text(uri).source
        progress = VerificationProgress(self._server, f"Verifying {name or Path(uri).name}", partial(self._end, uri))
        try:
            report = await self._calls.verify(self._edited(uri), name, progress.tell)
        except ProbatumError as error:
            if error.code == _OUTSIDE:
                self._log(error.sentence)
                return
            said = error.sentence
            report = FileReport((JudgedFunction("", Outcome.NOT_ATTEMPTED, error.code, said, next_step=error.hint),))
        finally:
            progress.end()
        fresh = shown_of(report, text)
        before = self._documents[uri].shown if name else ()
        kept = [each for each in before if each.judged.name not in {name, ""}]
        readings = Path(report.readings_file) if report.readings_file else None
        self._documents[uri] = _OpenDocument((*kept, *fresh), readings, report.proposals)
        self._publish(uri)

    def _edited(self, uri: str) -> EditedFile:
        """Return a document as it is verified; raises UsageError outside of the folders, BudgetError beyond a size."""
        path, folders = to_fs_path(uri), self._folders()
        if path is None or not uri.startswith("file:"):
            raise UsageError(_OUTSIDE, f"{uri} is not a file of this machine; it is not verified.")
        require_lent(path, tuple(map(Path, folders)))
        content = _encoded(self._text(uri).source)
        if len(content) > MAX_SOURCE_BYTES:
            sentence = f"The document is larger than {MAX_SOURCE_BYTES:,} bytes, the most that one source may have."
            raise BudgetError("program.too_large", sentence, "Split the file into modules.")
        own = [each for each in folders if Path(path).is_relative_to(each)]
        return EditedFile(path, content, tuple(dict.fromkeys((*own, *folders))))

    def _folders(self) -> list[str]:
        workspace = self._server.workspace
        named = [each.uri for each in workspace.folders.values()] or [each for each in (workspace.root_uri,) if each]
        return [path for path in map(to_fs_path, named) if path is not None]

    def _text(self, uri: str) -> TextDocument:
        return self._server.workspace.get_text_document(uri)

    def _units(self, text: TextDocument) -> Units:
        return text.position_codec.client_num_units

    def _publish(self, uri: str) -> None:
        text, document = self._text(uri), self._documents[uri]
        found = diagnostics_of(document.shown, text.source, self._units(text))
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, text.version))

    def _say(self, message: str) -> None:
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))

    def _log(self, message: str) -> None:
        self._server.window_log_message(types.LogMessageParams(types.MessageType.Warning, message))


def _is_of(kind: str | None, wanted: str) -> bool:
    return not wanted or kind == wanted or (kind or "").startswith(wanted + ".")


def _encoded(text: str) -> bytes:
    """Return a text as its file has it: in the encoding that its first lines declare, where it is one of Python's."""
    content = text.encode("utf-8", "replace")
    try:
        return text.encode(detect_encoding(iter(content.splitlines(keepends=True)).__next__)[0])
    except (SyntaxError, LookupError, UnicodeError):
        return content
