"""An editor for tests: a real client of the protocol, which starts the server and waits for what it says."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Union

from cattrs import Converter
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter

import probatum

PATIENCE = 180.0
"""Against a server that hangs; no answer comes near it."""
Diagnostics = Sequence[types.Diagnostic]


class Editor:
    """One client, with what it was told."""

    def __init__(self, folder: Path) -> None:
        self.client = LanguageClient("editor", "1", converter_factory=_converter)
        self.folder = folder
        self.steps: list[str] = []
        self.shown: list[types.ShowDocumentParams] = []
        self.messages: list[str] = []
        self._told: dict[str, types.PublishDiagnosticsParams] = {}
        self._news = asyncio.Condition()
        self._versions: dict[str, int] = {}
        self.on_step: Callable[[], None] = lambda: None
        feature = self.client.feature
        feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._diagnosed))
        feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _params: None)
        feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _params: None)
        feature(types.PROGRESS)(partial(self._progressed))
        feature(types.WINDOW_SHOW_DOCUMENT)(partial(self._show))
        feature(types.WINDOW_SHOW_MESSAGE)(partial(self._message))
        feature(types.WINDOW_LOG_MESSAGE)(partial(self._message))

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The server."""
        assert self.client._server is not None
        return self.client._server

    def uri(self, name: str) -> str:
        """Return the address of a file of the folder."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> None:
        """Open a document, whatever is on the disk."""
        self._versions[name] = 1
        document = types.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def change(self, name: str, text: str) -> None:
        """Replace the text of a document."""
        self._versions[name] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name))
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def save(self, name: str) -> None:
        """Say that a document was saved."""
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    async def diagnostics(self, name: str, holds: Callable[[Diagnostics], object]) -> Diagnostics:
        """Return the diagnostics of the text as it stands, once something holds of them."""
        found: Diagnostics = ()

        def is_here() -> bool:
            nonlocal found
            told = self._told.get(self.uri(name))
            if told is None or told.version != self._versions[name]:
                return False
            found = told.diagnostics
            return bool(holds(found))

        try:
            await self.until(is_here)
        except TimeoutError:
            raise AssertionError(f"{found} {self.messages}") from None
        return found

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; it is asked about at each news."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(holds)

    async def actions(self, name: str, line: int, about: Diagnostics = ()) -> list[types.CodeAction]:
        """Return what is offered at a line."""
        place = types.Position(line, 0)
        context = types.CodeActionContext(list(about))
        document = types.TextDocumentIdentifier(self.uri(name))
        params = types.CodeActionParams(document, types.Range(place, place), context)
        found = await self.client.text_document_code_action_async(params)
        return [each for each in found or () if isinstance(each, types.CodeAction)]

    async def run(self, command: types.Command | None) -> list[dict[str, str]]:
        """Run a command of the server, and return the verdicts that it answers."""
        assert command is not None
        params = types.ExecuteCommandParams(command.command, command.arguments)
        return list(await self.client.workspace_execute_command_async(params) or ())

    async def verify(self, name: str) -> list[dict[str, str]]:
        """Ask for the verdicts about a document, and wait for them."""
        return await self.run(types.Command("", "probatum.verifyFile", arguments=[self.uri(name)]))

    async def _notify(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def _diagnosed(self, params: types.PublishDiagnosticsParams) -> None:
        self._told[params.uri] = params
        await self._notify()

    async def _progressed(self, params: types.ProgressParams) -> None:
        kind = str(params.value["kind"] if isinstance(params.value, dict) else getattr(params.value, "kind", ""))
        self.steps.append(kind)
        if kind == "report":
            self.on_step()
        await self._notify()

    async def _show(self, params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        self.shown.append(params)
        await self._notify()
        return types.ShowDocumentResult(True)

    async def _message(self, params: types.ShowMessageParams | types.LogMessageParams) -> None:
        self.messages.append(params.message)
        await self._notify()


def _converter() -> Converter:
    """Return what reads messages: of its own, the client takes an action that has a command for a command."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]  # it has no types

    def read(given: dict[str, object], _kind: type) -> types.Command | types.CodeAction:
        if isinstance(given.get("command"), str):
            return converter.structure(given, types.Command)
        return converter.structure(given, types.CodeAction)

    converter.register_structure_hook(types.Command | types.CodeAction, read)
    converter.register_structure_hook(Union[types.Command, types.CodeAction], read)  # noqa: UP007  # another key
    return converter


def _capabilities() -> types.ClientCapabilities:
    edits = types.WorkspaceEditClientCapabilities(
        document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
    )
    watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    return types.ClientCapabilities(
        window=types.WindowClientCapabilities(work_done_progress=True),
        workspace=types.WorkspaceClientCapabilities(workspace_edit=edits, did_change_watched_files=watched),
    )


@asynccontextmanager
async def editing(folder: Path, **settings: object) -> AsyncIterator[Editor]:
    """Lend an editor that works in a folder; it says goodbye in the end, and the server is gone by then."""
    editor = Editor(folder)
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(probatum.__file__).parents[1]),
        "PROBATUM_STORE": str(folder / "store.sqlite"),
    }
    await editor.client.start_io(sys.executable, "-m", "probatum", "server", cwd=folder, env=environment)
    try:
        folders = [types.WorkspaceFolder(folder.as_uri(), "work")]
        params = types.InitializeParams(_capabilities(), workspace_folders=folders, initialization_options=settings)
        async with asyncio.timeout(PATIENCE):
            await editor.client.initialize_async(params)
        editor.client.initialized(types.InitializedParams())
        yield editor
        async with asyncio.timeout(PATIENCE):
            await editor.client.shutdown_async(None)
            editor.client.exit(None)
            await editor.client.stop()  # type: ignore[no-untyped-call]  # it has no types
    finally:
        if editor.process.returncode is None:
            editor.process.kill()
            await editor.process.wait()
