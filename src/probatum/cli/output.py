"""Where the command line writes: pages and documents on standard output, errors and notes on standard error.

Pages are in the encoding of the stream, with escapes for what it lacks; what other programs read is UTF-8 whatever the
terminal speaks. Refuses to mix: with ``--json`` or ``--events`` nothing but JSON reaches standard output. A reader that
has gone away (a closed pipe) changes no exit code.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TextIO

from probatum.app.documents import error_document
from probatum.app.settings import Settings, read_settings
from probatum.core.disclosure import Layer
from probatum.core.errors import ProbatumError, UsageError, reason_of
from probatum.core.events import Event
from probatum.core.outside import json_text, lines_of, visible
from probatum.core.sheet import Entry, Page
from probatum.report.layout import SYMBOL_MARKS, PageLine, lay_out, listed
from probatum.report.text import plain_text


class Mode(Enum):
    """What standard output carries."""

    PAGES = "pages"
    DOCUMENT = "document"
    EVENTS = "events"

    @classmethod
    def of(cls, *, as_json: bool, events: bool = False) -> Mode:
        """Return the mode that these options ask for; events carry the document too."""
        if events:
            return cls.EVENTS
        return cls.DOCUMENT if as_json else cls.PAGES


class Output:
    """Standard output of one command."""

    def __init__(self, mode: Mode, settings: Settings | None = None) -> None:
        self.mode = mode
        self._settings = settings or read_settings()

    def page(self, page: Page) -> None:
        """Print a page, and an empty line after it: with colour and symbols on a terminal, plain otherwise."""
        if self.mode is not Mode.PAGES:
            return
        if not self._is_styled():
            self.text(f"{plain_text(page)}\n")
            return
        self._styled(lay_out(page, SYMBOL_MARKS))
        self.text("\n")

    def entries(self, entries: Sequence[Entry]) -> None:
        """Print entries as a list: with colour on a terminal, plain otherwise."""
        if self.mode is not Mode.PAGES or not entries:
            return
        lines = listed(entries)
        if self._is_styled():
            self._styled(lines)
        else:
            self.text("".join(f"{line.text}\n" for line in lines))

    def _styled(self, lines: Sequence[PageLine]) -> None:
        from rich.console import Console

        from probatum.report.terminal import TerminalLines

        console = Console(
            file=sys.stdout,
            force_terminal=self._settings.force_colour or None,
            no_color=not self._settings.colour,
            highlight=False,
            markup=False,
        )
        with console.capture() as capture:
            console.print(TerminalLines(lines), crop=False)
        self.text(capture.get())

    def _is_styled(self) -> bool:
        speaks_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
        has_terminal = sys.stdout.isatty() or self._settings.force_colour
        return has_terminal and speaks_unicode and not self._settings.dumb_terminal

    def text(self, text: str) -> None:
        """Print text as it is, when pages are printed."""
        if self.mode is Mode.PAGES:
            write_safely(sys.stdout, text)

    def data(self, text: str) -> None:
        """Print text that other programs read, when pages are printed."""
        if self.mode is Mode.PAGES:
            write_data(text)

    def event(self, event: Event, layer: Layer) -> None:
        """Print one event as a line of JSON, where asked for; the agent's layer sees the stage alone."""
        if self.mode is Mode.EVENTS:
            _write_line({"stage": event.stage} if layer is Layer.AGENT else event.to_dict())

    def document(self, document: Mapping[str, object]) -> None:
        """Print the command's one document; after events it is the line of the stage ``complete``."""
        if self.mode is Mode.EVENTS:
            _write_line({"stage": "complete", "message": "", "data": document})
        elif self.mode is Mode.DOCUMENT:
            write_data(json_text(document, indent=2) + "\n")


def tell(document: Mapping[str, object], found: Page | str, *, as_json: bool) -> None:
    """Print what a command found: its document where JSON was asked for, otherwise its page, or text for programs."""
    output = Output(Mode.of(as_json=as_json))
    output.document(document)
    if isinstance(found, str):
        output.data(found)
    else:
        output.page(found)


def report_error(error: ProbatumError, mode: Mode) -> int:
    """Print a named error and return its exit code; machines get it as JSON too."""
    note(f"error[{error.code}]: {error.sentence}")
    if error.hint:
        note(f"hint: {error.hint}")
    if mode is Mode.EVENTS:
        _write_line({"stage": "error", "message": error.sentence, "data": error_document(error)})
    elif mode is Mode.DOCUMENT:
        write_data(json_text(error_document(error), indent=2) + "\n")
    return error.exit_code


def note(text: str) -> None:
    """Tell the person something beside the report, on standard error."""
    for line in lines_of(text):
        write_safely(sys.stderr, f"{visible(line)}\n")


def write_data(text: str) -> None:
    """Print text that other programs read, as UTF-8 whatever the terminal speaks."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    write_safely(sys.stdout, text)


def write_safely(stream: TextIO, text: str) -> None:
    """Write and flush, with escapes for what the stream cannot say; when the reader has gone, send the rest nowhere."""
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as error:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        if not isinstance(error, BrokenPipeError):
            raise UsageError("output.not_written", f"the output could not be written: {reason_of(error)}.") from error


def _write_line(document: Mapping[str, object]) -> None:
    write_data(json_text(document) + "\n")
